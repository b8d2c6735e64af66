//===- AccessOrder.cpp - Order of accesses to two buffers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AccessOrder.h"

#include "AccessProgram.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/TIR/IR/BufferRange.h"

#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

/// Steps of the interpretation of a function for a pair of buffers, about 0.3
/// microseconds each.
static constexpr int64_t kMaxSteps = 150'000;

/// Indices beyond this number are unknown.
static constexpr int64_t kMostElements = int64_t(1) << 40;

void AccessSummary::append(const AccessSummary &next) {
  separation = std::max(separation, next.separation);
  if (writtenEnd > kNever && next.first < -kNever)
    separation = std::max(separation, writtenEnd - next.first);
  writtenEnd = std::max(writtenEnd, next.writtenEnd);
  first = std::min(first, next.first);
}

void AccessSummary::addAlternative(const AccessSummary &other) {
  writtenEnd = std::max(writtenEnd, other.writtenEnd);
  first = std::min(first, other.first);
  separation = std::max(separation, other.separation);
}

AccessSummary AccessSummary::inAnyOrder() const {
  AccessSummary result = *this;
  result.append(*this);
  return result;
}

namespace {
/// Runs a program with ranges for its values.
class Interpreter {
public:
  Interpreter(AccessProgram &program, AccessOrder &order)
      : program(program), order(order) {}

  AccessSummary run(ArrayRef<AccessNode> nodes);

private:
  AccessSummary runLoop(const AccessNode &node);
  AccessSummary runBranch(const AccessNode &node);
  AccessSummary runCall(const AccessNode &node);
  AccessSummary getAccess(const AccessNode &node) const;
  void compute(const AccessNode &node);
  /// Returns the smallest and largest value, as signed numbers.
  std::pair<int64_t, int64_t> getRange(const AccessBound &bound) const;

  AccessProgram &program;
  AccessOrder &order;
};
} // namespace

std::pair<int64_t, int64_t>
Interpreter::getRange(const AccessBound &bound) const {
  if (!bound.value)
    return {bound.constant, bound.constant};
  IndexRange range = program.ranges[*bound.value];
  return {range.min, range.max};
}

AccessSummary Interpreter::run(ArrayRef<AccessNode> nodes) {
  AccessSummary summary;
  for (const AccessNode &node : nodes) {
    switch (node.kind) {
    case AccessNode::Compute:
      compute(node);
      break;
    case AccessNode::Access:
      summary.append(getAccess(node));
      break;
    case AccessNode::Loop:
      summary.append(runLoop(node));
      break;
    case AccessNode::Branch:
      summary.append(runBranch(node));
      break;
    case AccessNode::Call:
      summary.append(runCall(node));
      break;
    }
  }
  return summary;
}

void Interpreter::compute(const AccessNode &node) {
  std::vector<IndexRange> &ranges = program.ranges;
  // Most arithmetic is of indices, which is faster than the general interface.
  if (node.isOfIndices)
    if (auto range = getResultRange(node.op, ranges[node.operands[0]],
                                    ranges[node.operands[1]])) {
      ranges[node.results.front()] = *range;
      return;
    }
  SmallVector<ConstantIntRanges, 4> operands;
  for (auto [number, operand] :
       llvm::zip_equal(node.operands, node.op->getOperands())) {
    unsigned width = ConstantIntRanges::getStorageBitwidth(operand.getType());
    operands.push_back(ConstantIntRanges::fromSigned(
        APInt(width, ranges[number].min, /*isSigned=*/true),
        APInt(width, ranges[number].max, /*isSigned=*/true)));
  }
  cast<InferIntRangeInterface>(node.op).inferResultRanges(
      operands, [&](Value result, const ConstantIntRanges &range) {
        ranges[node.results[cast<OpResult>(result).getResultNumber()]] = {
            range.smin().getSExtValue(), range.smax().getSExtValue()};
      });
}

AccessSummary Interpreter::getAccess(const AccessNode &node) const {
  auto [first, last] = getRange(node.index);
  int64_t begin = 0, end = node.place.bytes;
  // Whatever an unknown index is, the access is inside of the buffer.
  if (!node.isWhole && first >= -kMostElements && last <= kMostElements) {
    begin = first * node.elementBytes;
    end = last * node.elementBytes + node.bytes;
  }
  AccessSummary summary;
  if (node.place.isRead)
    summary.first = node.place.first + begin;
  else if (node.isWrite)
    summary.writtenEnd = node.place.first + end;
  return summary;
}

