//===- TuningDatabase.h - Database of measured schedules -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A JSON file, described in docs/tuning.md. Choices are stored as the text of
// their attributes. A database belongs to one vector width, since weights are
// packed once for all widths.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TUNING_TUNINGDATABASE_H
#define UMA_CPU_TUNING_TUNINGDATABASE_H

#include "uma/CPU/Model/Schedules.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace uma {

/// The fastest plan of a workload and its measurements.
struct TuningEntry {
  Workload workload;
  LayerPlan plan;
  /// Median times of `plan` and of the model's plan.
  double microseconds = 0, analyticMicroseconds = 0;
};

class TuningDatabase {
public:
  /// Version of the file format.
  static constexpr int64_t version = 2;

  /// Reads and verifies a database. Fails if it is malformed or if the plan of
  /// an entry is invalid for its workload; the error names the file and the
  /// place in it. Use findProblem to check that an entry fits a specific layer.
  static llvm::Expected<TuningDatabase> read(llvm::StringRef path,
                                             mlir::MLIRContext *context);
  static llvm::Expected<TuningDatabase>
  parse(llvm::StringRef text, llvm::StringRef path, mlir::MLIRContext *context);
  std::string print() const;

  /// Returns the entry of a workload, or null if it was not measured.
  const TuningEntry *lookup(const Workload &workload) const;
  /// Adds an entry, or replaces that of the same workload.
  void insert(TuningEntry entry);
  llvm::ArrayRef<TuningEntry> getEntries() const { return entries; }

  /// Vector width, in lanes of 32 bits.
  int64_t lanes = 0;
  /// Processor and compiler of the measurements.
  std::string processor, compiler;

private:
  std::vector<TuningEntry> entries;
  /// Index into `entries` by the text of the workload.
  llvm::StringMap<size_t> indices;
};

} // namespace uma

#endif // UMA_CPU_TUNING_TUNINGDATABASE_H
