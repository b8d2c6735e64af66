//===- GraphImporter.h - Imports a model into a module -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define UMA_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "Functions.h"
#include "Rules.h"
#include "Tensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/ADT/StringMap.h"

namespace uma::importer {

/// Returns the names of the nodes of a graph, generated if they have none. All
/// start with `prefix`.
std::vector<std::string> getNodeNames(const onnx::GraphProto &graph,
                                      const llvm::Twine &prefix);

/// Returns the nodes of a graph in topological order; independent nodes keep
/// the order of the file. Reports operators without a rule, duplicate and
/// undefined names, and cycles.
///
/// `nodeNames[i]` is the name of node i, or a generated one. `isOuter` returns
/// whether a name belongs to an enclosing graph.
mlir::FailureOr<std::vector<unsigned>>
orderNodes(ImportErrors &errors, const onnx::GraphProto &graph,
           llvm::ArrayRef<std::string> nodeNames,
           llvm::function_ref<bool(llvm::StringRef)> isOuter);

/// Returns the version of the default operator set that the model uses, or
/// reports an error.
mlir::FailureOr<int64_t> readOpset(ImportErrors &errors,
                                   const onnx::ModelProto &model);

/// Reports all operators in one error that neither have a rule nor are a
/// function.
mlir::LogicalResult checkOperators(ImportErrors &errors,
                                   const onnx::GraphProto &graph, int64_t opset,
                                   const FunctionTable &functions,
                                   llvm::ArrayRef<std::string> nodeNames);

/// Reports shape and constant options that name no input of the graph, or one
/// that is named twice.
mlir::LogicalResult checkInputOptions(ImportErrors &errors,
                                      llvm::ArrayRef<llvm::StringRef> inputs,
                                      const ONNXImportOptions &options);

/// Returns the shapes of inputs that the user gives, and those of inputs whose
/// open dimensions share the names of these.
std::vector<InputShape>
completeShapes(mlir::MLIRContext *context,
               llvm::ArrayRef<const onnx::ValueInfoProto *> inputs,
               const ONNXImportOptions &options);

/// Reads the value of an input that the user made a constant from the file at
/// `path`.
mlir::FailureOr<HostTensor> readInputConstant(mlir::MLIRContext *context,
                                              ImportErrors &errors,
                                              const onnx::ValueInfoProto &input,
                                              llvm::ArrayRef<InputShape> shapes,
                                              llvm::StringRef path);

/// Returns the type of an input. `shapes` may give the sizes of its open
/// dimensions.
mlir::FailureOr<mlir::RankedTensorType>
getInputType(mlir::MLIRContext *context, ImportErrors &errors,
             const onnx::ValueInfoProto &input,
             llvm::ArrayRef<InputShape> shapes, bool allowEmpty = false);

/// Meaning of the name of a tensor. Neither a value nor `missing` is set
/// for an omitted input of a function.
struct NamedValue {
  ImportedValue value;
  /// Description of an output that no rule yields, e.g. a mask; for messages.
  mlir::StringAttr missing;

  /// Returns what the name is if it has no value.
  llvm::StringRef describe() const {
    return missing ? missing.getValue() : "an omitted input of a function";
  }
};

/// Names and attributes that the nodes of the model or of one call of a
/// function see.
struct Scope {
  using Names = llvm::ScopedHashTable<llvm::StringRef, NamedValue>;

  /// Graphs in attributes open a scope of their own in this table.
  Names names;
  Names::ScopeTy outermost{names};
  int64_t opset = 0;
  /// The called function, and the scope that calls it; null for the model.
  const ModelFunction *function = nullptr;
  const Scope *caller = nullptr;
  /// A value of an attribute of the function, and the scope of its graph, if it
  /// is one.
  struct Attribute {
    const onnx::AttributeProto *value = nullptr;
    Scope *scope = nullptr;
  };
  llvm::StringMap<Attribute> attributes;
};

/// Imports one model.
class GraphImporter {
public:
  /// `path` is the path of the model; weight files are searched for beside it.
  /// Releases the weights in `model` one by one, so that none is in memory
  /// twice.
  GraphImporter(mlir::MLIRContext *context, ImportErrors &errors,
                onnx::ModelProto &model, llvm::StringRef path,
                const ONNXImportOptions &options);

  /// Returns the module, or null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> run();

  /// Imports a graph held by an attribute in place; see Node::importBody. The
  /// names of its nodes start with `title`. Returns its outputs.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBody(const onnx::GraphProto &body, mlir::ValueRange inputs,
             llvm::StringRef title);

  TensorReader &getTensors() { return tensors; }

