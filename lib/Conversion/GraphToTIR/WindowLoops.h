//===- WindowLoops.h - Index arithmetic of sliding windows in TIR -*- C++
//-*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H

#include "uma/Conversion/GraphToTIR/LayerBuilder.h"
#include "uma/Graph/IR/Window.h"

namespace uma {

/// The position in the data of element `kernel` of window `output` along `dim`.
inline mlir::AffineExpr getDataPosition(const graph::Window2D &window, int dim,
                                        mlir::AffineExpr output,
                                        mlir::AffineExpr kernel) {
  return output * window.strides[dim] + kernel * window.dilations[dim] -
         window.padBegin[dim];
}

/// The conditions under which the position `expression` along `dim` lies in
/// the data; none where it always does, so that only padded windows pay.
void appendInsideConditions(LayerBuilder &builder,
                            const graph::Window2D &window, int dim,
                            mlir::AffineExpr expression, mlir::ValueRange vars,
                            llvm::SmallVectorImpl<mlir::Value> &conditions);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H
