//===- ScheduleRunner.cpp - Runs a mapping step by step -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The host's program: for each tile, the calls, then the transfers of the tile
// that comes next to the buffer that is free. Results leave their buffer after
// the next tile's calls are queued, so that engines have no gap.
//
//===----------------------------------------------------------------------===//

#include "ScheduleRunner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

ScheduleRunner::ScheduleRunner(const MatchSchedule &schedule,
                               const Mapping &mapping, CommandStream &stream,
                               unsigned layer, GetMainFn getMain)
    : schedule(schedule), mapping(mapping), geometry(schedule.getGeometry()),
      device(schedule.getDevice()), stream(stream), layer(layer),
      mainNumbers(geometry.getTensors().size()), program(*schedule.program) {
  cost.busy.assign(device.engines.size(), 0);
  if (getMain)
    for (auto [number, tensor] :
         llvm::zip_equal(mainNumbers, geometry.getTensors()))
      if (tensor.pattern)
        number = getMain(tensor.pattern);
  for (const Mapping::Residence &residence : mapping.residences) {
    State &state = states.emplace_back();
    state.residence = &residence;
    state.placed = llvm::find_if(schedule.placed, [&](const auto &placed) {
      return placed.tensor == residence.tensor;
    });
    unsigned memory = state.placed->memory;
    if (state.placed->isLoaded)
      state.path = device.findPath(memory, /*isStore=*/false);
    else if (state.placed->isStored)
      state.path = device.findPath(memory, /*isStore=*/true);
    state.bytes = llvm::alignTo(schedule.getBufferBytes(mapping, residence),
                                device.memories[memory].alignment);
    findChanges(state);
  }
  mayDefer = llvm::all_of(states, [](const State &state) {
    return state.placed->isLoaded || state.residence->isDouble ||
           state.changes.size() == 1;
  });
  placeBuffers(SmallVector<int64_t>(device.memories.size()));
}

void ScheduleRunner::placeBuffers(ArrayRef<int64_t> begins) {
  SmallVector<int64_t> used(begins);
  for (State &state : states) {
    if (state.residence->isKept)
      continue;
    int64_t &next = used[state.placed->memory];
    state.buffers[0].address = next;
    if (state.residence->isDouble)
      next += state.bytes;
    state.buffers[1].address = next;
    next += state.bytes;
  }
}

std::optional<ScheduleRunner::Place>
ScheduleRunner::findResult(unsigned number) const {
  for (const State &state : states)
    if (state.placed->isStored && mainNumbers[state.placed->tensor] == number &&
        state.residence->level == 0)
      return Place{state.placed->memory, state.buffers[0].address};
  return std::nullopt;
}

SmallVector<unsigned> ScheduleRunner::getKept() const {
  SmallVector<unsigned> numbers;
  for (const State &state : states)
    if (state.residence->isKept)
      // Without a number, no layer computes the tensor.
      numbers.push_back(mainNumbers[state.placed->tensor].value_or(~0U));
  return numbers;
}

LogicalResult ScheduleRunner::placeKept(unsigned number, Place place) {
  for (State &state : states)
    if (state.residence->isKept &&
        mainNumbers[state.placed->tensor] == number) {
      if (state.placed->memory != place.memory)
        return failure();
      state.buffers[0].address = state.buffers[1].address = place.address;
    }
  return success();
}

ScheduleRunner::State *ScheduleRunner::findState(unsigned tensor) {
  for (State &state : states)
    if (state.placed->tensor == tensor)
      return &state;
  return nullptr;
}

/// Finds the steps that need another part of the tensor than the step before.
void ScheduleRunner::findChanges(State &state) {
  const auto &dependsOn = geometry.getTensors()[state.placed->tensor].dependsOn;
  unsigned level = 0;
  for (unsigned i = 0; i < state.residence->level; ++i)
    if (dependsOn[mapping.loops[i].dim])
      level = i + 1;
  // The part is the same while only inner loops advance.
  int64_t inner = 1;
  for (size_t i = level; i < mapping.loops.size(); ++i)
    inner *= mapping.loops[i].trips;
  SmallVector<int64_t> last;
  for (int64_t step = 0, steps = mapping.getNumSteps(); step < steps;
       step += inner) {
    mapping.decode(step, positions, tiles);
    bool isNew = step == 0;
    for (unsigned i = 0; i < level && !isNew; ++i)
      isNew = dependsOn[mapping.loops[i].dim] && tiles[i] != last[i];
    if (isNew)
      state.changes.push_back(step);
    last = tiles;
  }
}

