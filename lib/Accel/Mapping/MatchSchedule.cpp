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

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

FailureOr<MatchSchedule> MatchSchedule::get(const Match &match,
                                            std::string &problem) {
  MatchSchedule schedule;
  schedule.pattern = match.pattern;
  FailureOr<DeviceModel> device = DeviceModel::get(
      schedule.pattern->getParentOfType<AcceleratorOp>(), problem);
  if (failed(device))
    return failure();
  FailureOr<TileGeometry> geometry = TileGeometry::get(match, problem);
  if (failed(geometry))
    return failure();
  schedule.geometry = std::move(*geometry);
  schedule.device = std::move(*device);
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
      unsigned memory = *device.findMemory(place.getMemory());
      bool isLoaded = pattern.getDefiningOp<InputOp>() != nullptr;
      bool isStored = llvm::is_contained(this->pattern.getOutputs(), pattern);
      if (isLoaded && !device.findPath(memory, /*isStore=*/false)) {
        problem = describeMissingPath(pattern, place.getMemory(),
                                      /*isStore=*/false);
        return failure();
      }
      if (isStored && !device.findPath(memory, /*isStore=*/true)) {
        problem = describeMissingPath(pattern, place.getMemory(),
                                      /*isStore=*/true);
        return failure();
      }
      placed.push_back({*tensor, memory, isLoaded, isStored});
    }
  return success();
}

