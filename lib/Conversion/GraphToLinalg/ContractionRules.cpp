//===- ContractionRules.cpp - Matrix products as linalg -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

using namespace mlir;
using namespace uma;
using Operand = LinalgBuilder::Operand;

static Value multiplyAdd(LayerBuilder &e, ValueRange x) {
  return e.add(x[2], e.mul(x[0], x[1]));
}

static Value convertDense(LinalgBuilder &b, graph::DenseOp op) {
  auto type = op.getType();
  int64_t rank = type.getRank();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  Value init = b.filled(type.getShape(), b.scalar(sumType, 0));
  // The last loop is the reduction.
  SmallVector<bool> reduces(rank, false);
  reduces.push_back(true);
  Operand data{op.getData(), {}};
  for (int64_t i = 0; i + 1 < rank; ++i)
    data.at.push_back(b.dim(i));
  data.at.push_back(b.dim(rank));
  Operand weight = b.at(op.getWeight(), {rank - 1, rank});
  Value result = b.reduce(init, reduces, {data, weight}, multiplyAdd);
  return b.convert(result, type.getElementType());
}

static Value convertBatchMatmul(LinalgBuilder &b, graph::BatchMatmulOp op) {
  auto type = op.getType();
  int64_t rank = type.getRank();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Value init = b.filled(type.getShape(), b.scalar(sumType, 0));
  auto lhsShape = LinalgBuilder::getShape(lhs);
  auto rhsShape = LinalgBuilder::getShape(rhs);
  if (rank == 3 && !op.getTransposeA() && !op.getTransposeB() &&
      lhsShape.size() == 3 && rhsShape.size() == 3 &&
      lhsShape[0] == rhsShape[0]) {
    if (isa<FloatType>(sumType)) {
      lhs = b.convert(lhs, sumType);
      rhs = b.convert(rhs, sumType);
    }
    Value product = linalg::BatchMatmulOp::create(
                        b.builder, b.loc, TypeRange{init.getType()},
                        ValueRange{lhs, rhs}, ValueRange{init})
                        ->getResult(0);
    return b.convert(product, type.getElementType());
  }
  SmallVector<bool> reduces(rank, false);
  reduces.push_back(true);
  // Matrices are the last two dimensions, batches broadcast.
  auto getOperand = [&](Value tensor, int64_t row, int64_t column) {
    Operand operand = b.broadcast(tensor, rank);
    size_t count = operand.at.size();
    operand.at[count - 2] = b.dim(row);
    operand.at[count - 1] = b.dim(column);
    return operand;
  };
  int64_t row = rank - 2, column = rank - 1, sum = rank;
  Operand left = op.getTransposeA() ? getOperand(lhs, sum, row)
                                    : getOperand(lhs, row, sum);
  Operand right = op.getTransposeB() ? getOperand(rhs, column, sum)
                                     : getOperand(rhs, sum, column);
  Value result = b.reduce(init, reduces, {left, right}, multiplyAdd);
  return b.convert(result, type.getElementType());
}

void uma::populateLinalgContractionRules(LinalgRules &rules) {
  rules.add<graph::DenseOp>(convertDense);
  rules.add<graph::BatchMatmulOp>(convertBatchMatmul);
}
