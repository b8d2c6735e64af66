//===- TensorTypeOpInterface.h - What a pattern says of a tensor ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layouts are affine maps from the dimensions of the tensor in the graph to
// those on the device, after MLIR's packing: `(n, k) -> (k, n)`,
// `(o, i) -> (o floordiv 16, i, o mod 16)`. See isLayout.
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

/// A size in a shape of a pattern.
struct WrittenSize {
  /// Size in the tensor, or 0 if it is named or may be any.
  int64_t size = 0;
  /// `uma.accel.dim` that names the size; null if there is none.
  mlir::Value dim;
  /// Whether `dim` names all leading sizes that the shape does not write.
  bool isPack = false;
};

/// Entries of `static_dims` that are not sizes: a size that the pattern does
/// not constrain, and the leading sizes that the next dim names.
inline constexpr int64_t kAnySize = mlir::ShapedType::kDynamic + 1;
inline constexpr int64_t kPackedSizes = mlir::ShapedType::kDynamic + 2;

/// Returns the sizes of a shape.
llvm::SmallVector<WrittenSize>
getWrittenSizes(llvm::ArrayRef<int64_t> staticDims, mlir::ValueRange dims);

/// Returns whether `map` is a layout of a tensor with these written sizes. Each
/// result is a dimension, `d floordiv c`, `d mod c` or 0, which is a size of 1.
/// Each dimension is one result, or two with one `c`; a written 1 may be left
/// out.
bool isLayout(mlir::AffineMap map, llvm::ArrayRef<int64_t> staticDims);

/// Returns the type on the device of a tensor that has `type` in the graph. A
/// size that `floordiv` does not divide is rounded up.
mlir::RankedTensorType getDeviceType(mlir::RankedTensorType type,
                                     std::optional<mlir::AffineMap> layout);

} // namespace uma::accel

// IWYU pragma: begin_exports
#include "uma/Accel/IR/TensorTypeOpInterface.h.inc"
// IWYU pragma: end_exports

#endif // UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_H
