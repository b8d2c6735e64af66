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

#include "uma/Accel/Language/Plugin.h"
#include "uma/InitAll.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/StandardStreams.h"
#include "uma/Support/Version.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

/// Checks the plugins on the command line before MLIR loads them, whose code
/// may crash if it is for another version. Returns false after an error.
static bool checkPlugins(llvm::ArrayRef<const char *> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef file = arguments[i];
    if (!file.consume_front("-"))
      continue;
    file.consume_front("-");
    if (!file.consume_front("load-dialect-plugin") &&
        !file.consume_front("load-pass-plugin"))
      continue;
    if (!file.consume_front("=")) {
      if (!file.empty() || i + 1 == arguments.size())
        continue;
      file = arguments[i + 1];
    }
    std::string problem = uma::accel::checkPlugin(file);
    if (problem.empty())
      continue;
    llvm::errs() << "uma-opt: error: the plugin '" << uma::toPrintable(file)
                 << "' " << problem << '\n';
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  uma::guardStandardStreams();
  uma::setVersionPrinter("uma-opt");
  if (!checkPlugins({argv, static_cast<size_t>(argc)}))
    return 1;
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  uma::registerAllDialects(registry);
  mlir::registerAllPasses();
  uma::registerAllPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "uma modular optimizer driver\n", registry));
}