AccessSummary Interpreter::runLoop(const AccessNode &node) {
  AccessSummary summary;
  int64_t lower = getRange(node.lower).first;
  int64_t upper = getRange(node.upper).second;
  if (lower >= upper)
    return summary;

  int64_t trips;
  if (node.isCollapsed || llvm::SubOverflow(upper, lower, trips) ||
      (trips > kMaxSteps && !node.isAffine)) {
    program.ranges[node.variable] = {lower, upper - 1};
    return run(node.bodies.front()).inAnyOrder();
  }
  for (int64_t i = lower; i < upper; ++i) {
    if (node.isAffine && i == lower + 2)
      i = std::max(i, upper - 2);
    program.ranges[node.variable] = {i, i};
    summary.append(run(node.bodies.front()));
  }
  return summary;
}

AccessSummary Interpreter::runBranch(const AccessNode &node) {
  AccessSummary summary;
  for (auto [i, body] : llvm::enumerate(node.bodies)) {
    // The first region of a condition is taken where it is 1: as a signed
    // number of one bit, -1.
    int64_t value = i == 0 ? -1 : 0;
    auto [min, max] = getRange(node.index);
    if (!node.index.value || (min <= value && value <= max))
      summary.addAlternative(run(body));
  }
  return summary;
}

AccessSummary Interpreter::runCall(const AccessNode &node) {
  auto call = cast<CallOp>(node.op);
  FuncOp callee = order.getCallee(call);
  AccessSummary summary;
  // Arguments may be parts of the same buffer: each pair is analysed by itself,
  // and the largest distance counts.
  auto add = [&](const AccessArgument *written, const AccessArgument *read) {
    auto getParameter = [&](const AccessArgument *argument) {
      return argument ? Value(callee.getArgument(argument->position)) : Value();
    };
    AccessSummary inner =
        order.get(callee, getParameter(written), getParameter(read));
    if (written && inner.writtenEnd > AccessSummary::kNever)
      summary.writtenEnd =
          std::max(summary.writtenEnd, inner.writtenEnd + written->place.first);
    if (read && inner.first < -AccessSummary::kNever)
      summary.first = std::min(summary.first, inner.first + read->place.first);
    if (written && read && inner.separation > AccessSummary::kNever)
      summary.separation =
          std::max(summary.separation,
                   inner.separation + written->place.first - read->place.first);
  };
  for (const AccessArgument &argument : node.arguments) {
    if (argument.place.isRead)
      add(nullptr, &argument);
    else
      add(&argument, nullptr);
    for (const AccessArgument &other : node.arguments)
      if (!argument.place.isRead && other.place.isRead)
        add(&argument, &other);
  }
  return summary;
}

FuncOp AccessOrder::getCallee(CallOp call) {
  auto callee =
      symbols.lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
  // The code does not contain what devices do in the background.
  return callee && !callee.getBody().empty() && !active.contains(callee) &&
                 !callee->hasAttr(kAwaitAttrName)
             ? callee
             : FuncOp();
}

AccessSummary AccessOrder::get(FuncOp function, Value written, Value read) {
  auto key = std::make_pair(written, read);
  auto known = cache.find(key);
  if (known != cache.end())
    return known->second;
  active.insert(function);
  Block &body = function.getBody().front();
  AccessSummary summary = get(body.begin(), body.end(), written, read);
  active.erase(function);
  cache[key] = summary;
  return summary;
}

/// Returns the work that all analyses of a function may take together, on
/// average.
static int64_t getBudget(FuncOp function) {
  int64_t size = 0;
  function.walk([&](Operation *op) { size += 1 + op->getNumOperands(); });
  return 64 * size;
}

/// Returns the summary of any code that accesses two buffers.
static AccessSummary getAnyOrder(Value written, Value read) {
  AccessSummary summary;
  if (written)
    summary.writtenEnd = getBufferRange(written).size;
  if (read)
    summary.first = 0;
  if (written && read)
    summary.separation = summary.writtenEnd;
  return summary;
}

AccessSummary AccessOrder::get(Block::iterator first, Block::iterator end,
                               Value written, Value read) {
  if (first == end)
    return AccessSummary();
  if (auto function = first->getParentOfType<FuncOp>();
      function && counted.insert(function).second)
    budget += getBudget(function);
  if (budget <= 0)
    return getAnyOrder(written, read);
  AccessProgram program(first, end, written, read,
                        [&](CallOp call) { return bool(getCallee(call)); });
  budget -= int64_t(program.getWork());
  program.limitSteps(kMaxSteps);
  return Interpreter(program, *this).run(program.nodes);
}
