//===- TensorSize.cpp - Sizes of tensors in descriptions ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/TensorSize.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma;

/// Returns the product of a tensor's sizes and `factor`, saturated at
/// kMaxTensorSize.
static int64_t multiplySizes(ShapedType type, int64_t factor) {
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  int64_t product = factor;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(product, size, product))
      return accel::kMaxTensorSize;
  return std::min(product, accel::kMaxTensorSize);
}

int64_t accel::getNumElements(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasStaticShape() ? multiplySizes(shaped, 1) : 0;
}

int64_t accel::getNumBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return 0;
  Type element = shaped.getElementType();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    element = quantized.getStorageType();
  if (!element.isIntOrFloat())
    return 0;
  return multiplySizes(shaped,
                       llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
}
