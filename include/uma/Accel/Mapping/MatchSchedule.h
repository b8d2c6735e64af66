//===- MatchSchedule.h - Commands of a mapped match -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_MATCHSCHEDULE_H
#define UMA_ACCEL_MAPPING_MATCHSCHEDULE_H

#include "uma/Accel/Mapping/DeviceModel.h"
#include "uma/Accel/Mapping/Mapping.h"
#include "uma/Accel/Mapping/NumberProgram.h"

namespace uma::accel {

/// A command of an engine, or a wait of the host.
struct Command {
  CallOp call;
  unsigned layer = 0; ///< layer of the region for which it is queued
  /// Tensor of the geometry that a transfer moves.
  std::optional<unsigned> tensor;
  /// Value of each operand of the call: a number, the address of a tensor in a
  /// memory of the device, or the offset of the first element in main memory.
  llvm::SmallVector<int64_t> values;
};

/// A command of an engine, or a wait of the host, in time.
struct TimedCommand {
  std::optional<unsigned> engine; ///< std::nullopt for the host
  unsigned layer;
  int64_t start, cycles;
  /// Function of the device, and for transfers the pattern's tensor.
  std::string name;
};

/// Cost of a mapping.
struct MappingCost {
  int64_t cycles = 0;
  /// Cycles in which each engine of the device is busy.
  llvm::SmallVector<int64_t> busy;
  int64_t loadedBytes = 0;
  int64_t numCommands = 0; ///< with waits
};

/// Least cost of a layer with any mapping: each tensor is moved once, and one
/// call computes it.
struct ScheduleFloor {
  llvm::SmallVector<int64_t> cycles; ///< of each engine
  int64_t loadedBytes = 0;
};

/// A match of a pattern with tiles, and the device that computes it.
class MatchSchedule {
public:
  /// A tensor that the pattern places in a memory.
  struct Placed {
    unsigned tensor, memory;
    bool isLoaded; ///< whether a transfer fills it; otherwise, calls do
    bool isStored; ///< whether a transfer moves it to main memory
  };

  /// On failure, sets `problem` to the reason that no mapping can exist.
  static mlir::FailureOr<MatchSchedule> get(const Match &match,
                                            std::string &problem);

  const TileGeometry &getGeometry() const { return geometry; }
  const DeviceModel &getDevice() const { return device; }
  PatternOp getPattern() const { return pattern; }
  llvm::ArrayRef<Placed> getPlaced() const { return placed; }

  /// Returns the bytes of one buffer of a placed tensor.
  int64_t getBufferBytes(const Mapping &mapping,
                         const Mapping::Residence &residence) const;
  /// Returns the bytes that the buffers need of each memory.
  llvm::SmallVector<int64_t, 4> getNeededBytes(const Mapping &mapping) const;
  /// Checks that the mapping fits the match and the memories. On failure, sets
  /// `problem`.
  mlir::LogicalResult check(const Mapping &mapping, std::string &problem) const;
  /// Reads an attribute and checks it. On failure, sets `problem`.
  mlir::FailureOr<Mapping> read(MappingAttr attribute,
                                std::string &problem) const;

  /// Returns whether the calls can find the elements of all tiles: the calls
  /// take the strides that are not those of the tile alone.
  bool canAddress(const Mapping &mapping) const;

  /// Runs a mapping that `check` accepts as the only layer of a region, and
  /// computes its cost. Stops when the cycles exceed `limit`. Fails if a call
  /// needs strides that it does not take.
  mlir::FailureOr<MappingCost> run(const Mapping &mapping,
                                   int64_t limit = INT64_MAX) const;

  /// Returns the cost that the layer would have if the memories held it whole.
  ScheduleFloor getFloor() const;

  /// Returns whether calls on `engine` take a tensor that is placed.
  bool isUsedOn(unsigned engine, const Placed &place) const;

  /// Returns the cycles of the calls of one tile on each engine.
  void getCallCycles(llvm::ArrayRef<IndexRange> ranges, bool isLast,
                     llvm::SmallVectorImpl<int64_t> &cycles) const;

private:
  friend class ScheduleRunner;

  std::string describeBuffers(const Mapping &mapping, unsigned number,
                              int64_t needed) const;
  /// Returns whether a call finds all elements of a part of `sizes` in a
  /// row-major tensor of `shape`.
  bool isCompact(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> shape,
                 unsigned tensor) const;
  mlir::LogicalResult addPlaced(const Match &match, std::string &problem);
  mlir::LogicalResult addCalls(const Match &match, std::string &problem);

  struct Operand {
    enum Kind { Number, Constant, Address, Offset, Array, Absent };
    Kind kind;
    mlir::Value value;
    unsigned tensor = 0;         ///< Address and Offset
    std::optional<unsigned> dim; ///< Array: dim that its elements follow
  };
  struct Call {
    CallOp op;
    unsigned engine;
    /// Whether it runs for each part of a sum; otherwise for whole sums.
    bool isRepeated = false;
    /// Whether it reads no loaded tensor, so that it may wait until the next
    /// tile is loaded.
    bool isDeferred = true;
    llvm::SmallVector<Operand> operands;
    /// Placed tensors that the call reads and writes, by index in `placed`.
    llvm::SmallVector<std::pair<unsigned, bool>> accesses;
  };
  /// A distance along an axis of a tensor in the device's layout.
  struct DistanceInput {
    mlir::Value value;
    unsigned tensor, axis;
  };

  TileGeometry geometry;
  DeviceModel device;
  PatternOp pattern;
  llvm::SmallVector<Placed> placed;
  llvm::SmallVector<Call> calls;
  llvm::SmallVector<DimOp> dims;
  llvm::SmallVector<DistanceInput> strides, steps;
  llvm::SmallVector<FirstOp> firsts;
  /// The numbers of the pattern, of which those of tiles are inputs.
  std::optional<NumberProgram> program;
};

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_MATCHSCHEDULE_H
