//===- BlockOp.cpp - uma.tir.block ----------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

IterKind BlockOp::getIterKind(unsigned index) {
  return cast<IterKindAttr>(getIterKinds()[index]).getValue();
}

SmallVector<IterVar> BlockOp::getIterVars() {
  SmallVector<IterVar> result;
  for (auto [index, binding, extent] :
       llvm::enumerate(getBindings(), getExtents()))
    result.push_back({getIterKind(index), binding, extent});
  return result;
}

static SmallVector<BufferRegion> toRegions(OperandRange buffers, ArrayAttr maps,
                                           ArrayAttr extents) {
  SmallVector<BufferRegion> result;
  for (auto [buffer, map, sizes] : llvm::zip_equal(buffers, maps, extents))
    result.push_back(
        {buffer, cast<AffineMapAttr>(map).getValue(),
         SmallVector<int64_t>(cast<DenseI64ArrayAttr>(sizes).asArrayRef())});
  return result;
}

SmallVector<BufferRegion> BlockOp::getReadRegions() {
  return toRegions(getReads(), getReadMaps(), getReadExtents());
}

SmallVector<BufferRegion> BlockOp::getWriteRegions() {
  return toRegions(getWrites(), getWriteMaps(), getWriteExtents());
}

/// Sets the operands to the buffers of `regions`, and returns their maps and
/// extents as attributes.
static std::pair<ArrayAttr, ArrayAttr>
setRegions(MutableOperandRange operands, ArrayRef<BufferRegion> regions) {
  Builder builder(operands.getOwner()->getContext());
  SmallVector<Value> buffers;
  SmallVector<Attribute> maps, extents;
  for (const BufferRegion &region : regions) {
    buffers.push_back(region.buffer);
    maps.push_back(AffineMapAttr::get(region.first));
    extents.push_back(builder.getDenseI64ArrayAttr(region.extents));
  }
  operands.assign(buffers);
  return {builder.getArrayAttr(maps), builder.getArrayAttr(extents)};
}

void BlockOp::setReadRegions(ArrayRef<BufferRegion> regions) {
  auto [maps, extents] = setRegions(getReadsMutable(), regions);
  setReadMapsAttr(maps);
  setReadExtentsAttr(extents);
}

void BlockOp::setWriteRegions(ArrayRef<BufferRegion> regions) {
  auto [maps, extents] = setRegions(getWritesMutable(), regions);
  setWriteMapsAttr(maps);
  setWriteExtentsAttr(extents);
}

void BlockOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "v");
}

/// Attributes of a block, as filled by the parser and the builder.
namespace {
struct Attributes {
  SmallVector<Attribute> kinds;
  SmallVector<int64_t> extents;
  SmallVector<Attribute> readMaps, writeMaps;
  SmallVector<Attribute> readExtents, writeExtents;

  void addTo(BlockOp::Properties &properties, MLIRContext *context,
             StringAttr label, bool hasPredicate) {
    Builder builder(context);
    properties.label = label;
    properties.iter_kinds = builder.getArrayAttr(kinds);
    properties.extents = builder.getDenseI64ArrayAttr(extents);
    properties.read_maps = builder.getArrayAttr(readMaps);
    properties.write_maps = builder.getArrayAttr(writeMaps);
    properties.read_extents = builder.getArrayAttr(readExtents);
    properties.write_extents = builder.getArrayAttr(writeExtents);
    properties.operandSegmentSizes = {static_cast<int32_t>(extents.size()),
                                      static_cast<int32_t>(hasPredicate),
                                      static_cast<int32_t>(readMaps.size()),
                                      static_cast<int32_t>(writeMaps.size())};
  }
};
} // namespace

