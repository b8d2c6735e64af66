//===- Compile.cpp - uma compile ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compile/Model.h"
#include "Report/ReportWriter.h"

using namespace uma;

ExitCode uma::runCompile(const ModelOptions &options, llvm::StringRef outputDir,
                         const ReportOptions &report) {
  ModelContext context(options.model);
  std::optional<ReportWriter> writer;
  if (!report.file.empty()) {
    writer.emplace(options, report, outputDir, context);
    if (ExitCode code = writer->prepare(); code != ExitCode::Success)
      return code;
  }
  ExitCode code =
      compileModel(options, context, outputDir,
                   /*showProgress=*/true, writer ? &*writer : nullptr);
  if (code == ExitCode::Success && writer)
    code = writer->publish();
  if (code != ExitCode::Success)
    return code;
  llvm::outs() << "wrote " << outputDir << '\n';
  if (writer && writer->isFile())
    llvm::outs() << "wrote " << report.file << '\n';
  return code;
}
