//===- ReductionRules.cpp - Reduce..., ArgMax, CumSum, CumProd, TopK ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "MovementRules.h"
#include "Rules.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// Axes of a reduction; all if empty.
struct Reduction {
  SmallVector<int64_t> axes;
  bool keepdims;
  /// Whether no axis is reduced. Functions before and after the reduction are
  /// still applied.
  bool isNoop = false;
};
} // namespace

template <typename OpT>
static Value reduce(Node &node, Value data, const Reduction &reduction) {
  if (reduction.isNoop)
    return data;
  return createReduction<OpT>(node, data, reduction.axes, reduction.keepdims);
}

/// Applies a floating-point function. Computes integers in f64, as ONNX does.
template <typename OpT>
static Value applyToFloats(Node &node, Value data) {
  if (!data || isa<FloatType>(getElementType(data)))
    return node.create<OpT>({data});
  Value wide = node.createCast(data, node.getBuilder().getF64Type());
  return node.createCast(node.create<OpT>({wide}), getElementType(data));
}

static Value reduceL1(Node &node, Value data, const Reduction &reduction) {
  return reduce<graph::SumOp>(node, node.create<graph::AbsOp>({data}),
                              reduction);
}

static Value reduceSumSquare(Node &node, Value data,
                             const Reduction &reduction) {
  return reduce<graph::SumOp>(node, createSquare(node, data), reduction);
}

static Value reduceL2(Node &node, Value data, const Reduction &reduction) {
  return applyToFloats<graph::SqrtOp>(node,
                                      reduceSumSquare(node, data, reduction));
}

static Value reduceLogSum(Node &node, Value data, const Reduction &reduction) {
  return applyToFloats<graph::LogOp>(
      node, reduce<graph::SumOp>(node, data, reduction));
}

/// Computes log(sum(exp(x - m))) + m with the maximum m, which keeps exp in
/// range.
static Value reduceLogSumExp(Node &node, Value data,
                             const Reduction &reduction) {
  if (!data)
    return {};
  Type type = getElementType(data);
  if (!isa<FloatType>(type))
    data = node.createCast(data, node.getBuilder().getF64Type());
  if (!data)
    return {};
  Value maximum = reduce<graph::MaxOp>(
      node, data, {reduction.axes, /*keepdims=*/true, reduction.isNoop});
  // Clip the maximum: subtracting an infinite one could give NaN.
  graph::ClipOp::Properties finite;
  double limit = getElementType(data).isF64()
                     ? std::numeric_limits<double>::max()
                     : std::numeric_limits<float>::max();
  finite.a_min = node.getBuilder().getF64FloatAttr(-limit);
  finite.a_max = node.getBuilder().getF64FloatAttr(limit);
  maximum = node.create<graph::ClipOp>({maximum}, finite);
  Value shifted = node.create<graph::SubtractOp>({data, maximum});
  Value sum = reduce<graph::SumOp>(node, node.create<graph::ExpOp>({shifted}),
                                   reduction);
  Value logarithm = node.create<graph::LogOp>({sum});
  if (!logarithm)
    return {};
  maximum = node.createReshape(maximum, getShape(logarithm));
  return node.createCast(node.create<graph::AddOp>({logarithm, maximum}), type);
}

using ReduceFn = Value(Node &, Value, const Reduction &);

/// Imports a reduction. Older operator sets give the axes as an attribute,
/// newer ones as an input. Compositions compute 16-bit floats in f32.
template <ReduceFn fn, bool hasAxesInput, bool isComposed>
static LogicalResult importReduction(Node &node) {
  Value data = node.getOperand(0);
  bool keepdims = node.getIntAttr("keepdims", 1) != 0;
  auto axes = hasAxesInput ? node.getInts(1) : node.getIntsAttr("axes");
  bool allowsNoop = hasAxesInput && node.getFlagAttr("noop_with_empty_axes");
  Reduction reduction{axes ? *axes : SmallVector<int64_t>(), keepdims};
  reduction.isNoop = reduction.axes.empty() && allowsNoop;
  if (reduction.axes.empty())
    reduction.axes.assign(
        llvm::to_vector(llvm::seq<int64_t>(0, getShape(data).size())));
  Type type = getElementType(data);
  if (isComposed)
    data = node.createCast(data, getWideType(type));
  return node.yield(node.createCast(fn(node, data, reduction), type));
}

//===----------------------------------------------------------------------===//
// Operators along one axis
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult importArgReduction(Node &node) {
  Builder &builder = node.getBuilder();
  typename OpT::Properties properties;
  properties.axis = builder.getI64IntegerAttr(node.getIntAttr("axis", 0));
  properties.keepdims = builder.getBoolAttr(node.getIntAttr("keepdims", 1));
  if (node.getOpset() >= 12)
    properties.select_last_index =
        builder.getBoolAttr(node.getFlagAttr("select_last_index"));
  return node.yield(node.create<OpT>({node.getOperand(0)}, properties));
}

