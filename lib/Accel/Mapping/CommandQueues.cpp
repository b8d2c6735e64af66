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
    : engines(isSynchronous.size()), numMemories(numMemories),
      accesses(numMemories), hasTokens(hasTokens) {
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
    Engine &engine = engines[waiting];
    engine.known[number] = command;
    // Commands for which this one has waited are done, too.
    const auto &history = engines[number].history;
    auto after = llvm::upper_bound(history, command,
                                   [](int64_t command, const auto &entry) {
                                     return command < entry.first;
                                   });
    if (after != history.begin())
      for (auto [known, other] :
           llvm::zip_equal(engine.known, std::prev(after)->second))
        known = std::max(known, other);
    engine.history.emplace_back(engine.ends.size() + 1, engine.known);
    engine.free = std::max(engine.free, end);
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

int64_t CommandQueues::issue(unsigned number, int64_t cycles,
                             ArrayRef<MemoryAccess> touched, WaitFn onWait) {
  SmallVector<int64_t, 4> needed(engines.size(), 0);
  bool touchesMain = false;
  for (const MemoryAccess &access : touched) {
    if (access.memory >= accesses.size())
      accesses.resize(access.memory + 1);
    for (const Record &record : accesses[access.memory])
      if (record.engine != number && record.begin < access.end &&
          access.begin < record.end && (record.isWrite || access.isWrite))
        needed[record.engine] = std::max(needed[record.engine], record.command);
    if (access.memory < numMemories)
      continue;
    touchesMain = true;
    if (access.isWrite)
      for (auto [before, engine] : llvm::zip_equal(needed, engines))
        if (&engine != &engines[number])
          before = std::max(before, engine.lastMainBefore);
  }
  for (auto [other, command] : llvm::enumerate(needed))
    wait(other, command, number, onWait);

  Engine &engine = engines[number];
  int64_t start = std::max(host, engine.free);
  engine.free = start + cycles;
  engine.ends.push_back(engine.free);
  int64_t command = engine.ends.size();
  if (touchesMain)
    engine.lastMain = command;
  if (engine.isSynchronous) {
    host = engine.free;
    for (Engine &other : engines)
      other.known[number] = command;
  }
  for (const MemoryAccess &access : touched) {
    SmallVector<Record, 0> &records = accesses[access.memory];
    // Forget commands that are known to be done, and those that end before this
    // one: whatever depends on them depends on this one, too, if it writes all
    // of their bytes, or reads them on the same engine.
    llvm::erase_if(records, [&](const Record &record) {
      bool isInside = record.begin >= access.begin && record.end <= access.end;
      return (isInside && (access.isWrite ||
                           (record.engine == number && !record.isWrite))) ||
             isKnownToAll(record);
    });
    records.push_back(
        {access.begin, access.end, command, number, access.isWrite});
  }
  return start;
}

void CommandQueues::beginLayer() {
  for (Engine &engine : engines)
    engine.lastMainBefore = engine.lastMain;
}

void CommandQueues::waitForAll(WaitFn onWait) {
  // With tokens, `await` of the device does.
  if (hasTokens)
    return;
  for (auto [number, engine] : llvm::enumerate(engines))
    wait(number, engine.ends.size(), number, onWait);
}

int64_t CommandQueues::getEnd() const {
  int64_t end = 0;
  for (const Engine &engine : engines)
    end = std::max(end, engine.free);
  return end;
}
