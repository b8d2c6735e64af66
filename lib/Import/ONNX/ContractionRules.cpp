//===- ContractionRules.cpp - Gemm, MatMul -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Integers accumulate in their own type: ONNX allows only wide ones here.
static TypeAttr getAccumulatorType(Value data) {
  Type type = getElementType(data);
  return isa<IntegerType>(type) ? TypeAttr::get(type) : TypeAttr();
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// `data` times the matrix `weight`, which is [in, out], or [out, in] when it
/// `isTransposed`.
static Value createDense(Node &node, Value data, Value weight,
                         bool isTransposed) {
  if (!isTransposed)
    weight = node.createTranspose(weight, {1, 0});
  graph::DenseOp::Properties properties;
  properties.out_dtype = getAccumulatorType(data);
  return node.create<graph::DenseOp>({data, weight}, properties);
}

/// `factor * value`; `value` itself for a factor of 1.
static Value createScaled(Node &node, Value value, double factor,
                          StringRef name) {
  if (!value || factor == 1.0)
    return value;
  Type type = getElementType(value);
  if (isa<IntegerType>(type) && factor != std::trunc(factor)) {
    (void)node.notSupported("attribute '" + name +
                            "' is a fraction, which is not supported for "
                            "integers");
    return {};
  }
  return node.create<graph::MultiplyOp>(
      {value, node.createScalar(type, factor)});
}

static LogicalResult importGemm(Node &node) {
  Value a = node.getOperand(0), b = node.getOperand(1), c = node.getOperand(2);
  bool transA = node.getFlagAttr("transA"), transB = node.getFlagAttr("transB");
  double alpha = node.getFloatAttr("alpha", 1.0);
  double beta = node.getFloatAttr("beta", 1.0);
  if (node.getOpset() < 7) // later C broadcasts without asking
    node.ignoreAttrs({"broadcast"});
  if (failed(node.checkRank(a, 2, "input 'A'")) ||
      failed(node.checkRank(b, 2, "input 'B'")))
    return failure();
  if (transA)
    a = node.createTranspose(a, {1, 0});
  Value product = createDense(node, a, b, transB);
  product = createScaled(node, product, alpha, "alpha");
  if (!c || !product || beta == 0.0)
    return node.yield(product);

  c = createScaled(node, c, beta, "beta");
  if (!c)
    return failure();
  ArrayRef<int64_t> shape = getShape(product), addend = getShape(c);
  // A row that is added to every row is a bias, whatever its rank.
  if (!addend.empty() && addend.back() == shape[1] &&
      llvm::all_of(addend.drop_back(), [](int64_t size) { return size == 1; }))
    return node.yield(node.create<graph::BiasAddOp>(
        {product, node.createReshape(c, {shape[1]})}));
  Value sum = node.create<graph::AddOp>({product, c});
  if (sum && getShape(sum) != shape)
    return node.badInput("input 'C' has the shape " + formatShape(addend) +
                         ", which does not broadcast to " + formatShape(shape));
  return node.yield(sum);
}

static LogicalResult importMatMul(Node &node) {
  Value a = node.getOperand(0), b = node.getOperand(1);
  size_t rankA = getShape(a).size(), rankB = getShape(b).size();
  if (rankA == 0 || rankB == 0)
    return node.badInput("has a scalar operand; expected 1 or more dimensions");
  if (rankB > 2)
    return node.notSupported("input 'B' has the shape " +
                             formatShape(getShape(b)) +
                             "; products of batches of matrices are not "
                             "supported, only 1 or 2 dimensions");
  if (rankB == 2)
    return node.yield(createDense(node, a, b, /*isTransposed=*/false));
  // A vector is a matrix of one column, which the result drops again.
  Value row = node.createReshape(b, {1, getShape(b)[0]});
  Value product = row ? createDense(node, a, row, /*isTransposed=*/true) : row;
  if (!product)
    return failure();
  return node.yield(node.createReshape(product, getShape(product).drop_back()));
}

ArrayRef<Rule> importer::getContractionRules() {
  static constexpr Rule rules[] = {
      {"Gemm", 6, "A B C", importGemm},
      {"Gemm", 11, "A B C?", importGemm},
      {"MatMul", 1, "A B", importMatMul},
  };
  return rules;
}
