//===- Passes.td - Passes that load descriptions -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_LANGUAGE_PASSES_TD
#define UMA_ACCEL_LANGUAGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoadPass : Pass<"uma-accel-load", "::mlir::ModuleOp"> {
  let summary = "load descriptions of accelerators into the module";
  let description = [{
    Finds and reads the description of each accelerator and inserts it as a `uma.accel.accelerator` at the start of the
    module, in the order of the option. Accelerators that the module already describes are kept.

    A value that has a `/` or ends in `.uma` or `.mlir` is a path. Any other value is a name N, searched as `N/N.uma`
    and `N.uma` in `accelerator-dir`, in the folders of the environment variable `UMA_ACCELERATOR_PATH` (separated by
    `:`), in `share/uma/dialects` of the installation of the executable or plugin, and in `dialects` of its source tree.

    A value `NAME=VALUE` sets a target attribute of the preceding accelerator.
  }];
  let options = [
    ListOption<"accelerators", "accelerators", "std::string",
               "Names or paths of the descriptions to load, each followed by attributes to set: NAME=VALUE">,
    ListOption<"acceleratorDirs", "accelerator-dir", "std::string",
               "Folders to search for descriptions first">
  ];
  let dependentDialects = ["::uma::UMADialect", "::mlir::arith::ArithDialect", "::mlir::transform::TransformDialect"];
  let statistics = [
    Statistic<"numLoaded", "loaded", "Number of accelerators loaded">
  ];
}

#endif // UMA_ACCEL_LANGUAGE_PASSES_TD
