//===- PlacementSearch.cpp - Search for the cheapest placement ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Beam search by dynamic programming over the operators, then local search;
// then, if there are few choices, branch and bound. computeCost makes the final
// decisions: states count connected groups as regions, which underestimates the
// number of regions if a group is not convex.
//
//===----------------------------------------------------------------------===//

#include "PlacementState.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace uma::accel;

namespace {
using State = PlacementState;
constexpr unsigned kNone = State::kNone;

/// Beam width, and maximum number of tensors in all states together: fewer
/// states are kept if they are large, to bound the work per operator.
constexpr size_t kMaxStates = 64;
constexpr size_t kMaxTensors = 4096;
/// Maximum number of placements that the local search tries.
constexpr unsigned kMaxChanges = 200;
/// Maximum number of operators that branch and bound places, which takes about
/// a second. Beyond it, the best result so far is kept.
constexpr size_t kMaxPlaced = 20000000;

class PlacementSearch {
public:
  explicit PlacementSearch(const PlacementProblem &problem)
      : problem(problem), stepper(problem) {}

  Placement run();

private:
  struct Decision {
    int previous;
    unsigned candidate;
  };

  std::vector<unsigned> searchStates();
  void improve(Placement &best);
  bool searchAll(Placement &best);
  bool searchFrom(State state, size_t position, Placement &best);
  void consider(std::vector<unsigned> chosen, Placement &best);
  SmallVector<unsigned, 4> getChoices(const State &state, unsigned op) const;
  void place(State &state, unsigned op, unsigned candidate);
  std::vector<unsigned> getChosen(const State &state) const;

  const PlacementProblem &problem;
  PlacementStepper stepper;
  std::vector<Decision> decisions;
  size_t numPlaced = 0;
};
} // namespace

/// Returns the candidates that may start at `op`, and kNone for the CPU.
/// Returns only kNone if the state reserves `op` for a candidate.
SmallVector<unsigned, 4> PlacementSearch::getChoices(const State &state,
                                                     unsigned op) const {
  SmallVector<unsigned, 4> choices;
  if (stepper.getPromised(state, op) == kNone)
    for (unsigned candidate : problem.operators[op].candidates)
      if (problem.candidates[candidate].operators.front() == op &&
          stepper.canStart(state, candidate))
        choices.push_back(candidate);
  choices.push_back(kNone);
  return choices;
}

void PlacementSearch::place(State &state, unsigned op, unsigned candidate) {
  if (candidate != kNone) {
    decisions.push_back({state.decision, candidate});
    state.decision = decisions.size() - 1;
  }
  stepper.place(state, op, candidate);
  ++numPlaced;
}

std::vector<unsigned> PlacementSearch::getChosen(const State &state) const {
  std::vector<unsigned> chosen;
  for (int at = state.decision; at >= 0; at = decisions[at].previous)
    chosen.push_back(decisions[at].candidate);
  return chosen;
}

/// Makes `chosen` the best placement if it is cheaper.
void PlacementSearch::consider(std::vector<unsigned> chosen, Placement &best) {
  PlacementCost cost = computeCost(problem, chosen, &best.cost);
  if (!(cost < best.cost))
    return;
  best.cost = cost;
  best.chosen = std::move(chosen);
}

/// Returns the indices of the `limit` cheapest of `states`, ascending. Prefers
/// earlier states among equals.
static std::vector<size_t> getCheapest(ArrayRef<State> states, size_t limit) {
  std::vector<size_t> indices(states.size());
  std::iota(indices.begin(), indices.end(), 0);
  if (states.size() <= limit)
    return indices;
  std::nth_element(indices.begin(), indices.begin() + limit, indices.end(),
                   [&](size_t lhs, size_t rhs) {
                     if (states[lhs].isCheaperThan(states[rhs]))
                       return true;
                     return !states[rhs].isCheaperThan(states[lhs]) &&
                            lhs < rhs;
                   });
  indices.resize(limit);
  llvm::sort(indices);
  return indices;
}

