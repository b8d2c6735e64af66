//===- PrintPattern.cpp - Printer of patterns -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "DescriptionPrinter.h"

#include "uma/Accel/IR/GraphOperators.h"

#include "Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

std::string DescriptionPrinter::getName(Value tensor) {
  std::string &name = names[tensor];
  if (!name.empty())
    return name;
  if (auto splat = tensor.getDefiningOp<SplatOp>())
    return name = formatFloat(splat.getValue().convertToDouble());
  std::string wanted =
      TypeSwitch<Operation *, std::string>(tensor.getDefiningOp())
          .Case<InputOp, ScratchOp>([](auto op) { return op.getName().str(); })
          .Case<OperatorOp, ChoiceOp>(
              [](auto op) { return op.getName().value_or("t").str(); })
          .Default([](Operation *) { return std::string("t"); });
  name = wanted;
  for (unsigned suffix = 2; !usedNames.insert(name).second; ++suffix)
    name = wanted + std::to_string(suffix);
  return name;
}

FailureOr<std::string> DescriptionPrinter::formatType(Operation *op,
                                                      Type type) {
  for (StringRef name : getTypeNames())
    if (getType(type.getContext(), name) == type)
      return name.str();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return reportUnwritable(op, "the type " + text);
}

/// Formats a result of a layout map as a size.
static std::string formatLayoutSize(AffineExpr expr,
                                    ArrayRef<std::string> sizes) {
  if (isa<AffineConstantExpr>(expr))
    return "1";
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return sizes[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto block = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  return sizes[cast<AffineDimExpr>(binary.getLHS()).getPosition()] +
         (expr.getKind() == AffineExprKind::Mod ? " % " : " / ") +
         std::to_string(block);
}

/// Formats a tensor as `name: type`, or as its name if its type is
/// unconstrained.
FailureOr<std::string>
DescriptionPrinter::formatTensor(TensorTypeOpInterface tensor,
                                 bool isConstant) {
  std::string text = getName(tensor.getTensor());
  std::string type = isConstant ? "const " : "";
  if (std::optional<ArrayAttr> types = tensor.getElementTypes())
    for (auto [index, attr] : llvm::enumerate(*types)) {
      FailureOr<std::string> name =
          formatType(tensor, cast<TypeAttr>(attr).getValue());
      if (failed(name))
        return failure();
      type += (index ? "|" : "") + *name;
    }
  SmallVector<std::string> sizes;
  for (const WrittenSize &size : tensor.getSizes())
    sizes.push_back(
        size.dim ? size.dim.getDefiningOp<DimOp>().getName().str()
                 : (size.size ? std::to_string(size.size) : kAnyValue.str()));
  if (!tensor.getAnyShape()) {
    bool isPack = !sizes.empty() && tensor.getSizes().front().isPack;
    type += (isPack ? "[..." : "[") + llvm::join(sizes, ", ") + "]";
  }
  if (std::optional<AffineMap> layout = tensor.getLayout()) {
    SmallVector<std::string> results;
    for (AffineExpr result : layout->getResults())
      results.push_back(formatLayoutSize(result, sizes));
    type += " as [" + llvm::join(results, ", ") + "]";
  }
  StringRef written = StringRef(type).rtrim();
  return written.empty() ? text : text + ": " + written.str();
}

/// Formats a computed tensor as `name: type`, or as its name if its type is
/// unconstrained.
FailureOr<std::string> DescriptionPrinter::formatResult(Value tensor) {
  if (TensorTypeOpInterface type = getTensorTypeOp(tensor))
    return formatTensor(type, /*isConstant=*/false);
  return getName(tensor);
}

FailureOr<std::string> DescriptionPrinter::formatAttribute(Operation *op,
                                                           Attribute value,
                                                           bool inList) {
  if (auto dim = dyn_cast<FlatSymbolRefAttr>(value))
    return dim.getValue().str();
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return std::string(boolean.getValue() ? "true" : "false");
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return std::to_string(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(value))
    return formatFloat(number.getValueAsDouble());
  if (auto type = dyn_cast<TypeAttr>(value))
    return formatType(op, type.getValue());
  if (auto word = dyn_cast<StringAttr>(value))
    return word == kAnyValue || word == kSameValue || word == kOutsideValue
               ? word.str()
               : quoteText(word.getValue());
  auto list = dyn_cast<ArrayAttr>(value);
  if (!list || inList) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    return reportUnwritable(op, "the attribute " + text);
  }
  SmallVector<std::string> elements;
  for (Attribute element : list) {
    FailureOr<std::string> text = formatAttribute(op, element, /*inList=*/true);
    if (failed(text))
      return failure();
    elements.push_back(*text);
  }
  return "[" + llvm::join(elements, ", ") + "]";
}

FailureOr<std::string> DescriptionPrinter::formatOperator(OperatorOp op) {
  SmallVector<std::string> arguments;
  for (Value operand : op.getOperands_())
    arguments.push_back(getName(operand));
  if (DictionaryAttr attributes = op.getMatchedAttributesAttr())
    for (NamedAttribute attribute : attributes) {
      FailureOr<std::string> value = formatAttribute(op, attribute.getValue());
      if (failed(value))
        return failure();
      arguments.push_back(attribute.getName().str() + "=" + *value);
    }
  return (op.getKind() + "(" + llvm::join(arguments, ", ") + ")").str();
}

