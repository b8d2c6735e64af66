//===- DiagnosticCollector.h - Diagnostics with source lines -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_DIAGNOSTICCOLLECTOR_H
#define UMA_LIB_DRIVER_COMPILE_DIAGNOSTICCOLLECTOR_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace uma {

/// Collects the diagnostics of a context to print them together: sorted by
/// position, without duplicates, each with its source line and a caret.
class DiagnosticCollector {
public:
  /// Attributes diagnostics without a position to `file`.
  DiagnosticCollector(mlir::MLIRContext *context, llvm::StringRef file);
  ~DiagnosticCollector() { print(); }

  bool hasErrors() const { return errors > 0; }
  unsigned getNumErrors() const { return errors; }
  /// Prints the collected diagnostics to standard error.
  void print();

private:
  struct Report {
    mlir::DiagnosticSeverity severity;
    std::string file; ///< empty if there is no position
    unsigned line = 0, column = 0;
    size_t number = 0; ///< order of emission
    std::string text;
    std::vector<Report> notes;
  };
  /// A file with its lines.
  struct Text {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    llvm::SmallVector<llvm::StringRef, 0> lines;
  };
  static Report makeReport(mlir::Diagnostic &diagnostic);
  void print(const Report &report);
  /// Returns the source line of a report; empty if there is none.
  llvm::StringRef getLine(const Report &report);

  std::string file;
  std::vector<Report> reports;
  unsigned errors = 0;
  llvm::StringMap<Text> texts;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_DIAGNOSTICCOLLECTOR_H
