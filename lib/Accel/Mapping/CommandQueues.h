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
#include <utility>
#include <vector>

namespace uma::accel {

/// Bytes that a command reads or writes: of a memory of the device or, with a
/// number that is not one of a memory, of a tensor in main memory.
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
///
/// Layers follow each other without a wait for all engines. Tensors in main
/// memory may share bytes if no layer uses both, so a layer writes to main
/// memory after all layers before it have read theirs.
class CommandQueues {
public:
  /// Called for each wait with an engine and the number of its command, counted
  /// from 1. With tokens, `waiting` is the engine that waits.
  using WaitFn = llvm::function_ref<void(unsigned engine, int64_t command,
                                         unsigned waiting)>;

  CommandQueues(llvm::ArrayRef<bool> isSynchronous, unsigned numMemories,
                bool hasTokens);

  /// Queues a command and returns its start.
  int64_t issue(unsigned number, int64_t cycles,
                llvm::ArrayRef<MemoryAccess> touched, WaitFn onWait);
  void beginLayer();
  /// Makes the host wait for all commands.
  void waitForAll(WaitFn onWait);
  /// Returns the time at which all commands are done.
  int64_t getEnd() const;
  int64_t getEnd(unsigned engine) const { return engines[engine].free; }
  int64_t getHostTime() const { return host; }

private:
  struct Engine {
    bool isSynchronous = false;
    int64_t free = 0;                   ///< end of the last command
    llvm::SmallVector<int64_t, 0> ends; ///< end of each command
    /// Commands of each engine that are done before the next command starts.
    llvm::SmallVector<int64_t, 4> known;
    /// With tokens, `known` of all commands from a number on.
    std::vector<std::pair<int64_t, llvm::SmallVector<int64_t, 4>>> history;
    /// Last command that touched main memory, and the last of earlier layers.
    int64_t lastMain = 0, lastMainBefore = 0;
  };
  struct Record {
    int64_t begin, end, command;
    unsigned engine;
    bool isWrite;
  };
  void wait(unsigned number, int64_t command, unsigned waiting, WaitFn onWait);
  bool isKnownToAll(const Record &record) const;

  llvm::SmallVector<Engine> engines;
  unsigned numMemories;
  std::vector<llvm::SmallVector<Record, 0>> accesses; ///< by memory
  int64_t host = 0;
  bool hasTokens;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_COMMANDQUEUES_H
