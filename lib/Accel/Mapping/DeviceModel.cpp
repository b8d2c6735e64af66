//===- DeviceModel.cpp - Memories, engines and paths of a device ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/DeviceModel.h"

#include "uma/Accel/Partition/Memories.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

int64_t DeviceModel::Path::getCycles(int64_t rows, int64_t rowBytes) const {
  int64_t cycles = setup + rows * llvm::divideCeil(rowBytes, bandwidth);
  return std::min(cycles, kMaxCycles);
}

FailureOr<DeviceModel> DeviceModel::get(AcceleratorOp accelerator,
                                        std::string &problem,
                                        Operation **where) {
  DeviceModel model;
  auto fail = [&](Operation *op, const Twine &text) {
    problem = text.str();
    if (where)
      *where = op;
    return failure();
  };
  for (auto op : accelerator.getOps<MemoryOp>()) {
    MemorySize size = getMemorySize(op);
    if (!size.problem.empty())
      return fail(op,
                  "the size of memory '" + op.getName() + "' " + size.problem);
    if (size.bytes.value_or(0) < 0)
      return fail(op, "the size of memory '" + op.getName() + "' is " +
                          Twine(*size.bytes) + " bytes");
    // Without a size there is no limit.
    int64_t unlimited = std::numeric_limits<int64_t>::max() / 2;
    model.memories.push_back(
        {op, size.bytes.value_or(unlimited),
         static_cast<int64_t>(op.getAlignment().value_or(1))});
  }
  for (auto op : accelerator.getOps<EngineOp>()) {
    auto results = computeResults(op.getBody().front(), problem);
    if (failed(results))
      return fail(op, "a number of engine '" + op.getName() + "' " + problem);
    if ((*results)[0] < 0)
      return fail(op, "engine '" + op.getName() + "' has macs = " +
                          Twine((*results)[0]) + ", expected 0 or more");
    model.engines.push_back({op, (*results)[0]});
  }
  for (auto op : accelerator.getOps<PathOp>()) {
    bool isStore = op.getTo() == kMainMemory;
    StringRef memory = isStore ? op.getFrom() : op.getTo();
    Block &body = op.getBody().front();
    auto results = computeResults(body, problem);
    std::string name = ("the transfer " + Twine(isStore ? "from" : "to") +
                        " memory '" + memory + "'")
                           .str();
    if (failed(results))
      return fail(op, "a number of " + name + " " + problem);
    if ((*results)[0] < 0 || (*results)[0] > kMaxCycles || (*results)[1] < 1)
      return fail(op, name + " has setup " + Twine((*results)[0]) +
                          " and bandwidth " + Twine((*results)[1]) +
                          "; a setup is 0 to " + Twine(kMaxCycles) +
                          " cycles, a bandwidth 1 byte per cycle or more");
    model.paths.push_back(
        {op, *model.findMemory(memory), model.findEngine(op.getEngine()),
         isStore, (*results)[0], (*results)[1],
         !body.getArgument(2).use_empty(), !body.getArgument(4).use_empty()});
  }
  for (auto op : accelerator.getOps<TokensOp>())
    model.tokens = op;
  for (auto op : accelerator.getOps<LayersOp>())
    model.layers = op;
  return model;
}

std::string uma::accel::describeMissingPath(Value tensor, StringRef memory,
                                            bool isStore) {
  std::string name = getTensorName(tensor);
  return isStore ? ("nothing moves '" + name + "' to main memory: transfer " +
                    memory + " -> main on ENGINE { ... }")
                       .str()
                 : ("nothing moves '" + name + "' to memory '" + memory +
                    "': transfer main -> " + memory + " on ENGINE { ... }")
                       .str();
}

std::optional<unsigned> DeviceModel::findMemory(StringRef name) const {
  for (auto [index, memory] : llvm::enumerate(memories))
    if (MemoryOp(memory.op).getName() == name)
      return index;
  return std::nullopt;
}

unsigned DeviceModel::findEngine(StringRef name) const {
  for (auto [index, engine] : llvm::enumerate(engines))
    if (EngineOp(engine.op).getName() == name)
      return index;
  llvm_unreachable("the verifier checks that engines exist");
}

const DeviceModel::Path *DeviceModel::findPath(unsigned memory,
                                               bool isStore) const {
  for (const Path &path : paths)
    if (path.memory == memory && path.isStore == isStore)
      return &path;
  return nullptr;
}
