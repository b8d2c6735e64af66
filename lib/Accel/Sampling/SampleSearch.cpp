//===- SampleSearch.cpp - Search for matching layers ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Local search: starting from random values, changes one variable at a time
// while the distance decreases. The distance weighs operators that cannot be
// built most, then failed constraints. For each accepted layer, all layers that
// differ in one variable are tried: each is accepted or a near miss.
//
//===----------------------------------------------------------------------===//

#include "SampleSearch.h"

#include "SampleValues.h"

#include "uma/Accel/Partition/Matcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using Kind = SampleVariable::Kind;

/// Weight of an operator that cannot be built, relative to a failed constraint.
static constexpr unsigned kMissingOperator = 1000;

/// Maximum number of calls that a sampled layer may be split into.
static constexpr int64_t kMaxPieces = 8;

/// Sizes to try as large ones, in order: odd ones, then multiples of many words
/// for patterns that take only these.
static constexpr int64_t kLargeSizes[] = {2053, 1031, 521,  131, 67,  33,
                                          17,   2048, 1024, 512, 128, 64};

SampleSearch::SampleSearch(const SampleSpace &space, uint64_t seed)
    : space(space), random(seed),
      silent(PatternOp(space.pattern).getContext(),
             [](Diagnostic &) { return success(); }),
      module(ModuleOp::create(PatternOp(space.pattern).getLoc())) {
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  function = func::FuncOp::create(builder, PatternOp(space.pattern).getLoc(),
                                  "sample", builder.getFunctionType({}, {}));
  function.addEntryBlock();
}

SampleSearch::~SampleSearch() = default;

SampleOutcome SampleSearch::evaluate(const Sample &sample, Detail detail) {
  Block &block = function.front();
  SampleOutcome outcome;
  SampleLayer layer;
  layer.hasText = detail == Detail::Text;
  unsigned numMissing = 0;
  auto makeZeros = [](RankedTensorType type) -> ElementsAttr {
    return DenseElementsAttr::get(
        type, Builder(type.getContext()).getZeroAttr(type.getElementType()));
  };
  Location loc = PatternOp(space.pattern).getLoc();
  if (failed(buildSample(space, sample, block, loc, makeZeros, layer,
                         numMissing))) {
    outcome.distance = kMissingOperator * (numMissing + 1);
  } else {
    OpBuilder builder = OpBuilder::atBlockEnd(&block);
    func::ReturnOp::create(builder, loc, layer.results);
    Mismatch why;
    FailureOr<Match> match =
        accel::matchPattern(space.pattern, layer.root.getDefiningOp(),
                            detail == Detail::IsTaken ? nullptr : &why);
    // Reject layers of many calls: they test the same as layers of few calls,
    // but take long to compile.
    int64_t numPieces = 0;
    if (succeeded(match))
      for (const auto &[numbers, count] : match->pieces)
        numPieces += count;
    outcome.isLayer = numPieces <= kMaxPieces;
    outcome.isTaken = succeeded(match) && outcome.isLayer;
    if (!outcome.isLayer)
      why.distance = kMissingOperator;
    outcome.distance = outcome.isTaken ? 0 : std::max(why.distance, 1u);
    outcome.reason = std::move(why.reason);
    if (!outcome.isTaken && !outcome.reason.empty())
      noteReason(outcome.reason);
  }
  outcome.relevant = std::move(layer.relevant);
  outcome.text = std::move(layer.text);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    op.erase();
  block.eraseArguments(0, block.getNumArguments());
  return outcome;
}

/// Records the requirement that the matcher's reason belongs to.
void SampleSearch::noteReason(StringRef reason) {
  PatternOp pattern = space.pattern;
  for (RequireOp require : pattern.getBody().getOps<RequireOp>())
    if (reason.starts_with(require.getReason()))
      broken.insert(require);
}

