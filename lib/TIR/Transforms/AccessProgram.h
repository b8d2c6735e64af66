//===- AccessProgram.h - Code that accesses two buffers -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A slice of plain TIR: the accesses to two buffers, the arithmetic of their
// indices, and the loops and conditions around them.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_TIR_TRANSFORMS_ACCESSPROGRAM_H
#define UMA_LIB_TIR_TRANSFORMS_ACCESSPROGRAM_H

#include "IndexRange.h"

#include "uma/TIR/IR/TIROps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace uma::tir {

/// Part of one of the two buffers, in bytes.
struct AccessPlace {
  /// Whether it is the buffer that is read, or the one that is written.
  bool isRead = false;
  int64_t first = 0;
  int64_t bytes = 0;
  /// Whether its elements are in an unknown order.
  bool isOpaque = false;
};

/// Number that is known, or the number of a value.
struct AccessBound {
  int64_t constant = 0;
  std::optional<unsigned> value = std::nullopt;
};

/// Argument of a call that is a part of one of the buffers.
struct AccessArgument {
  unsigned position;
  AccessPlace place;
};

/// Statement of the program.
struct AccessNode {
  enum Kind {
    /// Integer arithmetic with `operands`.
    Compute,
    /// Access to `bytes` bytes at element `index` of `place`, or to all of it.
    Access,
    /// `bodies[0]` for each value of `variable` from `lower` to `upper`.
    Loop,
    /// `bodies[0]` if `index` is 1 and `bodies[1]` if it is 0; one of any
    /// number of bodies if there is no index.
    Branch,
    /// Call of a function with `arguments`.
    Call,
  };
  Kind kind;
  mlir::Operation *op;

  AccessPlace place = {};
  bool isWhole = false;
  bool isWrite = false;
  int64_t elementBytes = 1;
  int64_t bytes = 0;
  AccessBound index = {};

  AccessBound lower = {}, upper = {};
  unsigned variable = 0;
  /// Addresses are affine in `variable`, and nothing else depends on it. The
  /// distance between a write and a later access is then affine, too, and the
  /// largest one is between two of the first or last two iterations.
  bool isAffine = false;
  /// All iterations count as one whose accesses have no order.
  bool isCollapsed = false;
  /// Iterations, at least.
  int64_t trips = 1;
  /// Whether both buffers are accessed, and one is written.
  bool isMixed = false;
  std::vector<std::vector<AccessNode>> bodies = {};

  /// Whether it is arithmetic of two indices.
  bool isOfIndices = false;
  mlir::SmallVector<unsigned, 3> operands = {};
  mlir::SmallVector<unsigned, 1> results = {};
  mlir::SmallVector<AccessArgument, 2> arguments = {};
};

/// Program of the operations from `first` to `end`, see AccessOrder.
class AccessProgram {
public:
  /// `isKnown` returns whether the callee of a call can be analysed.
  AccessProgram(mlir::Block::iterator first, mlir::Block::iterator end,
                mlir::Value written, mlir::Value read,
                llvm::function_ref<bool(CallOp)> isKnown);

  /// Collapses loops until the interpretation takes at most `steps` steps, if
  /// it can: those that access one of the buffers only, then the others,
  /// beginning with the innermost ones.
  void limitSteps(uint64_t steps);

  /// Operations and operands that were read to build the program.
  uint64_t getWork() const { return work; }

  /// Returns the position of a value in `ranges`.
  unsigned getNumber(mlir::Value value);

  std::vector<AccessNode> nodes;
  /// Ranges of integer values. What is not computed has the range of its type.
  std::vector<IndexRange> ranges;

private:
  using Nodes = std::vector<AccessNode>;

  void findPlaces(mlir::Value root, AccessPlace place);
  void findUsedValues(mlir::Block::iterator first, mlir::Block::iterator end);
  void use(mlir::Value value);
  Nodes build(mlir::Block::iterator first, mlir::Block::iterator end);
  void build(mlir::Operation *op, Nodes &nodes);
  void buildAccess(mlir::Operation *op, mlir::Value buffer,
                   mlir::ValueRange indices, bool isWrite, int64_t elements,
                   Nodes &nodes);
  void buildWhole(mlir::Operation *op, Nodes &nodes);
  AccessBound getBound(mlir::OpFoldResult bound);

  llvm::function_ref<bool(CallOp)> isKnown;
  llvm::DenseMap<mlir::Value, AccessPlace> places;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseSet<mlir::Operation *> used;
  uint64_t work = 0;
};

} // namespace uma::tir

#endif // UMA_LIB_TIR_TRANSFORMS_ACCESSPROGRAM_H
