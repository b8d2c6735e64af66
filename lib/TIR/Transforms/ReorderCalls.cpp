//===- ReorderCalls.cpp - Order the layers of a network for memory --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Branches of a network may run in any order, and the order decides how many
// tensors are alive at one time. Dynamic programming over sets of layers that
// have run finds the smallest peak: how the set came about does not matter for
// what follows. It is exact unless there are more sets than kept.
//
// Source: SERENITY (Ahn et al., 2020), which schedules layers the same way.
//
//===----------------------------------------------------------------------===//

#include "AccessOrder.h"
#include "BufferAccesses.h"
#include "MemoryProblem.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/Memory/Planner.h"
#include "uma/TIR/IR/BufferRange.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <string>

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_REORDERCALLSPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// Layers of a function beyond which it keeps its order.
static constexpr size_t kMaxCalls = 5000;
/// Sets of layers that are kept per number of layers.
static constexpr size_t kMaxStates = 256;
/// Maximum number of sets tried, which takes about a second. At least one set
/// per number of layers is kept.
static constexpr size_t kMaxTried = 2'000'000;

namespace {
/// BufferUse of a buffer by an operation.
struct BufferUse {
  size_t buffer;
  bool isRead = false;
  bool isWritten = false;
};

/// Result that may overlap a buffer that it is computed from.
struct Saving {
  size_t written, read;
  int64_t bytes;
};

/// Cost of an order: first the peak, then how much is alive overall, where
/// larger amounts count more.
struct Cost {
  int64_t peak = 0;
  double sum = 0;

  Cost add(int64_t bytes) const {
    double square = double(bytes) * double(bytes);
    return {std::max(peak, bytes), sum + square * square};
  }
  /// Small gains are not worth another order.
  bool isBetterThan(const Cost &present) const {
    return peak < present.peak ||
           (peak == present.peak && sum < 0.98 * present.sum);
  }
  bool operator<(const Cost &other) const {
    return peak != other.peak ? peak < other.peak : sum < other.sum;
  }
};

/// Operation that is ordered: one of a layer.
struct Step {
  Operation *op = nullptr;
  SmallVector<BufferUse> uses;
  SmallVector<Saving> savings;
  /// Steps that must run before it, and those that wait for it.
  SmallVector<size_t> before, after;
  /// Lower bound of its contribution to the cost of an order.
  Cost least = {};
  /// Hash of its number. Hashes of sets combine these.
  uint64_t hash = 0;
};

/// Predecessor of a state: its index in the previous generation, and the step
/// that leads from there to the state.
struct LastStep {
  size_t previous = 0;
  size_t step = 0;
};

/// Properties of a state that its comparison with other states needs.
struct Progress {
  /// Bytes that are alive.
  int64_t live = 0;
  /// Cost of the steps that have run, and a lower bound for the others.
  Cost cost = {}, rest = {};
  /// Hash of the set of steps that have run, which finds equal sets.
  uint64_t hash = 0;
  LastStep last = {};

  /// Returns a lower bound of the cost of all orders that begin with this
  /// state.
  Cost getBound() const {
    return {std::max(cost.peak, rest.peak), cost.sum + rest.sum};
  }
};

/// A set of steps that have run, and how.
struct PartialOrder {
  llvm::BitVector done;
  /// Steps that may be next, in the order of the network.
  SmallVector<size_t> ready;
  Progress progress;
};

/// Orders the operations of a network.
class Scheduler {
public:
  Scheduler(FuncOp func, bool placesArguments, bool overlaps)
      : func(func), overlaps(overlaps), placesArguments(placesArguments) {}

  /// Returns false if the order of some operation cannot be changed.
  bool collect();
  /// Returns the best order if it is better than the present one.
  std::optional<SmallVector<size_t>> findOrder();
  void apply(ArrayRef<size_t> order);

  size_t getNumSteps() const { return steps.size(); }

private:
  bool addUses(Operation *op, Step &step);
  void addSavings(Step &step);
  void addDependences();
  size_t getBuffer(Value root);
  PartialOrder getStart() const;
  /// Returns the properties of the state after another step.
  Progress measure(const PartialOrder &state, size_t step) const;
  /// Returns the state after another step.
  PartialOrder advance(const PartialOrder &state,
                       const Progress &progress) const;
  /// Returns the states with another step, without those that become no better
  /// than the present order of all steps.
  std::vector<PartialOrder> extend(const std::vector<PartialOrder> &states,
                                   const Cost &present) const;

  FuncOp func;
  bool overlaps, placesArguments;
  SymbolTableCollection symbols;
  AccessOrder accessOrder;
  std::vector<Step> steps;
  /// Bytes of buffers, and the steps that use them.
  llvm::MapVector<Value, int64_t> buffers;
  std::vector<SmallVector<size_t>> users;
  std::vector<std::pair<bool, bool>> livesOutside;
};
} // namespace

