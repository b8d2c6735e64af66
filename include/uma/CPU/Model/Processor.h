//===- Processor.h - What C is written for -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Sets of vector instructions are what the C has versions for; a processor says
// which of them a package holds, and the numbers that all models of cost use.
// The table of processors is the folder `processors`; docs/processors.md
// describes its files.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_PROCESSOR_H
#define UMA_CPU_MODEL_PROCESSOR_H

#include "uma/CPU/IR/BufferLayout.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace uma {

/// The attribute of a module that says which processor its layers are planned
/// for; the generic one without it.
inline constexpr llvm::StringLiteral kProcessorAttrName = "uma.processor";

/// A set of instructions, and how fast a processor is at them.
struct ISA {
  llvm::StringRef name;
  int64_t lanes;     ///< of 32 bits, in one register; 1 without vectors
  int64_t registers; ///< for vectors
  /// Fused multiply-add.
  bool hasFMA = true;
  /// The macro that the C looks for; empty if the width of vectors is enough to
  /// know these instructions by.
  llvm::StringRef guard = "";
  /// A result overwrites an operand.
  bool isTwoOperand = false;
  /// Products of a vector and one lane of another one.
  bool hasLaneProducts = false;

  /// The instructions of a processor that may start in a cycle: with vectors of
  /// at most `portLanes` lanes, and in all; wider vectors take more.
  int64_t ports = 2, portLanes = 8, issue = 6;
  /// Cycles until a sum may be added to again.
  int64_t latency = 5;

  /// Returns the cycles from the start of one instruction with vectors of
  /// `lanes` to the next one's.
  double getIssueCost(int64_t lanes) const {
    return double(std::max<int64_t>(lanes / portLanes, 1)) / double(ports);
  }

  /// All, in the order in which C looks for them: the widest first, of one
  /// width those with a guard, and the one without vectors last. They have the
  /// numbers of the generic processor.
  static llvm::ArrayRef<ISA> getAll();
  /// Null for any other name.
  static const ISA *lookup(llvm::StringRef name);
  static std::optional<size_t> getIndex(llvm::StringRef name);
  static llvm::SmallVector<llvm::StringRef> getNames();
  /// Returns the one without vectors.
  static const ISA &getScalar() { return getAll().back(); }
};

struct Processor {
  std::string name, summary;
  /// Those that a package has versions for, in the order of the table.
  std::vector<ISA> sets;
  /// Bytes of the data caches that one core has for itself, 0 for none.
  int64_t l1 = 0, l2 = 0;
  /// Cycles that a line of 64 bytes takes from the second cache and from
  /// memory, while several streams are read.
  int64_t l2LineCycles = 1, memoryLineCycles = 1;

  /// Any processor: versions for all sets, and numbers in the middle.
  static const Processor &getGeneric();
  /// Returns the table, by name.
  static llvm::ArrayRef<Processor> getAll();
  /// Returns the one with a name of the table, the machine's for "native", and
  /// that of a file for a path: any text with a `/` or `.json`. The error says
  /// what is wrong with it.
  static llvm::Expected<Processor> get(llvm::StringRef name);
  /// Returns the processor that `text`, the contents of the file `path`, says.
  static llvm::Expected<Processor> parse(llvm::StringRef text,
                                         llvm::StringRef path);
  /// Returns the one that a module is planned for.
  static Processor of(mlir::ModuleOp module);

  static Processor fromAttribute(ProcessorAttr attribute);
  ProcessorAttr toAttribute(mlir::MLIRContext *context) const;

  /// Returns the set named so, null if the processor has none.
  const ISA *lookup(llvm::StringRef name) const;
  /// Returns the sets that every layer has a version for: the last one of each
  /// width.
  std::vector<ISA> getUsual() const;
  /// Returns whether every layer has a version for a set.
  bool isUsual(const ISA &isa) const;
  /// Returns whether tiles for a set differ from those for the usual one of its
  /// width.
  bool hasOwnTiles(const ISA &isa) const;

  /// Returns the products that one core computes in a cycle at its peak.
  double getPeak() const;
};

} // namespace uma

#endif // UMA_CPU_MODEL_PROCESSOR_H
