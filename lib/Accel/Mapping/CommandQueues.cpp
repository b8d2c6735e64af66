//===- CommandQueues.cpp - Queues of a device's engines -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CommandQueues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

using namespace uma::accel;
using llvm::ArrayRef;
using llvm::SmallVector;

CommandQueues::CommandQueues(ArrayRef<bool> isSynchronous, unsigned numMemories,
                             bool hasTokens)
    : engines(isSynchronous.size()), accesses(numMemories),
      hasTokens(hasTokens) {
  for (auto [engine, synchronous] : llvm::zip_equal(engines, isSynchronous)) {
    engine.isSynchronous = synchronous;
    engine.known.assign(engines.size(), 0);
  }
}

/// Makes `waiting`, or without tokens the host, wait for a command of `number`.
void CommandQueues::wait(unsigned number, int64_t command, unsigned waiting,
                         WaitFn onWait) {
  if (command <= engines[waiting].known[number])
    return;
  int64_t end = engines[number].ends[command - 1];
  if (hasTokens) {
    engines[waiting].known[number] = command;
    engines[waiting].free = std::max(engines[waiting].free, end);
  } else {
    for (Engine &engine : engines)
      engine.known[number] = command;
    host = std::max(host, end);
  }
  onWait(number, command, waiting);
}

bool CommandQueues::isKnownToAll(const Record &record) const {
  return llvm::all_of(
      llvm::seq<unsigned>(engines.size()), [&](unsigned number) {
        return number == record.engine ||
               engines[number].known[record.engine] >= record.command;
      });
}

void CommandQueues::issue(unsigned number, int64_t cycles,
                          ArrayRef<MemoryAccess> touched, WaitFn onWait) {
  SmallVector<int64_t, 4> needed(engines.size(), 0);
  for (const MemoryAccess &access : touched)
    for (const Record &record : accesses[access.memory])
      if (record.engine != number && record.begin < access.end &&
          access.begin < record.end && (record.isWrite || access.isWrite))
        needed[record.engine] = std::max(needed[record.engine], record.command);
  for (auto [other, command] : llvm::enumerate(needed))
    wait(other, command, number, onWait);

  Engine &engine = engines[number];
  engine.free = std::max(host, engine.free) + cycles;
  engine.ends.push_back(engine.free);
  int64_t command = engine.ends.size();
  if (engine.isSynchronous) {
    host = engine.free;
    for (Engine &other : engines)
      other.known[number] = command;
  }
  for (const MemoryAccess &access : touched) {
    SmallVector<Record, 0> &records = accesses[access.memory];
    // Forget commands that are known to be done, and those of this engine to
    // the same bytes, which end earlier.
    llvm::erase_if(records, [&](const Record &record) {
      return isKnownToAll(record) ||
             (record.engine == number && record.begin == access.begin &&
              record.end == access.end && record.isWrite == access.isWrite);
    });
    records.push_back(
        {access.begin, access.end, command, number, access.isWrite});
  }
}

void CommandQueues::waitForAll(WaitFn onWait) {
  for (unsigned waiting = 0; waiting < engines.size(); ++waiting)
    for (auto [number, engine] : llvm::enumerate(engines))
      if (number != waiting || !hasTokens)
        wait(number, engine.ends.size(), waiting, onWait);
}

int64_t CommandQueues::getEnd() const {
  int64_t end = 0;
  for (const Engine &engine : engines)
    end = std::max(end, engine.free);
  return end;
}
