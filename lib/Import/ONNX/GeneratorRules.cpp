//===- GeneratorRules.cpp - Operators that become constants ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Their results depend on shapes and constants only. NonZero and Unique are
// included, because the shape of their result depends on the data.
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::AttributeProto;

/// Returns a tensor of zeros. Reports negative or too large sizes.
static std::optional<HostTensor> makeTensor(Node &node, ArrayRef<int64_t> shape,
                                            Type elementType) {
  for (int64_t size : shape)
    if (size < 0) {
      (void)node.badInput("the result has the negative size " + Twine(size));
      return std::nullopt;
    }
  auto type = RankedTensorType::get(shape, elementType);
  if (failed(node.checkComputedSize(type)))
    return std::nullopt;
  return HostTensor(type);
}

static LogicalResult importConstantOfShape(Node &node) {
  Type type = node.getBuilder().getF32Type();
  std::optional<HostTensor> value;
  if (node.getAttr("value", AttributeProto::TENSOR)) {
    value = node.getTensorAttr("value");
    if (!value)
      return failure();
    if (value->getNumElements() != 1)
      return node.badInput("attribute 'value' has the shape " +
                           formatShape(value->getShape()) +
                           "; expected one element");
    type = value->getElementType();
  }
  auto result = makeTensor(node, *node.getInts(0), type);
  if (!result)
    return failure();
  if (value) {
    int64_t size = HostTensor::getElementSize(type);
    MutableArrayRef<char> bytes = result->getMutableBytes();
    for (int64_t i = 0, e = bytes.size(); i < e; i += size)
      llvm::copy(value->getBytes(), bytes.begin() + i);
  }
  return node.yield(node.createConstant(*result));
}

static LogicalResult importEyeLike(Node &node) {
  Value data = node.getOperand(0);
  if (failed(node.checkRank(data, 2, "the data")))
    return failure();
  Type type = getElementType(data);
  if (node.getAttr("dtype", AttributeProto::INT)) {
    FailureOr<Type> given = node.getElementType(node.getIntAttr("dtype", 0));
    if (failed(given))
      return failure();
    type = *given;
  }
  int64_t k = node.getIntAttr("k", 0);
  auto result = makeTensor(node, getShape(data), type);
  if (!result)
    return failure();
  int64_t rows = getShape(data)[0], columns = getShape(data)[1];
  for (int64_t row = 0; row < rows; ++row)
    if (int64_t column = row + k; column >= 0 && column < columns)
      result->setDouble(row * columns + column, 1);
  return node.yield(node.createConstant(*result));
}

/// Returns the number of elements of a Range with a step that is not 0; NaN if
/// it is not a number.
static double countElements(const HostTensor &start, const HostTensor &limit,
                            const HostTensor &delta) {
  if (start.isFloat())
    return std::ceil((limit.getDouble(0) - start.getDouble(0)) /
                     delta.getDouble(0));
  // The distance of two integers may take 64 bits without a sign.
  uint64_t from = start.getInt(0), to = limit.getInt(0), step = delta.getInt(0);
  bool isDown = delta.getInt(0) < 0;
  if (isDown ? start.getInt(0) <= limit.getInt(0)
             : start.getInt(0) >= limit.getInt(0))
    return 0;
  uint64_t distance = isDown ? from - to : to - from;
  return double((distance - 1) / (isDown ? -step : step)) + 1;
}

static LogicalResult importRange(Node &node) {
  for (unsigned i : {0, 1, 2})
    if (failed(node.getElement(i)))
      return failure();
  const HostTensor &start = *node.getConstant(0);
  const HostTensor &limit = *node.getConstant(1);
  const HostTensor &delta = *node.getConstant(2);
  Type type = start.getElementType();
  if (limit.getElementType() != type || delta.getElementType() != type)
    return node.badInput("has inputs of different element types");
  double step = delta.getDouble(0);
  double count = step == 0 ? 0 : countElements(start, limit, delta);
  if (step == 0 || std::isnan(count))
    return node.badInput("has a delta of " + std::to_string(step) +
                         ", so that it never ends");
  // Clamp to far above the limit for constants but far below an overflow.
  auto result = makeTensor(
      node, {int64_t(std::clamp(count, 0.0, std::ldexp(1.0, 40)))}, type);
  if (!result)
    return failure();
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i) {
    if (start.isFloat())
      result->setDouble(i, start.getDouble(0) + double(i) * step);
    else // Wraps, which C++ defines only for unsigned types.
      result->setInt(i, uint64_t(start.getInt(0)) +
                            uint64_t(i) * uint64_t(delta.getInt(0)));
  }
  return node.yield(node.createConstant(*result));
}

/// Returns the indices of the element at a row-major position in `shape`.
static SmallVector<int64_t> delinearize(int64_t position,
                                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    index[dim] = position % shape[dim];
    position /= shape[dim];
  }
  return index;
}

