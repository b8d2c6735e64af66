//===- TiledPairs.cpp - Calls to layers and tiled pairs -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Emits the calls to layers. A convolution and its depthwise consumer share the
// loops over tiles, so that the tensor between them is a rolling buffer.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Kernels/BufferProvider.h"

using namespace mlir;
using namespace uma;

tir::FuncOp BufferProvider::createLayer(Location loc, StringRef name,
                                        StringRef layer, ValueRange arguments) {
  tir::FuncOp function = createFunction(loc, name, layer, arguments.getTypes());
  tir::CallOp::create(builder, loc, function.getName(), arguments);
  return function;
}

PlacedTensor BufferProvider::startPair(Value tensor, const TilePair &pair) {
  pairs[tensor].pair = pair;
  auto type = cast<MemRefType>(getStored(tensor).buffer.getType());
  return reshapeStored(tensor, pair.getShape(type.getShape()));
}

const TilePair *BufferProvider::getPair(Value tensor) const {
  auto entry = pairs.find(tensor);
  return entry == pairs.end() ? nullptr : &entry->second.pair;
}

tir::FuncOp BufferProvider::createPaired(Location loc, StringRef name,
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
