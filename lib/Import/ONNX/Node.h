//===- Node.h - One node of the model, as an import rule sees it ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_NODE_H
#define UMA_LIB_IMPORT_ONNX_NODE_H

#include "Support.h"

#include "ConstantEvaluator.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <optional>

namespace uma::importer {

struct Rule;
class GraphImporter;

/// What a name of the model stands for: a value of the function or a tensor of
/// the file, which becomes a value when an operand needs one.
struct ImportedValue {
  mlir::Value value;
  const onnx::TensorProto *constant = nullptr;
  /// The name of a tensor; names that forward to it may differ.
  llvm::StringRef constantName = {};

  explicit operator bool() const { return value || constant; }
};

/// A node and the operations it becomes.
///
/// Mistakes of the model are reported once and remembered: after one,
/// attributes read as their defaults and create() returns null, so that a rule
/// reads as if nothing could go wrong. Operands are checked and resolved before
/// the rule runs, after its table entry (see Rule).
class Node {
public:
  /// `tensors` keeps the tensors that the node makes, `constants` what was
  /// computed of them.
  Node(mlir::OpBuilder &builder, ImportErrors &errors,
       std::deque<onnx::TensorProto> &tensors, ConstantEvaluator &constants,
       GraphImporter &importer, const onnx::NodeProto &proto,
       llvm::StringRef name, const Rule &rule, int64_t opset);

  mlir::MLIRContext *getContext() const { return builder.getContext(); }
  mlir::OpBuilder &getBuilder() { return builder; }
  int64_t getOpset() const { return opset; }

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  /// Returns the number of operands that are written, omitted ones included.
  unsigned getNumOperands() const { return operands.size(); }
  /// Returns an operand; null if an optional one is omitted.
  mlir::Value getOperand(unsigned index) const;
  /// Returns all operands of a node without optional ones.
  llvm::SmallVector<mlir::Value> getOperands() const;
  /// Returns an operand without asking whether it is a value or a constant.
  ImportedValue forward(unsigned index) const;
  /// Returns the elements of an operand marked `=` in the table; null if
  /// omitted.
  const HostTensor *getConstant(unsigned index) const;
  /// Returns the elements of any operand that is a constant or computed from
  /// constants; std::nullopt for others. For rules that have a better or a
  /// checked form then.
  std::optional<HostTensor> findConstant(unsigned index) const;
  /// Returns the same of a value that the rule has made.
  std::optional<HostTensor> findConstant(mlir::Value value) const {
    return constants.evaluate(value).elements;
  }
  /// Returns the only element of an operand marked `=`, reported when there are
  /// several.
  std::optional<double> getScalar(unsigned index);
  /// Returns the elements of such an operand as sizes or axes; std::nullopt if
  /// omitted. Numbers beyond 32 bits are reported or, where `saturates`,
  /// replaced by the nearest one within.
  std::optional<llvm::SmallVector<int64_t>> getInts(unsigned index,
                                                    bool saturates = false);

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  int64_t getIntAttr(llvm::StringRef name, int64_t defaultValue);
  int64_t getRequiredIntAttr(llvm::StringRef name);
  /// An integer that is 0 or 1.
  bool getFlagAttr(llvm::StringRef name);
  double getFloatAttr(llvm::StringRef name, double defaultValue);
  llvm::StringRef getStringAttr(llvm::StringRef name,
                                llvm::StringRef defaultValue);
  /// Returns a list of sizes, paddings or axes; std::nullopt if it is missing.
  /// Numbers beyond 32 bits are reported, so that sums and products cannot
  /// overflow, or, where `saturates`, replaced by the nearest one within.
  std::optional<llvm::SmallVector<int64_t>> getIntsAttr(llvm::StringRef name,
                                                        bool saturates = false);
  /// Returns the elements of a tensor; std::nullopt if it is missing or cannot
  /// be read.
  std::optional<HostTensor> getTensorAttr(llvm::StringRef name);
  /// Returns an attribute that holds a graph; null, with a report, where it is
  /// missing.
  const onnx::GraphProto *getGraphAttr(llvm::StringRef name);
  /// Returns an attribute of the given type; null if it is missing.
  const onnx::AttributeProto *getAttr(llvm::StringRef name,
                                      onnx::AttributeProto::AttributeType type);
  const google::protobuf::RepeatedPtrField<onnx::AttributeProto> &
  getAttrs() const {
    return proto.attribute();
  }
  /// Accepts attributes that do not matter to inference.
  void ignoreAttrs(llvm::ArrayRef<llvm::StringRef> names);
  /// Reports attributes that the rule did not ask for: what is ignored in
  /// silence computes something else in silence.
  mlir::LogicalResult checkAllAttrsRead();

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Creates an operation at the node's location and returns its result, whose
  /// type is inferred. Null after an error in that, and for a null operand.
  template <typename OpT>
  mlir::Value create(mlir::ValueRange operands,
                     typename OpT::Properties properties = {}) {
    mlir::OperationState state(location, OpT::getOperationName());
    state.addOperands(operands);
    // Inference reads attributes that are left at their default, too.
    state.name.populateDefaultProperties(mlir::OpaqueProperties(&properties));
    state.getOrAddProperties<typename OpT::Properties>() = properties;
    return finish(state, [&] {
      return OpT::inferReturnTypes(
          getContext(), location, operands, builder.getDictionaryAttr({}),
          mlir::OpaqueProperties(&properties), {}, state.types);
    });
  }
  /// `data` with another shape of as many elements; `data` itself when it has
  /// that shape already.
  mlir::Value createReshape(mlir::Value data, llvm::ArrayRef<int64_t> shape);
  mlir::Value createTranspose(mlir::Value data, llvm::ArrayRef<int64_t> axes);
  /// `data` with elements of another type; `data` itself when it has that type.
  mlir::Value createCast(mlir::Value data, mlir::Type elementType);
  /// Returns the MLIR type of an onnx::TensorProto::DataType.
  mlir::FailureOr<mlir::Type> getElementType(int32_t onnxType);
  /// Returns a constant of rank 0.
  mlir::Value createScalar(mlir::Type elementType, double value);
  /// Returns a constant with these elements, named after the node.
  mlir::Value createConstant(const HostTensor &tensor);