static LogicalResult importCumSum(Node &node) {
  Builder &builder = node.getBuilder();
  std::optional<double> axis = node.getScalar(1);
  if (!axis)
    return failure();
  graph::CumsumOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(int64_t(*axis));
  properties.exclusive = builder.getBoolAttr(node.getFlagAttr("exclusive"));
  properties.reverse = builder.getBoolAttr(node.getFlagAttr("reverse"));
  return node.yield(
      node.create<graph::CumsumOp>({node.getOperand(0)}, properties));
}

/// Shifts the elements of `data` by `count` along `axis` and fills with 1.
static Value shift(Node &node, Value data, int64_t axis, int64_t count,
                   bool isReverse) {
  if (!data)
    return {};
  SmallVector<int64_t> size(getShape(data)), zeros(size.size(), 0);
  SmallVector<int64_t> begin(zeros), fill(zeros), strides(size.size(), 1);
  size[axis] -= count;
  begin[axis] = isReverse ? count : 0;
  fill[axis] = count;
  Value rest = createSlice(node, data, begin, size, strides);
  return createConstantPad(node, rest, isReverse ? zeros : fill,
                           isReverse ? fill : zeros, 1);
}

/// Imports CumProd: each step multiplies runs of twice as many elements.
static LogicalResult importCumProd(Node &node) {
  Value data = node.getOperand(0);
  std::optional<double> given = node.getScalar(1);
  if (!given)
    return failure();
  auto axis = normalizeAxis(node, int64_t(*given), getShape(data).size());
  bool isReverse = node.getFlagAttr("reverse");
  if (!axis)
    return failure();
  int64_t length = getShape(data)[*axis];
  if (node.getFlagAttr("exclusive"))
    data = shift(node, data, *axis, std::min<int64_t>(length, 1), isReverse);
  for (int64_t run = 1; run < length; run *= 2)
    data = node.create<graph::MultiplyOp>(
        {data, shift(node, data, *axis, run, isReverse)});
  return node.yield(data);
}

/// Creates the indices and gathers the elements.
static LogicalResult createTopK(Node &node, int64_t k, bool isAscending) {
  Builder &builder = node.getBuilder();
  Value data = node.getOperand(0);
  graph::TopKOp::Properties properties;
  properties.k = builder.getI64IntegerAttr(k);
  properties.axis = builder.getI64IntegerAttr(node.getIntAttr("axis", -1));
  properties.is_ascend = builder.getBoolAttr(isAscending);
  Value indices = node.create<graph::TopKOp>({data}, properties);
  if (!indices)
    return failure();
  if (node.hasOutput(1) && failed(node.yield(indices, 1)))
    return failure();
  graph::GatherOp::Properties gather;
  gather.axis = builder.getI64IntegerAttr(
      *normalizeAxis(node, node.getIntAttr("axis", -1), getShape(data).size()));
  return node.yield(node.create<graph::GatherOp>({data, indices}, gather));
}

static LogicalResult importTopKAttribute(Node &node) {
  return createTopK(node, node.getRequiredIntAttr("k"), /*isAscending=*/false);
}

static LogicalResult importTopK(Node &node) {
  std::optional<double> k = node.getScalar(1);
  bool isAscending =
      node.getOpset() >= 11 && node.getIntAttr("largest", 1) == 0;
  // Without 'sorted', any order is allowed.
  if (node.getOpset() >= 11)
    node.ignoreAttrs({"sorted"});
  if (!k)
    return failure();
  return createTopK(node, int64_t(*k), isAscending);
}

ArrayRef<Rule> importer::getReductionRules() {
#define REDUCTION(NAME, FN, COMPOSED, OPSET)                                   \
  {NAME, 1, "data", importReduction<FN, false, COMPOSED>}, {                   \
    NAME, OPSET, "data axes=?", importReduction<FN, true, COMPOSED>            \
  }
  static constexpr Rule rules[] = {
      {"ArgMax", 1, "data", importArgReduction<graph::ArgMaxOp>},
      {"ArgMin", 1, "data", importArgReduction<graph::ArgMinOp>},
      {"CumProd", 26, "x axis=", importCumProd},
      {"CumSum", 11, "x axis=", importCumSum},
      REDUCTION("ReduceL1", reduceL1, true, 18),
      REDUCTION("ReduceL2", reduceL2, true, 18),
      REDUCTION("ReduceLogSum", reduceLogSum, true, 18),
      REDUCTION("ReduceLogSumExp", reduceLogSumExp, true, 18),
      REDUCTION("ReduceMax", reduce<graph::MaxOp>, false, 18),
      REDUCTION("ReduceMean", reduce<graph::MeanOp>, false, 18),
      REDUCTION("ReduceMin", reduce<graph::MinOp>, false, 18),
      REDUCTION("ReduceProd", reduce<graph::ProdOp>, false, 18),
      REDUCTION("ReduceSum", reduce<graph::SumOp>, false, 13),
      REDUCTION("ReduceSumSquare", reduceSumSquare, true, 18),
      {"TopK", 1, "X", importTopKAttribute},
      {"TopK", 10, "X K=", importTopK},
  };
#undef REDUCTION
  return rules;
}
