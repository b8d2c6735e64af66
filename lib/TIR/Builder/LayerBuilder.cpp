//===- LayerBuilder.cpp - Builder of loops and blocks ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/LayerBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uma;
using llvm::map_to_vector;

size_t uma::chooseParallel(ArrayRef<int64_t> extents) {
  const int64_t *chosen = llvm::find_if(extents, isEvenlyShared);
  if (chosen == extents.end())
    chosen = llvm::max_element(extents);
  return chosen - extents.begin();
}

size_t uma::chooseParallelRows(int64_t images, int64_t blocks, int64_t rows,
                               int64_t columns) {
  if (isEvenlyShared(images))
    return 0;
  if (isEvenlyShared(blocks) && !sharesRows(rows * columns))
    return 1;
  if (isEvenlyShared(rows))
    return 2;
  return blocks > images ? 1 : 0;
}

Type LayerBuilder::getComputeType(Type elementType) {
  if (!isa<FloatType>(elementType) || elementType.isF64())
    return elementType;
  return Float32Type::get(elementType.getContext());
}

LayerBuilder::Access LayerBuilder::whole(Value buffer) {
  Access access{buffer, {}};
  for (unsigned i = 0, rank = getShape(buffer).size(); i < rank; ++i)
    access.first.push_back(dim(i));
  return access;
}

Value LayerBuilder::local(StringRef label, Type type, ArrayRef<int64_t> shape) {
  return tir::AllocOp::create(builder, loc, MemRefType::get(shape, type),
                              tir::Scope::Local, /*offset=*/nullptr,
                              builder.getStringAttr(label));
}

LayerBuilder::Access LayerBuilder::anywhere(Value buffer) {
  ArrayRef<int64_t> shape = getShape(buffer);
  return {buffer, SmallVector<AffineExpr>(shape.size(), expr(0)),
          SmallVector<int64_t>(shape)};
}

Value LayerBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LayerBuilder::constant(Type type, double value) {
  TypedAttr attr =
      isa<FloatType>(type)
          ? TypedAttr(builder.getFloatAttr(type, value))
          : TypedAttr(builder.getIntegerAttr(type, int64_t(value)));
  return arith::ConstantOp::create(builder, loc, attr);
}

Value LayerBuilder::convert(Value value, Type to, bool isUnsigned) {
  Type from = value.getType();
  if (from == to)
    return value;
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  // A bool is 0 or 1, never -1.
  isUnsigned |= from.isInteger(1);
  if (fromFloat && toFloat) {
    // Floats of 16 bits do not hold each other's numbers, and C has no
    // conversion between narrow ones. f32 holds all of both.
    if (fromWidth < 32 && toWidth < 32)
      return convert(convert(value, builder.getF32Type()), to);
    if (fromWidth < toWidth)
      return arith::ExtFOp::create(builder, loc, to, value);
    return arith::TruncFOp::create(builder, loc, to, value);
  }
  if (fromFloat)
    return convertToInteger(value, to, isUnsigned);
  // Vectors hold f16 in lanes of f32, and integers that f32 does not hold are
  // infinite in f16.
  if (to.isF16())
    return convert(convert(value, builder.getF32Type(), isUnsigned), to);
  if (toFloat)
    return isUnsigned ? Value(arith::UIToFPOp::create(builder, loc, to, value))
                      : Value(arith::SIToFPOp::create(builder, loc, to, value));
  if (to.isInteger(1))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 constant(from, 0));
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(builder, loc, to, value);
  return isUnsigned ? Value(arith::ExtUIOp::create(builder, loc, to, value))
                    : Value(arith::ExtSIOp::create(builder, loc, to, value));
}

