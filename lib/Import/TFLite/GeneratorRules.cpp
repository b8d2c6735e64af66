//===- GeneratorRules.cpp - Rules that make shapes and constants ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

/// Yields a constant with these integers of the declared type.
static LogicalResult yieldInts(Node &node, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> elements) {
  FailureOr<RankedTensorType> type = node.getResultType();
  if (failed(type))
    return failure();
  if (!isa<IntegerType>(type->getElementType()))
    return node.badInput("the result is declared as a tensor of floats; "
                         "expected integers");
  HostTensor tensor(RankedTensorType::get(shape, type->getElementType()));
  for (auto [index, element] : llvm::enumerate(elements))
    tensor.setInt(index, element);
  return node.yield(node.createConstant(tensor));
}

static LogicalResult importShape(Node &node) {
  ArrayRef<int64_t> shape = getShape(node.getOperand(0));
  return yieldInts(node, {int64_t(shape.size())}, shape);
}

static LogicalResult importRank(Node &node) {
  return yieldInts(node, {}, {int64_t(getShape(node.getOperand(0)).size())});
}

static LogicalResult importFill(Node &node) {
  SmallVector<int64_t> shape = node.getInts(0);
  return node.yield(node.createBroadcast(node.getOperand(1), shape));
}

static LogicalResult importZerosLike(Node &node) {
  Value data = node.getOperand(0);
  Value zero = node.createScalar(getElementType(data), 0);
  return node.yield(node.createBroadcast(zero, getShape(data)));
}

/// Imports RANGE: a sequence from `start` up to, without, `limit`.
static LogicalResult importRange(Node &node) {
  std::optional<double> start = node.getScalar(0), limit = node.getScalar(1),
                        delta = node.getScalar(2);
  FailureOr<RankedTensorType> type = node.getResultType();
  if (!start || !limit || !delta || failed(type))
    return failure();
  double count = std::ceil((*limit - *start) / *delta);
  if (*delta == 0 || !std::isfinite(count) ||
      count > double(importer::kMaxTensorBytes))
    return node.badInput("ranges from " + formatNumber(*start) + " to " +
                         formatNumber(*limit) + " in steps of " +
                         formatNumber(*delta) + ", which has no end");
  int64_t size = std::max<int64_t>(0, int64_t(count));
  auto result = RankedTensorType::get({size}, type->getElementType());
  if (failed(node.checkComputedSize(result)))
    return failure();
  HostTensor tensor(result);
  for (int64_t i = 0; i < size; ++i)
    tensor.setDouble(i, *start + double(i) * *delta);
  return node.yield(node.createConstant(tensor));
}

static LogicalResult importOneHot(Node &node) {
  const auto *options = node.findOptions<schema::OneHotOptions>();
  std::optional<int64_t> depth = node.getInt(1);
  if (!depth)
    return failure();
  graph::OneHotOp::Properties properties;
  properties.depth = node.getBuilder().getI64IntegerAttr(*depth);
  properties.axis =
      node.getBuilder().getI64IntegerAttr(options ? options->axis() : -1);
  return node.yield(node.create<graph::OneHotOp>(
      {node.getOperand(0), node.getOperand(2), node.getOperand(3)},
      properties));
}

ArrayRef<Rule> tflite::getGeneratorRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::FILL, "dims= value", importFill},
      {BuiltinOperator::ONE_HOT, "indices depth= on_value off_value",
       importOneHot},
      {BuiltinOperator::RANGE, "start= limit= delta=", importRange},
      {BuiltinOperator::RANK, "input", importRank},
      {BuiltinOperator::SHAPE, "input", importShape},
      {BuiltinOperator::ZEROS_LIKE, "input", importZerosLike},
  };
  return rules;
}
