//===- WindowRules.h - Helpers for convolutions and pools -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_WINDOWRULES_H
#define UMA_LIB_IMPORT_ONNX_WINDOWRULES_H

#include "Node.h"

#include "uma/Graph/IR/Window.h"

namespace uma::importer {

/// Returns the number of spatial dimensions of data [N, C, spatial...]. Reports
/// numbers outside of 1 to `most`.
std::optional<int64_t> getSpatialRank(Node &node, mlir::Value data,
                                      int64_t most = 3);

/// Returns a list attribute with `count` entries, each at least `low`. Every
/// entry is `defaultValue` if the attribute is missing. Returns std::nullopt
/// after an error.
std::optional<llvm::SmallVector<int64_t>>
readListAttr(Node &node, llvm::StringRef name, size_t count, int64_t low,
             int64_t defaultValue);

/// Returns the window of a convolution or pool over `input`, the spatial sizes
/// of the data, with the paddings of `auto_pad`. Reads the attributes auto_pad,
/// pads and strides, and dilations if `hasDilations`. Returns std::nullopt
/// after an error.
std::optional<graph::Window> readWindow(Node &node,
                                        llvm::ArrayRef<int64_t> input,
                                        llvm::ArrayRef<int64_t> kernel,
                                        bool hasDilations = true);

/// The attributes of a convolution.
struct ConvWindow {
  graph::Window window;
  int64_t groups;
};

/// Reads the attributes of a convolution of `data`, [N, C, spatial...], with
/// `weight`, [O, I, spatial...]. Returns std::nullopt after an error.
std::optional<ConvWindow> readConvWindow(Node &node, mlir::Value data,
                                         mlir::Value weight);

/// Creates a convolution of one to three spatial dimensions, plus `bias` if
/// there is one. Returns null after an error.
mlir::Value createConv(Node &node, mlir::Value data, mlir::Value weight,
                       mlir::Value bias, const ConvWindow &how,
                       mlir::TypeAttr outDtype);
/// Creates a convolution with the node's attributes.
mlir::Value createConv(Node &node, mlir::Value data, mlir::Value weight,
                       mlir::Value bias, mlir::TypeAttr outDtype);

/// Insert a spatial dimension of size 1 before the only one: in a window, or in
/// a shape [N, C, L] or the weights' shape.
graph::Window addHeight(const graph::Window &window);
mlir::Value addHeight(Node &node, mlir::Value value);
/// Removes the dimension again from a result.
mlir::Value dropHeight(Node &node, mlir::Value value);

/// Sets strides, padding and dilations of a convolution or pool.
template <typename Properties>
void setWindow(Node &node, const graph::Window &window,
               Properties &properties) {
  mlir::OpBuilder &builder = node.getBuilder();
  llvm::SmallVector<int64_t> padding(window.padBegin.begin(),
                                     window.padBegin.end());
  padding.append(window.padEnd);
  properties.strides = builder.getDenseI64ArrayAttr(window.strides);
  properties.padding = builder.getDenseI64ArrayAttr(padding);
  properties.dilations = builder.getDenseI64ArrayAttr(window.dilations);
}

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_WINDOWRULES_H
