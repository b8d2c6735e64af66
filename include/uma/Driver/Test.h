//===- Test.h - uma test -*- C++ -*----------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_TEST_H
#define UMA_DRIVER_TEST_H

#include "uma/Driver/Driver.h"
#include "uma/Driver/Message.h"

namespace uma {

struct TestOptions {
  /// Name or path of a description, then `NAME=VALUE` for target attributes.
  std::vector<std::string> description;
  /// Folders to search first for descriptions.
  std::vector<std::string> acceleratorDirs;
  /// Accelerators that the calling program defines; see ModelOptions::backends.
  std::vector<std::function<std::unique_ptr<accel::Backend>()>> backends;
  /// Patterns to test; all if empty.
  std::vector<std::string> patterns;
  /// Maximum number of layers to run for each pattern.
  unsigned cases = 40;
  /// Seed of the layers and of their data.
  uint64_t seed = 0;
  /// Output file for the results as JUnit XML; none if empty.
  std::string junit;
  /// Output folder for the failing layers, as `layers.mlir` and as a package;
  /// none if empty.
  std::string keep;
  /// C compiler; `cc` if empty.
  std::string compiler;
  /// Flags of the C compiler for instructions, separated by spaces.
  std::string flags;
  /// Command that runs compiled instructions, e.g. `qemu-riscv64`; none if
  /// empty.
  std::string runWith;
  /// Seconds after which a layer counts as hanging.
  unsigned timeout = 60;
  /// Whether to print every layer.
  bool verbose = false;
};

/// `uma test`: generates small layers from each pattern of a description, runs
/// them on the C model of the device and compares them with the reference
/// interpreter.
ExitCode runTest(const TestOptions &options);

/// Like runTest, but gives messages to `handler` and the results, as JUnit XML,
/// to `junit`; empty if the tests did not run.
ExitCode testDescription(const TestOptions &options,
                         const MessageHandler &handler, std::string &junit);

} // namespace uma

#endif // UMA_DRIVER_TEST_H
