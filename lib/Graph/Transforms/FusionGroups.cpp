//===- FusionGroups.cpp - Which operators are fused -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The rules of TVM (Chen et al., "TVM: An Automated End-to-End Optimizing
// Compiler for Deep Learning", section 3, and Relay's FuseOps). An operator is
// fused with its immediate post-dominator and with all operators between the
// two if the fusion kinds of these operators allow it. Therefore all values of
// a group, except the result of its last operator, are used inside the group,
// and no path leaves a group and returns.
//
// Searches are limited to the size of the largest group, so the time is linear
// in the size of the graph.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/FusionGroups.h"
#include "uma/Graph/IR/GraphOps.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
/// Use of an operator's result by node `user`.
struct Edge {
  size_t user;
  FusionKind kind;
};

struct Node {
  explicit Node(Operation *op) : op(op) {}

  Operation *op;
  SmallVector<Edge, 2> users;
  /// Whether the result has a user that is not a node, for example because the
  /// function returns it.
  bool escapes = false;
  /// Immediate post-dominator, depth in the post-dominator tree, and largest
  /// kind of the edges to the post-dominator.
  std::optional<size_t> parent;
  size_t depth = 0;
  FusionKind pathKind = FusionKind::Elementwise;
};

/// Group of nodes: a tree of a union-find forest. The leader is the last node
/// of the group; only its kind and size are valid.
struct Group {
  size_t leader;
  FusionKind kind;
  size_t size = 1;
};

class FusionPlanner {
public:
  explicit FusionPlanner(size_t maxDepth) : maxDepth(maxDepth) {}
  SmallVector<FusionGroup> run(Block &block);

private:
  void addNodes(Block &block);
  void findPostDominator(Node &node);
  std::optional<size_t> findCommonParent(std::optional<size_t> lhs,
                                         std::optional<size_t> rhs,
                                         FusionKind &kind) const;
  size_t findLeader(size_t index);
  /// Fuses node `index` with its post-dominator if allowed. Injective nodes are
  /// fused only if `moving` is set, all others only if it is not.
  void tryFuse(size_t index, bool moving);
  /// Fuses node `index` with its post-dominator if the nodes between the two
  /// are at most of kind `inner` and the post-dominator is at most of kind
  /// `last`.
  void fuseWithParent(size_t index, FusionKind inner, FusionKind last);

  size_t maxDepth;
  SmallVector<Node> nodes;
  SmallVector<Group> groups; ///< one for each node
};
} // namespace

/// Returns the kind of the edge to the operand `use`. For example, adding a
/// vector to a tensor is elementwise for the tensor and a broadcast for the
/// vector.
static FusionKind getEdgeKind(OpOperand &use, Operation *user) {
  FusionKind kind = getFusionKind(user);
  if (kind != FusionKind::Broadcast || user->getNumResults() != 1)
    return kind;
  auto operand = dyn_cast<ShapedType>(use.get().getType());
  auto result = dyn_cast<ShapedType>(user->getResult(0).getType());
  bool isSame = operand && result && operand.getShape() == result.getShape();
  return isSame ? FusionKind::Elementwise : kind;
}

void FusionPlanner::addNodes(Block &block) {
  DenseMap<Operation *, size_t> indices;
  for (Operation &op : block.without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    indices[&op] = nodes.size();
    groups.push_back({nodes.size(), getFusionKind(&op)});
    nodes.emplace_back(&op);
  }
  for (Node &node : nodes) {
    for (OpOperand &use : node.op->getUses()) {
      // A use in the region of another operation counts as a use by it.
      Operation *user = block.findAncestorOpInBlock(*use.getOwner());
      auto it = indices.find(user);
      if (it == indices.end())
        node.escapes = true;
      else
        node.users.push_back({it->second, getEdgeKind(use, user)});
    }
  }
}

