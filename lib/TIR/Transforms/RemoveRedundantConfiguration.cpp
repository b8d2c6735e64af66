//===- RemoveRedundantConfiguration.cpp - Remove repeated configuration ---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Every match of a pattern configures the device; equal consecutive
// configurations within a region are merged.
//
//===----------------------------------------------------------------------===//

#include "uma/IR/DeviceAttributes.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_REMOVEREDUNDANTCONFIGURATIONPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// Returns true if both values are always equal: the same value or equal
/// constants.
static bool areEqual(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  Attribute left, right;
  return matchPattern(lhs, m_Constant(&left)) &&
         matchPattern(rhs, m_Constant(&right)) && left == right;
}

static bool areEqual(CallExternOp lhs, CallExternOp rhs) {
  return lhs.getArguments().size() == rhs.getArguments().size() &&
         llvm::all_of(llvm::zip(lhs.getArguments(), rhs.getArguments()),
                      [](auto pair) {
                        return areEqual(std::get<0>(pair), std::get<1>(pair));
                      });
}

namespace {
/// Last call to each configuration function, if known.
using State = llvm::StringMap<CallExternOp>;

struct RemoveRedundantConfigurationPass
    : uma::tir::impl::RemoveRedundantConfigurationPassBase<
          RemoveRedundantConfigurationPass> {
  void visit(Block &block, State &state) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto call = dyn_cast<CallExternOp>(op);
      if (call && call->hasAttr(kConfigureAttrName)) {
        CallExternOp &last = state[call.getCallee()];
        if (last && areEqual(last, call)) {
          call.erase();
          ++numRemoved;
          continue;
        }
        last = call;
        continue;
      }
      // The callee's configurations are unknown. So is, below, which iteration
      // or branch ran last.
      if (isa<CallOp>(op)) {
        state.clear();
        continue;
      }
      if (op.getNumRegions() == 0)
        continue;
      bool configures =
          op.walk([](Operation *nested) {
              bool isUnknown =
                  isa<CallOp>(nested) || nested->hasAttr(kConfigureAttrName);
              return isUnknown ? WalkResult::interrupt()
                               : WalkResult::advance();
            }).wasInterrupted();
      if (!configures)
        continue;
      for (Region &region : op.getRegions())
        for (Block &nested : region) {
          State inside;
          visit(nested, inside);
        }
      state.clear();
    }
  }

  void runOnOperation() override {
    State state;
    visit(getOperation().getBody().front(), state);
  }
};
} // namespace
