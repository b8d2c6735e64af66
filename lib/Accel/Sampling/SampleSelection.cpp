//===- SampleSelection.cpp - Selection of the layers to run ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Selects layers greedily by new coverage: values of single variables, pairs of
// values, and the order of two numbers, since swapped arguments are only
// detected if the numbers differ.
//
//===----------------------------------------------------------------------===//

#include "SampleSearch.h"
#include "SampleValues.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using Kind = SampleVariable::Kind;

namespace {
/// Property that a layer covers: unique key and weight.
struct Shown {
  uint64_t key;
  float weight;
};
} // namespace

static uint64_t makeKey(uint64_t what, uint64_t first, uint64_t second,
                        uint64_t value) {
  return what << 56 | first << 40 | second << 24 | value;
}

/// Returns the coverage class of a variable's value: one class for each small
/// number, and one for each parity of large numbers.
static uint64_t getValueNumber(const SampleVariable &variable,
                               Attribute value) {
  auto integer = dyn_cast_or_null<IntegerAttr>(value);
  if (variable.kind == Kind::Dim && integer && integer.getType().isIndex()) {
    int64_t number = integer.getInt();
    return number >= -1 && number < 8 ? number + 1 : 9 + (number & 1);
  }
  const auto *it = llvm::find(variable.candidates, value);
  uint64_t position = it - variable.candidates.begin();
  return std::min<uint64_t>(position, 255);
}

static bool isNumber(const SampleVariable &variable) {
  return variable.kind == Kind::Dim &&
         variable.op->getResult(0).getType().isIndex();
}

/// Returns the properties that a layer covers. Sets `allDiffer` to whether all
/// numbers of the layer are different.
static SmallVector<Shown> getShown(const SampleSpace &space,
                                   const PooledSample &pooled, uint64_t number,
                                   bool &allDiffer) {
  SmallVector<Shown> shown;
  ArrayRef<unsigned> relevant = pooled.relevant;
  allDiffer = true;
  for (auto [position, first] : llvm::enumerate(relevant)) {
    const SampleVariable &variable = space.variables[first];
    uint64_t value = getValueNumber(variable, pooled.sample[first]);
    shown.push_back({makeKey(1, first, 0, value), 2.0f});
    for (unsigned second : relevant.drop_front(position + 1)) {
      const SampleVariable &other = space.variables[second];
      if (isNumber(variable) && isNumber(other)) {
        auto lhs = cast<IntegerAttr>(pooled.sample[first]).getInt();
        auto rhs = cast<IntegerAttr>(pooled.sample[second]).getInt();
        uint64_t order = lhs < rhs ? 0 : lhs == rhs ? 1 : 2;
        allDiffer &= order != 1;
        shown.push_back({makeKey(2, first, second, order), 0.5f});
      }
      // Pairs of variables with few values.
      if (variable.candidates.size() <= 6 && other.candidates.size() <= 6 &&
          !variable.isFixed && !other.isFixed) {
        uint64_t pair =
            value << 8 | getValueNumber(other, pooled.sample[second]);
        shown.push_back({makeKey(3, first, second, pair), 0.25f});
      }
    }
  }
  if (pooled.isEdge)
    shown.push_back({makeKey(4, 0, 0, number), 4.0f});
  return shown;
}

static std::vector<TakenSample> select(const SampleSpace &space,
                                       ArrayRef<PooledSample> pool,
                                       unsigned maxTaken) {
  // At equal coverage, prefer layers whose numbers are all different.
  constexpr float differBonus = 0.75f;
  std::vector<SmallVector<Shown>> shown;
  std::vector<bool> allDiffer(pool.size());
  for (auto [number, pooled] : llvm::enumerate(pool)) {
    bool differ = false;
    shown.push_back(getShown(space, pooled, number, differ));
    allDiffer[number] = differ;
  }
  llvm::DenseSet<uint64_t> covered;
  std::vector<bool> isChosen(pool.size());
  std::vector<TakenSample> chosen;
  while (chosen.size() < std::min<size_t>(maxTaken, pool.size())) {
    float best = 0;
    size_t winner = pool.size();
    for (size_t i = 0; i < pool.size(); ++i) {
      float gain = 0;
      if (!isChosen[i])
        for (const Shown &item : shown[i])
          if (!covered.contains(item.key))
            gain += item.weight;
      if (gain > 0 && allDiffer[i])
        gain += differBonus;
      if (gain > best) {
        best = gain;
        winner = i;
      }
    }
    if (winner == pool.size())
      break;
    isChosen[winner] = true;
    for (const Shown &item : shown[winner])
      covered.insert(item.key);
    chosen.push_back({pool[winner].sample, pool[winner].text});
  }
  return chosen;
}

