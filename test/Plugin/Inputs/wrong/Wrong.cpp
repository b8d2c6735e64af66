//===- Wrong.cpp - Backends with mistakes ---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <cstdlib>

using namespace mlir;
using namespace uma;

/// Returns whether the variable WRONG names this mistake.
static bool isWrong(StringRef mistake) {
  const char *wrong = std::getenv("WRONG");
  return wrong && mistake == wrong;
}

namespace {
class Wrong final : public accel::Backend {
public:
  std::string getName() const override {
    return isWrong("space")   ? "wrong device"
           : isWrong("digit") ? "1wrong"
           : isWrong("empty") ? ""
                              : "wrong";
  }

  OwningOpRef<accel::AcceleratorOp>
  describe(MLIRContext *context) const override {
    if (isWrong("silent"))
      return nullptr;
    if (isWrong("error")) {
      mlir::emitError(UnknownLoc::get(context)) << "the licence has expired";
      return nullptr;
    }
    const char *text = "accelerator wrong {}";
    if (isWrong("name"))
      text = "accelerator right {}";
    if (isWrong("syntax"))
      text = "accelerator wrong { pattern }";
    if (isWrong("operator"))
      text = "accelerator wrong { pattern p(x) { y = reluu(x) } }";
    llvm::SourceMgr source;
    source.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "wrong"),
                              llvm::SMLoc());
    return accel::parseDescription(source, context);
  }

  void addPasses(StringRef phase, OpPassManager &manager) const override {
    if (isWrong("pass") && phase == "PRE_PARTITIONING")
      manager.addPass(std::make_unique<FailingPass>());
  }

private:
  struct FailingPass : PassWrapper<FailingPass, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FailingPass)
    StringRef getArgument() const override { return "wrong-pass"; }
    void runOnOperation() override {
      getOperation().emitError() << "the pass of the device fails";
      signalPassFailure();
    }
  };
};
} // namespace

extern "C" accel::BackendPlugin umaGetBackendPlugin() {
  return {isWrong("version") ? 1 : accel::BackendPlugin::kVersion,
          []() -> accel::Backend * {
            return isWrong("null") ? nullptr : new Wrong();
          }};
}
