//===- CheckHeader.h - A description against its header -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HEADERCHECK_CHECKHEADER_H
#define UMA_LIB_DRIVER_HEADERCHECK_CHECKHEADER_H

#include "../Compile/Model.h"

#include "uma/Accel/IR/AccelOps.h"

namespace uma {

/// Checks the calls of a description against the prototypes in the headers that
/// it includes, with the C compiler `compiler`, or CC from the environment if
/// empty. Emits an error for each mistake, and a warning if there is no
/// compiler. Fails only if missing files prevent all checks.
ExitCode checkHeader(accel::AcceleratorOp accelerator,
                     const ModelContext &context, llvm::StringRef compiler);

} // namespace uma

#endif // UMA_LIB_DRIVER_HEADERCHECK_CHECKHEADER_H
