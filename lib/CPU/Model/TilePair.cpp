//===- TilePair.cpp - Producer-consumer tiling ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/TilePair.h"

using namespace mlir;
using namespace uma;

static graph::Window getWindow(const CPULayer &reader) {
  return cast<graph::Conv2dOp>(reader.anchor).getDims().window;
}

bool TilePair::fitsSlabs(int64_t slabs, const graph::Window &window) {
  int64_t stride = window.strides[0], output = window.getOutput(0);
  int64_t kept = window.getExtent(0) - stride;
  // Kept rows must come from the previous slab.
  return slabs == 1 || (output % slabs == 0 && kept == window.padBegin[0] &&
                        output * stride == window.input[0] &&
                        output / slabs * stride >= kept);
}

TilePair TilePair::get(int64_t packs, int64_t slabs, const CPULayer &writer,
                       const CPULayer &reader) {
  BufferLayout layout = writer.getResultLayout();
  graph::Window window = getWindow(reader);
  TilePair pair;
  pair.packs = packs;
  pair.slabs = slabs;
  pair.blocks =
      writer.getType().getDimSize(layout.channelDim) / layout.block / packs;
  if (slabs != 1) {
    pair.readerRows = window.getOutput(0) / slabs;
    pair.writerRows = pair.readerRows * window.strides[0];
    pair.keptRows = window.getExtent(0) - window.strides[0];
  }
  return pair;
}
