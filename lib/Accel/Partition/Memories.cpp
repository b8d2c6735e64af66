//===- Memories.cpp - Memories of a device --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Memories.h"

#include "Evaluator.h"

#include "uma/Accel/IR/TensorSize.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

MemorySize uma::accel::getMemorySize(MemoryOp memory) {
  if (memory.getSize().empty())
    return {};
  Block &block = memory.getSize().front();
  Value size = block.getTerminator()->getOperand(0);
  Evaluator::Numbers numbers;
  Evaluator evaluator(numbers);
  evaluator.evaluate(block);
  if (auto bytes = dyn_cast_or_null<IntegerAttr>(numbers.lookup(size)))
    return {bytes.getInt(), ""};
  return {std::nullopt, evaluator.getProblem(size).str()};
}

FailureOr<SmallVector<int64_t>>
uma::accel::computeResults(Block &body, std::string &problem) {
  Evaluator::Numbers numbers;
  Evaluator evaluator(numbers);
  evaluator.evaluate(body);
  SmallVector<int64_t> results;
  for (Value result : body.getTerminator()->getOperands()) {
    auto number = dyn_cast_or_null<IntegerAttr>(numbers.lookup(result));
    if (!number) {
      problem = evaluator.getProblem(result).str();
      return failure();
    }
    results.push_back(number.getInt());
  }
  return results;
}

FailureOr<SmallVector<TypedAttr>> uma::accel::computeArguments(CallOp call) {
  Evaluator::Numbers numbers;
  Evaluator evaluator(numbers);
  evaluator.evaluate(*call->getBlock());
  SmallVector<TypedAttr> result;
  for (auto [index, argument] : llvm::enumerate(call.getArguments())) {
    TypedAttr number = numbers.lookup(argument);
    if (!number)
      return mlir::emitError(call.getLoc())
             << "argument " << index + 1 << " of " << call.getCallee() << " "
             << evaluator.getProblem(argument);
    result.push_back(number);
  }
  return result;
}