/// Returns the least common ancestor of both nodes in the post-dominator tree,
/// or std::nullopt if there is none nearby. Raises `kind` to the largest kind
/// on the paths to it.
std::optional<size_t> FusionPlanner::findCommonParent(std::optional<size_t> lhs,
                                                      std::optional<size_t> rhs,
                                                      FusionKind &kind) const {
  for (size_t steps = 0; lhs && rhs && steps <= 2 * maxDepth; ++steps) {
    if (*lhs == *rhs)
      return lhs;
    std::optional<size_t> &deeper =
        nodes[*lhs].depth < nodes[*rhs].depth ? rhs : lhs;
    kind = std::max(kind, nodes[*deeper].pathKind);
    deeper = nodes[*deeper].parent;
  }
  return std::nullopt;
}

void FusionPlanner::findPostDominator(Node &node) {
  if (node.escapes || node.users.empty())
    return;
  std::optional<size_t> parent = node.users.front().user;
  for (const Edge &edge : node.users) {
    node.pathKind = std::max(node.pathKind, edge.kind);
    parent = findCommonParent(parent, edge.user, node.pathKind);
  }
  node.parent = parent;
  node.depth = parent ? nodes[*parent].depth + 1 : 0;
}

size_t FusionPlanner::findLeader(size_t index) {
  while (groups[index].leader != index) {
    groups[index].leader = groups[groups[index].leader].leader;
    index = groups[index].leader;
  }
  return index;
}

void FusionPlanner::fuseWithParent(size_t index, FusionKind inner,
                                   FusionKind last) {
  size_t sink = *nodes[index].parent;
  size_t leader = findLeader(sink);
  if (groups[leader].kind > last)
    return;
  // Every path from the node ends at its post-dominator.
  SmallVector<size_t> between;
  llvm::SmallDenseSet<size_t> seen = {sink}, leaders = {leader};
  size_t size = groups[leader].size;
  SmallVector<size_t> worklist = {index};
  while (!worklist.empty()) {
    size_t next = worklist.pop_back_val();
    size_t nextLeader = findLeader(next);
    if (next != index && groups[nextLeader].kind > inner)
      return;
    if (leaders.insert(nextLeader).second)
      size += groups[nextLeader].size;
    if (size > maxDepth)
      return;
    between.push_back(next);
    for (const Edge &edge : nodes[next].users)
      if (seen.insert(edge.user).second)
        worklist.push_back(edge.user);
  }
  for (size_t node : between) {
    size_t old = findLeader(node);
    if (old == leader)
      continue;
    groups[old].leader = leader;
    groups[leader].size += groups[old].size;
    groups[leader].kind = std::max(groups[leader].kind, groups[old].kind);
  }
}

void FusionPlanner::tryFuse(size_t index, bool moving) {
  const Node &node = nodes[index];
  if (!node.parent || findLeader(index) == findLeader(*node.parent))
    return;
  switch (groups[index].kind) {
  case FusionKind::Elementwise:
  case FusionKind::Broadcast:
    // Fuse with anything that reads each element once, also with elementwise
    // operators behind a convolution, but not with the convolution itself.
    if (node.pathKind <= FusionKind::Reduction)
      fuseWithParent(index, FusionKind::Injective, FusionKind::OutElementwise);
    return;
  case FusionKind::Injective:
    // Later, so that convolutions are fused with elementwise operators first.
    if (moving)
      fuseWithParent(index, FusionKind::Injective, FusionKind::Injective);
    return;
  case FusionKind::OutElementwise:
    if (!moving && node.pathKind == FusionKind::Elementwise)
      fuseWithParent(index, FusionKind::Broadcast, FusionKind::Broadcast);
    return;
  case FusionKind::Reduction:
  case FusionKind::Opaque:
    return;
  }
}

SmallVector<FusionGroup> FusionPlanner::run(Block &block) {
  addNodes(block);
  for (Node &node : llvm::reverse(nodes))
    findPostDominator(node);
  for (bool moving : {false, true})
    for (size_t index = 0; index < nodes.size(); ++index)
      tryFuse(index, moving);
  SmallVector<FusionGroup> members(nodes.size());
  for (auto [index, node] : llvm::enumerate(nodes))
    members[findLeader(index)].push_back(node.op);
  llvm::erase_if(members,
                 [](const FusionGroup &ops) { return ops.size() < 2; });
  return members;
}

SmallVector<FusionGroup> graph::findFusionGroups(Block &block,
                                                 size_t maxDepth) {
  return FusionPlanner(maxDepth).run(block);
}
