//===- LoadTree.cpp - Live bytes over time --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LoadTree.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma::memory;

std::vector<int64_t> uma::memory::getTimes(const Problem &problem) {
  std::vector<int64_t> times;
  for (const Buffer &buffer : problem.buffers)
    if (!buffer.isEmpty()) {
      times.push_back(buffer.lower);
      times.push_back(buffer.upper);
    }
  llvm::sort(times);
  times.erase(llvm::unique(times), times.end());
  return times;
}

LoadTree::LoadTree(size_t numSections) {
  while (size < int(numSections))
    size *= 2;
  most.assign(2 * size, 0);
  pending.assign(2 * size, 0);
}

void LoadTree::add(int begin, int end, int64_t bytes) {
  if (begin < end)
    add(1, 0, size, begin, end, bytes);
}

void LoadTree::add(size_t node, int first, int last, int begin, int end,
                   int64_t bytes) {
  if (end <= first || last <= begin)
    return;
  if (begin <= first && last <= end) {
    most[node] += bytes;
    pending[node] += bytes;
    return;
  }
  int middle = first + (last - first) / 2;
  add(2 * node, first, middle, begin, end, bytes);
  add(2 * node + 1, middle, last, begin, end, bytes);
  most[node] = std::max(most[2 * node], most[2 * node + 1]) + pending[node];
}

int64_t LoadTree::getMost(int begin, int end) const {
  return begin < end ? getMost(1, 0, size, begin, end) : 0;
}

int64_t LoadTree::getMost(size_t node, int first, int last, int begin,
                          int end) const {
  if (end <= first || last <= begin)
    return 0;
  if (begin <= first && last <= end)
    return most[node];
  int middle = first + (last - first) / 2;
  return std::max(getMost(2 * node, first, middle, begin, end),
                  getMost(2 * node + 1, middle, last, begin, end)) +
         pending[node];
}
