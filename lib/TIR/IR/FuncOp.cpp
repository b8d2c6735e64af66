//===- FuncOp.cpp - uma.tir.func ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                   TypeRange argumentTypes,
                   ArrayRef<NamedAttribute> attributes) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(
      getFunctionTypeAttrName(state.name),
      TypeAttr::get(builder.getFunctionType(argumentTypes, TypeRange())));
  state.addAttributes(attributes);
  Region *body = state.addRegion();
  SmallVector<Location> locations(argumentTypes.size(), state.location);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(body, body->end(), argumentTypes, locations);
  ensureTerminator(*body, builder, state.location);
}

/// Like function_interface_impl::parseFunctionOp, which rejects the empty body
/// that an implicit terminator allows.
ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility,
                                            {"public", "private", "nested"})))
    result.addAttribute(getSymVisibilityAttrName(result.name),
                        builder.getStringAttr(visibility));

  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();

  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttributes;
  bool isVariadic = false;
  SMLoc signatureLoc = parser.getCurrentLocation();
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttributes))
    return failure();
  if (!resultTypes.empty())
    return parser.emitError(signatureLoc)
           << "a uma.tir.func has no results: it writes into buffers given as "
              "arguments";

  SmallVector<Type> argumentTypes;
  for (const OpAsmParser::Argument &argument : arguments)
    argumentTypes.push_back(argument.type);
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(builder.getFunctionType(argumentTypes, TypeRange())));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      builder, result, arguments, resultAttributes,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void FuncOp::print(OpAsmPrinter &printer) {
  if (std::optional<StringRef> visibility = getSymVisibility())
    printer << ' ' << *visibility;
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(
      printer, *this, getArgumentTypes(), /*isVariadic=*/false,
      getResultTypes());
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getSymVisibilityAttrName(), getFunctionTypeAttrName(),
       getArgAttrsAttrName(), getResAttrsAttrName()});
  printer << ' ';
  Operation *terminator = getBody().front().getTerminator();
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/
                      !terminator->getDiscardableAttrs().empty());
}

LogicalResult FuncOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError() << "has results " << getResultTypes()
                         << ", expected none: it writes into buffers given as "
                            "arguments";
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (buffer &&
        (!buffer.hasStaticShape() || !buffer.getLayout().isIdentity()))
      return emitOpError() << "argument #" << index << " has type " << type
                           << ", expected a buffer with static shape and "
                              "identity layout";
    if (!buffer && !type.isIndex() && !type.isSignlessInteger() &&
        !isa<FloatType>(type))
      return emitOpError() << "argument #" << index << " has type " << type
                           << ", expected a memref, an integer, a float or an "
                              "index";
    if (!buffer && getArgAttr(index, kOutputAttrName))
      return emitOpError() << "argument #" << index << " has type " << type
                           << " and attribute '" << kOutputAttrName
                           << "', expected a memref: outputs are buffers";
  }
  return success();
}
