//===- SampleText.h - What a sample decides, in words -*- C++ -*-----------===//
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

/// Returns the values of the variables that a layer depends on, in the
/// description's own names: `conv2d(c=3, x=tensor<1x3x8x8xf32>)`. `tensors` are
/// the layer's, by those of the pattern.
std::string
getSampleText(const SampleSpace &space, const Sample &sample,
              llvm::ArrayRef<unsigned> relevant,
              const llvm::DenseMap<mlir::Value, mlir::Value> &tensors);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLETEXT_H