Attribute SampleSearch::draw(const SampleVariable &variable,
                             const Sample &sample) {
  // Most operators with several inputs accept inputs of the same shape.
  if (variable.kind == Kind::Shape && !isa<DimOp>(variable.op) &&
      random() % 2 == 0) {
    SmallVector<Attribute> others;
    for (auto [index, other] : llvm::enumerate(space.variables))
      if (other.kind == Kind::Shape && &other != &variable &&
          isa<InputOp>(other.op) && sample[index])
        others.push_back(sample[index]);
    // Lists of sizes in attributes are often shapes.
    for (Attribute value : sample)
      if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(value);
          list && llvm::all_of(list.asArrayRef(),
                               [](int64_t size) { return size > 0; }))
        others.push_back(list);
    if (!others.empty()) {
      auto list = cast<DenseI64ArrayAttr>(others[random() % others.size()]);
      SmallVector<int64_t> sizes(list.asArrayRef());
      if (random() % 4 == 0)
        std::shuffle(sizes.begin(), sizes.end(), random);
      return DenseI64ArrayAttr::get(list.getContext(), sizes);
    }
  }
  // Most layers use floating-point types.
  if (variable.kind == Kind::ElementType && random() % 2 == 0)
    return variable.candidates.front();
  if (variable.kind == Kind::Constant && random() % 4 != 0)
    return variable.candidates.front();
  return variable.candidates[random() % variable.candidates.size()];
}

/// Builds the simplest sample: all sizes equal, all attributes 1 or their
/// defaults. Most operators accept it, but it reveals the fewest errors.
Sample SampleSearch::makePlain(ArrayRef<unsigned> ways, int64_t size) {
  Sample sample(space.variables.size());
  const unsigned *way = ways.begin();
  for (auto [index, variable] : llvm::enumerate(space.variables)) {
    if (variable.isFixed)
      continue;
    sample[index] = variable.candidates.front();
    if (variable.kind == Kind::Way)
      sample[index] = variable.candidates[*way++];
    else if (variable.kind == Kind::Shape && isa<InputOp>(variable.op))
      sample[index] = DenseI64ArrayAttr::get(
          PatternOp(space.pattern).getContext(), {size, size});
    else if (isSize(variable))
      sample[index] = IntegerAttr::get(
          cast<IntegerAttr>(variable.candidates.front()).getType(), size);
  }
  return sample;
}

/// Changes one variable, or two that are valid only together.
void SampleSearch::change(Sample &sample) {
  unsigned numChanges = random() % 3 == 0 ? 2 : 1;
  for (unsigned tries = 0; numChanges > 0 && tries < 64; ++tries) {
    unsigned index = random() % space.variables.size();
    const SampleVariable &variable = space.variables[index];
    if (variable.isFixed || variable.candidates.size() < 2 ||
        variable.kind == Kind::Way)
      continue;
    sample[index] = draw(variable, sample);
    --numChanges;
  }
}

bool SampleSearch::findTaken(ArrayRef<unsigned> ways, Sample &sample) {
  constexpr unsigned maxSteps = 400;
  sample.clear();
  SampleOutcome best;
  for (int64_t size : {4, 3, 2, 1, 6, 8, 16, 32}) {
    Sample plain = makePlain(ways, size);
    SampleOutcome outcome = evaluate(plain);
    if (!sample.empty() && outcome.distance >= best.distance)
      continue;
    sample = std::move(plain);
    best = std::move(outcome);
    if (best.isTaken)
      return true;
  }
  for (unsigned step = 0; step < maxSteps && !best.isTaken; ++step) {
    Sample changed = sample;
    change(changed);
    SampleOutcome outcome = evaluate(changed);
    if (outcome.distance > best.distance)
      continue;
    sample = std::move(changed);
    best = std::move(outcome);
  }
  return best.isTaken;
}

/// Changes one of the variables `coupled`, whose changes alone yield rejected
/// layers, and searches for a value of another one that yields an accepted
/// layer. Returns whether it found one.
bool SampleSearch::changeTogether(Sample &sample, ArrayRef<unsigned> coupled) {
  if (coupled.size() < 2)
    return false;
  unsigned first = coupled[random() % coupled.size()];
  unsigned second = coupled[random() % coupled.size()];
  if (first == second)
    return false;
  Sample changed = sample;
  changed[first] = draw(space.variables[first], sample);
  if (changed[first] == sample[first])
    return false;
  SmallVector<Attribute> candidates(space.variables[second].candidates);
  std::shuffle(candidates.begin(), candidates.end(), random);
  for (Attribute candidate : candidates) {
    changed[second] = candidate;
    SampleOutcome outcome = evaluate(changed, Detail::IsTaken);
    if (!outcome.isTaken)
      continue;
    sample = changed;
    return true;
  }
  return false;
}

