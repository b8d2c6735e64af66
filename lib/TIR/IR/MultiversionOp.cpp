//===- MultiversionOp.cpp - uma.tir.multiversion --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

void MultiversionOp::build(OpBuilder &builder, OperationState &state,
                           ArrayRef<int64_t> lanes,
                           ArrayRef<StringRef> guards) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.lanes = builder.getDenseI64ArrayAttr(lanes);
  properties.guards = builder.getStrArrayAttr(guards);
  OpBuilder::InsertionGuard guard(builder);
  for (size_t i = 0; i <= lanes.size(); ++i) {
    Region *version = state.addRegion();
    builder.createBlock(version);
    ensureTerminator(*version, builder, state.location);
  }
}

/// multiversion ::= (`lanes` `(` integer `)` (`guard` `(` string `)`)? region)*
///                  `default` region attr-dict
ParseResult MultiversionOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SmallVector<int64_t> lanes;
  SmallVector<Attribute> guards;
  auto parseVersion = [&]() -> ParseResult {
    Region *version = result.addRegion();
    if (parser.parseRegion(*version))
      return failure();
    ensureTerminator(*version, builder, result.location);
    return success();
  };
  while (succeeded(parser.parseOptionalKeyword("lanes"))) {
    if (parser.parseLParen() || parser.parseInteger(lanes.emplace_back()) ||
        parser.parseRParen())
      return failure();
    StringAttr guard = builder.getStringAttr("");
    if (succeeded(parser.parseOptionalKeyword("guard")) &&
        (parser.parseLParen() || parser.parseAttribute(guard) ||
         parser.parseRParen()))
      return failure();
    guards.push_back(guard);
    if (parseVersion())
      return failure();
  }
  if (parser.parseKeyword("default") || parseVersion() ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.lanes = builder.getDenseI64ArrayAttr(lanes);
  properties.guards = builder.getArrayAttr(guards);
  return success();
}

void MultiversionOp::print(OpAsmPrinter &printer) {
  auto printVersion = [&](Region &version) {
    printer << ' ';
    bool hasAttributes =
        !version.front().getTerminator()->getDiscardableAttrs().empty();
    printer.printRegion(version, /*printEntryBlockArgs=*/false,
                        /*printBlockTerminators=*/hasAttributes);
  };
  for (auto [lanes, guard, version] : llvm::zip(
           getLanes(), getGuards().getAsRange<StringAttr>(), getVersions())) {
    printer << " lanes(" << lanes << ')';
    if (!guard.empty())
      printer << " guard(" << guard << ')';
    printVersion(version);
  }
  printer << " default";
  printVersion(getVersions().back());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getLanesAttrName(), getGuardsAttrName()});
}

LogicalResult MultiversionOp::verify() {
  if (getVersions().size() != getLanes().size() + 1)
    return emitOpError() << "has " << getVersions().size()
                         << " versions, expected one for each of the "
                         << getLanes().size() << " widths and a default";
  if (getGuards().size() != getLanes().size())
    return emitOpError() << "has guards for " << getGuards().size()
                         << " versions, expected " << getLanes().size();
  int64_t wider = std::numeric_limits<int64_t>::max();
  for (auto [lanes, guard] :
       llvm::zip_equal(getLanes(), getGuards().getAsRange<StringAttr>())) {
    // The guard is used in a preprocessor condition.
    if (!llvm::all_of(guard.getValue(),
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return emitOpError() << "has the guard " << guard
                           << ", expected the name of a macro";
    if (lanes < 2 || !llvm::isPowerOf2_64(lanes))
      return emitOpError() << "has a version of " << lanes
                           << " lanes, expected a power of 2 from 2 on";
    if (lanes >= wider)
      return emitOpError() << "has a version of " << lanes
                           << " lanes behind one of " << wider
                           << ", expected the widest first";
    // A version with a guard may be followed by others of the same width.
    wider = guard.empty() ? lanes : lanes + 1;
  }
  return success();
}
