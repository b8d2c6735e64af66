//===- uma-lsp-server.cpp - Language server for editors -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Serves descriptions by default. With --language=mlir as the first argument,
// it is upstream's mlir-lsp-server with the dialect of this project.
//
//===----------------------------------------------------------------------===//

#include "uma/InitAll.h"
#include "uma/LSP/MLIRSession.h"
#include "uma/LSP/Server.h"
#include "uma/Support/StandardStreams.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

/// First argument of the child that is upstream's server.
static constexpr llvm::StringLiteral kServe = "--serve-mlir";

int main(int argc, char **argv) {
  uma::guardStandardStreams();
  llvm::StringRef first = argc > 1 ? argv[1] : "--language=uma";
  if (first == "--language=mlir") {
    std::vector<std::string> command(argv, argv + argc);
    command[1] = kServe.str();
    return uma::superviseMLIRServer(command);
  }
  uma::registerAllPasses();
  if (first == kServe) {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    uma::registerAllDialects(registry);
    std::vector<char *> rest(argv, argv + argc);
    rest.erase(rest.begin() + 1);
    return failed(mlir::MlirLspServerMain(static_cast<int>(rest.size()),
                                          rest.data(), registry));
  }
  if (argc <= 2 && (first == "--language=uma" || first == "--stdio"))
    return uma::runDescriptionServer();
  bool isHelp = first == "--help";
  (isHelp ? llvm::outs() : llvm::errs())
      << "usage: uma-lsp-server [--language=uma | --language=mlir "
         "[option...]]\n"
         "Serves the Language Server Protocol on standard input and output, "
         "for\n"
         "descriptions of accelerators or for MLIR with the dialects of uma.\n";
  return isHelp ? 0 : 2;
}
