//===- PlacementReason.cpp - Reasons that a match was not chosen ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Compares the cost of the operators as placed with their cost under the match,
// including affected neighbours. If this does not explain the decision,
// compares the cost of the whole graph.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Placement.h"
#include "uma/Support/CountText.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {
/// Maximum graph size for whole-graph costs. In larger graphs, only the
/// operators around the match are compared.
constexpr size_t kMaxOperatorsToCount = 1000;

/// A tensor moved to or from a device.
using Transfer = std::pair<unsigned, unsigned>;

/// Cost of some operators under one of the compared placements, with transfers
/// and regions.
struct Side {
  int64_t cycles = 0;
  llvm::SetVector<Transfer> transfers;
  int64_t overhead = 0;
  unsigned numRegions = 0;
};

class Comparison {
public:
  Comparison(const PlacementProblem &problem, const Placement &placement,
             unsigned candidate);

  std::string explain(unsigned op);

private:
  void count(Side &side) const;
  std::string describe(const Side &side, const Side &other) const;
  int64_t getTotal(const Side &side) const;
  bool hasNeighbour(unsigned candidate) const;
  std::string getDeviceName(unsigned device) const {
    AcceleratorOp accelerator = problem.devices[device].accelerator;
    return accelerator ? "'" + accelerator.getSymName().str() + "'" : "'cpu'";
  }
  unsigned getOwner(unsigned op) const {
    auto it = owners.find(op);
    return it == owners.end() ? PlacementProblem::kNobody : it->second;
  }
  unsigned getDevice(int op) const {
    unsigned owner = op < 0 ? PlacementProblem::kNobody : getOwner(op);
    return owner == PlacementProblem::kNobody
               ? PlacementProblem::kCPU
               : problem.candidates[owner].device;
  }

  const PlacementProblem &problem;
  const Placement &placement;
  unsigned candidate;
  /// Operators whose placement differs, and the users of their results.
  llvm::SetVector<unsigned> affected;
  llvm::DenseMap<unsigned, unsigned> owners;
};
} // namespace

Comparison::Comparison(const PlacementProblem &problem,
                       const Placement &placement, unsigned candidate)
    : problem(problem), placement(placement), candidate(candidate) {
  affected.insert_range(problem.candidates[candidate].operators);
  // All operators of a match change their placement together.
  for (unsigned op : problem.candidates[candidate].operators)
    for (unsigned other : problem.operators[op].candidates)
      if (llvm::binary_search(placement.chosen, other))
        affected.insert_range(problem.candidates[other].operators);
  auto noteOwner = [&](unsigned op) {
    for (unsigned other : problem.operators[op].candidates)
      if (llvm::binary_search(placement.chosen, other))
        owners[op] = other;
  };
  for (unsigned op : affected) {
    noteOwner(op);
    for (ArrayRef<unsigned> tensors : {ArrayRef(problem.operators[op].operands),
                                       ArrayRef(problem.operators[op].results)})
      for (unsigned tensor : tensors) {
        if (problem.tensors[tensor].producer >= 0)
          noteOwner(problem.tensors[tensor].producer);
        for (unsigned user : problem.tensors[tensor].users)
          noteOwner(user);
      }
  }
}

/// Returns whether a match shares a region with an adjacent one.
bool Comparison::hasNeighbour(unsigned candidate) const {
  const PlacementProblem::Candidate &match = problem.candidates[candidate];
  if (!problem.devices[match.device].mergesRegions)
    return false;
  auto isNeighbour = [&](int op) {
    return op >= 0 && !affected.contains(op) && getDevice(op) == match.device;
  };
  for (unsigned op : match.operators) {
    for (unsigned tensor : problem.operators[op].operands)
      if (isNeighbour(problem.tensors[tensor].producer))
        return true;
    for (unsigned tensor : problem.operators[op].results)
      if (llvm::any_of(problem.tensors[tensor].users, isNeighbour))
        return true;
  }
  return false;
}

void Comparison::count(Side &side) const {
  llvm::SetVector<unsigned> taken, tensors;
  for (unsigned op : affected) {
    if (unsigned owner = getOwner(op); owner != PlacementProblem::kNobody)
      taken.insert(owner);
    else
      side.cycles += problem.operators[op].cycles;
    tensors.insert_range(problem.operators[op].operands);
    tensors.insert_range(problem.operators[op].results);
  }
  for (unsigned owner : taken) {
    const PlacementProblem::Candidate &match = problem.candidates[owner];
    side.cycles += match.cycles;
    if (int64_t overhead = problem.devices[match.device].overhead;
        overhead > 0 && !hasNeighbour(owner)) {
      side.overhead += overhead;
      ++side.numRegions;
    }
  }
  for (unsigned index : tensors) {
    const PlacementProblem::Tensor &tensor = problem.tensors[index];
    unsigned home = getDevice(tensor.producer);
    bool leaves = tensor.isNeededOnCPU && home != PlacementProblem::kCPU;
    for (unsigned user : tensor.users) {
      unsigned device = getDevice(user);
      if (device == home)
        continue;
      leaves = true;
      if (device != PlacementProblem::kCPU)
        side.transfers.insert({index, device});
    }
    if (leaves && home != PlacementProblem::kCPU)
      side.transfers.insert({index, home});
  }
}

