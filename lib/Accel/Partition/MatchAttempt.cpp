//===- MatchAttempt.cpp - Structure of a match ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Walks the pattern backwards from its root, so that each operator is bound
// before its operands are visited. Iterates instead of recursing, since the
// depth depends on the description. Tensors that are not reached, because the
// match takes another alternative, are absent.
//
//===----------------------------------------------------------------------===//

#include "MatchAttempt.h"

#include "Constants.h"
#include "MatchedKinds.h"

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Describes the producer of a value, for messages that expect another one.
static std::string describeProducer(Value value) {
  if (isConstant(value))
    return "a constant";
  if (Operation *op = value.getDefiningOp())
    return describeLayer(op);
  return "an input of the graph";
}

std::string MatchAttempt::describeWanted(Value tensor) const {
  while (Value choice = chosenFor.lookup(tensor))
    tensor = choice;
  SmallVector<StringRef> kinds = getOperatorKinds(tensor);
  std::string text;
  for (auto [index, kind] : llvm::enumerate(kinds)) {
    if (index > 0)
      text += index + 1 == kinds.size() ? " or " : ", ";
    text += kind;
  }
  return text;
}

unsigned MatchAttempt::decide(unsigned count) {
  if (count < 2)
    return 0;
  if (nextDecision == decisions.size())
    decisions.push_back({0, count});
  return decisions[nextDecision++].taken;
}

bool MatchAttempt::canBe(Value tensor, Value value) const {
  Operation *producer = value.getDefiningOp();
  while (true) {
    if (Value known = match.tensors.lookup(tensor))
      return known == value;
    Operation *op = tensor.getDefiningOp();
    if (auto splat = dyn_cast<SplatOp>(op))
      return isSplatOf(value, splat.getValue());
    if (auto input = dyn_cast<InputOp>(op))
      return !input.getConstant() || isConstant(value);
    if (auto opOp = dyn_cast<OperatorOp>(op))
      return producer && isOfKind(producer, opOp.getKind());
    auto choice = cast<ChoiceOp>(op);
    for (Value alternative : choice.getAlternatives())
      if (producer &&
          isOfKind(producer, alternative.getDefiningOp<OperatorOp>().getKind()))
        return true;
    tensor = choice.getOtherwise();
    if (!tensor)
      return false;
  }
}

LogicalResult MatchAttempt::bindOperators() {
  SmallVector<Operation *> makers;
  for (Operation &op : pattern.getBody().front())
    if (isa<OperatorOp, ChoiceOp>(op))
      makers.push_back(&op);
  SmallVector<Value> outputs = pattern.getOutputs();
  match.result = root->getResult(0);
  (void)bind(pattern.getRoot(), match.result, root, "");
  llvm::SmallPtrSet<Operation *, 8> done;
  while (true) {
    for (Operation *maker : llvm::reverse(makers)) {
      if (!needed.contains(maker->getResult(0)) || !done.insert(maker).second)
        continue;
      auto opOp = dyn_cast<OperatorOp>(maker);
      if (failed(opOp ? bindOperator(opOp) : bindChoice(cast<ChoiceOp>(maker))))
        return failure();
    }
    // Find an output that does not feed the outputs bound so far.
    auto *sibling = llvm::find_if(
        outputs, [&](Value output) { return !needed.contains(output); });
    if (sibling == outputs.end())
      break;
    if (failed(bindSibling(*sibling)))
      return failure();
  }
  // The pattern's order is topological, so the bound operations are, too.
  llvm::SmallSetVector<Operation *, 4> ops;
  for (Operation *maker : makers)
    if (Operation *op = bound.lookup(maker))
      ops.insert(op);
  match.ops = ops.takeVector();
  for (Value output : outputs)
    if (Value value = match.tensors.lookup(output);
        value && !llvm::is_contained(match.results, value))
      match.results.push_back(value);
  return checkResults();
}

/// Checks that each result has its own operator, since the device writes each
/// result once.
LogicalResult MatchAttempt::checkResults() {
  if (match.results.size() < 2)
    return success();
  llvm::DenseMap<Operation *, unsigned> counts;
  for (auto [opOp, op] : bound)
    ++counts[op];
  for (Value result : match.results)
    if (Operation *op = result.getDefiningOp();
        counts.lookup(op) > 1 &&
        failed(fail(op, "would be two operators of the pattern at once")))
      return failure();
  return success();
}

