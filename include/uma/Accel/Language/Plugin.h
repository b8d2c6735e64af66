//===- Plugin.h - Checks of plugins -*- C++ -*---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_LANGUAGE_PLUGIN_H
#define UMA_ACCEL_LANGUAGE_PLUGIN_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma::accel {

/// Checks that a file is a shared library for the versions of MLIR and uma in
/// this program, without loading it. Returns what is wrong, as the predicate of
/// a sentence about the file, or an empty string.
std::string checkPlugin(llvm::StringRef file);

/// Registers the dialects of those backends that are plugins. Ignores plugins
/// that cannot be loaded: the pass that names them reports the error.
void registerPluginDialects(llvm::ArrayRef<std::string> namesOrPaths,
                            mlir::DialectRegistry &registry);

} // namespace uma::accel

#endif // UMA_ACCEL_LANGUAGE_PLUGIN_H
