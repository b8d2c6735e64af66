//===- uma-plugin.cpp - The project as a plugin of mlir-opt ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Dialect and pass plugin for upstream's mlir-opt:
//   mlir-opt --load-dialect-plugin=UMAPlugin.so \
//            --load-pass-plugin=UMAPlugin.so \
//            --pass-pipeline='builtin.module(uma-partition{accelerators=vanilla})'
//
//===----------------------------------------------------------------------===//

#include "uma/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "uma", UMA_VERSION,
          [](mlir::DialectRegistry *registry) {
            uma::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "uma", UMA_VERSION,
          [] { uma::registerAllPasses(); }};
}