Box ScheduleRunner::getBox(const State &state, ArrayRef<int64_t> atTiles) {
  SmallVector<IndexRange> resident;
  mapping.getRanges(geometry, atTiles, state.residence->level, resident);
  TileGeometry::Tile part;
  geometry.computeTile(resident, part);
  return geometry.getDeviceBox(state.placed->tensor,
                               part.boxes[state.placed->tensor]);
}

/// Returns whether a tensor has a buffer in common with results of another
/// layer.
bool ScheduleRunner::overlaps(const State &state,
                              const ScheduleRunner &other) const {
  for (const State &known : other.states) {
    if (known.placed->isLoaded || known.placed->memory != state.placed->memory)
      continue;
    for (const Buffer &first : state.buffers)
      for (const Buffer &second : known.buffers)
        if (first.address < second.address + known.bytes &&
            second.address < first.address + state.bytes)
          return true;
  }
  return false;
}

void ScheduleRunner::loadEarly(ArrayRef<const ScheduleRunner *> before,
                               const llvm::DenseSet<unsigned> &complete) {
  for (State &state : states) {
    std::optional<unsigned> number = mainNumbers[state.placed->tensor];
    if (!state.placed->isLoaded || (number && !complete.contains(*number)) ||
        state.isEarly || state.residence->isKept ||
        llvm::any_of(before, [&](const ScheduleRunner *other) {
          return overlaps(state, *other);
        }))
      continue;
    state.isEarly = true;
    prepareMoves(state, /*step=*/0, /*number=*/0);
    while (!state.moves.empty() && state.getDeadline() <= 0)
      issueMoves(state, 1);
  }
}

void ScheduleRunner::addMainAccess(
    unsigned tensor, int64_t begin, int64_t end, bool isWrite,
    SmallVectorImpl<MemoryAccess> &accesses) const {
  int64_t bytes = geometry.getTensors()[tensor].elementBytes;
  unsigned numMemories = device.memories.size();
  if (std::optional<unsigned> number = mainNumbers[tensor])
    accesses.push_back(
        {numMemories + *number, begin * bytes, end * bytes, isWrite});
}

void ScheduleRunner::issue(unsigned engine, int64_t cycles, Command command,
                           ArrayRef<MemoryAccess> accesses, StringRef tensor) {
  command.layer = layer;
  stream.issue(engine, cycles, std::move(command), accesses, cost, tensor);
}

LogicalResult ScheduleRunner::issueCalls(bool isDeferred, bool isFirst,
                                         bool isLast) {
  for (const MatchSchedule::Call &call : schedule.calls)
    if (call.isDeferred == isDeferred && (call.isRepeated || isLast) &&
        failed(issueCall(call, isFirst)))
      return failure();
  return success();
}

