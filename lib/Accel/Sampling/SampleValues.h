//===- SampleValues.h - Values of sampled properties -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_SAMPLING_SAMPLEVALUES_H
#define UMA_LIB_ACCEL_SAMPLING_SAMPLEVALUES_H

#include "uma/Accel/Sampling/Sampling.h"

#include "mlir/IR/Builders.h"

namespace uma::accel {

/// Returns whether the variable is an unconstrained size in an input's shape.
bool isSize(const SampleVariable &variable);

/// Returns the element types to try if a pattern specifies none.
llvm::SmallVector<mlir::Type> getSampledTypes(mlir::MLIRContext *context);

/// Builds a candidate value that adds `delta` to element `index` of the
/// pattern's list. Operators have no attributes of this kind, so it is
/// unambiguous.
inline mlir::Attribute makeChange(mlir::MLIRContext *context, unsigned index,
                                  int64_t delta) {
  return mlir::DenseI32ArrayAttr::get(context,
                                      {int32_t(index), int32_t(delta)});
}

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLEVALUES_H
