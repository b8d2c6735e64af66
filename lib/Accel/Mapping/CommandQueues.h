//===- CommandQueues.h - Queues of a device's engines -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_MAPPING_COMMANDQUEUES_H
#define UMA_LIB_ACCEL_MAPPING_COMMANDQUEUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace uma::accel {

/// Bytes of a device's memory that a command reads or writes.
struct MemoryAccess {
  unsigned memory;
  int64_t begin, end;
  bool isWrite;
};

/// The host and the engines of a device over time. The host queues commands,
/// which takes no time; each engine runs its commands in order. Before a
/// command that depends on one of another engine, the host waits for the
/// latter; with tokens, the engine does. Functions of a synchronous engine
/// return when their command is done.
class CommandQueues {
public:
  /// Called for each wait with an engine and the number of its command, counted
  /// from 1. With tokens, `waiting` is the engine that waits.
  using WaitFn = llvm::function_ref<void(unsigned engine, int64_t command,
                                         unsigned waiting)>;

  CommandQueues(llvm::ArrayRef<bool> isSynchronous, unsigned numMemories,
                bool hasTokens);

  void issue(unsigned number, int64_t cycles,
             llvm::ArrayRef<MemoryAccess> touched, WaitFn onWait);
  /// Waits for all commands.
  void waitForAll(WaitFn onWait);
  /// Returns the time at which all commands are done.
  int64_t getEnd() const;

private:
  struct Engine {
    bool isSynchronous = false;
    int64_t free = 0;                   ///< end of the last command
    llvm::SmallVector<int64_t, 0> ends; ///< end of each command
    /// Commands of each engine that are done before the next command starts.
    llvm::SmallVector<int64_t, 4> known;
  };
  struct Record {
    int64_t begin, end, command;
    unsigned engine;
    bool isWrite;
  };
  void wait(unsigned number, int64_t command, unsigned waiting, WaitFn onWait);
  bool isKnownToAll(const Record &record) const;

  llvm::SmallVector<Engine> engines;
  llvm::SmallVector<llvm::SmallVector<Record, 0>> accesses; ///< by memory
  int64_t host = 0;
  bool hasTokens;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_COMMANDQUEUES_H