LogicalResult ScheduleRunner::issueCall(const MatchSchedule::Call &call,
                                        bool isFirst) {
  auto getShape = [&](unsigned tensor) -> SmallVector<int64_t> {
    State *state = findState(tensor);
    if (!state)
      return geometry.getTensors()[tensor].deviceShape;
    return llvm::map_to_vector(state->buffers[state->current].box,
                               [](IndexRange range) { return range.size; });
  };
  for (DimOp dim : schedule.dims)
    program.set(dim, *geometry.getNumber(dim, tile));
  for (const auto &[value, tensor, axis] : schedule.strides)
    program.set(value,
                product(ArrayRef(getShape(tensor)).drop_front(axis + 1)));
  for (const auto &[value, tensor, axis] : schedule.steps) {
    State *state = findState(tensor);
    bool isKept = state && state->residence->isKept;
    program.set(value, isKept ? 1 : geometry.getTensors()[tensor].steps[axis]);
  }
  for (FirstOp first : schedule.firsts)
    program.set(first.getResult(), isFirst);
  program.run();

  Command command;
  command.call = call.op;
  SmallVector<MemoryAccess, 4> accesses;
  for (const MatchSchedule::Operand &operand : call.operands) {
    using Operand = MatchSchedule::Operand;
    int64_t value = 0;
    if (operand.kind == Operand::Number) {
      value = program.get(operand.value);
    } else if (operand.kind == Operand::Array) {
      value = operand.dim ? ranges[*operand.dim].begin : 0;
    } else if (operand.kind == Operand::Address ||
               operand.kind == Operand::Offset) {
      const TileGeometry::Tensor &tensor =
          geometry.getTensors()[operand.tensor];
      State *state = findState(operand.tensor);
      Box box =
          geometry.getDeviceBox(operand.tensor, tile.boxes[operand.tensor]);
      if (state && !state->residence->isKept)
        box = geometry.getBufferBox(operand.tensor, std::move(box));
      bool isEmpty =
          llvm::any_of(box, [](IndexRange range) { return range.size == 0; });
      SmallVector<int64_t> shape = getShape(operand.tensor);
      SmallVector<int64_t> sizes =
          llvm::map_to_vector(box, [](IndexRange range) { return range.size; });
      if (!isEmpty && !schedule.isCompact(sizes, shape, operand.tensor))
        return failure();
      Buffer *buffer = state ? &state->buffers[state->current] : nullptr;
      int64_t last = 0;
      for (auto [axis, range] : llvm::enumerate(box)) {
        int64_t begin = range.begin - (buffer ? buffer->box[axis].begin : 0);
        value = value * shape[axis] + begin;
        last = last * shape[axis] + begin + range.size - 1;
      }
      if (isEmpty) {
        value = 0;
      } else if (!state) {
        bool isWrite = !tensor.pattern.getDefiningOp<InputOp>();
        addMainAccess(operand.tensor, value, last + 1, isWrite, accesses);
        if (isWrite)
          markStored(operand.tensor, box, call.engine);
      } else {
        value = buffer->address + value * tensor.elementBytes;
        last = buffer->address + (last + 1) * tensor.elementBytes;
        unsigned index = state->placed - schedule.placed.data();
        for (auto [placed, isWrite] : call.accesses)
          if (placed == index)
            accesses.push_back({state->placed->memory, value, last, isWrite});
      }
    }
    command.values.push_back(value);
  }
  int64_t cycles = std::clamp<int64_t>(program.get(CallOp(call.op).getCycles()),
                                       0, DeviceModel::kMaxCycles);
  issue(call.engine, cycles, std::move(command), accesses);
  return success();
}

/// Computes the tile of the next step.
void ScheduleRunner::decode() {
  mapping.decode(step, positions, tiles);
  mapping.getRanges(geometry, tiles, mapping.loops.size(), ranges);
  geometry.computeTile(ranges, tile);
}

/// Returns when the part that `state` needs from its change `number` on is
/// complete, or std::nullopt if another layer must store it first.
std::optional<int64_t> ScheduleRunner::getPartTime(const State &state,
                                                   size_t number) {
  if (!stored || number >= state.changes.size())
    return 0;
  SmallVector<int64_t> atPositions, atTiles;
  mapping.decode(state.changes[number], atPositions, atTiles);
  return getStoredTime(state.placed->tensor, getBox(state, atTiles));
}

std::optional<int64_t> ScheduleRunner::getStart() {
  int64_t start = 0;
  auto add = [&](std::optional<int64_t> time) {
    start = std::max(start, time.value_or(0));
    return time.has_value();
  };
  for (const State &state : states) {
    if (!state.placed->isLoaded || state.residence->isKept ||
        state.next == state.changes.size() || state.changes[state.next] != step)
      continue;
    // With a second buffer, the part after that is loaded as well.
    if (!add(getPartTime(state, state.next)) ||
        (state.residence->isDouble && !getPartTime(state, state.next + 1)))
      return std::nullopt;
  }
  decode();
  for (auto [number, tensor] : llvm::enumerate(geometry.getTensors()))
    if (tensor.pattern && tensor.pattern.getDefiningOp<InputOp>() &&
        (!findState(number) || findState(number)->residence->isKept) &&
        !add(getStoredTime(number,
                           geometry.getDeviceBox(number, tile.boxes[number]))))
      return std::nullopt;
  if (!schedule.calls.empty())
    start = std::max(start, stream.getEnd(schedule.calls.front().engine));
  return start;
}