static LogicalResult importNonZero(Node &node) {
  const HostTensor &data = *node.getConstant(0);
  SmallVector<SmallVector<int64_t>> found;
  for (int64_t i = 0, e = data.getNumElements(); i < e; ++i)
    if (data.isFloat() ? data.getDouble(i) != 0 : data.getInt(i) != 0)
      found.push_back(delinearize(i, data.getShape()));
  int64_t rank = data.getShape().size(), count = found.size();
  SmallVector<int64_t> elements;
  for (int64_t dim = 0; dim < rank; ++dim)
    for (const SmallVector<int64_t> &index : found)
      elements.push_back(index[dim]);
  return node.yield(
      node.createConstant(makeInts(node, {rank, count}, elements)));
}

static LogicalResult importUnique(Node &node) {
  HostTensor data = *node.getConstant(0);
  bool isSorted = node.getIntAttr("sorted", 1) != 0;
  int64_t axis = 0;
  if (node.getAttr("axis", AttributeProto::INT)) {
    auto given =
        normalizeAxis(node, node.getIntAttr("axis", 0), data.getShape().size());
    if (!given)
      return failure();
    axis = *given;
  } else {
    data = data.reshaped({data.getNumElements()});
  }
  // Slice i of the axis consists of the elements (o, i, n) for all o and n.
  ArrayRef<int64_t> shape = data.getShape();
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<>());
  };
  int64_t size = shape[axis], inner = product(shape.drop_front(axis + 1));
  int64_t outer = product(shape.take_front(axis));
  auto getElement = [&](int64_t slice, int64_t i) {
    return (i / inner * size + slice) * inner + i % inner;
  };
  auto compare = [&](int64_t lhs, int64_t rhs) {
    for (int64_t i = 0; i < outer * inner; ++i) {
      int64_t l = getElement(lhs, i), r = getElement(rhs, i);
      bool less = data.isFloat() ? data.getDouble(l) < data.getDouble(r)
                  : data.getElementType().isUnsignedInteger()
                      ? uint64_t(data.getInt(l)) < uint64_t(data.getInt(r))
                      : data.getInt(l) < data.getInt(r);
      bool greater = data.isFloat() ? data.getDouble(l) > data.getDouble(r)
                                    : !less && data.getInt(l) != data.getInt(r);
      if (less || greater)
        return less ? -1 : 1;
    }
    return 0;
  };
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, size));
  llvm::sort(order, [&](int64_t lhs, int64_t rhs) {
    int sign = compare(lhs, rhs);
    return sign != 0 ? sign < 0 : lhs < rhs;
  });
  // Groups of equal slices; each group starts with its first slice.
  SmallVector<SmallVector<int64_t>> groups;
  for (int64_t slice : order) {
    if (groups.empty() || compare(groups.back().front(), slice) != 0)
      groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (!isSorted)
    llvm::sort(groups, [](const auto &lhs, const auto &rhs) {
      return lhs.front() < rhs.front();
    });
  int64_t count = groups.size();
  SmallVector<int64_t> first, inverse(size), counts;
  for (auto [number, group] : llvm::enumerate(groups)) {
    first.push_back(group.front());
    counts.push_back(group.size());
    for (int64_t slice : group)
      inverse[slice] = number;
  }
  auto yieldInts = [&](unsigned output, ArrayRef<int64_t> elements) {
    return node.yield(node.createConstant(
                          makeInts(node, {int64_t(elements.size())}, elements)),
                      output);
  };
  SmallVector<int64_t> resultShape(shape);
  resultShape[axis] = count;
  HostTensor result(RankedTensorType::get(resultShape, data.getElementType()));
  int64_t bytes = HostTensor::getElementSize(data.getElementType());
  MutableArrayRef<char> to = result.getMutableBytes();
  for (int64_t i = 0; i < outer * inner; ++i)
    for (int64_t number = 0; number < count; ++number)
      llvm::copy(
          data.getBytes().slice(getElement(first[number], i) * bytes, bytes),
          to.begin() +
              ((i / inner * count + number) * inner + i % inner) * bytes);
  return success(succeeded(node.yield(node.createConstant(result))) &&
                 succeeded(yieldInts(1, first)) &&
                 succeeded(yieldInts(2, inverse)) &&
                 succeeded(yieldInts(3, counts)));
}

ArrayRef<Rule> importer::getGeneratorRules() {
  static constexpr Rule rules[] = {
      {"ConstantOfShape", 9, "input=", importConstantOfShape},
      {"EyeLike", 9, "input", importEyeLike},
      {"NonZero", 9, "X=!", importNonZero},
      {"Range", 11, "start= limit= delta=", importRange},
      {"Unique", 11, "X=!", importUnique},
  };
  return rules;
}
