//===- uma-opt.cpp - mlir-opt for this project ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Registers all passes and pipelines of the project and of upstream, so that
// each stage can be run separately or as part of another pipeline.
//
//===----------------------------------------------------------------------===//

#include "uma/InitAll.h"
#include "uma/Support/StandardStreams.h"
#include "uma/Support/Version.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  uma::guardStandardStreams();
  uma::setVersionPrinter("uma-opt");
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  uma::registerAllDialects(registry);
  mlir::registerAllPasses();
  uma::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "uma modular optimizer driver\n", registry));
}
