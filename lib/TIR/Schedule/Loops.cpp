//===- Loops.cpp - split, fuse, reorder -----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// New index arithmetic is placed in the innermost loop, before its users, so
// that nests stay perfect.
//
//===----------------------------------------------------------------------===//

#include "Primitives.h"

#include "uma/TIR/Schedule/Analysis.h"
#include "uma/TIR/Schedule/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::schedule;

//===----------------------------------------------------------------------===//
// split
//===----------------------------------------------------------------------===//

/// Checks the factors for a loop with `extent` iterations, and infers the
/// missing one.
static FailureOr<SmallVector<int64_t>> inferFactors(ForOp loop, int64_t extent,
                                                    ArrayRef<int64_t> factors) {
  auto refuse = [&]() { return loop.emitOpError("cannot be split: "); };
  if (factors.empty())
    return refuse() << "there are no factors";
  int64_t product = 1;
  std::optional<unsigned> inferred;
  for (auto [index, factor] : llvm::enumerate(factors)) {
    if (factor == Schedule::kInferred) {
      if (inferred)
        return refuse() << "factors #" << *inferred << " and #" << index
                        << " are to be inferred, expected one at most";
      inferred = index;
      continue;
    }
    if (factor < 1)
      return refuse() << "factor #" << index << " is " << factor
                      << ", expected a positive number";
    if (llvm::MulOverflow(product, factor, product))
      return refuse() << "the product of the factors does not fit 64 bits";
  }
  SmallVector<int64_t> result(factors);
  if (inferred) {
    result[*inferred] = llvm::divideCeil(extent, product);
    if (llvm::MulOverflow(product, result[*inferred], product))
      return refuse() << "the product of the factors does not fit 64 bits";
  }
  if (product < extent)
    return refuse() << "the factors make " << product << " iterations of its "
                    << extent;
  return result;
}

/// Adds a condition to the predicates of the blocks in `loop`.
static void addPredicate(RewriterBase &rewriter, ForOp loop, Value condition) {
  loop.walk<WalkOrder::PreOrder>([&](BlockOp block) {
    rewriter.setInsertionPoint(block);
    Value predicate =
        makeAnd(rewriter, loop.getLoc(), block.getPredicate(), condition);
    rewriter.modifyOpInPlace(
        block, [&] { block.getPredicateMutable().assign(predicate); });
    return WalkResult::skip();
  });
}

FailureOr<SmallVector<ForOp>>
schedule::split(RewriterBase &rewriter, ForOp loop, ArrayRef<int64_t> wanted) {
  auto refuse = [&]() { return loop.emitOpError("cannot be split: "); };
  std::optional<int64_t> extent = loop.getExtent();
  if (!extent || *extent < 1)
    return refuse() << "its bounds are "
                    << (extent ? "those of no iteration" : "not integers");
  if (loop.getKind() != ForKind::Serial)
    return refuse() << "it is " << stringifyForKind(loop.getKind())
                    << "; split it before";
  FailureOr<SmallVector<int64_t>> factors = inferFactors(loop, *extent, wanted);
  if (failed(factors))
    return failure();
  int64_t product = 1;
  for (int64_t factor : *factors)
    product *= factor;
  if (product != *extent)
    for (const Statement &statement : getStatements(loop))
      if (!isa<BlockOp>(statement.op))
        return refuse() << "the factors make " << product
                        << " iterations of its " << *extent << ", and "
                        << describe(statement.op)
                        << " in it is in no block that could leave some out";

  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<ForOp> loops;
  Value index;
  for (auto [number, factor] : llvm::enumerate(*factors)) {
    auto part = ForOp::create(rewriter, loc, rewriter.getIndexAttr(0),
                              rewriter.getIndexAttr(factor));
    if (std::optional<StringRef> label = loop.getLabel())
      part.setLabel((*label + "_" + Twine(number)).str());
    rewriter.setInsertionPointToStart(&part.getBody().front());
    loops.push_back(part);
  }
  for (auto [part, factor] : llvm::zip_equal(loops, *factors)) {
    Value variable = part.getInductionVar();
    if (!index) {
      index = variable;
      continue;
    }
    Value scale = makeIndex(rewriter, loc, factor);
    Value scaled = arith::MulIOp::create(rewriter, loc, index, scale);
    index = arith::AddIOp::create(rewriter, loc, scaled, variable);
  }
  Value condition;
  if (product != *extent)
    condition = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                      index, makeIndex(rewriter, loc, *extent));
  if (int64_t lower = loop.getStaticLower())
    index = arith::AddIOp::create(rewriter, loc, index,
                                  makeIndex(rewriter, loc, lower));
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    loops.front()->setDiscardableAttr(attribute.getName(),
                                      attribute.getValue());

  Block &body = loop.getBody().front();
  rewriter.eraseOp(body.getTerminator());
  rewriter.inlineBlockBefore(
      &body, loops.back().getBody().front().getTerminator(), index);
  rewriter.eraseOp(loop);
  if (condition)
    addPredicate(rewriter, loops.back(), condition);
  return loops;
}

