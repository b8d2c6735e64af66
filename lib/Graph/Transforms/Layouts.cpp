//===- Layouts.cpp - Permutations of dimensions ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"

#include "Constants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

Permutation graph::getIdentity(int64_t rank) {
  auto dims = llvm::seq<int64_t>(rank);
  return Permutation(dims.begin(), dims.end());
}

bool graph::isIdentity(ArrayRef<int64_t> permutation) {
  return permutation == ArrayRef(getIdentity(permutation.size()));
}

Permutation graph::getInverse(ArrayRef<int64_t> permutation) {
  Permutation inverse(permutation.size());
  for (auto [index, dim] : llvm::enumerate(permutation))
    inverse[dim] = index;
  return inverse;
}

Permutation graph::compose(ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
  Permutation result;
  for (int64_t dim : second)
    result.push_back(first[dim]);
  return result;
}

SmallVector<int64_t> graph::permute(ArrayRef<int64_t> values,
                                    ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result;
  for (int64_t dim : permutation)
    result.push_back(values[dim]);
  return result;
}

RankedTensorType graph::permute(Type type, ArrayRef<int64_t> permutation) {
  auto tensor = cast<RankedTensorType>(type);
  Type elements = tensor.getElementType();
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(elements))
    elements = withAxis(
        perAxis, llvm::find(permutation, perAxis.getQuantizedDimension()) -
                     permutation.begin());
  return RankedTensorType::get(permute(tensor.getShape(), permutation),
                               elements);
}

Permutation graph::getPermutation(StringRef from, StringRef to) {
  Permutation result;
  for (char letter : to)
    result.push_back(static_cast<int64_t>(from.find(letter)));
  return result;
}

std::string graph::getLayoutOfRank(StringRef layout, int64_t rank) {
  std::string result = layout.str();
  if (rank == 5 && !layout.empty())
    result.insert(result.find('H'), "D");
  return result;
}

//===----------------------------------------------------------------------===//
// Layout attributes
//===----------------------------------------------------------------------===//

StringRef graph::getDataLayout(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<Conv2dOp, Conv3dOp, MaxPool2dOp, MaxPool3dOp, AvgPool2dOp,
            AvgPool3dOp, GlobalAvgPool2dOp, GlobalMaxPool2dOp>(
          [](auto op) { return op.getDataLayout(); })
      .Default([](Operation *) { return StringRef(); });
}

void graph::setDataLayout(Operation *op, StringRef layout) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<Conv2dOp, Conv3dOp, MaxPool2dOp, MaxPool3dOp, AvgPool2dOp,
            AvgPool3dOp, GlobalAvgPool2dOp, GlobalMaxPool2dOp>(
          [&](auto op) { op.setDataLayout(layout); });
}

StringRef graph::getKernelLayout(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<Conv2dOp, Conv3dOp>([](auto op) { return op.getKernelLayout(); })
      .Default([](Operation *) { return StringRef(); });
}

void graph::setKernelLayout(Operation *op, StringRef layout) {
  llvm::TypeSwitch<Operation *>(op).Case<Conv2dOp, Conv3dOp>(
      [&](auto op) { op.setKernelLayout(layout); });
}

//===----------------------------------------------------------------------===//
// Layout-agnostic operators
//===----------------------------------------------------------------------===//

unsigned graph::getNumPermutableOperands(Operation *op) {
  if (op->getNumResults() != 1)
    return 0;
  if (op->hasTrait<Elementwise>() || isa<ConcatenateOp, QuantizedAddOp>(op))
    return op->getNumOperands();
  if (isa<QuantizeOp, DequantizeOp, RequantizeOp, StorageCastOp>(op))
    return 1;
  if (isa<BiasAddOp, BatchNormOp, SoftmaxOp, LogSoftmaxOp, PadOp,
          StridedSliceOp, BroadcastToOp, InterpolateOp, TakeOp, SumOp, MeanOp,
          ProdOp, MaxOp, MinOp, ArgMaxOp, ArgMinOp, TopKOp, CumsumOp>(op))
    return 1;
  // Pools have a layout, but no weights that depend on it.
  return !getDataLayout(op).empty() && getKernelLayout(op).empty() ? 1 : 0;
}

