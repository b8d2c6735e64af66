//===- Assignment.cpp - Assignment of operators to accelerators -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Assignment.h"

#include "MatchOrder.h"
#include "MatchedKinds.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

SmallVector<func::FuncOp> uma::accel::getFunctionsToPartition(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && !function->hasAttr(kTargetAttrName))
      functions.push_back(function);
  return functions;
}

FailureOr<SmallVector<AcceleratorOp>>
uma::accel::getAccelerators(ModuleOp module, ArrayRef<std::string> names) {
  SmallVector<AcceleratorOp> all(module.getOps<AcceleratorOp>());
  if (names.empty())
    return all;
  SmallVector<AcceleratorOp> accelerators;
  for (const std::string &name : names) {
    auto *it = llvm::find_if(all, [&](AcceleratorOp accelerator) {
      return accelerator.getSymName() == name;
    });
    if (it == all.end()) {
      SmallVector<StringRef> known =
          llvm::map_to_vector(all, [](AcceleratorOp accelerator) -> StringRef {
            return accelerator.getSymName();
          });
      return module.emitError()
             << "the module has no accelerator '" << name << "'"
             << didYouMean(name, known)
             << "; uma-accel-load puts descriptions into a module";
    }
    if (!llvm::is_contained(accelerators, *it))
      accelerators.push_back(*it);
  }
  return accelerators;
}

AcceleratorOp uma::accel::getAccelerator(PatternOp pattern) {
  return cast<AcceleratorOp>(pattern->getParentOp());
}

bool uma::accel::mergesRegions(AcceleratorOp accelerator, MergeRegions option) {
  if (option != MergeRegions::AsDescribed)
    return option == MergeRegions::Always;
  return llvm::all_of(
      accelerator.getOps<MergeCompilerRegionsOp>(),
      [](MergeCompilerRegionsOp merge) { return merge.getMerge(); });
}

namespace {
/// Operators of a function from its end, grouped by kind, so that a pattern
/// visits only operators of its root's kind.
class Candidates {
public:
  explicit Candidates(func::FuncOp function) {
    unsigned place = 0;
    for (Block &block : llvm::reverse(function.getBody()))
      for (Operation &op : llvm::reverse(block))
        if (isInFamily<GraphFamily>(&op)) {
          for (StringRef kind : getMatchedKinds(&op))
            byKind[kind].emplace_back(place, &op);
          ++place;
        }
  }

  /// Returns the possible roots of the pattern with their positions.
  SmallVector<std::pair<unsigned, Operation *>> find(PatternOp pattern) const {
    SmallVector<std::pair<unsigned, Operation *>> found;
    for (StringRef kind : getOperatorKinds(pattern.getRoot()))
      if (auto ops = byKind.find(kind); ops != byKind.end())
        llvm::append_range(found, ops->second);
    llvm::sort(found, llvm::less_first());
    found.erase(llvm::unique(found), found.end());
    return found;
  }

private:
  llvm::StringMap<SmallVector<std::pair<unsigned, Operation *>>> byKind;
};
} // namespace

void uma::accel::forEachMatch(func::FuncOp function,
                              ArrayRef<AcceleratorOp> accelerators,
                              function_ref<bool(Operation *)> skip,
                              function_ref<void(Match)> visit) {
  Candidates candidates(function);
  for (AcceleratorOp accelerator : accelerators) {
    for (auto pattern : accelerator.getOps<PatternOp>()) {
      for (auto [place, root] : candidates.find(pattern)) {
        if (skip(root))
          continue;
        FailureOr<Match> match = matchPattern(pattern, root);
        if (succeeded(match))
          visit(std::move(*match));
      }
    }
  }
}

/// Adds a match that is disjoint from the matches of `assignment`.
static void take(Match match, Assignment &assignment) {
  for (Operation *op : match.ops)
    assignment.owners[op] = assignment.matches.size();
  assignment.matches.push_back(std::move(match));
}

Assignment uma::accel::computeAssignment(func::FuncOp function,
                                         ArrayRef<AcceleratorOp> accelerators) {
  Assignment assignment;
  assignment.restrictions = Restrictions(function, accelerators);
  auto isTaken = [&](Operation *op) { return assignment.owners.contains(op); };
  MatchOrder order;
  assignment.restrictions.forEachMatch(
      function, accelerators, isTaken, [&](Match match) {
        if (llvm::any_of(match.ops, isTaken) || !order.canAdd(match))
          return;
        order.add(match);
        take(std::move(match), assignment);
      });
  return assignment;
}