//===----------------------------------------------------------------------===//
// fuse
//===----------------------------------------------------------------------===//

FailureOr<ForOp> schedule::fuse(FuncOp func, RewriterBase &rewriter,
                                ArrayRef<ForOp> given) {
  SmallVector<ForOp> loops(given);
  if (loops.empty())
    return func.emitOpError("has no loops to fuse: none is given");
  ForOp first = loops.front();
  auto refuse = [&](ForOp loop) {
    return loop.emitOpError("cannot be fused: ");
  };
  int64_t total = 1;
  std::string label;
  for (auto [index, loop] : llvm::enumerate(loops)) {
    std::optional<int64_t> extent = loop.getExtent();
    if (!extent || *extent < 1)
      return refuse(loop) << "its bounds are "
                          << (extent ? "those of no iteration"
                                     : "not integers");
    if (llvm::MulOverflow(total, *extent, total))
      return refuse(loop) << "the number of iterations does not fit 64 bits";
    if (loop.getKind() != first.getKind())
      return refuse(loop) << "it is " << stringifyForKind(loop.getKind())
                          << ", the first one is "
                          << stringifyForKind(first.getKind());
    label += (index ? "_" : "") + loop.getLabel().value_or("").str();
    if (index == 0)
      continue;
    ForOp outer = loops[index - 1];
    if (loop->getParentOp() != outer)
      return refuse(loop) << "it is not directly inside of the loop before it";
    if (!holdsOnly(outer, loop))
      return refuse(outer) << "it holds more than the loop to fuse it with";
  }

  Location loc = first.getLoc();
  rewriter.setInsertionPoint(first);
  auto fused = ForOp::create(rewriter, loc, rewriter.getIndexAttr(0),
                             rewriter.getIndexAttr(total), first.getKind());
  if (llvm::all_of(loops, [](ForOp loop) { return bool(loop.getLabel()); }))
    fused.setLabel(label);
  Block &body = fused.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  SmallVector<Value> variables;
  Value rest = fused.getInductionVar();
  for (auto [index, loop] :
       llvm::reverse(llvm::to_vector(llvm::enumerate(loops)))) {
    Value variable = rest;
    if (index > 0) {
      Value extent = makeIndex(rewriter, loc, *loop.getExtent());
      variable = arith::RemSIOp::create(rewriter, loc, rest, extent);
      rest = arith::DivSIOp::create(rewriter, loc, rest, extent);
    }
    if (int64_t lower = loop.getStaticLower())
      variable = arith::AddIOp::create(rewriter, loc, variable,
                                       makeIndex(rewriter, loc, lower));
    variables.push_back(variable);
  }
  for (auto [loop, variable] :
       llvm::zip_equal(loops, llvm::reverse(variables))) {
    // The body of each loop replaces the loop; the body of the first goes into
    // the fused loop.
    Operation *place =
        loop == first ? body.getTerminator() : loop.getOperation();
    Block &contents = loop.getBody().front();
    rewriter.eraseOp(contents.getTerminator());
    rewriter.inlineBlockBefore(&contents, place, variable);
    if (loop != first)
      rewriter.eraseOp(loop);
  }
  rewriter.eraseOp(first);
  return fused;
}

//===----------------------------------------------------------------------===//
// reorder
//===----------------------------------------------------------------------===//

