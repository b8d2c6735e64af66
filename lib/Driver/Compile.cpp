//===- Compile.cpp - uma compile ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Model.h"

using namespace uma;

ExitCode uma::runCompile(const ModelOptions &options,
                         llvm::StringRef outputDir) {
  ModelContext context(options.model);
  ExitCode code = compileModel(options, context, outputDir);
  if (code == ExitCode::Success)
    llvm::outs() << "wrote " << outputDir << '\n';
  return code;
}
