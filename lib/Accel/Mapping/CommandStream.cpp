//===- CommandStream.cpp - Commands of a region ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CommandStream.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Compiles the arithmetic of an engine, a path or tokens.
static std::unique_ptr<NumberProgram> compileBody(Operation *op) {
  auto accelerator = op->getParentOfType<AcceleratorOp>();
  return std::make_unique<NumberProgram>(
      op->getRegion(0).front(), [&](Value value) -> TypedAttr {
        auto read = value.getDefiningOp<TargetAttributeOp>();
        return read ? dyn_cast<TypedAttr>(
                          accelerator.getAttribute(read.getName()).getValue())
                    : TypedAttr();
      });
}

/// Returns for each engine whether nothing waits for it.
static SmallVector<bool> getSynchronous(const DeviceModel &device) {
  return llvm::map_to_vector(
      device.engines, [&](const DeviceModel::Engine &engine) {
        return !device.tokens && !EngineOp(engine.op).getWait();
      });
}

CommandStream::CommandStream(const DeviceModel &device, bool keepsCommands)
    : device(device), queues(getSynchronous(device), device.memories.size(),
                             static_cast<bool>(device.tokens)) {
  if (!keepsCommands)
    return;
  for (const DeviceModel::Path &path : device.paths)
    pathPrograms.push_back(compileBody(path.op));
  for (const DeviceModel::Engine &engine : device.engines)
    waitPrograms.push_back(compileBody(engine.op));
  if (device.tokens)
    tokenProgram = compileBody(device.tokens);
  if (device.layers)
    layerProgram = compileBody(device.layers);
  positionsOf.resize(device.engines.size());
}

Command CommandStream::makeCommand(CallOp call, NumberProgram &numbers,
                                   ArrayRef<int64_t> arguments) {
  Command command;
  command.call = call;
  for (auto [argument, value] :
       llvm::zip_equal(call->getBlock()->getArguments(), arguments))
    numbers.set(argument, value);
  numbers.run();
  for (Value operand : call.getArguments())
    command.values.push_back(numbers.get(operand));
  return command;
}

Command CommandStream::makeTransfer(unsigned path,
                                    ArrayRef<int64_t> arguments) {
  return makeCommand(PathOp(device.paths[path].op).getCall(),
                     *pathPrograms[path], arguments);
}

void CommandStream::emitWait(unsigned engine, int64_t number, unsigned waiting,
                             unsigned layer, MappingCost &cost) {
  cost.numCommands += device.tokens ? 2 : 1;
  if (!keepsCommands())
    return;
  if (TokensOp tokens = device.tokens) {
    size_t position = positionsOf[engine][number - 1];
    Command push =
        makeCommand(tokens.getPush(), *tokenProgram, {engine, waiting});
    push.layer = commands[position].layer;
    pushes.emplace_back(position, std::move(push));
    setLayer(layer);
    commands.push_back(
        makeCommand(tokens.getPop(), *tokenProgram, {engine, waiting}));
  } else {
    commands.push_back(
        makeCommand(EngineOp(device.engines[engine].op).getWait(),
                    *waitPrograms[engine], number));
  }
  commands.back().layer = layer;
  if (!device.tokens)
    addHostWait(queues.getHostTime(), commands.back().call.getCallee(), layer);
}

/// Queues the command that tells the device which layer comes next.
void CommandStream::setLayer(unsigned layer) {
  if (!device.layers || currentLayer == layer)
    return;
  currentLayer = layer;
  commands.push_back(makeCommand(LayersOp(device.layers).getBegin(),
                                 *layerProgram, {int64_t(layer)}));
  commands.back().layer = layer;
}

void CommandStream::addHostWait(int64_t until, StringRef name, unsigned layer) {
  if (until > hostTime)
    timeline.push_back(
        {std::nullopt, layer, hostTime, until - hostTime, name.str()});
  hostTime = until;
}

void CommandStream::issue(unsigned engine, int64_t cycles, Command command,
                          ArrayRef<MemoryAccess> accesses, MappingCost &cost,
                          StringRef tensor) {
  int64_t start =
      queues.issue(engine, cycles, accesses,
                   [&](unsigned other, int64_t number, unsigned waiting) {
                     emitWait(other, number, waiting, command.layer, cost);
                   });
  cost.busy[engine] += cycles;
  ++cost.numCommands;
  if (!keepsCommands())
    return;
  std::string name = command.call.getCallee().str();
  if (!tensor.empty())
    name += (" " + tensor).str();
  timeline.push_back({engine, command.layer, start, cycles, std::move(name)});
  // The host is busy with the commands of synchronous engines.
  hostTime = queues.getHostTime();
  setLayer(command.layer);
  positionsOf[engine].push_back(commands.size());
  commands.push_back(std::move(command));
}

void CommandStream::waitForAll(unsigned layer, MappingCost &cost) {
  queues.waitForAll([&](unsigned engine, int64_t number, unsigned waiting) {
    emitWait(engine, number, waiting, layer, cost);
  });
  if (keepsCommands() && device.tokens)
    addHostWait(getEnd(), "await", layer);
}

std::vector<Command> CommandStream::takeCommands() {
  // Tokens after one command go to different engines, in any order.
  llvm::sort(pushes, [](const auto &lhs, const auto &rhs) {
    return std::tie(lhs.first, lhs.second.values) <
           std::tie(rhs.first, rhs.second.values);
  });
  std::vector<Command> all;
  auto *push = pushes.data(), *end = push + pushes.size();
  for (auto [position, command] : llvm::enumerate(commands)) {
    all.push_back(std::move(command));
    for (; push != end && push->first == position; ++push)
      all.push_back(std::move(push->second));
  }
  return all;
}
