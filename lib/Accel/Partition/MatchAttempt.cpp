//===- MatchAttempt.cpp - The structure of a match ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern is walked backwards from its root, so that each operator is bound
// before its operands are looked at; nothing recurses, whatever a description
// holds.
//
//===----------------------------------------------------------------------===//

#include "MatchAttempt.h"

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Where a value comes from, for a message that says that it should come from
/// an operator.
static std::string describeProducer(Value value) {
  if (Operation *op = value.getDefiningOp())
    return isa<graph::ConstantOp>(op) ? "a constant" : describeLayer(op);
  return "an input of the graph";
}

LogicalResult MatchAttempt::bindOperators() {
  OpOp last = operators.back();
  match.tensors[last.getResult()] = root->getResult(0);
  match.result = root->getResult(0);
  firstUser[last.getResult()] = root;
  for (OpOp opOp : llvm::reverse(operators)) {
    Value value = match.tensors.lookup(opOp.getResult());
    if (!value) {
      // Its user is missing as well, which has been said.
      (void)fail(root, "", Mismatch::kMissingOperator);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op && getOperatorKind(op) == opOp.getKind() &&
        op->getNumResults() == 1) {
      bound[opOp] = op;
      if (failed(bindOperands(opOp, op)))
        return failure();
      continue;
    }
    if (op == root) {
      if (failed(fail(root,
                      Twine("is a ") + getOperatorKind(root) +
                          ", the pattern wants a " + opOp.getKind(),
                      Mismatch::kMissingOperator)))
        return failure();
      continue;
    }
    Operation *user = firstUser.lookup(opOp.getResult());
    auto operand = llvm::find(user->getOperands(), value);
    if (failed(fail(user,
                    "operand " +
                        Twine(std::distance(user->operand_begin(), operand)) +
                        " is " + describeProducer(value) +
                        ", the pattern wants the result of a " + opOp.getKind(),
                    Mismatch::kMissingOperator)))
      return failure();
  }
  // The pattern's order is topological, and so is that of the operations that
  // it is bound to.
  llvm::SmallSetVector<Operation *, 4> ops;
  for (OpOp opOp : operators)
    if (Operation *op = bound.lookup(opOp))
      ops.insert(op);
  match.ops = ops.takeVector();
  return success();
}

LogicalResult MatchAttempt::bindOperands(OpOp opOp, Operation *op) {
  OperandRange wanted = opOp.getOperands_();
  if (wanted.size() != op->getNumOperands())
    return fail(op, "has " + Twine(op->getNumOperands()) +
                        " operands, the pattern wants " + Twine(wanted.size()));
  SmallVector<Value, 4> actual(op->getOperands());
  if (actual.size() == 2 && wanted[0] != wanted[1] &&
      op->hasTrait<OpTrait::IsCommutative>()) {
    if (nextDecision == decisions.size())
      decisions.push_back(false);
    if (decisions[nextDecision++])
      std::swap(actual[0], actual[1]);
  }
  for (auto [index, pair] : llvm::enumerate(llvm::zip(wanted, actual))) {
    auto [tensor, value] = pair;
    auto [it, inserted] = match.tensors.try_emplace(tensor, value);
    if (inserted) {
      firstUser[tensor] = op;
      continue;
    }
    if (it->second == value)
      continue;
    std::string name = "the tensor that an earlier operand is";
    if (auto input = tensor.getDefiningOp<InputOp>())
      name = ("'" + input.getName() + "' again").str();
    if (failed(fail(op, "operand " + Twine(index) + " is " +
                            describeProducer(value) + ", the pattern wants " +
                            name)))
      return failure();
  }
  return success();
}

LogicalResult MatchAttempt::checkUses() {
  llvm::SmallPtrSet<Operation *, 4> inside(match.ops.begin(), match.ops.end());
  for (Operation *op : match.ops) {
    if (op == root)
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
  return success();
}
