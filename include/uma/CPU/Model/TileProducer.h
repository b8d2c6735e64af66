//===- TileProducer.h - Producers computed in tiles -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_TILEPRODUCER_H
#define UMA_CPU_MODEL_TILEPRODUCER_H

#include "uma/CPU/Model/Layer.h"

namespace uma {

/// Returns whether the kernel of `reader` can compute the producer of its data
/// tile by tile: `reader` is a direct convolution of 1x1 that reads blocks of
/// channels, the producer an elementwise layer that nothing else reads.
bool canTileProducer(const CPULayers &layers, const CPULayer &reader);

} // namespace uma

#endif // UMA_CPU_MODEL_TILEPRODUCER_H
