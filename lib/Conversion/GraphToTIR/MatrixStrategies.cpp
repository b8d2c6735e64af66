//===- MatrixStrategies.cpp - Matrix products as loops --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

/// Builds a sum of products of one element of each operand. The iteration
/// variables are the result's dimensions, then one reduction variable for each
/// of `extents`.
static void lowerContraction(LayerBuilder &b, StringRef label,
                             ArrayRef<Access> operands,
                             ArrayRef<int64_t> extents, Value result) {
  if (llvm::is_contained(getShape(result), 0))
    return;
  Type type = LayerBuilder::getComputeType(getElement(result));
  Value zero = b.constant(type, 0.0);
  if (llvm::is_contained(extents, 0)) {
    b.elementwise(label, result, {}, type, [&](ValueRange) { return zero; });
    return;
  }
  b.loops(getShape(result), [&](ValueRange outer) {
    Value sum = b.reduce(label, outer, getShape(result), extents, type, zero,
                         operands, [&](ValueRange vars, Value acc) {
                           Value product = b.loadAt(type, operands[0], vars);
                           for (const Access &operand : operands.drop_front())
                             product =
                                 b.mul(product, b.loadAt(type, operand, vars));
                           return b.add(acc, product);
                         });
    b.storeScalar((label + "_result").str(), outer, sum, result);
  });
}

static LogicalResult lowerBatchMatmul(LayerBuilder &b, graph::BatchMatmulOp op,
                                      ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  unsigned rank = getShape(result).size();
  AffineExpr row = b.dim(rank - 2), column = b.dim(rank - 1), k = b.dim(rank);
  auto getAccess = [&](Value operand, AffineExpr first, AffineExpr second,
                       bool isTransposed) {
    Access access{operand, {}};
    ArrayRef<int64_t> batch = getShape(operand).drop_back(2);
    for (auto [i, size] : llvm::enumerate(batch))
      access.first.push_back(size == 1 ? b.expr(0)
                                       : b.dim(rank - 2 - batch.size() + i));
    if (isTransposed)
      std::swap(first, second);
    access.first.append({first, second});
    return access;
  };
  int64_t depth = getShape(inputs[0]).take_back(2)[!op.getTransposeA()];
  lowerContraction(b, "batch_matmul",
                   {getAccess(inputs[0], row, k, op.getTransposeA()),
                    getAccess(inputs[1], k, column, op.getTransposeB())},
                   {depth}, result);
  return success();
}

