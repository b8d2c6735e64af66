//===- TIROps.cpp - Registration of the tir family ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

#include "uma/TIR/IR/TIREnums.cpp.inc"

#define GET_OP_CLASSES
#include "uma/TIR/IR/TIROps.cpp.inc"

void UMADialect::registerTIRFamily() {
  addOperations<
#define GET_OP_LIST
#include "uma/TIR/IR/TIROps.cpp.inc"
      >();
}
