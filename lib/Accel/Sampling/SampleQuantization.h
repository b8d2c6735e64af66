//===- SampleQuantization.h - Quantized tensors of layers -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_SAMPLING_SAMPLEQUANTIZATION_H
#define UMA_LIB_ACCEL_SAMPLING_SAMPLEQUANTIZATION_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Returns whether the pattern matches quantized tensors: it has an operator on
/// quantized tensors only, or reads a scale or zero point.
bool usesQuantization(PatternOp pattern);

/// Returns whether the operands of an operator leave the quantization of its
/// result open.
bool hasChosenQuantization(OperatorOp op);

/// Returns the candidates for the quantization of a tensor of the pattern: an
/// input or the result of such an operator. Each is a quantized type
/// with storage of 8 bits, whose numbers applyQuantization uses. A null
/// attribute is a tensor that is not quantized.
llvm::SmallVector<mlir::Attribute> getQuantizations(mlir::Operation *op);

/// Returns the quantized type of elements stored as `storage`, in a tensor of
/// `shape`, or null if the candidate has no such type. Scales for channels
/// repeat along dimension 0.
mlir::Type applyQuantization(mlir::Attribute candidate, mlir::Type storage,
                             llvm::ArrayRef<int64_t> shape);

/// Returns the candidates for a bound that the pattern binds by the attribute
/// `clamp` of a requantize, or an empty list for any other number.
llvm::ArrayRef<int64_t> getBounds(DimOp dim);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLEQUANTIZATION_H
