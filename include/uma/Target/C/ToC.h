//===- ToC.h - Print EmitC modules as C -*- C++ -*-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TARGET_C_TOC_H
#define UMA_TARGET_C_TOC_H

#include "uma/Support/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace uma {

/// Form in which printC prints constants.
enum class GlobalsAs {
  Definitions,  ///< `static const float w[4] = {...};`
  Declarations, ///< `extern const float w[4];`, defined elsewhere
};

/// Prints a module that `convert-uma-tir-to-emitc` made as one C file.
/// Upstream's `translateToCpp` prints everything but the constants: it lacks
/// `dense_resource` and prints an array on one line.
mlir::LogicalResult printC(mlir::ModuleOp module, llvm::raw_ostream &os,
                           GlobalsAs globals = GlobalsAs::Definitions);

/// Parts of a module's C.
struct CParts {
  struct Function {
    /// Definition with its comment.
    std::string text;
    /// Declaration; empty for functions of the public interface.
    std::string declaration;
  };

  /// Prerequisites of the functions: headers, helpers, constants.
  std::string head;
  std::vector<Function> functions;
};

/// Prints the module as printC does, but makes its functions non-`static`, also
/// in the module, so that they can be in different files.
mlir::FailureOr<CParts> printParts(mlir::ModuleOp module, GlobalsAs globals);

/// Prints the elements of a tensor as the initialiser of a C array, `{...}`
/// with a few elements per line. Every literal reads back as the same element.
void printInitializer(const HostTensor &tensor, llvm::raw_ostream &os);

/// Registers `uma-translate --uma-to-c`.
void registerToCTranslation();

} // namespace uma

#endif // UMA_TARGET_C_TOC_H