void BlockOp::build(OpBuilder &builder, OperationState &state, StringRef label,
                    ArrayRef<IterVar> iterVars, ArrayRef<BufferRegion> reads,
                    ArrayRef<BufferRegion> writes, bool hasInit,
                    Value predicate) {
  Attributes attributes;
  for (const IterVar &iterVar : iterVars) {
    state.addOperands(iterVar.binding);
    attributes.kinds.push_back(
        IterKindAttr::get(builder.getContext(), iterVar.kind));
    attributes.extents.push_back(iterVar.extent);
  }
  if (predicate)
    state.addOperands(predicate);
  auto addRegions = [&](ArrayRef<BufferRegion> regions,
                        SmallVector<Attribute> &maps,
                        SmallVector<Attribute> &extents) {
    for (const BufferRegion &region : regions) {
      state.addOperands(region.buffer);
      maps.push_back(AffineMapAttr::get(region.first));
      extents.push_back(builder.getDenseI64ArrayAttr(region.extents));
    }
  };
  addRegions(reads, attributes.readMaps, attributes.readExtents);
  addRegions(writes, attributes.writeMaps, attributes.writeExtents);
  attributes.addTo(state.getOrAddProperties<Properties>(), builder.getContext(),
                   builder.getStringAttr(label), bool(predicate));

  SmallVector<Type> types(iterVars.size(), builder.getIndexType());
  SmallVector<Location> locations(iterVars.size(), state.location);
  Region *init = state.addRegion();
  Region *body = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  if (hasInit) {
    builder.createBlock(init, init->end(), types, locations);
    ensureTerminator(*init, builder, state.location);
  }
  builder.createBlock(body, body->end(), types, locations);
  ensureTerminator(*body, builder, state.location);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//
//
// block  ::= string `(` (iter (`,` iter)*)? `)` (`where` ssa-use)?
//            (`reads` `(` access-list `)`)? (`writes` `(` access-list `)`)?
//            (`init` names? region `do`)? region attr-dict
// iter   ::= (`spatial` | `reduce`) ssa-id `=` ssa-use `in` integer
// access ::= ssa-use `[` affine-map `,` `[` integer-list `]` `]` `:` type
// names  ::= `(` ssa-id-list `)`

static ParseResult parseIterVars(OpAsmParser &parser, OperationState &result,
                                 SmallVector<OpAsmParser::Argument> &arguments,
                                 Attributes &attributes) {
  Type index = parser.getBuilder().getIndexType();
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        StringRef keyword;
        if (parser.parseKeyword(&keyword))
          return failure();
        std::optional<IterKind> kind = symbolizeIterKind(keyword);
        if (!kind)
          return parser.emitError(loc)
                 << "unknown kind of iteration variable '" << keyword
                 << "', expected spatial or reduce";
        attributes.kinds.push_back(
            IterKindAttr::get(parser.getContext(), *kind));
        OpAsmParser::Argument &argument = arguments.emplace_back();
        argument.type = index;
        OpAsmParser::UnresolvedOperand binding;
        return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                       parser.parseOperand(binding) ||
                       parser.resolveOperand(binding, index, result.operands) ||
                       parser.parseKeyword("in") ||
                       parser.parseInteger(attributes.extents.emplace_back()));
      });
}

static ParseResult parseAccesses(OpAsmParser &parser, OperationState &result,
                                 StringRef keyword,
                                 SmallVector<Attribute> &maps,
                                 SmallVector<Attribute> &extents) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        OpAsmParser::UnresolvedOperand buffer;
        AffineMapAttr map;
        SmallVector<int64_t> sizes;
        Type type;
        if (parser.parseOperand(buffer) || parser.parseLSquare() ||
            parser.parseAttribute(map) || parser.parseComma() ||
            parser.parseCommaSeparatedList(
                AsmParser::Delimiter::Square,
                [&] { return parser.parseInteger(sizes.emplace_back()); }) ||
            parser.parseRSquare() || parser.parseColonType(type) ||
            parser.resolveOperand(buffer, type, result.operands))
          return failure();
        maps.push_back(map);
        extents.push_back(parser.getBuilder().getDenseI64ArrayAttr(sizes));
        return success();
      });
}

ParseResult BlockOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr label;
  SmallVector<OpAsmParser::Argument> arguments;
  Attributes attributes;
  if (parser.parseAttribute(label) ||
      parseIterVars(parser, result, arguments, attributes))
    return failure();
  bool hasPredicate = succeeded(parser.parseOptionalKeyword("where"));
  OpAsmParser::UnresolvedOperand predicate;
  if (hasPredicate &&
      (parser.parseOperand(predicate) ||
       parser.resolveOperand(predicate, builder.getI1Type(), result.operands)))
    return failure();
  if (parseAccesses(parser, result, "reads", attributes.readMaps,
                    attributes.readExtents) ||
      parseAccesses(parser, result, "writes", attributes.writeMaps,
                    attributes.writeExtents))
    return failure();
  attributes.addTo(result.getOrAddProperties<Properties>(),
                   builder.getContext(), label, hasPredicate);

  Region *init = result.addRegion();
  Region *body = result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("init"))) {
    SmallVector<OpAsmParser::Argument> initArguments;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseArgumentList(initArguments,
                                 OpAsmParser::Delimiter::OptionalParen))
      return failure();
    if (initArguments.empty())
      initArguments = arguments;
    if (initArguments.size() != arguments.size())
      return parser.emitError(loc) << "init region has " << initArguments.size()
                                   << " iteration variables, expected "
                                   << arguments.size() << " as the block";
    for (OpAsmParser::Argument &argument : initArguments)
      argument.type = builder.getIndexType();
    if (parser.parseRegion(*init, initArguments) || parser.parseKeyword("do"))
      return failure();
    ensureTerminator(*init, builder, result.location);
  }
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

