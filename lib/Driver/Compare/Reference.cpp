//===- Reference.cpp - Comparing with the reference interpreter -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/Graph/Interpreter/RoundingSides.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Support/CountText.h"
#include "uma/Support/Float8.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <random>
#include <tuple>

using namespace mlir;
using namespace uma;

/// Maximum number of interpreter runs in a search.
static constexpr unsigned kMaxRuns = 200;
/// Beam width: sets of roundings that the search extends in each step.
static constexpr unsigned kBeam = 4;
/// Number of runs with random sides if there are too many roundings to search.
static constexpr unsigned kChanceRuns = 16;

/// Returns the tolerance of each value that depends on an argument of `entry`:
/// that of the least precise floats which are computed on the way to it. The
/// emitted C rounds less often to those of 16 bits than the interpreter does.
/// Floats of 8 bits are only converted, by both in the same way.
static DenseMap<Value, double> getComputedTolerances(func::FuncOp entry) {
  DenseMap<Value, double> tolerances;
  for (Value argument : entry.getArguments())
    tolerances[argument] = 0;
  for (Operation &op : entry.getBody().front()) {
    std::optional<double> tolerance;
    for (Value operand : op.getOperands())
      if (auto known = tolerances.find(operand); known != tolerances.end())
        tolerance = std::max(tolerance.value_or(0), known->second);
    if (!tolerance)
      continue;
    op.walk([&](Operation *inner) {
      for (Type type : inner->getResultTypes())
        if (Type element = getElementTypeOrSelf(type);
            isa<FloatType>(element) && !isFloat8(element))
          tolerance = std::max(*tolerance, getDefaultTolerance(element));
    });
    for (Value result : op.getResults())
      tolerances[result] = *tolerance;
  }
  return tolerances;
}

/// Returns the tolerances of the outputs: `given`, or those of their types and
/// of what they are computed from. Integers are exact.
static SmallVector<double> getTolerances(func::FuncOp entry,
                                         ArrayRef<HostTensor> outputs,
                                         std::optional<double> given) {
  if (given)
    return SmallVector<double>(outputs.size(), *given);
  DenseMap<Value, double> computed = getComputedTolerances(entry);
  SmallVector<double> tolerances;
  for (auto [output, value] : llvm::zip_equal(
           outputs, entry.getBody().front().getTerminator()->getOperands())) {
    double own = getDefaultTolerance(output.getElementType());
    tolerances.push_back(
        output.isFloat() ? std::max(own, computed.lookup(value)) : own);
  }
  return tolerances;
}

namespace {
/// A run of the interpreter with some roundings to the other side.
struct SidesRun {
  SmallVector<int64_t> flipped;
  std::vector<graph::OpenRounding> open;
  SmallVector<Comparison> comparisons;
  double error = 0; ///< sum of the elements' absolute errors
};

/// Compares the outputs of a network.
class ReferenceComparison {
public:
  ReferenceComparison(func::FuncOp entry, ArrayRef<HostTensor> inputs,
                      ArrayRef<HostTensor> outputs,
                      std::optional<double> tolerance)
      : entry(entry), inputs(inputs), outputs(outputs),
        tolerances(getTolerances(entry, outputs, tolerance)) {}

  FailureOr<SmallVector<Comparison>> compare();

private:
  FailureOr<SmallVector<HostTensor>> interpret(graph::RoundingSides &sides);
  FailureOr<SidesRun> run(ArrayRef<int64_t> flipped);
  SmallVector<Comparison> compareOutputs(ArrayRef<HostTensor> results);
  FailureOr<int64_t> follow();
  FailureOr<std::optional<SidesRun>> search(SidesRun specified);
  FailureOr<SmallVector<Comparison>> compareToChance(const SidesRun &specified);

  func::FuncOp entry;
  ArrayRef<HostTensor> inputs, outputs;
  /// A tolerance for each output.
  SmallVector<double> tolerances;
  SmallVector<HostTensor> reference;
  int64_t numRounded = 0;
  unsigned numRuns = 0;
};
} // namespace

static bool areEqual(ArrayRef<Comparison> comparisons) {
  return llvm::all_of(comparisons, [](const Comparison &comparison) {
    return comparison.isEqual;
  });
}

FailureOr<SmallVector<HostTensor>>
ReferenceComparison::interpret(graph::RoundingSides &sides) {
  ++numRuns;
  return graph::interpret(entry, inputs, nullptr, &sides);
}

SmallVector<Comparison>
ReferenceComparison::compareOutputs(ArrayRef<HostTensor> results) {
  SmallVector<Comparison> comparisons;
  for (auto [actual, expected, tolerance] :
       llvm::zip_equal(outputs, results, tolerances))
    comparisons.push_back(compareToLargest(actual, expected, tolerance));
  return comparisons;
}

