//===- TensorTypeOpInterface.h - Types of a pattern's tensors -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layouts are affine maps from the dimensions of the tensor in the graph to its
// dimensions on the device, modelled on `linalg.pack`: `(n, k) -> (k, n)`, `(o,
// i) -> (o floordiv 16, i, o mod 16)`. See isLayout.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_H
#define UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace uma::accel {

/// A size in the shape of a pattern's tensor.
struct WrittenSize {
  /// Static size, or 0 if the size is named or unconstrained.
  int64_t size = 0;
  /// `uma.accel.dim` that names the size, or null.
  mlir::Value dim;
  /// Whether `dim` stands for all leading sizes (`...`).
  bool isPack = false;
};

/// Entries of `static_dims` that are not sizes: an unconstrained size (`?`),
/// and the leading sizes that the next dim stands for (`...`).
inline constexpr int64_t kAnySize = mlir::ShapedType::kDynamic + 1;
inline constexpr int64_t kPackedSizes = mlir::ShapedType::kDynamic + 2;

/// Returns the sizes of a shape.
llvm::SmallVector<WrittenSize>
getWrittenSizes(llvm::ArrayRef<int64_t> staticDims, mlir::ValueRange dims);

/// Returns whether `map` is a valid layout of a tensor with these sizes. Each
/// result must be a dimension, `d floordiv c`, `d mod c` or 0 (a dimension of
/// size 1). Each dimension must appear as one result, or as a `floordiv` and a
/// `mod` by the same `c`; dimensions of static size 1 may be omitted.
bool isLayout(mlir::AffineMap map, llvm::ArrayRef<int64_t> staticDims);

/// Returns the device's type of a tensor that has `type` in the graph. Rounds
/// up sizes that `floordiv` does not divide evenly.
mlir::RankedTensorType getDeviceType(mlir::RankedTensorType type,
                                     std::optional<mlir::AffineMap> layout);

} // namespace uma::accel

// IWYU pragma: begin_exports
#include "uma/Accel/IR/TensorTypeOpInterface.h.inc"
// IWYU pragma: end_exports

#endif // UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_H
