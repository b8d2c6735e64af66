//===- Npy.h - NumPy files -*- C++ -*--------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_NPY_H
#define UMA_SUPPORT_NPY_H

#include "uma/Support/HostTensor.h"

#include "llvm/Support/Error.h"

namespace uma {

/// Reads a NumPy array of format 1.0 to 3.0, little-endian and in C order.
/// Errors name the file and the unexpected contents.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path,
                                   mlir::MLIRContext *context);

/// Serialises the tensor in format 1.0. Fails for bfloat16, which NumPy lacks.
llvm::Expected<std::string> toNpy(const HostTensor &tensor);

} // namespace uma

#endif // UMA_SUPPORT_NPY_H
