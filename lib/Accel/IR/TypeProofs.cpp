//===- TypeProofs.cpp - Checks of operators' element types ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Operators infer the type of their result and reject invalid operand types.
// These checks infer types for samples of the pattern: if an operator accepts
// some element types, but none that the pattern specifies, the pattern can
// never match.
//
//===----------------------------------------------------------------------===//

#include "CaughtReport.h"
#include "PatternProofs.h"
#include "Verify.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Accel/IR/QuantFunctions.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {
/// Operator of a pattern, with operands of known rank.
class Sample {
public:
  Sample(OperatorOp opOp, RegisteredOperationName name)
      : opOp(opOp), name(name) {}

  /// Collects the attributes and operands. Fails if the pattern does not
  /// constrain them enough.
  LogicalResult prepare();
  /// Returns whether the operator accepts these element types if all
  /// unconstrained sizes are `size`. If not, sets `message` to the reason.
  bool hasType(ArrayRef<Type> elements, int64_t size, std::string &message);
  /// Returns whether hasType holds for any combination of `choices`. If not,
  /// sets `message` to a reason.
  bool hasTypeForSome(ArrayRef<SmallVector<Type>> choices, int64_t size,
                      std::string &message);

  /// Possible element types of each operand.
  SmallVector<SmallVector<Type>> elements;

private:
  OperatorOp opOp;
  RegisteredOperationName name;
  NamedAttrList attributes;
  SmallVector<SmallVector<int64_t>> shapes;
};
} // namespace

/// Returns the element types to try for an operand without specified types.
static SmallVector<Type> getAnyTypes(MLIRContext *context) {
  Builder builder(context);
  return {builder.getF32Type(), builder.getI64Type(),
          builder.getI32Type(), builder.getI8Type(),
          builder.getI1Type(),  builder.getF16Type(),
          builder.getF64Type(), builder.getBF16Type(),
          builder.getI16Type(), builder.getIntegerType(8, /*isSigned=*/false)};
}

LogicalResult uma::accel::sampleAttributes(OperatorOp opOp,
                                           RegisteredOperationName name,
                                           NamedAttrList &attributes) {
  // A newly created operation has the default attributes.
  OperationState state(opOp.getLoc(), name);
  Operation *fresh = Operation::create(state);
  llvm::scope_exit destroyFresh([&] { fresh->destroy(); });
  Builder builder(opOp.getContext());
  if (DictionaryAttr written = opOp.getMatchedAttributesAttr())
    for (NamedAttribute entry : written) {
      Attribute value = entry.getValue();
      bool isOpen = isa<FlatSymbolRefAttr>(value);
      if (auto word = dyn_cast<StringAttr>(value))
        isOpen |=
            word == kAnyValue || word == kSameValue || word == kOutsideValue;
      if (auto list = dyn_cast<ArrayAttr>(value)) {
        SmallVector<int64_t> integers;
        for (Attribute element : list)
          if (auto integer = dyn_cast<IntegerAttr>(element))
            integers.push_back(integer.getInt());
        isOpen |= integers.size() != list.size();
        value = builder.getDenseI64ArrayAttr(integers);
      }
      // If the pattern leaves the attribute open, keep its default.
      if (!isOpen)
        attributes.append(entry.getName(), value);
      else if (!fresh->getInherentAttr(entry.getName()).value_or(Attribute()))
        return failure();
    }
  return success();
}

LogicalResult Sample::prepare() {
  if (failed(sampleAttributes(opOp, name, attributes)))
    return failure();
  size_t combinations = 1;
  for (Value operand : opOp.getOperands_()) {
    if (operand.getDefiningOp<SplatOp>()) {
      shapes.emplace_back();
      elements.push_back(getAnyTypes(opOp.getContext()));
    } else {
      auto input = operand.getDefiningOp<InputOp>();
      if (!input || input.getAnyShape())
        return failure();
      shapes.emplace_back(input.getStaticDims());
      if (std::optional<ArrayAttr> types = input.getElementTypes())
        elements.emplace_back(types->getAsValueRange<TypeAttr>());
      else
        elements.push_back(getAnyTypes(opOp.getContext()));
      // Integers may store quantized elements.
      SmallVector<Type> &choices = elements.back();
      for (Type type : SmallVector<Type>(choices))
        if (Type quantized = getUnitQuantizedType(type))
          choices.push_back(quantized);
    }
    combinations *= elements.back().size();
  }
  return success(combinations <= 1000);
}

Type uma::accel::inferSampleType(OperatorOp opOp, RegisteredOperationName name,
                                 const NamedAttrList &attributes,
                                 ArrayRef<Type> operands,
                                 std::string &message) {
  MLIRContext *context = opOp.getContext();
  Location loc = opOp.getLoc();
  Block block;
  block.addArguments(operands, SmallVector<Location>(operands.size(), loc));
  OperationState state(loc, name);
  state.addOperands(block.getArguments());
  state.addAttributes(attributes);
  state.addTypes(RankedTensorType::get({1}, Float32Type::get(context)));
  Operation *op = Operation::create(state);
  llvm::scope_exit destroyOp([&] { op->destroy(); });
  CaughtReport report(context);
  SmallVector<Type> types;
  bool isValid = succeeded(cast<InferTypeOpInterface>(op).inferReturnTypes(
      context, loc, op->getOperands(), op->getAttrDictionary(),
      op->getPropertiesStorage(), op->getRegions(), types));
  if (message.empty())
    message = report.getMessage();
  return isValid && types.size() == 1 ? types.front() : nullptr;
}

bool Sample::hasType(ArrayRef<Type> elements, int64_t size,
                     std::string &message) {
  SmallVector<Type> operands;
  for (auto [shape, element] : llvm::zip_equal(shapes, elements)) {
    SmallVector<int64_t> sizes = shape;
    for (int64_t &dim : sizes)
      dim = dim < 0 ? size : dim;
    operands.push_back(RankedTensorType::get(sizes, element));
  }
  return inferSampleType(opOp, name, attributes, operands, message) != nullptr;
}

bool Sample::hasTypeForSome(ArrayRef<SmallVector<Type>> choices, int64_t size,
                            std::string &message) {
  SmallVector<size_t> taken(choices.size());
  while (true) {
    SmallVector<Type> types;
    for (auto [index, types_] : llvm::zip_equal(taken, choices))
      types.push_back(types_[index]);
    if (hasType(types, size, message))
      return true;
    size_t position = 0;
    while (position < taken.size() &&
           ++taken[position] == choices[position].size())
      taken[position++] = 0;
    if (position == taken.size())
      return false;
  }
}

LogicalResult uma::accel::verifyElementTypes(OperatorOp opOp) {
  auto name = RegisteredOperationName::lookup(
      ("uma.graph." + opOp.getKind()).str(), opOp.getContext());
  if (!name || !name->hasInterface<InferTypeOpInterface>() ||
      opOp.getOperands_().size() > 3)
    return success();
  Sample sample(opOp, *name);
  if (failed(sample.prepare()))
    return success();
  SmallVector<SmallVector<Type>> any(sample.elements.size(),
                                     getAnyTypes(opOp.getContext()));
  for (int64_t size : {1, 4}) {
    std::string message, ignored;
    if (sample.hasTypeForSome(sample.elements, size, message))
      return success();
    if (!sample.hasTypeForSome(any, size, ignored))
      continue;
    // Use the operation's message without the operation's name.
    StringRef reason = StringRef(message).split("' op ").second;
    return report(opOp) << "no graph holds this '" << opOp.getKind() << "': "
                        << (reason.empty() ? StringRef(message) : reason);
  }
  return success();
}
