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

/// Appends the conditions under which position `expression` along `dim` is
/// inside of the data. Appends none if it always is, so that only padded
/// windows have tests.
void appendInsideConditions(LayerBuilder &builder, const graph::Window &window,
                            int64_t dim, mlir::AffineExpr expression,
                            mlir::ValueRange vars,
                            llvm::SmallVectorImpl<mlir::Value> &conditions);

/// Access of a window operator's block to its data. The block's iteration
/// variables are the result's dimensions, followed by others; those from
/// `firstTap` on are the positions in the window.
struct WindowData {
  WindowData(LayerBuilder &builder, const graph::Window &window,
             llvm::ArrayRef<int64_t> spatial, mlir::Value data,
             unsigned firstTap);

  /// Builds the conditions under which the element is data rather than padding.
  llvm::SmallVector<mlir::Value> getInside(mlir::ValueRange vars) const;
  /// Loads the element, converted to `type`.
  mlir::Value load(mlir::ValueRange vars, mlir::Type type) const;

  LayerBuilder &builder;
  const graph::Window &window;
  llvm::SmallVector<int64_t> spatial; ///< spatial dimensions of the data
  LayerBuilder::Access access;
};

/// Loads the element of `access` at `vars`, converted to `type`.
mlir::Value loadAt(LayerBuilder &builder, const LayerBuilder::Access &access,
                   mlir::ValueRange vars, mlir::Type type);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_WINDOWLOOPS_H
