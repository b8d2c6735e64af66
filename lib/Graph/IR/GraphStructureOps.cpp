//===- GraphStructureOps.cpp - Constants and composites -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  FailureOr<RankedTensorType> type =
      getTensor([&] { return emitOpError(); }, getResult(), "result",
                Elements::WithFloat8);
  if (failed(type))
    return failure();
  if (isa<DenseElementsAttr>(getValue()))
    return success();
  auto resource = dyn_cast<DenseResourceElementsAttr>(getValue());
  if (!resource)
    return emitOpError() << "value is " << getValue()
                         << ", expected dense<...> or dense_resource<...>";
  // Printing with elided resources leaves resources without contents.
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return success();
  // getTensor has checked that the product fits.
  int64_t bytes =
      type->getNumElements() *
      llvm::divideCeil(type->getElementType().getIntOrFloatBitWidth(), 8);
  if (static_cast<int64_t>(blob->getData().size()) != bytes)
    return emitOpError() << "resource '" << resource.getRawHandle().getKey()
                         << "' has " << blob->getData().size()
                         << " bytes, expected " << bytes << " for " << *type;
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// CompositeOp
//===----------------------------------------------------------------------===//

ParseResult CompositeOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc location = parser.getCurrentLocation();
  SymbolRefAttr pattern;
  OptionalParseResult hasPattern = parser.parseOptionalAttribute(pattern);
  if (!hasPattern.has_value())
    return parser.emitError(location,
                            "expected a pattern such as @vanilla::@conv2d");
  if (failed(*hasPattern))
    return failure();
  result.addAttribute(getPatternAttrName(result.name), pattern);

  SmallVector<OpAsmParser::Argument> arguments;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    OpAsmParser::UnresolvedOperand operand;
    return failure(
        parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(operand) || parser.parseColonType(argument.type) ||
        parser.resolveOperand(operand, argument.type, result.operands));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput,
                                     " in the inputs") ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void CompositeOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPattern() << " (";
  llvm::interleaveComma(llvm::zip_equal(getBody().getArguments(), getInputs()),
                        printer, [&](auto pair) {
                          auto [argument, input] = pair;
                          printer.printRegionArgument(argument, /*argAttrs=*/{},
                                                      /*omitType=*/true);
                          printer << " = " << input << " : " << input.getType();
                        });
  printer << ')';
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           getPatternAttrName().getValue());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

Value CompositeOp::getOuterTensor(Value inner) {
  if (auto argument = dyn_cast<BlockArgument>(inner))
    return getInputs()[argument.getArgNumber()];
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  for (auto [yielded, result] :
       llvm::zip_equal(yield.getValues(), getResults()))
    if (yielded == inner)
      return result;
  return inner;
}

LogicalResult CompositeOp::verify() {
  if (getPattern().getNestedReferences().size() != 1)
    return emitOpError() << "pattern is " << getPattern()
                         << ", expected an accelerator and one of its patterns "
                            "as in @vanilla::@conv2d";
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError() << "body has " << block.getNumArguments()
                         << " arguments, expected " << getInputs().size()
                         << ", one for each input";
  for (auto [index, argument] : llvm::enumerate(block.getArguments()))
    if (argument.getType() != getInputs()[index].getType())
      return emitOpError() << "argument " << index << " of the body has type "
                           << argument.getType() << ", expected "
                           << getInputs()[index].getType() << " as input "
                           << index;
  return success();
}

LogicalResult CompositeOp::verifyRegions() {
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (yield.getValues().size() != getNumResults())
    return yield.emitOpError()
           << "gives " << yield.getValues().size() << " values, expected "
           << getNumResults() << ", one for each result of the composite";
  for (auto [index, value] : llvm::enumerate(yield.getValues()))
    if (value.getType() != getResult(index).getType())
      return yield.emitOpError()
             << "value " << index << " has type " << value.getType()
             << ", expected " << getResult(index).getType() << " as result "
             << index << " of the composite";
  return success();
}