FailureOr<Assignment>
uma::accel::computeAssignment(func::FuncOp function,
                              ArrayRef<AcceleratorOp> accelerators,
                              const PlacementOptions &options) {
  if (options.policy == Policy::Greedy)
    return computeAssignment(function, accelerators);
  FailureOr<PlacementProblem> problem =
      PlacementProblem::create(function, accelerators, options);
  if (failed(problem))
    return failure();
  auto placed = std::make_shared<PlacedProblem>();
  placed->problem = std::move(*problem);
  placed->placement = findPlacement(placed->problem);
  Assignment assignment;
  assignment.restrictions = Restrictions(function, accelerators);
  MatchOrder order;
  for (unsigned index : placed->placement.chosen) {
    const Match &match = placed->problem.candidates[index].match;
    // The search ignores cycles between matches with several results: use the
    // greedy policy if there is one.
    if (!order.canAdd(match))
      return computeAssignment(function, accelerators);
    order.add(match);
    take(match, assignment);
  }
  for (auto [index, op] : llvm::enumerate(placed->problem.operators))
    placed->numbers[op.op] = index;
  assignment.placed = std::move(placed);
  return assignment;
}

LogicalResult uma::accel::verifyPins(const Assignment &assignment) {
  LogicalResult result = success();
  for (const auto &[op, pin] : assignment.restrictions.pins) {
    AcceleratorOp accelerator = pin.accelerator;
    const Match *owner = assignment.getOwner(op);
    if (owner && getAccelerator(owner->pattern) == accelerator)
      continue;
    InFlightDiagnostic error =
        mlir::emitError(op->getLoc())
        << describeLayer(op) << " is pinned to '" << accelerator.getSymName()
        << "', which cannot take it: "
        << explainReason(accelerator, op, assignment).getText();
    if (pin.source != op)
      error.attachNote(pin.source->getLoc()) << "it is pinned here";
    result = error;
  }
  return result;
}

/// Finds possible roots that share an operand with `op`, which is matched to
/// another output of the pattern.
static void findRootsBeside(Operation *op, PatternOp pattern,
                            llvm::SetVector<Operation *> &roots) {
  constexpr unsigned maxUses = 64, maxRoots = 4;
  SmallVector<StringRef> kinds = getOperatorKinds(pattern.getRoot());
  unsigned count = 0;
  for (Value operand : op->getOperands())
    for (Operation *user : operand.getUsers()) {
      if (++count > maxUses || roots.size() == maxRoots)
        return;
      if (user != op && isOfKinds(user, kinds))
        roots.insert(user);
    }
}

/// Follows the users of `opOp`, matched to `op`, to the root, in the pattern
/// and the graph in parallel. Returns the possible roots, the farthest last.
/// Sets `why` if there are none.
static SmallVector<Operation *> findRoots(OperatorOp opOp, Operation *op,
                                          Mismatch &why) {
  auto pattern = cast<PatternOp>(opOp->getParentOp());
  SmallVector<Value> outputs = pattern.getOutputs();
  llvm::SetVector<Operation *> roots;
  // Tensors of the pattern and the operations that compute them in the graph.
  constexpr unsigned maxReached = 64;
  llvm::SetVector<std::pair<Value, Operation *>> reached;
  reached.insert({opOp.getResult(), op});
  why.distance = ~0U;
  for (unsigned next = 0; next < reached.size() && next < maxReached; ++next) {
    auto [tensor, at] = reached[next];
    if (tensor == pattern.getRoot())
      roots.insert(at);
    else if (llvm::is_contained(outputs, tensor))
      findRootsBeside(at, pattern, roots);
    SmallVector<StringRef> wanted;
    Operation *first = nullptr;
    bool goesOn = false;
    for (Operation *user : tensor.getUsers()) {
      if (auto choice = dyn_cast<ChoiceOp>(user)) {
        reached.insert({choice.getResult(), at});
        goesOn = true;
      }
      auto wantedOp = dyn_cast<OperatorOp>(user);
      if (!wantedOp)
        continue;
      auto isWanted = [&](Operation *candidate) {
        return isOfKind(candidate, wantedOp.getKind());
      };
      auto found = llvm::find_if(at->getUsers(), isWanted);
      if (found != at->getUsers().end()) {
        reached.insert({wantedOp.getResult(), *found});
        goesOn = true;
        continue;
      }
      if (!first || user->isBeforeInBlock(first))
        first = user;
      if (!llvm::is_contained(wanted, wantedOp.getKind()))
        wanted.insert(wanted.begin(), wantedOp.getKind());
    }
    if (goesOn || !first)
      continue;
    unsigned missing = 0;
    for (auto rest : pattern.getBody().getOps<OperatorOp>())
      missing += !rest->isBeforeInBlock(first);
    if (missing * Mismatch::kMissingOperator >= why.distance)
      continue;
    std::string found = "nothing uses the result";
    if (!at->use_empty()) {
      Operation *other = nullptr;
      for (Operation *user : at->getUsers())
        other = user;
      found = other->hasTrait<OpTrait::IsTerminator>()
                  ? "the result is one of the graph's"
                  : "the result goes to " + describeLayer(other);
    }
    why.reason = found + ", the pattern wants a " + llvm::join(wanted, " or ") +
                 " there";
    why.where = at;
    why.distance = missing * Mismatch::kMissingOperator;
  }
  if (roots.empty() && why.distance == ~0U) {
    why.reason = "nothing that could be the pattern's '" +
                 getTensorName(pattern.getRoot()) +
                 "' shares an operand with it";
    why.where = op;
    why.distance = Mismatch::kMissingOperator;
  }
  return roots.takeVector();
}