LogicalResult MatchAttempt::bind(Value tensor, Value value, Operation *user,
                                 const Twine &place) {
  needed.insert(tensor);
  auto [it, inserted] = match.tensors.try_emplace(tensor, value);
  if (inserted)
    firstUser[tensor] = user;
  if (auto splat = tensor.getDefiningOp<SplatOp>()) {
    if (isSplatOf(value, splat.getValue()))
      return success();
    return fail(user, place + "is " + describeProducer(value) +
                          ", the pattern wants a constant of " +
                          getNumberText(splat.getValueAttr()) +
                          (isConstant(value) ? " everywhere" : ""));
  }
  if (it->second == value)
    return success();
  std::string name = "the tensor that an earlier operand is";
  if (auto input = tensor.getDefiningOp<InputOp>())
    name = ("'" + input.getName() + "' again").str();
  return fail(user, place + "is " + describeProducer(value) +
                        ", the pattern wants " + name);
}

LogicalResult MatchAttempt::bindChoice(ChoiceOp choice) {
  Value value = match.tensors.lookup(choice.getResult());
  SmallVector<Value> ways(choice.getAlternatives());
  if (choice.getOtherwise())
    ways.push_back(choice.getOtherwise());
  SmallVector<unsigned> viable;
  for (auto [index, tensor] : llvm::enumerate(ways))
    if (value && canBe(tensor, value))
      viable.push_back(index);
  // If no alternative is viable, binding fails later with a message that names
  // all alternatives.
  unsigned way = choice.getOtherwise() ? ways.size() - 1 : 0;
  if (!viable.empty())
    way = viable[decide(viable.size())];
  match.choices[choice] = way;
  chosenFor[ways[way]] = choice.getResult();
  if (!value) {
    needed.insert(ways[way]);
    return success();
  }
  return bind(ways[way], value, firstUser.lookup(choice.getResult()),
              "its operand ");
}

LogicalResult MatchAttempt::bindOperator(OperatorOp opOp) {
  Value value = match.tensors.lookup(opOp.getResult());
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (op && isOfKind(op, opOp.getKind()) && op->getNumResults() == 1) {
    bound[opOp] = op;
    return bindOperands(opOp, op);
  }
  needed.insert_range(opOp.getOperands_());
  // The user is also missing and was reported.
  if (!value)
    return fail(root, "", Mismatch::kMissingOperator);
  std::string wanted = describeWanted(opOp.getResult());
  if (op == root)
    return fail(root,
                Twine("is a ") + getOperatorKind(root) +
                    ", the pattern wants a " + wanted,
                Mismatch::kMissingOperator);
  Operation *user = firstUser.lookup(opOp.getResult());
  auto operand = llvm::find(user->getOperands(), value);
  return fail(user,
              "operand " +
                  Twine(std::distance(user->operand_begin(), operand)) +
                  " is " + describeProducer(value) +
                  ", the pattern wants the result of a " + wanted,
              Mismatch::kMissingOperator);
}

/// Returns whether exchanging two operands of an operator changes only the
/// order of arguments.
static bool areInterchangeable(Value lhs, Value rhs) {
  auto left = lhs.getDefiningOp<InputOp>();
  auto right = rhs.getDefiningOp<InputOp>();
  if (!left || !right || left.getConstant() != right.getConstant() ||
      left.getElementTypesAttr() != right.getElementTypesAttr() ||
      left.getAnyShape() != right.getAnyShape() || !left.getDims().empty() ||
      !right.getDims().empty() ||
      left.getStaticDims() != right.getStaticDims() ||
      left.getLayoutAttr() != right.getLayoutAttr())
    return false;
  auto hasOneOperator = [](InputOp input) {
    return llvm::count_if(input->getUsers(), [](Operation *user) {
             return !isa<CallOp>(user);
           }) == 1;
  };
  return hasOneOperator(left) && hasOneOperator(right);
}

