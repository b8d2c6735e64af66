//===- WindowRules.h - What convolutions and pools share -*- C++ -*-===//
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

/// Reports data that are not [N, C, H, W].
mlir::LogicalResult checkTwoSpatialDims(Node &node, mlir::Value data);

/// The window of a convolution or pool over `data`, with the paddings that
/// `auto_pad` asks for. Reads the attributes auto_pad, pads and strides, and
/// dilations where the operator has them. Nothing after an error.
std::optional<graph::Window2D> readWindow(Node &node, mlir::Value data,
                                          llvm::ArrayRef<int64_t> kernel,
                                          bool hasDilations = true);

/// Sets strides, padding and dilations of a convolution or pool.
template <typename Properties>
void setWindow(Node &node, const graph::Window2D &window,
               Properties &properties) {
  mlir::OpBuilder &builder = node.getBuilder();
  properties.strides = builder.getDenseI64ArrayAttr(window.strides);
  properties.padding =
      builder.getDenseI64ArrayAttr({window.padBegin[0], window.padBegin[1],
                                    window.padEnd[0], window.padEnd[1]});
  properties.dilations = builder.getDenseI64ArrayAttr(window.dilations);
}

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_WINDOWRULES_H
