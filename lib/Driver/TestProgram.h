//===- TestProgram.h - The program that runs sampled layers -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TESTPROGRAM_H
#define UMA_LIB_DRIVER_TESTPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace uma {

/// Replaces the example program of a package by one that runs the network
/// `numRuns` times, with all inputs of all runs from the file of its first
/// argument, and writes all outputs to that of its second. A layer that takes
/// longer than `timeout` seconds ends the program. It watches the memory around
/// each tensor after each layer, and tells on standard error what parseTestLog
/// reads.
llvm::Error writeTestProgram(llvm::StringRef package, llvm::StringRef network,
                             unsigned numInputs, unsigned numOutputs,
                             unsigned numRuns, unsigned timeout);

/// What a run said.
struct TestLog {
  /// A layer that wrote outside of its outputs, and what it overwrote, in
  /// words.
  struct Damage {
    std::string layer, what;
  };
  std::vector<Damage> damages;
  /// The layer that was begun last.
  std::string lastLayer;
  /// The status that ended the run; 0 if it came to its end.
  int64_t status = 0;
  /// Whether all runs came to their end.
  bool isComplete = false;
};

TestLog parseTestLog(llvm::StringRef text);

} // namespace uma

#endif // UMA_LIB_DRIVER_TESTPROGRAM_H
