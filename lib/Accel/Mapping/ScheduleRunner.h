//===- ScheduleRunner.h - Runs a mapping step by step -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_MAPPING_SCHEDULERUNNER_H
#define UMA_LIB_ACCEL_MAPPING_SCHEDULERUNNER_H

#include "CommandQueues.h"

#include "uma/Accel/Mapping/MatchSchedule.h"

#include <memory>
#include <vector>

namespace uma::accel {

using namespace mlir;

/// Runs the host's program of one mapping: queues the calls and transfers of
/// one tile after another, and keeps the time.
class ScheduleRunner {
public:
  ScheduleRunner(const MatchSchedule &schedule, const Mapping &mapping,
                 CommandCounts &counts, SmallVectorImpl<Command> *commands);

  FailureOr<MappingCost> run(int64_t limit);

private:
  /// Contents of a buffer: the part of the tensor in the device's layout.
  struct Buffer {
    int64_t address = 0;
    Box box;
  };
  /// A transfer to be queued before the calls of step `deadline`.
  struct Move {
    int64_t deadline, address, offset, rows, rowElements, stride;
  };
  /// State of a placed tensor.
  struct State {
    const MatchSchedule::Placed *placed;
    const Mapping::Residence *residence;
    const DeviceModel::Path *path = nullptr;
    Buffer buffers[2];
    unsigned current = 0;
    /// Steps at which another part is needed.
    SmallVector<int64_t, 0> changes;
    size_t next = 0;            ///< first entry of `changes` that is not loaded
    SmallVector<Move, 0> moves; ///< transfers to be queued, last one first

    /// Returns the step that needs the next transfer.
    int64_t getDeadline() const { return moves.back().deadline; }
  };

  void findChanges(State &state);
  Box getBox(const State &state, ArrayRef<int64_t> tiles);
  void prepareMoves(State &state, int64_t step, unsigned number);
  void addMoves(State &state, const Box &box, int64_t address,
                int64_t deadline);
  SmallVector<std::pair<int64_t, Box>> getPieces(const State &state,
                                                 int64_t step, const Box &box);
  size_t countDue(const State &state, int64_t step) const;
  LogicalResult issueStores();
  void issueMoves(State &state, size_t count);
  LogicalResult issueCalls(bool isDeferred, bool isFirst, bool isLast);
  LogicalResult issueCall(const MatchSchedule::Call &call, bool isFirst);
  State *findState(unsigned tensor);
  void issue(unsigned engine, int64_t cycles, Command command,
             ArrayRef<MemoryAccess> accesses);
  void emitWait(unsigned engine, int64_t number, unsigned waiting);
  /// Makes a command of a path, a wait or a token. `arguments` are those of the
  /// body that holds the call.
  static Command makeCommand(CallOp call, NumberProgram &numbers,
                             ArrayRef<int64_t> arguments);
  void insertPushes();

  const MatchSchedule &schedule;
  const Mapping &mapping;
  const TileGeometry &geometry;
  const DeviceModel &device;
  CommandCounts &counts;
  const CommandCounts firstCounts;
  SmallVectorImpl<Command> *commands;
  CommandQueues queues;
  MappingCost cost;
  SmallVector<State, 4> states;
  NumberProgram program;
  /// Programs of the paths and of the engines' waits.
  SmallVector<std::unique_ptr<NumberProgram>> pathPrograms, waitPrograms;
  std::unique_ptr<NumberProgram> tokenProgram;
  /// Positions in `commands` of the commands of each engine, and tokens to push
  /// after commands.
  SmallVector<SmallVector<size_t, 0>> positionsOf;
  std::vector<std::pair<size_t, Command>> pushes;
  // The tile whose calls are queued.
  TileGeometry::Tile tile;
  SmallVector<IndexRange> ranges;
  SmallVector<int64_t> positions, tiles;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_SCHEDULERUNNER_H
