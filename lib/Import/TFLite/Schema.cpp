//===- Schema.cpp - Names of the file format's numbers --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Schema.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace uma;

std::string tflite::getOperatorName(schema::BuiltinOperator code) {
  std::string name = schema::EnumNameBuiltinOperator(code);
  return name.empty() ? "number " + std::to_string(int32_t(code)) : name;
}

std::string tflite::getTypeName(schema::TensorType type) {
  std::string name = schema::EnumNameTensorType(type);
  return name.empty() ? "number " + std::to_string(int(type)) : name;
}

std::string tflite::formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}
