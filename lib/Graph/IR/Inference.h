//===- Inference.h - Checks shared by shape inference -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Graph/IR: what several `inferType` functions check. Each
// function emits the error itself and then returns failure. Messages follow the
// operation's name, so they start with the operand or attribute they are about.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_IR_INFERENCE_H
#define UMA_LIB_GRAPH_IR_INFERENCE_H

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/Twine.h"

namespace uma::graph::detail {

/// `shape` as in a tensor's type: `1x8x4x4`, or `scalar` for rank 0.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// `value` as people write it: `0.5`, `1e-05`, `inf`.
std::string formatNumber(double value);

/// Returns the product of `sizes`, or nothing when it does not fit into an
/// int64_t or a size is negative.
std::optional<int64_t> checkedProduct(llvm::ArrayRef<int64_t> sizes);

/// Returns the type of the operand called `name`, which must be a tensor of
/// static shape whose size in bytes fits into an int64_t.
mlir::FailureOr<mlir::RankedTensorType>
getTensor(EmitErrorFn emitError, mlir::Value operand, const llvm::Twine &name);

/// As getTensor, of rank `rank`; `what` says what the dimensions are.
mlir::FailureOr<mlir::RankedTensorType>
getTensorOfRank(EmitErrorFn emitError, mlir::Value operand,
                const llvm::Twine &name, int64_t rank, llvm::StringRef what);

/// Returns the type of a result; fails when its size in bytes does not fit an
/// int64_t.
mlir::FailureOr<mlir::RankedTensorType>
makeResult(EmitErrorFn emitError, llvm::ArrayRef<int64_t> shape,
           mlir::Type elementType);

/// Checks that operand `name` has the element type of operand `reference`.
mlir::LogicalResult checkElementType(EmitErrorFn emitError,
                                     const llvm::Twine &name,
                                     mlir::RankedTensorType type,
                                     const llvm::Twine &reference,
                                     mlir::Type expected);

/// Checks that the elements of operand `name` can be indices: signed integers.
mlir::LogicalResult checkIndices(EmitErrorFn emitError, llvm::StringRef name,
                                 mlir::RankedTensorType type);

/// Checks that the operand `name` has a float element type.
mlir::LogicalResult checkFloat(EmitErrorFn emitError, llvm::StringRef name,
                               mlir::RankedTensorType type);

/// Checks that operand `name` is a vector as long as dimension `axis` of `data`
/// and has the element type of `data`.
mlir::LogicalResult checkVectorAlongAxis(EmitErrorFn emitError,
                                         mlir::Value operand,
                                         llvm::StringRef name,
                                         mlir::RankedTensorType data,
                                         int64_t axis);

/// Checks that the attribute `name` has `count` elements, each at least
/// `minimum`; `what` says what they are.
mlir::LogicalResult checkSizes(EmitErrorFn emitError, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> sizes, size_t count,
                               int64_t minimum, llvm::StringRef what);

/// Checks that the number in attribute `name` can be an element of type
/// `elementType`; every number can be one of a float type.
mlir::LogicalResult checkElementValue(EmitErrorFn emitError,
                                      llvm::StringRef name, double value,
                                      mlir::Type elementType);

/// Returns the layout called `name` over `rank` spatial dimensions, 2 or 3.
mlir::FailureOr<WindowLayout>
checkDataLayout(EmitErrorFn emitError, llvm::StringRef name, int64_t rank);
mlir::FailureOr<KernelLayout>
checkKernelLayout(EmitErrorFn emitError, llvm::StringRef name, int64_t rank);

/// Checks that `groups` splits the `inChannels` channels of data.
mlir::LogicalResult checkGroups(EmitErrorFn emitError, int64_t groups,
                                int64_t inChannels);

/// Returns the element type of a contraction (conv2d, dense): `outType`, or
/// that of the data. Checks that it can hold the products.
mlir::FailureOr<mlir::Type>
inferContractionType(EmitErrorFn emitError, mlir::RankedTensorType data,
                     mlir::RankedTensorType weight,
                     std::optional<mlir::Type> outType);

/// Fills `window` from the attributes of a convolution or pool and checks it.
/// `window.kernel`, `window.input` and `window.ceilMode` are set by the caller.
/// With `needsData`, every window must see at least one element of the data, as
/// a pool has no value for a window of nothing but padding.
mlir::LogicalResult inferWindow(EmitErrorFn emitError, Window &window,
                                llvm::ArrayRef<int64_t> strides,
                                llvm::ArrayRef<int64_t> padding,
                                llvm::ArrayRef<int64_t> dilations,
                                bool needsData);

/// Checks the number and the smallest value of the attributes of a window over
/// `rank` dimensions.
mlir::LogicalResult checkWindowSizes(EmitErrorFn emitError, int64_t rank,
                                     llvm::ArrayRef<int64_t> strides,
                                     llvm::ArrayRef<int64_t> padding,
                                     llvm::ArrayRef<int64_t> dilations);

/// Returns the window of a verified operation; `padding` is all begins, then
/// all ends.
Window makeWindow(llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> kernel,
                  llvm::ArrayRef<int64_t> strides,
                  llvm::ArrayRef<int64_t> padding,
                  llvm::ArrayRef<int64_t> dilations, bool ceilMode = false);

} // namespace uma::graph::detail

#endif // UMA_LIB_GRAPH_IR_INFERENCE_H
