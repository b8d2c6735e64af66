//===- Reference.h - Comparing with the reference interpreter -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPARE_REFERENCE_H
#define UMA_LIB_DRIVER_COMPARE_REFERENCE_H

#include "../Package/Tensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma {

/// Compares the outputs that C computed from `inputs` with the interpreter's
/// results for `entry`, within `tolerance` or the default of each type.
///
/// An output that differs is also correct if the interpreter computes it when
/// some open roundings (see RoundingSides) go to the other side. The first
/// attempt takes the sides of the same layers on integers, as C computes them.
/// A search then runs the interpreter several times. If there are too many open
/// roundings to search, the interpreter runs with random sides, and an element
/// is correct within the interval of all results; `note` of a comparison says
/// so. Emits an error and fails if the interpreter fails.
mlir::FailureOr<llvm::SmallVector<Comparison>> compareWithInterpreter(
    mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
    llvm::ArrayRef<HostTensor> outputs, std::optional<double> tolerance);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPARE_REFERENCE_H
