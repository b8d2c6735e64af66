//===- AccelInstructionOps.cpp - Instructions of a core -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/AccelOps.h"

#include "uma/Support/ReservedNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

StringRef InstructionOp::getOperandName(unsigned index) {
  return cast<StringAttr>(getOperandNames()[index]).getValue();
}

FailureOr<InstructionOp::Terms> InstructionOp::getTerms(bool emit) {
  // Products of sums may grow without bound.
  constexpr size_t mostTerms = 64;
  auto fail = [&](Location loc, const Twine &message) -> FailureOr<Terms> {
    if (emit)
      mlir::emitError(loc) << message;
    return failure();
  };
  Block &body = getBody().front();
  llvm::DenseMap<Value, Terms> known;
  for (BlockArgument argument : body.getArguments())
    known[argument] = {{argument.getArgNumber()}};
  for (Operation &op : body.without_terminator()) {
    if (!isa<arith::AddIOp, arith::MulIOp>(op))
      return fail(op.getLoc(), "an instruction adds and multiplies elements; "
                               "found " +
                                   op.getName().getStringRef());
    const Terms &lhs = known[op.getOperand(0)], &rhs = known[op.getOperand(1)];
    Terms terms = lhs;
    if (isa<arith::AddIOp>(op)) {
      llvm::append_range(terms, rhs);
    } else {
      terms.clear();
      for (const auto &x : lhs)
        for (const auto &y : rhs) {
          llvm::append_range(terms.emplace_back(x), y);
          llvm::sort(terms.back());
        }
    }
    if (terms.size() > mostTerms)
      return fail(op.getLoc(), "an instruction sums up to " + Twine(mostTerms) +
                                   " products");
    known[op.getResult(0)] = terms;
  }
  Terms terms = known[body.getTerminator()->getOperand(0)];
  llvm::sort(terms);
  return terms;
}

/// Returns the form that kernels can use, or std::nullopt.
static std::optional<InstructionOp::Dot> findDot(InstructionOp op) {
  auto getType = [&](unsigned i) {
    return cast<TypeAttr>(op.getOperandTypes()[i]).getValue();
  };
  ArrayRef<int64_t> counts = op.getCounts();
  for (unsigned data : {1, 2}) {
    unsigned weights = 3 - data;
    Type x = getType(data), w = getType(weights);
    bool isPairs = x.isSignlessInteger(16) && w.isSignlessInteger(16);
    bool isQuads = x.isUnsignedInteger(8) && w.isSignlessInteger(8);
    int64_t count = isPairs ? 2 : 4;
    if ((isPairs || isQuads) && counts[data] == count &&
        counts[weights] == count)
      return InstructionOp::Dot{data, weights, isPairs};
  }
  return std::nullopt;
}

InstructionOp::Dot InstructionOp::getDot() { return *findDot(*this); }

/// Returns an error about a condition of the preprocessor, or an empty string.
static std::string checkGuard(StringRef guard) {
  if (guard.trim().empty() || guard.contains('\n') || guard.contains('#'))
    return "is one line, e.g. guard \"defined(__ARM_FEATURE_SIMD32)\"";
  int depth = 0;
  for (char c : guard) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0)
      break;
  }
  return depth == 0 ? "" : "has parentheses that do not match";
}

LogicalResult InstructionOp::verify() {
  if (!isFieldNameInC(getName()))
    return emitOpError("has the name '") << getName() << "', which is no name "
                                         << "of a function in C";
  size_t count = getOperandNames().size();
  if (count != getOperandTypes().size() || count != getCounts().size())
    return emitOpError("has names, types and counts of different numbers of "
                       "operands");
  if (count != 3 ||
      !cast<TypeAttr>(getOperandTypes()[0]).getValue().isSignlessInteger(32) ||
      getCounts()[0] != 1)
    return emitOpError("has operands that no kernel can feed; expected a sum "
                       "of type i32, data and weights");
  llvm::StringSet<> seen;
  for (auto name : getOperandNames().getAsValueRange<StringAttr>()) {
    if (!isFieldNameInC(name))
      return emitOpError("calls an operand '")
             << name << "', which is no name of a variable in C";
    if (!seen.insert(name).second)
      return emitOpError("has two operands called '") << name << "'";
  }
  if (getLanes() != 1 && getLanes() != 4 && getLanes() != 8 && getLanes() != 16)
    return emitOpError("has ")
           << getLanes()
           << " lanes; the kernels' vectors have 4, 8 or 16 lanes of 32 bits, "
              "and 1 is a word in a register of the core";
  if (!findDot(*this)) {
    auto describe = [&](unsigned i) {
      std::string type;
      llvm::raw_string_ostream os(type);
      Type element = cast<TypeAttr>(getOperandTypes()[i]).getValue();
      if (element.isUnsignedInteger())
        os << 'u' << element.getIntOrFloatBitWidth();
      else
        os << element;
      return type + "[" + std::to_string(getCounts()[i]) + "]";
    };
    return emitOpError("has operands that no kernel can feed: ")
           << describe(1) << " and " << describe(2)
           << "; expected u8[4] and i8[4], or i16[2] and i16[2]: data and "
              "weights";
  }
  if (std::optional<StringRef> guard = getGuard())
    if (std::string error = checkGuard(*guard); !error.empty())
      return emitOpError("has a guard that ") << error;
  for (auto name : getOperandNames().getAsValueRange<StringAttr>()) {
    bool isFound = false;
    StringRef rest = getCode();
    while (!rest.empty() && !isFound) {
      rest =
          rest.drop_until([](char c) { return llvm::isAlnum(c) || c == '_'; });
      StringRef word =
          rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      isFound = word == name;
      rest = rest.drop_front(word.size());
    }
    if (!isFound)
      return emitOpError("has C that does not use the operand '")
             << name << "'";
  }
  return success();
}

LogicalResult InstructionOp::verifyRegions() {
  Block &body = getBody().front();
  int64_t numElements = 0;
  for (int64_t count : getCounts())
    numElements += count;
  if (body.getNumArguments() != size_t(numElements) ||
      !llvm::all_of(body.getArgumentTypes(), llvm::IsaPred<IndexType>))
    return emitOpError("expects a body with ")
           << numElements << " arguments of type index, one for each element";
  if (!isa<YieldOp>(body.back()))
    return emitOpError("expects a body that ends with uma.accel.yield");
  FailureOr<Terms> terms = getTerms(/*emit=*/true);
  if (failed(terms))
    return failure();
  Terms expected = {{0}};
  int64_t count = getCounts()[1];
  for (int64_t i = 0; i < count; ++i)
    expected.push_back({unsigned(1 + i), unsigned(1 + count + i)});
  if (*terms == expected)
    return success();
  auto format = [&](ArrayRef<unsigned> product) {
    return llvm::join(
        llvm::map_range(
            product,
            [&](unsigned element) -> std::string {
              if (element == 0)
                return getOperandName(0).str();
              unsigned operand = element > count ? 2 : 1;
              unsigned i = (element - 1) % count;
              return (getOperandName(operand) + "[" + Twine(i) + "]").str();
            }),
        " * ");
  };
  auto formatAll = [&](const Terms &all) {
    return llvm::join(llvm::map_range(all, format), " + ");
  };
  return mlir::emitError(body.back().getLoc())
         << "instruction '" << getName() << "' computes " << formatAll(*terms)
         << ", which no kernel can use; expected " << formatAll(expected);
}

bool uma::accel::hasInstructions(ModuleOp module) {
  return llvm::any_of(module.getOps<AcceleratorOp>(), [](AcceleratorOp op) {
    return !op.getOps<InstructionOp>().empty();
  });
}
