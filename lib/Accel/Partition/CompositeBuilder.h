//===- CompositeBuilder.h - Composites of a match -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_COMPOSITEBUILDER_H
#define UMA_LIB_ACCEL_PARTITION_COMPOSITEBUILDER_H

#include "Borders.h"

#include "llvm/ADT/SetVector.h"

namespace uma::accel {

/// Builds the composite of a match, or one for each piece of it, and the
/// operators that convert its tensors.
class CompositeBuilder {
public:
  /// Range along the dim of one split.
  struct Slice {
    int64_t offset, size;
  };

  explicit CompositeBuilder(const Match &match);

  /// Returns the slices of each piece, one for each split of the match. The
  /// first piece is the largest. A match without splits is one piece.
  llvm::SmallVector<llvm::SmallVector<Slice>> getPieces() const;
  /// Creates the composite of a piece in no block. Its operands are the tensors
  /// of the match before conversion: it can be matched, but is invalid.
  graph::CompositeOp buildTrial(llvm::ArrayRef<Slice> piece);
  /// Value on the device of tensors that a device or an operator of the CPU has
  /// put into a layout.
  using DeviceValues =
      llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, mlir::Value>;
  /// Builds the composites before the match's root and replaces its results.
  /// `replaced` maps results of earlier matches to those that replace them. The
  /// matched operations stay: other matches refer to them.
  void build(llvm::DenseMap<mlir::Value, mlir::Value> &replaced,
             DeviceValues &onDevice);
  /// Returns the constants of the graph that composites have copies of.
  llvm::ArrayRef<mlir::Operation *> getCopiedConstants() const {
    return copiedConstants.getArrayRef();
  }

private:
  /// A tensor that the composite takes.
  struct Input {
    mlir::Value tensor; ///< of the pattern; null if it is not converted
    mlir::Value value;  ///< in the graph
  };
  void findInputs();
  unsigned getInput(mlir::OpOperand &operand) const;
  mlir::RankedTensorType getSlicedType(mlir::RankedTensorType type,
                                       mlir::Value tensor,
                                       llvm::ArrayRef<Slice> piece) const;
  mlir::RankedTensorType getGraphType(const Input &input,
                                      llvm::ArrayRef<Slice> piece) const;
  mlir::Value convertInput(mlir::OpBuilder &builder, const Input &input,
                           mlir::Value value, llvm::ArrayRef<Slice> piece,
                           DeviceValues &onDevice);
  graph::CompositeOp createComposite(mlir::OpBuilder &builder,
                                     mlir::ValueRange operands,
                                     llvm::ArrayRef<Slice> piece);

  const Match &match;
  PatternOp pattern;
  mlir::Location loc;
  llvm::SmallVector<Input> inputs;
  llvm::SetVector<mlir::Operation *> copiedConstants;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_COMPOSITEBUILDER_H
