//===- Explore.h - uma explore -*- C++ -*----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_EXPLORE_H
#define UMA_DRIVER_EXPLORE_H

#include "uma/Driver/Driver.h"

#include <string>
#include <vector>

namespace uma {

/// Options of `uma explore`, which its program in Python checks. Numbers are
/// texts, empty for defaults.
struct ExploreOptions {
  std::vector<std::string> models;
  /// A description, then settings of its attributes.
  std::vector<std::string> accelerator;
  std::vector<std::string> acceleratorDirs;
  /// Sizes of inputs, NAME=SIZES or MODEL:NAME=SIZES.
  std::vector<std::string> shapes;
  std::vector<std::string> sweeps, constraints, objectives;
  std::string search, points, seed;
  bool simulate = false;
  bool allowCPU = false;
  double cpuCyclesPerMAC = 1;
  std::string workers, scheduler, output;
  bool resume = false;
  /// Options of uma-accel-map.
  std::string lower;
};

/// `uma explore`: evaluates models on an accelerator with many values of its
/// attributes. Replaces this process by the program in Python; returns only
/// after an error.
ExitCode runExplore(const ExploreOptions &options);

} // namespace uma

#endif // UMA_DRIVER_EXPLORE_H
