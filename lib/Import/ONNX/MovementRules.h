//===- MovementRules.h - Helpers for rules that move elements -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_MOVEMENTRULES_H
#define UMA_LIB_IMPORT_ONNX_MOVEMENTRULES_H

#include "Rules.h"

namespace uma::importer {

/// Returns a tensor of the given i64 elements.
HostTensor makeInts(Node &node, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> elements);

/// Creates a slice with `size` elements of each dimension from `begin` on.
/// Returns `data` if the slice is the whole tensor.
mlir::Value createSlice(Node &node, mlir::Value data,
                        llvm::ArrayRef<int64_t> begin,
                        llvm::ArrayRef<int64_t> size,
                        llvm::ArrayRef<int64_t> strides);

/// Broadcasts `data` to `shape`. Returns `data` if it already has that shape.
mlir::Value createBroadcast(Node &node, mlir::Value data,
                            llvm::ArrayRef<int64_t> shape);

/// Creates the slices of `data` along `axis` at `indices`, which must be in
/// range, by the cheapest operation: a slice, a repetition or a take.
mlir::Value createTake(Node &node, mlir::Value data,
                       llvm::ArrayRef<int64_t> indices, int64_t axis);

/// Pads `data` with a constant.
mlir::Value createConstantPad(Node &node, mlir::Value data,
                              llvm::ArrayRef<int64_t> before,
                              llvm::ArrayRef<int64_t> after, double value);

/// Returns the normalised axes of a node, or all axes if `written` is empty.
/// Returns std::nullopt after an error.
std::optional<llvm::SmallVector<int64_t>>
readAxes(Node &node, std::optional<llvm::SmallVector<int64_t>> written,
         int64_t rank);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_MOVEMENTRULES_H
