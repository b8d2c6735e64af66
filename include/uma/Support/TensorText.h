//===- TensorText.h - Types of tensors for people -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_TENSORTEXT_H
#define UMA_SUPPORT_TENSORTEXT_H

#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace uma {

/// Formats an element type as descriptions write it: "f32", "u8". Quantized
/// types have no scales here, which may be one for each channel:
/// "quantized i8".
inline std::string getElementText(mlir::Type element) {
  if (isQuantized(element))
    return "quantized " + getElementText(getStorageElementType(element));
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return text == "ui8" ? "u8" : text;
}

/// Formats the numbers of a quantized element type: "scale 0.5, zero point 3".
/// Several scales are a range: "scales 0.25 to 0.5".
std::string getQuantizationText(mlir::Type element);

/// Formats a type as descriptions write it: "f32[1, 8]".
inline std::string getTensorText(mlir::RankedTensorType type) {
  std::string text = getElementText(type.getElementType()) + "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(type.getShape(), os);
  os << ']';
  return text;
}

} // namespace uma

#endif // UMA_SUPPORT_TENSORTEXT_H
