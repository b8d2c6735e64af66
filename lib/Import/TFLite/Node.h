//===- Node.h - One operator of the model, as a rule sees it -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_NODE_H
#define UMA_LIB_IMPORT_TFLITE_NODE_H

#include "TensorTable.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Import/Support/ConstantEvaluator.h"

#include <optional>

namespace uma::tflite {

class GraphImporter;
class VariableTable;
struct Rule;

/// An operator and the operations it becomes.
///
/// Only the first error is reported. After an error, create() returns null, so
/// that rules need no error handling. Operands are checked and resolved before
/// the rule runs, according to its table entry (see Rule). Quantized operands
/// are dequantized, and results are quantized after the rule.
class Node {
public:
  Node(GraphImporter &importer, mlir::OpBuilder &builder, ImportErrors &errors,
       TensorTable &tensors, const TFLiteImportOptions &options,
       importer::ConstantEvaluator &constants, const schema::Operator &proto,
       llvm::StringRef name, const Rule &rule);

  mlir::MLIRContext *getContext() const { return builder.getContext(); }
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLocation() const { return location; }
  /// Returns whether quantized operators round as TensorFlow Lite's kernels do.
  bool roundsInFixedPoint() const {
    return options.rounding == TFLiteRounding::FixedPoint;
  }

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  /// Returns the number of operands, including omitted ones.
  unsigned getNumOperands() const { return operands.size(); }
  /// Returns an operand; null if it is omitted.
  mlir::Value getOperand(unsigned index) const;
  /// Returns all operands of an operator without optional ones.
  llvm::SmallVector<mlir::Value> getOperands() const;
  /// Returns the elements of an operand marked `=` in the table; null if it is
  /// omitted.
  const HostTensor *getConstant(unsigned index) const;
  /// Returns the elements of any operand that is a constant or computed from
  /// constants, otherwise std::nullopt.
  std::optional<HostTensor> findConstant(unsigned index) const;
  /// Returns the only element of an operand marked `=`. Reports an error if it
  /// has several.
  std::optional<double> getScalar(unsigned index);
  /// Returns the only element of an operand marked `=`, an axis or a size.
  /// Reports other elements.
  std::optional<int64_t> getInt(unsigned index);
  /// Returns the elements of an operand marked `=`: sizes or axes. Reports
  /// other types, ranks above `maxRank` and numbers beyond 32 bits; the list is
  /// empty then.
  llvm::SmallVector<int64_t> getInts(unsigned index, int64_t maxRank = 1);
  /// Returns an operand that is not omitted as it is stored, quantized or not.
  mlir::Value getStored(unsigned index);
  /// Returns whether an operand that is not omitted is quantized in the file.
  bool isQuantized(unsigned index);
  /// Return the quantized element type of an operand that is not omitted, or of
  /// the first result, also of 32 bits; null if it has no scale.
  mlir::Type findQuantizedElement(unsigned index);
  mlir::Type findQuantizedResult();

  //===--------------------------------------------------------------------===//
  // Options
  //===--------------------------------------------------------------------===//

  /// Returns the options of the operator; null if it has none or others.
  template <typename OptionsT>
  const OptionsT *findOptions() const {
    return proto.builtin_options_as<OptionsT>();
  }
  /// Returns the options of the operator. Reports an error if they are missing.
  template <typename OptionsT>
  const OptionsT *getOptions() {
    const auto *options = findOptions<OptionsT>();
    if (!options)
      (void)badInput(llvm::Twine("has no ") +
                     schema::EnumNameBuiltinOptions(
                         schema::BuiltinOptionsTraits<OptionsT>::enum_value));
    return options;
  }

  /// Returns the options of a custom operator as they are in the file.
  llvm::ArrayRef<uint8_t> getCustomOptions() const;

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Creates an operation at the operator's location and returns its result,
  /// with an inferred type. Returns null for a null operand or if the inference
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
  /// Repeats `data` along dimensions of size 1, as NumPy does.
  mlir::Value createBroadcast(mlir::Value data, llvm::ArrayRef<int64_t> shape);
  /// Casts `data` to another element type. Returns `data` if it already has
  /// that type.
  mlir::Value createCast(mlir::Value data, mlir::Type elementType);
  mlir::Value createClip(mlir::Value data, double low, double high);
  /// Adds `before[d]` and `after[d]` elements in front of and behind dimension
  /// `d`. Returns `data` if there are none. For modes, see `uma.graph.pad`.
  mlir::Value createPad(mlir::Value data, llvm::ArrayRef<int64_t> before,
                        llvm::ArrayRef<int64_t> after, double value,
                        llvm::StringRef mode = "constant");
  /// Takes `size[d]` elements of dimension `d`, from `begin[d]` on. Returns
  /// `data` if these are all.
  mlir::Value createSlice(mlir::Value data, llvm::ArrayRef<int64_t> begin,
                          llvm::ArrayRef<int64_t> size,
                          llvm::ArrayRef<int64_t> strides);
  /// Selects slices of an axis by constant indices.
  mlir::Value createTake(mlir::Value data, llvm::ArrayRef<int64_t> indices,
                         int64_t axis);
  /// Concatenates tensors along an axis.
  mlir::Value createConcat(mlir::ValueRange parts, int64_t axis);
  /// Reduces `data` along some axes, which it keeps with size 1 if `keepdims`.
  template <typename OpT>
  mlir::Value createReduction(mlir::Value data, llvm::ArrayRef<int64_t> axes,
                              bool keepdims) {
    typename OpT::Properties properties;
    properties.axis = builder.getDenseI64ArrayAttr(axes);
    properties.keepdims = builder.getBoolAttr(keepdims);
    return create<OpT>({data}, properties);
  }
  /// Creates a constant of rank 0.
  mlir::Value createScalar(mlir::Type elementType, double value);
  /// Creates a constant with these elements, named after the operator. Equal
  /// constants of up to `inlineBytes` become one array in C.
  mlir::Value createConstant(const HostTensor &tensor,
                             int64_t inlineBytes = 64);
  /// Applies an activation that the operator has fused.
  mlir::Value createActivation(mlir::Value data,
                               schema::ActivationFunctionType function);

