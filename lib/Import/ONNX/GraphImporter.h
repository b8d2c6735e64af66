//===- GraphImporter.h - From a model to a module -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define UMA_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "Rules.h"
#include "Tensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace uma::importer {

/// Returns the nodes of a graph in an order in which every value is made before
/// it is used; among those the order of the file. Reports operators without a
/// rule, names that are given twice or not at all, and cycles.
///
/// Node names: `nodeNames[i]` is that of node i, made up if it has none.
/// `isOuter` tells the names of the graphs around one that an attribute holds.
mlir::FailureOr<std::vector<unsigned>>
orderNodes(ImportErrors &errors, const onnx::GraphProto &graph,
           llvm::ArrayRef<std::string> nodeNames,
           llvm::function_ref<bool(llvm::StringRef)> isOuter);

/// Returns the version of the default operator set that the model uses.
mlir::FailureOr<int64_t> readOpset(ImportErrors &errors,
                                   const onnx::ModelProto &model);

/// Reports, in one error, every operator that no rule takes.
mlir::LogicalResult checkOperators(ImportErrors &errors,
                                   const onnx::GraphProto &graph, int64_t opset,
                                   llvm::ArrayRef<std::string> nodeNames);

/// Reports shapes and constants given for something that is no input of the
/// graph, or twice.
mlir::LogicalResult checkInputOptions(ImportErrors &errors,
                                      llvm::ArrayRef<llvm::StringRef> inputs,
                                      const ONNXImportOptions &options);

/// Returns the value of an input that the user made a constant, from the file
/// at `path`.
mlir::FailureOr<HostTensor> readInputConstant(mlir::MLIRContext *context,
                                              ImportErrors &errors,
                                              const onnx::ValueInfoProto &input,
                                              llvm::ArrayRef<InputShape> shapes,
                                              llvm::StringRef path);

/// Returns the type of an input, whose open dimensions `shapes` may close.
mlir::FailureOr<mlir::RankedTensorType>
getInputType(mlir::MLIRContext *context, ImportErrors &errors,
             const onnx::ValueInfoProto &input,
             llvm::ArrayRef<InputShape> shapes, bool allowEmpty = false);

/// Imports one model.
class GraphImporter {
public:
  /// `path` is the model's; files of weights are looked for beside it. The
  /// model gives its weights up one by one, so that none is in memory twice.
  GraphImporter(mlir::MLIRContext *context, ImportErrors &errors,
                onnx::ModelProto &model, llvm::StringRef path,
                const ONNXImportOptions &options);

  /// Returns the module, or null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run();

  /// Imports a graph that an attribute holds in place, see Node::importBody;
  /// `title` starts the names of its nodes. Returns its outputs.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBody(const onnx::GraphProto &body, mlir::ValueRange inputs,
             llvm::StringRef title);

  TensorReader &getTensors() { return tensors; }

private:
  mlir::LogicalResult importInputs();
  mlir::LogicalResult importInput(const onnx::ValueInfoProto &input);
  mlir::LogicalResult importNodes(const onnx::GraphProto &body,
                                  llvm::ArrayRef<std::string> names);
  mlir::LogicalResult importNode(const onnx::NodeProto &proto,
                                 llvm::StringRef name);
  mlir::LogicalResult importOutputs();

  /// Fills in a node's operands after the input names of its rule.
  mlir::LogicalResult resolveOperands(Node &node, const Rule &rule);
  mlir::LogicalResult resolveOperand(Node &node, llvm::StringRef formal,
                                     unsigned index);
  /// Returns the elements of the operand called `name` of the model, described
  /// by `what`. Reports what is no constant.
  mlir::FailureOr<HostTensor> readConstant(Node &node, llvm::StringRef what,
                                           llvm::StringRef name,
                                           const ImportedValue &entry);
  /// Returns an operand. A tensor of the file becomes a constant when it is
  /// used first.
  mlir::Value materialize(const ImportedValue &entry);
  /// Erases what nothing uses, such as operators that compute a shape which the
  /// importer has looked at.
  void eraseUnused();
  /// Reports tensors without elements, which are fine while the importer
  /// computes with them but have no array in C.
  mlir::LogicalResult checkNotEmpty();

  ImportErrors &errors;
  onnx::ModelProto &model;
  const onnx::GraphProto &graph;
  const ONNXImportOptions &options;
  std::string path;
  int64_t opset = 0;
  mlir::OpBuilder builder;
  TensorReader tensors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  /// Tensors of Constant nodes that are written as attributes. References to
  /// the elements must stay valid.
  std::deque<onnx::TensorProto> ownedTensors;
  /// Nodes imported from bodies so far, and how deep the present one is.
  int64_t numBodyNodes = 0;
  int64_t depth = 0;
  llvm::StringMap<ImportedValue> values;
  llvm::DenseMap<const onnx::TensorProto *, mlir::Value> constants;
  ConstantEvaluator evaluator;
  /// Outputs that no rule makes, e.g. a mask; for messages.
  llvm::StringMap<std::string> unsupportedOutputs;
};

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
