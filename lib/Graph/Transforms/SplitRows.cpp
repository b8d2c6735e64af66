//===- SplitRows.cpp - Compute chains of operators by stripes of rows -----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The tensors between the operators of a chain exist one stripe at a time, so
// the memory of the largest ones is never needed at once. Windows overlap, so
// rows at the edges of stripes are computed twice: memory is paid for with
// time.
//
//===----------------------------------------------------------------------===//

#include "RowWise.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_SPLITROWSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

namespace {
/// Copies a chain for each stripe.
class ChainSplitter {
public:
  ChainSplitter(ArrayRef<Operation *> chain)
      : chain(chain), members(chain.begin(), chain.end()),
        builder(chain.back()) {}

  /// Returns the concatenated results of all stripes.
  Value split(ArrayRef<Stripe> stripes);

private:
  Value copy(const Stripe &stripe);

  ArrayRef<Operation *> chain;
  llvm::DenseSet<Operation *> members;
  OpBuilder builder;
};
} // namespace

/// Returns the rows `wanted` of a tensor, of which `available` has the rows
/// `has`.
static Value slice(OpBuilder &builder, Location loc, Value available,
                   RowRange has, RowRange wanted) {
  if (has == wanted)
    return available;
  auto type = cast<RankedTensorType>(available.getType());
  SmallVector<int64_t> begin(type.getRank(), 0), size(type.getShape()),
      strides(type.getRank(), 1);
  begin[kRowDim] = wanted.begin - has.begin;
  size[kRowDim] = wanted.getSize();
  return StridedSliceOp::create(builder, loc, available, begin, size, strides);
}

Value ChainSplitter::copy(const Stripe &stripe) {
  IRMapping copies;
  // Several operators may read the same rows.
  using Rows = std::pair<int64_t, int64_t>;
  llvm::DenseMap<std::pair<Value, Rows>, Value> slices;
  for (Operation *op : chain) {
    RowRange rows = stripe.lookup(op->getResult(0));
    Location loc = op->getLoc();
    if (auto named = dyn_cast<NameLoc>(loc))
      loc = named.getChildLoc();
    loc = NameLoc::get(
        StringAttr::get(op->getContext(),
                        nameRows(getLayerName(op), rows.begin, rows.end)),
        loc);
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      Value tensor = operand.get();
      std::optional<RowRange> wanted = getOperandRows(operand, rows);
      if (!wanted) {
        operands.push_back(tensor);
        continue;
      }
      bool isMember = members.contains(tensor.getDefiningOp());
      Value &known = slices[{tensor, Rows(wanted->begin, wanted->end)}];
      if (!known)
        known = slice(builder, loc, copies.lookupOrDefault(tensor),
                      isMember ? stripe.lookup(tensor)
                               : RowRange{0, *getNumRows(tensor)},
                      *wanted);
      operands.push_back(known);
    }
    Operation *copied = builder.clone(*op);
    copied->removeAttr(kStripeRowsAttrName);
    copied->setOperands(operands);
    copied->setLoc(loc);
    computeRows(copied, op, rows);
    copies.map(op->getResults(), copied->getResults());
  }
  return copies.lookup(chain.back()->getResult(0));
}

Value ChainSplitter::split(ArrayRef<Stripe> stripes) {
  SmallVector<Value> results;
  for (const Stripe &stripe : stripes)
    results.push_back(copy(stripe));
  return ConcatenateOp::create(builder, chain.back()->getLoc(), results,
                               kRowDim);
}

/// Returns the multiply-accumulates of convolutions and dense layers in a
/// function.
static int64_t getMACs(func::FuncOp function) {
  int64_t macs = 0;
  function.walk([&](Operation *op) {
    if (auto window = dyn_cast<WindowOpInterface>(op))
      macs += window.getMACs();
    else if (auto dense = dyn_cast<DenseOp>(op))
      macs +=
          cast<RankedTensorType>(dense.getData().getType()).getNumElements() *
          cast<RankedTensorType>(dense.getType()).getShape().back();
  });
  return macs;
}