/// Queues the calls for the whole sums of the tile before, and its stores.
LogicalResult ScheduleRunner::flush() {
  if (!pending)
    return success();
  Pending now = std::move(*pending);
  pending.reset();
  std::swap(now.tile, tile);
  std::swap(now.ranges, ranges);
  for (auto [state, buffer] : llvm::zip_equal(states, now.buffers))
    std::swap(state.current, buffer);
  LogicalResult result =
      issueCalls(/*isDeferred=*/true, /*isFirst=*/false, /*isLast=*/true);
  if (succeeded(result))
    result = issueStores();
  std::swap(now.tile, tile);
  std::swap(now.ranges, ranges);
  for (auto [state, buffer] : llvm::zip_equal(states, now.buffers))
    std::swap(state.current, buffer);
  return result;
}

/// Turns to the buffers of the parts that the next tile needs. Returns the
/// tensors whose next part can be loaded to a second buffer.
void ScheduleRunner::beginParts(SmallVectorImpl<State *> &prefetches) {
  for (State &state : states) {
    bool isNew =
        state.next < state.changes.size() && state.changes[state.next] == step;
    if (!isNew)
      continue;
    ++state.next;
    bool isSecond = step > 0 && state.residence->isDouble;
    if (isSecond)
      state.current ^= 1;
    if (!state.placed->isLoaded || state.residence->isKept) {
      state.buffers[state.current].box = getBox(state, tiles);
      continue;
    }
    auto *skipped = llvm::find(late, &state);
    if (skipped != late.end() || (!isSecond && (step > 0 || !state.isEarly)))
      prepareMoves(state, step, state.current);
    if (skipped != late.end())
      late.erase(skipped);
    if (state.residence->isDouble && state.next < state.changes.size())
      prefetches.push_back(&state);
  }
  for (State &state : states)
    while (!state.moves.empty() && state.getDeadline() <= step)
      issueMoves(state, 1);
}

/// Queues transfers for later tiles.
void ScheduleRunner::queueMoves(ArrayRef<State *> prefetches) {
  // The pieces of the part in use are queued before those of the next part, and
  // other layers may not have stored it yet.
  llvm::append_range(late, prefetches);
  llvm::erase_if(late, [&](State *state) {
    if (!state->moves.empty() || !getPartTime(*state, state->next))
      return false;
    prepareMoves(*state, state->changes[state->next], state->current ^ 1);
    return true;
  });
  // Parts that are needed first are loaded first; those that are needed
  // later are loaded in pieces.
  SmallVector<State *> loading;
  for (State &state : states)
    if (!state.moves.empty())
      loading.push_back(&state);
  llvm::sort(loading, [](State *lhs, State *rhs) {
    return std::pair(lhs->getDeadline(), lhs) <
           std::pair(rhs->getDeadline(), rhs);
  });
  for (State *state : loading)
    issueMoves(*state, countDue(*state, step));
}

LogicalResult ScheduleRunner::runStep(llvm::function_ref<void()> beforeEnd) {
  decode();
  SmallVector<State *> prefetches;
  beginParts(prefetches);
  bool isFirst = true, isLast = true;
  for (auto [loop, position] : llvm::zip_equal(mapping.loops, positions))
    if (geometry.getDims()[loop.dim].isReduction) {
      isFirst &= position == 0;
      isLast &= position == loop.trips - 1;
    }
  if (failed(issueCalls(/*isDeferred=*/false, isFirst, isLast)) ||
      failed(flush()))
    return failure();
  if (isLast) {
    pending = {tile, ranges, {}};
    for (State &state : states)
      pending->buffers.push_back(state.current);
  }
  queueMoves(prefetches);
  bool isEnd = isAtLastStep();
  if (isEnd && beforeEnd)
    beforeEnd();
  ++step;
  // The next tile's calls overwrite a single buffer.
  if ((!mayDefer || isEnd) && failed(flush()))
    return failure();
  return success();
}

FailureOr<MappingCost> MatchSchedule::run(const Mapping &mapping,
                                          int64_t limit) const {
  CommandStream stream(device, /*keepsCommands=*/false);
  ScheduleRunner runner(*this, mapping, stream);
  while (!runner.isDone() && stream.getEnd() <= limit)
    if (failed(runner.runStep()))
      return failure();
  MappingCost cost = runner.takeCost();
  cost.cycles = stream.getEnd();
  stream.waitForAll(/*layer=*/0, cost);
  return cost;
}
