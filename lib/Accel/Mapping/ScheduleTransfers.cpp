//===- ScheduleTransfers.cpp - Transfers of a mapping's tiles -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Parts of tensors that a tile needs become commands of the device's paths, in
// pieces that calls can use before the whole part is there.
//
//===----------------------------------------------------------------------===//

#include "ScheduleRunner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {
/// A dimension of a copy: elements, and their distance in main memory.
struct CopyDim {
  int64_t size, stride;
};
} // namespace

/// Returns the dimensions of the copy of a box of a row-major tensor, innermost
/// first. Adjacent dimensions are merged. Elements along axis `i` are
/// `steps[i]` apart.
static SmallVector<CopyDim> getCopyDims(const Box &box, ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> steps) {
  SmallVector<CopyDim> dims = {{1, 1}};
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t size = box[i].size;
    if (size > 1) {
      CopyDim &last = dims.back();
      if (last.size * last.stride == stride * steps[i])
        last.size *= size;
      else
        dims.push_back({size, stride * steps[i]});
    }
    stride *= shape[i];
  }
  return dims;
}

/// Returns the position of the first element of a box in a larger row-major
/// box.
static int64_t getOffset(const Box &box, const Box &whole) {
  int64_t offset = 0;
  for (auto [range, all] : llvm::zip_equal(box, whole))
    offset = offset * all.size + range.begin - all.begin;
  return offset;
}

static int64_t getNumElements(const Box &box) {
  int64_t elements = 1;
  for (IndexRange range : box)
    elements *= range.size;
  return elements;
}

/// Prepares the transfers of the part that `step` needs.
void ScheduleRunner::prepareMoves(State &state, int64_t step, unsigned number) {
  SmallVector<int64_t> atPositions, atTiles;
  mapping.decode(step, atPositions, atTiles);
  Buffer &buffer = state.buffers[number];
  unsigned tensor = state.placed->tensor;
  buffer.box = geometry.getBufferBox(tensor, getBox(state, atTiles));
  int64_t elementBytes = geometry.getTensors()[tensor].elementBytes;
  state.moves.clear();
  for (const auto &[deadline, piece] : getPieces(state, step, buffer.box)) {
    int64_t offset = getOffset(piece, buffer.box) * elementBytes;
    addMoves(state, piece, buffer.address + offset, deadline);
  }
  std::reverse(state.moves.begin(), state.moves.end());
}

/// Returns whether a box is one run of elements of a larger row-major box.
static bool isRun(const Box &box, const Box &whole) {
  bool isInside = false;
  for (auto [range, all] : llvm::zip_equal(box, whole)) {
    if (isInside && range.size != all.size)
      return false;
    isInside |= range.size > 1;
  }
  return true;
}

/// Returns the pieces of a part in the order in which its calls need them, each
/// with the first step that does, so that calls start before the whole part is
/// loaded. Returns one piece if the pieces overlap or are not runs of memory.
SmallVector<std::pair<int64_t, Box>>
ScheduleRunner::getPieces(const State &state, int64_t step, const Box &box) {
  unsigned tensor = state.placed->tensor;
  const auto &dependsOn = geometry.getTensors()[tensor].dependsOn;
  int64_t count = 1;
  for (const Mapping::Loop &loop :
       ArrayRef(mapping.loops).drop_front(state.residence->level))
    if (dependsOn[loop.dim])
      count *= loop.trips;
  SmallVector<std::pair<int64_t, Box>> pieces;
  int64_t elements = 0, steps = mapping.getNumSteps();
  for (int64_t at = step;
       at < steps && static_cast<int64_t>(pieces.size()) < count; ++at) {
    SmallVector<int64_t> atPositions, atTiles;
    SmallVector<IndexRange> atRanges;
    TileGeometry::Tile part;
    mapping.decode(at, atPositions, atTiles);
    mapping.getRanges(geometry, atTiles, mapping.loops.size(), atRanges);
    geometry.computeTile(atRanges, part);
    Box piece = geometry.getBufferBox(
        tensor, geometry.getDeviceBox(tensor, part.boxes[tensor]));
    if (llvm::any_of(pieces,
                     [&](const auto &known) { return known.second == piece; }))
      continue;
    if (!isRun(piece, box))
      return {{step, box}};
    elements += getNumElements(piece);
    pieces.emplace_back(at, std::move(piece));
  }
  if (elements != getNumElements(box))
    return {{step, box}};
  return pieces;
}

