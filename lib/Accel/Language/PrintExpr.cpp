//===- PrintExpr.cpp - Printer of expressions -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Inverse of ParseExpr.cpp. Omits conversions between numbers, which the
// language inserts implicitly.
//
//===----------------------------------------------------------------------===//

#include "DescriptionPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

std::string language::formatFloat(double value) {
  SmallString<32> text;
  llvm::APFloat(value).toString(text, /*FormatPrecision=*/0,
                                /*FormatMaxPadding=*/6);
  StringRef written(text);
  if (written.contains('.') || written.contains('E')) {
    // The language writes 1e-5, LLVM writes 1.0E-5.
    std::string lower = written.lower();
    return lower;
  }
  return written.str() + ".0";
}

namespace {
struct Infix {
  StringRef spelling;
  unsigned precedence;
};
} // namespace

static constexpr unsigned kUnaryPrecedence = 7;

static std::optional<Infix> getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Infix{"==", 3};
  case arith::CmpIPredicate::ne:
    return Infix{"!=", 3};
  case arith::CmpIPredicate::slt:
    return Infix{"<", 4};
  case arith::CmpIPredicate::sle:
    return Infix{"<=", 4};
  case arith::CmpIPredicate::sgt:
    return Infix{">", 4};
  case arith::CmpIPredicate::sge:
    return Infix{">=", 4};
  default:
    return std::nullopt;
  }
}

static std::optional<Infix> getComparison(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return Infix{"==", 3};
  case arith::CmpFPredicate::UNE:
    return Infix{"!=", 3};
  case arith::CmpFPredicate::OLT:
    return Infix{"<", 4};
  case arith::CmpFPredicate::OLE:
    return Infix{"<=", 4};
  case arith::CmpFPredicate::OGT:
    return Infix{">", 4};
  case arith::CmpFPredicate::OGE:
    return Infix{">=", 4};
  default:
    return std::nullopt;
  }
}

/// Returns the language's infix operator for an operation, or std::nullopt if
/// it has none.
static std::optional<Infix> getInfix(Operation *op) {
  using Result = std::optional<Infix>;
  return TypeSwitch<Operation *, Result>(op)
      .Case<arith::CmpIOp, arith::CmpFOp>(
          [](auto compare) { return getComparison(compare.getPredicate()); })
      .Case([](arith::OrIOp) { return Infix{"||", 1}; })
      .Case([](arith::AndIOp) { return Infix{"&&", 2}; })
      .Case<arith::AddIOp, arith::AddFOp>([](auto) { return Infix{"+", 5}; })
      .Case<arith::SubIOp, arith::SubFOp>([](auto) { return Infix{"-", 5}; })
      .Case<arith::MulIOp, arith::MulFOp>([](auto) { return Infix{"*", 6}; })
      .Case<arith::DivSIOp, arith::DivFOp>([](auto) { return Infix{"/", 6}; })
      .Case([](arith::RemSIOp) { return Infix{"%", 6}; })
      .Default([](Operation *) { return Result(); });
}

static bool isConstant(Value value, int64_t expected) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto integer =
      constant ? dyn_cast<IntegerAttr>(constant.getValue()) : nullptr;
  return integer &&
         (integer.getType().isInteger(1)
              ? integer.getValue().getZExtValue() == uint64_t(expected)
              : integer.getInt() == expected);
}

FailureOr<std::string> DescriptionPrinter::formatExpr(Operation *user,
                                                      Value value,
                                                      unsigned precedence) {
  if (budget == 0)
    return reportUnwritable(user, "an expression of this size");
  --budget;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (isa<EngineOp>(parent))
      return EngineOp::getArgumentNames()[number].str();
    if (isa<TokensOp>(parent))
      return TokensOp::getArgumentNames()[number].str();
    if (isa<LayersOp>(parent))
      return LayersOp::getArgumentNames()[number].str();
    if (isa<PathOp>(parent))
      return PathOp::getArgumentNames()[number].str();
    // The size of a transfer in bytes.
    return std::string("bytes");
  }
  Operation *op = value.getDefiningOp();
  if (auto array = dyn_cast<ArrayOp>(op)) {
    FailureOr<std::string> count = formatExpr(array, array.getCount());
    if (failed(count))
      return failure();
    return array.getFunction().str() + "(" + getName(array.getTensor()) + ", " +
           *count + ")";
  }
  if (isa<AccelTensorType>(value.getType()))
    return getName(value);
  if (auto dim = dyn_cast<DimOp>(op))
    return dim.getName().str();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    Attribute number = constant.getValue();
    if (auto real = dyn_cast<FloatAttr>(number);
        real && value.getType().isF64())
      return formatFloat(real.getValueAsDouble());
    if (auto integer = dyn_cast<IntegerAttr>(number);
        integer && value.getType().isIndex())
      return std::to_string(integer.getInt());
    std::string type;
    llvm::raw_string_ostream(type) << value.getType();
    return reportUnwritable(op, "a constant of type " + type);
  }
  return formatOperation(op, precedence);
}

FailureOr<std::string>
DescriptionPrinter::formatOperation(Operation *op, unsigned precedence) {
  auto inParentheses = [&](const std::string &text, unsigned own) {
    return own < precedence ? "(" + text + ")" : text;
  };
  auto formatUnary = [&](StringRef spelling,
                         Value operand) -> FailureOr<std::string> {
    FailureOr<std::string> text = formatExpr(op, operand, kUnaryPrecedence);
    if (failed(text))
      return failure();
    return spelling.str() + *text;
  };
  auto formatFunction = [&](StringRef name) -> FailureOr<std::string> {
    std::string text = name.str() + "(";
    for (Value operand : op->getOperands()) {
      FailureOr<std::string> argument = formatExpr(op, operand);
      if (failed(argument))
        return failure();
      text += (text.back() == '(' ? "" : ", ") + *argument;
    }
    return text + ")";
  };

  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::SIToFPOp>(op))
    return formatExpr(op, op->getOperand(0), precedence);
  if (isa<arith::NegFOp>(op) ||
      (isa<arith::SubIOp>(op) && isConstant(op->getOperand(0), 0)))
    return formatUnary("-", op->getOperands().back());
  if (isa<arith::XOrIOp>(op) && isConstant(op->getOperand(1), 1) &&
      op->getResult(0).getType().isInteger(1))
    return formatUnary("!", op->getOperand(0));
  if (isa<arith::MinSIOp, arith::MinimumFOp>(op))
    return formatFunction("min");
  if (isa<arith::MaxSIOp, arith::MaximumFOp>(op))
    return formatFunction("max");
  if (isa<NumberFunctionOpInterface>(op))
    return formatFunction(op->getName().stripDialect().rsplit('.').second);
  if (auto attribute = dyn_cast<TargetAttributeOp>(op))
    return attribute.getName().str();
  if (auto attribute = dyn_cast<AttributeIsOp>(op))
    return inParentheses(
        (attribute.getName() + " == " + quoteText(attribute.getValue())).str(),
        3);

  std::optional<Infix> infix = getInfix(op);
  if (!infix)
    return reportUnwritable(op, "'" + op->getName().getStringRef() + "'");
  FailureOr<std::string> lhs =
      formatExpr(op, op->getOperand(0), infix->precedence);
  if (failed(lhs))
    return failure();
  FailureOr<std::string> rhs =
      formatExpr(op, op->getOperand(1), infix->precedence + 1);
  if (failed(rhs))
    return failure();
  return inParentheses(*lhs + " " + infix->spelling.str() + " " + *rhs,
                       infix->precedence);
}
