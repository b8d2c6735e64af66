//===- AccelPatternOps.cpp - What a pattern is made of -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

//===----------------------------------------------------------------------===//
// PatternOp
//===----------------------------------------------------------------------===//

OpOp PatternOp::getRoot() {
  for (Operation &op : llvm::reverse(getBody().front()))
    if (auto root = dyn_cast<OpOp>(op))
      return root;
  return nullptr;
}

DimOp PatternOp::getDim(StringRef name) {
  for (DimOp dim : getBody().getOps<DimOp>())
    if (dim.getName() == name)
      return dim;
  return nullptr;
}

/// Calls `visit` for every dim that a matched attribute names.
static void forEachNamedDim(OpOp op, function_ref<void(StringRef)> visit) {
  if (DictionaryAttr attributes = op.getMatchedAttributesAttr())
    attributes.walk([&](FlatSymbolRefAttr dim) { visit(dim.getValue()); });
}

/// Checks that every name stands for one thing, and that the match binds it.
static LogicalResult verifyNames(PatternOp pattern) {
  llvm::StringSet<> dims, tensors, bound;
  for (DimOp dim : pattern.getBody().getOps<DimOp>())
    if (!dims.insert(dim.getName()).second)
      return report(dim) << "'" << dim.getName() << "' is already a dim";
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    if (!tensors.insert(input.getName()).second)
      return report(input) << "'" << input.getName() << "' is already an input";
    for (Value dim : input.getDims())
      bound.insert(dim.getDefiningOp<DimOp>().getName());
    if (llvm::none_of(input->getUsers(), llvm::IsaPred<OpOp>))
      return report(input) << "no operator of the pattern uses input '"
                           << input.getName()
                           << "', so that nothing says what it is";
  }
  for (OpOp op : pattern.getBody().getOps<OpOp>()) {
    std::optional<StringRef> unknown;
    forEachNamedDim(op, [&](StringRef name) {
      if (!dims.contains(name))
        unknown = name;
      bound.insert(name);
    });
    if (unknown) {
      SmallVector<StringRef> names(dims.keys());
      return report(op) << "an attribute names the unknown dim '" << *unknown
                        << "'" << didYouMean(*unknown, names);
    }
  }
  for (DimOp dim : pattern.getBody().getOps<DimOp>())
    if (!bound.contains(dim.getName()))
      return report(dim) << "no shape and no attribute says what '"
                         << dim.getName() << "' is";
  return success();
}

LogicalResult PatternOp::verifyRegions() {
  for (Operation &op : getBody().getOps())
    if (!isa<DimOp, InputOp, OpOp, RequireOp, CallOp>(op) &&
        !isa_and_present<arith::ArithDialect>(op.getDialect()))
      return report(&op) << "'" << op.getName()
                         << "' cannot stand in a pattern: it holds "
                            "uma.accel.dim, input, op, "
                            "require and call, and arith operations";
  OpOp root = getRoot();
  if (!root)
    return report(*this) << "pattern '" << getSymName()
                         << "' matches nothing: it needs an operator";
  if (getBody().getOps<CallOp>().empty())
    return report(*this) << "pattern '" << getSymName()
                         << "' does nothing with a match: it needs a call";
  if (failed(verifyNames(*this)))
    return failure();
  for (OpOp op : getBody().getOps<OpOp>())
    if (op != root && llvm::none_of(op->getUsers(), llvm::IsaPred<OpOp>))
      return report(op)
             << "'" << op.getKind()
             << "' is not part of what the pattern computes: no later operator "
                "uses its result, and only the last one's is the pattern's";
  if (llvm::none_of(root->getUsers(), llvm::IsaPred<CallOp>))
    return report(root) << "no call of the pattern takes '"
                        << root.getName().value_or(root.getKind())
                        << "', its result, so that nothing writes it";
  return success();
}

//===----------------------------------------------------------------------===//
// InputOp
//===----------------------------------------------------------------------===//

