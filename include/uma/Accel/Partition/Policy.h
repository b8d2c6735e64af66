//===- Policy.h - Policies of operator placement -*- C++ -*----------------===//
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

/// Policy for the placement of a graph's operators.
enum class Policy : uint8_t {
  /// Greedy matching: accelerators, then their patterns, in order.
  Greedy,
  /// Cheapest placement by `computeCost`.
  Cost,
};

/// Returns the values of a command-line option for policies.
inline auto getPolicyValues() {
  return llvm::cl::values(
      clEnumValN(
          Policy::Greedy, "greedy",
          "accelerators and their patterns take what they can, in order"),
      clEnumValN(Policy::Cost, "cost", "the cheapest placement"));
}

/// Policy for merging adjacent matches of a device into one region.
enum class MergeRegions : uint8_t {
  /// As specified by the device's description; merged by default.
  AsDescribed,
  Always,
  Never,
};

/// Returns the values of a command-line option for merging.
inline auto getMergeRegionsValues() {
  return llvm::cl::values(
      clEnumValN(MergeRegions::AsDescribed, "auto", "as descriptions say"),
      clEnumValN(MergeRegions::Always, "true", "merge adjacent matches"),
      clEnumValN(MergeRegions::Never, "false",
                 "each match is a region of its own"));
}

/// Options of placement. docs/placement.md describes their effects.
struct PlacementOptions {
  Policy policy = Policy::Greedy;
  /// CPU cycles per multiply-accumulate operation.
  double cpuCyclesPerMAC = 1;
  /// CPU cycles per element of an operator's largest tensor.
  double cpuCyclesPerElement = 1;
  /// Merging of adjacent matches, for the cost of regions.
  MergeRegions mergeRegions = MergeRegions::AsDescribed;
};

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_POLICY_H
