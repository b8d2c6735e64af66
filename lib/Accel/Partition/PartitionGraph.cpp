//===- PartitionGraph.cpp - Outline each region into a function -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The operations of a region need not be adjacent. The pass first sorts the
// block to make them adjacent, which is possible if and only if the regions
// form no cycle, and then outlines each region.
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "Constants.h"
#include "RegionGraph.h"

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_PARTITIONGRAPHPASS
#include "uma/Accel/Partition/Passes.h.inc"
} // namespace uma::accel

namespace {

/// Operations of one region, in the order of the block.
using RegionOps = SmallVector<Operation *>;

struct PartitionGraphPass
    : uma::accel::impl::PartitionGraphPassBase<PartitionGraphPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (func::FuncOp function : getFunctionsToPartition(getOperation())) {
      insertionPoint = std::next(Block::iterator(function));
      llvm::StringMap<unsigned> counts;
      for (Block &block : function.getBody()) {
        FailureOr<std::vector<RegionOps>> regions = sortRegions(block);
        if (failed(regions))
          return signalPassFailure();
        llvm::SetVector<Operation *> constants;
        for (RegionOps &ops : *regions)
          outline(function, ops, counts, constants, symbols);
        // Quantized constants are behind the constants that store them.
        for (Operation *constant : llvm::reverse(constants))
          if (constant->use_empty())
            constant->erase();
      }
    }
  }

  FailureOr<std::vector<RegionOps>> sortRegions(Block &block);
  void outline(func::FuncOp parent, ArrayRef<Operation *> ops,
               llvm::StringMap<unsigned> &counts,
               llvm::SetVector<Operation *> &constants, SymbolTable &symbols);

  /// Insertion point of the next function: after its parent.
  Block::iterator insertionPoint;
};
} // namespace

/// Sorts the block so that the operations of each region are adjacent. Returns
/// the regions in order.
FailureOr<std::vector<RegionOps>>
PartitionGraphPass::sortRegions(Block &block) {
  BlockGraph graph(block);
  std::vector<unsigned> nodeOf(graph.ops.size());
  std::vector<RegionOps> nodes(graph.ops.size());
  llvm::DenseMap<Attribute, unsigned> numbered;
  for (auto [index, op] : llvm::enumerate(graph.ops)) {
    nodeOf[index] = index;
    Attribute target = op->getAttr(kTargetAttrName);
    Attribute number = op->getAttr(kRegionAttrName);
    if (number && !target)
      return op->emitOpError("has a uma.region, but no uma.target");
    if (target && !isa<TargetAttr>(target))
      return op->emitOpError("has a uma.target that is no #uma.target<...>");
    if (number)
      nodeOf[index] = numbered.try_emplace(number, index).first->second;
    RegionOps &node = nodes[nodeOf[index]];
    if (!node.empty() && node.front()->getAttr(kTargetAttrName) != target)
      return op->emitOpError("is in region ")
             << getAttributeText(number)
             << ", whose first operation has another target";
    node.push_back(op);
  }

  RegionGraph regions(graph.successors, nodeOf);
  if (!regions.isAcyclic) {
    llvm::DenseSet<unsigned> sorted(regions.order.begin(), regions.order.end());
    for (auto [index, op] : llvm::enumerate(graph.ops))
      if (!sorted.contains(nodeOf[index]) && nodes[nodeOf[index]].size() > 1)
        return op->emitOpError("is in region ")
               << getAttributeText(op->getAttr(kRegionAttrName))
               << ", which cannot be one function: something outside depends "
                  "on it and is needed by it";
  }

  std::vector<RegionOps> result;
  for (unsigned node : regions.order) {
    for (Operation *op : nodes[node])
      op->moveBefore(&block, std::prev(block.end()));
    if (nodes[node].front()->hasAttr(kTargetAttrName))
      result.push_back(std::move(nodes[node]));
  }
  return result;
}

/// Outlines the adjacent operations `ops` into a function and calls it.
void PartitionGraphPass::outline(func::FuncOp parent, ArrayRef<Operation *> ops,
                                 llvm::StringMap<unsigned> &counts,
                                 llvm::SetVector<Operation *> &constants,
                                 SymbolTable &symbols) {
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> arguments, results;
  llvm::SetVector<Operation *> used;
  SmallVector<Location> locs;
  for (Operation *op : ops) {
    locs.push_back(op->getLoc());
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isConstantOp(producer)) {
        if (auto stored = dyn_cast<graph::StorageCastOp>(producer))
          used.insert(stored.getData().getDefiningOp());
        used.insert(producer);
      } else if (!producer || !inside.contains(producer))
        arguments.insert(operand);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        results.insert(result);
  }
  constants.insert_range(used);
  // Erase regions whose results are unused.
  if (results.empty() &&
      llvm::all_of(ops, [](Operation *op) { return isPure(op); })) {
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    return;
  }

  auto target = ops.front()->getAttrOfType<TargetAttr>(kTargetAttrName);
  StringRef accelerator = target.getAccelerator().getValue();
  std::string name = (parent.getSymName() + "_" + accelerator + "_" +
                      Twine(counts[accelerator]++))
                         .str();
  OpBuilder builder(ops.front());
  Location loc = builder.getFusedLoc(locs);
  auto typesOf = [](ArrayRef<Value> values) {
    return llvm::map_to_vector(values, [](Value v) { return v.getType(); });
  };
  auto function = func::FuncOp::create(
      loc, name,
      builder.getFunctionType(typesOf(arguments.getArrayRef()),
                              typesOf(results.getArrayRef())));
  function.setPrivate();
  function->setAttr(kTargetAttrName, target);
  symbols.insert(function, insertionPoint);
  insertionPoint = std::next(Block::iterator(function));
  ++numFunctions;

  auto call =
      func::CallOp::create(builder, loc, function, arguments.getArrayRef());
  Block &body = *function.addEntryBlock();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  mapping.map(arguments.getArrayRef(), body.getArguments());
  for (Operation *constant : used)
    builder.clone(*constant, mapping);
  for (auto [result, returned] :
       llvm::zip_equal(results.getArrayRef(), call.getResults()))
    Value(result).replaceUsesWithIf(returned, [&](OpOperand &use) {
      return !inside.contains(use.getOwner());
    });
  for (Operation *op : ops) {
    op->moveBefore(&body, body.end());
    op->removeAttr(kTargetAttrName);
    op->removeAttr(kRegionAttrName);
    for (OpOperand &operand : op->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
  }
  func::ReturnOp::create(builder, loc, results.getArrayRef());
}
