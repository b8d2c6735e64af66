//===- RegionGraph.cpp - Dependence graphs of regions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "RegionGraph.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <queue>

using namespace mlir;
using namespace uma::accel;

static void sortUnique(SmallVectorImpl<unsigned> &list) {
  llvm::sort(list);
  list.erase(llvm::unique(list), list.end());
}

BlockGraph::BlockGraph(Block &block) {
  llvm::DenseMap<Operation *, unsigned> indices;
  for (Operation &op : block.without_terminator()) {
    indices[&op] = ops.size();
    ops.push_back(&op);
  }
  successors.resize(ops.size());
  std::optional<unsigned> lastEffect;
  for (auto [index, op] : llvm::enumerate(ops)) {
    unsigned user = index;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        auto it = indices.find(producer);
        if (it != indices.end() && it->second != user)
          successors[it->second].push_back(user);
      }
    });
    if (isMemoryEffectFree(op))
      continue;
    if (lastEffect)
      successors[*lastEffect].push_back(user);
    lastEffect = user;
  }
  for (auto &list : successors)
    sortUnique(list);
}

RegionGraph::RegionGraph(ArrayRef<SmallVector<unsigned, 2>> graph,
                         ArrayRef<unsigned> nodeOf) {
  unsigned numOps = graph.size();
  // Numbers that no operation uses are not nodes.
  std::vector<unsigned> firstOp(numOps, numOps), numPredecessors(numOps, 0);
  successors.resize(numOps);
  unsigned numNodes = 0;
  for (unsigned op = 0; op < numOps; ++op) {
    unsigned node = nodeOf[op];
    if (firstOp[node] == numOps) {
      firstOp[node] = op;
      ++numNodes;
    }
    for (unsigned user : graph[op])
      if (nodeOf[user] != node)
        successors[node].push_back(nodeOf[user]);
  }
  for (auto &list : successors) {
    sortUnique(list);
    for (unsigned successor : list)
      ++numPredecessors[successor];
  }

  // Kahn's algorithm; takes the earliest operation first.
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned op = 0; op < numOps; ++op)
    if (firstOp[nodeOf[op]] == op && numPredecessors[nodeOf[op]] == 0)
      ready.push(op);
  while (!ready.empty()) {
    unsigned node = nodeOf[ready.top()];
    ready.pop();
    order.push_back(node);
    for (unsigned successor : successors[node])
      if (--numPredecessors[successor] == 0)
        ready.push(firstOp[successor]);
  }
  isAcyclic = order.size() == numNodes;
}
