//===- Processor.h - Vector instructions that C is written for -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_PROCESSOR_H
#define UMA_CPU_MODEL_PROCESSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace uma {

/// A set of vector instructions, as models of cost see it.
struct ISA {
  llvm::StringRef name;
  int64_t lanes;     ///< of 32 bits, in one register; 1 without vectors
  int64_t registers; ///< for vectors
  /// Fused multiply-add; without it a result overwrites an operand.
  bool hasFMA = true;
  /// Whether every layer has a version for it; else only those for which it is
  /// worth one.
  bool isUsual = true;

  /// All, in the order in which C looks for them: the widest first, and the one
  /// without vectors last.
  static llvm::ArrayRef<ISA> getAll();
  /// Those that every layer has a version for: AVX-512, AVX2, vectors of 128
  /// bits of any processor (SSE, NEON, …), none.
  static llvm::ArrayRef<ISA> getUsual();
  /// Null for any other name.
  static const ISA *lookup(llvm::StringRef name);
  static std::optional<size_t> getIndex(llvm::StringRef name);
  static llvm::SmallVector<llvm::StringRef> getNames();
  /// The one without vectors.
  static const ISA &getScalar() { return getAll().back(); }
  /// SSE, for which contractions may have a version of their own.
  static const ISA &getSSE();
};

} // namespace uma

#endif // UMA_CPU_MODEL_PROCESSOR_H
