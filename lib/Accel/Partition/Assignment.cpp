//===- Assignment.cpp - Which operators go to which accelerator -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Assignment.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/DidYouMean.h"

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

void uma::accel::forEachMatch(func::FuncOp function,
                              ArrayRef<AcceleratorOp> accelerators,
                              function_ref<bool(Operation *)> skip,
                              function_ref<void(Match)> visit) {
  // Roots by their kind, so that a pattern looks at its own operators only.
  llvm::StringMap<SmallVector<Operation *>> candidates;
  for (Block &block : llvm::reverse(function.getBody()))
    for (Operation &op : llvm::reverse(block))
      if (isInFamily<GraphFamily>(&op))
        candidates[getOperatorKind(&op)].push_back(&op);

  for (AcceleratorOp accelerator : accelerators) {
    for (auto pattern : accelerator.getOps<PatternOp>()) {
      auto roots = candidates.find(pattern.getRoot().getKind());
      if (roots == candidates.end())
        continue;
      for (Operation *root : roots->second) {
        if (skip(root))
          continue;
        FailureOr<Match> match = matchPattern(pattern, root);
        if (succeeded(match))
          visit(std::move(*match));
      }
    }
  }
}

/// Adds a match that shares no operation with those of `assignment`.
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
  assignment.restrictions.forEachMatch(function, accelerators, isTaken,
                                       [&](Match match) {
                                         if (llvm::none_of(match.ops, isTaken))
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
  for (unsigned index : placed->placement.chosen)
    take(placed->problem.candidates[index].match, assignment);
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

/// Follows the pattern from `opOp`, which stands for `op`, to its root, and the
/// graph along with it. Null, and the reason in `why`, where they part.
static Operation *findRoot(OpOp opOp, Operation *op, Mismatch &why) {
  unsigned missing = 0;
  while (true) {
    auto users = llvm::make_filter_range(opOp->getUsers(), llvm::IsaPred<OpOp>);
    if (users.empty())
      return op;
    auto next = cast<OpOp>(*users.begin());
    Operation *user = nullptr, *other = nullptr;
    for (Operation *candidate : op->getUsers()) {
      if (getOperatorKind(candidate) == next.getKind()) {
        user = candidate;
        break;
      }
      other = candidate;
    }
    if (user) {
      opOp = next;
      op = user;
      continue;
    }
    for (auto rest : opOp->getBlock()->getOps<OpOp>())
      missing += !rest->isBeforeInBlock(next);
    std::string found = "nothing uses the result";
    if (other)
      found = other->hasTrait<OpTrait::IsTerminator>()
                  ? "the result is one of the graph's"
                  : "the result goes to " + describeLayer(other);
    why.reason =
        found + ", the pattern wants a " + next.getKind().str() + " there";
    why.where = op;
    why.distance = missing * Mismatch::kMissingOperator;
    return nullptr;
  }
}

/// Why a match is not used although it is one.
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
    // A commutative operator took its other operand for this one.
    why.reason = "pattern '" + pattern.getSymName().str() +
                 "' takes another operand of " +
                 describeLayer(match.ops.back()) + " instead";
    return why;
  }
  for (Operation *other : match.ops)
    if (const Match *owner = assignment.getOwner(other))
      why.reason = "it matches together with " + describeLayer(other) +
                   ", which " + describeOwner(*owner) + " takes";
  return why;
}

FailureOr<Mismatch> uma::accel::explainMismatch(PatternOp pattern,
                                                Operation *op,
                                                const Assignment &assignment) {
  std::optional<Mismatch> closest;
  for (auto opOp : pattern.getBody().getOps<OpOp>()) {
    if (opOp.getKind() != getOperatorKind(op))
      continue;
    Mismatch why;
    if (Operation *root = findRoot(opOp, op, why)) {
      FailureOr<Match> match = matchPattern(pattern, root, &why);
      if (succeeded(match)) {
        std::optional<Mismatch> restriction =
            assignment.restrictions.check(getAccelerator(pattern), *match);
        why = restriction ? *restriction
                          : explainOverlap(pattern, op, *match, assignment);
      }
    }
    if (!closest || why.distance < closest->distance)
      closest = std::move(why);
  }
  if (!closest)
    return failure();
  return *closest;
}

FailureOr<Mismatch> uma::accel::findClosest(PatternOp pattern,
                                            ArrayRef<func::FuncOp> functions,
                                            ArrayRef<Assignment> assignments) {
  llvm::StringSet<> kinds;
  for (auto opOp : pattern.getBody().getOps<OpOp>())
    kinds.insert(opOp.getKind());
  std::optional<Mismatch> closest;
  for (auto [index, assignment] : llvm::enumerate(assignments)) {
    func::FuncOp function = functions[index];
    for (Block &block : function.getBody())
      for (Operation &op : block) {
        if (!isInFamily<GraphFamily>(&op) ||
            !kinds.contains(getOperatorKind(&op)))
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
