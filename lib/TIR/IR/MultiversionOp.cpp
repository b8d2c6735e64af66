//===- MultiversionOp.cpp - uma.tir.multiversion --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

void MultiversionOp::build(OpBuilder &builder, OperationState &state,
                           ArrayRef<int64_t> lanes, ArrayRef<bool> unfused) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.lanes = builder.getDenseI64ArrayAttr(lanes);
  properties.unfused = builder.getDenseBoolArrayAttr(unfused);
  OpBuilder::InsertionGuard guard(builder);
  for (size_t i = 0; i <= lanes.size(); ++i) {
    Region *version = state.addRegion();
    builder.createBlock(version);
    ensureTerminator(*version, builder, state.location);
  }
}

/// multiversion ::= (`lanes` `(` integer `)` `unfused`? region)*
///                  `default` region attr-dict
ParseResult MultiversionOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SmallVector<int64_t> lanes;
  SmallVector<bool> unfused;
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
    unfused.push_back(succeeded(parser.parseOptionalKeyword("unfused")));
    if (parseVersion())
      return failure();
  }
  if (parser.parseKeyword("default") || parseVersion() ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.lanes = builder.getDenseI64ArrayAttr(lanes);
  properties.unfused = builder.getDenseBoolArrayAttr(unfused);
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
  for (auto [lanes, unfused, version] :
       llvm::zip(getLanes(), getUnfused(), getVersions())) {
    printer << " lanes(" << lanes << ')' << (unfused ? " unfused" : "");
    printVersion(version);
  }
  printer << " default";
  printVersion(getVersions().back());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getLanesAttrName(), getUnfusedAttrName()});
}

LogicalResult MultiversionOp::verify() {
  if (getVersions().size() != getLanes().size() + 1)
    return emitOpError() << "has " << getVersions().size()
                         << " versions, expected one for each of the "
                         << getLanes().size() << " widths and a default";
  if (getUnfused().size() != getLanes().size())
    return emitOpError() << "says of " << getUnfused().size()
                         << " versions whether they are unfused, expected "
                         << getLanes().size();
  int64_t wider = std::numeric_limits<int64_t>::max();
  for (auto [lanes, unfused] : llvm::zip_equal(getLanes(), getUnfused())) {
    if (lanes < 2 || !llvm::isPowerOf2_64(lanes))
      return emitOpError() << "has a version of " << lanes
                           << " lanes, expected a power of 2 from 2 on";
    if (lanes >= wider)
      return emitOpError() << "has a version of " << lanes
                           << " lanes behind one of " << wider
                           << ", expected the widest first";
    // Those with fused multiply-adds have one of the same width.
    wider = unfused ? lanes + 1 : lanes;
  }
  return success();
}
