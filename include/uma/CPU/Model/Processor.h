//===- Processor.h - Target processors -*- C++ -*--------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The emitted C has a version for each instruction set. A processor selects the
// instruction sets of a package and provides the parameters of all cost models.
// The folder `processors` contains the table of processors; docs/processors.md
// describes its files.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_PROCESSOR_H
#define UMA_CPU_MODEL_PROCESSOR_H

#include "uma/CPU/IR/BufferLayout.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace uma {

/// Attribute of a module: the processor that its layers are planned for; the
/// generic one if it is missing.
inline constexpr llvm::StringLiteral kProcessorAttrName = "uma.processor";

/// An instruction set, and a processor's speed with it.
struct ISA {
  llvm::StringRef name;
  int64_t lanes;     ///< of 32 bits in a register; 1 without vectors
  int64_t registers; ///< vector registers
  /// Whether it has fused multiply-add.
  bool hasFMA = true;
  /// Macro that the emitted C tests; empty if the vector width identifies the
  /// instruction set.
  llvm::StringRef guard = "";
  /// Whether results overwrite an operand.
  bool isTwoOperand = false;
  /// Whether it can multiply a vector by one lane of another.
  bool hasLaneProducts = false;

  /// Whether a word of integers is multiplied by one, or by few instructions.
  bool hasDots = false;
  /// Whether words of four bytes take as few instructions as words of two
  /// integers of 16 bits.
  bool hasQuads = false;

  /// Entries of the largest table in registers in which an instruction looks up
  /// bytes; 1 if there is none.
  int64_t tableEntries = 1;

  /// Vector instructions per cycle with at most `portLanes` lanes (wider
  /// vectors take several slots), and instructions of any kind per cycle.
  int64_t ports = 2, portLanes = 8, issue = 6;
  /// Latency of accumulation, in cycles.
  int64_t latency = 5;

  /// Returns the reciprocal throughput of vector instructions with `lanes`
  /// lanes, in cycles.
  double getIssueCost(int64_t lanes) const {
    return double(std::max<int64_t>(lanes / portLanes, 1)) / double(ports);
  }

  /// Returns the instructions that look up a byte for each lane in a table of
  /// 256 bytes.
  int64_t getLookupCost() const;

  /// Returns all instruction sets in the order in which the emitted C tests
  /// them: the widest first, within a width those with a guard first, scalar
  /// last. They have the parameters of the generic processor.
  static llvm::ArrayRef<ISA> getAll();
  /// Returns the instruction set of this name, or null.
  static const ISA *lookup(llvm::StringRef name);
  static std::optional<size_t> getIndex(llvm::StringRef name);
  static llvm::SmallVector<llvm::StringRef> getNames();
  /// Returns the instruction set without vectors.
  static const ISA &getScalar() { return getAll().back(); }
};

struct Processor {
  std::string name, summary;
  /// Instruction sets that a package has versions for, in the order of
  /// ISA::getAll().
  std::vector<ISA> sets;
  /// Sizes of the private data caches of a core, in bytes; 0 if missing.
  int64_t l1 = 0, l2 = 0;
  /// Cycles per line of 64 bytes from the second cache and from memory, while
  /// several streams are read.
  int64_t l2LineCycles = 1, memoryLineCycles = 1;
  /// Core registers that all instructions can use.
  int64_t coreRegisters = kUsualCoreRegisters;
  /// Whether it computes floats; otherwise the compiler's functions do.
  bool hasFloatUnit = true;
  /// Whether loads of bytes at a constant offset extend signs.
  bool hasSignedLoads = true;

  /// Returns the generic processor: versions for all instruction sets, and
  /// typical parameters.
  static const Processor &getGeneric();
  /// Returns the table of processors.
  static llvm::ArrayRef<Processor> getAll();
  /// Returns the processor `name` of the table, this machine's for "native", or
  /// the one described by a file if the name contains '/' or ends in ".json".
  /// Fails with a message if there is none.
  static llvm::Expected<Processor> get(llvm::StringRef name);
  /// Parses `text`, the contents of the file `path`.
  static llvm::Expected<Processor> parse(llvm::StringRef text,
                                         llvm::StringRef path);
  /// Returns the processor that a module is planned for.
  static Processor of(mlir::ModuleOp module);

  static Processor fromAttribute(ProcessorAttr attribute);
  ProcessorAttr toAttribute(mlir::MLIRContext *context) const;

  /// Returns the instruction set of this name, or null if the processor lacks
  /// it.
  const ISA *lookup(llvm::StringRef name) const;
  /// Returns the instruction sets that every layer has a version for: the last
  /// one of each width.
  std::vector<ISA> getUsual() const;
  /// Returns whether every layer has a version for an instruction set.
  bool isUsual(const ISA &isa) const;
  /// Returns whether the instruction set needs other tiles than the usual one
  /// of its width.
  bool hasOwnTiles(const ISA &isa) const;

  /// Returns the peak performance of one core, in products per cycle.
  double getPeak() const;
};

/// Returns the arithmetic for quantized tensors (see
/// uma-graph-legalize-quantization) that suits the processor `cpu`: bytes if it
/// has no vectors, dot products if it or a description in the module has
/// instructions for them, of pairs if it would split words of bytes, otherwise
/// floats. A wrong name is reported by uma-cpu-set-processor.
llvm::StringRef getQuantizedArithmetic(llvm::StringRef cpu,
                                       mlir::ModuleOp module);

/// Returns whether a description in the module has an instruction for a dot
/// product of pairs of i16 in a register of the core.
bool hasPairInstruction(mlir::ModuleOp module);

/// Returns the instructions that the processor `cpu`, as above, takes to look a
/// vector of elements up in a table of 256 bytes.
unsigned getLookupCost(llvm::StringRef cpu);

} // namespace uma

#endif // UMA_CPU_MODEL_PROCESSOR_H