/// Random walk from an accepted layer to other accepted layers.
void SampleSearch::walk(Sample &sample, ArrayRef<unsigned> coupled,
                        unsigned numSteps) {
  for (unsigned step = 0; step < numSteps; ++step) {
    if (random() % 8 == 0) {
      if (!changeTogether(sample, coupled))
        continue;
    } else {
      Sample changed = sample;
      change(changed);
      if (!evaluate(changed, Detail::IsTaken).isTaken)
        continue;
      sample = std::move(changed);
    }
    addTaken(sample, evaluate(sample, Detail::Text), /*isEdge=*/false);
  }
}

void SampleSearch::addTaken(const Sample &sample, SampleOutcome outcome,
                            bool isEdge) {
  // Ignore variables that the layer does not depend on.
  std::vector<const void *> key(sample.size());
  for (unsigned index : outcome.relevant)
    key[index] = sample[index].getAsOpaquePointer();
  auto [it, isNew] = taken.try_emplace(std::move(key), pool.size());
  if (!isNew) {
    pool[it->second].isEdge |= isEdge;
    return;
  }
  pool.push_back(
      {sample, std::move(outcome.relevant), std::move(outcome.text), isEdge});
}

SmallVector<unsigned> SampleSearch::tryNeighbours(const Sample &base,
                                                  ArrayRef<unsigned> relevant) {
  SmallVector<unsigned> coupled;
  for (unsigned index : relevant) {
    const SampleVariable &variable = space.variables[index];
    if (variable.kind == Kind::Way)
      continue;
    unsigned numTaken = 0;
    for (Attribute candidate : variable.candidates) {
      if (candidate == base[index])
        continue;
      Sample sample = base;
      sample[index] = candidate;
      SampleOutcome outcome = evaluate(sample, Detail::Text);
      numTaken += outcome.isTaken ? 1 : 0;
      if (outcome.isTaken)
        addTaken(sample, std::move(outcome), /*isEdge=*/false);
      else if (outcome.isLayer)
        addRefused(index, candidate, std::move(outcome));
    }
    if (!variable.isFixed && 2 * numTaken < variable.candidates.size())
      coupled.push_back(index);
  }
  return coupled;
}

void SampleSearch::addRefused(unsigned variable, Attribute value,
                              SampleOutcome outcome) {
  if (seenRefused.insert({variable, value.getAsOpaquePointer()}).second)
    refused.push_back({std::move(outcome.text), std::move(outcome.reason)});
}

/// Returns the operations whose numbers the pattern's conditions use.
static llvm::DenseSet<Operation *> getConditionSources(PatternOp pattern) {
  llvm::DenseSet<Operation *> sources;
  for (RequireOp require : pattern.getBody().getOps<RequireOp>())
    for (Operation *op : getComputation(require.getCondition()))
      if (!getNumberName(op).empty())
        sources.insert(op);
  return sources;
}

void SampleSearch::findEdges(const Sample &base, ArrayRef<unsigned> relevant) {
  llvm::DenseSet<Operation *> sources = getConditionSources(space.pattern);
  // A limit on bytes, elements or MACs limits all sizes.
  bool hasMeasure = llvm::any_of(sources, [&](Operation *op) {
    auto function = dyn_cast<NumberFunctionOpInterface>(op);
    // A limit on sizes of results does, too.
    return (function && function.growsWithSizes()) ||
           (isa<DimOp>(op) && space.find(Kind::Dim, op) < 0);
  });
  for (unsigned index : relevant) {
    const SampleVariable &variable = space.variables[index];
    if (variable.kind != Kind::Dim ||
        !variable.op->getResult(0).getType().isIndex() ||
        (!hasMeasure && !sources.contains(variable.op)))
      continue;
    for (int64_t direction : {1, -1})
      findEdge(base, index, direction);
  }
}

/// Makes each size large individually, to find limits of the device that are
/// missing in the description.
void SampleSearch::tryLargeSizes(const Sample &base,
                                 ArrayRef<unsigned> relevant) {
  for (unsigned index : relevant) {
    const SampleVariable &variable = space.variables[index];
    // A name may stand for several sizes.
    bool isPack = variable.kind == Kind::Shape && isa<DimOp>(variable.op);
    if (!isPack && !isSize(variable))
      continue;
    Sample sample = base;
    for (int64_t size : kLargeSizes) {
      if (isPack)
        sample[index] =
            DenseI64ArrayAttr::get(base[index].getContext(), {size});
      else
        sample[index] =
            IntegerAttr::get(cast<IntegerAttr>(base[index]).getType(), size);
      SampleOutcome outcome = evaluate(sample, Detail::Text);
      if (!outcome.isTaken)
        continue;
      addTaken(sample, std::move(outcome), /*isEdge=*/true);
      break;
    }
  }
}