int64_t Comparison::getTotal(const Side &side) const {
  int64_t total = side.cycles + side.overhead;
  for (auto [tensor, device] : side.transfers)
    total += problem.devices[device].getTransferCycles(
        problem.tensors[tensor].bytes);
  return total;
}

/// Formats a side, without terms that both sides share: "900 + 2 transfers of 4
/// 096 bytes (1 064) + a region (500)".
std::string Comparison::describe(const Side &side, const Side &other) const {
  std::string text = getCountText(side.cycles);
  int64_t cycles = 0, bytes = 0;
  unsigned count = 0;
  bool areEqual = true;
  for (Transfer transfer : side.transfers) {
    if (other.transfers.contains(transfer))
      continue;
    int64_t moved = problem.tensors[transfer.first].bytes;
    areEqual &= count == 0 || moved == bytes;
    bytes = moved;
    ++count;
    cycles += problem.devices[transfer.second].getTransferCycles(moved);
  }
  // Skip free transfers (shared memory).
  if (cycles > 0) {
    text += count == 1 ? " + a transfer"
                       : " + " + std::to_string(count) + " transfers";
    if (areEqual)
      text += " of " + getCountText(bytes) + " bytes";
    text += " (" + getCountText(cycles) + ")";
  }
  if (side.numRegions > 0)
    text += (side.numRegions == 1
                 ? " + a region ("
                 : " + " + std::to_string(side.numRegions) + " regions (") +
            getCountText(side.overhead) + ")";
  return text;
}

std::string Comparison::explain(unsigned op) {
  const PlacementProblem::Candidate &match = problem.candidates[candidate];
  std::string device = getDeviceName(match.device);
  std::string here = getDeviceName(getDevice(op));
  Side now, then;
  count(now);
  for (unsigned other : affected)
    owners.erase(other);
  for (unsigned other : match.operators)
    owners[other] = candidate;
  count(then);

  int64_t size = match.operators.size();
  int64_t wanted = problem.devices[match.device].minOperators;
  if (size < wanted && !hasNeighbour(candidate))
    return "runs on " + here + ": a region of " + std::to_string(size) +
           (size == 1 ? " operator" : " operators") +
           " is too small, the least of " + device + " is " +
           std::to_string(wanted);
  if (getTotal(now) <= getTotal(then))
    return "runs on " + here + ": " + describe(now, then) +
           " cycles there against " + describe(then, now) + " on " + device;

  // The match costs more only because of changes elsewhere: evaluate the whole
  // graph.
  if (problem.operators.size() > kMaxOperatorsToCount)
    return "runs on " + here + ": " + describe(now, then) +
           " cycles there against " + describe(then, now) + " on " + device +
           " and more around it; of a graph of this size not all placements "
           "are tried";
  std::vector<unsigned> chosen = {candidate};
  for (unsigned other : placement.chosen)
    if (llvm::none_of(problem.candidates[other].operators,
                      [&](unsigned taken) { return affected.contains(taken); }))
      chosen.push_back(other);
  PlacementCost cost = computeCost(problem, chosen);
  if (cost.numForbidden > placement.cost.numForbidden)
    return "runs on " + here + ": without it on " + here +
           " another region would be too small for its device";
  std::string text = "runs on " + here + ": the graph takes " +
                     getCountText(placement.cost.getTotal()) +
                     " cycles like this and " + getCountText(cost.getTotal()) +
                     " with it on " + device;
  if (cost < placement.cost)
    text += "; of a graph of this size not all placements are tried";
  return text;
}

std::string uma::accel::explainNotChosen(const PlacementProblem &problem,
                                         const Placement &placement,
                                         unsigned candidate, unsigned op) {
  return Comparison(problem, placement, candidate).explain(op);
}

std::optional<CostReason> uma::accel::explainCost(const PlacedProblem &placed,
                                                  AcceleratorOp accelerator,
                                                  Operation *op,
                                                  PatternOp pattern) {
  const PlacementProblem &problem = placed.problem;
  auto number = placed.numbers.find(op);
  if (number == placed.numbers.end())
    return std::nullopt;
  // Find the candidate with the largest saving for its operators.
  std::optional<unsigned> best;
  auto getSaving = [&](unsigned index) {
    int64_t saving = -problem.candidates[index].cycles;
    for (unsigned taken : problem.candidates[index].operators)
      saving += problem.operators[taken].cycles;
    return saving;
  };
  for (unsigned index : problem.operators[number->second].candidates) {
    const PlacementProblem::Candidate &candidate = problem.candidates[index];
    if (problem.devices[candidate.device].accelerator != accelerator ||
        (pattern && candidate.match.pattern != pattern) ||
        llvm::binary_search(placed.placement.chosen, index))
      continue;
    if (!best || getSaving(index) > getSaving(*best))
      best = index;
  }
  if (!best)
    return std::nullopt;
  return CostReason{
      problem.candidates[*best].match.pattern,
      explainNotChosen(problem, placed.placement, *best, number->second)};
}
