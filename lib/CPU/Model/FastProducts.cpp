//===- FastProducts.cpp - Winograd's and Strassen's algorithms ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/FastProducts.h"

#include "uma/CPU/Model/TileModel.h"

#include <algorithm>

using namespace mlir;
using namespace uma;

std::optional<QuarterProduct> QuarterProduct::of(const graph::ConvDims &dims,
                                                 const BufferLayout &data,
                                                 const BufferLayout &result) {
  const graph::Window &window = dims.window;
  for (int64_t dim : {0, 1})
    if (window.kernel[dim] != 1 || window.strides[dim] != 1 ||
        window.padBegin[dim] != 0 || window.padEnd[dim] != 0)
      return std::nullopt;
  if (dims.groups != 1 || data.block == 0 || result.block == 0)
    return std::nullopt;
  QuarterProduct product{
      dims.batch,       window.input[0], window.input[1], dims.inChannels,
      dims.outChannels, data.block,      result.block,    false};
  if (!data.hasHalo() && !result.hasHalo())
    product.flatten();
  return product;
}

bool QuarterProduct::canSplit() const {
  return rows >= 2 && inputs % 2 == 0 && outputs % 2 == 0 &&
         inputs / 2 % getInBlock() == 0 && outputs / 2 % getOutBlock() == 0;
}

double QuarterProduct::getDirectCost() const {
  return double(images * rows * columns) * double(inputs) * double(outputs);
}

/// Returns the time to read an element of weights from memory, in products of
/// one core at its peak.
static double getReadCost(const Processor &processor) {
  return processor.getPeak() * double(processor.memoryLineCycles) /
         lineElements;
}

/// Returns the peak performance relative to the core on which the costs of sums
/// were measured.
static double getSpeed(const Processor &processor) {
  return processor.getPeak() / 16;
}

double QuarterProduct::getCost(const Processor &processor) const {
  // The costs of the sums before and after the products are measured.
  double pixels = double(getNumPixels());
  double channels = double(inputs) * double(outputs);
  double products = kNumQuarterProducts / 4. * pixels * channels;
  double weights = kNumQuarterProducts / 4. * channels * getReadCost(processor);
  double sums = getSpeed(processor) * kNumQuarterProducts / 2. * pixels *
                (4 * double(inputs) + 10 * double(outputs));
  return std::max(products, weights) + sums;
}

int64_t QuarterProduct::getSaved(const Processor &processor) const {
  if (!canSplit())
    return 0;
  double direct = getDirectCost(), saved = direct - getCost(processor);
  return saved < 0.03 * direct ? 0 : int64_t(saved);
}

bool uma::fitsWinograd(const graph::ConvDims &dims, int64_t tile) {
  const graph::Window &window = dims.window;
  auto areAll = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; });
  };
  return dims.groups == 1 && areAll(window.kernel, 3) &&
         areAll(window.strides, 1) && areAll(window.dilations, 1) &&
         window.getOutput(0) >= tile && window.getOutput(1) >= tile;
}

double uma::getWinogradCost(const graph::ConvDims &dims, int64_t tile,
                            const Processor &processor) {
  const graph::Window &window = dims.window;
  double height = double(window.getOutput(0)),
         width = double(window.getOutput(1));
  double channels = double(dims.inChannels) * double(dims.outChannels);
  if (tile == 0)
    return channels * 9 * height * width * double(dims.batch);
  double size = double((tile + 2) * (tile + 2));
  double tiles = double(dims.batch) *
                 double(llvm::divideCeil(window.getOutput(0), tile)) *
                 double(llvm::divideCeil(window.getOutput(1), tile));
  double products = channels * size * tiles * 1.1;
  double weights = channels * size * getReadCost(processor);
  // Measured: an element of a transform takes the time of twelve products.
  double transforms = getSpeed(processor) * tiles * size *
                      double(dims.inChannels + dims.outChannels) * 12;
  return std::max(products, weights) + transforms;
}

int64_t uma::chooseWinogradTile(const graph::ConvDims &dims,
                                const Processor &processor) {
  double best = getWinogradCost(dims, /*tile=*/0, processor);
  int64_t bestTile = 0;
  for (int64_t tile : {2, 4}) {
    if (!fitsWinograd(dims, tile))
      continue;
    double cost = getWinogradCost(dims, tile, processor);
    if (cost < 0.85 * best) {
      best = cost;
      bestTile = tile;
    }
  }
  return bestTile;
}
