//===- RegionSchedule.h - Commands of a region's layers -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_REGIONSCHEDULE_H
#define UMA_ACCEL_MAPPING_REGIONSCHEDULE_H

#include "uma/Accel/Mapping/MatchSchedule.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <vector>

namespace uma::accel {

/// The layers of a device's function whose patterns have tiles, as one program
/// of the host. Layers follow each other without a wait for all engines, or
/// groups of them are interleaved: a layer waits for the data of others, and
/// its first constants are loaded while the layer before it ends. The host
/// waits before composites without tiles and at the end.
class RegionSchedule {
public:
  struct Layer {
    Layer(graph::CompositeOp composite, Match match, MatchSchedule schedule,
          Mapping mapping)
        : composite(composite), match(std::move(match)),
          schedule(std::move(schedule)), mapping(std::move(mapping)) {}
    graph::CompositeOp composite;
    Match match;
    MatchSchedule schedule;
    Mapping mapping;
    /// `cycles` are those by which the layer delays the end of the region.
    MappingCost cost;
  };

  /// Reads the mappings of the function's composites and runs them. Emits an
  /// error on the composite that has no mapping or one that does not fit.
  static mlir::FailureOr<RegionSchedule> get(mlir::func::FuncOp function);

  const std::vector<std::unique_ptr<Layer>> &getLayers() const {
    return layers;
  }
  /// Returns the number of the first layer of each group. Layers of different
  /// groups are not interleaved.
  llvm::ArrayRef<unsigned> getGroups() const { return groups; }
  /// Returns the commands in the order in which the host queues them.
  llvm::ArrayRef<Command> getCommands() const { return commands; }
  /// Returns when the engines run them, in no particular order.
  llvm::ArrayRef<TimedCommand> getTimeline() const { return timeline; }

private:
  mlir::LogicalResult run();

  std::vector<std::unique_ptr<Layer>> layers;
  /// Layers after which the host waits for all engines.
  llvm::SmallVector<bool> waits;
  llvm::SmallVector<unsigned> groups;
  std::vector<Command> commands;
  std::vector<TimedCommand> timeline;
};

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_REGIONSCHEDULE_H