/// Searches in one direction for the value of a variable at which layers start
/// to be rejected.
void SampleSearch::findEdge(const Sample &base, unsigned index,
                            int64_t direction) {
  Type type = IndexType::get(PatternOp(space.pattern).getContext());
  Sample sample = base;
  auto tryValue = [&](int64_t value) {
    sample[index] = IntegerAttr::get(type, value);
    return evaluate(sample, Detail::Text);
  };
  int64_t inside = cast<IntegerAttr>(base[index]).getInt();
  std::optional<int64_t> outside;
  for (int64_t step = 1; !outside; step *= 2) {
    SampleOutcome outcome = tryValue(inside + direction * step);
    // Stop if operators reject the layer or it is too large.
    if (!outcome.isLayer)
      return;
    if (outcome.isTaken)
      inside += direction * step;
    else
      outside = inside + direction * step;
  }
  while (std::abs(*outside - inside) > 1) {
    int64_t middle = inside + (*outside - inside) / 2;
    SampleOutcome outcome = tryValue(middle);
    (outcome.isTaken ? inside : *outside) = middle;
  }
  SampleOutcome last = tryValue(inside);
  addTaken(sample, std::move(last), /*isEdge=*/true);
  SampleOutcome first = tryValue(*outside);
  if (first.isLayer && !first.isTaken)
    addRefused(index, sample[index], std::move(first));
}

void SampleSearch::run(unsigned numSteps) {
  // Try all combinations of alternatives, or as many as time allows.
  SmallVector<unsigned> numWays;
  for (const SampleVariable &variable : space.variables)
    if (variable.kind == Kind::Way)
      numWays.push_back(variable.candidates.size());
  size_t combinations = 1;
  for (unsigned count : numWays)
    combinations = std::min<size_t>(combinations * count, 1 << 20);
  constexpr size_t maxCombinations = 24;
  size_t tried = std::min(combinations, maxCombinations);
  for (size_t number = 0; number < tried; ++number) {
    // Distribute the tried combinations evenly.
    size_t rest = number * combinations / tried;
    SmallVector<unsigned> ways;
    for (unsigned count : numWays) {
      ways.push_back(rest % count);
      rest /= count;
    }
    sampleWays(ways, std::max<unsigned>(numSteps / tried, 60));
  }
}

/// Sets all inputs to one element type, first only inputs of unconstrained
/// type, then all: operators accept few combinations of different types.
void SampleSearch::tryElementTypes(const Sample &base) {
  for (Type type : getSampledTypes(PatternOp(space.pattern).getContext()))
    for (bool changesFixed : {false, true}) {
      Attribute value = TypeAttr::get(type);
      Sample sample = base;
      unsigned last = 0;
      for (auto [index, variable] : llvm::enumerate(space.variables))
        if (variable.kind == Kind::ElementType &&
            (changesFixed || !variable.isFixed) &&
            llvm::is_contained(variable.candidates, value)) {
          sample[index] = value;
          last = index;
        }
      if (sample == base)
        continue;
      SampleOutcome outcome = evaluate(sample, Detail::Text);
      if (outcome.isTaken)
        addTaken(sample, std::move(outcome), /*isEdge=*/false);
      else if (outcome.isLayer)
        addRefused(last, value, std::move(outcome));
    }
}

void SampleSearch::sampleWays(ArrayRef<unsigned> ways, unsigned numSteps) {
  constexpr unsigned maxTries = 4;
  Sample sample;
  bool isFound = false;
  for (unsigned tries = 0; tries < maxTries && !isFound; ++tries)
    isFound = findTaken(ways, sample);
  if (!isFound) {
    SampleOutcome outcome = evaluate(sample, Detail::Text);
    if (outcome.isLayer && closest.empty())
      closest = outcome.text + ": " + outcome.reason;
    return;
  }
  SmallVector<unsigned> coupled;
  for (unsigned turn = 0; turn < 3; ++turn) {
    SampleOutcome outcome = evaluate(sample, Detail::Text);
    SmallVector<unsigned> relevant = outcome.relevant;
    addTaken(sample, std::move(outcome), /*isEdge=*/false);
    findEdges(sample, relevant);
    tryElementTypes(sample);
    if (turn == 0)
      tryLargeSizes(sample, relevant);
    if (turn < 2)
      coupled = tryNeighbours(sample, relevant);
    if (turn < 2)
      walk(sample, coupled, numSteps / 2);
  }
}
