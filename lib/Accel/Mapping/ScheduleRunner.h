//===- ScheduleRunner.h - Runs a mapping step by step -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_MAPPING_SCHEDULERUNNER_H
#define UMA_LIB_ACCEL_MAPPING_SCHEDULERUNNER_H

#include "CommandStream.h"

namespace uma::accel {

using namespace mlir;

/// Part of a tensor in the device's layout, and when it is complete in main
/// memory.
struct StoredPart {
  Box box;
  int64_t end;
};
/// Parts that interleaved layers have stored, by the tensor's number.
using StoredParts = llvm::DenseMap<unsigned, std::vector<StoredPart>>;

/// Runs the host's program of one mapping: queues the calls and transfers of
/// one tile after another.
class ScheduleRunner {
public:
  /// Returns the number of a pattern's tensor if a layer of the region computes
  /// it in main memory, otherwise std::nullopt.
  using GetMainFn = llvm::function_ref<std::optional<unsigned>(Value pattern)>;

  ScheduleRunner(const MatchSchedule &schedule, const Mapping &mapping,
                 CommandStream &stream, unsigned layer = 0,
                 GetMainFn getMain = nullptr);

  /// Puts the buffers at these addresses of the memories. Without a call, they
  /// are at the beginning.
  void placeBuffers(ArrayRef<int64_t> begins);
  /// A tensor in a memory of the device.
  struct Place {
    unsigned memory;
    int64_t address;
  };
  /// Returns where the layer has a whole result, by its number.
  std::optional<Place> findResult(unsigned number) const;
  /// Returns the numbers of the tensors that the layer does not load.
  SmallVector<unsigned> getKept() const;
  /// Places a tensor that the layer does not load. Fails if it is in another
  /// memory.
  LogicalResult placeKept(unsigned number, Place place);
  /// Makes the layer one of several that are interleaved.
  void setStored(StoredParts *parts) { stored = parts; }

  bool isDone() const { return step == mapping.getNumSteps(); }
  bool isAtLastStep() const { return step + 1 == mapping.getNumSteps(); }
  /// Returns about when the next tile's calls can start, or std::nullopt if the
  /// interleaved layers have not stored all that it loads.
  std::optional<int64_t> getStart();
  /// Queues what the first tile needs of tensors that no layer of the region
  /// computes, or that are complete, by their number. The last calls and stores
  /// of the layers `before` may still be missing in the queues, so the buffers
  /// of their results are left alone.
  void loadEarly(ArrayRef<const ScheduleRunner *> before,
                 const llvm::DenseSet<unsigned> &complete);
  /// Queues the next tile. `beforeEnd` is called before the last calls of the
  /// layer.
  LogicalResult runStep(llvm::function_ref<void()> beforeEnd = nullptr);
  /// Returns the cost without `cycles`.
  MappingCost takeCost() { return std::move(cost); }

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
    int64_t bytes = 0; ///< of a buffer
    unsigned current = 0;
    /// Steps at which another part is needed.
    SmallVector<int64_t, 0> changes;
    size_t next = 0;            ///< first entry of `changes` that is not loaded
    bool isEarly = false;       ///< whether the layer before loads the first
    SmallVector<Move, 0> moves; ///< transfers to be queued, last one first

    /// Returns the step that needs the next transfer.
    int64_t getDeadline() const { return moves.back().deadline; }
  };

  /// Result whose calls wait until the next tile's are queued.
  struct Pending {
    TileGeometry::Tile tile;
    SmallVector<IndexRange> ranges;
    SmallVector<unsigned> buffers;
  };

  void findChanges(State &state);
  void decode();
  void beginParts(SmallVectorImpl<State *> &prefetches);
  void queueMoves(ArrayRef<State *> prefetches);
  LogicalResult flush();
  std::optional<int64_t> getPartTime(const State &state, size_t number);
  std::optional<int64_t> getStoredTime(unsigned tensor, const Box &box) const;
  void markStored(unsigned tensor, const Box &box, unsigned engine);
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
  bool overlaps(const State &state, const ScheduleRunner &other) const;
  void addMainAccess(unsigned tensor, int64_t begin, int64_t end, bool isWrite,
                     SmallVectorImpl<MemoryAccess> &accesses) const;
  void issue(unsigned engine, int64_t cycles, Command command,
             ArrayRef<MemoryAccess> accesses, StringRef tensor = "");

  const MatchSchedule &schedule;
  const Mapping &mapping;
  const TileGeometry &geometry;
  const DeviceModel &device;
  CommandStream &stream;
  const unsigned layer;
  MappingCost cost;
  SmallVector<State, 4> states;
  /// Number of each tensor for accesses to main memory.
  SmallVector<std::optional<unsigned>> mainNumbers;
  NumberProgram program;
  StoredParts *stored = nullptr;
  int64_t step = 0; ///< next tile
  std::optional<Pending> pending;
  /// Whether calls for whole sums may wait for the next tile's calls.
  bool mayDefer;
  /// Tensors whose next part is to be loaded once the current one is.
  SmallVector<State *> late;
  // The tile whose calls are queued.
  TileGeometry::Tile tile;
  SmallVector<IndexRange> ranges;
  SmallVector<int64_t> positions, tiles;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_SCHEDULERUNNER_H
