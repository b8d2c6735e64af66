//===- GraphImporter.h - Imports a model into a module -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_GRAPHIMPORTER_H
#define UMA_LIB_IMPORT_TFLITE_GRAPHIMPORTER_H

#include "Rules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace uma::tflite {

/// Imports the first subgraph of one model, which is its network. Others hold
/// the bodies of operators that are not supported.
class GraphImporter {
public:
  /// `model` has passed the verifier. `path` is only used for its name.
  GraphImporter(mlir::MLIRContext *context, ImportErrors &errors,
                const schema::Model &model, llvm::StringRef path,
                const TFLiteImportOptions &options);

  /// Returns the module, or null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  /// Reports all operators without a rule in one error.
  mlir::LogicalResult checkOperators();
  mlir::LogicalResult importGraph(const schema::SubGraph &graph,
                                  TensorTable &tensors);
  mlir::LogicalResult importInput(TensorTable &tensors, int32_t tensor);
  mlir::LogicalResult importOperator(TensorTable &tensors,
                                     const schema::Operator &proto,
                                     unsigned index);
  mlir::LogicalResult importOutputs(TensorTable &tensors,
                                    llvm::ArrayRef<int32_t> outputs,
                                    llvm::ArrayRef<int32_t> variables);

  ImportErrors &errors;
  const schema::Model &model;
  std::string path;
  const TFLiteImportOptions &options;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  importer::ConstantEvaluator evaluator;
};

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_GRAPHIMPORTER_H
