//===- SameElements.h - In-place layers and threads -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_IR_SAMEELEMENTS_H
#define UMA_TIR_IR_SAMEELEMENTS_H

#include "uma/TIR/IR/TIROps.h"

namespace uma::tir {

/// Returns whether each block of `function` inside of parallel loops reads the
/// same elements of `read` that it writes to `written`, both of which are
/// arguments. If it may write its result over this data on one thread, it may
/// then do so on several threads, if both begin at the same byte: an element
/// is only accessed in the iterations that write it. Loads and stores are
/// analysed; other accesses to either buffer give false.
bool accessesSameElements(FuncOp function, mlir::Value written,
                          mlir::Value read);

} // namespace uma::tir

#endif // UMA_TIR_IR_SAMEELEMENTS_H
