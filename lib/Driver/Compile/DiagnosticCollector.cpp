//===- DiagnosticCollector.cpp - Diagnostics with source lines ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "DiagnosticCollector.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace mlir;
using namespace uma;

DiagnosticCollector::DiagnosticCollector(MLIRContext *context, StringRef file)
    : file(file), handler(context, [this](Diagnostic &diagnostic) {
        errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
        reports.push_back(makeReport(diagnostic));
        reports.back().number = reports.size();
      }) {}

DiagnosticCollector::Report
DiagnosticCollector::makeReport(Diagnostic &diagnostic) {
  Report report;
  report.severity = diagnostic.getSeverity();
  report.text = diagnostic.str();
  if (auto position =
          diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    report.file = position.getFilename().str();
    report.line = position.getLine();
    report.column = position.getColumn();
  }
  for (Diagnostic &note : diagnostic.getNotes())
    report.notes.push_back(makeReport(note));
  return report;
}

StringRef DiagnosticCollector::getLine(const Report &report) {
  auto [entry, isNew] = texts.try_emplace(report.file);
  Text &text = entry->second;
  if (isNew)
    if (auto buffer = llvm::MemoryBuffer::getFile(report.file)) {
      text.buffer = std::move(*buffer);
      // Once: each line may have a report, and each word of a line.
      text.buffer->getBuffer().split(text.lines, '\n');
      for (StringRef &line : text.lines)
        line = line.split('\r').first;
    }
  return report.line == 0 || report.line > text.lines.size()
             ? ""
             : text.lines[report.line - 1];
}

static llvm::SourceMgr::DiagKind getKind(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return llvm::SourceMgr::DK_Note;
  case DiagnosticSeverity::Remark:
    return llvm::SourceMgr::DK_Remark;
  case DiagnosticSeverity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case DiagnosticSeverity::Error:
    return llvm::SourceMgr::DK_Error;
  }
  llvm_unreachable("every severity has a kind");
}

void DiagnosticCollector::print(const Report &report) {
  static const llvm::SourceMgr sources;
  std::string where = report.file.empty() ? file : report.file;
  // Truncate hostile lines of a megabyte.
  constexpr size_t maxLine = 500;
  StringRef line = getLine(report);
  bool hasPlace = !line.empty() && line.size() <= maxLine && report.column > 0;
  if (!hasPlace && report.line > 0)
    where += (":" + Twine(report.line) + ":" + Twine(report.column)).str();
  llvm::SMDiagnostic(
      sources, llvm::SMLoc(), where, hasPlace ? int(report.line) : -1,
      hasPlace ? int(report.column) - 1 : -1, getKind(report.severity),
      report.text, hasPlace ? line : StringRef(), {})
      .print(nullptr, llvm::errs());
  for (const Report &note : report.notes)
    print(note);
}

void DiagnosticCollector::print() {
  auto getKey = [](const Report &report) {
    return std::tie(report.file, report.line, report.column);
  };
  llvm::sort(reports, [&](const Report &a, const Report &b) {
    return getKey(a) == getKey(b) ? a.number < b.number : getKey(a) < getKey(b);
  });
  const Report *last = nullptr;
  for (const Report &report : reports) {
    bool isRepeated =
        last && getKey(*last) == getKey(report) && last->text == report.text;
    if (!isRepeated)
      print(report);
    last = &report;
  }
  reports.clear();
}
