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

/// Reads an array of NumPy's format 1.0 to 3.0, little-endian and in C order.
/// Errors name the file and what was found.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path,
                                   mlir::MLIRContext *context);

/// The tensor as the bytes of a format 1.0 file. NumPy has no bfloat16; such a
/// tensor is an error.
llvm::Expected<std::string> toNpy(const HostTensor &tensor);

} // namespace uma

#endif // UMA_SUPPORT_NPY_H
