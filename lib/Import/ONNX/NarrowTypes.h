//===- NarrowTypes.h - Element types that are stored in bytes -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators neither compute with int4, uint4, int2, uint2, float4e2m1 and
// float8e8m0 nor have a type for them. A tensor of them has a byte for each
// element: the number itself for integers, the code for floats.
// GraphImporter::getNarrowType() tells which one a value of bytes stands for.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_NARROWTYPES_H
#define UMA_LIB_IMPORT_ONNX_NARROWTYPES_H

#include "Node.h"

namespace uma::importer {

/// How a cast converts numbers that the result does not have.
struct Rounding {
  /// Limits numbers to the finite ones of a float of 8 bits.
  bool saturates = true;
  /// Rounds to float8e8m0: "up", "down" or "nearest".
  llvm::StringRef mode = "up";
};

/// Creates the numbers that `stored` stands for: integers of 8 bits, or f32.
mlir::Value createFromNarrow(Node &node, mlir::Value stored, int32_t type);

/// Casts `data` to the narrow type `type`. Integers keep the low bits.
mlir::Value createToNarrow(Node &node, mlir::Value data, int32_t type,
                           Rounding rounding);

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_NARROWTYPES_H
