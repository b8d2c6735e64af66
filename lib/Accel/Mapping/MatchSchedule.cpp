//===- MatchSchedule.cpp - Commands of a mapped match ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/MatchSchedule.h"

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

FailureOr<MatchSchedule> MatchSchedule::get(const Match &match,
                                            const DeviceModel &device,
                                            std::string &problem) {
  FailureOr<TileGeometry> geometry = TileGeometry::get(match, problem);
  if (failed(geometry))
    return failure();
  MatchSchedule schedule;
  schedule.geometry = std::move(*geometry);
  schedule.device = &device;
  schedule.pattern = match.pattern;
  schedule.numbers = match.numbers;
  if (failed(schedule.addPlaced(match, problem)) ||
      failed(schedule.addCalls(match, problem)))
    return failure();
  return schedule;
}

LogicalResult MatchSchedule::addPlaced(const Match &match,
                                       std::string &problem) {
  for (PlaceOp place : pattern.getBody().getOps<PlaceOp>())
    for (Value pattern : place.getTensors()) {
      std::optional<unsigned> tensor = geometry.findTensor(pattern);
      if (!tensor)
        continue;
      unsigned memory = *device->findMemory(place.getMemory());
      bool isLoaded = pattern.getDefiningOp<InputOp>() != nullptr;
      if (isLoaded && !device->findPath(memory)) {
        problem = ("nothing moves '" + getTensorName(pattern) +
                   "' to memory '" + place.getMemory() + "': transfer main -> " +
                   place.getMemory() + " on ENGINE { ... }")
                      .str();
        return failure();
      }
      if (!isLoaded && llvm::is_contained(this->pattern.getOutputs(), pattern)) {
        problem = "nothing moves '" + getTensorName(pattern) +
                  "', a result, to main memory";
        return failure();
      }
      placed.push_back({*tensor, memory, isLoaded});
    }
  return success();
}

LogicalResult MatchSchedule::addCalls(const Match &match,
                                      std::string &problem) {
  Block &body = pattern.getBody().front();
  TileGeometry::Tile whole;
  SmallVector<IndexRange> ranges;
  for (const TileGeometry::Dim &dim : geometry.getDims())
    ranges.push_back({0, dim.size});
  geometry.computeTile(ranges, whole);
  for (Operation &op : body) {
    if (auto dim = dyn_cast<DimOp>(op)) {
      if (geometry.getNumber(dim, whole)) {
        dims.push_back(dim);
        numbers.erase(dim);
      }
    } else if (auto stride = dyn_cast<StrideOp>(op)) {
      std::optional<unsigned> tensor = geometry.findTensor(stride.getTensor());
      if (!tensor)
        continue;
      unsigned axis = getDeviceAxis(getTensorTypeOp(stride.getTensor()),
                                    *findAxis(stride.getTensor(),
                                              stride.getDim()));
      strides.push_back({stride, *tensor, axis});
      numbers.erase(stride.getResult());
    } else if (auto first = dyn_cast<FirstOp>(op)) {
      firsts.push_back(first);
      numbers.erase(first.getResult());
    }
  }
  NumberProgram program(body, [&](Value value) { return numbers.lookup(value); });
  llvm::DenseSet<unsigned> written;
  for (CallOp op : body.getOps<CallOp>()) {
    Call &call = calls.emplace_back();
    call.op = op;
    call.engine = device->findEngine(*op.getEngine());
    if (!program.has(op.getCycles())) {
      problem = ("the cycles of " + op.getCallee() +
                 " depend on more than whole numbers")
                    .str();
      return failure();
    }
    for (Value value : op.getArguments()) {
      Operand &operand = call.operands.emplace_back();
      operand.value = value;
      auto array = value.getDefiningOp<ArrayOp>();
      if (!isa<AccelTensorType>(value.getType())) {
        operand.kind = program.has(value) ? Operand::Number : Operand::Constant;
        continue;
      }
      std::optional<unsigned> tensor =
          geometry.findTensor(array ? array.getTensor() : value);
      if (!tensor) {
        operand.kind = Operand::Absent;
        continue;
      }
      operand.tensor = *tensor;
      if (array) {
        operand.kind = Operand::Array;
        if (auto dim = array.getCount().getDefiningOp<DimOp>())
          operand.dim = geometry.findDim(dim.getName());
        continue;
      }
      for (auto [index, dim] : llvm::enumerate(geometry.getDims()))
        call.isRepeated |=
            dim.isReduction && geometry.getTensors()[*tensor].dependsOn[index];
      auto *place = llvm::find_if(
          placed, [&](const Placed &p) { return p.tensor == *tensor; });
      operand.kind = place == placed.end() ? Operand::Offset : Operand::Address;
      if (place == placed.end())
        continue;
      call.isDeferred &= !place->isLoaded;
      // The first call that takes a result writes it.
      bool isWrite = !place->isLoaded && written.insert(*tensor).second;
      call.accesses.push_back(
          {static_cast<unsigned>(place - placed.begin()), isWrite});
    }
  }
  return success();
}

