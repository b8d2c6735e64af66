//===- Policy.h - How operators are given to accelerators -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_POLICY_H
#define UMA_ACCEL_PARTITION_POLICY_H

#include "llvm/Support/CommandLine.h"

#include <cstdint>

namespace uma::accel {

/// What decides between several ways to place a graph's operators.
enum class Policy : uint8_t {
  /// Accelerators and their patterns take what they can, in order.
  Greedy,
  /// The cheapest placement by `computeCost`.
  Cost,
};

/// The names of policies, for options.
inline auto getPolicyValues() {
  return llvm::cl::values(
      clEnumValN(
          Policy::Greedy, "greedy",
          "accelerators and their patterns take what they can, in order"),
      clEnumValN(Policy::Cost, "cost", "the cheapest placement"));
}

/// Whether adjacent matches of a device share a region.
enum class MergeRegions : uint8_t {
  /// What the device's description says: yes where it says nothing.
  AsDescribed,
  Always,
  Never,
};

/// The names of these, for options.
inline auto getMergeRegionsValues() {
  return llvm::cl::values(
      clEnumValN(MergeRegions::AsDescribed, "auto", "as descriptions say"),
      clEnumValN(MergeRegions::Always, "true", "merge adjacent matches"),
      clEnumValN(MergeRegions::Never, "false",
                 "each match is a region of its own"));
}

/// What a placement is chosen by. docs/placement.md tells what the numbers do.
struct PlacementOptions {
  Policy policy = Policy::Greedy;
  /// Cycles of the CPU for a multiply-accumulate operation.
  double cpuCyclesPerMAC = 1;
  /// Cycles of the CPU for an element of an operator's largest tensor.
  double cpuCyclesPerElement = 1;
  /// Whether adjacent matches of a device will share a region, for what regions
  /// cost.
  MergeRegions mergeRegions = MergeRegions::AsDescribed;
};

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_POLICY_H