LogicalResult DescriptionPrinter::printStatement(Operation *op) {
  auto startLine = [&]() -> llvm::raw_ostream & {
    return os.indent(2 * (indent + 1));
  };
  auto printTensors = [&](StringRef keyword, ValueRange tensors) {
    startLine() << keyword << ' ';
    llvm::interleaveComma(tensors, os,
                          [&](Value tensor) { os << getName(tensor); });
  };
  budget = 4096;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](OperatorOp op) -> LogicalResult {
        if (op.getChoice())
          return success();
        FailureOr<std::string> text = formatOperator(op);
        FailureOr<std::string> name = formatResult(op.getResult());
        if (failed(text) || failed(name))
          return failure();
        startLine() << *name << " = " << *text << '\n';
        return success();
      })
      .Case([&](ChoiceOp choice) -> LogicalResult {
        SmallVector<std::string> alternatives;
        for (Value alternative : choice.getAlternatives()) {
          FailureOr<std::string> text =
              formatOperator(alternative.getDefiningOp<OperatorOp>());
          if (failed(text))
            return failure();
          alternatives.push_back(*text);
        }
        FailureOr<std::string> name = formatResult(choice.getResult());
        if (failed(name))
          return failure();
        startLine() << *name << " = "
                    << (choice.getOtherwise() ? "optional " : "")
                    << llvm::join(alternatives, " | ") << '\n';
        return success();
      })
      .Case([&](RequireOp require) -> LogicalResult {
        FailureOr<std::string> text =
            formatExpr(require, require.getCondition());
        if (failed(text))
          return failure();
        startLine() << "require " << *text << ", "
                    << quoteText(require.getReason()) << '\n';
        return success();
      })
      .Case([&](ReturnOp op) -> LogicalResult {
        printTensors("return", op.getOutputs());
        os << '\n';
        return success();
      })
      .Case([&](PlaceOp place) -> LogicalResult {
        printTensors("place", place.getTensors());
        os << " in " << place.getMemory() << '\n';
        return success();
      })
      .Case([&](CostOp cost) -> LogicalResult {
        FailureOr<std::string> cycles = formatExpr(cost, cost.getCycles());
        if (failed(cycles))
          return failure();
        startLine() << "cost cycles = " << *cycles;
        if (cost.getBytes()) {
          FailureOr<std::string> bytes = formatExpr(cost, cost.getBytes());
          if (failed(bytes))
            return failure();
          os << ", bytes = " << *bytes;
        }
        os << '\n';
        return success();
      })
      .Case([&](ScratchOp scratch) -> LogicalResult {
        FailureOr<std::string> size = formatExpr(scratch, scratch.getSize());
        FailureOr<std::string> type =
            formatType(scratch, scratch.getElementType());
        if (failed(size) || failed(type))
          return failure();
        startLine() << "scratch " << getName(scratch) << ": " << *type << '['
                    << *size << "]\n";
        return success();
      })
      .Case([&](SplitOp split) -> LogicalResult {
        startLine() << "split "
                    << split.getDim().getDefiningOp<DimOp>().getName() << " by "
                    << split.getLimit() << '\n';
        return success();
      })
      .Case([&](TileOp tile) -> LogicalResult {
        startLine() << "tile "
                    << tile.getDim().getDefiningOp<DimOp>().getName();
        if (tile.getStep() != 1)
          os << " by " << tile.getStep();
        os << '\n';
        return success();
      })
      .Case([&](LowerOp) -> LogicalResult {
        startLine() << "lower\n";
        return success();
      })
      .Case([&](ConfigureOp call) {
        startLine();
        return printCall("configure", call.getCallee(), call.getArguments(),
                         call);
      })
      .Case([&](CallOp call) {
        startLine();
        if (call.getCodeAttr())
          return printCode(call);
        return printCall("call", call.getCallee(), call.getArguments(), call);
      })
      // Sizes, numbers and inputs are printed at their uses.
      .Default([](Operation *) { return success(); });
}

LogicalResult DescriptionPrinter::printPattern(PatternOp pattern,
                                               StringRef keyword,
                                               const Twine &behind) {
  names.clear();
  usedNames.clear();
  for (DimOp dim : pattern.getBody().getOps<DimOp>())
    usedNames.insert(dim.getName());
  SmallVector<std::string> inputs;
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    FailureOr<std::string> text = formatTensor(input, input.getConstant());
    if (failed(text))
      return failure();
    inputs.push_back(*text);
  }
  os << '\n';
  os.indent(2 * indent) << keyword << ' ' << pattern.getSymName() << '('
                        << llvm::join(inputs, ", ") << ')' << behind << " {\n";
  for (Operation &op : pattern.getBody().getOps())
    if (failed(printStatement(&op)))
      return failure();
  os.indent(2 * indent) << "}\n";
  return success();
}
