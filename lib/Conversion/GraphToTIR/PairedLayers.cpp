//===- PairedLayers.cpp - Two layers computed tile by tile ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The loops over tiles are in the function that calls both layers, so that each
// layer stays a function.
//
//===----------------------------------------------------------------------===//

#include "ModuleConverter.h"

using namespace mlir;
using namespace uma;

PlacedTensor ModuleConverter::startPair(Value tensor, const TilePair &pair) {
  PlacedTensor &placed = buffers[tensor].front();
  auto whole = placed.buffer.getDefiningOp<tir::AllocOp>();
  auto type = cast<MemRefType>(placed.buffer.getType());
  placed.buffer = allocate(
      MemRefType::get(pair.getShape(type.getShape()), type.getElementType()),
      whole.getLabel().value_or(""), whole.getLoc());
  whole.erase();
  pairs[tensor].pair = pair;
  return placed;
}

const TilePair *ModuleConverter::getPair(Value tensor) const {
  auto entry = pairs.find(tensor);
  return entry == pairs.end() ? nullptr : &entry->second.pair;
}

tir::FuncOp ModuleConverter::createPaired(Location loc, StringRef name,
                                          StringRef layer, ValueRange arguments,
                                          Value tensor) {
  PairedLayers &layers = pairs[tensor];
  SmallVector<int64_t, 2> extents = layers.pair.getExtents();
  SmallVector<Type> types(arguments.getTypes());
  types.append(extents.size(), builder.getIndexType());
  tir::FuncOp function = createFunction(loc, name, layer, types);
  if (!layers.writer) {
    layers.writer = function;
    layers.arguments.assign(arguments.begin(), arguments.end());
    return function;
  }
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value, 2> tile;
  for (int64_t extent : extents) {
    auto loop = tir::ForOp::create(builder, loc, builder.getIndexAttr(0),
                                   builder.getIndexAttr(extent));
    builder.setInsertionPointToStart(&loop.getBody().front());
    tile.push_back(loop.getInductionVar());
  }
  auto call = [&](tir::FuncOp callee, ValueRange own) {
    SmallVector<Value> all(own);
    llvm::append_range(all, tile);
    tir::CallOp::create(builder, callee.getLoc(), callee.getName(), all);
  };
  call(layers.writer, layers.arguments);
  call(function, arguments);
  return function;
}