static void printAccesses(OpAsmPrinter &printer, StringRef keyword,
                          OperandRange buffers, ArrayAttr maps,
                          ArrayAttr extents) {
  if (buffers.empty())
    return;
  printer.printNewline();
  printer << "    " << keyword << '(';
  llvm::interleaveComma(
      llvm::zip_equal(buffers, maps, extents), printer, [&](auto access) {
        auto [buffer, map, sizes] = access;
        printer << buffer << '[' << map << ", [";
        llvm::interleaveComma(cast<DenseI64ArrayAttr>(sizes).asArrayRef(),
                              printer);
        printer << "]] : " << buffer.getType();
      });
  printer << ')';
}

static void printBody(OpAsmPrinter &printer, Region &region) {
  printer << ' ';
  Operation *terminator = region.front().getTerminator();
  printer.printRegion(region, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/
                      !terminator->getDiscardableAttrs().empty());
}

void BlockOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getLabelAttr() << " (";
  for (unsigned index = 0, count = getBindings().size(); index < count; ++index)
    printer << (index ? ", " : "") << stringifyIterKind(getIterKind(index))
            << ' ' << getBodyVars()[index] << " = " << getBindings()[index]
            << " in " << getExtents()[index];
  printer << ')';
  if (Value predicate = getPredicate())
    printer << " where " << predicate;
  printAccesses(printer, "reads", getReads(), getReadMaps(), getReadExtents());
  printAccesses(printer, "writes", getWrites(), getWriteMaps(),
                getWriteExtents());
  if (hasInit()) {
    printer.printNewline();
    printer << "init";
    if (getInit().getNumArguments()) {
      printer << " (";
      llvm::interleaveComma(getInitVars(), printer);
      printer << ')';
    }
    printBody(printer, getInit());
    printer << " do";
  }
  printBody(printer, getBody());
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getLabelAttrName(), getIterKindsAttrName(), getExtentsAttrName(),
       getReadMapsAttrName(), getWriteMapsAttrName(), getReadExtentsAttrName(),
       getWriteExtentsAttrName(), getOperandSegmentSizesAttrName()});
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyAccesses(BlockOp op, StringRef what,
                                    OperandRange buffers, ArrayAttr maps,
                                    ArrayAttr extents) {
  if (maps.size() != buffers.size() || extents.size() != buffers.size())
    return op.emitOpError()
           << what << " " << buffers.size() << " buffers with " << maps.size()
           << " maps and " << extents.size() << " extents, expected as many";
  unsigned count = op.getBindings().size();
  for (unsigned index = 0; index < buffers.size(); ++index) {
    auto type = cast<MemRefType>(buffers[index].getType());
    AffineMap map = cast<AffineMapAttr>(maps[index]).getValue();
    ArrayRef<int64_t> sizes =
        cast<DenseI64ArrayAttr>(extents[index]).asArrayRef();
    auto error = [&]() {
      return op.emitOpError()
             << what << " buffer #" << index << " of type " << type << ": ";
    };
    if (map.getNumDims() != count || map.getNumSymbols() != 0)
      return error() << "the map has " << map.getNumDims() << " dimensions and "
                     << map.getNumSymbols() << " symbols, expected " << count
                     << " dimensions (one per iteration variable) and no "
                        "symbols";
    if (map.getNumResults() != type.getRank())
      return error() << "the map has " << map.getNumResults()
                     << " results, expected " << type.getRank()
                     << ", the rank of the buffer";
    if (static_cast<int64_t>(sizes.size()) != type.getRank())
      return error() << "the region has " << sizes.size()
                     << " extents, expected " << type.getRank()
                     << ", the rank of the buffer";
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (size < 1 || size > type.getDimSize(dim))
        return error() << "the extent of dimension " << dim << " is " << size
                       << ", expected 1 to " << type.getDimSize(dim);
  }
  return success();
}

LogicalResult BlockOp::verify() {
  size_t count = getBindings().size();
  if (getIterKinds().size() != count || getExtents().size() != count)
    return emitOpError() << "has " << count << " bindings, "
                         << getIterKinds().size() << " iteration kinds and "
                         << getExtents().size() << " extents, expected as many";
  for (auto [index, extent] : llvm::enumerate(getExtents()))
    if (extent < 1)
      return emitOpError() << "iteration variable #" << index << " has extent "
                           << extent << ", expected a positive number";

  auto checkVars = [&](StringRef name, Region &region) -> LogicalResult {
    if (region.getNumArguments() != count ||
        !llvm::all_of(region.getArgumentTypes(),
                      [](Type type) { return type.isIndex(); }))
      return emitOpError() << name << " region has arguments of types ("
                           << region.getArgumentTypes() << "), expected "
                           << count << " of type index";
    return success();
  };
  if (failed(checkVars("body", getBody())) ||
      (hasInit() && failed(checkVars("init", getInit()))))
    return failure();
  if (failed(verifyAccesses(*this, "reads", getReads(), getReadMaps(),
                            getReadExtents())))
    return failure();
  return verifyAccesses(*this, "writes", getWrites(), getWriteMaps(),
                        getWriteExtents());
}
