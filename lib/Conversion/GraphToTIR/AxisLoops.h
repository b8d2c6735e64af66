//===- AxisLoops.h - Loops around one axis -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the operator strategies.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_AXISLOOPS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_AXISLOOPS_H

#include "uma/TIR/Builder/LayerBuilder.h"

namespace uma {

/// Iteration variables of an operator that works along one axis: all other
/// dimensions of the data, then the axis.
struct AxisLoops {
  AxisLoops(LayerBuilder &b, llvm::ArrayRef<int64_t> shape, int64_t axis)
      : b(b), axis(axis < 0 ? axis + int64_t(shape.size()) : axis),
        outer(shape), size(shape[this->axis]) {
    outer.erase(outer.begin() + this->axis);
  }

  /// Returns an access to the element at `position` along the axis.
  LayerBuilder::Access at(mlir::Value buffer, mlir::AffineExpr position,
                          int64_t extent = 1) const {
    LayerBuilder::Access access{buffer, {}};
    for (unsigned i = 0; i < outer.size(); ++i)
      access.first.push_back(b.dim(i));
    access.first.insert(access.first.begin() + axis, position);
    access.extents.assign(access.first.size(), 1);
    access.extents[axis] = extent;
    return access;
  }
  /// Returns an access to the element indexed by the last variable.
  LayerBuilder::Access at(mlir::Value buffer) const {
    return at(buffer, b.dim(outer.size()));
  }
  /// Returns the dimensions of a block over all variables.
  llvm::SmallVector<LayerBuilder::Dim> getDims(tir::IterKind kind) const {
    llvm::SmallVector<LayerBuilder::Dim> dims = getOuterDims();
    dims.push_back({size, kind});
    return dims;
  }
  llvm::SmallVector<LayerBuilder::Dim> getOuterDims() const {
    llvm::SmallVector<LayerBuilder::Dim> dims;
    for (int64_t extent : outer)
      dims.push_back({extent});
    return dims;
  }

  LayerBuilder &b;
  int64_t axis;
  llvm::SmallVector<int64_t> outer; ///< sizes of the other dimensions
  int64_t size;                     ///< size of the axis
};

/// Returns `list` with `last` appended.
template <typename T>
llvm::SmallVector<mlir::Value> append(mlir::ValueRange list, T &&last) {
  llvm::SmallVector<mlir::Value> all(list);
  llvm::append_range(all, last);
  return all;
}

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_AXISLOOPS_H
