//===- GraphOperators.cpp - Operators in patterns -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/GraphOperators.h"

#include "CaughtReport.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

#include <utility>

using namespace mlir;

namespace uma::accel {

static constexpr llvm::StringLiteral kGraphPrefix = "uma.graph.";

/// Returns the operator's name in descriptions, without `uma.graph.`.
static StringRef getKind(RegisteredOperationName op) {
  return op.getStringRef().drop_front(kGraphPrefix.size());
}

static bool isMatchable(RegisteredOperationName op) {
  return op.hasTrait<OpTrait::OneResult>() &&
         op.hasTrait<OpTrait::ZeroRegions>();
}

FailureOr<RegisteredOperationName>
lookupOperator(EmitErrorFn emitError, MLIRContext *context, StringRef kind) {
  std::string name = (kGraphPrefix + kind).str();
  auto op = RegisteredOperationName::lookup(name, context);
  if (op && isMatchable(*op))
    return *op;
  if (op)
    return emitError() << "operator '" << kind
                       << "' cannot stand in a pattern: a pattern is made of "
                          "operators with one result and no body";
  SmallVector<StringRef> kinds;
  for (RegisteredOperationName known : context->getRegisteredOperations())
    if (known.getStringRef().starts_with(kGraphPrefix) && isMatchable(known))
      kinds.push_back(getKind(known));
  llvm::sort(kinds);
  std::string hint = didYouMean(kind, kinds);
  InFlightDiagnostic error = emitError()
                             << "unknown operator '" << kind << "'" << hint;
  if (hint.empty())
    error << "; docs/generated/graph-ops.md lists the operators";
  return error;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Returns the minimum and maximum number of operands that the operation's
/// traits allow.
static std::pair<size_t, size_t> getOperandBounds(RegisteredOperationName op) {
  constexpr size_t unbounded = ~size_t(0);
  if (op.hasTrait<OpTrait::ZeroOperands>())
    return {0, 0};
  if (op.hasTrait<OpTrait::OneOperand>())
    return {1, 1};
#define UMA_OPERANDS(N)                                                        \
  if (op.hasTrait<OpTrait::NOperands<N>::Impl>())                              \
    return {N, N};                                                             \
  if (op.hasTrait<OpTrait::AtLeastNOperands<N>::Impl>())                       \
    return {N, unbounded};
  UMA_OPERANDS(2)
  UMA_OPERANDS(3)
  UMA_OPERANDS(4)
  UMA_OPERANDS(5)
  UMA_OPERANDS(6)
  UMA_OPERANDS(7)
  UMA_OPERANDS(8)
#undef UMA_OPERANDS
  if (op.hasTrait<OpTrait::AtLeastNOperands<1>::Impl>())
    return {1, unbounded};
  return {0, unbounded};
}

LogicalResult verifyOperandCount(EmitErrorFn emitError,
                                 RegisteredOperationName op, size_t count) {
  auto [least, most] = getOperandBounds(op);
  if (count >= least && count <= most)
    return success();
  return emitError() << "operator '" << getKind(op) << "' takes "
                     << (least == most ? "" : "at least ") << least
                     << (least == 1 ? " operand" : " operands") << ", found "
                     << count;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Returns whether the operation's definition allows `value` for its attribute.
static bool allows(RegisteredOperationName op, StringAttr name,
                   Attribute value) {
  // The verifier reports invalid values in MLIR's terms; drop these errors.
  MLIRContext *context = name.getContext();
  CaughtReport report(context);
  NamedAttrList attributes;
  attributes.append(name, value);
  return succeeded(op.verifyInherentAttrs(
      attributes, [&] { return emitError(UnknownLoc::get(context)); }));
}

/// Returns an example of an operation's attribute that `value` matches, or null
/// if `value` is not valid in matched_attributes.
static Attribute getExample(Attribute value) {
  Builder builder(value.getContext());
  if (isa<FlatSymbolRefAttr>(value))
    return builder.getI64IntegerAttr(1);
  if (auto array = dyn_cast<ArrayAttr>(value)) {
    SmallVector<int64_t> example;
    for (Attribute element : array) {
      auto integer = dyn_cast_or_null<IntegerAttr>(getExample(element));
      if (!integer || !integer.getType().isSignlessInteger(64))
        return nullptr;
      example.push_back(integer.getInt());
    }
    return builder.getDenseI64ArrayAttr(example);
  }
  return isa<IntegerAttr, FloatAttr, StringAttr, TypeAttr>(value) ? value
                                                                  : nullptr;
}

/// Formats `value` in description syntax.
static std::string spell(Attribute value) {
  if (auto dim = dyn_cast<FlatSymbolRefAttr>(value))
    return dim.getValue().str();
  if (auto word = dyn_cast<StringAttr>(value))
    if (word == kAnyValue || word == kSameValue || word == kOutsideValue)
      return word.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto array = dyn_cast<ArrayAttr>(value)) {
    stream << "[";
    llvm::interleaveComma(array, stream,
                          [&](Attribute element) { stream << spell(element); });
    stream << "]";
  } else {
    value.print(stream, /*elideType=*/true);
  }
  return text;
}

/// Returns a description of the attribute's valid values, which it finds by
/// trial.
static StringRef describeExpected(RegisteredOperationName op, StringAttr name) {
  Builder builder(name.getContext());
  if (allows(op, name, builder.getI64IntegerAttr(1)))
    return "an integer";
  if (allows(op, name, builder.getF64FloatAttr(1.0)))
    return "a float";
  if (allows(op, name, builder.getBoolAttr(true)))
    return "true or false";
  if (allows(op, name, builder.getStringAttr("NCHW")))
    return "a string";
  if (allows(op, name, TypeAttr::get(builder.getF32Type())))
    return "an element type";
  if (allows(op, name, builder.getDenseI64ArrayAttr({1, 1})))
    return "a list of integers";
  return "";
}

Type getDimType(RegisteredOperationName op, StringAttr name) {
  Builder builder(name.getContext());
  if (allows(op, name, builder.getI64IntegerAttr(1)))
    return builder.getIndexType();
  if (allows(op, name, builder.getF64FloatAttr(1.0)))
    return builder.getF64Type();
  if (allows(op, name, builder.getBoolAttr(true)))
    return builder.getI1Type();
  return nullptr;
}

StringRef describeNumberType(Type type) {
  if (type.isInteger(1))
    return "true or false";
  return type.isIndex() ? "a whole number" : "a float";
}

bool canMatchAttribute(RegisteredOperationName op, NamedAttribute entry) {
  if (!llvm::is_contained(op.getAttributeNames(), entry.getName()))
    return false;
  if (auto string = dyn_cast<StringAttr>(entry.getValue()))
    if (string == kAnyValue ||
        (entry.getName() == "padding" &&
         (string == kSameValue || string == kOutsideValue)))
      return true;
  if (isa<FlatSymbolRefAttr>(entry.getValue()))
    return static_cast<bool>(getDimType(op, entry.getName()));
  Attribute example = getExample(entry.getValue());
  return example && allows(op, entry.getName(), example);
}

LogicalResult verifyMatchedAttribute(EmitErrorFn emitError,
                                     RegisteredOperationName op,
                                     NamedAttribute entry) {
  StringAttr name = entry.getName();
  if (!llvm::is_contained(op.getAttributeNames(), name)) {
    SmallVector<StringRef> known(
        llvm::map_range(op.getAttributeNames(),
                        [](StringAttr attr) { return attr.getValue(); }));
    std::string hint = didYouMean(name.getValue(), known);
    InFlightDiagnostic error = emitError() << "operator '" << getKind(op)
                                           << "' has no attribute '"
                                           << name.getValue() << "'" << hint;
    if (hint.empty() && known.empty())
      error << "; it has none";
    else if (hint.empty())
      error << "; it has " << llvm::join(known, ", ");
    return error;
  }
  if (canMatchAttribute(op, entry))
    return success();
  InFlightDiagnostic error =
      emitError() << "attribute '" << name.getValue() << "' of operator '"
                  << getKind(op) << "' cannot be " << spell(entry.getValue());
  // The name of a dim may be a misspelt word of the language.
  if (auto dim = dyn_cast<FlatSymbolRefAttr>(entry.getValue())) {
    std::string hint =
        didYouMean(dim.getValue(),
                   {kAnyValue, kSameValue, kOutsideValue, "true", "false"});
    if (!hint.empty())
      return error << hint;
  }
  StringRef expected = describeExpected(op, name);
  if (expected.empty())
    return error << "; write any";
  return error << "; write " << expected
               << (name == "padding" ? ", same, outside" : "") << " or any";
}

/// Returns any value that the operator's definition allows for its attribute.
static Attribute getAnyExample(RegisteredOperationName op, StringAttr name) {
  Builder builder(name.getContext());
  Attribute examples[] = {builder.getI64IntegerAttr(1),
                          builder.getF64FloatAttr(1.0),
                          builder.getBoolAttr(true),
                          builder.getStringAttr("NCHW"),
                          TypeAttr::get(builder.getF32Type()),
                          builder.getDenseI64ArrayAttr({1, 1})};
  auto *example = llvm::find_if(
      examples, [&](Attribute value) { return allows(op, name, value); });
  return example == std::end(examples) ? Attribute() : *example;
}

LogicalResult verifyNoAttributeMissing(EmitErrorFn emitError,
                                       RegisteredOperationName op,
                                       DictionaryAttr written,
                                       size_t numOperands) {
  if (op.getAttributeNames().empty())
    return success();
  // Create the operation without the attributes that are not written; its
  // verifier reports a missing one.
  MLIRContext *context = op.getIdentifier().getContext();
  Location loc = UnknownLoc::get(context);
  Type type = RankedTensorType::get({1}, Float32Type::get(context));
  Block operands;
  for (size_t i = 0; i < numOperands; ++i)
    operands.addArgument(type, loc);
  OperationState state(loc, op);
  state.addOperands(operands.getArguments());
  state.addTypes(type);
  if (written)
    for (NamedAttribute entry : written)
      if (Attribute example = getAnyExample(op, entry.getName()))
        state.addAttribute(entry.getName(), example);
  Operation *lacking = Operation::create(state);
  llvm::scope_exit destroy([&] { lacking->destroy(); });
  std::string message;
  {
    CaughtReport report(context);
    (void)op.verifyInvariants(lacking);
    message = report.getMessage();
  }
  StringRef missing = StringRef(message).split("requires attribute '").second;
  missing = missing.split("'").first;
  if (missing.empty())
    return success();
  return emitError() << "operator '" << getKind(op) << "' needs its attribute '"
                     << missing << "', which has no default; write '" << missing
                     << "=any' to take every value";
}

} // namespace uma::accel