std::vector<unsigned> PlacementSearch::searchStates() {
  std::vector<State> states = {stepper.getFirst()}, next;
  llvm::DenseMap<uint64_t, size_t> known;
  for (unsigned op : stepper.getOperators()) {
    next.clear();
    known.clear();
    auto add = [&](State state, unsigned candidate) {
      place(state, op, candidate);
      // DenseMap reserves two keys.
      auto [it, isNew] = known.try_emplace(state.getKey() >> 1, next.size());
      if (isNew)
        next.push_back(std::move(state));
      else if (state.isCheaperThan(next[it->second]))
        next[it->second] = std::move(state);
    };
    for (State &state : states) {
      SmallVector<unsigned, 4> choices = getChoices(state, op);
      for (unsigned candidate : ArrayRef(choices).drop_back())
        add(state, candidate);
      add(std::move(state), kNone);
    }
    size_t width = next.front().live.size() + 1;
    size_t limit =
        std::max<size_t>(1, std::min(kMaxStates, kMaxTensors / width));
    states.clear();
    for (size_t index : getCheapest(next, limit))
      states.push_back(std::move(next[index]));
  }
  return getChosen(
      *llvm::min_element(states, [](const State &lhs, const State &rhs) {
        return lhs.isCheaperThan(rhs);
      }));
}

/// Local search: tries to add each candidate that is not chosen, replacing
/// overlapping ones, and to remove each chosen candidate.
void PlacementSearch::improve(Placement &best) {
  unsigned changes = 0;
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (unsigned index = 0; index < problem.candidates.size(); ++index) {
      if (++changes > kMaxChanges)
        return;
      ArrayRef<unsigned> taken = problem.candidates[index].operators;
      bool isChosen = llvm::is_contained(best.chosen, index);
      std::vector<unsigned> chosen;
      for (unsigned other : best.chosen)
        if (llvm::none_of(
                problem.candidates[other].operators,
                [&](unsigned op) { return llvm::is_contained(taken, op); }))
          chosen.push_back(other);
      if (!isChosen)
        chosen.push_back(index);
      PlacementCost before = best.cost;
      consider(std::move(chosen), best);
      hasChanged |= best.cost < before;
    }
  }
}

/// Branch and bound over all placements. Returns false if there are too many.
bool PlacementSearch::searchAll(Placement &best) {
  unsigned numChoices = llvm::count_if(
      problem.operators, [](const auto &op) { return !op.candidates.empty(); });
  if (numChoices > kMaxExactOperators)
    return false;
  numPlaced = 0;
  return searchFrom(stepper.getFirst(), 0, best);
}

/// Searches from `position` on. Recurses once per operator with a choice, at
/// most kMaxExactOperators deep.
bool PlacementSearch::searchFrom(State state, size_t position,
                                 Placement &best) {
  ArrayRef<unsigned> operators = stepper.getOperators();
  for (; position < operators.size(); ++position) {
    unsigned op = operators[position];
    // Splitting groups into more regions only increases the cost.
    int64_t least = state.cycles - stepper.getOpenOverhead(state) +
                    stepper.getLeastRest(op);
    if (std::pair(state.numForbidden, least) >=
        std::pair(best.cost.numForbidden, best.cost.getTotal()))
      return true;
    if (numPlaced > kMaxPlaced)
      return false;
    SmallVector<unsigned, 4> choices = getChoices(state, op);
    size_t numDecisions = decisions.size();
    for (unsigned candidate : ArrayRef(choices).drop_back()) {
      State next = state;
      place(next, op, candidate);
      if (!searchFrom(std::move(next), position + 1, best))
        return false;
      decisions.resize(numDecisions);
    }
    place(state, op, kNone);
  }
  numPlaced += problem.operators.size();
  consider(getChosen(state), best);
  return true;
}

Placement PlacementSearch::run() {
  Placement best;
  best.chosen = problem.chooseGreedily();
  best.cost = best.greedyCost = computeCost(problem, best.chosen);
  consider({}, best);
  if (!problem.candidates.empty())
    consider(searchStates(), best);
  improve(best);
  best.isOptimal = searchAll(best);
  llvm::sort(best.chosen);
  return best;
}

Placement uma::accel::findPlacement(const PlacementProblem &problem) {
  return PlacementSearch(problem).run();
}
