//===- AccelPatternOps.cpp - Operations of a pattern ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PatternProofs.h"
#include "Verify.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Accel/IR/QuantFunctions.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

//===----------------------------------------------------------------------===//
// PatternOp
//===----------------------------------------------------------------------===//

/// Returns whether `op` computes a tensor of the pattern.
static bool isMaker(Operation *op) { return isa<OperatorOp, ChoiceOp>(op); }

Value PatternOp::getRoot() {
  for (Operation &op : llvm::reverse(getBody().front()))
    if (isMaker(&op))
      return op.getResult(0);
  return nullptr;
}

SmallVector<Value> PatternOp::getOutputs() {
  for (ReturnOp returned : getBody().getOps<ReturnOp>())
    return llvm::to_vector_of<Value>(returned.getOutputs());
  return {getRoot()};
}

DimOp PatternOp::getDim(StringRef name) {
  for (DimOp dim : getBody().getOps<DimOp>())
    if (dim.getName() == name)
      return dim;
  return nullptr;
}

SmallVector<StringRef> uma::accel::getOperatorKinds(Value tensor) {
  llvm::SmallSetVector<StringRef, 4> kinds;
  while (auto choice = tensor.getDefiningOp<ChoiceOp>()) {
    for (Value alternative : choice.getAlternatives())
      if (auto op = alternative.getDefiningOp<OperatorOp>())
        kinds.insert(op.getKind());
    tensor = choice.getOtherwise();
    if (!tensor)
      break;
  }
  if (auto op = tensor ? tensor.getDefiningOp<OperatorOp>() : OperatorOp())
    kinds.insert(op.getKind());
  return kinds.takeVector();
}

std::string uma::accel::getTensorName(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (auto input = dyn_cast_or_null<InputOp>(op))
    return input.getName().str();
  if (auto opOp = dyn_cast_or_null<OperatorOp>(op))
    return opOp.getName().value_or(opOp.getKind()).str();
  if (auto choice = dyn_cast_or_null<ChoiceOp>(op))
    return choice.getName().value_or("the choice").str();
  if (auto scratch = dyn_cast_or_null<ScratchOp>(op))
    return scratch.getName().str();
  if (auto array = dyn_cast_or_null<ArrayOp>(op))
    return (array.getFunction() + "(" + getTensorName(array.getTensor()) + ")")
        .str();
  return "a number";
}

