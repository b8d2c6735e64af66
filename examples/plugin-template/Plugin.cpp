//===- Plugin.cpp - Entry points of the plugin --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One library, three ways to load it:
//   uma compile MODEL -a ./mydev.so -o DIR
//   uma-opt --load-dialect-plugin=mydev.so --load-pass-plugin=mydev.so
//   mlir-opt with the same options
//
//===----------------------------------------------------------------------===//

#include "MydevDialect.h"

#include "uma/Accel/Language/Language.h"
#include "uma/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;
using namespace uma;

namespace {
class MydevBackend final : public accel::Backend {
public:
  std::string getName() const override { return "mydev"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<mydev::MydevDialect>();
  }

  OwningOpRef<accel::AcceleratorOp>
  describe(MLIRContext *context) const override {
    return accel::readDescription(MYDEV_DIR "/mydev.uma", context);
  }

  /// The phases in order: PRE_PARTITIONING, POST_PARTITIONING_0,
  /// POST_PARTITIONING_1, TIR_PHASE_0 to TIR_PHASE_3. docs/architecture.md says
  /// what the IR is like in each.
  void addPasses(StringRef phase, OpPassManager &manager) const override {
    if (phase == "PRE_PARTITIONING")
      manager.addPass(mydev::createRaiseSquarePass());
    else if (phase == "TIR_PHASE_1")
      manager.addPass(mydev::createInsertFencesPass());
    else if (phase == "TIR_PHASE_2")
      manager.addPass(mydev::createRemoveFencesPass());
    else if (phase == "TIR_PHASE_3")
      manager.addPass(mydev::createLowerFencesPass());
  }
};
} // namespace

UMA_DEFINE_BACKEND_PLUGIN(MydevBackend)

extern "C" DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mydev", "1.0",
          [](DialectRegistry *registry) {
            // For mlir-opt; a program that has them already keeps them.
            uma::registerAllDialects(*registry);
            registry->insert<mydev::MydevDialect>();
          }};
}

extern "C" PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "mydev", "1.0", [] {
            uma::registerAllPasses();
            mydev::registerPasses();
          }};
}