/// Adds the transfers of a box to an address.
void ScheduleRunner::addMoves(State &state, const Box &box, int64_t address,
                              int64_t deadline) {
  // A tile may lie in the padding.
  if (llvm::any_of(box, [](IndexRange range) { return range.size == 0; }))
    return;
  const TileGeometry::Tensor &tensor =
      geometry.getTensors()[state.placed->tensor];
  SmallVector<CopyDim> dims =
      getCopyDims(box, tensor.deviceShape, tensor.steps);
  int64_t offset = 0;
  for (auto [range, size, step] :
       llvm::zip_equal(box, tensor.deviceShape, tensor.steps))
    offset = offset * size + range.begin * step;
  CopyDim row = dims[0].stride == 1 ? dims[0] : CopyDim{1, 1};
  size_t numUsed = dims[0].stride == 1 ? 1 : 0;
  CopyDim rows = {1, 0};
  if (state.path->takesRows && state.path->takesStride && numUsed < dims.size())
    rows = dims[numUsed++];
  ArrayRef<CopyDim> outer = ArrayRef(dims).drop_front(numUsed);
  int64_t count = 1;
  for (CopyDim dim : outer)
    count *= dim.size;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, from = offset;
    for (CopyDim dim : outer) {
      from += rest % dim.size * dim.stride;
      rest /= dim.size;
    }
    int64_t elements = row.size * rows.size;
    state.moves.push_back({deadline,
                           address + i * elements * tensor.elementBytes, from,
                           rows.size, row.size, rows.stride});
  }
}

/// Returns the number of transfers that must be queued now, such that all are
/// queued in time at a steady pace.
size_t ScheduleRunner::countDue(const State &state, int64_t step) const {
  int64_t due = 0;
  for (auto [index, move] : llvm::enumerate(llvm::reverse(state.moves))) {
    int64_t count = index + 1;
    int64_t left = move.deadline - step;
    due = std::max<int64_t>(due,
                            left <= 0 ? count : llvm::divideCeil(count, left));
  }
  return due;
}

/// Queues the next transfers of a tensor, at most `count`.
void ScheduleRunner::issueMoves(State &state, size_t count) {
  const TileGeometry::Tensor &tensor =
      geometry.getTensors()[state.placed->tensor];
  const DeviceModel::Path &path = *state.path;
  for (; count > 0 && !state.moves.empty(); --count) {
    Move move = state.moves.pop_back_val();
    int64_t rowBytes = move.rowElements * tensor.elementBytes;
    int64_t bytes = move.rows * rowBytes;
    if (!path.isStore)
      cost.loadedBytes += bytes;
    Command command;
    if (stream.keepsCommands()) {
      command = stream.makeTransfer(&path - device.paths.data(),
                                    {path.isStore ? move.address : move.offset,
                                     path.isStore ? move.offset : move.address,
                                     move.rows, rowBytes,
                                     move.stride * tensor.elementBytes});
      command.tensor = state.placed->tensor;
    }
    SmallVector<MemoryAccess, 2> accesses = {
        {state.placed->memory, move.address, move.address + bytes,
         /*isWrite=*/!path.isStore}};
    int64_t last = (move.rows - 1) * move.stride + move.rowElements;
    addMainAccess(state.placed->tensor, move.offset, move.offset + last,
                  /*isWrite=*/path.isStore, accesses);
    issue(path.engine, path.getCycles(move.rows, rowBytes), std::move(command),
          accesses, getTensorName(tensor.pattern));
  }
}

/// Queues the transfers of the tile's results to main memory.
LogicalResult ScheduleRunner::issueStores() {
  for (State &state : states) {
    if (!state.placed->isStored)
      continue;
    unsigned tensor = state.placed->tensor;
    Box box = geometry.getDeviceBox(tensor, tile.boxes[tensor]);
    const Buffer &buffer = state.buffers[state.current];
    if (!isRun(box, buffer.box))
      return failure();
    int64_t offset =
        getOffset(box, buffer.box) * geometry.getTensors()[tensor].elementBytes;
    addMoves(state, box, buffer.address + offset, /*deadline=*/0);
    std::reverse(state.moves.begin(), state.moves.end());
    issueMoves(state, state.moves.size());
    markStored(tensor, box, state.path->engine);
  }
  return success();
}

void ScheduleRunner::markStored(unsigned tensor, const Box &box,
                                unsigned engine) {
  if (std::optional<unsigned> number = mainNumbers[tensor]; stored && number)
    (*stored)[*number].push_back({box, stream.getEnd(engine)});
}

/// Returns when a part of a tensor is complete in main memory, or std::nullopt
/// if the commands for that are not queued yet.
std::optional<int64_t> ScheduleRunner::getStoredTime(unsigned tensor,
                                                     const Box &box) const {
  std::optional<unsigned> number = mainNumbers[tensor];
  if (!number || !stored)
    return 0;
  auto entry = stored->find(*number);
  // Without an entry, no interleaved layer computes the tensor.
  if (entry == stored->end())
    return 0;
  // Each element is stored once.
  int64_t missing = getNumElements(box), time = 0;
  for (const StoredPart &part : entry->second) {
    int64_t common = 1;
    for (auto [wanted, known] : llvm::zip_equal(box, part.box)) {
      int64_t begin = std::max(wanted.begin, known.begin);
      int64_t end = std::min(wanted.getEnd(), known.getEnd());
      common *= std::max<int64_t>(end - begin, 0);
    }
    missing -= common;
    if (common > 0)
      time = std::max(time, part.end);
  }
  return missing == 0 ? std::optional<int64_t>(time) : std::nullopt;
}
