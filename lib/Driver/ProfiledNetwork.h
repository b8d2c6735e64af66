//===- ProfiledNetwork.h - Times of a network's layers -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PROFILEDNETWORK_H
#define UMA_LIB_DRIVER_PROFILEDNETWORK_H

#include "Build.h"
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

  /// Runs the network for about 0.1 s. Adds the median time of each call, in
  /// microseconds, to `times`.
  ExitCode run(const ModelContext &context, CallTimes &times);

  llvm::ArrayRef<ProfiledCall> getCalls() const { return calls; }
  /// Returns the vector lanes of the target; valid after a run.
  int64_t getLanes() const { return lanes; }

private:
  ExitCode writeProgram(const ModelContext &context, llvm::StringRef package);

  std::string name, program, log;
  std::vector<ProfiledCall> calls;
  int64_t lanes = 0;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_PROFILEDNETWORK_H