SmallVector<Operation *> uma::accel::getComputation(Value value) {
  llvm::SetVector<Operation *> ops;
  if (Operation *op = value.getDefiningOp())
    ops.insert(op);
  for (unsigned next = 0; next < ops.size(); ++next)
    for (Value operand : ops[next]->getOperands())
      // Skip the tensor operand of a measure.
      if (Operation *op = operand.getDefiningOp();
          op && !isa<AccelTensorType>(operand.getType()))
        ops.insert(op);
  SmallVector<Operation *> sorted = ops.takeVector();
  llvm::sort(sorted, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return sorted;
}

std::string uma::accel::getNumberName(Operation *op) {
  if (auto dim = dyn_cast<DimOp>(op))
    return dim.getName().str();
  if (!isa<NumberFunctionOpInterface>(op))
    return "";
  StringRef function = op->getName().stripDialect().rsplit('.').second;
  std::string argument;
  if (op->getNumOperands() > 0)
    argument = getTensorName(op->getOperand(0));
  if (isa<StrideOp, StepOp>(op))
    argument += ", " + getNumberName(op->getOperand(1).getDefiningOp());
  return (function + "(" + argument + ")").str();
}

std::string uma::accel::getSourceName(Operation *op) {
  // Look through the conversion of a flag to a number.
  if (auto cast = dyn_cast<arith::IndexCastUIOp>(op))
    if (Operation *flag = cast.getIn().getDefiningOp())
      op = flag;
  if (auto attribute = dyn_cast<TargetAttributeOp>(op))
    return attribute.getName().str();
  return getNumberName(op);
}

/// Verifies the dims that attributes of `op` name, and adds them to `bound`.
static LogicalResult verifyNamedDims(OperatorOp op, PatternOp pattern,
                                     const llvm::StringMap<DimOp> &dims,
                                     llvm::StringSet<> &bound) {
  auto registered = RegisteredOperationName::lookup(
      ("uma.graph." + op.getKind()).str(), op.getContext());
  for (NamedAttribute entry : op.getMatchedAttributesAttr()) {
    LogicalResult result = success();
    bool isInList = !isa<FlatSymbolRefAttr>(entry.getValue());
    entry.getValue().walk([&](FlatSymbolRefAttr name) {
      if (failed(result))
        return;
      bound.insert(name.getValue());
      DimOp dim = dims.lookup(name.getValue());
      if (!dim) {
        SmallVector<StringRef> names(dims.keys());
        llvm::sort(names);
        result = report(op)
                 << "an attribute names the unknown dim '" << name.getValue()
                 << "'" << didYouMean(name.getValue(), names);
        return;
      }
      Type type = isInList || !registered
                      ? IndexType::get(op.getContext())
                      : getDimType(*registered, entry.getName());
      if (type && type != dim.getType())
        result = report(op)
                 << "attribute '" << entry.getName().getValue()
                 << "' of operator '" << op.getKind() << "' is "
                 << describeNumberType(type) << ", but '" << dim.getName()
                 << "' is " << describeNumberType(dim.getType());
    });
    if (failed(result))
      return failure();
  }
  return success();
}

/// Verifies that every name is unique and that matches bind every dim.
static LogicalResult verifyNames(PatternOp pattern) {
  llvm::StringMap<DimOp> dims;
  llvm::StringSet<> tensors, bound;
  bool hasErrors = false;
  auto fail = [&](Operation *op) {
    hasErrors = true;
    return report(op);
  };
  for (DimOp dim : pattern.getBody().getOps<DimOp>())
    if (!dims.try_emplace(dim.getName(), dim).second)
      fail(dim) << "'" << dim.getName() << "' is already a dim";
  for (auto type : pattern.getBody().getOps<TensorTypeOpInterface>())
    for (Value dim : type.getDims())
      bound.insert(dim.getDefiningOp<DimOp>().getName());
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    if (!tensors.insert(input.getName()).second)
      fail(input) << "'" << input.getName() << "' is already an input";
    if (llvm::none_of(input->getUsers(), llvm::IsaPred<OperatorOp>))
      fail(input) << "no operator of the pattern uses input '"
                  << input.getName() << "', so that nothing says what it is";
  }
  for (ScratchOp scratch : pattern.getBody().getOps<ScratchOp>())
    if (!tensors.insert(scratch.getName()).second)
      fail(scratch) << "'" << scratch.getName() << "' is already a tensor";
  for (OperatorOp op : pattern.getBody().getOps<OperatorOp>())
    if (op.getMatchedAttributesAttr())
      hasErrors |= failed(verifyNamedDims(op, pattern, dims, bound));
  for (DimOp dim : pattern.getBody().getOps<DimOp>())
    if (!bound.contains(dim.getName()))
      fail(dim) << "no shape and no attribute says what '" << dim.getName()
                << "' is";
  return failure(hasErrors);
}

/// Verifies one output of the pattern.
static LogicalResult verifyOutput(PatternOp pattern, Value output) {
  Operation *maker = output.getDefiningOp();
  if (!pattern.isLowered() &&
      llvm::none_of(output.getUsers(), llvm::IsaPred<CallOp>))
    return report(maker) << "no call of the pattern takes '"
                         << getTensorName(output)
                         << "', its result, so that nothing writes it";
  // Find the tensor that remains if every optional operator is absent.
  Value least = output;
  while (auto choice = least.getDefiningOp<ChoiceOp>()) {
    least = choice.getOtherwise();
    if (!least)
      return success();
  }
  if (!least.getDefiningOp<OperatorOp>())
    return report(maker)
           << "'" << getTensorName(output)
           << "' would be no result of an operator where all that is "
              "optional is absent; leave 'optional' out";
  return success();
}

static LogicalResult verifyOutputs(PatternOp pattern) {
  Value root = pattern.getRoot();
  auto returns = pattern.getBody().getOps<ReturnOp>();
  if (!returns.empty()) {
    ReturnOp first = *returns.begin();
    for (ReturnOp other : llvm::drop_begin(returns))
      return report(other) << "the pattern returns its results already";
    llvm::SmallPtrSet<Value, 4> seen;
    for (Value output : first.getOutputs()) {
      if (!output.getDefiningOp() || !isMaker(output.getDefiningOp()))
        return report(first) << "'" << getTensorName(output)
                             << "' is no result of an operator; only those "
                                "are returned";
      if (!seen.insert(output).second)
        return report(first)
               << "'" << getTensorName(output) << "' is returned twice";
    }
    if (!seen.contains(root))
      return report(first) << "'" << getTensorName(root)
                           << "', the result of the last operator, is not "
                              "returned";
  }
  SmallVector<Value> outputs = pattern.getOutputs();
  bool hasErrors = false;
  for (Operation &op : pattern.getBody().front()) {
    if (!isMaker(&op) || llvm::is_contained(outputs, op.getResult(0)) ||
        llvm::any_of(op.getUsers(), isMaker))
      continue;
    report(&op)
        << "'" << getTensorName(op.getResult(0))
        << "' is not part of what the pattern computes: no later operator "
           "uses it, and only the last one is the pattern's result; "
           "'return' names several";
    hasErrors = true;
  }
  for (Value output : outputs)
    hasErrors |= failed(verifyOutput(pattern, output));
  return failure(hasErrors);
}

