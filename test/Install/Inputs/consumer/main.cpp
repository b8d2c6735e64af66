//===- main.cpp - A tool that uses an installed uma -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static constexpr llvm::StringLiteral kNetwork = R"(
func.func @main(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
      : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}
)";

int main() {
  DialectRegistry registry;
  uma::registerAllDialects(registry);
  uma::registerAllPasses();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kNetwork, &context);
  if (!module)
    return 1;
  PassManager manager(&context);
  if (failed(parsePassPipeline("uma-partition{accelerators=vanilla "
                               "accelerator-dir=" DIALECTS "},uma-lower",
                               manager, llvm::errs())) ||
      failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
