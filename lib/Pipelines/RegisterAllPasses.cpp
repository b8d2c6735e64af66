//===- RegisterAllPasses.cpp - Registration of all passes -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/InitAll.h"

#include "uma/Accel/Language/Passes.h"
#include "uma/Accel/Mapping/Passes.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/Conversion/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"

#include <mutex>

using namespace uma;

/// Refuses a name that a pass had in an earlier version.
static void registerFormerName(llvm::StringRef former, llvm::StringRef name) {
  mlir::registerPassPipeline(
      former, ("Former name of --" + name).str(),
      [=](mlir::OpPassManager &, llvm::StringRef,
          llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> fail) {
        return fail("the pass '" + former + "' is called '" + name + "'");
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)>) {});
}

static void registerOnce() {
  cpu::registerUMACPUPasses();
  graph::registerUMAGraphPasses();
  tir::registerUMATIRPasses();
  accel::registerUMAAccelLanguagePasses();
  accel::registerUMAAccelMappingPasses();
  accel::registerUMAAccelPasses();
  registerUMAConversionPasses();
  registerUMAPipelinesPasses();
  registerFormerName("uma-convert-graph-to-tir",
                     "convert-uma-graph-to-uma-tir");
  registerFormerName("uma-convert-tir-to-emitc", "convert-uma-tir-to-emitc");
}

void uma::registerAllPasses() {
  // A program and its plugins may each do so.
  static std::once_flag once;
  std::call_once(once, registerOnce);
}
