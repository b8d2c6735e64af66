//===- ProfiledNetwork.h - Times of a network's layers -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TUNE_PROFILEDNETWORK_H
#define UMA_LIB_DRIVER_TUNE_PROFILEDNETWORK_H

#include "../Package/Build.h"
#include "../Package/Runner.h"
#include "TuneTimes.h"

#include "uma/CPU/Model/Workload.h"

#include <vector>

namespace uma {

/// A call to a layer's function, in the order of the run.
struct ProfiledCall {
  std::string layer;
  /// Workload that its schedule was chosen for, if there is a choice.
  std::optional<Workload> workload;
};

/// A network built as a program that measures its layers.
class ProfiledNetwork {
public:
  /// Builds the program in `folder` and removes intermediate files. Errors go
  /// to `handler`, the C compiler's output to `printLog`.
  ExitCode build(const ModelOptions &options, llvm::StringRef folder,
                 llvm::StringRef compiler, llvm::StringRef flags,
                 const MessageHandler &handler,
                 llvm::function_ref<void(llvm::StringRef)> printLog);

  /// Returns the program. With the argument `--processor` it describes its
  /// processor, otherwise it runs the network for at least the time given in
  /// microseconds, and prints the times of its calls.
  llvm::StringRef getProgram() const { return program; }
  llvm::StringRef getName() const { return name; }

  /// Returns the median time of each call in microseconds from what the program
  /// printed. Fails if it failed; the error follows the name of what failed.
  llvm::Expected<std::vector<double>> readTimes(const ProgramResult &result);

  llvm::ArrayRef<ProfiledCall> getCalls() const { return calls; }
  /// Returns the vector lanes of the target; valid after readTimes().
  int64_t getLanes() const { return lanes; }

private:
  ExitCode writeProgram(const ModelContext &context, llvm::StringRef package);

  std::string name, program;
  std::vector<ProfiledCall> calls;
  int64_t lanes = 0;
};

/// Returns the name of a processor from what a program of ProfiledNetwork
/// prints about it: LLVM's name, or else the model of the processor or its
/// architecture.
std::string getProcessorName(llvm::StringRef description);

} // namespace uma

#endif // UMA_LIB_DRIVER_TUNE_PROFILEDNETWORK_H
