//===- CommandQueues.cpp - Queues of a device's engines -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CommandQueues.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace uma::accel;
using llvm::ArrayRef;
using llvm::SmallVector;

void CommandQueues::wait(unsigned number, int64_t command, WaitFn onWait) {
  Engine &engine = engines[number];
  if (command <= engine.numDone)
    return;
  engine.numDone = command;
  host = std::max(host, engine.ends[command - 1]);
  onWait(number, command);
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
    wait(other, command, onWait);

  Engine &engine = engines[number];
  engine.free = std::max(host, engine.free) + cycles;
  engine.ends.push_back(engine.free);
  int64_t command = engine.ends.size();
  for (const MemoryAccess &access : touched) {
    SmallVector<Record, 0> &records = accesses[access.memory];
    // Forget commands that are known to be done, and those of this engine to
    // the same bytes, which end earlier.
    llvm::erase_if(records, [&](const Record &record) {
      return record.command <= engines[record.engine].numDone ||
             (record.engine == number && record.begin == access.begin &&
              record.end == access.end && record.isWrite == access.isWrite);
    });
    records.push_back(
        {access.begin, access.end, command, number, access.isWrite});
  }
}

void CommandQueues::waitForAll(WaitFn onWait) {
  for (auto [number, engine] : llvm::enumerate(engines))
    wait(number, engine.ends.size(), onWait);
}

int64_t CommandQueues::getEnd() const {
  int64_t end = 0;
  for (const Engine &engine : engines)
    end = std::max(end, engine.free);
  return end;
}