/// Returns the integers of a tensor without its zero point.
static HostTensor subtractZeroPoint(const HostTensor &tensor) {
  Quantization quantization = Quantization::of(tensor.getElementType());
  RankedTensorType type = tensor.getType();
  HostTensor result(
      type.clone(Float64Type::get(type.getElementType().getContext())));
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    result.setDouble(
        i, double(tensor.getInt(i) - quantization.zeroPoints.front()));
  return result;
}

/// Gives a quantize, and the operators on floats that only it needs, a
/// location.
static void setLocation(graph::QuantizeOp quantize, Location location) {
  quantize->setLoc(location);
  SmallVector<Value> pending = {quantize.getData()};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse() || isa<graph::DequantizeOp>(op))
      continue;
    op->setLoc(location);
    llvm::append_range(pending, op->getOperands());
  }
}

/// Returns the integers that the network computes if its layers between
/// dequantize and quantize are computed on integers, as C does, by the quantize
/// of `module`. Returns an empty map if there are no such layers.
static graph::RoundingSides::Integers
computeIntegers(ModuleOp module, StringRef entry, ArrayRef<HostTensor> inputs) {
  graph::RoundingSides::Integers integers;
  SmallVector<Operation *> quantizes;
  module.walk([&](graph::QuantizeOp op) { quantizes.push_back(op); });
  if (quantizes.empty())
    return integers;
  OwningOpRef<ModuleOp> clone = module.clone();
  DenseMap<Location, Operation *> ofLocation;
  clone->walk([&](graph::QuantizeOp op) {
    size_t number = ofLocation.size();
    Location location =
        NameLoc::get(StringAttr::get(op.getContext(), std::to_string(number)));
    ofLocation[location] = quantizes[number];
    setLocation(op, location);
  });
  PassManager manager(module.getContext());
  manager.addPass(graph::createSimplifyInferencePass());
  manager.addPass(graph::createFoldQuantizationPass());
  manager.addPass(graph::createFoldQuantizedPoolsPass());
  manager.addPass(graph::createFoldQuantizedFunctionsPass());
  auto function = clone->lookupSymbol<func::FuncOp>(entry);
  if (!function || failed(manager.run(*clone)))
    return integers;
  auto trace = [&](Operation *op, ArrayRef<HostTensor> results) {
    Operation *quantize = ofLocation.lookup(op->getLoc());
    if (quantize &&
        isa<graph::QuantizeOp, graph::RequantizeOp, graph::QuantizedAddOp>(
            op) &&
        op->getResultTypes() == quantize->getResultTypes())
      integers[quantize].push_back(subtractZeroPoint(results.front()));
  };
  if (failed(graph::interpret(function, inputs, trace)))
    integers.clear();
  return integers;
}

/// Rounds open values as integer layers do. Returns the number of values on the
/// other side if the outputs are then equal, otherwise failure.
FailureOr<int64_t> ReferenceComparison::follow() {
  auto module = entry->getParentOfType<ModuleOp>();
  graph::RoundingSides::Integers integers =
      computeIntegers(module, entry.getSymName(), inputs);
  if (integers.empty())
    return failure();
  graph::RoundingSides sides(integers);
  FailureOr<SmallVector<HostTensor>> results = interpret(sides);
  if (failed(results) || !areEqual(compareOutputs(*results)))
    return failure();
  return sides.getNumFlipped();
}

FailureOr<SidesRun> ReferenceComparison::run(ArrayRef<int64_t> flipped) {
  graph::RoundingSides sides(
      llvm::DenseSet<int64_t>(flipped.begin(), flipped.end()));
  auto results = interpret(sides);
  if (failed(results))
    return failure();
  SidesRun run{SmallVector<int64_t>(flipped), sides.getOpen(),
               compareOutputs(*results), 0};
  for (auto [actual, expected] : llvm::zip_equal(outputs, *results)) {
    for (int64_t i = 0, e = actual.getNumElements(); i < e; ++i)
      if (double error = std::fabs(actual.getDouble(i) - expected.getDouble(i));
          std::isfinite(error))
        run.error += error;
  }
  // The most likely rounding first.
  llvm::sort(run.open, [](const graph::OpenRounding &lhs,
                          const graph::OpenRounding &rhs) {
    return std::tie(lhs.distance, lhs.position) <
           std::tie(rhs.distance, rhs.position);
  });
  if (flipped.empty()) {
    reference = std::move(*results);
    numRounded = sides.getNumRounded();
  }
  return run;
}

