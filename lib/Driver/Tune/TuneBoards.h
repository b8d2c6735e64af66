//===- TuneBoards.h - Machines that measure schedules -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A round runs all variants of a network once, on one board. So each
// comparison is made on one board, and boards that differ a little, e.g. in
// their temperature, do not bias it. The rounds are shared among the boards.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TUNE_TUNEBOARDS_H
#define UMA_LIB_DRIVER_TUNE_TUNEBOARDS_H

#include "../Package/Runner.h"
#include "ProfiledNetwork.h"

namespace uma {

/// A network with one choice for each workload, and its times.
struct Variant {
  ProfiledNetwork network;
  CallTimes times;
};

/// This machine, or boards of one kind.
class TuneBoards {
public:
  /// Warnings go to `handler`.
  TuneBoards(const ModelContext &context, MessageHandler handler)
      : context(context), handler(std::move(handler)) {}

  /// Uses the boards that `commands` lead to, this machine if there are none.
  /// Programs there end after `limit` seconds.
  ExitCode open(llvm::ArrayRef<std::string> commands, unsigned limit);
  /// Uses the workers of a Dask scheduler that have the resource
  /// `cpu=<processor>`. Fails if there are none. Files go to `scratch`.
  ExitCode openWorkers(llvm::StringRef scheduler, llvm::StringRef processor,
                       unsigned limit, llvm::StringRef scratch);
  bool areHere() const {
    return !boards.empty() && boards.front().runner.isHere();
  }
  size_t size() const { return boards.size(); }

  /// Asks all boards for their processor. Fails if they have different ones.
  ExitCode askProcessor(const ProfiledNetwork &network, std::string &name);
  /// Measures all variants alternately, in `count` rounds.
  ExitCode measure(std::vector<Variant> &variants, size_t count);

private:
  struct Board {
    Runner runner;
    /// Place of the files with the output of its programs.
    std::string log;
    /// Why it is not used any more; empty if it is.
    std::string problem;
  };
  class Round;

  /// Stops to use a board. Fails if no board is left.
  ExitCode drop(Board &board, std::string problem);

  const ModelContext &context;
  MessageHandler handler;
  std::vector<Board> boards;
  unsigned timeout = 0;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_TUNE_TUNEBOARDS_H