/// Marks the ends of all chains that contain a window and have more than `rows`
/// rows.
static void markAll(Block &block, int64_t rows) {
  llvm::DenseSet<Operation *> known;
  Builder attributes(block.getParentOp()->getContext());
  for (Operation &op : llvm::reverse(block)) {
    if (known.contains(&op) || !explainNotRowWise(&op).empty() ||
        *getNumRows(op.getResult(0)) <= rows)
      continue;
    SmallVector<Operation *> chain = findChain(&op);
    known.insert(chain.begin(), chain.end());
    if (llvm::any_of(chain, llvm::IsaPred<WindowOpInterface>))
      op.setAttr(kStripeRowsAttrName, attributes.getI64IntegerAttr(rows));
  }
}

namespace {
struct SplitRowsPass : uma::graph::impl::SplitRowsPassBase<SplitRowsPass> {
  using SplitRowsPassBase::SplitRowsPassBase;

  LogicalResult split(Operation *result, int64_t allMACs);
  void runOnOperation() override;
};
} // namespace

LogicalResult SplitRowsPass::split(Operation *result, int64_t allMACs) {
  Attribute attribute = result->getAttr(kStripeRowsAttrName);
  auto height = dyn_cast<IntegerAttr>(attribute);
  if (!height || !height.getType().isSignlessInteger(64) || height.getInt() < 1)
    return result->emitOpError("has '")
           << kStripeRowsAttrName << "' " << attribute
           << ", expected the rows of a stripe as i64, 1 or more";
  if (std::string why = explainNotRowWise(result); !why.empty())
    return result->emitOpError("has '")
           << kStripeRowsAttrName
           << "', but cannot be computed in stripes of rows: " << why;
  if (height.getInt() >= *getNumRows(result->getResult(0))) {
    result->removeAttr(kStripeRowsAttrName);
    return success();
  }
  SmallVector<Operation *> chain = findChain(result);
  SmallVector<Stripe> stripes = planStripes(chain, height.getInt());
  int64_t recomputed = countRecomputedMACs(chain, stripes);
  if (report) {
    auto *first = llvm::find_if(chain, llvm::IsaPred<WindowOpInterface>);
    InFlightDiagnostic remark = mlir::emitRemark(result->getLoc());
    remark << "runs in " << stripes.size() << " stripes of " << height.getInt()
           << " of " << *getNumRows(result->getResult(0))
           << " rows, with the layers from '"
           << getLayerName(first == chain.end() ? chain.front() : *first)
           << "' on";
    if (allMACs > 0)
      remark << llvm::formatv("; recomputes {0:F1} % of all "
                              "multiply-accumulates",
                              100.0 * double(recomputed) / double(allMACs))
                    .str();
  }
  Value whole = ChainSplitter(chain).split(stripes);
  result->getResult(0).replaceAllUsesWith(whole);
  for (Operation *op : llvm::reverse(chain))
    if (op->use_empty())
      op->erase();
  ++numChains;
  numStripes += stripes.size();
  numRecomputed += recomputed;
  return success();
}

void SplitRowsPass::runOnOperation() {
  if (rows < 0) {
    emitError(getOperation().getLoc())
        << "uma-graph-split-rows: rows is " << int64_t(rows)
        << ", expected the rows of a stripe, or 0 to split only the chains "
           "that are marked";
    return signalPassFailure();
  }
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!function.getBody().hasOneBlock() || function->hasAttr(kTargetAttrName))
      continue;
    Block &block = function.getBody().front();
    if (rows > 0)
      markAll(block, rows);
    SmallVector<Operation *> results;
    for (Operation &op : block)
      if (op.hasAttr(kStripeRowsAttrName))
        results.push_back(&op);
    int64_t allMACs = results.empty() ? 0 : getMACs(function);
    for (Operation *result : results)
      if (failed(split(result, allMACs)))
        return signalPassFailure();
    for (Operation &op : block)
      op.removeAttr(kKeepWholeAttrName);
  }
}