/// Flips one more open rounding in each step, extending the sets whose results
/// are closest to the outputs.
FailureOr<std::optional<SidesRun>>
ReferenceComparison::search(SidesRun specified) {
  std::vector<SidesRun> beam;
  beam.push_back(std::move(specified));
  while (!beam.empty()) {
    std::vector<SidesRun> next;
    for (const SidesRun &known : beam)
      for (const graph::OpenRounding &open : known.open) {
        if (llvm::is_contained(known.flipped, open.position))
          continue;
        if (numRuns >= kMaxRuns)
          return std::optional<SidesRun>();
        SmallVector<int64_t> flipped(known.flipped);
        flipped.push_back(open.position);
        FailureOr<SidesRun> other = run(flipped);
        if (failed(other))
          return failure();
        if (areEqual(other->comparisons))
          return std::optional<SidesRun>(std::move(*other));
        next.push_back(std::move(*other));
      }
    llvm::sort(next, [](const SidesRun &lhs, const SidesRun &rhs) {
      return std::tie(lhs.error, lhs.flipped) <
             std::tie(rhs.error, rhs.flipped);
    });
    if (next.size() > kBeam)
      next.erase(next.begin() + kBeam, next.end());
    beam = std::move(next);
  }
  return std::optional<SidesRun>();
}

/// Widens the intervals so that they contain `values`.
static void widen(MutableArrayRef<HostTensor> lowest,
                  MutableArrayRef<HostTensor> highest,
                  ArrayRef<HostTensor> values) {
  for (auto [low, high, value] : llvm::zip_equal(lowest, highest, values))
    for (int64_t i = 0, e = value.getNumElements(); i < e; ++i) {
      double x = value.getDouble(i);
      if (x < low.getDouble(i))
        low.setDouble(i, x);
      if (x > high.getDouble(i))
        high.setDouble(i, x);
    }
}

FailureOr<SmallVector<Comparison>>
ReferenceComparison::compareToChance(const SidesRun &specified) {
  SmallVector<HostTensor> lowest = reference, highest = reference;
  // Use the same sides in every run and on every machine.
  std::mt19937_64 random;
  for (unsigned i = 0; i < kChanceRuns; ++i) {
    llvm::DenseSet<int64_t> flipped;
    for (const graph::OpenRounding &open : specified.open)
      if (random() & 1)
        flipped.insert(open.position);
    graph::RoundingSides sides(std::move(flipped));
    auto results = interpret(sides);
    if (failed(results))
      return failure();
    widen(lowest, highest, *results);
  }
  SmallVector<Comparison> comparisons;
  for (auto [actual, expected, tolerance, low, high] :
       llvm::zip_equal(outputs, reference, tolerances, lowest, highest))
    comparisons.push_back(
        compareToLargest(actual, expected, tolerance, low, high));
  return comparisons;
}

FailureOr<SmallVector<Comparison>> ReferenceComparison::compare() {
  FailureOr<SidesRun> specified = run({});
  if (failed(specified))
    return failure();
  if (areEqual(specified->comparisons) || specified->open.empty())
    return specified->comparisons;
  std::string open = getCountText(specified->open.size()) + " of " +
                     getCountText(numRounded) +
                     " rounded values are so close to the middle between two "
                     "integers that either is right";
  SmallVector<Comparison> comparisons = specified->comparisons;
  std::string right;
  auto explain = [&](int64_t numFlipped) {
    for (Comparison &comparison : comparisons)
      comparison.isEqual = true;
    right = "with " + getCountText(numFlipped) +
            " of them on the other side, there is no difference";
  };
  if (FailureOr<int64_t> numFlipped = follow(); succeeded(numFlipped)) {
    explain(*numFlipped);
  } else if (specified->open.size() < kMaxRuns) {
    FailureOr<std::optional<SidesRun>> explained = search(*specified);
    if (failed(explained))
      return failure();
    if (*explained)
      explain((*explained)->flipped.size());
  } else {
    auto byChance = compareToChance(*specified);
    if (failed(byChance))
      return failure();
    comparisons = std::move(*byChance);
    right = "the output is among what these make";
  }
  for (auto [comparison, before] :
       llvm::zip_equal(comparisons, specified->comparisons))
    if (!before.isEqual)
      comparison.note =
          open + (comparison.isEqual ? ", and " + right
                                     : ", but that does not explain it");
  return comparisons;
}

FailureOr<SmallVector<Comparison>>
uma::compareWithInterpreter(func::FuncOp entry, ArrayRef<HostTensor> inputs,
                            ArrayRef<HostTensor> outputs,
                            std::optional<double> tolerance) {
  return ReferenceComparison(entry, inputs, outputs, tolerance).compare();
}
