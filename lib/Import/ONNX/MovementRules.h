//===- MovementRules.h - What rules that move elements share -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_MOVEMENTRULES_H
#define UMA_LIB_IMPORT_ONNX_MOVEMENTRULES_H

#include "Rules.h"

namespace uma::importer {

/// Returns a tensor of int64 elements.
HostTensor makeInts(Node &node, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> elements);

/// `size` elements of each dimension from `begin` on; `data` itself where these
/// are all.
mlir::Value createSlice(Node &node, mlir::Value data,
                        llvm::ArrayRef<int64_t> begin,
                        llvm::ArrayRef<int64_t> size,
                        llvm::ArrayRef<int64_t> strides);

/// `data` repeated to `shape`; `data` itself if it has that shape.
mlir::Value createBroadcast(Node &node, mlir::Value data,
                            llvm::ArrayRef<int64_t> shape);

/// Returns the slices of `data` along `axis` at `indices`, which are in range,
/// in the cheapest form: a slice, a repetition or a table.
mlir::Value createTake(Node &node, mlir::Value data,
                       llvm::ArrayRef<int64_t> indices, int64_t axis);

/// `data` padded with a constant.
mlir::Value createConstantPad(Node &node, mlir::Value data,
                              llvm::ArrayRef<int64_t> before,
                              llvm::ArrayRef<int64_t> after, double value);

/// Returns the axes that a node names, all where it names none, normalised;
/// std::nullopt after an error.
std::optional<llvm::SmallVector<int64_t>>
readAxes(Node &node, std::optional<llvm::SmallVector<int64_t>> written,
         int64_t rank);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_MOVEMENTRULES_H