/// Returns the nest from the outermost to the innermost of the loops. Emits an
/// error and returns an empty vector if the loops are not nested.
static SmallVector<ForOp> getChain(FuncOp func, ArrayRef<ForOp> loops) {
  if (loops.empty()) {
    func.emitOpError("has no loops to reorder: none is given");
    return {};
  }
  ForOp innermost = loops.front(), outermost = loops.front();
  for (auto [index, loop] : llvm::enumerate(loops)) {
    if (llvm::is_contained(loops.take_front(index), loop)) {
      ForOp(loop).emitOpError("cannot be reordered: it is given twice");
      return {};
    }
    if (innermost->isProperAncestor(loop))
      innermost = loop;
    if (loop->isProperAncestor(outermost))
      outermost = loop;
  }
  SmallVector<ForOp> chain;
  for (Operation *op = innermost; op; op = op->getParentOp()) {
    if (!isa<ForOp>(op))
      break;
    chain.push_back(cast<ForOp>(op));
    if (op == outermost)
      break;
  }
  std::reverse(chain.begin(), chain.end());
  for (ForOp loop : loops)
    if (!llvm::is_contained(chain, loop)) {
      loop.emitOpError("cannot be reordered: it is in no nest with the others");
      return {};
    }
  return chain;
}

LogicalResult schedule::reorder(FuncOp func, RewriterBase &rewriter,
                                ArrayRef<ForOp> wanted) {
  SmallVector<ForOp> chain = getChain(func, wanted);
  if (chain.empty())
    return failure();
  auto refuse = [&](ForOp loop) {
    return loop.emitOpError("cannot be reordered: ");
  };
  for (unsigned i = 0; i + 1 < chain.size(); ++i)
    if (!holdsOnly(chain[i], chain[i + 1]))
      return refuse(chain[i]) << "it holds more than the next loop of the nest";
  for (ForOp loop : chain)
    for (Value bound : loop.getOperands())
      if (chain.front()->isAncestor(bound.getParentBlock()->getParentOp()))
        return refuse(loop) << "its bounds depend on an outer loop of the nest";

  SmallVector<ForOp> order;
  const auto *next = wanted.begin();
  for (ForOp loop : chain)
    order.push_back(llvm::is_contained(wanted, loop) ? *next++ : loop);
  std::vector<Statement> statements = getStatements(chain.back());
  if (std::optional<Conflict> conflict =
          findReversed(statements, chain, order)) {
    if (!conflict->buffer)
      return refuse(chain.front()) << describe(conflict->first)
                                   << " calls a function, and calls keep their "
                                      "order";
    InFlightDiagnostic error = refuse(chain.front());
    error << describe(conflict->first) << " would touch elements of a buffer "
          << "in another order than now, or than " << describe(conflict->second)
          << " expects, and the result depends on it";
    error.attachNote(conflict->buffer.getLoc()) << "the buffer is this";
    return failure();
  }
  // A parallel loop may now be inside other loops than before.
  SmallVector<ForOp> outer = getLoopsAround(chain.front());
  for (ForOp loop : order) {
    if ((loop.getKind() == ForKind::Parallel ||
         loop.getKind() == ForKind::Vectorized) &&
        findCarried(statements, loop, outer))
      return refuse(loop) << "it is " << stringifyForKind(loop.getKind())
                          << ", and its iterations would depend on each other";
    outer.push_back(loop);
  }

  // Collect index arithmetic for the innermost loop, detach the loops from one
  // another, then nest them in the new order.
  SmallVector<Operation *> arithmetic, contents;
  for (ForOp loop : chain)
    for (Operation &op : loop.getBody().front().without_terminator())
      if (loop == chain.back())
        contents.push_back(&op);
      else if (!isa<ForOp>(op))
        arithmetic.push_back(&op);
  arithmetic.append(contents);
  for (ForOp loop : ArrayRef(chain).drop_front())
    rewriter.moveOpBefore(loop, chain.front());
  Operation *outermost = order.front();
  rewriter.moveOpBefore(outermost, chain.front());
  for (unsigned i = 1; i < order.size(); ++i)
    rewriter.moveOpBefore(order[i],
                          order[i - 1].getBody().front().getTerminator());
  Operation *end = order.back().getBody().front().getTerminator();
  for (Operation *op : arithmetic)
    rewriter.moveOpBefore(op, end);
  return success();
}
