//===- ReportWriter.h - Writes the report of uma compile -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_REPORT_REPORTWRITER_H
#define UMA_LIB_DRIVER_REPORT_REPORTWRITER_H

#include "CompileReport.h"

#include "uma/Support/Signals.h"

namespace uma {

/// Collects the report of a compilation and writes it together with the
/// package.
class ReportWriter : public CompileObserver {
public:
  ReportWriter(const ModelOptions &options, const ReportOptions &report,
               llvm::StringRef outputDir, const ModelContext &context);
  ~ReportWriter() override;

  /// Checks that the report can be written, before anything takes time.
  ExitCode prepare();
  /// Makes the report appear; called when the package is there.
  ExitCode publish();
  /// Returns whether the report is a file, and not a pipe for example.
  bool isFile() const { return file.has_value(); }

  void onSimplified(mlir::ModuleOp module) override;
  void onMapped(mlir::ModuleOp module) override;
  void onLowered(mlir::ModuleOp module) override;
  mlir::LogicalResult onPackage(const PackageSizes &sizes) override;

private:
  ExitCode fail(const llvm::Twine &problem) const;
  void addTimes(mlir::MLIRContext *context);

  const ModelOptions &options;
  const ReportOptions &reportOptions;
  std::string outputDir;
  const ModelContext &context;
  CompileReport report;
  std::vector<std::pair<std::string, int64_t>> cycles;
  std::string target; ///< resolved path; empty if not a regular file
  std::string text;   ///< the page, for what is not a regular file
  std::optional<StagedFile> file;
  /// No signal comes between the package and the report.
  std::optional<SignalBlock> signals;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_REPORT_REPORTWRITER_H
