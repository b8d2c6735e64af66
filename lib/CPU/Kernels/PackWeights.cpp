//===- PackWeights.cpp - Packed weights -----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;

/// Packs elements of type `T`; see packWeights.
template <typename T>
static void pack(const HostTensor &weights, const WeightOrder &order,
                 const PackLayout &layout, int64_t numPanels, int64_t depth,
                 HostTensor &packed) {
  ArrayRef<int64_t> extents = order.extents, strides = order.strides;
  auto [width, panel, gap] = layout;
  int64_t parts = width / panel;
  const auto *from = reinterpret_cast<const T *>(weights.getBytes().data());
  auto *to = reinterpret_cast<T *>(packed.getMutableBytes().data());
  SmallVector<int64_t> place(extents.size());
  for (int64_t index = 0; index < order.groups * numPanels; ++index) {
    // The last pack ends with the last channel.
    int64_t inGroup = index % numPanels;
    int64_t first = std::min(inGroup / parts * width, order.channels - width) +
                    inGroup % parts * panel;
    const T *column = from + order.offset +
                      index / numPanels * order.groupStride +
                      first * order.channelStride;
    place.assign(extents.size(), 0);
    int64_t offset = 0;
    for (int64_t step = 0; step < depth; ++step) {
      for (int64_t channel = 0; channel < panel; ++channel)
        for (int64_t i = 0; i < order.wordSize; ++i)
          *to++ = column[offset + channel * order.channelStride +
                         i * order.wordStride];
      // Advance to the next place, the last dimension fastest.
      for (size_t dim = extents.size(); dim-- > 0;) {
        offset += strides[dim];
        if (++place[dim] < extents[dim])
          break;
        offset -= strides[dim] * extents[dim];
        place[dim] = 0;
      }
    }
    to += gap * panel * order.wordSize;
  }
}

ElementsAttr uma::packWeights(const HostTensor &weights,
                              const WeightOrder &order,
                              const PackLayout &layout, StringRef name) {
  auto [width, panel, gap] = layout;
  int64_t depth = 1;
  int64_t numPanels = llvm::divideCeil(order.channels, width) * (width / panel);
  for (int64_t extent : order.extents)
    depth *= extent;
  SmallVector<int64_t> shape = {numPanels, depth + gap, panel * order.wordSize};
  if (order.groups != 1)
    shape.insert(shape.begin(), order.groups);
  HostTensor packed(RankedTensorType::get(shape, weights.getElementType()));
  switch (weights.getElementType().getIntOrFloatBitWidth()) {
  case 8:
    pack<uint8_t>(weights, order, layout, numPanels, depth, packed);
    break;
  case 16:
    pack<uint16_t>(weights, order, layout, numPanels, depth, packed);
    break;
  case 64:
    pack<uint64_t>(weights, order, layout, numPanels, depth, packed);
    break;
  default:
    pack<uint32_t>(weights, order, layout, numPanels, depth, packed);
  }
  return packed.toAttribute(name);
}

void uma::buildPackedMatrix(LayerBuilder &b, Value matrix, bool isTransposed,
                            int64_t width, Value packed) {
  ArrayRef<int64_t> shape = getShape(packed);
  int64_t panel = shape.back(), parts = width / panel;
  int64_t packs = shape[1] / parts;
  int64_t channels = getShape(matrix)[isTransposed ? 1 : 2];
  int64_t depth = getShape(matrix)[isTransposed ? 2 : 1];
  // Iteration variables: batch, pack, panel in the pack, depth, place in the
  // panel, first channel of the pack.
  SmallVector<LayerBuilder::Dim> dims = {{shape[0]}, {packs}, {parts},
                                         {depth},    {panel}, {channels}};
  AffineExpr channel = b.dim(5) + b.dim(2) * panel + b.dim(4);
  LayerBuilder::Access source{matrix, {b.dim(0), b.dim(3), channel}};
  if (isTransposed)
    std::swap(source.first[1], source.first[2]);
  LayerBuilder::Access target{
      packed, {b.dim(0), b.dim(1) * parts + b.dim(2), b.dim(3), b.dim(4)}};
  // Threads share the first loop that they can share evenly, or the depth.
  int64_t outer[] = {shape[0], packs};
  bool sharesDepth = llvm::none_of(outer, isEvenlyShared);
  auto buildPack = [&](ValueRange blocks) {
    Value step = b.index(width), last = b.index(channels - width);
    Value begin = arith::MulIOp::create(b.builder, b.loc, blocks[1], step);
    Value first = arith::MinSIOp::create(b.builder, b.loc, begin, last);
    auto buildPlace = [&](ValueRange places) {
      b.block("pack", dims,
              {blocks[0], blocks[1], places[0], places[1], places[2], first},
              {source}, {target}, [&](ValueRange vars) {
                Value element = b.load(matrix, b.applyAll(source, vars));
                b.storeAt(element, target, vars);
              });
    };
    b.loops({parts, depth, panel}, buildPlace,
            sharesDepth ? std::optional<size_t>(1) : std::nullopt);
  };
  b.loops(outer, buildPack,
          sharesDepth ? std::size(outer) : chooseParallel(outer));
}
