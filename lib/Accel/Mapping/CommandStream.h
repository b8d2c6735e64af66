//===- CommandStream.h - Commands of a region -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_MAPPING_COMMANDSTREAM_H
#define UMA_LIB_ACCEL_MAPPING_COMMANDSTREAM_H

#include "CommandQueues.h"

#include "uma/Accel/Mapping/MatchSchedule.h"

#include <memory>
#include <optional>
#include <vector>

namespace uma::accel {

/// Commands that the host queues for the layers of a region, with the times at
/// which the engines run them.
class CommandStream {
public:
  /// Keeps the commands if `keepsCommands`, otherwise only the time.
  CommandStream(const DeviceModel &device, bool keepsCommands);

  bool keepsCommands() const { return !positionsOf.empty(); }
  /// Later accesses belong to the next layer, which may write to main memory
  /// where the layers before it have tensors.
  void beginLayer() { queues.beginLayer(); }
  /// Queues a command of a layer, after the waits that it needs. `cost` gets
  /// the numbers of commands and of busy cycles. `tensor` is the name of the
  /// one that a transfer moves.
  void issue(unsigned engine, int64_t cycles, Command command,
             llvm::ArrayRef<MemoryAccess> accesses, MappingCost &cost,
             llvm::StringRef tensor = "");
  /// Makes the host wait for all commands. `layer` gets the waits.
  void waitForAll(unsigned layer, MappingCost &cost);
  /// Returns the time at which all commands are done.
  int64_t getEnd() const { return queues.getEnd(); }
  /// Returns the time at which all commands of an engine are done.
  int64_t getEnd(unsigned engine) const { return queues.getEnd(engine); }
  /// Returns the commands, with the tokens.
  std::vector<Command> takeCommands();
  /// Returns when the commands run, if they are kept.
  std::vector<TimedCommand> takeTimeline() { return std::move(timeline); }

  /// Makes the command of a path of the device. `arguments` are those of its
  /// body.
  Command makeTransfer(unsigned path, llvm::ArrayRef<int64_t> arguments);

private:
  static Command makeCommand(CallOp call, NumberProgram &numbers,
                             llvm::ArrayRef<int64_t> arguments);
  void emitWait(unsigned engine, int64_t number, unsigned waiting,
                unsigned layer, MappingCost &cost);
  void setLayer(unsigned layer);
  void addHostWait(int64_t until, llvm::StringRef name, unsigned layer);

  const DeviceModel &device;
  CommandQueues queues;
  std::vector<Command> commands;
  std::vector<TimedCommand> timeline;
  int64_t hostTime = 0; ///< up to which the timeline has the host
  /// Programs of the paths and of the engines' waits.
  llvm::SmallVector<std::unique_ptr<NumberProgram>> pathPrograms, waitPrograms;
  std::unique_ptr<NumberProgram> tokenProgram, layerProgram;
  std::optional<unsigned> currentLayer; ///< of the last command
  /// Positions in `commands` of the commands of each engine, and tokens to push
  /// after commands.
  llvm::SmallVector<llvm::SmallVector<size_t, 0>> positionsOf;
  std::vector<std::pair<size_t, Command>> pushes;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_COMMANDSTREAM_H
