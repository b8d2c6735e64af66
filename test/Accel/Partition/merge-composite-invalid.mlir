// RUN: uma-opt %s '-uma-accel-merge-composite=accelerators=vanila' -split-input-file -verify-diagnostics

// expected-error @+1 {{the module has no accelerator 'vanila'; did you mean 'vanilla'?; uma-accel-load puts descriptions into a module}}
module {
  uma.accel.accelerator @vanilla {
    uma.accel.include "vanilla.h"
  }
}

// -----

// expected-error @+1 {{the module has no accelerator 'vanila'; uma-accel-load puts descriptions into a module}}
module {
}
