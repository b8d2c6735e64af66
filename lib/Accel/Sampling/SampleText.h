//===- SampleText.h - Text form of samples -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_SAMPLING_SAMPLETEXT_H
#define UMA_LIB_ACCEL_SAMPLING_SAMPLETEXT_H

#include "uma/Accel/Sampling/Sampling.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace uma::accel {

/// Formats the values of the variables that a layer depends on, with the
/// description's names: `conv2d(c=3, x=tensor<1x3x8x8xf32>)`. `tensors` maps
/// tensors of the pattern to values of the layer.
std::string
getSampleText(const SampleSpace &space, const Sample &sample,
              llvm::ArrayRef<unsigned> relevant,
              const llvm::DenseMap<mlir::Value, mlir::Value> &tensors);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLETEXT_H