Value LayerBuilder::convertToInteger(Value value, Type to, bool isUnsigned) {
  value = convert(value, getComputeType(value.getType()));
  Type from = value.getType();
  Value zero = constant(from, 0.0);
  if (to.isInteger(1))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value,
                                 zero);
  // In C, converting NaN or out-of-range values is undefined.
  const llvm::fltSemantics &semantics =
      cast<FloatType>(from).getFloatSemantics();
  unsigned width = to.getIntOrFloatBitWidth();
  APInt smallest =
      isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt largest =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto bound = [&](const APInt &integer, bool &isExact) -> Value {
    APFloat number(semantics);
    isExact = number.convertFromAPInt(integer, !isUnsigned,
                                      APFloat::rmTowardZero) == APFloat::opOK;
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(from, number));
  };
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  };
  auto select = [&](Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  };
  bool isExact;
  Value low = bound(smallest, isExact);
  Value high = bound(largest, isExact);
  Value isNaN = compare(arith::CmpFPredicate::UNO, value, value);
  Value number = select(isNaN, zero, value);
  Value above =
      select(compare(arith::CmpFPredicate::OLT, number, low), low, number);
  Value inside =
      select(compare(arith::CmpFPredicate::OGT, above, high), high, above);
  Value result = isUnsigned
                     ? Value(arith::FPToUIOp::create(builder, loc, to, inside))
                     : Value(arith::FPToSIOp::create(builder, loc, to, inside));
  if (isExact)
    return result;
  // `high` is the largest float in the range of the type; values above it
  // saturate.
  Value isAbove = compare(arith::CmpFPredicate::OGT, number, high);
  Value limit = arith::ConstantOp::create(builder, loc,
                                          builder.getIntegerAttr(to, largest));
  return select(isAbove, limit, result);
}

Value LayerBuilder::load(Value buffer, ValueRange indices) {
  return memref::LoadOp::create(builder, loc, buffer, indices);
}

Value LayerBuilder::loadAt(Type type, const Access &access, ValueRange vars) {
  return loadAs(type, access.buffer, applyAll(access, vars));
}

void LayerBuilder::store(Value value, Value buffer, ValueRange indices) {
  // Integers are computed in the buffer's own type: only floats are converted
  // to what the buffer holds.
  memref::StoreOp::create(
      builder, loc, convert(value, getElement(buffer), isUnsigned(buffer)),
      buffer, indices);
}

void LayerBuilder::prefetchAt(const Access &access, ValueRange vars) {
  SmallVector<Value> indices = applyAll(access, vars);
  tir::PrefetchOp::create(builder, loc, access.buffer, indices);
}

Value LayerBuilder::add(Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value LayerBuilder::mul(Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  return arith::MulIOp::create(builder, loc, lhs, rhs);
}

Value LayerBuilder::sub(Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  return arith::SubIOp::create(builder, loc, lhs, rhs);
}

Value LayerBuilder::dot(Value lhs, Value rhs, Value sum, int64_t wordSize) {
  Type left = builder.getI16Type(), right = left;
  if (isa<FloatType>(sum.getType())) {
    left = right = builder.getBF16Type();
  } else if (wordSize == 4) {
    left = builder.getIntegerType(8, /*isSigned=*/false);
    right = builder.getI8Type();
  }
  return tir::DotOp::create(builder, loc, sum.getType(), lhs, rhs, sum, left,
                            right);
}

Value LayerBuilder::words(Value buffer) {
  SmallVector<int64_t> shape(getShape(buffer));
  shape.back() /= 32 / uma::getElement(buffer).getIntOrFloatBitWidth();
  return tir::WordsOp::create(
      builder, loc, MemRefType::get(shape, builder.getI32Type()), buffer);
}

Value LayerBuilder::unpack(Value word, bool isUnsigned, bool isOdd) {
  auto sign = isUnsigned ? IntegerType::Unsigned : IntegerType::Signless;
  return tir::UnpackOp::create(builder, loc, word.getType(), word,
                               IntegerType::get(builder.getContext(), 8, sign),
                               isOdd);
}

Value LayerBuilder::div(Value lhs, Value rhs) {
  return arith::DivFOp::create(builder, loc, lhs, rhs);
}

Value LayerBuilder::lessThan(Value lhs, Value rhs, bool isUnsigned) {
  if (isa<FloatType>(lhs.getType()))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, lhs,
                                 rhs);
  return arith::CmpIOp::create(builder, loc,
                               isUnsigned ? arith::CmpIPredicate::ult
                                          : arith::CmpIPredicate::slt,
                               lhs, rhs);
}

Value LayerBuilder::apply(AffineExpr expression, ValueRange vars) {
  // Expand to arith right away: TIR does not contain affine operations.
  return affine::expandAffineExpr(builder, loc, expression, vars, {});
}

SmallVector<Value> LayerBuilder::applyAll(const Access &access,
                                          ValueRange vars) {
  return map_to_vector(access.first,
                       [&](AffineExpr e) { return apply(e, vars); });
}

