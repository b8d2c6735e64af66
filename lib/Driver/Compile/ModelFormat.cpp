//===- ModelFormat.cpp - Formats of models ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ModelFormat.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace uma;
using llvm::StringRef;

static ModelFormat getFormatOfName(StringRef path) {
  return llvm::StringSwitch<ModelFormat>(llvm::sys::path::extension(path))
      .Cases({".mlir", ".mlirbc"}, ModelFormat::MLIR)
      .Case(".tflite", ModelFormat::TFLite)
      .Case(".onnx", ModelFormat::ONNX)
      .Default(ModelFormat::Unknown);
}

/// Checks whether a message of protobuf with the fields of onnx.ModelProto can
/// start with this byte: the number of a field, then the kind of its value.
static bool canStartModelProto(unsigned char byte) {
  constexpr unsigned kVarint = 0, kBytes = 2;
  unsigned field = byte >> 3, kind = byte & 7;
  switch (field) {
  case 1: // ir_version
  case 5: // model_version
    return kind == kVarint;
  case 2:  // producer_name
  case 3:  // producer_version
  case 4:  // domain
  case 6:  // doc_string
  case 7:  // graph
  case 8:  // opset_import
  case 14: // metadata_props
    return kind == kBytes;
  default:
    return false;
  }
}

static ModelFormat getFormatOfContents(StringRef bytes) {
  if (mlir::isBytecode(llvm::MemoryBufferRef(bytes, "")))
    return ModelFormat::MLIR;
  // The identifier follows the offset of the root table.
  if (bytes.substr(4, 4) == "TFL3")
    return ModelFormat::TFLite;
  // Lengths and numbers of fields in protobuf are control characters.
  constexpr size_t kTextBytes = 4096;
  bool isText = llvm::all_of(bytes.take_front(kTextBytes), [](char c) {
    return llvm::isSpace(c) || static_cast<unsigned char>(c) >= 0x20;
  });
  if (isText && !bytes.trim().empty())
    return ModelFormat::MLIR;
  return !bytes.empty() && canStartModelProto(bytes.front())
             ? ModelFormat::ONNX
             : ModelFormat::Unknown;
}

std::string uma::findModelFormat(const ModelOptions &options,
                                 ModelFormat &format) {
  const std::string &path = options.model;
  if (options.contents) {
    format = getFormatOfContents(*options.contents);
    if (format != ModelFormat::Unknown)
      return "";
    return path + (options.contents->empty()
                       ? ": is empty"
                       : ": unknown kind of model; expected the bytes of an "
                         "ONNX, TensorFlow Lite or MLIR file");
  }
  if (!llvm::sys::fs::exists(path))
    return path + ": no such file";
  format = getFormatOfName(path);
  if (format != ModelFormat::Unknown)
    return "";
  return path +
         ": unknown kind of model; expected a file ending in .onnx, .tflite, "
         ".mlir or .mlirbc" +
         (StringRef(path).ends_with(".tar")
              ? "; unpack a package with 'tar xf' first"
              : "");
}
