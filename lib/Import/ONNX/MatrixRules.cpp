//===- MatrixRules.cpp - Gemm, MatMul, Einsum, Det ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "QuantizedParameters.h"
#include "Rules.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// Returns the accumulator type: integers use their own type, since ONNX allows
/// only wide ones here.
static TypeAttr getAccumulatorType(Value data) {
  Type type = getElementType(data);
  return isa<IntegerType>(type) ? TypeAttr::get(type) : TypeAttr();
}

/// Creates the product of `data` and the matrix `weight`: [out, in] if
/// `isTransposed`, otherwise [in, out].
static Value createDense(Node &node, Value data, Value weight,
                         bool isTransposed) {
  if (!data)
    return {};
  if (!isTransposed)
    weight = node.createTranspose(weight, {1, 0});
  graph::DenseOp::Properties properties;
  properties.out_dtype = getAccumulatorType(data);
  return node.create<graph::DenseOp>({data, weight}, properties);
}

/// Creates `factor * value`. Returns `value` for a factor of 1.
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
  if (node.getOpset() < 7) // later versions always broadcast C
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
  // A row added to every row is a bias, whatever its rank.
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

Value importer::createMatMul(Node &node, Value a, Value b, TypeAttr outDtype) {
  size_t rankA = getShape(a).size(), rankB = getShape(b).size();
  if (rankA == 0 || rankB == 0) {
    (void)node.badInput("has a scalar operand; expected 1 or more dimensions");
    return {};
  }
  if (rankB <= 2) {
    // A vector becomes a matrix of one column; the result drops the column
    // again.
    Value weight = rankB == 1 ? node.createReshape(b, {1, getShape(b)[0]})
                              : node.createTranspose(b, {1, 0});
    graph::DenseOp::Properties properties;
    properties.out_dtype = outDtype;
    Value product = node.create<graph::DenseOp>({a, weight}, properties);
    if (!product || rankB == 2)
      return product;
    return node.createReshape(product, getShape(product).drop_back());
  }
  if (rankA == 1)
    a = node.createReshape(a, {1, getShape(a)[0]});
  graph::BatchMatmulOp::Properties properties;
  properties.out_dtype = outDtype;
  Value product = node.create<graph::BatchMatmulOp>({a, b}, properties);
  if (!product || rankA > 1)
    return product;
  SmallVector<int64_t> shape(getShape(product));
  shape.erase(shape.end() - 2);
  return node.createReshape(product, shape);
}

static LogicalResult importMatMul(Node &node) {
  Value a = node.getOperand(0), b = node.getOperand(1);
  return node.yield(createMatMul(node, a, b, getAccumulatorType(a)));
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

/// Expands an equation: adds an explicit result and replaces an ellipsis by
/// indices. Returns an empty string after an error.
static std::string expandEquation(Node &node, StringRef written) {
  std::string equation;
  for (char c : written)
    if (c != ' ')
      equation += c;
  auto [inputs, result] = StringRef(equation).split("->");
  bool hasResult = StringRef(equation).contains("->");
  SmallVector<StringRef> terms;
  inputs.split(terms, ',');
  auto fail = [&](const Twine &message) {
    (void)node.badInput("attribute 'equation' is " + quote(written) + ": " +
                        message);
    return std::string();
  };
  if (terms.size() != node.getNumOperands())
    return fail("it names " + Twine(terms.size()) +
                " operands, but there are " + Twine(node.getNumOperands()));
  // Unused letters replace the ellipsis; the last one is its last dimension.
  std::string unused;
  for (char c = 'z'; c >= 'a'; --c)
    if (equation.find(c) == std::string::npos)
      unused += c;
  for (char c = 'Z'; c >= 'A'; --c)
    if (equation.find(c) == std::string::npos)
      unused += c;
  size_t widest = 0;
  std::string expanded;
  for (auto [index, term] : llvm::enumerate(terms)) {
    auto [before, after] = term.split("...");
    size_t rank = getShape(node.getOperand(index)).size();
    size_t named = before.size() + after.size();
    bool hasEllipsis = term.contains("...");
    if (hasEllipsis ? rank < named : rank != named)
      return fail("operand " + Twine(index) + " has the shape " +
                  formatShape(getShape(node.getOperand(index))) +
                  ", which does not fit " + quote(term));
    size_t hidden = rank - named;
    if (hidden > unused.size())
      return fail("its ellipsis stands for too many dimensions");
    widest = std::max(widest, hidden);
    std::string names = unused.substr(0, hidden);
    std::reverse(names.begin(), names.end());
    expanded += (index ? "," : "") + before.str() + names + after.str();
  }
  std::string hidden = unused.substr(0, widest);
  std::reverse(hidden.begin(), hidden.end());
  if (hasResult) {
    auto [before, after] = result.split("...");
    if (result.contains("..."))
      return expanded + "->" + before.str() + hidden + after.str();
    return expanded + "->" + result.str();
  }
  // Implicit result: the ellipsis, then every index that occurs once.
  std::string names;
  for (char c : inputs)
    if (llvm::isAlpha(c) && inputs.count(c) == 1)
      names += c;
  llvm::sort(names);
  return expanded + "->" + hidden + names;
}

static LogicalResult importEinsum(Node &node) {
  if (!node.getAttr("equation", onnx::AttributeProto::STRING))
    return node.badInput("needs the attribute 'equation'");
  std::string equation =
      expandEquation(node, node.getStringAttr("equation", ""));
  if (equation.empty())
    return failure();
  graph::EinsumOp::Properties properties;
  properties.equation = node.getBuilder().getStringAttr(equation);
  return node.yield(
      node.create<graph::EinsumOp>(node.getOperands(), properties));
}

ArrayRef<Rule> importer::getMatrixRules() {
  static constexpr Rule rules[] = {
      {"Det", 11, "X", importDirectly<graph::DetOp>},
      {"Einsum", 12, "Inputs*", importEinsum},
      {"Gemm", 6, "A B C", importGemm},
      {"Gemm", 11, "A B C?", importGemm},
      {"MatMul", 1, "A B", importMatMul},
  };
  return rules;
}
