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

/// Builder of a match's composite, or one composite for each piece of a split
/// match, and of the operators that convert its tensors.
class CompositeBuilder {
public:
  /// Range along the dim of a split.
  struct Slice {
    int64_t offset, size;
  };

  explicit CompositeBuilder(const Match &match);

  /// Returns the pieces of the match; each has one slice for each split. The
  /// first piece is the largest. A match without splits is one piece.
  llvm::SmallVector<llvm::SmallVector<Slice>> getPieces() const;
  /// Creates the composite of a piece without inserting it. Its operands are
  /// the unconverted tensors of the match: it can be matched, but is not valid
  /// IR.
  graph::CompositeOp buildTrial(llvm::ArrayRef<Slice> piece);
  /// Converted value of each tensor and layout that was converted already, for
  /// reuse.
  using DeviceValues =
      llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, mlir::Value>;
  /// Builds the composites before the match's root and replaces its results.
  /// `replaced` maps results of earlier matches to their replacements. Keeps
  /// the matched operations, since other matches refer to them.
  void build(llvm::DenseMap<mlir::Value, mlir::Value> &replaced,
             DeviceValues &onDevice);
  /// Returns the constants of the graph that were copied into composites.
  llvm::ArrayRef<mlir::Operation *> getCopiedConstants() const {
    return copiedConstants.getArrayRef();
  }

private:
  /// An operand of the composite.
  struct Input {
    mlir::Value tensor; ///< pattern's tensor; null if it is not converted
    mlir::Value value;  ///< value in the graph
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
