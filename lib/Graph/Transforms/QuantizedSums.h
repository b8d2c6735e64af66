//===- QuantizedSums.h - Bounds of sums of quantized layers -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDSUMS_H
#define UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDSUMS_H

#include "uma/Support/HostTensor.h"
#include "uma/Support/QuantizedTypes.h"

#include <optional>
#include <vector>

namespace uma::graph {

/// Returns the steps of the stored integers `stored` of a tensor of the
/// quantized element type `quantized`: their distances to the zero point, as
/// elements of type `element`.
HostTensor makeSteps(const HostTensor &stored, mlir::Type quantized,
                     mlir::Type element);

/// Returns the largest distance of a stored integer to the zero point.
int64_t getMostSteps(mlir::Type quantized);

/// Returns the sum of the weights of each output channel.
std::vector<double> getUnitSums(const HostTensor &weights, int64_t outAxis);

/// Bounds on the sums of products of a convolution or dense layer.
struct SumBounds {
  /// Largest magnitude of a sum without and with its bias.
  double sum = 0, biased = 0;

  bool fitsI32() const;
  bool fitsF32() const { return biased <= double(int64_t(1) << 24); }
  /// Returns whether f32 holds all sums if the high part of the bias is added
  /// afterwards; see splitBias.
  bool fitsF32WithSplitBias() const;
};

/// Returns bounds for products of steps in [-limit, limit] and the constant
/// weights `weights`, with an optional bias.
SumBounds getSumBounds(const HostTensor &weights, int64_t outAxis,
                       int64_t limit, const std::optional<HostTensor> &bias);

/// Splits biases of i32 into parts of type `type` that f32 holds: a low one,
/// which keeps sums exact, and a multiple of a power of two. Adding the second
/// part then rounds the sum once, as the conversion of an i32 to f32 does.
std::pair<HostTensor, HostTensor> splitBias(const HostTensor &stored,
                                            mlir::RankedTensorType type);

/// Returns the integers in a word of 32 bits for the dot products of `op`, a
/// convolution or dense layer on data of the quantized element type `data`,
/// with the bounds `bounds` and weights of the steps `weights`: 4 for ui8 and
/// i8, 2 for i16, or 0 if the layer cannot be computed so.
int64_t getDotSize(mlir::Operation *op, const HostTensor &weights,
                   const SumBounds &bounds, mlir::Type data);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_QUANTIZEDSUMS_H