ParseResult InputOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  std::string name;
  if (parser.parseString(&name))
    return failure();
  result.addAttribute(getNameAttrName(result.name),
                      builder.getStringAttr(name));

  Type elementType;
  OptionalParseResult hasType = parser.parseOptionalType(elementType);
  if (hasType.has_value()) {
    if (failed(*hasType))
      return failure();
    result.addAttribute(getElementTypeAttrName(result.name),
                        TypeAttr::get(elementType));
  }

  SmallVector<int64_t> sizes;
  SmallVector<OpAsmParser::UnresolvedOperand> dims;
  auto parseSize = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand dim;
    OptionalParseResult isDim = parser.parseOptionalOperand(dim);
    if (!isDim.has_value())
      return parser.parseInteger(sizes.emplace_back());
    sizes.push_back(ShapedType::kDynamic);
    dims.push_back(dim);
    return *isDim;
  };
  if (failed(parser.parseOptionalLSquare())) {
    result.addAttribute(getAnyShapeAttrName(result.name),
                        builder.getUnitAttr());
  } else if (failed(parser.parseOptionalRSquare())) {
    if (parser.parseCommaSeparatedList(parseSize) || parser.parseRSquare())
      return failure();
  }
  result.addAttribute(getStaticDimsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(sizes));
  result.addTypes(AccelTensorType::get(builder.getContext()));
  return failure(
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.resolveOperands(dims, builder.getIndexType(), result.operands));
}

void InputOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getNameAttr());
  if (std::optional<Type> elementType = getElementType())
    printer << ' ' << *elementType;
  if (!getAnyShape()) {
    printer << " [";
    auto dim = getDims().begin();
    llvm::interleaveComma(getStaticDims(), printer, [&](int64_t size) {
      if (ShapedType::isDynamic(size))
        printer << *dim++;
      else
        printer << size;
    });
    printer << ']';
  }
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {getNameAttrName(), getElementTypeAttrName(),
                            getAnyShapeAttrName(), getStaticDimsAttrName()});
}

LogicalResult InputOp::verify() {
  size_t numDims = llvm::count_if(getStaticDims(), ShapedType::isDynamic);
  if (numDims != getDims().size())
    return report(*this) << "the shape has " << numDims << " dims, but "
                         << getDims().size() << " are given";
  if (getAnyShape() && !getStaticDims().empty())
    return report(*this) << "input '" << getName()
                         << "' has a shape and any_shape";
  for (int64_t size : getStaticDims())
    if (!ShapedType::isDynamic(size) && size < 1)
      return report(*this) << "size " << size << " of input '" << getName()
                           << "' is not positive";
  for (Value dim : getDims())
    if (!dim.getDefiningOp<DimOp>())
      return report(*this) << "the shape of input '" << getName()
                           << "' holds a value that is not a dim";
  if (std::optional<Type> type = getElementType())
    if (!type->isIntOrFloat())
      return report(*this) << "element type of input '" << getName()
                           << "' must be an integer or a float, found "
                           << *type;
  return success();
}

//===----------------------------------------------------------------------===//
// OpOp, CallOp
//===----------------------------------------------------------------------===//

LogicalResult OpOp::verify() {
  auto emitError = [&] { return report(*this); };
  auto op = lookupOperator(emitError, getContext(), getKind());
  if (failed(op) ||
      failed(verifyOperandCount(emitError, *op, getOperands_().size())))
    return failure();
  if (DictionaryAttr attributes = getMatchedAttributesAttr())
    for (NamedAttribute entry : attributes)
      if (failed(verifyMatchedAttribute(emitError, *op, entry)))
        return failure();
  return success();
}

LogicalResult CallOp::verify() {
  StringRef name = getCallee();
  // Reserved words of C99 and of C++, in which the emitted C must compile too.
  static const llvm::StringSet<> reserved = {
      "auto",     "bool",     "break",    "case",   "char",     "class",
      "const",    "continue", "default",  "delete", "do",       "double",
      "else",     "enum",     "extern",   "float",  "for",      "goto",
      "if",       "inline",   "int",      "long",   "new",      "operator",
      "private",  "public",   "register", "return", "short",    "signed",
      "sizeof",   "static",   "struct",   "switch", "this",     "throw",
      "template", "typedef",  "union",    "using",  "unsigned", "void",
      "volatile", "while"};
  bool isIdentifier =
      !name.empty() && !reserved.contains(name) &&
      !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier)
    return report(*this) << "'" << name << "' is not the name of a C function";
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

void OpOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (std::optional<StringRef> name = getName())
    setName(getResult(), *name);
}
