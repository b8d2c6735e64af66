//===- Version.cpp - Versions of the project and of MLIR ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Version.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

StringRef uma::getVersion() { return UMA_VERSION; }

StringRef uma::getMLIRVersion() { return LLVM_VERSION_STRING; }

std::string uma::getVersionLine(StringRef tool) {
  return (tool + " " + getVersion() + " (MLIR " + getMLIRVersion() + ")").str();
}

void uma::setVersionPrinter(StringLiteral tool) {
  cl::SetVersionPrinter(
      [tool](raw_ostream &os) { os << getVersionLine(tool) << '\n'; });
}