size_t Scheduler::getBuffer(Value root) {
  auto [entry, isNew] = buffers.try_emplace(root, 0);
  if (isNew) {
    auto alloc = root.getDefiningOp<AllocOp>();
    bool isArgument = isa<BlockArgument>(root);
    if (alloc || (isArgument && placesArguments))
      entry->second =
          int64_t(llvm::alignTo(getBufferRange(root).size, kBufferAlignment));
    unsigned number = isArgument ? cast<BlockArgument>(root).getArgNumber() : 0;
    bool isOutput = isArgument && func.getArgAttr(number, kOutputAttrName);
    livesOutside.emplace_back(isArgument && !isOutput, isOutput);
  }
  return entry - buffers.begin();
}

bool Scheduler::addUses(Operation *op, Step &step) {
  llvm::DenseMap<size_t, size_t> positions;
  auto add = [&](Value value, bool isWritten) {
    Value root = getBaseBuffer(value);
    if (root.getDefiningOp<memref::GetGlobalOp>())
      return;
    size_t buffer = getBuffer(root);
    auto [entry, isNew] = positions.try_emplace(buffer, step.uses.size());
    if (isNew)
      step.uses.push_back({buffer});
    BufferUse &known = step.uses[entry->second];
    known.isRead |= !isWritten;
    known.isWritten |= isWritten;
  };
  auto call = dyn_cast<CallOp>(op);
  if (!call) {
    BufferAccesses accesses = BufferAccesses::get(op);
    for (Value buffer : accesses.reads)
      add(buffer, false);
    for (Value buffer : accesses.writes)
      add(buffer, true);
    return !accesses.unknown;
  }
  auto callee =
      symbols.lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
  // The device of an await works on other buffers meanwhile.
  if (!callee || callee.getBody().empty() || callee->hasAttr(kAwaitAttrName))
    return false;
  SmallVector<bool> writes = getWrittenArguments(callee);
  for (auto [i, argument] : llvm::enumerate(call.getArguments()))
    if (isa<MemRefType>(argument.getType()))
      add(argument, writes[i]);
  return true;
}

void Scheduler::addSavings(Step &step) {
  auto next = std::next(step.op->getIterator());
  for (const BufferUse &written : step.uses) {
    if (!written.isWritten)
      continue;
    for (const BufferUse &read : step.uses) {
      if (!read.isRead || written.buffer == read.buffer)
        continue;
      auto &[writtenRoot, writtenBytes] = buffers.begin()[written.buffer];
      auto &[readRoot, readBytes] = buffers.begin()[read.buffer];
      AccessSummary summary =
          accessOrder.get(step.op->getIterator(), next, writtenRoot, readRoot);
      int64_t separation = int64_t(llvm::alignTo(
          std::max<int64_t>(summary.separation, 0), kBufferAlignment));
      int64_t together = std::max(writtenBytes, separation + readBytes);
      if (together < writtenBytes + readBytes)
        step.savings.push_back(
            {written.buffer, read.buffer, writtenBytes + readBytes - together});
    }
  }
}

void Scheduler::addDependences() {
  // Calls of one device may share a state of it.
  auto getDevice = [&](const Step &step) -> TargetAttr {
    auto call = dyn_cast<CallOp>(step.op);
    auto callee = call ? symbols.lookupNearestSymbolFrom<FuncOp>(
                             call, call.getCalleeAttr())
                       : FuncOp();
    return callee ? callee->getAttrOfType<TargetAttr>(kTargetAttrName)
                  : TargetAttr();
  };
  std::vector<std::pair<size_t, SmallVector<size_t>>> uses(buffers.size(),
                                                           {SIZE_MAX, {}});
  llvm::DenseMap<Attribute, size_t> last;
  for (auto [i, step] : llvm::enumerate(steps)) {
    if (TargetAttr device = getDevice(step)) {
      auto [entry, isNew] = last.try_emplace(device, i);
      if (!isNew)
        step.before.push_back(entry->second);
      entry->second = i;
    }
    for (const BufferUse &use : step.uses) {
      auto &[writer, readers] = uses[use.buffer];
      if (writer != SIZE_MAX)
        step.before.push_back(writer);
      if (!use.isWritten) {
        readers.push_back(i);
        continue;
      }
      llvm::append_range(step.before, readers);
      readers.clear();
      writer = i;
    }
    llvm::sort(step.before);
    step.before.erase(llvm::unique(step.before), step.before.end());
    llvm::erase(step.before, i);
    for (size_t before : step.before)
      steps[before].after.push_back(i);
  }
}

