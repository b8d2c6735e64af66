//===- Reference.h - Comparing with the reference interpreter -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_REFERENCE_H
#define UMA_LIB_DRIVER_REFERENCE_H

#include "Tensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma {

/// Compares what C computed from `inputs` with the interpreter's results for
/// `entry`, within `tolerance` or, without one, the default of each type.
///
/// Outputs that differ are right, too, if the interpreter gives them with some
/// open roundings (see RoundingSides) on their other side. The search for these
/// takes a number of runs of the interpreter. A function with too many open
/// roundings for a search is run with sides taken by chance, and an element is
/// right within the interval of all results. `note` of a comparison says so.
/// Fails with an error where the interpreter does.
mlir::FailureOr<llvm::SmallVector<Comparison>> compareWithInterpreter(
    mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
    llvm::ArrayRef<HostTensor> outputs, std::optional<double> tolerance);

} // namespace uma

#endif // UMA_LIB_DRIVER_REFERENCE_H
