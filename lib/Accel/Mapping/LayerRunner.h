//===- LayerRunner.h - Runs the layers of a region -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_MAPPING_LAYERRUNNER_H
#define UMA_LIB_ACCEL_MAPPING_LAYERRUNNER_H

#include "ScheduleRunner.h"

#include "uma/Accel/Mapping/RegionSchedule.h"
#include "uma/Graph/IR/GraphOps.h"

#include <memory>
#include <string>
#include <vector>

namespace uma::accel {

/// Reads the mapping of a composite. On failure, sets `problem` unless an error
/// was emitted.
FailureOr<RegionSchedule::Layer> readLayer(graph::CompositeOp composite,
                                           std::string &problem);

/// A layer with the mapping to run.
struct LayerToRun {
  graph::CompositeOp composite;
  const Match *match;
  const MatchSchedule *schedule;
  const Mapping *mapping;
  /// Whether the host waits for all engines after the layer.
  bool waits = false;
  MappingCost cost; ///< set by the run
};

/// Returns the tensor outside of a composite, without changes of the type.
Value getOuterTensor(graph::CompositeOp composite, Value inner);

/// Returns the end of the layers that are interleaved with layer `begin`.
size_t getGroupEnd(ArrayRef<LayerToRun> layers, size_t begin);

/// Runs layers that follow each other on one device. On failure, sets `problem`
/// and `failed` to the number of the layer.
LogicalResult runLayers(MutableArrayRef<LayerToRun> layers,
                        CommandStream &stream, std::string &problem,
                        size_t &failed);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_LAYERRUNNER_H