LogicalResult MatchSchedule::addCalls(const Match &match,
                                      std::string &problem) {
  Block &body = pattern.getBody().front();
  TileGeometry::Tile whole;
  geometry.computeTile(geometry.getWholeRanges(), whole);
  // Numbers that are the same in all tiles.
  DenseMap<Value, TypedAttr> numbers = match.numbers;
  auto addDistance = [&](Operation *op, SmallVectorImpl<DistanceInput> &list) {
    Value tensor = op->getOperand(0);
    std::optional<unsigned> number = geometry.findTensor(tensor);
    if (!number)
      return;
    unsigned axis = *findAxis(tensor, op->getOperand(1));
    bool isLoaded = llvm::any_of(placed, [&](const Placed &place) {
      return place.tensor == *number && place.isLoaded;
    });
    if (isa<StepOp>(op) && isLoaded)
      geometry.skipRows(*number, axis);
    list.push_back({op->getResult(0), *number,
                    getDeviceAxis(getTensorTypeOp(tensor), axis)});
    numbers.erase(op->getResult(0));
  };
  for (Operation &op : body) {
    if (auto dim = dyn_cast<DimOp>(op)) {
      if (geometry.getNumber(dim, whole)) {
        dims.push_back(dim);
        numbers.erase(dim);
      }
    } else if (isa<StrideOp>(op)) {
      addDistance(&op, strides);
    } else if (isa<StepOp>(op)) {
      addDistance(&op, steps);
    } else if (auto first = dyn_cast<FirstOp>(op)) {
      firsts.push_back(first);
      numbers.erase(first.getResult());
    }
  }
  program.emplace(body, [&](Value value) { return numbers.lookup(value); });
  llvm::DenseSet<unsigned> written;
  llvm::DenseMap<unsigned, CallOp> unplaced;
  for (CallOp op : body.getOps<CallOp>()) {
    Call &call = calls.emplace_back();
    call.op = op;
    call.engine = device.findEngine(*op.getEngine());
    if (!program->has(op.getCycles())) {
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
        operand.kind =
            program->has(value) ? Operand::Number : Operand::Constant;
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
      if (place == placed.end()) {
        // Nothing orders commands that share bytes of main memory.
        if (!value.getDefiningOp<InputOp>() &&
            !unplaced.try_emplace(*tensor, op).second) {
          problem = "several calls take '" + getTensorName(value) +
                    "', which is in main memory; place it in a memory";
          return failure();
        }
        continue;
      }
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
  return geometry.getTensors()[residence.tensor].elementBytes *
         geometry.getMostElements(residence.tensor,
                                  mapping.getTiles(geometry, residence.level));
}

ScheduleFloor MatchSchedule::getFloor() const {
  ScheduleFloor floor;
  getCallCycles(geometry.getWholeRanges(), /*isLast=*/true, floor.cycles);
  SmallVector<int64_t> whole =
      llvm::map_to_vector(geometry.getDims(), [](const TileGeometry::Dim &dim) {
        return dim.size;
      });
  for (const Placed &place : placed) {
    if (!place.isLoaded && !place.isStored)
      continue;
    int64_t bytes = geometry.getTensors()[place.tensor].elementBytes *
                    geometry.getMostElements(place.tensor, whole);
    const DeviceModel::Path &path =
        *device.findPath(place.memory, place.isStored);
    if (place.isLoaded)
      floor.loadedBytes += bytes;
    floor.cycles[path.engine] += llvm::divideCeil(bytes, path.bandwidth);
  }
  return floor;
}

/// Describes why the buffers do not fit a memory.
std::string MatchSchedule::describeBuffers(const Mapping &mapping,
                                           unsigned number,
                                           int64_t needed) const {
  const DeviceModel::Memory &memory = device.memories[number];
  std::string names;
  for (auto [place, residence] : llvm::zip_equal(placed, mapping.residences))
    if (place.memory == number && !residence.isKept)
      names += (names.empty() ? "" : ", ") +
               getTensorName(geometry.getTensors()[place.tensor].pattern) +
               " " + std::to_string(getBufferBytes(mapping, residence)) +
               (residence.isDouble ? " twice" : "");
  return ("needs " + Twine(needed) + " bytes of memory '" +
          MemoryOp(memory.op).getName() + "' (" + names + "), which has " +
          Twine(memory.bytes))
      .str();
}

SmallVector<int64_t, 4>
MatchSchedule::getNeededBytes(const Mapping &mapping) const {
  SmallVector<int64_t, 4> needed(device.memories.size());
  for (auto [place, residence] : llvm::zip_equal(placed, mapping.residences)) {
    int64_t bytes = llvm::alignTo(getBufferBytes(mapping, residence),
                                  device.memories[place.memory].alignment);
    if (!residence.isKept)
      needed[place.memory] += bytes * (residence.isDouble ? 2 : 1);
  }
  return needed;
}

LogicalResult MatchSchedule::check(const Mapping &mapping,
                                   std::string &problem) const {
  auto fail = [&](const Twine &text) {
    problem = text.str();
    return failure();
  };
  auto getName = [&](unsigned tensor) {
    return getTensorName(geometry.getTensors()[tensor].pattern);
  };
  unsigned firstReduction = mapping.loops.size();
  for (auto [index, loop] : llvm::enumerate(mapping.loops))
    if (geometry.getDims()[loop.dim].isReduction)
      firstReduction = std::min<unsigned>(firstReduction, index);
  bool isSame = mapping.residences.size() == placed.size();
  for (size_t i = 0; isSame && i < placed.size(); ++i)
    isSame = mapping.residences[i].tensor == placed[i].tensor;
  if (!isSame) {
    std::string names;
    for (const Placed &place : placed)
      names += (names.empty() ? "" : ", ") + getName(place.tensor);
    return fail("the mapping needs buffers of " + names + ", in this order");
  }
  for (auto [place, residence] : llvm::zip_equal(placed, mapping.residences))
    if (residence.isKept && (!place.isLoaded || !mapping.isInterleaved))
      return fail("'" + getName(place.tensor) +
                  "' cannot be kept: only inputs of an interleaved layer can");
  for (auto [place, residence] : llvm::zip_equal(placed, mapping.residences))
    if (!place.isLoaded && residence.level > firstReduction)
      return fail("the buffer of '" + getName(place.tensor) +
                  "' is inside of a loop that adds to it; it is at level " +
                  Twine(firstReduction) + " or outside");
  SmallVector<int64_t, 4> needed = getNeededBytes(mapping);
  for (auto [number, memory] : llvm::enumerate(device.memories))
    if (needed[number] > memory.bytes)
      return fail(describeBuffers(mapping, number, needed[number]));
  return success();
}

FailureOr<Mapping> MatchSchedule::read(MappingAttr attribute,
                                       std::string &problem) const {
  FailureOr<Mapping> mapping =
      Mapping::fromAttribute(attribute, geometry, problem);
  if (failed(mapping) || failed(check(*mapping, problem)))
    return failure();
  return mapping;
}

bool MatchSchedule::isCompact(ArrayRef<int64_t> sizes, ArrayRef<int64_t> shape,
                              unsigned tensor) const {
  int64_t expected = 1, actual = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    bool isKnown = sizes[i] == 1 || expected == actual ||
                   llvm::any_of(strides, [&](const DistanceInput &stride) {
                     return stride.tensor == tensor && stride.axis == i;
                   });
    if (!isKnown)
      return false;
    expected *= sizes[i];
    actual *= shape[i];
  }
  return true;
}

bool MatchSchedule::canAddress(const Mapping &mapping) const {
  SmallVector<int64_t, 4> tiles =
      mapping.getTiles(geometry, mapping.loops.size());
  for (const Call &call : calls)
    for (const Operand &operand : call.operands) {
      if (operand.kind != Operand::Address && operand.kind != Operand::Offset)
        continue;
      SmallVector<int64_t> shape =
          geometry.getTensors()[operand.tensor].deviceShape;
      for (const Mapping::Residence &residence : mapping.residences)
        if (residence.tensor == operand.tensor)
          shape = geometry.getMostSizes(
              operand.tensor, mapping.getTiles(geometry, residence.level));
      if (!isCompact(geometry.getMostSizes(operand.tensor, tiles), shape,
                     operand.tensor))
        return false;
    }
  return true;
}

bool MatchSchedule::isUsedOn(unsigned engine, const Placed &place) const {
  unsigned index = &place - placed.data();
  return llvm::any_of(calls, [&](const Call &call) {
    return call.engine == engine &&
           llvm::any_of(call.accesses, [&](const auto &access) {
             return access.first == index;
           });
  });
}

void MatchSchedule::getCallCycles(ArrayRef<IndexRange> ranges, bool isLast,
                                  SmallVectorImpl<int64_t> &cycles) const {
  cycles.assign(device.engines.size(), 0);
  NumberProgram program = *this->program;
  TileGeometry::Tile tile;
  geometry.computeTile(ranges, tile);
  for (DimOp dim : dims)
    program.set(dim, *geometry.getNumber(dim, tile));
  program.run();
  for (const Call &call : calls)
    if (call.isRepeated || isLast)
      cycles[call.engine] += std::clamp<int64_t>(
          program.get(CallOp(call.op).getCycles()), 0, DeviceModel::kMaxCycles);
}