  /// Returns the ONNX type of a value of bytes that stands for a narrow type,
  /// otherwise UNDEFINED.
  int32_t getNarrowType(mlir::Value value) const {
    return narrow.lookup(value);
  }
  /// Marks a value of bytes if `onnxType` is narrow.
  void markNarrow(mlir::Value value, int32_t onnxType) {
    if (value && isNarrow(onnxType))
      narrow[value] = onnxType;
  }

  /// Returns the elements of the operand named `name` in the model. Reports an
  /// operand that is not constant; the message starts with `what` and gives the
  /// `reason` why only constants are supported.
  mlir::FailureOr<HostTensor> readConstant(Node &node, llvm::StringRef what,
                                           llvm::StringRef name,
                                           const ImportedValue &entry,
                                           llvm::StringRef reason = "");

private:
  mlir::LogicalResult importInputs();
  /// Defines the names of the initializers of a graph in the current scope.
  mlir::LogicalResult importInitializers(const onnx::GraphProto &body);
  /// Imports an input. `shapes` may give the sizes of its open dimensions.
  mlir::LogicalResult importInput(const onnx::ValueInfoProto &input,
                                  llvm::ArrayRef<InputShape> shapes);
  /// Imports the nodes of a graph into the current scope.
  mlir::LogicalResult importNodes(const onnx::GraphProto &body,
                                  llvm::ArrayRef<std::string> names);
  /// Does the same for a graph that is not the model's. The names of its nodes
  /// start with `title`.
  mlir::LogicalResult importNested(const onnx::GraphProto &body,
                                   llvm::StringRef title);
  mlir::LogicalResult importNode(const onnx::NodeProto &written,
                                 llvm::StringRef name);
  mlir::LogicalResult importOutputs();

  /// Imports a call of a function in place.
  mlir::LogicalResult importCall(const onnx::NodeProto &proto,
                                 llvm::StringRef name,
                                 const ModelFunction &callee);
  /// Defines the function's attributes and inputs in the scope of a call. The
  /// messages of errors start with `what`.
  mlir::LogicalResult bindAttributes(const onnx::NodeProto &proto,
                                     const llvm::Twine &what, Scope &inner);
  mlir::LogicalResult bindInputs(const onnx::NodeProto &proto,
                                 const llvm::Twine &what, Scope &inner);
  /// Returns the node with the values of attributes that refer to ones of the
  /// function.
  const onnx::NodeProto &resolveAttributes(const onnx::NodeProto &proto);
  /// Returns the scope of the names that a graph in an attribute uses.
  Scope *findScope(const onnx::GraphProto &body) const {
    Scope *given = graphScopes.lookup(&body);
    return given ? given : scope;
  }
  /// Returns what a name stands for. orderNodes has found all names.
  NamedValue lookup(llvm::StringRef name) const {
    return scope->names.lookup(name);
  }
  /// Returns whether a name stands for an omitted input of a function.
  bool isOmitted(llvm::StringRef name) const {
    NamedValue entry = lookup(name);
    return !entry.value && !entry.missing;
  }

  /// Marks the outputs of an operator that moves elements of a narrow type.
  void markMoved(Node &node, const Rule &rule);

  /// Resolves the operands of a node according to the inputs of its rule.
  mlir::LogicalResult resolveOperands(Node &node, const Rule &rule);
  mlir::LogicalResult resolveOperand(Node &node, llvm::StringRef formal,
                                     unsigned index);
  /// Returns an operand as a value. Creates the constant for a tensor of the
  /// file at its first use.
  mlir::Value materialize(const ImportedValue &entry);

  ImportErrors &errors;
  onnx::ModelProto &model;
  const onnx::GraphProto &graph;
  const ONNXImportOptions &options;
  std::string path;
  FunctionTable functions;
  mlir::OpBuilder builder;
  TensorReader tensors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  /// Attributes of the function's arguments.
  llvm::SmallVector<mlir::DictionaryAttr> inputAttributes;
  /// Tensors of Constant nodes that are written as attributes. A deque, since
  /// references to the elements must stay valid.
  std::deque<onnx::TensorProto> ownedTensors;
  /// Nodes of functions with resolved attributes.
  std::deque<onnx::NodeProto> ownedNodes;
  /// Scopes of the callers that give graphs as attributes of functions, by the
  /// copies of the graphs in `ownedNodes`.
  llvm::DenseMap<const onnx::GraphProto *, Scope *> graphScopes;
  /// Number of nodes imported from bodies so far, and current nesting depth.
  int64_t numBodyNodes = 0;
  int64_t depth = 0;
  Scope *scope = nullptr;
  llvm::DenseMap<const onnx::TensorProto *, mlir::Value> constants;
  /// See getNarrowType().
  llvm::DenseMap<mlir::Value, int32_t> narrow;
  ConstantEvaluator evaluator;
};

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