/// Returns whether a single condition of the pattern uses all these variables.
static bool isInCondition(const SampleSpace &space,
                          ArrayRef<const SampleVariable *> variables) {
  PatternOp pattern = space.pattern;
  return llvm::any_of(
      pattern.getBody().getOps<RequireOp>(), [&](RequireOp require) {
        SmallVector<Operation *> sources =
            getComputation(require.getCondition());
        return llvm::all_of(variables, [&](const SampleVariable *variable) {
          return llvm::is_contained(sources, variable->op);
        });
      });
}

/// Adds messages about sizes that have the same value in all layers or always
/// equal another size.
static void addSuspicious(const SampleSpace &space, ArrayRef<PooledSample> pool,
                          std::vector<std::string> &suspicious) {
  // Fewer layers are not significant.
  constexpr size_t minLayers = 8;
  auto getNumber = [](const PooledSample &pooled, unsigned index) {
    return cast<IntegerAttr>(pooled.sample[index]).getInt();
  };
  SmallVector<unsigned> sizes;
  for (auto [index, variable] : llvm::enumerate(space.variables))
    if (variable.kind == Kind::Dim && isSize(variable))
      sizes.push_back(index);
  for (unsigned position = 0; position < sizes.size(); ++position) {
    unsigned first = sizes[position];
    const SampleVariable &variable = space.variables[first];
    StringRef name = cast<DimOp>(variable.op).getName();
    SmallVector<const PooledSample *> layers;
    for (const PooledSample &pooled : pool)
      if (llvm::is_contained(pooled.relevant, first))
        layers.push_back(&pooled);
    if (layers.size() < minLayers)
      continue;
    int64_t number = getNumber(*layers.front(), first);
    auto isSame = [&](const PooledSample *pooled) {
      return getNumber(*pooled, first) == number;
    };
    if (llvm::all_of(layers, isSame) && !isInCondition(space, {&variable})) {
      suspicious.push_back(
          ("'" + name + "' is " + Twine(number) +
           " in every layer that the pattern takes; write the number, or look "
           "for a name in the wrong place")
              .str());
      continue;
    }
    for (unsigned second : ArrayRef(sizes).drop_front(position + 1)) {
      const SampleVariable &other = space.variables[second];
      size_t both = 0;
      bool differ = false;
      for (const PooledSample *pooled : layers)
        if (llvm::is_contained(pooled->relevant, second)) {
          ++both;
          differ |= getNumber(*pooled, first) != getNumber(*pooled, second);
        }
      if (differ || both < minLayers ||
          isInCondition(space, {&variable, &other}))
        continue;
      suspicious.push_back(
          ("'" + name + "' and '" + cast<DimOp>(other.op).getName() +
           "' are equal in every layer that the pattern takes; write one name "
           "for both, or look for a name in the wrong place")
              .str());
    }
  }
}

/// Adds messages about alternatives that no layer uses, and requirements that
/// no layer violates.
static void addUntested(const SampleSpace &space, const SampleSearch &search,
                        std::vector<std::string> &untested) {
  if (search.getPool().empty())
    return;
  for (auto [index, variable] : llvm::enumerate(space.variables)) {
    if (variable.kind != Kind::Way)
      continue;
    auto choice = cast<ChoiceOp>(variable.op);
    for (auto [way, candidate] : llvm::enumerate(variable.candidates)) {
      bool isTaken = llvm::any_of(
          search.getPool(), [&, index = index, candidate = candidate](
                                const PooledSample &pooled) {
            return llvm::is_contained(pooled.relevant, unsigned(index)) &&
                   pooled.sample[index] == candidate;
          });
      if (isTaken)
        continue;
      std::string name = getTensorName(choice.getResult());
      untested.push_back(way < choice.getAlternatives().size()
                             ? name + " as " +
                                   choice.getAlternatives()[way]
                                       .getDefiningOp<OperatorOp>()
                                       .getKind()
                                       .str()
                             : name + " absent");
    }
  }
  for (RequireOp require :
       PatternOp(space.pattern).getBody().getOps<RequireOp>())
    if (!search.wasBroken(require))
      untested.push_back(
          ("no layer breaks \"" + require.getReason() + "\"").str());
}

PatternSamples uma::accel::samplePattern(const SampleSpace &space,
                                         unsigned maxTaken, uint64_t seed) {
  SampleSearch search(space, seed);
  search.run(/*numSteps=*/16 * maxTaken);
  PatternSamples samples;
  samples.taken = select(space, search.getPool(), maxTaken);
  samples.refused = search.getRefused();
  samples.closest = search.getClosest();
  addUntested(space, search, samples.untested);
  addSuspicious(space, search.getPool(), samples.suspicious);
  return samples;
}
