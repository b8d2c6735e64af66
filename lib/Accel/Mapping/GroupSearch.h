//===- GroupSearch.h - Search for layers to interleave -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_MAPPING_GROUPSEARCH_H
#define UMA_LIB_ACCEL_MAPPING_GROUPSEARCH_H

#include "LayerRunner.h"

#include "uma/Accel/Mapping/MappingSearch.h"

namespace uma::accel {

/// A layer whose mapping was searched on its own.
struct GroupLayer : RegionSchedule::Layer {
  GroupLayer(RegionSchedule::Layer &&layer, std::string signature, bool isFixed)
      : Layer(std::move(layer)), signature(std::move(signature)),
        isFixed(isFixed) {}
  /// Text that is equal for layers with the same mappings.
  std::string signature;
  /// Whether the mapping must stay as it is.
  bool isFixed;
  /// Whether the host waits for all engines after the layer.
  bool waits = false;
};

/// Returns what a search for groups depends on of a layer, with the layers
/// before it that it reads.
std::string describeLayer(ArrayRef<std::unique_ptr<GroupLayer>> layers,
                          size_t number);

/// Chooses groups of layers to interleave where this saves cycles, and sets
/// their mappings. `layers` are those of a device's function, in order. The
/// result depends only on the arguments.
void searchGroups(MutableArrayRef<std::unique_ptr<GroupLayer>> layers,
                  const SearchOptions &options);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_MAPPING_GROUPSEARCH_H
