//===- TensorTypes.h - Syntax of tensor types -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_TENSORTYPES_H
#define UMA_LIB_ACCEL_IR_TENSORTYPES_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma::accel {

/// Parses the directive `custom<TensorPattern>`: `[types] [shape] [as map]`.
mlir::ParseResult parseTensorPattern(
    mlir::OpAsmParser &parser, mlir::ArrayAttr &elementTypes,
    mlir::UnitAttr &anyShape,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &dims,
    mlir::DenseI64ArrayAttr &staticDims, mlir::AffineMapAttr &layout);

/// Prints the directive `custom<TensorPattern>`.
void printTensorPattern(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::ArrayAttr elementTypes, mlir::UnitAttr anyShape,
                        mlir::OperandRange dims,
                        mlir::DenseI64ArrayAttr staticDims,
                        mlir::AffineMapAttr layout);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_TENSORTYPES_H
