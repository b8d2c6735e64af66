//===- Reports.h - Diagnostics with their source lines -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_REPORTS_H
#define UMA_LIB_DRIVER_REPORTS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace uma {

/// Keeps the diagnostics of a context until they are printed together: in the
/// order of the text, each once, with its source line and a caret.
class Reports {
public:
  /// Diagnostics without a position are about `file`.
  Reports(mlir::MLIRContext *context, llvm::StringRef file);
  ~Reports() { print(); }

  bool hasErrors() const { return errors > 0; }
  unsigned getNumErrors() const { return errors; }
  /// Prints on standard error what has been kept so far.
  void print();

private:
  struct Report {
    mlir::DiagnosticSeverity severity;
    std::string file; ///< empty if there is no position
    unsigned line = 0, column = 0;
    size_t number = 0; ///< in the order in which they came
    std::string text;
    std::vector<Report> notes;
  };
  static Report makeReport(mlir::Diagnostic &diagnostic);
  void print(const Report &report);
  /// Returns a line of a file, empty if there is none.
  llvm::StringRef getLine(const Report &report);

  std::string file;
  std::vector<Report> reports;
  unsigned errors = 0;
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> texts;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_REPORTS_H
