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

/// Policy that chooses between several placements of a graph's operators.
enum class Policy : uint8_t {
  /// Accelerators and their patterns take what they can, in order.
  Greedy,
  /// Cheapest placement by `computeCost`.
  Cost,
};

/// Returns the names of policies for options.
inline auto getPolicyValues() {
  return llvm::cl::values(
      clEnumValN(
          Policy::Greedy, "greedy",
          "accelerators and their patterns take what they can, in order"),
      clEnumValN(Policy::Cost, "cost", "the cheapest placement"));
}

/// Whether adjacent matches of a device share a region.
enum class MergeRegions : uint8_t {
  /// As the device's description says; merged by default.
  AsDescribed,
  Always,
  Never,
};

/// Returns the names of these for options.
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
  /// CPU cycles for a multiply-accumulate operation.
  double cpuCyclesPerMAC = 1;
  /// CPU cycles for an element of an operator's largest tensor.
  double cpuCyclesPerElement = 1;
  /// Whether adjacent matches of a device will share a region, for the cost of
  /// regions.
  MergeRegions mergeRegions = MergeRegions::AsDescribed;
};

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_POLICY_H