static LogicalResult lowerEinsum(LayerBuilder &b, graph::EinsumOp op,
                                 ValueRange inputs, ValueRange outputs) {
  auto [operandTerms, names] = op.getEquation().split("->");
  SmallVector<StringRef> terms;
  operandTerms.split(terms, ',');
  // Dimension names in the order of the iteration variables, and the extents of
  // those that are summed.
  std::string order = names.str();
  SmallVector<int64_t> extents;
  for (auto [term, input] : llvm::zip_equal(terms, inputs))
    for (auto [name, size] : llvm::zip_equal(term, getShape(input))) {
      size_t position = order.find(name);
      if (position == std::string::npos) {
        order += name;
        extents.push_back(size);
      } else if (position >= names.size() && size != 1) {
        extents[position - names.size()] = size;
      }
    }
  SmallVector<Access> operands;
  for (auto [term, input] : llvm::zip_equal(terms, inputs)) {
    Access &access = operands.emplace_back(Access{input, {}});
    for (auto [name, size] : llvm::zip_equal(term, getShape(input)))
      access.first.push_back(size == 1 ? b.expr(0) : b.dim(order.find(name)));
  }
  lowerContraction(b, "einsum", operands, extents, outputs[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Determinant
//===----------------------------------------------------------------------===//

/// Builds a loop from `lower` to `upper` around `body`.
static void loopFrom(LayerBuilder &b, OpFoldResult lower, int64_t upper,
                     function_ref<void(Value)> body) {
  auto loop = tir::ForOp::create(b.builder, b.loc, lower,
                                 b.builder.getIndexAttr(upper));
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  body(loop.getInductionVar());
}

/// Builds Gaussian elimination with partial pivoting on the local array
/// `matrix` of `size` rows, in place.
static void eliminate(LayerBuilder &b, Value matrix, int64_t size,
                      Value determinant, Value pivot) {
  Type type = getElement(matrix), indexType = getElement(pivot);
  auto magnitude = [&](Value row, Value column) -> Value {
    return math::AbsFOp::create(b.builder, b.loc,
                                b.load(matrix, {row, column}));
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(b.builder, b.loc, condition, yes, no);
  };
  auto cast = [&](Type to, Value value) -> Value {
    return arith::IndexCastOp::create(b.builder, b.loc, to, value);
  };
  Value zero = b.constant(type, 0.0), one = b.constant(type, 1.0);
  Value minusOne = b.constant(type, -1.0);
  Type index = b.builder.getIndexType();
  b.store(one, determinant, {});
  loopFrom(b, b.builder.getIndexAttr(0), size, [&](Value column) {
    Value next = arith::AddIOp::create(b.builder, b.loc, column, b.index(1));
    b.store(cast(indexType, column), pivot, {});
    loopFrom(b, next, size, [&](Value row) {
      Value old = b.load(pivot, {});
      Value isLarger = b.lessThan(magnitude(cast(index, old), column),
                                  magnitude(row, column));
      b.store(select(isLarger, cast(indexType, row), old), pivot, {});
    });
    Value other = cast(index, b.load(pivot, {}));
    b.loops({size}, [&](ValueRange vars) {
      Value upper = b.load(matrix, {column, vars[0]});
      Value lower = b.load(matrix, {other, vars[0]});
      b.store(lower, matrix, {column, vars[0]});
      b.store(upper, matrix, {other, vars[0]});
    });
    Value isSame = arith::CmpIOp::create(
        b.builder, b.loc, arith::CmpIPredicate::eq, other, column);
    Value head = b.load(matrix, {column, column});
    Value factor = b.mul(select(isSame, one, minusOne), head);
    b.store(b.mul(b.load(determinant, {}), factor), determinant, {});
    // If the pivot is zero, the rest of the column is zero.
    Value isZero = arith::CmpFOp::create(b.builder, b.loc,
                                         arith::CmpFPredicate::OEQ, head, zero);
    Value divisor = select(isZero, one, head);
    loopFrom(b, next, size, [&](Value row) {
      Value ratio = arith::DivFOp::create(
          b.builder, b.loc, b.load(matrix, {row, column}), divisor);
      loopFrom(b, column, size, [&](Value i) {
        Value difference =
            arith::SubFOp::create(b.builder, b.loc, b.load(matrix, {row, i}),
                                  b.mul(ratio, b.load(matrix, {column, i})));
        b.store(difference, matrix, {row, i});
      });
    });
  });
}

static LogicalResult lowerDet(LayerBuilder &b, graph::DetOp op,
                              ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  ArrayRef<int64_t> batch = getShape(result);
  if (llvm::is_contained(batch, 0))
    return success();
  Type type = LayerBuilder::getComputeType(getElement(result));
  int64_t size = getShape(data).back();
  if (size == 0) {
    b.elementwise("det", result, {}, type,
                  [&](ValueRange) { return b.constant(type, 1.0); });
    return success();
  }
  Access access{data, {}};
  SmallVector<LayerBuilder::Dim> dims;
  for (auto [i, extent] : llvm::enumerate(batch)) {
    access.first.push_back(b.dim(i));
    access.extents.push_back(1);
    dims.push_back({extent});
  }
  access.first.append({b.expr(0), b.expr(0)});
  access.extents.append({size, size});
  b.loops(batch, [&](ValueRange outer) {
    Value matrix = b.local("matrix", type, {size, size});
    Value determinant = b.local("determinant", type);
    Value pivot = b.local("pivot", b.builder.getI64Type());
    Access whole{matrix, {b.expr(0), b.expr(0)}, {size, size}};
    b.block("det", dims, outer, {access},
            {b.whole(result), whole, {determinant, {}}, {pivot, {}}},
            [&](ValueRange vars) {
              b.loops({size, size}, [&](ValueRange position) {
                SmallVector<Value> at(vars);
                llvm::append_range(at, position);
                b.store(b.loadAs(type, data, at), matrix, position);
              });
              eliminate(b, matrix, size, determinant, pivot);
              b.store(b.load(determinant, {}), result, vars);
            });
  });
  return success();
}

void uma::populateMatrixStrategies(StrategyRegistry &registry) {
  registry.add<graph::BatchMatmulOp>(lowerBatchMatmul);
  registry.add<graph::EinsumOp>(lowerEinsum);
  registry.add<graph::DetOp>(lowerDet);
}
