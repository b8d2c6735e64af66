//===- Node.h - One node of the model, as an import rule sees it ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_NODE_H
#define UMA_LIB_IMPORT_ONNX_NODE_H

#include "Support.h"

#include "uma/Import/Support/ConstantEvaluator.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <optional>

namespace uma::importer {

struct Rule;
class GraphImporter;

/// Value of a name in the model: a value of the function, or a tensor of the
/// file, which becomes a constant when an operand needs it.
struct ImportedValue {
  mlir::Value value;
  const onnx::TensorProto *constant = nullptr;
  /// Name of the tensor; other names may forward to it.
  llvm::StringRef constantName = {};

  explicit operator bool() const { return value || constant; }
};

/// A node and the operations it becomes.
///
/// Only the first error is reported. After an error, attributes return their
/// defaults and create() returns null, so that rules need no error handling.
/// Operands are checked and resolved before the rule runs, according to its
/// table entry (see Rule).
class Node {
public:
  /// `tensors` owns the tensors that the node creates; `constants` holds
  /// evaluated constants.
  Node(mlir::OpBuilder &builder, ImportErrors &errors,
       std::deque<onnx::TensorProto> &tensors, ConstantEvaluator &constants,
       GraphImporter &importer, const onnx::NodeProto &proto,
       llvm::StringRef name, const Rule &rule, int64_t opset);

  mlir::MLIRContext *getContext() const { return builder.getContext(); }
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLocation() const { return location; }
  int64_t getOpset() const { return opset; }

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  /// Returns the number of written operands, including omitted ones.
  unsigned getNumOperands() const { return operands.size(); }
  /// Returns an operand; null if an optional one is omitted.
  mlir::Value getOperand(unsigned index) const;
  /// Returns all operands of a node without optional ones.
  llvm::SmallVector<mlir::Value> getOperands() const;
  /// Returns an operand unresolved: a value or a tensor of the file.
  ImportedValue forward(unsigned index) const;
  /// Returns the elements of an operand marked `=` in the table; null if
  /// omitted.
  const HostTensor *getConstant(unsigned index) const;
  /// Returns the elements of any operand that is a constant or computed from
  /// constants, otherwise std::nullopt. For rules with a better or a checked
  /// form for constants.
  std::optional<HostTensor> findConstant(unsigned index) const;
  /// Returns the elements of any operand. Reports one that is not constant, and
  /// the `reason` why only constants are supported.
  mlir::FailureOr<HostTensor> readConstant(unsigned index,
                                           llvm::StringRef reason = "");
  /// Returns the elements of a value created by the rule, if they are constant.
  std::optional<HostTensor> findConstant(mlir::Value value) const {
    return constants.evaluate(value).elements;
  }
  /// Returns an operand marked `=` of one element; null if omitted. Reports one
  /// of several elements.
  mlir::FailureOr<const HostTensor *> getElement(unsigned index);
  /// Returns the element of such an operand; std::nullopt if omitted or
  /// reported. Reports integers that no double holds, too.
  std::optional<double> getScalar(unsigned index);
  /// Returns the elements of an operand marked `=` as sizes or axes;
  /// std::nullopt if omitted. Clamps numbers beyond 32 bits if `saturates`,
  /// otherwise reports them.
  std::optional<llvm::SmallVector<int64_t>> getInts(unsigned index,
                                                    bool saturates = false);

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  int64_t getIntAttr(llvm::StringRef name, int64_t defaultValue);
  int64_t getRequiredIntAttr(llvm::StringRef name);
  /// Returns an integer attribute that must be 0 or 1.
  bool getFlagAttr(llvm::StringRef name);
  double getFloatAttr(llvm::StringRef name, double defaultValue);
  llvm::StringRef getStringAttr(llvm::StringRef name,
                                llvm::StringRef defaultValue);
  /// Returns a list of sizes, paddings or axes; std::nullopt if it is missing.
  /// Clamps numbers beyond 32 bits if `saturates`, otherwise reports them, so
  /// that sums and products cannot overflow.
  std::optional<llvm::SmallVector<int64_t>> getIntsAttr(llvm::StringRef name,
                                                        bool saturates = false);
  /// Returns the elements of a tensor; std::nullopt if it is missing or cannot
  /// be read.
  std::optional<HostTensor> getTensorAttr(llvm::StringRef name);
  /// Returns the elements of a sparse tensor, with its zeros; std::nullopt if
  /// it is missing or cannot be read.
  std::optional<HostTensor> getSparseAttr(llvm::StringRef name);
  /// Returns an attribute that holds a graph. Reports an error and returns null
  /// if it is missing.
  const onnx::GraphProto *getGraphAttr(llvm::StringRef name);
  /// Returns an attribute of the given type; null if it is missing.
  const onnx::AttributeProto *getAttr(llvm::StringRef name,
                                      onnx::AttributeProto::AttributeType type);
  const google::protobuf::RepeatedPtrField<onnx::AttributeProto> &
  getAttrs() const {
    return proto.attribute();
  }
  /// Accepts attributes that do not affect inference.
  void ignoreAttrs(llvm::ArrayRef<llvm::StringRef> names);
  /// Reports attributes that the rule did not read: ignoring one silently could
  /// change the results.
  mlir::LogicalResult checkAllAttrsRead();

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Creates an operation at the node's location and returns its result, with
  /// an inferred type. Returns null for a null operand or if the inference
  /// fails.
  template <typename OpT>
  mlir::Value create(mlir::ValueRange operands,
                     typename OpT::Properties properties = {}) {
    mlir::OperationState state(location, OpT::getOperationName());
    state.addOperands(operands);
    // The inference also reads attributes that have their default value.
    state.name.populateDefaultProperties(mlir::OpaqueProperties(&properties));
    state.getOrAddProperties<typename OpT::Properties>() = properties;
    return finish(state, [&] {
      return OpT::inferReturnTypes(
          getContext(), location, operands, builder.getDictionaryAttr({}),
          mlir::OpaqueProperties(&properties), {}, state.types);
    });
  }
  /// Reshapes `data` to a shape with the same number of elements. Returns
  /// `data` if it already has that shape.
  mlir::Value createReshape(mlir::Value data, llvm::ArrayRef<int64_t> shape);
  mlir::Value createTranspose(mlir::Value data, llvm::ArrayRef<int64_t> axes);
  /// Casts `data` to another element type. Returns `data` if it already has
  /// that type.
  mlir::Value createCast(mlir::Value data, mlir::Type elementType);
  /// Returns the MLIR type of an onnx::TensorProto::DataType. Floats of 8 bits
  /// and narrow types have one only if `allowsNarrow`.
  mlir::FailureOr<mlir::Type> getElementType(int32_t onnxType,
                                             bool allowsNarrow = false);
  /// Returns the ONNX type of an operand of a narrow type (see NarrowTypes.h),
  /// UNDEFINED for others.
  int32_t getNarrowType(unsigned index) const;
  /// Marks a result of bytes if `onnxType` is narrow.
  void markNarrow(mlir::Value value, int32_t onnxType);
  /// Creates a constant of rank 0.
  mlir::Value createScalar(mlir::Type elementType, double value);
  /// Creates a constant with these elements, named after the node.
  mlir::Value createConstant(const HostTensor &tensor);

