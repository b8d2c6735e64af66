//===- DeviceReferences.cpp - References for device functions -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A composite specifies the calls that it becomes. Each composite is printed as
// a function of uma.graph whose operands and results are arguments of the
// device's TIR function, so that `uma run --compare` can check a call to the
// device on the data that it was given. Weights are operands, to keep the text
// small.
//
//===----------------------------------------------------------------------===//

#include "DeviceReferences.h"

#include "AcceleratorCalls.h"

#include "uma/Accel/IR/QuantFunctions.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/TensorText.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace mlir;
using namespace uma;

/// Returns `NAME.uma:LINE` of a pattern, or "" if it has no position. Folders
/// are omitted, so that packages do not depend on where they were compiled.
static std::string getPosition(Operation *op) {
  std::string position;
  if (!op)
    return position;
  op->getLoc()->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    position = llvm::sys::path::filename(file.getFilename().getValue()).str() +
               ":" + std::to_string(file.getLine());
    return WalkResult::interrupt();
  });
  return position;
}

/// Returns the constant as a `dense` attribute, as a splat if all elements are
/// equal.
static ElementsAttr shrink(ElementsAttr value) {
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(value);
  if (failed(tensor) || tensor->getNumElements() == 0)
    return value;
  ArrayRef<char> bytes = tensor->getBytes();
  size_t size = bytes.size() / tensor->getNumElements();
  // All elements are equal if each byte equals the one `size` bytes before it.
  if (std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) != 0)
    return tensor->toAttribute("", bytes.size());
  HostTensor first(
      RankedTensorType::get({1}, value.getElementType()), // one element
      bytes.take_front(size));
  auto dense = cast<DenseElementsAttr>(first.toAttribute("", size));
  return dense.resizeSplat(cast<ShapedType>(value.getType()));
}

/// Prints the body of the composite as a function `reference`.
static std::string printFunction(graph::CompositeOp composite) {
  MLIRContext *context = composite.getContext();
  OpBuilder builder(context);
  Location loc = UnknownLoc::get(context);
  Block &body = composite.getBody().front();
  OwningOpRef<func::FuncOp> function =
      func::FuncOp::create(loc, "reference",
                           builder.getFunctionType(body.getArgumentTypes(),
                                                   composite.getResultTypes()));
  builder.setInsertionPointToStart(function->addEntryBlock());
  IRMapping mapping;
  mapping.map(body.getArguments(), function->getArguments());
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, mapping);
    if (auto constant = dyn_cast<graph::ConstantOp>(copy))
      constant.setValueAttr(shrink(constant.getValue()));
  }
  SmallVector<Value> returned;
  for (Value tensor : body.getTerminator()->getOperands())
    returned.push_back(mapping.lookup(tensor));
  func::ReturnOp::create(builder, loc, returned);
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

namespace {
/// Names of the tensors and numbers of a match in the description.
class MatchNames {
public:
  explicit MatchNames(const accel::Match &match) : match(match) {
    // A choice refers to the operator before it; calls use the later name.
    accel::PatternOp pattern = match.pattern;
    for (Operation &op : pattern.getBody().front())
      for (Value value : op.getResults())
        if (Value tensor = match.tensors.lookup(value))
          names[tensor] = accel::getTensorName(value);
  }

  /// Returns the name of a tensor of the match, or "" if it has none.
  std::string lookup(Value tensor) const { return names.lookup(tensor); }

  /// Returns the calls of the match, e.g. `f(x=f32[1, 8], n=8)`.
  SmallVector<std::string> getCalls() const {
    SmallVector<std::string> calls;
    accel::PatternOp pattern = match.pattern;
    for (Operation &op : pattern.getBody().front())
      TypeSwitch<Operation *>(&op).Case<accel::ConfigureOp, accel::CallOp>(
          [&](auto call) {
            calls.push_back(print(call.getCallee(), call.getArguments()));
          });
    return calls;
  }

private:
  std::string print(StringRef callee, OperandRange arguments) const {
    std::string text = callee.str() + "(";
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(arguments, os, [&](Value argument) {
      if (isa<AccelTensorType>(argument.getType())) {
        os << accel::getTensorName(argument) << '=';
        if (auto values = match.arrays.find(argument);
            values != match.arrays.end()) {
          os << values->second.size() << " numbers";
          return;
        }
        Value tensor = match.tensors.lookup(argument);
        auto type = tensor ? cast<RankedTensorType>(tensor.getType()) : nullptr;
        if (!type) {
          os << "NULL";
          return;
        }
        os << getTensorText(type);
        return;
      }
      Operation *op = argument.getDefiningOp();
      if (std::string name = accel::getNumberName(op); !name.empty())
        os << name << '=';
      TypedAttr number = match.numbers.lookup(argument);
      if (auto integer = dyn_cast_or_null<IntegerAttr>(number))
        os << integer.getValue().getSExtValue();
      else if (auto real = dyn_cast_or_null<FloatAttr>(number))
        os << llvm::format("%g", real.getValueAsDouble());
    });
    os << ')';
    return text;
  }

  const accel::Match &match;
  DenseMap<Value, std::string> names;
};
} // namespace

FailureOr<ArrayAttr> uma::buildDeviceReferences(
    func::FuncOp function,
    llvm::function_ref<int64_t(Value tensor)> getArgument) {
  Builder builder(function.getContext());
  SmallVector<Attribute> references;
  for (auto composite : function.getOps<graph::CompositeOp>()) {
    FailureOr<accel::Match> match = accel::matchComposite(composite);
    if (failed(match))
      return failure();
    MatchNames names(*match);
    Block &body = composite.getBody().front();
    SmallVector<int64_t> operands, results;
    SmallVector<std::string> operandNames, resultNames;
    for (auto [input, inner] :
         llvm::zip_equal(composite.getInputs(), body.getArguments())) {
      operands.push_back(getArgument(input));
      operandNames.push_back(names.lookup(inner));
    }
    for (auto [result, inner] : llvm::zip_equal(
             composite.getResults(), body.getTerminator()->getOperands())) {
      results.push_back(getArgument(result));
      resultNames.push_back(names.lookup(inner));
    }
    SmallVector<std::string> calls = names.getCalls();
    auto getTexts = [&](ArrayRef<std::string> texts) {
      return builder.getStrArrayAttr(
          SmallVector<StringRef>(texts.begin(), texts.end()));
    };
    Operation *pattern = SymbolTable::lookupNearestSymbolFrom(
        composite, composite.getPatternAttr());
    NamedAttrList entry;
    auto add = [&](StringRef name, Attribute value) {
      entry.append(name, value);
    };
    auto ops = llvm::to_vector(llvm::make_pointer_range(body));
    if (accel::mayDifferByOne(match->pattern, ops))
      add("arithmetic", builder.getStringAttr("fixed_point"));
    add("at", builder.getStringAttr(getPosition(pattern)));
    add("calls", getTexts(calls));
    add("function", builder.getStringAttr(printFunction(composite)));
    add("layer", builder.getStringAttr(getCompositeName(composite)));
    add("operand_names", getTexts(operandNames));
    add("operands", builder.getDenseI64ArrayAttr(operands));
    add("pattern", composite.getPattern().getLeafReference());
    add("result_names", getTexts(resultNames));
    add("results", builder.getDenseI64ArrayAttr(results));
    references.push_back(entry.getDictionary(builder.getContext()));
  }
  return builder.getArrayAttr(references);
}
