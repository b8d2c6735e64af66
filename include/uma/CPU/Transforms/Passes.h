//===- Passes.h - What is decided about the CPU's layers -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_TRANSFORMS_PASSES_H
#define UMA_CPU_TRANSFORMS_PASSES_H

#include "uma/CPU/Model/Layer.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace uma::cpu {

#define GEN_PASS_DECL
#include "uma/CPU/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "uma/CPU/Transforms/Passes.h.inc"

/// Decisions in their order. Each is made by what those before it say.
enum class Decision { Layers, Kernels, Pairs, Schedules };

/// Checks that the decisions about the layers of a module up to `last` are
/// there and fit each other; emits an error that names layer and attribute
/// where not. Attributes of later ones are of the right kind at least.
mlir::LogicalResult verifyLayers(mlir::ModuleOp module,
                                 Decision last = Decision::Schedules);

/// Replaces the calls to layers for which `isInlined` holds by their operators
/// and returns the number of calls. The functions stay.
size_t inlineLayers(mlir::ModuleOp module, mlir::SymbolTable &symbols,
                    llvm::function_ref<bool(mlir::func::FuncOp)> isInlined);

/// Returns the functions of a module that call layers: those without a target
/// that are none themselves.
llvm::SmallVector<mlir::func::FuncOp> getEntryFunctions(mlir::ModuleOp module);

/// Returns the name of a layer's function in the IR and in C, as in
/// `conv1_conv2d_bias_add_relu`; of a long layer the beginning.
std::string getFunctionName(const CPULayer &layer);

} // namespace uma::cpu

#endif // UMA_CPU_TRANSFORMS_PASSES_H