  /// Reports a tensor that exceeds the size limit. Call it for constants before
  /// their elements are computed.
  mlir::LogicalResult checkResultSize(mlir::RankedTensorType type);

  /// Does the same for constants computed by the rule, which also share a total
  /// limit (see ConstantEvaluator).
  mlir::LogicalResult checkComputedSize(mlir::RankedTensorType type);

  /// Creates a scalar tensor without elements, which lives as long as the
  /// import.
  onnx::TensorProto &makeTensor(onnx::TensorProto::DataType type);

  /// Sets an output of the node, by default the first. Using an output that no
  /// rule sets is an error.
  mlir::LogicalResult yield(mlir::Value value, unsigned output = 0) {
    return yield(ImportedValue{value}, output);
  }
  mlir::LogicalResult yield(ImportedValue value, unsigned output = 0);
  /// Returns the name of an output; empty if it is omitted.
  llvm::StringRef getOutputName(unsigned output = 0) const;
  bool hasOutput(unsigned output) const {
    return !getOutputName(output).empty();
  }
  /// Returns the number of written outputs, including omitted ones.
  unsigned getNumWrittenOutputs() const { return proto.output_size(); }
  /// Returns the number of outputs that have a name.
  unsigned getNumOutputs() const;

  /// Imports the nodes of `body`, a graph held by an attribute of the node, in
  /// place. Its inputs are `inputs`, and it can use the names of the enclosing
  /// graphs. `suffix` distinguishes its node names from other copies. Returns
  /// its outputs.
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

  /// Reports heads of an attention of which those of keys and values differ in
  /// number, or do not divide those of queries.
  mlir::LogicalResult checkHeads(int64_t queries, int64_t keys, int64_t values);

private:
  friend class GraphImporter;
  mlir::Value finish(mlir::OperationState &state,
                     llvm::function_ref<mlir::LogicalResult()> inferTypes);

  struct Operand {
    ImportedValue source;
    std::optional<HostTensor> elements;
    std::string name; ///< formal name, for messages
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
  /// Outputs by position; empty if not set.
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
