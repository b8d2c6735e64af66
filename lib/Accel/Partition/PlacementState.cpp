//===- PlacementState.cpp - States of the placement search ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PlacementState.h"

using namespace mlir;
using namespace uma::accel;

using State = PlacementState;
static constexpr unsigned kCPU = PlacementProblem::kCPU;

static uint64_t bit(unsigned device) { return uint64_t(1) << device; }

uint64_t PlacementState::getKey() const {
  uint64_t key = 0;
  auto add = [&](uint64_t value) {
    // The finalizer of MurmurHash3.
    key = (key ^ value) + 0x9e3779b97f4a7c15;
    key = (key ^ (key >> 33)) * 0xff51afd7ed558ccd;
    key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53;
    key ^= key >> 33;
  };
  // Number groups in the order of their first use.
  SmallVector<unsigned, 8> numbers(groups.size(), PlacementState::kNone);
  unsigned next = 0;
  auto addGroup = [&](unsigned group) {
    if (group == PlacementState::kNone)
      return add(PlacementState::kNone);
    if (numbers[group] == PlacementState::kNone) {
      numbers[group] = next++;
      add(groups[group].size);
    }
    add(numbers[group]);
  };
  for (const Live &entry : live) {
    add(entry.tensor);
    add(entry.device);
    add(entry.destinations);
    addGroup(entry.group);
  }
  for (const Pending &entry : pending) {
    add(entry.op);
    add(entry.candidate);
    addGroup(entry.group);
  }
  return key;
}

PlacementStepper::PlacementStepper(const PlacementProblem &problem)
    : problem(problem), leastRest(problem.operators.size() + 1, 0),
      isTracked(problem.tensors.size(), false),
      lastUses(problem.operators.size()) {
  auto hasChoice = [&](unsigned op) {
    return !problem.operators[op].candidates.empty();
  };
  std::vector<bool> matters(problem.operators.size(), false);
  for (auto [index, tensor] : llvm::enumerate(problem.tensors)) {
    bool isMade = tensor.producer >= 0;
    isTracked[index] = (isMade && hasChoice(tensor.producer)) ||
                       llvm::any_of(tensor.users, hasChoice);
    if (!isTracked[index])
      continue;
    if (isMade)
      matters[tensor.producer] = true;
    for (unsigned user : tensor.users)
      matters[user] = true;
    if (!tensor.users.empty())
      lastUses[tensor.users.back()].push_back(index);
  }
  for (unsigned op = problem.operators.size(); op-- > 0;) {
    const PlacementProblem::Operator &entry = problem.operators[op];
    int64_t least = entry.cycles;
    for (unsigned candidate : entry.candidates) {
      const PlacementProblem::Candidate &taker = problem.candidates[candidate];
      least = std::min(least, taker.cycles / int64_t(taker.operators.size()));
    }
    matters[op] = matters[op] || hasChoice(op);
    leastRest[op] = leastRest[op + 1];
    if (matters[op])
      leastRest[op] += least;
    else
      firstCycles += entry.cycles;
  }
  for (unsigned op = 0; op < problem.operators.size(); ++op)
    if (matters[op])
      operators.push_back(op);
}

State PlacementStepper::getFirst() const {
  State state;
  state.cycles = firstCycles;
  for (auto [index, tensor] : llvm::enumerate(problem.tensors))
    if (tensor.producer < 0 && isTracked[index])
      state.live.push_back({unsigned(index), kCPU, State::kNone, 0});
  return state;
}

unsigned PlacementStepper::getPromised(const State &state, unsigned op) const {
  for (const State::Pending &entry : state.pending)
    if (entry.op == op)
      return entry.candidate;
  return PlacementState::kNone;
}

bool PlacementStepper::canStart(const State &state, unsigned candidate) const {
  ArrayRef<unsigned> taken = problem.candidates[candidate].operators;
  return llvm::none_of(taken, [&](unsigned op) {
    return getPromised(state, op) != PlacementState::kNone;
  });
}

/// Updates transfers and groups for a use of a tensor on `device`.
void PlacementStepper::use(State &state, State::Live &live, unsigned device,
                           unsigned &group) const {
  if (device == live.device) {
    if (group == PlacementState::kNone || live.group == PlacementState::kNone ||
        group == live.group)
      return;
    // Merge the two groups.
    unsigned kept = live.group, gone = group;
    State::Group &into = state.groups[kept], &from = state.groups[gone];
    into.size =
        std::min(into.size + from.size, problem.devices[device].minOperators);
    into.references += from.references;
    from.device = kCPU;
    for (State::Live &entry : state.live)
      if (entry.group == gone)
        entry.group = kept;
    for (State::Pending &entry : state.pending)
      if (entry.group == gone)
        entry.group = kept;
    group = kept;
    state.cycles -= problem.devices[device].overhead;
    return;
  }
  if (live.destinations & bit(device))
    return;
  int64_t bytes = problem.tensors[live.tensor].bytes;
  if (live.destinations == 0 && live.device != kCPU)
    state.cycles += problem.devices[live.device].getTransferCycles(bytes);
  if (device != kCPU)
    state.cycles += problem.devices[device].getTransferCycles(bytes);
  live.destinations |= bit(device);
}