  /// Imports another subgraph of the model in place. `inputs` and the result
  /// are as stored, quantized or not.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importBody(int64_t subgraph, llvm::ArrayRef<mlir::Value> inputs);
  /// Returns the elements of a value that is constant or computed from
  /// constants, otherwise std::nullopt.
  std::optional<HostTensor> evaluate(mlir::Value value) const;

  /// Returns the resource variables of the model.
  VariableTable &getVariables();
  /// Returns the current value of a resource variable. Makes it an input of the
  /// network with this type, for which `zero` stands for 0, if nothing has
  /// assigned it.
  mlir::Value readVariable(int64_t number, mlir::RankedTensorType type,
                           int64_t zero = 0);
  /// Assigns a resource variable, or its value in the first run inside of
  /// importStart(). Reports a start that is no constant.
  mlir::LogicalResult assignVariable(int64_t number, mlir::Value value);
  /// Imports a subgraph that assigns the variables before the first run.
  mlir::LogicalResult importStart(int64_t subgraph);

  /// Reports a result that exceeds the size limit. create() does so, too.
  mlir::LogicalResult checkResultSize(llvm::ArrayRef<int64_t> shape,
                                      mlir::Type elementType);
  /// Reports a constant that is larger than the limits for constants computed
  /// by rules (see ConstantEvaluator). Call it before computing the elements.
  mlir::LogicalResult checkComputedSize(mlir::RankedTensorType type);

  /// Returns the number of results that the operator has in the file.
  unsigned getNumResults() const;
  /// Returns the declared type of a result, f32 if it is quantized. Reports
  /// types that are not supported.
  mlir::FailureOr<mlir::RankedTensorType> getResultType(unsigned index = 0);
  /// Returns the declared type of the first result, as it is stored.
  mlir::FailureOr<mlir::RankedTensorType> getStoredResultType();
  /// Returns whether the first result is quantized.
  bool isResultQuantized();
  /// Returns whether the declared shape of the first result may differ from the
  /// actual one.
  bool hasOpenResult() const;
  /// Sets an operand marked `$`, a variable, for the operators after this one
  /// and for the next run. `value` holds floats if the variable is quantized.
  mlir::LogicalResult assign(unsigned index, mlir::Value value);

  /// Casts `value` to the declared element type of a result.
  mlir::Value castToResult(mlir::Value value, unsigned index = 0);
  /// Sets a result of the operator, by default the first: as floats if it is
  /// quantized, or of the stored type. Fails after an error.
  mlir::LogicalResult yield(mlir::Value value, unsigned index = 0);

  //===--------------------------------------------------------------------===//
  // Errors
  //===--------------------------------------------------------------------===//

  /// Report an error that starts with the operator and its name.
  mlir::LogicalResult badInput(const llvm::Twine &message);
  mlir::LogicalResult notSupported(const llvm::Twine &message);
  /// Reports a rank of an operand other than `rank`.
  mlir::LogicalResult checkRank(unsigned index, int64_t rank);
  /// Normalises an axis to 0 to `end` - 1; negative ones count from `end`.
  /// Reports an axis out of range.
  std::optional<int64_t> normalizeAxis(int64_t axis, int64_t end);

private:
  friend class GraphImporter;
  struct Operand {
    mlir::Value value;
    std::optional<HostTensor> elements;
    std::string name; ///< formal name, for messages
  };
  mlir::Value finish(mlir::OperationState &state,
                     llvm::function_ref<mlir::LogicalResult()> inferTypes);
  /// Resolves the operands according to the inputs of the rule.
  mlir::LogicalResult resolveOperands(const Rule &rule);
  mlir::LogicalResult resolveOperand(llvm::StringRef formal, int64_t tensor);

  GraphImporter &importer;
  mlir::OpBuilder &builder;
  ImportErrors &errors;
  TensorTable &tensors;
  const TFLiteImportOptions &options;
  importer::ConstantEvaluator &constants;
  const schema::Operator &proto;
  std::string title; ///< "operator 'conv1' (CONV_2D)"
  mlir::Location location;
  llvm::SmallVector<Operand, 4> operands;
  /// Results by position; null if not set.
  llvm::SmallVector<mlir::Value, 1> results;
};

/// Returns the sizes of a tensor of the graph family.
inline llvm::ArrayRef<int64_t> getShape(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}
inline mlir::Type getElementType(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getElementType();
}

/// Returns the activation that an operator has fused, from options that may be
/// missing.
template <typename OptionsT>
schema::ActivationFunctionType getActivation(const OptionsT *options) {
  return options ? options->fused_activation_function()
                 : schema::ActivationFunctionType::NONE;
}

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_NODE_H