/// Explains why `match`, which exists, is not used.
static Mismatch explainOverlap(PatternOp pattern, Operation *op,
                               const Match &match,
                               const Assignment &assignment) {
  auto describeOwner = [&](const Match &owner) {
    PatternOp taker = owner.pattern;
    return ("pattern '" + taker.getSymName() + "' of '" +
            getAccelerator(taker).getSymName() + "'")
        .str();
  };
  Mismatch why;
  why.where = op;
  if (assignment.placed)
    if (auto cost = explainCost(*assignment.placed, getAccelerator(pattern), op,
                                pattern)) {
      why.reason = std::move(cost->reason);
      return why;
    }
  if (const Match *owner = assignment.getOwner(op)) {
    why.reason = describeOwner(*owner) + " comes first and takes it";
    return why;
  }
  if (!llvm::is_contained(match.ops, op)) {
    // The match took the other operand of a commutative operator, or another
    // sibling.
    why.reason = "pattern '" + pattern.getSymName().str() +
                 "' takes another operand of " +
                 describeLayer(match.result.getDefiningOp()) + " instead";
    return why;
  }
  for (Operation *other : match.ops)
    if (const Match *owner = assignment.getOwner(other))
      why.reason = "it matches together with " + describeLayer(other) +
                   ", which " + describeOwner(*owner) + " takes";
  if (why.reason.empty())
    why.reason = "it matches with several results, of which one would wait "
                 "for those of another match, and that for it";
  return why;
}

FailureOr<Mismatch> uma::accel::explainMismatch(PatternOp pattern,
                                                Operation *op,
                                                const Assignment &assignment) {
  std::optional<Mismatch> closest;
  for (auto opOp : pattern.getBody().getOps<OperatorOp>()) {
    if (!isOfKind(op, opOp.getKind()))
      continue;
    Mismatch why;
    SmallVector<Operation *> roots = findRoots(opOp, op, why);
    // Prefer the largest match among equally close ones.
    for (Operation *root : llvm::reverse(roots)) {
      FailureOr<Match> match = matchPattern(pattern, root, &why);
      if (succeeded(match)) {
        std::optional<Mismatch> restriction =
            assignment.restrictions.check(getAccelerator(pattern), *match);
        why = restriction ? *restriction
                          : explainOverlap(pattern, op, *match, assignment);
      }
      if (!closest || why.distance < closest->distance)
        closest = why;
    }
    if (roots.empty() && (!closest || why.distance < closest->distance))
      closest = std::move(why);
  }
  if (!closest)
    return failure();
  return *closest;
}

FailureOr<Mismatch> uma::accel::findClosest(PatternOp pattern,
                                            ArrayRef<func::FuncOp> functions,
                                            ArrayRef<Assignment> assignments) {
  llvm::SetVector<StringRef> kinds;
  for (auto opOp : pattern.getBody().getOps<OperatorOp>())
    kinds.insert(opOp.getKind());
  std::optional<Mismatch> closest;
  for (auto [index, assignment] : llvm::enumerate(assignments)) {
    func::FuncOp function = functions[index];
    for (Block &block : function.getBody())
      for (Operation &op : block) {
        if (!isInFamily<GraphFamily>(&op) ||
            !isOfKinds(&op, kinds.getArrayRef()))
          continue;
        FailureOr<Mismatch> why = explainMismatch(pattern, &op, assignment);
        if (succeeded(why) && (!closest || why->distance < closest->distance))
          closest = std::move(*why);
      }
  }
  if (!closest)
    return failure();
  return *closest;
}
