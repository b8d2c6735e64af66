//===- TileProducer.cpp - Elementwise layers in tiles ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TileProducer.h"

#include "uma/Support/LayerName.h"

using namespace mlir;
using namespace uma;

void TileProducer::addTo(SmallVector<Value> &readerArguments) {
  arguments = readerArguments;
  addOperands();
  readerArguments = arguments;
}

Contraction::Producer TileProducer::get(LayerBuilder &b,
                                        ArrayRef<Value> readerParameters,
                                        const PointFn &getPoint, bool isFlat) {
  parameters.assign(readerParameters.begin(), readerParameters.end());
  Contraction::Producer producer;
  for (auto [operand, argument] : llvm::zip_equal(operands, operandArguments))
    producer.operands.push_back(
        getResultOperand(b, operand, argument, getPoint, isFlat));
  producer.finish = [this](LayerBuilder &b, ValueRange elements) {
    return finish(b, Value(), elements);
  };
  return producer;
}

void TileProducer::addNames(tir::FuncOp reader) const {
  Builder builder(reader.getContext());
  SmallVector<Attribute> names;
  for (Operation *op : layer.ops)
    names.push_back(builder.getStringAttr(getLayerName(op)));
  llvm::append_range(names, reader->getAttrOfType<ArrayAttr>(kLayersAttrName));
  reader->setAttr(kLayersAttrName, builder.getArrayAttr(names));
}