int64_t
MatchSchedule::getBufferBytes(const Mapping &mapping,
                              const Mapping::Residence &residence) const {
  // Parts at the edges are not larger than those in the middle.
  SmallVector<IndexRange> ranges;
  for (const TileGeometry::Dim &dim : geometry.getDims())
    ranges.push_back({0, dim.size});
  for (const Mapping::Loop &loop :
       ArrayRef(mapping.loops).take_front(residence.level))
    ranges[loop.dim].size = std::min(loop.tile, ranges[loop.dim].size);
  TileGeometry::Tile tile;
  geometry.computeTile(ranges, tile);
  const TileGeometry::Tensor &tensor =
      geometry.getTensors()[residence.tensor];
  Box box;
  for (auto [range, size] :
       llvm::zip_equal(tile.padded[residence.tensor], tensor.shape))
    box.push_back({0, std::min(range.size, size)});
  int64_t bytes = tensor.elementBytes;
  for (IndexRange range : geometry.getDeviceBox(residence.tensor, box))
    bytes *= range.size;
  return bytes;
}

ScheduleFloor MatchSchedule::getFloor() const {
  ScheduleFloor floor;
  SmallVector<IndexRange> ranges;
  for (const TileGeometry::Dim &dim : geometry.getDims())
    ranges.push_back({0, dim.size});
  getCallCycles(ranges, /*isLast=*/true, floor.cycles);
  for (const Placed &place : placed) {
    if (!place.isLoaded)
      continue;
    const TileGeometry::Tensor &tensor = geometry.getTensors()[place.tensor];
    int64_t bytes = tensor.elementBytes;
    for (int64_t size : tensor.deviceShape)
      bytes *= size;
    const DeviceModel::Path &path = *device->findPath(place.memory);
    floor.loadedBytes += bytes;
    floor.cycles[path.engine] += llvm::divideCeil(bytes, path.bandwidth);
  }
  return floor;
}

LogicalResult MatchSchedule::check(const Mapping &mapping,
                                   std::string &problem) const {
  auto fail = [&](const Twine &text) {
    problem = text.str();
    return failure();
  };
  unsigned firstReduction = mapping.loops.size();
  for (auto [index, loop] : llvm::enumerate(mapping.loops))
    if (geometry.getDims()[loop.dim].isReduction)
      firstReduction = std::min<unsigned>(firstReduction, index);
  for (const Placed &place : placed) {
    std::string name = getTensorName(geometry.getTensors()[place.tensor].pattern);
    auto *residence = llvm::find_if(
        mapping.residences,
        [&](const auto &entry) { return entry.tensor == place.tensor; });
    if (residence == mapping.residences.end())
      return fail("'" + name + "' has no buffer");
    if (!place.isLoaded && residence->level > firstReduction)
      return fail("the buffer of '" + name + "' is inside of a loop that adds "
                  "to it; it is at level " + Twine(firstReduction) +
                  " or outside");
  }
  if (mapping.residences.size() != placed.size())
    return fail("only tensors that the pattern places in a memory have "
                "buffers, each once");
  for (auto [number, memory] : llvm::enumerate(device->memories)) {
    int64_t needed = 0;
    std::string names;
    for (const Mapping::Residence &residence : mapping.residences) {
      auto *place = llvm::find_if(placed, [&](const Placed &entry) {
        return entry.tensor == residence.tensor;
      });
      if (place->memory != number)
        continue;
      int64_t bytes = llvm::alignTo(getBufferBytes(mapping, residence),
                                    memory.alignment);
      needed += bytes * (residence.isDouble ? 2 : 1);
      names += (names.empty() ? "" : ", ") +
               getTensorName(geometry.getTensors()[residence.tensor].pattern) +
               " " + std::to_string(bytes) +
               (residence.isDouble ? " twice" : "");
    }
    if (needed > memory.bytes)
      return fail("needs " + Twine(needed) + " bytes of memory '" +
                  MemoryOp(memory.op).getName() + "' (" + names +
                  "), which has " + Twine(memory.bytes));
  }
  return success();
}
