//===- InputConstant.h - Inputs that become constants -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IMPORT_SUPPORT_INPUTCONSTANT_H
#define UMA_IMPORT_SUPPORT_INPUTCONSTANT_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace uma {

/// Name of an input and the file that holds its value.
using InputConstant = std::pair<std::string, std::string>;

/// Reads `name=file`, the argument of the option `--const`. The error is one
/// line without a prefix.
llvm::Expected<InputConstant> parseInputConstant(llvm::StringRef text);

namespace importer {
class ImportErrors;

/// Reports a name in `given` that is no input, or that is there twice. `what`
/// describes what is given.
mlir::LogicalResult checkInputNames(ImportErrors &errors, llvm::StringRef what,
                                    llvm::ArrayRef<llvm::StringRef> inputs,
                                    llvm::ArrayRef<llvm::StringRef> given);

} // namespace importer
} // namespace uma

#endif // UMA_IMPORT_SUPPORT_INPUTCONSTANT_H
