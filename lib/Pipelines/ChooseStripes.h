//===- ChooseStripes.h - Choice of what runs in stripes -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_PIPELINES_CHOOSESTRIPES_H
#define UMA_LIB_PIPELINES_CHOOSESTRIPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace uma {

struct StripeOptions {
  /// Bytes that the workspace may have.
  int64_t arena = 0;
  /// Whether several memories divide the workspace. A workspace that does not
  /// fit then counts as the arena and what is missing.
  bool isDivided = false;
  /// Whether uma-cpu-form-layers forms layers of the operators.
  bool formsLayers = true;
  /// Whether inputs and outputs are part of the workspace.
  bool placesArguments = false;
  /// Plans that are tried.
  int64_t maxTries = 16;
};

/// Attempts, as text for an error about a workspace that is too large.
struct StripeReport {
  bool fits = false;
  std::string tried;
};

/// Marks operators for uma-graph-split-rows, such that the workspace of the
/// network fits into `options.arena` bytes, with as few multiply-accumulates
/// computed twice as possible. `getWorkspace` lowers a module as it is marked,
/// without changing it, and returns the bytes of its workspace; it fails if the
/// module cannot be lowered. If nothing fits, marks what came closest.
mlir::FailureOr<StripeReport>
chooseStripes(mlir::func::FuncOp network, const StripeOptions &options,
              llvm::function_ref<mlir::FailureOr<int64_t>()> getWorkspace);

} // namespace uma

#endif // UMA_LIB_PIPELINES_CHOOSESTRIPES_H
