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
/// Outputs that differ are compared again if the function rounds values that
/// have two right results (see RoundingSides): the interpreter runs a few times
/// more, with these values on sides taken by chance. An element is right if it
/// is within the tolerance of the interval between the smallest and the largest
/// result. `note` of the comparison says so. Fails with an error where the
/// interpreter does.
mlir::FailureOr<llvm::SmallVector<Comparison>> compareWithInterpreter(
    mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
    llvm::ArrayRef<HostTensor> outputs, std::optional<double> tolerance);

} // namespace uma

#endif // UMA_LIB_DRIVER_REFERENCE_H