void LayerBuilder::loops(ArrayRef<int64_t> extents, BodyFn body,
                         std::optional<size_t> parallel) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> vars;
  for (auto [index, extent] : llvm::enumerate(extents)) {
    auto kind =
        index == parallel ? tir::ForKind::Parallel : tir::ForKind::Serial;
    auto loop = tir::ForOp::create(builder, loc, builder.getIndexAttr(0),
                                   builder.getIndexAttr(extent), kind);
    if (parallel && index < *parallel)
      loop->setAttr(tir::kTeamAttrName, builder.getUnitAttr());
    vars.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(&loop.getBody().front());
  }
  body(vars);
}

void LayerBuilder::block(StringRef label, ArrayRef<Dim> dims,
                         ValueRange bindings, ArrayRef<Access> reads,
                         ArrayRef<Access> writes, BodyFn body, BodyFn init) {
  SmallVector<tir::IterVar> iterVars;
  for (auto [dim, binding] : llvm::zip_equal(dims, bindings))
    iterVars.push_back({dim.kind, binding, dim.extent});
  auto toRegion = [&](const Access &access) -> tir::BufferRegion {
    return {access.buffer,
            AffineMap::get(dims.size(), 0, access.first, builder.getContext()),
            access.extents.empty()
                ? SmallVector<int64_t>(access.first.size(), 1)
                : access.extents};
  };
  auto op = tir::BlockOp::create(builder, loc, label, iterVars,
                                 map_to_vector(reads, toRegion),
                                 map_to_vector(writes, toRegion), bool(init));
  OpBuilder::InsertionGuard guard(builder);
  if (init) {
    builder.setInsertionPointToStart(&op.getInit().front());
    init(op.getInitVars());
  }
  builder.setInsertionPointToStart(&op.getBody().front());
  body(op.getBodyVars());
}

void LayerBuilder::elementwise(StringRef label, Value result,
                               ArrayRef<Access> operands, Type computeType,
                               function_ref<Value(ValueRange)> fn) {
  ArrayRef<int64_t> shape = getShape(result);
  auto dims = map_to_vector(shape, [](int64_t size) { return Dim{size}; });
  loops(shape, [&](ValueRange loopVars) {
    block(
        label, dims, loopVars, operands, {whole(result)}, [&](ValueRange vars) {
          SmallVector<Value> elements;
          for (const Access &operand : operands)
            elements.push_back(
                loadAt(computeType ? computeType
                                   : getComputeType(getElement(operand.buffer)),
                       operand, vars));
          store(fn(elements), result, vars);
        });
  });
}

Value LayerBuilder::reduce(StringRef label, ValueRange outer,
                           ArrayRef<int64_t> outerExtents,
                           ArrayRef<int64_t> extents, Type type, Value start,
                           ArrayRef<Access> reads,
                           function_ref<Value(ValueRange, Value)> update) {
  Value scalar = local(label, type);
  SmallVector<Dim> dims;
  for (int64_t extent : outerExtents)
    dims.push_back({extent});
  for (int64_t extent : extents)
    dims.push_back({extent, tir::IterKind::Reduce});
  loops(extents, [&](ValueRange loopVars) {
    SmallVector<Value> bindings(outer);
    llvm::append_range(bindings, loopVars);
    block(
        label, dims, bindings, reads, {Access{scalar, {}}},
        [&](ValueRange vars) {
          store(update(vars, load(scalar, {})), scalar, {});
        },
        [&](ValueRange) { store(start, scalar, {}); });
  });
  return scalar;
}

void LayerBuilder::storeScalar(StringRef label, ValueRange outer, Value scalar,
                               Value result,
                               function_ref<Value(Value, ValueRange)> finish) {
  auto dims =
      map_to_vector(getShape(result), [](int64_t size) { return Dim{size}; });
  block(label, dims, outer, {Access{scalar, {}}}, {whole(result)},
        [&](ValueRange vars) {
          Value value = load(scalar, {});
          store(finish ? finish(value, vars) : value, result, vars);
        });
}

Value LayerBuilder::guarded(ArrayRef<Value> conditions, Value otherwise,
                            function_ref<Value()> inside) {
  if (conditions.empty())
    return inside();
  Value all = conditions.front();
  for (Value condition : conditions.drop_front())
    all = arith::AndIOp::create(builder, loc, all, condition);
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), all,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, inside());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}
