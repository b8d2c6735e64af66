//===- Schema.h - The classes generated from tflite.fbs -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_SCHEMA_H
#define UMA_LIB_IMPORT_TFLITE_SCHEMA_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

#include <tflite_generated.h>

namespace uma::tflite {

/// Returns the name of an operator, or its number if it is newer than the
/// schema.
std::string getOperatorName(schema::BuiltinOperator code);

/// Returns TensorFlow Lite's name of an element type, or its number.
std::string getTypeName(schema::TensorType type);

/// Formats a number for messages, with few digits.
std::string formatNumber(double value);

/// Returns the bytes of a string in the file; empty if there is none.
inline llvm::StringRef getString(const flatbuffers::String *text) {
  return text ? llvm::StringRef(text->c_str(), text->size())
              : llvm::StringRef();
}

/// Returns the elements of a vector in the file; empty if there is none.
template <typename T>
llvm::ArrayRef<T> getArray(const flatbuffers::Vector<T> *vector) {
  return vector ? llvm::ArrayRef<T>(vector->data(), vector->size())
                : llvm::ArrayRef<T>();
}

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_SCHEMA_H
