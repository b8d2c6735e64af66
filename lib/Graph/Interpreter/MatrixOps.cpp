//===- MatrixOps.cpp - Evaluates products of matrices and tensors ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

/// Computes an einsum. `terms` names the dimensions of each operand,
/// `resultTerm` the dimensions of the result.
static HostTensor contract(RankedTensorType type, Operands operands,
                           ArrayRef<std::string> terms, StringRef resultTerm) {
  // Sizes by name in the order of the loops: result dimensions first.
  llvm::MapVector<char, int64_t> sizes;
  for (char name : resultTerm)
    sizes[name] = 1;
  for (auto [term, operand] : llvm::zip_equal(terms, operands))
    for (auto [name, size] : llvm::zip_equal(term, operand.getShape()))
      if (int64_t &known = sizes.try_emplace(name, 1).first->second; size != 1)
        known = size;
  SmallVector<int64_t> extents;
  SmallVector<char> names;
  for (auto [name, size] : sizes) {
    names.push_back(name);
    extents.push_back(size);
  }
  // Step of each loop in each operand, in elements.
  SmallVector<SmallVector<int64_t>> steps;
  for (auto [term, operand] : llvm::zip_equal(terms, operands)) {
    auto &step = steps.emplace_back(names.size(), 0);
    for (auto [name, size, stride] : llvm::zip_equal(
             term, operand.getShape(), getStrides(operand.getShape())))
      if (size != 1)
        step[llvm::find(names, name) - names.begin()] += stride;
  }
  int64_t reduced = 1;
  for (int64_t extent : ArrayRef(extents).drop_front(resultTerm.size()))
    reduced *= extent;

  return withComputeType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<std::vector<T>> values;
    for (const HostTensor &operand : operands)
      values.push_back(load<T>(operand));
    std::vector<T> result(type.getNumElements());
    size_t next = 0;
    forEachIndex(extents, [&](ArrayRef<int64_t> index) {
      T product = 1;
      for (auto [elements, step] : llvm::zip_equal(values, steps)) {
        int64_t offset = 0;
        for (auto [position, distance] : llvm::zip_equal(index, step))
          offset += position * distance;
        product = multiply(product, elements[offset]);
      }
      T &sum = result[next++ / reduced];
      sum = add(sum, product);
    });
    return store(type, result);
  });
}

Result kernels::run(BatchMatmulOp op, Operands operands,
                    EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  // Names of the batch dimensions, aligned at the end, then the characters }, |
  // and ~. Tensors have too few batch dimensions to reach these.
  std::string batch;
  for (int64_t d = 0; d + 2 < type.getRank(); ++d)
    batch += char('A' + d);
  auto suffix = [&](const HostTensor &tensor) {
    return batch.substr(batch.size() + 2 - tensor.getShape().size());
  };
  std::string terms[] = {
      suffix(operands[0]) + (op.getTransposeA() ? "~}" : "}~"),
      suffix(operands[1]) + (op.getTransposeB() ? "|~" : "~|")};
  return contract(type, operands, terms, batch + "}|");
}

Result kernels::run(AttentionOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> queryShape = operands[0].getShape();
  ArrayRef<int64_t> keyShape = operands[1].getShape();
  int64_t keys = keyShape[keyShape.size() - 2];
  std::string batch;
  for (int64_t d = 0; d + 2 < type.getRank(); ++d)
    batch += char('A' + d);
  auto getTerm = [&](ArrayRef<int64_t> shape, StringRef matrix) {
    return batch.substr(batch.size() + 2 - shape.size()) + matrix.str();
  };
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.push_back(keys);
  auto scoresType = RankedTensorType::get(shape, type.getElementType());
  std::string terms[] = {getTerm(queryShape, "}~"), getTerm(keyShape, "|~")};
  HostTensor scores =
      contract(scoresType, operands.take_front(2), terms, batch + "}|");

  // Softmax of each row in double: the reference for the generated C.
  double scale = op.getScale().convertToDouble();
  SmallVector<int64_t> maskSteps(shape.size(), 0);
  if (op.getMask()) {
    ArrayRef<int64_t> maskShape = operands[3].getShape();
    size_t missing = shape.size() - maskShape.size();
    for (auto [dim, stride] : llvm::enumerate(getStrides(maskShape)))
      if (maskShape[dim] != 1)
        maskSteps[missing + dim] = stride;
  }
  int64_t next = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    double score = scores.getDouble(next) * scale;
    if (op.getMask()) {
      int64_t offset = 0;
      for (auto [position, step] : llvm::zip_equal(index, maskSteps))
        offset += position * step;
      score += operands[3].getDouble(offset);
    }
    scores.setDouble(next++, score);
  });
  for (int64_t row = 0; row < next; row += keys) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t key = row; key < row + keys; ++key)
      largest = std::max(largest, scores.getDouble(key));
    std::vector<double> weights(keys);
    for (int64_t key = 0; key < keys; ++key)
      sum += weights[key] = std::exp(scores.getDouble(row + key) - largest);
    for (int64_t key = 0; key < keys; ++key)
      scores.setDouble(row + key, weights[key] / sum);
  }
  HostTensor products[] = {scores, operands[2]};
  std::string valueTerms[] = {batch + "}|",
                              getTerm(operands[2].getShape(), "|~")};
  return contract(type, products, valueTerms, batch + "}~");
}

Result kernels::run(EinsumOp op, Operands operands, EmitErrorFn emitError) {
  auto [inputs, result] = op.getEquation().split("->");
  SmallVector<StringRef> parts;
  inputs.split(parts, ',');
  SmallVector<std::string> terms(parts.begin(), parts.end());
  return contract(getResultType(op), operands, terms, result);
}

/// Returns the determinant of the `size` rows at `matrix`, which it overwrites.
static double computeDeterminant(double *matrix, int64_t size) {
  double result = 1;
  for (int64_t column = 0; column < size; ++column) {
    int64_t pivot = column;
    for (int64_t row = column + 1; row < size; ++row)
      if (std::fabs(matrix[row * size + column]) >
          std::fabs(matrix[pivot * size + column]))
        pivot = row;
    if (pivot != column) {
      std::swap_ranges(matrix + pivot * size, matrix + (pivot + 1) * size,
                       matrix + column * size);
      result = -result;
    }
    double head = matrix[column * size + column];
    result *= head;
    if (head == 0)
      return result;
    for (int64_t row = column + 1; row < size; ++row) {
      double factor = matrix[row * size + column] / head;
      for (int64_t i = column; i < size; ++i)
        matrix[row * size + i] -= factor * matrix[column * size + i];
    }
  }
  return result;
}

Result kernels::run(DetOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  int64_t size = operands[0].getShape().back();
  std::vector<double> values = load<double>(operands[0]);
  std::vector<double> result(type.getNumElements());
  for (size_t i = 0, e = result.size(); i != e; ++i)
    result[i] = computeDeterminant(values.data() + i * size * size, size);
  return store(type, result);
}
