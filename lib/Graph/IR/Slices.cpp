//===- Slices.cpp - Operators that can be computed slice by slice ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Sliced axis of each operand; std::nullopt for an operand that is not sliced.
using Axes = ArrayRef<std::optional<int64_t>>;
using Axis = std::optional<int64_t>;

static RankedTensorType getRankedType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Returns the sliced axis of a result of rank `rank` to which the operands
/// broadcast. Returns std::nullopt unless all operands with more than one
/// element along this axis are sliced along it.
static Axis getBroadcastAxis(ValueRange operands, Axes axes, int64_t rank) {
  Axis result;
  for (auto [operand, axis] : llvm::zip_equal(operands, axes))
    if (axis) {
      int64_t aligned = *axis + rank - getRankedType(operand).getRank();
      if (result && *result != aligned)
        return std::nullopt;
      result = aligned;
    }
  for (auto [operand, axis] : llvm::zip_equal(operands, axes)) {
    RankedTensorType type = getRankedType(operand);
    int64_t own = *result + type.getRank() - rank;
    bool repeats = own < 0 || type.getDimSize(own) == 1;
    if (repeats == axis.has_value())
      return std::nullopt;
  }
  return result;
}

Axis uma::graph::getSlicedAxis(Operation *op, Axes operandAxes) {
  if (llvm::none_of(operandAxes, [](Axis axis) { return axis.has_value(); }))
    return std::nullopt;
  if (op->hasTrait<Elementwise>())
    return getBroadcastAxis(op->getOperands(), operandAxes,
                            getRankedType(op->getResult(0)).getRank());
  auto sliceable = dyn_cast<SliceableOpInterface>(op);
  return sliceable ? sliceable.getSlicedAxis(operandAxes) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Convolutions and pools
//===----------------------------------------------------------------------===//

template <typename ConvOp>
static Axis getConvAxis(ConvOp op, Axes axes) {
  auto layout = WindowLayout::parse(op.getDataLayout());
  auto kernel = KernelLayout::parse(op.getKernelLayout());
  ConvDims dims = op.getDims();
  if (!axes[1])
    return axes[0] == layout->n ? axes[0] : std::nullopt;
  if (axes[1] != kernel->o)
    return std::nullopt;
  if (!axes[0])
    return dims.groups == 1 ? Axis(layout->c) : std::nullopt;
  // Depthwise convolution: channels are independent.
  bool isIndependent = axes[0] == layout->c && dims.groups > 1 &&
                       dims.groups == dims.inChannels &&
                       dims.groups == dims.outChannels;
  return isIndependent ? axes[0] : std::nullopt;
}

/// Sets the number of groups of a slice; channels per group do not change.
template <typename ConvOp>
static void adaptConv(ConvOp op) {
  auto layout = WindowLayout::parse(op.getDataLayout());
  auto kernel = KernelLayout::parse(op.getKernelLayout());
  op.setGroups(getRankedType(op.getData()).getDimSize(layout->c) /
               getRankedType(op.getWeight()).getDimSize(kernel->i));
}

Axis Conv2dOp::getSlicedAxis(Axes axes) { return getConvAxis(*this, axes); }
void Conv2dOp::adaptToSlices() { adaptConv(*this); }
Axis Conv3dOp::getSlicedAxis(Axes axes) { return getConvAxis(*this, axes); }
void Conv3dOp::adaptToSlices() { adaptConv(*this); }

template <typename PoolOp>
static Axis getPoolAxis(PoolOp op, Axes axes) {
  auto layout = WindowLayout::parse(op.getDataLayout());
  return axes[0] == layout->n || axes[0] == layout->c ? axes[0] : std::nullopt;
}

Axis MaxPool2dOp::getSlicedAxis(Axes axes) { return getPoolAxis(*this, axes); }
Axis MaxPool3dOp::getSlicedAxis(Axes axes) { return getPoolAxis(*this, axes); }
Axis AvgPool2dOp::getSlicedAxis(Axes axes) { return getPoolAxis(*this, axes); }
Axis AvgPool3dOp::getSlicedAxis(Axes axes) { return getPoolAxis(*this, axes); }

//===----------------------------------------------------------------------===//
// Between real numbers and integers
//===----------------------------------------------------------------------===//

Axis QuantizeOp::getSlicedAxis(Axes axes) { return axes[0]; }
Axis DequantizeOp::getSlicedAxis(Axes axes) { return axes[0]; }
Axis RequantizeOp::getSlicedAxis(Axes axes) { return axes[0]; }

//===----------------------------------------------------------------------===//
// Matrix products, vectors along one axis
//===----------------------------------------------------------------------===//

Axis DenseOp::getSlicedAxis(Axes axes) {
  int64_t last = getRankedType(getData()).getRank() - 1;
  if (axes[1])
    return axes[1] == 0 && !axes[0] ? Axis(last) : std::nullopt;
  return *axes[0] < last ? axes[0] : std::nullopt;
}

Axis BatchMatmulOp::getSlicedAxis(Axes axes) {
  int64_t lhsRank = getRankedType(getLhs()).getRank();
  int64_t rhsRank = getRankedType(getRhs()).getRank();
  int64_t rank = getRankedType(getResult()).getRank();
  int64_t row = lhsRank - (getTransposeA() ? 1 : 2);
  int64_t column = rhsRank - (getTransposeB() ? 2 : 1);
  if (axes[0] == row && !axes[1])
    return rank - 2;
  if (axes[1] == column && !axes[0])
    return rank - 1;
  bool isBatch = (!axes[0] || *axes[0] < lhsRank - 2) &&
                 (!axes[1] || *axes[1] < rhsRank - 2);
  return isBatch ? getBroadcastAxis(getOperands(), axes, rank) : std::nullopt;
}

/// Returns the sliced axis of data that are combined with vectors along `axis`.
/// Returns std::nullopt unless the vectors are sliced exactly if the data are
/// sliced along `axis`.
static Axis getAxisWithVectors(int64_t axis, int64_t rank, Axes axes) {
  if (!axes[0])
    return std::nullopt;
  Axis wanted = axes[0] == getPositiveAxis(axis, rank) ? Axis(0) : std::nullopt;
  bool fits = llvm::all_of(axes.drop_front(),
                           [&](Axis vector) { return vector == wanted; });
  return fits ? axes[0] : std::nullopt;
}

Axis BiasAddOp::getSlicedAxis(Axes axes) {
  return getAxisWithVectors(int64_t(getAxis()),
                            getRankedType(getData()).getRank(), axes);
}

Axis BatchNormOp::getSlicedAxis(Axes axes) {
  return getAxisWithVectors(int64_t(getAxis()),
                            getRankedType(getData()).getRank(), axes);
}

Axis SoftmaxOp::getSlicedAxis(Axes axes) {
  int64_t rank = getRankedType(getData()).getRank();
  return axes[0] == getPositiveAxis(int64_t(getAxis()), rank) ? std::nullopt
                                                              : axes[0];
}
