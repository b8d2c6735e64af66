//===- Memories.cpp - The memories of a device ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Memories.h"

#include "Evaluator.h"
#include "MatchAttempt.h"

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

LogicalResult MatchAttempt::checkPlaces() {
  auto places = pattern.getBody().getOps<PlaceOp>();
  if (places.empty())
    return success();
  auto accelerator = pattern->getParentOfType<AcceleratorOp>();
  for (auto memory : accelerator.getOps<MemoryOp>()) {
    // A tensor that is matched by two inputs is counted once.
    llvm::SetVector<std::pair<Value, RankedTensorType>> tensors;
    std::string names;
    for (PlaceOp place : places) {
      if (place.getMemory() != memory.getName())
        continue;
      for (Value tensor : place.getTensors()) {
        RankedTensorType type = match.getDeviceType(tensor);
        Value value = match.tensors.lookup(tensor);
        if (!type || !tensors.insert({value ? value : tensor, type}))
          continue;
        std::string name = getTensorName(tensor);
        names += ((names.empty() ? "" : ", ") + name + " " +
                  Twine(getNumBytes(type)))
                     .str();
      }
    }
    MemorySize size = getMemorySize(memory);
    if (tensors.empty() || (!size.bytes && size.problem.empty()))
      continue;
    if (!size.problem.empty()) {
      if (failed(fail(root, "the size of memory '" + memory.getName() + "' " +
                                size.problem)))
        return failure();
      continue;
    }
    int64_t needed = 0;
    for (auto [tensor, type] : tensors) {
      int64_t alignment = memory.getAlignment().value_or(1);
      int64_t bytes = getNumBytes(type);
      bool overflows =
          bytes > std::numeric_limits<int64_t>::max() - alignment ||
          llvm::AddOverflow<int64_t>(llvm::alignTo(needed, alignment), bytes,
                                     needed);
      if (overflows) {
        needed = std::numeric_limits<int64_t>::max();
        break;
      }
    }
    if (needed <= *size.bytes)
      continue;
    if (failed(fail(root, "needs " + Twine(needed) + " bytes of memory '" +
                              memory.getName() + "' (" + names +
                              "), which has " + Twine(*size.bytes))))
      return failure();
  }
  return success();
}
