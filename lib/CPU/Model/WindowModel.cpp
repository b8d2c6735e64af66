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

llvm::SmallVector<int64_t> uma::rankWindows(const Workload &workload,
                                            const ISA &isa) {
  int64_t width = workload.rows;
  int64_t height = workload.reduce[0], places = workload.reduce[1];
  int64_t taps = height * places;
  int64_t extent = (places - 1) * workload.dilations[1] + 1;
  // Sums, and some registers for data and weights; a bounded amount of code.
  int64_t most = isa.lanes == 1 ? 1 : isa.registers == 32 ? 14 : 7;
  most = std::max<int64_t>(1, std::min({most, width, 600 / taps}));
  auto getCost = [&](int64_t count) {
    double columns = double((count - 1) * workload.strides[1] + extent);
    double perTile =
        double(count * taps) + double(height) * columns + double(count) + 8;
    return double(llvm::divideCeil(width, count)) * perTile;
  };
  llvm::SmallVector<int64_t> ranked =
      llvm::to_vector(llvm::seq_inclusive<int64_t>(1, most));
  llvm::sort(ranked, [&](int64_t left, int64_t right) {
    return std::pair(getCost(left), left) < std::pair(getCost(right), right);
  });
  return ranked;
}
