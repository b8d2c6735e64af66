//===- ConvertLayout.cpp - Give the network another layout ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Pass and checks of its options; LayoutConverter.cpp implements the
// conversion.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"
#include "LayoutConverter.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_CONVERTLAYOUTPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

namespace {
struct ConvertLayoutPass
    : uma::graph::impl::ConvertLayoutPassBase<ConvertLayoutPass> {
  using ConvertLayoutPassBase::ConvertLayoutPassBase;

  LogicalResult initialize(MLIRContext *context) override;

  void runOnOperation() override {
    WantedLayouts wanted{dataLayout, kernelLayout, {}};
    for (const std::string &name : ops)
      wanted.ops.insert(name);
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      // Functions of accelerators hold matched operators. Functions with
      // branches are not graphs.
      if (func->hasAttr(kTargetAttrName) || !func.getBody().hasOneBlock())
        continue;
      LayoutCounts counts = convertLayouts(func.getBody().front(), wanted);
      numConverted += counts.converted;
      numAlong += counts.along;
      numInserted += counts.inserted;
      numRemoved += counts.removed;
    }
    eraseUnusedConstants(getOperation());
  }
};
} // namespace

/// Emits an error and fails unless `value` of option `name` is in `offered`.
static LogicalResult checkOption(MLIRContext *context, StringRef name,
                                 StringRef value, ArrayRef<StringRef> offered) {
  if (llvm::is_contained(offered, value))
    return success();
  return emitError(UnknownLoc::get(context))
         << "uma-graph-convert-layout: " << name << " has '" << value
         << "', expected one of " << llvm::join(offered, ", ")
         << didYouMean(value, offered);
}

LogicalResult ConvertLayoutPass::initialize(MLIRContext *context) {
  if (dataLayout.empty() && kernelLayout.empty())
    return emitError(UnknownLoc::get(context))
           << "uma-graph-convert-layout: there is nothing to convert to; give "
              "data-layout, kernel-layout or both";
  if (!dataLayout.empty() &&
      failed(checkOption(context, "data-layout", dataLayout, {"NCHW", "NHWC"})))
    return failure();
  if (!kernelLayout.empty() &&
      failed(checkOption(context, "kernel-layout", kernelLayout,
                         {"OIHW", "OHWI", "HWIO"})))
    return failure();
  SmallVector<StringRef> offered;
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getStringRef().starts_with("uma.graph.") &&
        llvm::is_contained(name.getAttributeNames(), "data_layout"))
      offered.push_back(name.getStringRef().rsplit('.').second);
  llvm::sort(offered);
  for (const std::string &name : ops)
    if (failed(checkOption(context, "ops", name, offered)))
      return failure();
  return success();
}
