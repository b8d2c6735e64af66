//===- NumberProgram.cpp - Integer arithmetic of descriptions -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/NumberProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static std::optional<int64_t> getInteger(TypedAttr number) {
  if (auto condition = dyn_cast_or_null<BoolAttr>(number))
    return condition.getValue();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(number))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}

/// Returns whether `compute` implements the operation.
static bool isSupported(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
             arith::RemSIOp, arith::CeilDivSIOp, arith::MinSIOp, arith::MaxSIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp,
             arith::CmpIOp, arith::IndexCastOp, arith::IndexCastUIOp,
             arith::ExtUIOp>(op);
}

NumberProgram::NumberProgram(Block &block,
                             llvm::function_ref<TypedAttr(Value)> getConstant) {
  auto compiled = std::make_shared<Code>();
  auto addSlot = [&](Value value, int64_t number, bool isVariable) {
    compiled->slots[value] = numbers.size();
    numbers.push_back(number);
    compiled->variable.push_back(isVariable);
  };
  for (BlockArgument argument : block.getArguments())
    addSlot(argument, 0, /*isVariable=*/true);
  for (Operation &op : block) {
    if (op.getNumResults() != 1)
      continue;
    Value result = op.getResult(0);
    if (!result.getType().isIntOrIndex())
      continue;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      addSlot(result, *getInteger(constant.getValue()), /*isVariable=*/false);
    } else if (isa_and_present<arith::ArithDialect>(op.getDialect())) {
      if (isSupported(&op))
        addOperation(op, *compiled);
    } else if (TypedAttr number = getConstant(result)) {
      if (std::optional<int64_t> integer = getInteger(number))
        addSlot(result, *integer, /*isVariable=*/false);
    } else {
      addSlot(result, 0, /*isVariable=*/true);
    }
  }
  code = std::move(compiled);
  run();
}

void NumberProgram::addOperation(Operation &op, Code &code) {
  Instruction instruction{&op, static_cast<unsigned>(numbers.size()), {}};
  bool isVariable = false;
  for (Value operand : op.getOperands()) {
    auto slot = code.slots.find(operand);
    if (slot == code.slots.end())
      return;
    instruction.operands.push_back(slot->second);
    isVariable |= code.variable[slot->second];
  }
  code.slots[op.getResult(0)] = instruction.result;
  numbers.push_back(0);
  code.variable.push_back(isVariable);
  code.instructions.push_back(std::move(instruction));
}

bool NumberProgram::isVariable(Value value) const {
  return code->variable[code->slots.at(value)];
}

static int64_t compare(arith::CmpIPredicate predicate, int64_t lhs,
                       int64_t rhs) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return lhs == rhs;
  case arith::CmpIPredicate::ne:
    return lhs != rhs;
  case arith::CmpIPredicate::slt:
    return lhs < rhs;
  case arith::CmpIPredicate::sle:
    return lhs <= rhs;
  case arith::CmpIPredicate::sgt:
    return lhs > rhs;
  case arith::CmpIPredicate::sge:
    return lhs >= rhs;
  case arith::CmpIPredicate::ult:
    return uint64_t(lhs) < uint64_t(rhs);
  case arith::CmpIPredicate::ule:
    return uint64_t(lhs) <= uint64_t(rhs);
  case arith::CmpIPredicate::ugt:
    return uint64_t(lhs) > uint64_t(rhs);
  case arith::CmpIPredicate::uge:
    return uint64_t(lhs) >= uint64_t(rhs);
  }
  return 0;
}

/// Computes one operation, as arith defines it, in 64 bits.
static int64_t compute(Operation *op, ArrayRef<int64_t> in) {
  // The quotient of the smallest number and -1 has no 64 bits.
  auto divide = [&](auto quotient) {
    bool isDefined = in[1] != 0 && (in[1] != -1 || in[0] != INT64_MIN);
    return isDefined ? int64_t(quotient()) : int64_t(0);
  };
  auto wrap = [&](auto operation) {
    return static_cast<int64_t>(operation(uint64_t(in[0]), uint64_t(in[1])));
  };
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](arith::AddIOp) { return wrap(std::plus<uint64_t>()); })
      .Case([&](arith::SubIOp) { return wrap(std::minus<uint64_t>()); })
      .Case([&](arith::MulIOp) { return wrap(std::multiplies<uint64_t>()); })
      .Case(
          [&](arith::DivSIOp) { return divide([&] { return in[0] / in[1]; }); })
      .Case(
          [&](arith::RemSIOp) { return divide([&] { return in[0] % in[1]; }); })
      .Case([&](arith::CeilDivSIOp) {
        return divide([&] {
          return in[0] / in[1] +
                 (in[0] % in[1] != 0 && (in[0] < 0) == (in[1] < 0));
        });
      })
      .Case([&](arith::MinSIOp) { return std::min(in[0], in[1]); })
      .Case([&](arith::MaxSIOp) { return std::max(in[0], in[1]); })
      .Case([&](arith::AndIOp) { return in[0] & in[1]; })
      .Case([&](arith::OrIOp) { return in[0] | in[1]; })
      .Case([&](arith::XOrIOp) { return in[0] ^ in[1]; })
      .Case([&](arith::SelectOp) { return in[0] ? in[1] : in[2]; })
      .Case([&](arith::CmpIOp cmp) {
        return compare(cmp.getPredicate(), in[0], in[1]);
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) { return in[0]; })
      .Default([](Operation *) { return int64_t(0); });
}

void NumberProgram::run() {
  SmallVector<int64_t, 3> operands;
  for (const Instruction &instruction : code->instructions) {
    operands.clear();
    for (unsigned operand : instruction.operands)
      operands.push_back(numbers[operand]);
    numbers[instruction.result] = compute(instruction.op, operands);
  }
}