  /// Reports a tensor that would be too large; for constants, before their
  /// elements are computed.
  mlir::LogicalResult checkResultSize(mlir::RankedTensorType type);

  /// The same for constants that the rule computes: they have a limit together
  /// (see ConstantEvaluator).
  mlir::LogicalResult checkComputedSize(mlir::RankedTensorType type);

  /// Returns a scalar tensor without elements yet, which lives as long as the
  /// import.
  onnx::TensorProto &makeTensor(onnx::TensorProto::DataType type);

  /// Makes `value` an output of the node, the first one by default. Outputs
  /// that no rule makes are errors where something uses them.
  mlir::LogicalResult yield(mlir::Value value, unsigned output = 0) {
    return yield(ImportedValue{value}, output);
  }
  mlir::LogicalResult yield(ImportedValue value, unsigned output = 0);
  /// Returns the name of an output; empty if it is omitted.
  llvm::StringRef getOutputName(unsigned output = 0) const;
  bool hasOutput(unsigned output) const {
    return !getOutputName(output).empty();
  }
  /// Returns the number of outputs that are written, omitted ones included.
  unsigned getNumWrittenOutputs() const { return proto.output_size(); }
  /// Returns the number of outputs that have a name.
  unsigned getNumOutputs() const;

  /// Imports the nodes of `body`, a graph that an attribute of the node holds,
  /// in place: its inputs are `inputs`, and it sees the names of the graphs
  /// around it. `suffix` tells its node names from those of other copies.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBody(const onnx::GraphProto &body, mlir::ValueRange inputs,
             const llvm::Twine &suffix);

  //===--------------------------------------------------------------------===//
  // Errors
  //===--------------------------------------------------------------------===//

  /// Report an error that starts with the node's name and operator.
  mlir::LogicalResult badInput(const llvm::Twine &message);
  mlir::LogicalResult notSupported(const llvm::Twine &message);
  /// Reports a rank other than `rank`. `what` names the tensor.
  mlir::LogicalResult checkRank(mlir::Value value, int64_t rank,
                                llvm::StringRef what);

private:
  friend class GraphImporter;
  mlir::Value finish(mlir::OperationState &state,
                     llvm::function_ref<mlir::LogicalResult()> inferTypes);

  struct Operand {
    ImportedValue source;
    std::optional<HostTensor> elements;
    std::string name; ///< the formal name, for messages
  };

  mlir::OpBuilder &builder;
  ImportErrors &errors;
  std::deque<onnx::TensorProto> &tensors;
  ConstantEvaluator &constants;
  GraphImporter &importer;
  const onnx::NodeProto &proto;
  std::string title; ///< "node 'conv1' (Conv)"
  int64_t opset;
  mlir::Location location;
  llvm::SmallVector<Operand, 4> operands;
  llvm::StringSet<> readAttrs;
  /// By position; empty ones were not made.
  llvm::SmallVector<ImportedValue, 1> outputs;
};

/// Returns the sizes of a tensor of the graph family.
inline llvm::ArrayRef<int64_t> getShape(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}
inline mlir::Type getElementType(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_NODE_H
