//===- WindowLoops.h - Index arithmetic of sliding windows in TIR ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H

#include "uma/Graph/IR/Window.h"
#include "uma/TIR/Builder/LayerBuilder.h"

namespace uma {

/// Returns the position in the data of element `kernel` of window `output`
/// along `dim`.
inline mlir::AffineExpr getDataPosition(const graph::Window &window,
                                        int64_t dim, mlir::AffineExpr output,
                                        mlir::AffineExpr kernel) {
  return output * window.strides[dim] + kernel * window.dilations[dim] -
         window.padBegin[dim];
}

/// The conditions under which the position `expression` along `dim` lies in the
/// data; none if it always does, so that only padded windows pay.
void appendInsideConditions(LayerBuilder &builder, const graph::Window &window,
                            int64_t dim, mlir::AffineExpr expression,
                            mlir::ValueRange vars,
                            llvm::SmallVectorImpl<mlir::Value> &conditions);

/// The data of a window operator as its block sees them: iteration variables
/// are the result's dimensions, then others, of which those from `firstTap` on
/// are the positions in the window.
struct WindowData {
  WindowData(LayerBuilder &builder, const graph::Window &window,
             llvm::ArrayRef<int64_t> spatial, mlir::Value data,
             unsigned firstTap);

  /// Returns the conditions under which the element is data, not padding.
  llvm::SmallVector<mlir::Value> getInside(mlir::ValueRange vars) const;
  /// Returns the element, converted to `type`.
  mlir::Value load(mlir::ValueRange vars, mlir::Type type) const;

  LayerBuilder &builder;
  const graph::Window &window;
  llvm::SmallVector<int64_t> spatial; ///< the spatial dimensions of the data
  LayerBuilder::Access access;
};

/// Returns the element of `access` at `vars`, converted to `type`.
mlir::Value loadAt(LayerBuilder &builder, const LayerBuilder::Access &access,
                   mlir::ValueRange vars, mlir::Type type);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H
