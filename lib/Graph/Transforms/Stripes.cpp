//===- Stripes.cpp - Chains of operators computed by rows -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RowWise.h"

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

/// Returns whether a tensor exists as a whole, whatever chains read it.
static bool isKept(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  return !op || op->hasAttr(kKeepWholeAttrName) ||
         op->hasAttr(kStripeRowsAttrName) || !explainNotRowWise(op).empty();
}

/// Returns whether an operator, whose result is also read outside of a chain,
/// is still copied to it: it only converts what is kept.
static bool isConversion(Operation *op) {
  return !isa<WindowOpInterface, ConcatenateOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return !getNumRows(operand) || isKept(operand) ||
                  isConversion(operand.getDefiningOp());
         });
}

SmallVector<Operation *> graph::findChain(Operation *result) {
  llvm::DenseSet<Operation *> members = {result};
  SmallVector<Operation *> chain = {result};
  for (Operation *op = result->getPrevNode(); op; op = op->getPrevNode()) {
    if (op->getNumResults() != 1 || isKept(op->getResult(0)))
      continue;
    auto isMember = [&](Operation *user) { return members.contains(user); };
    auto readsRows = [&](OpOperand &use) {
      return isMember(use.getOwner()) && getOperandRows(use, {0, 1});
    };
    if (llvm::none_of(op->getUses(), readsRows))
      continue;
    // A whole tensor is needed by who reads it outside of the chain, or whole.
    bool isWhole = llvm::any_of(
        op->getUses(), [&](OpOperand &use) { return !readsRows(use); });
    if (isWhole && !isConversion(op))
      continue;
    members.insert(op);
    chain.push_back(op);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

SmallVector<Stripe> graph::planStripes(ArrayRef<Operation *> chain,
                                       int64_t rows) {
  SmallVector<Stripe> stripes;
  Operation *result = chain.back();
  int64_t total = *getNumRows(result->getResult(0));
  for (int64_t begin = 0; begin < total; begin += rows) {
    Stripe &stripe = stripes.emplace_back();
    stripe[result->getResult(0)] = {begin, std::min(begin + rows, total)};
    // The users of an operator are behind it.
    for (Operation *op : llvm::reverse(chain)) {
      RowRange own = stripe.lookup(op->getResult(0));
      for (OpOperand &operand : op->getOpOperands())
        if (auto read = getOperandRows(operand, own)) {
          RowRange &known = stripe[operand.get()];
          known = known.join(*read);
        }
    }
  }
  return stripes;
}

int64_t graph::countRecomputedMACs(ArrayRef<Operation *> chain,
                                   ArrayRef<Stripe> stripes) {
  int64_t recomputed = 0;
  for (Operation *op : chain)
    if (auto window = dyn_cast<WindowOpInterface>(op)) {
      Value result = op->getResult(0);
      int64_t rows = -*getNumRows(result);
      for (const Stripe &stripe : stripes)
        rows += stripe.lookup(result).getSize();
      recomputed += window.getMACs() / *getNumRows(result) * rows;
    }
  return recomputed;
}
