//===- Problems.h - Contractions of layers -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The contractions of a layer follow from its operators, layouts and kernel.
// Schedules are chosen for them, and kernels build their loops.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_PROBLEMS_H
#define UMA_CPU_MODEL_PROBLEMS_H

#include "uma/CPU/Model/Contraction.h"
#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/FastProducts.h"
#include "uma/CPU/Model/Layer.h"

#include <vector>

namespace uma {

/// Returns the contractions of a layer with a kernel, in the order of
/// `uma.schedules`; empty if there is no schedule to choose.
std::vector<ContractionProblem> getContractions(const CPULayer &layer);
/// Returns the contractions that the layer would have with `kernel`.
std::vector<ContractionProblem> getContractions(const CPULayer &layer,
                                                KernelAttr kernel);
/// Returns the workload that identifies a layer in a tuning database, which is
/// that of the direct kernel also for Winograd's and Strassen's algorithms.
/// Returns std::nullopt for layers of several loop nests, whose times cannot be
/// separated, and for layers without a choice.
std::optional<Workload> getLayerWorkload(const CPULayer &layer,
                                         KernelAttr kernel);
/// Returns the workload of a depthwise convolution.
Workload getDepthwiseWorkload(const CPULayer &layer);

/// Returns whether each pixel of the result of a convolution reads exactly one
/// pixel of the data, at the same place, and the data's rows are contiguous.
bool readsPixels(const ConvGeometry &conv, const BufferLayout &data);
/// Returns whether all pixels of an image form one row of the contraction.
bool isFlat(const CPULayer &layer, const ConvGeometry &conv);
/// Returns whether the second matrix is packed at run time: it is not constant,
/// or there are several.
bool packsAtRuntime(const CPULayer &layer);

/// Dimensions of a batched matrix product: [rows, depth] times [depth,
/// columns], or times the transpose of [columns, depth] if `isTransposed`.
struct MatrixDims {
  bool isTransposed;
  int64_t columns, depth, batch;
  int64_t rows; ///< of one matrix of the result
};
MatrixDims getMatrixDims(const CPULayer &layer);

/// Returns the matrix product of a layer that Strassen's algorithm may compute,
/// with data stored in `data`; std::nullopt if there is none.
std::optional<QuarterProduct> getQuarterProduct(const CPULayer &layer,
                                                const BufferLayout &data);
/// Returns the product as the Strassen kernel computes it, with the layouts of
/// the layer.
QuarterProduct getKernelProduct(const CPULayer &layer);

/// Returns the index of a pixel in a tensor of images, with channel 0.
IndexExprs getImagePlace(const graph::WindowLayout &names,
                         mlir::AffineExpr image, mlir::AffineExpr row,
                         mlir::AffineExpr column);
/// Returns the index of a pixel of a part of a convolution in the result, with
/// channel 0.
IndexExprs getResultPlace(const ConvGeometry &conv,
                          const std::array<ConvAxis, 2> &part,
                          mlir::AffineExpr image, mlir::AffineExpr row,
                          mlir::AffineExpr column);

} // namespace uma

#endif // UMA_CPU_MODEL_PROBLEMS_H