/// Adds a result of an operator to the live tensors.
void PlacementStepper::define(State &state, unsigned tensor, unsigned candidate,
                              unsigned device, unsigned group) const {
  const PlacementProblem::Tensor &entry = problem.tensors[tensor];
  if (candidate != PlacementState::kNone && !entry.isNeededOnCPU) {
    // A tensor internal to the match needs no transfer.
    ArrayRef<unsigned> taken = problem.candidates[candidate].operators;
    if (llvm::all_of(entry.users, [&](unsigned user) {
          return llvm::is_contained(taken, user);
        }))
      return;
  }
  State::Live live{tensor, device, group, 0};
  unsigned none = PlacementState::kNone;
  if (entry.isNeededOnCPU)
    use(state, live, kCPU, none);
  if (entry.users.empty())
    return;
  if (group != PlacementState::kNone)
    ++state.groups[group].references;
  auto *at = llvm::partition_point(state.live, [&](const State::Live &other) {
    return other.tensor < tensor;
  });
  state.live.insert(at, live);
}

void PlacementStepper::release(State &state, unsigned group) const {
  if (group == PlacementState::kNone || --state.groups[group].references > 0)
    return;
  State::Group &entry = state.groups[group];
  if (entry.size < problem.devices[entry.device].minOperators)
    ++state.numForbidden;
  entry.device = kCPU;
}

void PlacementStepper::place(State &state, unsigned op,
                             unsigned candidate) const {
  unsigned device = kCPU, group = PlacementState::kNone;
  auto *promised =
      llvm::find_if(state.pending, [&](const State::Pending &entry) {
        return entry.op == op;
      });
  if (promised != state.pending.end()) {
    candidate = promised->candidate;
    group = promised->group;
    state.pending.erase(promised);
    device = problem.candidates[candidate].device;
  } else if (candidate != PlacementState::kNone) {
    ArrayRef<unsigned> taken = problem.candidates[candidate].operators;
    device = problem.candidates[candidate].device;
    const PlacementProblem::Device &target = problem.devices[device];
    int64_t size = taken.size();
    state.cycles += target.overhead;
    if (tracksGroups(device)) {
      auto *slot = llvm::find_if(state.groups, [](const State::Group &entry) {
        return entry.device == kCPU;
      });
      group = slot - state.groups.begin();
      if (slot == state.groups.end())
        state.groups.emplace_back();
      state.groups[group] = {device, std::min(size, target.minOperators),
                             unsigned(size)};
    } else if (size < target.minOperators) {
      ++state.numForbidden;
    }
    for (unsigned other : taken.drop_front())
      state.pending.push_back({other, candidate, group});
  }

  const PlacementProblem::Operator &entry = problem.operators[op];
  if (candidate == PlacementState::kNone) {
    state.cycles += entry.cycles;
  } else {
    // Distribute the cost evenly over the match's operators, for a fair
    // comparison of states at the same operator.
    const PlacementProblem::Candidate &taker = problem.candidates[candidate];
    int64_t count = taker.operators.size();
    int64_t at = llvm::find(taker.operators, op) - taker.operators.begin();
    int64_t share = taker.cycles / count;
    state.cycles += share + (at < taker.cycles % count);
  }
  for (unsigned tensor : entry.operands) {
    auto *live =
        llvm::partition_point(state.live, [&](const State::Live &other) {
          return other.tensor < tensor;
        });
    if (live != state.live.end() && live->tensor == tensor)
      use(state, *live, device, group);
  }
  for (unsigned tensor : entry.results)
    if (isTracked[tensor])
      define(state, tensor, candidate, device, group);
  for (unsigned tensor : lastUses[op]) {
    auto *live = llvm::find_if(state.live, [&](const State::Live &other) {
      return other.tensor == tensor;
    });
    if (live == state.live.end())
      continue;
    unsigned owner = live->group;
    state.live.erase(live);
    release(state, owner);
  }
  release(state, group);
}

int64_t PlacementStepper::getOpenOverhead(const State &state) const {
  uint64_t devices = 0;
  int64_t cycles = 0;
  for (const State::Group &group : state.groups) {
    if (group.device == kCPU)
      continue;
    // At least one region of each device remains.
    if (devices & bit(group.device))
      cycles += problem.devices[group.device].overhead;
    devices |= bit(group.device);
  }
  return cycles;
}
