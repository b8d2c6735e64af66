//===- TranslateCost.cpp - Statements about costs -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

/// Translates `expr`, an integer that is the `what` of a cost.
Value Translator::translateCost(const Expr &expr, StringRef what) {
  Value value = translate(expr);
  if (!value || value.getType().isIndex())
    return value;
  error(expr.loc) << what << " is a whole number, found "
                  << (isa<AccelTensorType>(value.getType()) ? "a tensor"
                      : value.getType().isInteger(1)        ? "a condition"
                                                            : "a fraction");
  return nullptr;
}

LogicalResult Translator::translate(const Cost &cost) {
  Value cycles = translateCost(*cost.cycles, "cycles");
  Value bytes;
  if (cycles && cost.bytes)
    bytes = translateCost(*cost.bytes, "bytes");
  if (!cycles || (cost.bytes && !bytes))
    return failure();
  CostOp::create(builder, at(cost.loc), cycles, bytes);
  return success();
}

LogicalResult Translator::translate(const Transfer &transfer) {
  names.clear();
  auto op = TransferOp::create(builder, at(transfer.loc));
  Block &body = op.getBody().emplaceBlock();
  Value bytes = body.addArgument(builder.getIndexType(), at(transfer.loc));
  builder.setInsertionPointToEnd(&body);
  if (failed(define({"bytes", transfer.loc}, bytes)))
    return failure();
  Value cycles = translateCost(*transfer.cycles, "cycles");
  if (!cycles)
    return failure();
  YieldOp::create(builder, at(transfer.loc), cycles);
  return success();
}

LogicalResult Translator::translate(const RegionCost &region) {
  names.clear();
  auto op = RegionOp::create(builder, at(region.loc));
  if (region.minOperators) {
    if (region.minOperators->kind != Expr::Integer)
      return error(region.minOperators->loc)
             << "min_operators is a number, e.g. min_operators = 2";
    op.setMinOperators(region.minOperators->integer);
  }
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  Value overhead =
      region.overhead
          ? translateCost(*region.overhead, "overhead")
          : arith::ConstantIndexOp::create(builder, at(region.loc), 0);
  if (!overhead)
    return failure();
  YieldOp::create(builder, at(region.loc), overhead);
  return success();
}
