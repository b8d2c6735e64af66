//===- ScalarConverter.cpp - arith operations in EmitC --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ScalarConverter.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Support/Float8.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using emitc::CmpPredicate;

Type uma::convertScalarType(Type type) {
  MLIRContext *context = type.getContext();
  if (auto vector = dyn_cast<VectorType>(type))
    return convertVectorType(vector);
  if (type.isIndex())
    return emitc::PtrDiffTType::get(context);
  if (isFloat8(type))
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  if (type.isF16() || type.isBF16())
    return IntegerType::get(context, 16, IntegerType::Unsigned);
  if (type.isF32() || type.isF64())
    return type;
  if (type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
      type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
      type.isSignlessInteger(64))
    return type;
  return nullptr;
}

Type uma::convertVectorType(VectorType type) {
  Type element = type.getElementType();
  int64_t lanes = type.getNumElements();
  if (type.getRank() != 1 || type.isScalable() || lanes < 2 || lanes > 64 ||
      !llvm::isPowerOf2_64(lanes))
    return nullptr;
  // Comparisons return all ones or zeros in lanes of the compared width.
  // Narrow integers are in lanes of 32 bits, whose other bits have no meaning.
  // So are numbers of f16 and bf16 in lanes of f32.
  if (element.isF64())
    return emitc::OpaqueType::get(type.getContext(),
                                  ("uma_f64x" + Twine(lanes)).str());
  bool isFloat = element.isF32() || element.isF16() || element.isBF16();
  if (!isFloat && !element.isInteger(32) && !element.isInteger(1) &&
      !element.isInteger(8) && !element.isInteger(16))
    return nullptr;
  return emitc::OpaqueType::get(
      type.getContext(),
      ((isFloat ? "uma_f32x" : "uma_i32x") + Twine(lanes)).str());
}

Type uma::convertElementType(Type type) {
  if (type.isSignlessInteger(1))
    return IntegerType::get(type.getContext(), 8, IntegerType::Unsigned);
  return convertScalarType(type);
}

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

Value ScalarConverter::literal(StringRef text, Type type) {
  return emitc::LiteralOp::create(builder, loc, type, text);
}

Value ScalarConverter::cast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  // Fold a round trip between the signed and unsigned type of one width, which
  // is frequent in chains of wrapping arithmetic.
  if (auto inner = value.getDefiningOp<emitc::CastOp>()) {
    Value source = inner.getSource();
    if (source.getType() == type && type.isIntOrFloat() &&
        value.getType().isInteger(type.getIntOrFloatBitWidth()))
      return source;
  }
  return emitc::CastOp::create(builder, loc, type, value);
}

/// Returns true for vectors of the GNU extension.
static bool isVector(Value value) {
  auto type = dyn_cast<emitc::OpaqueType>(value.getType());
  return type && (type.getValue().starts_with("uma_f32x") ||
                  type.getValue().starts_with("uma_i32x"));
}

/// Returns the result type of a vector comparison.
static Type getMaskType(Value vector) {
  StringRef name = cast<emitc::OpaqueType>(vector.getType()).getValue();
  return emitc::OpaqueType::get(vector.getContext(),
                                ("uma_i32x" + name.drop_front(8)).str());
}

Value ScalarConverter::compare(CmpPredicate predicate, Value left,
                               Value right) {
  Type type = isVector(left) ? getMaskType(left) : builder.getI1Type();
  return emitc::CmpOp::create(builder, loc, type, predicate, left, right);
}

Value ScalarConverter::select(Value condition, Value left, Value right) {
  // gcc has no ?: on vectors in C.
  if (isVector(condition)) {
    StringRef name = llvm::cast<emitc::OpaqueType>(left.getType()).getValue();
    auto [element, lanes] = name.drop_front(4).split('x');
    int64_t count = 0;
    (void)lanes.getAsInteger(10, count);
    auto type = VectorType::get({count}, builder.getF32Type());
    return call(prologue.requireVector(type, ("select_" + element).str()),
                left.getType(), {condition, left, right});
  }
  return emitc::ConditionalOp::create(builder, loc, left.getType(), condition,
                                      left, right);
}

