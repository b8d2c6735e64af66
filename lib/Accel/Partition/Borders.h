//===- Borders.h - What a match needs around it -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A device that takes another layout, padded data or smaller tensors than the
// graph has gets them from operators around its composite: `pad`, `transpose`,
// `reshape`, `strided_slice`, `concatenate`, all with the attribute
// `uma.border`. The composite holds the inverse of the layouts, so that it can
// be interpreted and matched again: its body is what the pattern says.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_PARTITION_BORDERS_H
#define UMA_LIB_ACCEL_PARTITION_BORDERS_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/IRMapping.h"

namespace uma::accel {

/// Returns the value that the border operators before `value` convert; `value`
/// if there are none.
mlir::Value skipBorders(mlir::Value value);

/// Replaces the values of a match in a composite by those outside of its
/// inverse layouts: block arguments and what the composite yields.
void skipBorders(Match &match);

/// Matches the body of a composite that is in no module. Its values are those
/// inside of the layouts. Sets the reason if there is no match.
mlir::FailureOr<Match> matchTrial(PatternOp pattern,
                                  graph::CompositeOp composite,
                                  std::string &reason);

/// Whether the composite of the match needs borders.
bool hasBorders(const Match &match);

/// Returns the input or operator of the pattern that `tensor` is in the match,
/// of a choice the alternative taken.
mlir::Value getChosenTensor(const Match &match, mlir::Value tensor);

/// The axes along which the tensors of a match are sliced for one split.
struct SliceAxes {
  /// Of inputs of the pattern.
  llvm::DenseMap<mlir::Value, int64_t> inputs;
  /// Of results of matched operations.
  llvm::DenseMap<mlir::Value, int64_t> results;
};

/// Finds the axes for a split along `dim`. Fails, with a reason, if slices of a
/// result depend on one another.
mlir::LogicalResult findSliceAxes(const Match &match, DimOp dim,
                                  SliceAxes &axes, mlir::Operation *&where,
                                  std::string &reason);

/// Builds the composites of one match with borders.
class BorderBuilder {
public:
  /// One slice for each split of the match.
  struct Slice {
    int64_t offset, size;
  };

  explicit BorderBuilder(const Match &match);

  /// Returns all combinations of slices, the first of which is the largest.
  llvm::SmallVector<llvm::SmallVector<Slice>> getPieces() const;
  /// Creates a composite without inputs that are converted: its operands are
  /// those of the whole match. For matching only.
  graph::CompositeOp buildTrial(llvm::ArrayRef<Slice> piece);
  /// Values on the device of tensors in a layout, which later composites can
  /// use again.
  using DeviceValues =
      llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, mlir::Value>;
  /// Replaces the results of the match by those of composites before its root.
  /// `replaced` maps results of earlier matches to those that took their place.
  /// The matched operations stay: other matches refer to them.
  void build(llvm::DenseMap<mlir::Value, mlir::Value> &replaced,
             DeviceValues &onDevice);

private:
  /// A tensor that the composite takes.
  struct Input {
    mlir::Value tensor; ///< of the pattern; null if it has no border
    mlir::Value value;  ///< in the graph
  };
  void findInputs();
  unsigned getInput(mlir::OpOperand &operand) const;
  mlir::RankedTensorType getSlicedType(mlir::RankedTensorType type,
                                       mlir::Value key, bool isInput,
                                       llvm::ArrayRef<Slice> piece) const;
  mlir::RankedTensorType getGraphType(const Input &input,
                                      llvm::ArrayRef<Slice> piece) const;
  mlir::Value convertInput(mlir::OpBuilder &builder, const Input &input,
                           mlir::Value value, llvm::ArrayRef<Slice> piece,
                           DeviceValues &onDevice);
  graph::CompositeOp createComposite(mlir::OpBuilder &builder,
                                     mlir::ValueRange operands,
                                     llvm::ArrayRef<Slice> piece);
  std::optional<mlir::AffineMap> getOutputLayout(mlir::Value result) const;

  const Match &match;
  PatternOp pattern;
  llvm::SmallVector<Input> inputs;
  /// Axes of each split of the match.
  llvm::SmallVector<SliceAxes> axes;
  mlir::Location loc;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_PARTITION_BORDERS_H
