//===- ImportTFLite.h - Reads TensorFlow Lite models -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The importer translates operator by operator, with one rule for each builtin
// operator, and leaves every optimisation to the passes. It produces
//
//   func.func @main(%arg0: tensor<1x8x8x3xi8> {uma.name = "x"})
//       -> (tensor<1x4xi8> {uma.name = "y"}) attributes {uma.network = "stem"}
//
// with operations of uma.graph whose locations are named after the operators'
// results. Data stay in TensorFlow Lite's order, NHWC.
//
// Quantized tensors have `!quant.uniform` types. An operator on them becomes
// dequantize, the operator on f32, quantize; uma-graph-fold-quantization makes
// integer layers of these. See TFLiteRounding.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_TFLITE_IMPORTTFLITE_H
#define UMA_IMPORT_TFLITE_IMPORTTFLITE_H

#include "uma/Import/Support/ImportStatus.h"
#include "uma/Import/Support/InputConstant.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <vector>

namespace uma {

/// How quantized operators round.
enum class TFLiteRounding {
  /// In f32, as ONNX Runtime does. Fast on vectors. TensorFlow Lite's results
  /// may differ by a step of the scale in each layer.
  Float,
  /// As TensorFlow Lite's reference kernels do, in integers, for the operators
  /// that docs/supported-operators.md lists.
  /// Others are computed in f32, and halves are rounded away from zero.
  FixedPoint
};

struct TFLiteImportOptions {
  TFLiteRounding rounding = TFLiteRounding::Float;
  /// Inputs that become constants: `.npy`, ONNX `.pb` or raw little-endian
  /// files of the stored elements.
  std::vector<InputConstant> constants = {};
};

/// Imports the model at `path`.
///
/// Unless the result is Success, `module` is untouched and exactly one error of
/// one line was emitted at the location `path`:0:0 (a binary file has no lines;
/// see printFileDiagnostic). Never crashes on damaged or hostile files.
ImportStatus importTFLite(llvm::StringRef path, mlir::MLIRContext *context,
                          const TFLiteImportOptions &options,
                          mlir::OwningOpRef<mlir::ModuleOp> &module);

/// Imports a model in memory; the identifier of the buffer is its path.
ImportStatus importTFLite(llvm::MemoryBufferRef buffer,
                          mlir::MLIRContext *context,
                          const TFLiteImportOptions &options,
                          mlir::OwningOpRef<mlir::ModuleOp> &module);

/// A builtin operator of TensorFlow Lite that the importer supports.
struct SupportedTFLiteOperator {
  std::string name;
  /// Names of the inputs that have to be constants or computed from constants.
  std::vector<std::string> constants;
};

/// Returns all supported operators, sorted by name. The source of a section of
/// docs/supported-operators.md.
std::vector<SupportedTFLiteOperator> listSupportedTFLiteOperators();

} // namespace uma

#endif // UMA_IMPORT_TFLITE_IMPORTTFLITE_H
