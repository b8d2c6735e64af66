//===- TileProducer.cpp - Producers computed in tiles ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/TileProducer.h"

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/Problems.h"

using namespace mlir;
using namespace uma;

static bool isDirect(const CPULayer &layer) {
  KernelAttr kernel = layer.getKernel();
  return kernel && kernel.getAlgorithm() == Algorithm::Direct;
}

bool uma::canTileProducer(const CPULayers &layers, const CPULayer &reader) {
  if (reader.kind != CPULayer::Kind::Conv || !isDirect(reader) ||
      reader.getTilePair() || reader.getWordSize() != 1 ||
      !isFloatTensor(reader.anchor->getResult(0)))
    return false;
  ConvGeometry conv = *ConvGeometry::of(reader.anchor);
  Value data = reader.getData();
  BufferLayout layout = reader.getLayout(data);
  if (conv.groups != 1 || !readsPixels(conv, layout) || layout.block == 0 ||
      conv.getGroupInputs() % layout.block != 0)
    return false;
  Value tensor = reader.getOutside(data);
  Operation *op = tensor.getDefiningOp();
  const CPULayer *writer = op ? layers.lookup(op) : nullptr;
  if (!writer || !tensor.hasOneUse() ||
      writer->kind != CPULayer::Kind::Elementwise || !isDirect(*writer) ||
      writer->isLookup() || !(writer->getResultLayout() == layout) ||
      !isFloatTensor(tensor))
    return false;
  bool readsFloats =
      llvm::all_of(writer->getOperands(), [](const LayerOperand &operand) {
        return isFloatTensor(operand.tensor);
      });
  return readsFloats && (!isFlat(reader, conv) || writer->canFlatten());
}
