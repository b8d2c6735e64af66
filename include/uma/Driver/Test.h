//===- Test.h - uma test -*- C++ -*----------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_TEST_H
#define UMA_DRIVER_TEST_H

#include "uma/Driver/Driver.h"

namespace uma {

struct TestOptions {
  /// Name or path of a description, then `NAME=VALUE` for target attributes.
  std::vector<std::string> description;
  /// Folders to look for descriptions in first.
  std::vector<std::string> acceleratorDirs;
  /// The patterns to test; all when empty.
  std::vector<std::string> patterns;
  /// The most layers that are run of one pattern.
  unsigned cases = 40;
  /// Seed of the layers and of their data.
  uint64_t seed = 0;
  /// The file that gets the results as JUnit XML; none when empty.
  std::string junit;
  /// The folder that gets the failing layers as `layers.mlir` and as a package;
  /// none when empty.
  std::string keep;
  /// The C compiler, `cc` when empty.
  std::string compiler;
  /// Seconds after which a layer is said to hang.
  unsigned timeout = 60;
  /// Print every layer.
  bool verbose = false;
};

/// `uma test`: generates small layers from each pattern of a description, runs
/// them on the C model of the device and compares them with the reference
/// interpreter.
ExitCode runTest(const TestOptions &options);

} // namespace uma

#endif // UMA_DRIVER_TEST_H
