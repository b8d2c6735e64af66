//===- TensorParts.h - Tensors in the memory of others -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_TENSORPARTS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_TENSORPARTS_H

#include "uma/CPU/Model/Layer.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace uma {

/// Consecutive elements of a tensor's buffer, which another tensor shares.
struct TensorPart {
  mlir::Value whole;
  int64_t offset = 0;  ///< in elements
  BufferLayout layout; ///< of the other tensor, whose part this is
};

/// Tensors of a function that share memory with another tensor: slices with the
/// tensor that they are of, and operands of a concatenation with its result.
class TensorParts {
public:
  using MayPlace = llvm::function_ref<bool(mlir::Value)>;

  /// Finds them. Offsets are multiples of `alignment` bytes. `mayPlace` returns
  /// whether memory may be assigned to a tensor that an operator or one of
  /// `layers` computes. Layers that concatenate may increase the bytes of live
  /// tensors, at their maximum, by the share `mostGrowth`.
  static TensorParts find(mlir::func::FuncOp function, const CPULayers &layers,
                          int64_t alignment, double mostGrowth,
                          MayPlace mayPlace);

  /// Returns the part that a tensor is, or null if it has its own memory.
  const TensorPart *lookup(mlir::Value tensor) const {
    auto found = parts.find(tensor);
    return found == parts.end() ? nullptr : &found->second;
  }
  /// Returns whether an operator of the function moves no data: its result is
  /// a part.
  bool isInPlace(graph::StridedSliceOp slice) const {
    // A slice that is an operand of a concatenation is computed.
    const TensorPart *part = lookup(slice);
    return part && part->whole == slice.getData();
  }
  /// Returns whether operands of a concatenation, or of the call of its layer,
  /// are written to its result by the layers that compute them.
  bool isInPlace(mlir::Operation *concatenate) const {
    return inPlace.contains(concatenate);
  }
  /// Returns whether operand `index` is.
  bool isInPlace(mlir::Operation *concatenate, unsigned index) const {
    return placedOperands.contains({concatenate, index});
  }

private:
  void addSlice(graph::StridedSliceOp slice, int64_t alignment,
                MayPlace mayPlace);
  void addOperands(graph::ConcatenateOp concatenate, int64_t alignment,
                   MayPlace mayPlace);
  /// Adds the operands of a layer that concatenates.
  void addOperands(const CPULayer &layer, const CPULayers &layers,
                   int64_t alignment, MayPlace mayPlace);
  /// Makes a tensor the part of the result that operand `index` is, if it has
  /// no other place.
  void add(mlir::Operation *concatenate, unsigned index, mlir::Value tensor,
           int64_t offset, const BufferLayout &layout = {});
  /// Returns the most bytes of tensors that are live at the same time.
  int64_t getPeakBytes(const CPULayers &layers) const;

  mlir::Block *body = nullptr;
  int64_t mostBytes = 0;
  llvm::DenseMap<mlir::Value, TensorPart> parts;
  llvm::DenseSet<mlir::Operation *> inPlace;
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> placedOperands;
};

/// Returns the offset in elements at which a slice is contiguous in its data,
/// or std::nullopt if it is not.
std::optional<int64_t> getContiguousOffset(graph::StridedSliceOp slice);

/// Returns the dimension along which the operands of a concatenation are
/// contiguous parts of its result, or std::nullopt if they are not.
std::optional<int64_t> getOutermostAxis(graph::ConcatenateOp concatenate);

/// Returns the offset in elements of each operand in the buffer of a layer's
/// result; std::nullopt if the layer does not only concatenate, or if operands
/// in the layout of the result are no contiguous parts of it.
std::optional<llvm::SmallVector<int64_t>>
getOperandOffsets(const CPULayer &layer);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_TENSORPARTS_H
