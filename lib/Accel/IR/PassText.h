//===- PassText.h - Passes that descriptions may name -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_IR_PASSTEXT_H
#define UMA_LIB_ACCEL_IR_PASSTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma::accel {

/// Returns why a description may not run `text`, the text of a pass pipeline or
/// of a transform script: "'PASS' does ...". Empty if it may: passes of a
/// description transform the network; they access no files, load no code, run
/// no programs and print nothing.
std::string findForbiddenPass(llvm::StringRef text);

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_IR_PASSTEXT_H