LogicalResult MatchAttempt::bindOperands(OperatorOp opOp, Operation *op) {
  OperandRange wanted = opOp.getOperands_();
  if (wanted.size() != op->getNumOperands()) {
    needed.insert_range(wanted);
    return fail(op, "has " + Twine(op->getNumOperands()) +
                        " operands, the pattern wants " + Twine(wanted.size()));
  }
  SmallVector<Value, 4> actual(op->getOperands());
  bool swap = false;
  if (actual.size() == 2 && wanted[0] != wanted[1] &&
      op->hasTrait<OpTrait::IsCommutative>()) {
    // Both orders are tried only if the kinds of operators do not determine the
    // order.
    unsigned asWritten =
        canBe(wanted[0], actual[0]) + canBe(wanted[1], actual[1]);
    unsigned swapped =
        canBe(wanted[0], actual[1]) + canBe(wanted[1], actual[0]);
    swap = swapped > asWritten;
    if (swapped == asWritten && actual[0] != actual[1] &&
        !areInterchangeable(wanted[0], wanted[1]))
      swap = decide(2) == 1;
    if (swap)
      std::swap(actual[0], actual[1]);
  }
  for (auto [index, pair] : llvm::enumerate(llvm::zip(wanted, actual))) {
    auto [tensor, value] = pair;
    match.operands[&op->getOpOperand(swap ? 1 - index : index)] = tensor;
    if (failed(bind(tensor, value, op, "operand " + Twine(index) + " ")))
      return failure();
  }
  return success();
}

LogicalResult MatchAttempt::checkUses() {
  llvm::SmallPtrSet<Operation *, 4> inside(match.ops.begin(), match.ops.end());
  for (Operation *op : match.ops) {
    if (llvm::is_contained(match.results, op->getResult(0)))
      continue;
    for (Operation *user : op->getUsers()) {
      if (inside.contains(user))
        continue;
      if (failed(fail(op, "its result is used elsewhere, by " +
                              (user->hasTrait<OpTrait::IsTerminator>()
                                   ? "the graph's results"
                                   : describeLayer(user)))))
        return failure();
      break;
    }
  }
  if (failures > 0 || match.results.size() < 2)
    return success();
  if (Operation *between = findWayBack(match))
    return fail(between, "it needs one result of the pattern and another "
                         "operator of the pattern needs it");
  return success();
}

//===----------------------------------------------------------------------===//
// Outputs other than the root
//===----------------------------------------------------------------------===//
//
// A pattern may have outputs that do not depend on one another: two layers that
// share an input. Such a sibling is searched forwards, from the shared tensor,
// which is already bound.
//
//===----------------------------------------------------------------------===//

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

/// Returns the operations that can produce `output`, from the end of the graph.
SmallVector<Operation *> MatchAttempt::findSiblings(Value output) {
  // Follow operands in the pattern to a bound tensor.
  SmallVector<Step> steps;
  Value tensor = output;
  while (!match.tensors.contains(tensor)) {
    if (auto choice = tensor.getDefiningOp<ChoiceOp>()) {
      Step &step = steps.emplace_back();
      step.mayBeAbsent = static_cast<bool>(choice.getOtherwise());
      for (Value alternative : choice.getAlternatives())
        step.kinds.push_back(alternative.getDefiningOp<OperatorOp>().getKind());
      OperandRange operands = choice.getAlternatives()
                                  .front()
                                  .getDefiningOp<OperatorOp>()
                                  .getOperands_();
      tensor = choice.getOtherwise();
      if (!tensor && operands.empty())
        return {};
      if (!tensor)
        tensor = operands.front();
      continue;
    }
    auto opOp = tensor.getDefiningOp<OperatorOp>();
    if (!opOp)
      return {};
    steps.push_back({{opOp.getKind()}, false});
    OperandRange operands = opOp.getOperands_();
    auto next = llvm::find_if(
        operands, [&](Value value) { return match.tensors.contains(value); });
    if (next == operands.end())
      next = llvm::find_if(operands, [](Value value) {
        return isa<OperatorOp, ChoiceOp>(value.getDefiningOp());
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
        if (user->getNumResults() == 1 && isOfKinds(user, step.kinds))
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
