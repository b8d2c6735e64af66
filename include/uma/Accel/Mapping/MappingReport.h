//===- MappingReport.h - Report on the mappings of a model -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_MAPPINGREPORT_H
#define UMA_ACCEL_MAPPING_MAPPINGREPORT_H

#include "uma/Accel/Mapping/MatchSchedule.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace uma::accel {

/// A layer that a device computes in tiles.
struct MappedLayer {
  std::string name, accelerator, pattern;
  MappingAttr mapping;
  int64_t macs = 0;
  int64_t macsPerCycle = 0; ///< of the largest engine; 0 if unknown
  MappingCost cost;
  /// Cycles of each engine, and bytes, if the memories held the whole layer.
  ScheduleFloor floor;
  llvm::SmallVector<std::string> engines;

  /// Returns the roofline: the cycles of the engine that needs most if the
  /// memories held the whole layer.
  int64_t getRoofline() const;
  /// Returns the share of the largest engine's multiplications that the layer
  /// uses, or std::nullopt if its size is unknown.
  std::optional<double> getUtilisation() const;
  /// Returns the engine that is busy for most of the time, or "latency" if all
  /// are idle for more than a fifth of it.
  std::string getBound() const;
};

/// A command of a device in time, where cycles are counted from the start of
/// the network without the time of the CPU.
struct TimelineEvent {
  std::string device, engine, layer, name; ///< engine "host" for waits
  int64_t start, cycles;
};

/// Returns the mapped layers of a module, in order, and appends their commands
/// to `timeline` if it is given. Emits an error and fails for a mapping that
/// does not fit its layer.
mlir::FailureOr<std::vector<MappedLayer>>
getMappedLayers(mlir::ModuleOp module,
                std::vector<TimelineEvent> *timeline = nullptr);

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_MAPPINGREPORT_H