/// Returns the permutation of the remaining dimensions after the dimensions in
/// `reduced` (of the permuted data) are dropped.
static Permutation dropDims(ArrayRef<int64_t> permutation,
                            ArrayRef<bool> reduced) {
  // Index of each remaining dimension in the unpermuted result.
  SmallVector<int64_t> numbers(permutation.size());
  Permutation inverse = getInverse(permutation);
  int64_t next = 0;
  for (size_t dim = 0; dim < permutation.size(); ++dim)
    if (!reduced[inverse[dim]])
      numbers[dim] = next++;
  Permutation result;
  for (auto [index, dim] : llvm::enumerate(permutation))
    if (!reduced[index])
      result.push_back(numbers[dim]);
  return result;
}

std::optional<Permutation>
graph::permuteAttributes(Operation *op, ArrayRef<int64_t> permutation) {
  using Result = std::optional<Permutation>;
  auto rank = static_cast<int64_t>(permutation.size());
  Permutation inverse = getInverse(permutation);
  Permutation same(permutation);
  auto move = [&](int64_t axis) {
    return inverse[getPositiveAxis(axis, rank)];
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<BiasAddOp, BatchNormOp, SoftmaxOp, LogSoftmaxOp, InterpolateOp,
            TopKOp, CumsumOp, ConcatenateOp>([&](auto op) -> Result {
        op.setAxis(move(static_cast<int64_t>(op.getAxis())));
        return same;
      })
      .Case<TakeOp>([&](TakeOp op) -> Result {
        // Indices of another rank change the rank of the data.
        if (op.getIndices().getType().getRank() != 1)
          return std::nullopt;
        op.setAxis(move(static_cast<int64_t>(op.getAxis())));
        return same;
      })
      .Case<PadOp>([&](PadOp op) -> Result {
        op.setPadBefore(permute(op.getPadBefore(), permutation));
        op.setPadAfter(permute(op.getPadAfter(), permutation));
        return same;
      })
      .Case<StridedSliceOp>([&](StridedSliceOp op) -> Result {
        op.setBegin(permute(op.getBegin(), permutation));
        op.setSize(permute(op.getSize(), permutation));
        op.setStrides(permute(op.getStrides(), permutation));
        return same;
      })
      .Case<BroadcastToOp>([&](BroadcastToOp op) -> Result {
        // New dimensions would be added in front of the unpermuted ones.
        if (op.getType().getRank() != rank)
          return std::nullopt;
        op.setShape(permute(op.getShape(), permutation));
        return same;
      })
      .Case<SumOp, MeanOp, ProdOp, MaxOp, MinOp>([&](auto op) -> Result {
        SmallVector<bool> reduced;
        SmallVector<bool> dims = getReducedDims(op.getAxis(), rank);
        SmallVector<int64_t> axes;
        for (int64_t dim : permutation) {
          if (dims[dim])
            axes.push_back(reduced.size());
          reduced.push_back(dims[dim]);
        }
        if (!op.getAxis().empty())
          op.setAxis(axes);
        return op.getKeepdims() ? same : dropDims(permutation, reduced);
      })
      .Case<ArgMaxOp, ArgMinOp>([&](auto op) -> Result {
        int64_t axis = move(static_cast<int64_t>(op.getAxis()));
        op.setAxis(axis);
        SmallVector<bool> reduced(rank, false);
        reduced[axis] = true;
        return op.getKeepdims() ? same : dropDims(permutation, reduced);
      })
      .Case<QuantizeOp, DequantizeOp, RequantizeOp, QuantizedAddOp,
            StorageCastOp>([&](auto) -> Result { return same; })
      .Default([&](Operation *op) -> Result {
        if (op->hasTrait<Elementwise>())
          return same;
        StringRef layout = getDataLayout(op);
        if (layout.empty())
          return std::nullopt;
        std::string permuted;
        for (int64_t dim : permutation)
          permuted.push_back(layout[dim]);
        if (!WindowLayout::parse(permuted))
          return std::nullopt;
        setDataLayout(op, permuted);
        return same;
      });
}
