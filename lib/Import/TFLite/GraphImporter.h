//===- GraphImporter.h - Imports a model into a module -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_GRAPHIMPORTER_H
#define UMA_LIB_IMPORT_TFLITE_GRAPHIMPORTER_H

#include "Rules.h"
#include "VariableTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace uma::tflite {

/// Imports the first subgraph of one model, which is its network. Others are
/// the bodies of control flow and are imported in place.
class GraphImporter {
public:
  /// `model` has passed the verifier. `path` is only used for its name.
  GraphImporter(mlir::MLIRContext *context, ImportErrors &errors,
                const schema::Model &model, llvm::StringRef path,
                const TFLiteImportOptions &options);

  /// Returns the module, or null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run();

  /// Imports another subgraph in place. `inputs` and the result are as stored.
  /// `title` names the operator.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBody(int64_t subgraph, llvm::ArrayRef<mlir::Value> inputs,
             llvm::StringRef title);

  /// Returns the resource variables of the model.
  VariableTable &getVariables() { return variables; }
  mlir::Value readVariable(int64_t number, mlir::RankedTensorType type,
                           int64_t zero) {
    return variables.read(function, number, type, zero);
  }
  /// Imports a subgraph that assigns variables before the first run.
  mlir::LogicalResult importStart(int64_t subgraph, llvm::StringRef title);
  bool isStarting() const { return starting; }

private:
  /// Reports all operators without a rule in one error.
  mlir::LogicalResult checkOperators();
  /// Returns the first subgraph and all that are reached from it.
  llvm::SmallVector<const schema::SubGraph *> findReachedGraphs() const;
  /// Reports constants for other names than those of inputs.
  mlir::LogicalResult checkConstantInputs(const schema::SubGraph &graph,
                                          const TensorTable &tensors);
  mlir::LogicalResult importGraph(const schema::SubGraph &graph,
                                  TensorTable &tensors);
  mlir::LogicalResult importOperators(const schema::SubGraph &graph,
                                      TensorTable &tensors);
  mlir::LogicalResult importInput(TensorTable &tensors, int32_t tensor);
  mlir::LogicalResult importOperator(TensorTable &tensors,
                                     const schema::Operator &proto,
                                     unsigned index);
  mlir::LogicalResult importOutputs(TensorTable &tensors,
                                    llvm::ArrayRef<int32_t> outputs,
                                    llvm::ArrayRef<int32_t> stateTensors);

  ImportErrors &errors;
  const schema::Model &model;
  std::string path;
  const TFLiteImportOptions &options;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  importer::ConstantEvaluator evaluator;
  std::map<const schema::SubGraph *, TensorTable::Constants> constants;
  VariableTable variables;
  /// Whether the body that is imported runs before the first run.
  bool starting = false;
  /// Number of operators imported from bodies, and of bodies around the one
  /// that is imported.
  int64_t numBodyOperators = 0, depth = 0;
};

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_GRAPHIMPORTER_H
