//===- MatchSiblings.cpp - Results beside the root ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern may compute several results that do not depend on one another: two
// layers that share an input. Such a sibling is found forwards, from the shared
// tensor, which is already bound.
//
//===----------------------------------------------------------------------===//

#include "MatchAttempt.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Maximum number of visited uses of a shared tensor: avoids quadratic time for
/// a tensor that the whole graph uses.
static constexpr unsigned kMaxUses = 128;
static constexpr unsigned kMaxCandidates = 16;

namespace {
/// An operator on the path from a shared tensor to a sibling.
struct Step {
  SmallVector<StringRef> kinds;
  bool mayBeAbsent;
};
} // namespace

/// Returns the operations that can be `output`, the last of the graph first.
SmallVector<Operation *> MatchAttempt::findSiblings(Value output) {
  // Follow operands in the pattern to a bound tensor.
  SmallVector<Step> steps;
  Value tensor = output;
  while (!match.tensors.contains(tensor)) {
    if (auto choice = tensor.getDefiningOp<ChoiceOp>()) {
      Step &step = steps.emplace_back();
      step.mayBeAbsent = static_cast<bool>(choice.getOtherwise());
      for (Value alternative : choice.getAlternatives())
        step.kinds.push_back(alternative.getDefiningOp<OpOp>().getKind());
      OperandRange operands =
          choice.getAlternatives().front().getDefiningOp<OpOp>().getOperands_();
      tensor = choice.getOtherwise();
      if (!tensor && operands.empty())
        return {};
      if (!tensor)
        tensor = operands.front();
      continue;
    }
    auto opOp = tensor.getDefiningOp<OpOp>();
    if (!opOp)
      return {};
    steps.push_back({{opOp.getKind()}, false});
    OperandRange operands = opOp.getOperands_();
    auto next = llvm::find_if(
        operands, [&](Value value) { return match.tensors.contains(value); });
    if (next == operands.end())
      next = llvm::find_if(operands, [](Value value) {
        return isa<OpOp, ChoiceOp>(value.getDefiningOp());
      });
    if (next == operands.end())
      return {};
    tensor = *next;
  }

  // Then follow users in the graph.
  Value shared = match.tensors.lookup(tensor);
  llvm::SetVector<Value> values;
  values.insert(shared);
  for (const Step &step : llvm::reverse(steps)) {
    llvm::SetVector<Value> results;
    unsigned count = 0;
    for (Value value : values) {
      for (Operation *user : value.getUsers()) {
        if (++count > kMaxUses || results.size() == kMaxCandidates)
          break;
        if (user->getNumResults() == 1 &&
            llvm::is_contained(step.kinds, getOperatorKind(user)))
          results.insert(user->getResult(0));
      }
      if (step.mayBeAbsent)
        results.insert(value);
    }
    values = std::move(results);
  }

  llvm::SmallPtrSet<Operation *, 4> taken;
  for (auto [opOp, op] : bound)
    taken.insert(op);
  SmallVector<Operation *> ops;
  for (Value value : values)
    if (Operation *op = value.getDefiningOp();
        op && value != shared && op->getBlock() == root->getBlock() &&
        !taken.contains(op))
      ops.push_back(op);
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return rhs->isBeforeInBlock(lhs);
  });
  return ops;
}

LogicalResult MatchAttempt::bindSibling(Value output) {
  SmallVector<Operation *> candidates = findSiblings(output);
  if (!candidates.empty()) {
    Operation *op = candidates[decide(candidates.size())];
    return bind(output, op->getResult(0), op, "");
  }
  needed.insert(output);
  return fail(root, "nothing else shares a tensor with it that is a " +
                        describeWanted(output) + ", the pattern wants one");
}