bool Scheduler::collect() {
  for (Operation &op : func.getBody().front().without_terminator()) {
    bool isFree = isa<AllocOp, ViewLikeOpInterface>(op) ||
                  (isMemoryEffectFree(&op) && op.getNumRegions() == 0);
    if (isFree)
      continue;
    // Operations between the steps may use the result.
    if (op.getNumResults() > 0)
      return false;
    Step &step = steps.emplace_back();
    step.op = &op;
    if (steps.size() > kMaxCalls || !addUses(&op, step))
      return false;
  }
  if (overlaps)
    for (Step &step : steps)
      addSavings(step);
  for (auto [i, step] : llvm::enumerate(steps)) {
    int64_t bytes = 0, saved = 0;
    for (const BufferUse &use : step.uses)
      bytes += buffers.begin()[use.buffer].second;
    for (const Saving &saving : step.savings)
      saved = std::max(saved, saving.bytes);
    step.least = step.least.add(bytes - saved);
    step.hash = llvm::xxh3_64bits(std::to_string(i));
  }
  addDependences();
  users.resize(buffers.size());
  for (auto [i, step] : llvm::enumerate(steps))
    for (const BufferUse &use : step.uses)
      users[use.buffer].push_back(i);
  return true;
}

PartialOrder Scheduler::getStart() const {
  PartialOrder start{llvm::BitVector(steps.size()), {}, {}};
  for (auto [outside, entry] : llvm::zip_equal(livesOutside, buffers))
    start.progress.live += outside.first ? entry.second : 0;
  for (auto [i, step] : llvm::enumerate(steps)) {
    Cost &rest = start.progress.rest;
    rest = {std::max(rest.peak, step.least.peak), rest.sum + step.least.sum};
    if (step.before.empty())
      start.ready.push_back(i);
  }
  return start;
}

Progress Scheduler::measure(const PartialOrder &state, size_t step) const {
  auto isBorn = [&](size_t buffer) {
    return !livesOutside[buffer].first &&
           llvm::none_of(users[buffer],
                         [&](size_t user) { return state.done.test(user); });
  };
  auto dies = [&](size_t buffer) {
    return !livesOutside[buffer].second &&
           llvm::all_of(users[buffer], [&](size_t user) {
             return user == step || state.done.test(user);
           });
  };
  Progress next = state.progress;
  int64_t saved = 0, dead = 0;
  for (const BufferUse &use : steps[step].uses) {
    int64_t bytes = buffers.begin()[use.buffer].second;
    next.live += isBorn(use.buffer) ? bytes : 0;
    dead += dies(use.buffer) ? bytes : 0;
  }
  for (const Saving &saving : steps[step].savings)
    if (saving.bytes > saved && isBorn(saving.written) && dies(saving.read))
      saved = saving.bytes;
  next.cost = next.cost.add(next.live - saved);
  next.live -= dead;
  next.rest.sum -= steps[step].least.sum;
  next.hash ^= steps[step].hash;
  next.last.step = step;
  return next;
}

PartialOrder Scheduler::advance(const PartialOrder &state,
                                const Progress &progress) const {
  size_t step = progress.last.step;
  PartialOrder next{state.done, state.ready, progress};
  next.done.set(step);
  llvm::erase(next.ready, step);
  for (size_t after : steps[step].after)
    if (llvm::all_of(steps[after].before,
                     [&](size_t i) { return next.done.test(i); }))
      next.ready.insert(llvm::lower_bound(next.ready, after), after);
  return next;
}

std::vector<PartialOrder>
Scheduler::extend(const std::vector<PartialOrder> &states,
                  const Cost &present) const {
  std::vector<Progress> found;
  llvm::DenseMap<uint64_t, size_t> known;
  llvm::BitVector left, right;
  auto isSameSet = [&](const LastStep &a, const LastStep &b) {
    left = states[a.previous].done;
    right = states[b.previous].done;
    left.set(a.step);
    right.set(b.step);
    return left == right;
  };
  for (auto [previous, state] : llvm::enumerate(states)) {
    for (size_t step : state.ready) {
      Progress next = measure(state, step);
      if (!next.getBound().isBetterThan(present))
        continue;
      next.last.previous = previous;
      // Different sets with equal hashes take consecutive keys. The map
      // reserves the largest keys, which the shift avoids.
      uint64_t place = next.hash >> 1;
      auto entry = known.try_emplace(place, found.size());
      while (!entry.second &&
             !isSameSet(found[entry.first->second].last, next.last))
        entry = known.try_emplace(++place, found.size());
      if (entry.second)
        found.push_back(next);
      else if (next.cost < found[entry.first->second].cost)
        found[entry.first->second] = next;
    }
  }
  std::vector<size_t> kept(llvm::seq(found.size()).begin(),
                           llvm::seq(found.size()).end());
  // Equal ones stay in the order of the network.
  llvm::sort(kept, [&](size_t left, size_t right) {
    const Cost &a = found[left].cost, &b = found[right].cost;
    return a < b || (!(b < a) && left < right);
  });
  // About as many are tried next as were ready before.
  size_t count = 0, tried = 0;
  for (; count < std::min(kept.size(), kMaxStates); ++count) {
    tried += states[found[kept[count]].last.previous].ready.size();
    if (count > 0 && tried > kMaxTried / steps.size())
      break;
  }
  kept.resize(count);
  llvm::sort(kept);
  std::vector<PartialOrder> result;
  result.reserve(kept.size());
  for (size_t i : kept)
    result.push_back(advance(states[found[i].last.previous], found[i]));
  return result;
}

