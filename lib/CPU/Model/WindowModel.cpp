//===- WindowModel.cpp - Tiles of depthwise convolutions ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/WindowModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace uma;

/// Returns the number of instructions of all tiles of a row, for one vector of
/// channels.
static double getRowCost(const Workload &workload, int64_t count) {
  int64_t height = workload.reduce[0], places = workload.reduce[1];
  int64_t taps = height * places;
  int64_t extent = (places - 1) * workload.dilations[1] + 1;
  double columns = double((count - 1) * workload.strides[1] + extent);
  double perTile =
      double(count * taps) + double(height) * columns + double(count) + 8;
  return double(llvm::divideCeil(workload.rows, count)) * perTile;
}

double uma::getWindowCost(const Workload &workload, const RegisterTile &tile,
                          const ISA &isa) {
  double rows = double(workload.outer[0] * workload.outer[1]);
  double vectors = double(llvm::divideCeil(workload.channels, tile.lanes));
  return getRowCost(workload, tile.rows) * rows * vectors *
         isa.getIssueCost(tile.lanes);
}

llvm::SmallVector<int64_t> uma::rankWindows(const Workload &workload,
                                            const ISA &isa) {
  int64_t taps = workload.reduce[0] * workload.reduce[1];
  // Leave registers for data and weights, and bound the size of the code.
  int64_t most = isa.lanes == 1 ? 1 : isa.registers == 32 ? 14 : 7;
  most = std::max<int64_t>(1, std::min({most, workload.rows, 600 / taps}));
  llvm::SmallVector<int64_t> ranked =
      llvm::to_vector(llvm::seq_inclusive<int64_t>(1, most));
  llvm::sort(ranked, [&](int64_t left, int64_t right) {
    return std::pair(getRowCost(workload, left), left) <
           std::pair(getRowCost(workload, right), right);
  });
  return ranked;
}
