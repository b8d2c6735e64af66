//===- LowerPhases.h - The passes of uma-lower by phase -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_PIPELINES_LOWERPHASES_H
#define UMA_LIB_PIPELINES_LOWERPHASES_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace uma {

/// Passes of phases 1 to 3, in order.
class LowerPhases {
public:
  /// Builds the phases from pass names. An empty list stands for the phase's
  /// default passes. Reports an invalid name with `error` and fails.
  static mlir::FailureOr<LowerPhases>
      get(llvm::ArrayRef<std::string> (&phases)[3],
          llvm::ArrayRef<std::string> disabled,
          llvm::function_ref<mlir::InFlightDiagnostic()> error);

  /// Adds the passes of `phase`, 1 to 3.
  void addTo(mlir::OpPassManager &manager, unsigned phase) const;

private:
  /// Indices into the table of passes.
  llvm::SmallVector<size_t> passes[3];
};

} // namespace uma

#endif // UMA_LIB_PIPELINES_LOWERPHASES_H
