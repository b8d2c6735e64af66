//===- ImporterContract.h - What fuzzers require of an importer -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For any input, an importer gives a module that verifies or an error of one
// line.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_UNITTESTS_IMPORT_IMPORTERCONTRACT_H
#define UMA_UNITTESTS_IMPORT_IMPORTERCONTRACT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

#include <cstdio>
#include <cstdlib>

namespace uma {

/// Ends the process if a condition fails, so that libFuzzer keeps the input.
inline void require(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "the importer broke its contract: %s\n", what);
  std::abort();
}

/// Checks one run of an importer. `import` takes a context and a module to set,
/// and returns whether it succeeded.
inline void requireImporterContract(
    llvm::function_ref<bool(mlir::MLIRContext &,
                            mlir::OwningOpRef<mlir::ModuleOp> &)>
        import) {
  // One context per input, since types and attributes live as long as it.
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  bool isOneLine = true;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        errors += diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        isOneLine &= !llvm::StringRef(diagnostic.str()).contains('\n');
      });
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool isSuccess = import(context, module);
  require(errors == (isSuccess ? 0 : 1), "one error, or none on success");
  require(isOneLine, "an error is one line");
  require(bool(module) == isSuccess, "a module on success only");
  require(!module || mlir::succeeded(mlir::verify(*module)),
          "the module verifies");
}

} // namespace uma

#endif // UMA_UNITTESTS_IMPORT_IMPORTERCONTRACT_H
