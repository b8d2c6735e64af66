//===- Reference.cpp - Comparing with the reference interpreter -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/Graph/Interpreter/RoundingSides.h"
#include "uma/Support/CountText.h"

using namespace mlir;
using namespace uma;

/// Evaluations with other sides. Each doubles the chance that an output that a
/// few open roundings decide has been seen on both ends.
static constexpr uint64_t kNumEvaluations = 16;

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

static bool areEqual(ArrayRef<Comparison> comparisons) {
  return llvm::all_of(comparisons, [](const Comparison &comparison) {
    return comparison.isEqual;
  });
}

FailureOr<SmallVector<Comparison>>
uma::compareWithInterpreter(func::FuncOp entry, ArrayRef<HostTensor> inputs,
                            ArrayRef<HostTensor> outputs,
                            std::optional<double> tolerance) {
  graph::RoundingSides specified;
  auto reference = graph::interpret(entry, inputs, nullptr, &specified);
  if (failed(reference))
    return failure();
  SmallVector<HostTensor> lowest = *reference, highest = *reference;
  auto compare = [&] {
    SmallVector<Comparison> comparisons;
    for (auto [actual, expected, low, high] :
         llvm::zip_equal(outputs, *reference, lowest, highest))
      comparisons.push_back(compareToLargest(
          actual, expected,
          tolerance.value_or(getDefaultTolerance(expected.getElementType())),
          low, high));
    return comparisons;
  };
  SmallVector<Comparison> comparisons = compare();
  if (areEqual(comparisons) || specified.getNumOpen() == 0)
    return comparisons;

  SmallVector<bool> wereEqual;
  for (const Comparison &comparison : comparisons)
    wereEqual.push_back(comparison.isEqual);
  for (uint64_t seed = 1; seed <= kNumEvaluations && !areEqual(comparisons);
       ++seed) {
    graph::RoundingSides sides(seed);
    auto other = graph::interpret(entry, inputs, nullptr, &sides);
    if (failed(other))
      return failure();
    widen(lowest, highest, *other);
    comparisons = compare();
  }
  std::string open = getCountText(specified.getNumOpen()) + " of " +
                     getCountText(specified.getNumRounded()) +
                     " rounded values are so close to the middle between two "
                     "integers that both are right";
  for (auto [comparison, wasEqual] : llvm::zip_equal(comparisons, wereEqual))
    if (!wasEqual)
      comparison.note = (comparison.isEqual ? "explained by rounding: "
                                            : "not explained by rounding: ") +
                        open;
  return comparisons;
}
