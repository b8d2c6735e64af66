//===- Passes.cpp - Passes of the device --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MydevDialect.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassRegistry.h"

#include <mutex>

using namespace mlir;
using namespace uma;

/// Returns whether `op` starts a computation of the device.
static bool isDeviceCall(Operation *op) {
  auto call = dyn_cast<tir::CallExternOp>(op);
  return call && call.getCallee().starts_with("mydev_") &&
         call.getCallee() != "mydev_fence";
}

namespace {

struct RaiseSquare : PassWrapper<RaiseSquare, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RaiseSquare)
  StringRef getArgument() const override { return "mydev-raise-square"; }
  StringRef getDescription() const override {
    return "rewrite power(x, 2) as multiply(x, x)";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<UMADialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](graph::PowerOp power) {
      DenseFPElementsAttr exponent;
      if (!matchPattern(power.getRhs(), m_Constant(&exponent)) ||
          !exponent.isSplat() ||
          exponent.getSplatValue<APFloat>().convertToDouble() != 2.0 ||
          power.getLhs().getType() != power.getType())
        return;
      OpBuilder builder(power);
      Value square =
          graph::MultiplyOp::create(builder, power.getLoc(), power.getType(),
                                    power.getLhs(), power.getLhs());
      power.replaceAllUsesWith(square);
      power.erase();
    });
  }
};

struct InsertFences : PassWrapper<InsertFences, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InsertFences)
  StringRef getArgument() const override { return "mydev-insert-fences"; }
  StringRef getDescription() const override {
    return "insert a mydev.fence after each call to the device";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<mydev::MydevDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isDeviceCall(op))
        return;
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      mydev::FenceOp::create(builder, op->getLoc());
    });
  }
};

struct RemoveFences : PassWrapper<RemoveFences, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RemoveFences)
  StringRef getArgument() const override { return "mydev-remove-fences"; }
  StringRef getDescription() const override {
    return "remove fences that wait for nothing";
  }

  void runOnOperation() override {
    getOperation()->walk([](mydev::FenceOp fence) {
      // Only operations without regions are known not to call the device.
      for (Operation *op = fence->getPrevNode();
           op && op->getNumRegions() == 0 && !isDeviceCall(op);
           op = op->getPrevNode())
        if (isa<mydev::FenceOp>(op)) {
          fence.erase();
          return;
        }
    });
  }
};

struct LowerFences : PassWrapper<LowerFences, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerFences)
  StringRef getArgument() const override { return "mydev-lower-fences"; }
  StringRef getDescription() const override {
    return "rewrite mydev.fence as a call to mydev_fence";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<UMADialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](mydev::FenceOp fence) {
      OpBuilder builder(fence);
      tir::CallExternOp::create(builder, fence.getLoc(), "mydev_fence",
                                ValueRange());
      fence.erase();
    });
  }
};

} // namespace

std::unique_ptr<Pass> mydev::createRaiseSquarePass() {
  return std::make_unique<RaiseSquare>();
}
std::unique_ptr<Pass> mydev::createInsertFencesPass() {
  return std::make_unique<InsertFences>();
}
std::unique_ptr<Pass> mydev::createRemoveFencesPass() {
  return std::make_unique<RemoveFences>();
}
std::unique_ptr<Pass> mydev::createLowerFencesPass() {
  return std::make_unique<LowerFences>();
}

void mydev::registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    PassRegistration<RaiseSquare>();
    PassRegistration<InsertFences>();
    PassRegistration<RemoveFences>();
    PassRegistration<LowerFences>();
  });
}
