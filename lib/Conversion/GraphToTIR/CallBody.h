//===- CallBody.h - Calls with structs and constants -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_CALLBODY_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_CALLBODY_H

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/SmallBitVector.h"

#include <functional>
#include <string>

namespace uma {

/// Body of the C function that makes a call.
struct CallBody {
  std::string text; ///< statements, with `{N}` for parameter N
  llvm::SmallVector<unsigned> operands; ///< operand of each parameter
  llvm::SmallVector<std::string> names; ///< parameters; may be empty
};

/// Builds the body for `call`, which has `c_arguments`. `isPresent` is set for
/// operands that are part of the match; `numbers` are their values, null for
/// tensors. If `replace` is given, its text is used instead of calls to the
/// function.
CallBody buildCallBody(accel::CallOp call,
                       const llvm::SmallBitVector &isPresent,
                       llvm::ArrayRef<mlir::TypedAttr> numbers,
                       accel::ReplaceOp replace);

/// Operands of a call as C text, which may contain `{N}` for parameter N.
struct MappedBody {
  llvm::SmallVector<std::string> operands;
  /// Returns the number of an operand by which a `which(…)` picks.
  std::function<mlir::TypedAttr(unsigned)> picks;
};

/// Builds the body for a call of a mapped match from the text of its operands.
std::string buildMappedBody(accel::CallOp call, const MappedBody &body);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_CALLBODY_H
