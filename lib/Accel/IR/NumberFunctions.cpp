//===- NumberFunctions.cpp - Functions of expressions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/IR/TensorSize.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

#include "uma/Accel/IR/NumberFunctionOpInterface.cpp.inc"

/// Largest rank that getNumberRange assumes.
static constexpr int64_t kMaxRank = 1000;

NumberFunctionOpInterface::Concept *
uma::accel::lookupNumberFunction(MLIRContext *context, StringRef name) {
  auto op =
      RegisteredOperationName::lookup(("uma.accel." + name).str(), context);
  return op ? op->getInterface<NumberFunctionOpInterface>() : nullptr;
}

SmallVector<StringRef> uma::accel::getNumberFunctions(MLIRContext *context) {
  SmallVector<StringRef> names;
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (op.hasInterface<NumberFunctionOpInterface>())
      names.push_back(op.stripDialect().rsplit('.').second);
  llvm::sort(names);
  return names;
}

static TypedAttr getIndexAttr(Operation *op, int64_t number) {
  return Builder(op->getContext()).getIndexAttr(number);
}

/// Returns the number that `get` computes from the tensor's type, or 0 if the
/// tensor is not part of the match.
static TypedAttr measure(Operation *op, const MatchView &match,
                         function_ref<int64_t(RankedTensorType)> get) {
  RankedTensorType type = match.getType(op->getOperand(0));
  return getIndexAttr(op, type ? get(type) : 0);
}

TypedAttr BytesOp::evaluateNumber(const MatchView &match) {
  return measure(*this, match, getNumBytes);
}
bool BytesOp::growsWithSizes() { return true; }
std::pair<int64_t, int64_t> BytesOp::getNumberRange() {
  return {0, kMaxTensorSize};
}

TypedAttr ElementsOp::evaluateNumber(const MatchView &match) {
  return measure(*this, match, getNumElements);
}
bool ElementsOp::growsWithSizes() { return true; }
std::pair<int64_t, int64_t> ElementsOp::getNumberRange() {
  return {0, kMaxTensorSize};
}

TypedAttr RankOp::evaluateNumber(const MatchView &match) {
  return measure(*this, match,
                 [](RankedTensorType type) { return type.getRank(); });
}
std::pair<int64_t, int64_t> RankOp::getNumberRange() { return {0, kMaxRank}; }

TypedAttr MacsOp::evaluateNumber(const MatchView &match) {
  return getIndexAttr(*this, match.getMACs());
}
bool MacsOp::growsWithSizes() { return true; }
std::pair<int64_t, int64_t> MacsOp::getNumberRange() {
  return {0, kMaxTensorSize};
}

bool PresentOp::isCondition() { return true; }
TypedAttr PresentOp::evaluateNumber(const MatchView &match) {
  auto choice = getTensor().getDefiningOp<ChoiceOp>();
  bool isPresent =
      match.isPresent(getTensor()) &&
      (!choice || !choice.getOtherwise() ||
       match.getAlternative(choice) < choice.getAlternatives().size());
  return Builder(getContext()).getBoolAttr(isPresent);
}
std::pair<int64_t, int64_t> PresentOp::getNumberRange() { return {-1, 0}; }

TypedAttr WhichOp::evaluateNumber(const MatchView &match) {
  auto choice = getTensor().getDefiningOp<ChoiceOp>();
  return getIndexAttr(*this, match.isPresent(getTensor())
                                 ? match.getAlternative(choice)
                                 : choice.getAlternatives().size());
}
std::pair<int64_t, int64_t> WhichOp::getNumberRange() {
  auto choice = getTensor().getDefiningOp<ChoiceOp>();
  if (!choice)
    return {0, INT64_MAX};
  int64_t count = choice.getAlternatives().size();
  return {0, choice.getOtherwise() ? count : count - 1};
}