Value ScalarConverter::call(StringRef callee, Type type, ValueRange operands) {
  return emitc::CallOpaqueOp::create(builder, loc, type, callee, operands)
      .getResult(0);
}

Value ScalarConverter::logicalNot(Value value) {
  if (isVector(value))
    return emitc::BitwiseNotOp::create(builder, loc, value.getType(), value);
  return emitc::LogicalNotOp::create(builder, loc, builder.getI1Type(), value);
}

Value ScalarConverter::logicalOr(Value left, Value right) {
  if (isVector(left))
    return emitc::BitwiseOrOp::create(builder, loc, left.getType(), left,
                                      right);
  return emitc::LogicalOrOp::create(builder, loc, builder.getI1Type(), left,
                                    right);
}

/// Returns the unsigned type with the width of `type`.
static Type getUnsigned(Type type) {
  if (isa<emitc::PtrDiffTType>(type))
    return emitc::SizeTType::get(type.getContext());
  return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(),
                          IntegerType::Unsigned);
}

Value ScalarConverter::toUnsigned(Value value) {
  return cast(value, getUnsigned(value.getType()));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Returns an upper bound on the number of bits, including the sign, of an
/// integer value.
static unsigned getSignificantBits(Value value, unsigned depth = 0) {
  unsigned width =
      value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
  Operation *op = value.getDefiningOp();
  if (!op || depth > 4)
    return width;
  auto bits = [&](unsigned operand) {
    return getSignificantBits(op->getOperand(operand), depth + 1);
  };
  unsigned result =
      TypeSwitch<Operation *, unsigned>(op)
          .Case([&](arith::ConstantOp constant) {
            auto attr = dyn_cast<IntegerAttr>(constant.getValue());
            return attr ? attr.getValue().getSignificantBits() : width;
          })
          .Case([&](arith::ExtSIOp) { return bits(0); })
          .Case([&](arith::ExtUIOp) { return bits(0) + 1; })
          .Case<arith::AddIOp, arith::SubIOp>(
              [&](auto) { return std::max(bits(0), bits(1)) + 1; })
          .Case([&](arith::MulIOp) { return bits(0) + bits(1); })
          .Case<arith::MaxSIOp, arith::MinSIOp>(
              [&](auto) { return std::max(bits(0), bits(1)); })
          .Default(width);
  // A value that may have wrapped uses all bits of its type.
  return std::min(result, width);
}

/// Returns true if the operation cannot overflow in signed arithmetic.
static bool fitsSigned(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    if (flags.hasNoSignedWrap())
      return true;
  unsigned left = getSignificantBits(op->getOperand(0));
  unsigned right = getSignificantBits(op->getOperand(1));
  unsigned needed =
      isa<arith::MulIOp>(op) ? left + right : std::max(left, right) + 1;
  return needed <= op->getResult(0).getType().getIntOrFloatBitWidth();
}

template <typename EmitCOp>
Value ScalarConverter::wrapping(Operation *op, ValueRange operands) {
  Type type = operands[0].getType();
  if (isa<emitc::PtrDiffTType>(type) || isVector(operands[0]))
    return binary<EmitCOp>(operands[0], operands[1], type);
  unsigned width = type.getIntOrFloatBitWidth();
  // C computes narrow types in int, where two of them never overflow.
  if (width < 32)
    return cast(binary<EmitCOp>(operands[0], operands[1], builder.getI32Type()),
                type);
  if (fitsSigned(op))
    return binary<EmitCOp>(operands[0], operands[1], type);
  return inUnsigned<EmitCOp>(operands);
}

Value ScalarConverter::convertCmpI(arith::CmpIOp op, ValueRange operands) {
  Value left = operands[0], right = operands[1];
  arith::CmpIPredicate predicate = op.getPredicate();
  using P = arith::CmpIPredicate;
  bool isOrdering = predicate != P::eq && predicate != P::ne;
  bool isBool = left.getType().isInteger(1);
  // As signed numbers the values of i1 are 0 and -1, so the order is reversed.
  if (isBool && isOrdering &&
      llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, predicate))
    std::swap(left, right);
  switch (predicate) {
  case P::eq:
    return compare(CmpPredicate::eq, left, right);
  case P::ne:
    return compare(CmpPredicate::ne, left, right);
  case P::slt:
    return compare(CmpPredicate::lt, left, right);
  case P::sle:
    return compare(CmpPredicate::le, left, right);
  case P::sgt:
    return compare(CmpPredicate::gt, left, right);
  case P::sge:
    return compare(CmpPredicate::ge, left, right);
  default:
    break;
  }
  if (!isBool) {
    left = toUnsigned(left);
    right = toUnsigned(right);
  }
  switch (predicate) {
  case P::ult:
    return compare(CmpPredicate::lt, left, right);
  case P::ule:
    return compare(CmpPredicate::le, left, right);
  case P::ugt:
    return compare(CmpPredicate::gt, left, right);
  default:
    return compare(CmpPredicate::ge, left, right);
  }
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Value ScalarConverter::convertCmpF(arith::CmpFOp op, ValueRange operands) {
  Value left = operands[0], right = operands[1];
  using P = arith::CmpFPredicate;
  auto isNaN = [&](Value value) {
    return compare(CmpPredicate::ne, value, value);
  };
  // C's comparisons are false on NaN, except !=, which is true. The other
  // predicates are negations of them.
  switch (op.getPredicate()) {
  case P::AlwaysFalse:
    return literal("false", builder.getI1Type());
  case P::AlwaysTrue:
    return literal("true", builder.getI1Type());
  case P::OEQ:
    return compare(CmpPredicate::eq, left, right);
  case P::OLT:
    return compare(CmpPredicate::lt, left, right);
  case P::OLE:
    return compare(CmpPredicate::le, left, right);
  case P::OGT:
    return compare(CmpPredicate::gt, left, right);
  case P::OGE:
    return compare(CmpPredicate::ge, left, right);
  case P::UNE:
    return compare(CmpPredicate::ne, left, right);
  case P::ULT:
    return logicalNot(compare(CmpPredicate::ge, left, right));
  case P::ULE:
    return logicalNot(compare(CmpPredicate::gt, left, right));
  case P::UGT:
    return logicalNot(compare(CmpPredicate::le, left, right));
  case P::UGE:
    return logicalNot(compare(CmpPredicate::lt, left, right));
  case P::ONE:
    return logicalOr(compare(CmpPredicate::lt, left, right),
                     compare(CmpPredicate::gt, left, right));
  case P::UEQ:
    return logicalNot(logicalOr(compare(CmpPredicate::lt, left, right),
                                compare(CmpPredicate::gt, left, right)));
  case P::UNO:
    return logicalOr(isNaN(left), isNaN(right));
  case P::ORD:
    return logicalNot(logicalOr(isNaN(left), isNaN(right)));
  }
  llvm_unreachable("every predicate is handled");
}

FailureOr<Value> ScalarConverter::convertConstant(arith::ConstantOp op) {
  Type type = convertScalarType(op.getType());
  return TypeSwitch<Attribute, FailureOr<Value>>(op.getValue())
      .Case([&](FloatAttr attr) -> FailureOr<Value> {
        const APFloat &value = attr.getValue();
        if (!isa<FloatType>(type))
          return literal(toCLiteral(value.bitcastToAPInt(), false), type);
        if (!value.isFinite())
          prologue.requireMath();
        return literal(toCLiteral(value), type);
      })
      .Case([&](IntegerAttr attr) -> FailureOr<Value> {
        if (type.isInteger(1))
          return literal(attr.getValue().isZero() ? "false" : "true", type);
        return literal(toCLiteral(attr.getValue()), type);
      })
      .Case([&](DenseElementsAttr attr) -> FailureOr<Value> {
        auto vector = dyn_cast<VectorType>(attr.getType());
        if (vector && attr.isSplat() && vector.getElementType().isInteger(32))
          return call(prologue.requireVector(vector, "splat_i32"), type,
                      literal(toCLiteral(attr.getSplatValue<APInt>()),
                              vector.getElementType()));
        if (!vector || !attr.isSplat() ||
            (!vector.getElementType().isF32() &&
             !vector.getElementType().isF64()))
          return op.emitOpError("of type ")
                 << op.getType() << " has no counterpart in C";
        APFloat value = attr.getSplatValue<APFloat>();
        if (!value.isFinite())
          prologue.requireMath();
        StringRef function =
            vector.getElementType().isF32() ? "splat_f32" : "splat_f64";
        return call(prologue.requireVector(vector, function), type,
                    literal(toCLiteral(value), vector.getElementType()));
      })
      .Default([&](Attribute) -> FailureOr<Value> {
        return op.emitOpError("of type ")
               << op.getType() << " has no counterpart in C";
      });
}

FailureOr<Value> ScalarConverter::convertArith(Operation *op,
                                               ValueRange operands) {
  Type type = operands[0].getType();
  auto minMax = [&](CmpPredicate predicate, bool isUnsigned) {
    if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType()))
      return call(prologue.requireVector(vector, predicate == CmpPredicate::gt
                                                     ? "max_i32"
                                                     : "min_i32"),
                  operands[0].getType(), operands);
    Value left = isUnsigned ? toUnsigned(operands[0]) : operands[0];
    Value right = isUnsigned ? toUnsigned(operands[1]) : operands[1];
    return select(compare(predicate, left, right), operands[0], operands[1]);
  };
  // NaN propagates in `maximumf`, but not in `maxnumf`. The sign of zero is
  // ignored, as in <math.h>'s fmaxf.
  auto minMaxF = [&](CmpPredicate predicate, unsigned nanOperand) {
    Value isNaN =
        compare(CmpPredicate::ne, operands[nanOperand], operands[nanOperand]);
    Value better = compare(predicate, operands[0], operands[1]);
    return select(logicalOr(better, isNaN), operands[0], operands[1]);
  };
  bool isBool = type.isInteger(1);
  return TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case([&](arith::AddFOp) {
        return binary<emitc::AddOp>(operands[0], operands[1], type);
      })
      .Case([&](arith::SubFOp) {
        return binary<emitc::SubOp>(operands[0], operands[1], type);
      })
      .Case([&](arith::MulFOp) {
        return binary<emitc::MulOp>(operands[0], operands[1], type);
      })
      .Case([&](arith::DivFOp) {
        return binary<emitc::DivOp>(operands[0], operands[1], type);
      })
      .Case([&](arith::RemFOp) {
        prologue.requireMath();
        return call(type.isF64() ? "fmod" : "fmodf", type, operands);
      })
      .Case([&](arith::NegFOp) -> Value {
        // "-" followed by "-1.0f" would be "--".
        if (auto constant = operands[0].getDefiningOp<emitc::LiteralOp>())
          return literal(("(-(" + constant.getValue() + "))").str(), type);
        return emitc::UnaryMinusOp::create(builder, loc, type, operands[0]);
      })
      .Case([&](arith::MaximumFOp) { return minMaxF(CmpPredicate::gt, 0); })
      .Case([&](arith::MinimumFOp) { return minMaxF(CmpPredicate::lt, 0); })
      .Case([&](arith::MaxNumFOp) { return minMaxF(CmpPredicate::gt, 1); })
      .Case([&](arith::MinNumFOp) { return minMaxF(CmpPredicate::lt, 1); })
      .Case([&](arith::AddIOp) {
        // Modulo 2, addition and subtraction are inequality.
        return isBool ? compare(CmpPredicate::ne, operands[0], operands[1])
                      : wrapping<emitc::AddOp>(op, operands);
      })
      .Case([&](arith::SubIOp) {
        return isBool ? compare(CmpPredicate::ne, operands[0], operands[1])
                      : wrapping<emitc::SubOp>(op, operands);
      })
      .Case([&](arith::MulIOp) -> Value {
        if (isBool)
          return emitc::LogicalAndOp::create(builder, loc, type, operands[0],
                                             operands[1]);
        return wrapping<emitc::MulOp>(op, operands);
      })
      .Case([&](arith::DivSIOp) { return bitwise<emitc::DivOp>(operands); })
      .Case([&](arith::RemSIOp) { return bitwise<emitc::RemOp>(operands); })
      .Case([&](arith::DivUIOp) { return inUnsigned<emitc::DivOp>(operands); })
      .Case([&](arith::RemUIOp) { return inUnsigned<emitc::RemOp>(operands); })
      .Case([&](arith::MaxSIOp) { return minMax(CmpPredicate::gt, false); })
      .Case([&](arith::MinSIOp) { return minMax(CmpPredicate::lt, false); })
      .Case([&](arith::MaxUIOp) { return minMax(CmpPredicate::gt, true); })
      .Case([&](arith::MinUIOp) { return minMax(CmpPredicate::lt, true); })
      .Case([&](arith::AndIOp) -> Value {
        if (isBool)
          return emitc::LogicalAndOp::create(builder, loc, type, operands[0],
                                             operands[1]);
        return bitwise<emitc::BitwiseAndOp>(operands);
      })
      .Case([&](arith::OrIOp) -> Value {
        return isBool ? logicalOr(operands[0], operands[1])
                      : bitwise<emitc::BitwiseOrOp>(operands);
      })
      .Case([&](arith::XOrIOp) -> Value {
        if (!isBool)
          return bitwise<emitc::BitwiseXorOp>(operands);
        if (matchPattern(op->getOperand(1), m_One()))
          return logicalNot(operands[0]);
        return compare(CmpPredicate::ne, operands[0], operands[1]);
      })
      .Case([&](arith::ShLIOp) {
        // Narrow types are widened to uint32_t: shifting a 1 into the sign bit
        // of an int would be undefined.
        Type wide =
            isa<emitc::PtrDiffTType>(type) || type.getIntOrFloatBitWidth() > 32
                ? getUnsigned(type)
                : builder.getIntegerType(32, false);
        return cast(binary<emitc::BitwiseLeftShiftOp>(cast(operands[0], wide),
                                                      operands[1], wide),
                    type);
      })
      .Case([&](arith::ShRSIOp) {
        // Shifts of negative values are arithmetic in all compilers, though not
        // guaranteed by C99.
        return bitwise<emitc::BitwiseRightShiftOp>(operands);
      })
      .Case([&](arith::ShRUIOp) {
        Value left = toUnsigned(operands[0]);
        return cast(binary<emitc::BitwiseRightShiftOp>(left, operands[1],
                                                       left.getType()),
                    type);
      })
      .Case([&](arith::CmpIOp cmp) { return convertCmpI(cmp, operands); })
      .Case([&](arith::CmpFOp cmp) { return convertCmpF(cmp, operands); })
      .Case([&](arith::SelectOp) {
        return select(operands[0], operands[1], operands[2]);
      })
      .Default([&](Operation *) -> FailureOr<Value> {
        return isVector(operands[0]) ? convertLanes(op, operands[0])
                                     : convertCast(op, operands);
      });
}

FailureOr<Value> ScalarConverter::convert(Operation *op, ValueRange operands) {
  loc = op->getLoc();
  if (op->getNumResults() != 1)
    return op->emitOpError("cannot be expressed in C");
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!convertScalarType(type))
      return op->emitOpError("has a value of type ")
             << type << ", which C has no type for";
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return convertConstant(constant);
  // In C, 8-bit and 16-bit floats are bit patterns that may only be moved and
  // converted.
  bool moves =
      isa<arith::ExtFOp, arith::TruncFOp, arith::SelectOp, arith::BitcastOp>(
          op);
  for (Value operand : op->getOperands())
    if (Type type = operand.getType();
        !moves && (type.isF16() || type.isBF16() || isFloat8(type)))
      return op->emitOpError("computes with ")
             << operand.getType()
             << ", which C99 has no arithmetic for; compute in f32 between "
                "'arith.extf' and 'arith.truncf'";
  if (op->getName().getDialectNamespace() == "math")
    return convertMath(op, operands);
  return convertArith(op, operands);
}
