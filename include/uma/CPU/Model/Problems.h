//===- Problems.h - What the kernels of layers compute -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The contractions of a layer follow from its operators, its layouts and its
// kernel. Schedules are chosen for them, and the kernels build their loops.
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

/// Returns the contractions that a layer with a kernel has schedules for, in
/// the order of `uma.schedules`; none if there is nothing to choose.
std::vector<ContractionProblem> getContractions(const CPULayer &layer);
/// Returns those that it would have with another kernel.
std::vector<ContractionProblem> getContractions(const CPULayer &layer,
                                                KernelAttr kernel);
/// Returns the workload that a database knows a layer by that `kernel` may
/// compute: that of the direct kernel, for other algorithms, too; std::nullopt
/// for layers of several loop nests, whose times cannot be told apart, and for
/// those without a choice.
std::optional<Workload> getLayerWorkload(const CPULayer &layer,
                                         KernelAttr kernel);
/// Returns the same of a depthwise convolution.
Workload getDepthwiseWorkload(const CPULayer &layer);

/// Returns whether all pixels of an image are one row of the convolution's
/// contraction.
bool isFlat(const CPULayer &layer, const ConvGeometry &conv);
/// Returns whether weights of run time are packed: a product of matrices that
/// are not known now.
bool packsAtRuntime(const CPULayer &layer);

/// A product of matrices: whether the second one has the columns of the result
/// as rows, the sizes of it, and how many there are.
struct MatrixDims {
  bool isTransposed;
  int64_t columns, depth, batch;
  int64_t rows; ///< of one matrix of the result
};
MatrixDims getMatrixDims(const CPULayer &layer);

/// Returns the product that a layer may compute by Strassen's algorithm, whose
/// data is stored in `data`; std::nullopt if there is none.
std::optional<QuarterProduct> getQuarterProduct(const CPULayer &layer,
                                                const BufferLayout &data);
/// Returns the same, as the kernel computes it.
QuarterProduct getKernelProduct(const CPULayer &layer);

/// Returns the place of a pixel in a tensor of images, with 0 for the channel.
IndexExprs getImagePlace(const graph::WindowLayout &names,
                         mlir::AffineExpr image, mlir::AffineExpr row,
                         mlir::AffineExpr column);
/// Returns the place in the result of a part of a convolution, but for the
/// channel.
IndexExprs getResultPlace(const ConvGeometry &conv,
                          const std::array<ConvAxis, 2> &part,
                          mlir::AffineExpr image, mlir::AffineExpr row,
                          mlir::AffineExpr column);

} // namespace uma

#endif // UMA_CPU_MODEL_PROBLEMS_H
