//===- ChooseStripes.cpp - Choice of what runs in stripes -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For each peak of memory above the limit, all chains around it are candidates,
// with stripes of any height. A lower bound of their memory leaves out those
// that cannot fit. The one that recomputes least is tried, i.e. the module is
// lowered and its memory planned. If that takes more memory than the bound, the
// chain has to stay farther below the limit in the next attempt.
//
//===----------------------------------------------------------------------===//

#include "ChooseStripes.h"

#include "ArenaModel.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace mlir;
using namespace uma;

namespace {
/// Steps before and after a peak at which chains may begin and end.
constexpr size_t kMaxSteps = 16;
/// Most stripes of a chain: every one is code in the network's function.
constexpr int64_t kMaxStripes = 64;
/// Attempts that only lower the limits of single chains.
constexpr int64_t kPatience = 5;
/// Attempts that cannot fit, to find out how small the workspace can be.
constexpr int64_t kMaxHopeless = 6;

using Chains = std::vector<StripedChain>;

class Chooser {
public:
  Chooser(func::FuncOp network, const StripeOptions &options)
      : options(options),
        model(network, options.formsLayers, options.placesArguments),
        limit(options.arena) {}

  FailureOr<StripeReport> run(function_ref<FailureOr<int64_t>()> getWorkspace);

private:
  /// First and last step of a chain.
  using Key = std::pair<size_t, size_t>;

  /// Returns the chains that keep all peaks below the limit by the model, as
  /// far as possible.
  Chains choose();
  /// Returns the best chain around `peak`, which begins after step `begin`.
  std::optional<StripedChain> findChain(const Chains &others, size_t begin,
                                        size_t peak, int64_t live);
  /// Calls `visit` for all chains around a step with all heights of stripes.
  void forEachChain(const Chains &others, size_t begin, size_t peak,
                    function_ref<void(StripedChain)> visit);
  SmallVector<int64_t> getLiveBytes(const Chains &chains,
                                    const StripedChain *more = nullptr) const;
  /// Lowers the limits after a plan that takes `bytes`.
  void learn(const Chains &chains, int64_t bytes);
  /// Returns the chains to try after a plan that was too large. `smallest` is
  /// the size of the smallest plan so far.
  Chains chooseNext(int64_t smallest);

  static void mark(const Chains &chains);
  static void unmark(const Chains &chains);

  StripeOptions options;
  ArenaModel model;
  /// Most bytes of a plan by the model, for all steps and for single chains.
  int64_t limit;
  std::map<Key, int64_t> limits;
  /// Whether the last chosen chains exceed the limit by the model.
  bool isHopeless = false;
  int64_t numFailed = 0, numHopeless = 0;
};
} // namespace

/// Returns the first convolution or pool of a chain.
static Operation *getFirst(const StripedChain &chain) {
  auto *window =
      llvm::find_if(chain.ops, llvm::IsaPred<graph::WindowOpInterface>);
  return window == chain.ops.end() ? chain.ops.front() : *window;
}

/// Returns the chains in text.
static std::string describe(const Chains &chains) {
  std::string text;
  for (const StripedChain &chain : chains)
    text += llvm::formatv(
        "{0}'{1}' to '{2}' in stripes of {3} row{4}", text.empty() ? "" : ", ",
        getLayerName(getFirst(chain)), getLayerName(chain.ops.back()),
        chain.rows, chain.rows == 1 ? "" : "s");
  return text.empty() ? "no stripes" : text;
}

void Chooser::mark(const Chains &chains) {
  for (const StripedChain &chain : chains) {
    Builder builder(chain.ops.front()->getContext());
    chain.ops.back()->setAttr(graph::kStripeRowsAttrName,
                              builder.getI64IntegerAttr(chain.rows));
    for (Operation *begin : chain.getBegins())
      begin->setAttr(graph::kKeepWholeAttrName, builder.getUnitAttr());
  }
}

void Chooser::unmark(const Chains &chains) {
  for (const StripedChain &chain : chains) {
    chain.ops.back()->removeAttr(graph::kStripeRowsAttrName);
    for (Operation *begin : chain.getBegins())
      begin->removeAttr(graph::kKeepWholeAttrName);
  }
}

SmallVector<int64_t> Chooser::getLiveBytes(const Chains &chains,
                                           const StripedChain *more) const {
  SmallVector<const StripedChain *> all;
  for (const StripedChain &chain : chains)
    all.push_back(&chain);
  if (more)
    all.push_back(more);
  return model.getLiveBytes(all);
}

void Chooser::forEachChain(const Chains &others, size_t begin, size_t peak,
                           function_ref<void(StripedChain)> visit) {
  ArrayRef<ArenaStep> steps = model.getSteps();
  Builder builder(steps[peak].getResultOp()->getContext());
  size_t lowest = std::max(begin, peak - std::min(peak, kMaxSteps));
  size_t end = std::min(peak + kMaxSteps, steps.size());
  // Steps before the first one are no part of the chain.
  SmallVector<Operation *> kept;
  for (size_t step = 0; step < lowest; ++step)
    kept.push_back(steps[step].getResultOp());
  for (Operation *op : kept)
    op->setAttr(graph::kKeepWholeAttrName, builder.getUnitAttr());
  for (size_t first = lowest; first <= peak; ++first) {
    for (size_t last = peak; last < end; ++last) {
      Operation *result = steps[last].getResultOp();
      if (!graph::explainNotRowWise(result).empty())
        continue;
      StripedChain chain;
      chain.ops = graph::findChain(result);
      // Chains that begin later may be the same.
      if (!llvm::is_contained(chain.ops, steps[first].getResultOp()))
        continue;
      chain.first = first;
      chain.last = last;
      int64_t total = *graph::getNumRows(result->getResult(0));
      int64_t previous = total;
      for (int64_t count = 2; count <= std::min(total, kMaxStripes); ++count) {
        chain.rows = llvm::divideCeil(total, count);
        if (std::exchange(previous, chain.rows) == chain.rows)
          continue;
        chain.stripes = graph::planStripes(chain.ops, chain.rows);
        chain.recomputed = graph::countRecomputedMACs(chain.ops, chain.stripes);
        visit(chain);
      }
    }
    kept.push_back(steps[first].getResultOp());
    kept.back()->setAttr(graph::kKeepWholeAttrName, builder.getUnitAttr());
  }
  for (Operation *op : kept)
    op->removeAttr(graph::kKeepWholeAttrName);
  mark(others);
}

