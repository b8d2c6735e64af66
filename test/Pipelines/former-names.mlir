// Passes that have a new name are refused with it.
// RUN: not uma-opt %s --uma-convert-graph-to-tir 2>&1 | FileCheck %s --check-prefix=TIR
// RUN: not uma-opt %s --pass-pipeline='builtin.module(uma-convert-graph-to-tir)' 2>&1 | FileCheck %s --check-prefix=TIR
// RUN: not uma-opt %s --uma-convert-tir-to-emitc 2>&1 | FileCheck %s --check-prefix=EMITC

// TIR: the pass 'uma-convert-graph-to-tir' is called 'convert-uma-graph-to-uma-tir'
// EMITC: the pass 'uma-convert-tir-to-emitc' is called 'convert-uma-tir-to-emitc'
module {}
