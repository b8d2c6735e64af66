//===- ImportONNX.h - Reads ONNX models into uma.graph -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The importer translates node by node, with one rule for each operator, and
// leaves every optimisation to the passes. It produces
//
//   func.func @main(%arg0: tensor<1x3x8x8xf32> {uma.name = "x"})
//       -> (tensor<1x4xf32> {uma.name = "y"}) attributes {uma.network = "stem"}
//
// with operations of uma.graph whose locations are the nodes' names.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_ONNX_IMPORTONNX_H
#define UMA_IMPORT_ONNX_IMPORTONNX_H

#include "uma/Import/Support/ImportStatus.h"
#include "uma/Import/Support/InputConstant.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <utility>
#include <vector>

namespace uma {

/// Name of an input and the shape that the user gives it.
using InputShape = std::pair<std::string, std::vector<int64_t>>;

/// Reads `name=1x3x32x32`, the argument of the option `--shape`. The name may
/// contain `=`; every size is positive. The error is one line without a prefix.
llvm::Expected<InputShape> parseInputShape(llvm::StringRef text);

struct ONNXImportOptions {
  /// Shapes of inputs whose model leaves dimensions open.
  std::vector<InputShape> shapes;
  /// Inputs that become constants: `.npy`, ONNX `.pb` or raw little-endian
  /// files. The importer can then use their elements, e.g. as a shape.
  std::vector<InputConstant> constants;
};

/// Imports the model at `path`. Searches for weights in other files beside it.
///
/// Unless the result is Success, `module` is untouched and exactly one error of
/// one line was emitted at the location `path`:0:0 (a binary file has no lines;
/// see printFileDiagnostic). Never crashes on damaged or hostile files.
ImportStatus importONNX(llvm::StringRef path, mlir::MLIRContext *context,
                        const ONNXImportOptions &options,
                        mlir::OwningOpRef<mlir::ModuleOp> &module);

/// Imports a model in memory; the identifier of the buffer is its path.
ImportStatus importONNX(llvm::MemoryBufferRef buffer,
                        mlir::MLIRContext *context,
                        const ONNXImportOptions &options,
                        mlir::OwningOpRef<mlir::ModuleOp> &module);

/// An operator of ONNX's default domain that the importer supports.
struct SupportedOperator {
  std::string name;
  /// Opset versions at which the operator's import rule changes, ascending. The
  /// last rule holds up to getNewestOpset().
  std::vector<int64_t> since;
  /// ONNX names of the inputs that have to be constants or computed from
  /// constants in some version.
  std::vector<std::string> constants;
};

/// Returns all supported operators, sorted by name. The source of the page
/// docs/generated/supported-operators.md.
std::vector<SupportedOperator> listSupportedOperators();

/// Returns the newest supported version of the default operator set.
int64_t getNewestOpset();

} // namespace uma

#endif // UMA_IMPORT_ONNX_IMPORTONNX_H