std::optional<StripedChain> Chooser::findChain(const Chains &others,
                                               size_t begin, size_t peak,
                                               int64_t live) {
  std::optional<StripedChain> best, smallest;
  auto getCost = [](const StripedChain &chain) {
    return std::make_tuple(chain.recomputed, chain.stripes.size(),
                           chain.ops.size());
  };
  forEachChain(others, begin, peak, [&](StripedChain chain) {
    if (best && getCost(*best) <= getCost(chain))
      return;
    SmallVector<int64_t> bytes = getLiveBytes(others, &chain);
    chain.peak = *std::max_element(bytes.begin() + chain.first,
                                   bytes.begin() + chain.last + 1);
    auto known = limits.find({chain.first, chain.last});
    if (known != limits.end() && chain.peak > known->second)
      return;
    if (!smallest || chain.peak < smallest->peak)
      smallest = chain;
    if (chain.peak <= limit)
      best = std::move(chain);
  });
  if (best)
    return best;
  isHopeless = true;
  return smallest && smallest->peak < live ? smallest : std::nullopt;
}

Chains Chooser::choose() {
  Chains chains;
  size_t begin = 0;
  isHopeless = false;
  for (;;) {
    SmallVector<int64_t> live = getLiveBytes(chains);
    size_t peak = begin;
    while (peak < live.size() && live[peak] <= limit)
      ++peak;
    if (peak == live.size())
      break;
    std::optional<StripedChain> chain =
        findChain(chains, begin, peak, live[peak]);
    begin = chain ? chain->last + 1 : peak + 1;
    if (chain) {
      chains.push_back(std::move(*chain));
      mark(chains);
    }
  }
  unmark(chains);
  return chains;
}

void Chooser::learn(const Chains &chains, int64_t bytes) {
  int64_t excess = bytes - limit;
  if (excess <= 0)
    return;
  if (chains.empty()) {
    SmallVector<int64_t> live = getLiveBytes({});
    limit = std::min(limit, *llvm::max_element(live)) - 1;
    return;
  }
  const StripedChain &worst = *llvm::max_element(
      chains, [](const StripedChain &left, const StripedChain &right) {
        return left.peak < right.peak;
      });
  limits[{worst.first, worst.last}] =
      worst.peak - std::max<int64_t>(excess / 2, 1);
}

Chains Chooser::chooseNext(int64_t smallest) {
  // Plans need more than the bound by some factor, for all chains: leave a
  // margin that grows.
  if (numHopeless == 0 && ++numFailed > kPatience)
    limit = std::min(limit, options.arena -
                                options.arena / 12 * (numFailed - kPatience));
  Chains chains = choose();
  if (isHopeless && numHopeless == 0 && limit < options.arena) {
    limit = options.arena;
    chains = choose();
  }
  // If even the bound exceeds the arena, find out what is possible.
  if (isHopeless || numHopeless > 0) {
    ++numHopeless;
    limit = options.arena + (smallest - options.arena) / 2;
    chains = choose();
  }
  return chains;
}

FailureOr<StripeReport>
Chooser::run(function_ref<FailureOr<int64_t>()> getWorkspace) {
  StripeReport report;
  Chains chains, best;
  int64_t smallest = std::numeric_limits<int64_t>::max();
  std::set<std::vector<std::tuple<size_t, size_t, int64_t>>> known;
  auto isNew = [&] {
    std::vector<std::tuple<size_t, size_t, int64_t>> plan;
    for (const StripedChain &chain : chains)
      plan.emplace_back(chain.first, chain.last, chain.rows);
    return known.insert(std::move(plan)).second;
  };
  int64_t tries = 0;
  // Attempts that would repeat an earlier one end the search.
  while (tries < options.maxTries && numHopeless < kMaxHopeless && isNew()) {
    mark(chains);
    FailureOr<int64_t> bytes = getWorkspace();
    unmark(chains);
    if (failed(bytes))
      return failure();
    ++tries;
    if (*bytes < smallest) {
      smallest = *bytes;
      best = chains;
    }
    if (*bytes <= options.arena)
      break;
    learn(chains, *bytes);
    chains = chooseNext(smallest);
  }
  mark(best);
  report.fits = smallest <= options.arena;
  std::string need =
      options.isDivided
          ? llvm::formatv("lacks {0} bytes", smallest - options.arena).str()
          : llvm::formatv("takes {0} bytes", smallest).str();
  report.tried =
      llvm::formatv("tried {0} plan{1}; the smallest {2}, with {3}", tries,
                    tries == 1 ? "" : "s", need, describe(best));
  return report;
}

FailureOr<StripeReport>
uma::chooseStripes(func::FuncOp network, const StripeOptions &options,
                   function_ref<FailureOr<int64_t>()> getWorkspace) {
  return Chooser(network, options).run(getWorkspace);
}
