//===- TuningDatabase.h - Schedules that were measured -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A JSON file; docs/tuning.md describes it. The choices in it are the text of
// the attributes that they become. It belongs to one width of vectors, since
// weights are packed once for all widths.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TUNING_TUNINGDATABASE_H
#define UMA_CPU_TUNING_TUNINGDATABASE_H

#include "uma/CPU/Model/Schedules.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace uma {

/// The measurements of a workload.
struct TuningEntry {
  Workload workload;
  LayerPlan plan;
  /// The medians of `plan` and of the model's.
  double microseconds = 0, analyticMicroseconds = 0;
};

class TuningDatabase {
public:
  /// The version of the format that is read and written.
  static constexpr int64_t version = 2;

  /// Returns every entry of a database that is read can be computed, as far as
  /// its workload tells; whether it fits a layer is for findProblem. The error
  /// names the file and the place in it.
  static llvm::Expected<TuningDatabase> read(llvm::StringRef path,
                                             mlir::MLIRContext *context);
  static llvm::Expected<TuningDatabase>
  parse(llvm::StringRef text, llvm::StringRef path, mlir::MLIRContext *context);
  std::string print() const;

  /// Null if the workload was not measured.
  const TuningEntry *lookup(const Workload &workload) const;
  /// Replaces what is known of the workload.
  void insert(TuningEntry entry);
  llvm::ArrayRef<TuningEntry> getEntries() const { return entries; }

  /// The width of vectors, in lanes of 32 bits.
  int64_t lanes = 0;
  /// The processor that was measured on, and the compiler.
  std::string processor, compiler;

private:
  std::vector<TuningEntry> entries;
  /// By the text of the workload.
  llvm::StringMap<size_t> indices;
};

} // namespace uma

#endif // UMA_CPU_TUNING_TUNINGDATABASE_H