std::optional<SmallVector<size_t>> Scheduler::findOrder() {
  PartialOrder state = getStart();
  bool hasChoice = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    hasChoice |= state.ready.size() > 1;
    state = advance(state, measure(state, i));
  }
  if (!hasChoice)
    return std::nullopt;
  Cost present = state.progress.cost;
  std::vector<PartialOrder> states = {getStart()};
  std::vector<std::vector<LastStep>> generations;
  for (size_t i = 0; i < steps.size() && !states.empty(); ++i) {
    states = extend(states, present);
    auto lasts = llvm::map_range(
        states, [](const PartialOrder &state) { return state.progress.last; });
    generations.emplace_back(lasts.begin(), lasts.end());
  }
  if (states.empty())
    return std::nullopt;
  SmallVector<size_t> order;
  size_t position = 0;
  for (const auto &generation : llvm::reverse(generations)) {
    order.push_back(generation[position].step);
    position = generation[position].previous;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void Scheduler::apply(ArrayRef<size_t> order) {
  // Operations that are no steps, such as allocations, come first.
  Block &body = func.getBody().front();
  SmallVector<Operation *> others;
  llvm::DenseSet<Operation *> ordered;
  for (const Step &step : steps)
    ordered.insert(step.op);
  for (Operation &op : body)
    if (!ordered.contains(&op))
      others.push_back(&op);
  Operation *terminator =
      body.mightHaveTerminator() ? body.getTerminator() : nullptr;
  for (Operation *op : others)
    if (op != terminator)
      op->moveBefore(&body, Block::iterator(steps.front().op));
  for (size_t step : order) {
    if (terminator)
      steps[step].op->moveBefore(terminator);
    else
      steps[step].op->moveBefore(&body, body.end());
  }
}

namespace {
struct ReorderCallsPass
    : uma::tir::impl::ReorderCallsPassBase<ReorderCallsPass> {
  using ReorderCallsPassBase::ReorderCallsPassBase;

  FailureOr<int64_t> getPlannedBytes();
  void runOnOperation() override;
};
} // namespace

/// Returns the workspace that the present order needs.
FailureOr<int64_t> ReorderCallsPass::getPlannedBytes() {
  MemoryProblemOptions collected;
  collected.placesArguments = io == "inside";
  if (overlap != "proven")
    collected.overlap = overlap == "none"       ? OverlapKind::None
                        : overlap == "unshared" ? OverlapKind::Unshared
                                                : OverlapKind::Declared;
  MemoryProblem buffers;
  if (failed(collectMemoryProblem(getOperation(), collected, buffers)))
    return failure();
  memory::PlanOptions options;
  options.maxSteps = buffers.sources.size() < kMaxExactBuffers ? 10 : 0;
  llvm::Expected<memory::Plan> plan = memory::plan(buffers.problem, options);
  if (plan)
    return plan->size;
  return getOperation().emitOpError()
         << "has no memory plan: " << llvm::toString(plan.takeError());
}

void ReorderCallsPass::runOnOperation() {
  FuncOp func = getOperation();
  if (!func.isPublic())
    return;
  Scheduler scheduler(func, io == "inside", overlap == "proven");
  if (!scheduler.collect())
    return;
  auto order = scheduler.findOrder();
  if (!order)
    return;
  // Bytes that are alive are a bound, which a plan may not reach.
  FailureOr<int64_t> before = getPlannedBytes();
  if (failed(before))
    return signalPassFailure();
  scheduler.apply(*order);
  FailureOr<int64_t> after = getPlannedBytes();
  if (failed(after))
    return signalPassFailure();
  if (*after < *before) {
    ++numReordered;
    savedBytes += *before - *after;
    return;
  }
  scheduler.apply(
      llvm::to_vector(llvm::seq<size_t>(0, scheduler.getNumSteps())));
}
