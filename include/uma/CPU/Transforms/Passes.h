//===- Passes.h - Transforms of the CPU's layers -*- C++ -*----------------===//
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

/// Decisions in the order in which they are made. Each depends on the previous
/// ones.
enum class Decision { Layers, Kernels, Pairs, Schedules };

/// Checks that all decisions about the layers of a module up to `last` are
/// present and consistent. Of later decisions, checks only the attribute kinds.
/// Emits an error that names layer and attribute if a check fails.
mlir::LogicalResult verifyLayers(mlir::ModuleOp module,
                                 Decision last = Decision::Schedules);

/// Inlines the calls to layers for which `isInlined` holds and returns the
/// number of calls. Does not erase the functions.
size_t inlineLayers(mlir::ModuleOp module, mlir::SymbolTable &symbols,
                    llvm::function_ref<bool(mlir::func::FuncOp)> isInlined);

/// Returns the functions of a module that may call layers: those that are
/// neither a layer nor have a target.
llvm::SmallVector<mlir::func::FuncOp> getEntryFunctions(mlir::ModuleOp module);

/// Returns the layers that uma-cpu-form-layers makes of the operators of a
/// block, in program order.
llvm::SmallVector<CPULayer> findLayers(mlir::Block &block,
                                       size_t maxDepth = 64);

/// Returns the name of a layer's function in the IR and in C, as in
/// `conv1_conv2d_bias_add_relu`, truncated for layers of many operators.
std::string getFunctionName(const CPULayer &layer);

} // namespace uma::cpu

#endif // UMA_CPU_TRANSFORMS_PASSES_H