LogicalResult PatternOp::verifyRegions() {
  for (Operation &op : getBody().getOps())
    if (!isInFamily<AccelFamily>(&op) &&
        !isa_and_present<arith::ArithDialect>(op.getDialect()))
      return report(&op) << "'" << op.getName()
                         << "' cannot stand in a pattern: it holds operations "
                            "of uma.accel and arith";
  if (!getRoot())
    return report(*this) << "pattern '" << getSymName()
                         << "' matches nothing: it needs an operator";
  if (getBody().getOps<CallOp>().empty() && !isLowered())
    return report(*this) << "pattern '" << getSymName()
                         << "' does nothing with a match: it needs a call, or "
                            "lower";
  bool hasErrors = failed(verifyNames(*this));
  hasErrors |= failed(verifyOutputs(*this));
  hasErrors = hasErrors || failed(verifyBorders(*this)) ||
              failed(verifyMappedPattern(*this)) ||
              failed(verifyQuantization(*this));
  if (hasErrors || (isLowered() && failed(verifyLowered(*this))))
    return failure();
  for (OperatorOp op : getBody().getOps<OperatorOp>())
    hasErrors |= failed(verifyElementTypes(op));
  return failure(hasErrors || failed(verifyCanMatch(*this)));
}

//===----------------------------------------------------------------------===//
// OperatorOp, CallOp
//===----------------------------------------------------------------------===//

Operation *OperatorOp::getChoice() {
  for (Operation *user : (*this)->getUsers())
    if (auto choice = dyn_cast<ChoiceOp>(user);
        choice && llvm::is_contained(choice.getAlternatives(), getResult()))
      return choice;
  return nullptr;
}

LogicalResult OperatorOp::verify() {
  auto emitError = [&] { return report(*this); };
  auto op = lookupOperator(emitError, getContext(), getKind());
  if (failed(op) ||
      failed(verifyOperandCount(emitError, *op, getOperands_().size())))
    return failure();
  if (DictionaryAttr attributes = getMatchedAttributesAttr())
    for (NamedAttribute entry : attributes)
      if (failed(verifyMatchedAttribute(emitError, *op, entry)))
        return failure();
  return verifyNoAttributeMissing(emitError, *op, getMatchedAttributesAttr(),
                                  getOperands_().size());
}

LogicalResult SplatOp::verify() {
  if (!getValue().isFinite())
    return report(*this) << "the elements of a constant are compared with a "
                            "finite number, found "
                         << getValueAttr();
  for (Operation *user : (*this)->getUsers())
    if (!isa<OperatorOp>(user))
      return report(user) << "takes a number that the pattern matches, which "
                             "only an operator can";
  return success();
}

LogicalResult ScratchOp::verify() {
  Type type = getElementType();
  if (!type.isIntOrFloat())
    return report(*this) << "the elements of '" << getName()
                         << "' must be integers or floats, found " << type;
  for (Operation *user : (*this)->getUsers())
    if (!isa<CallOp, PlaceOp>(user))
      return report(user) << "'" << getName()
                          << "' is memory for calls, which alone take it";
  if (llvm::none_of((*this)->getUsers(), llvm::IsaPred<CallOp>))
    return report(*this) << "no call takes '" << getName() << "'";
  return success();
}

LogicalResult ChoiceOp::verify() {
  if (getAlternatives().size() + (getOtherwise() ? 1 : 0) < 2)
    return report(*this) << "a choice needs two alternatives, or one and what "
                            "it stands for without it";
  for (Value alternative : getAlternatives())
    if (!alternative.getDefiningOp<OperatorOp>() || !alternative.hasOneUse())
      return report(*this)
             << "an alternative is the result of an operator that nothing "
                "else uses";
  return success();
}

LogicalResult PresentOp::verify() {
  if (getTensor().getDefiningOp<SplatOp>())
    return report(*this) << "asks for a number that the pattern matches";
  return success();
}

LogicalResult WhichOp::verify() {
  if (!getTensor().getDefiningOp<ChoiceOp>())
    return report(*this) << "'" << getTensorName(getTensor())
                         << "' has no alternatives of which one could be "
                            "there";
  return success();
}

//===----------------------------------------------------------------------===//
// Names of results
//===----------------------------------------------------------------------===//

void DimOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}

void InputOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}

void ScratchOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName());
}

void OperatorOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (std::optional<StringRef> name = getName())
    setName(getResult(), *name);
}

void ChoiceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (std::optional<StringRef> name = getName())
    setName(getResult(), *name);
}
