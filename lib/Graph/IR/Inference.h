//===- Inference.h - Checks shared by shape inference -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Graph/IR: checks shared by `inferType` functions. Each
// function that takes `emitError` emits the error itself and returns failure.
// Messages follow the operation's name, so they start with the name of the
// operand or attribute.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_IR_INFERENCE_H
#define UMA_LIB_GRAPH_IR_INFERENCE_H

#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/Twine.h"

namespace uma::graph::detail {

/// Formats `shape` as in a tensor type: `1x8x4x4`, or `scalar` for rank 0.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Formats `value` in short form: `0.5`, `1e-05`, `inf`.
std::string formatNumber(double value);

/// Returns the product of `sizes`, or std::nullopt if it does not fit into an
/// int64_t or a size is negative.
std::optional<int64_t> checkedProduct(llvm::ArrayRef<int64_t> sizes);

/// Elements that an operator accepts.
enum class Elements {
  Plain,         ///< integers and floats of at least 16 bits
  WithFloat8,    ///< also floats of 8 bits
  WithOneScale,  ///< also quantized ones, with one scale for the tensor
  WithQuantized, ///< also quantized ones, with a scale for each index, too
  Moved,         ///< those WithOneScale and floats of 8 bits
};

/// Returns the type of the operand called `name`, which must be a tensor of
/// static shape whose size in bytes fits into an int64_t.
mlir::FailureOr<mlir::RankedTensorType>
getTensor(EmitErrorFn emitError, mlir::Value operand, const llvm::Twine &name,
          Elements elements = Elements::Plain);

/// Like getTensor, and checks the rank; `what` describes the dimensions.
mlir::FailureOr<mlir::RankedTensorType>
getTensorOfRank(EmitErrorFn emitError, mlir::Value operand,
                const llvm::Twine &name, int64_t rank, llvm::StringRef what,
                Elements elements = Elements::Plain);

/// Returns the type of a result. Fails if its size in bytes does not fit into
/// an int64_t.
mlir::FailureOr<mlir::RankedTensorType>
makeResult(EmitErrorFn emitError, llvm::ArrayRef<int64_t> shape,
           mlir::Type elementType);

/// Checks that operand `name` has the element type `expected`, the element type
/// of operand `reference`.
mlir::LogicalResult checkElementType(EmitErrorFn emitError,
                                     const llvm::Twine &name,
                                     mlir::RankedTensorType type,
                                     const llvm::Twine &reference,
                                     mlir::Type expected);

/// Checks that the elements of operand `name` are valid indices: signed
/// integers.
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
/// `minimum`. `what` describes them in errors.
mlir::LogicalResult checkSizes(EmitErrorFn emitError, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> sizes, size_t count,
                               int64_t minimum, llvm::StringRef what);

/// Checks that `value`, the value of attribute `name`, can be an element of
/// type `elementType`. Float types accept every number.
mlir::LogicalResult checkElementValue(EmitErrorFn emitError,
                                      llvm::StringRef name, double value,
                                      mlir::Type elementType);

/// Parses the layout `name` for `rank` spatial dimensions, 2 or 3.
mlir::FailureOr<WindowLayout>
checkDataLayout(EmitErrorFn emitError, llvm::StringRef name, int64_t rank);
mlir::FailureOr<KernelLayout>
checkKernelLayout(EmitErrorFn emitError, llvm::StringRef name, int64_t rank);

/// Checks that `groups` divides the `inChannels` channels of the data.
mlir::LogicalResult checkGroups(EmitErrorFn emitError, int64_t groups,
                                int64_t inChannels);

/// Returns the element type of the result of a contraction (conv2d, dense):
/// `outType`, or the type of the data. Checks that it can hold the products.
/// Sums of quantized products are `!quant.uniform<i32>` with the product of the
/// scales. `weightAxis` and `resultAxis` are the dimensions of the output
/// channels, for weights with a scale for each.
mlir::FailureOr<mlir::Type>
inferContractionType(EmitErrorFn emitError, mlir::RankedTensorType data,
                     mlir::RankedTensorType weight,
                     std::optional<mlir::Type> outType, int64_t weightAxis = 0,
                     int64_t resultAxis = 0);

/// Fills `window` from the attributes of a convolution or pool and checks it.
/// The caller sets `window.kernel`, `window.input` and `window.ceilMode`. With
/// `needsData`, every window must contain at least one element of the data,
/// because a pool is undefined for a window with only padding.
mlir::LogicalResult inferWindow(EmitErrorFn emitError, Window &window,
                                llvm::ArrayRef<int64_t> strides,
                                llvm::ArrayRef<int64_t> padding,
                                llvm::ArrayRef<int64_t> dilations,
                                bool needsData);

/// Checks that the attributes of a window over `rank` dimensions have the right
/// number of elements and no values that are too small.
mlir::LogicalResult checkWindowSizes(EmitErrorFn emitError, int64_t rank,
                                     llvm::ArrayRef<int64_t> strides,
                                     llvm::ArrayRef<int64_t> padding,
                                     llvm::ArrayRef<int64_t> dilations);

/// Returns the window of a verified operation. `padding` holds all begins, then
/// all ends.
Window makeWindow(llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> kernel,
                  llvm::ArrayRef<int64_t> strides,
                  llvm::ArrayRef<int64_t> padding,
                  llvm::ArrayRef<int64_t> dilations, bool ceilMode = false);

} // namespace uma::graph::detail

#endif // UMA_LIB_GRAPH_IR_INFERENCE_H
