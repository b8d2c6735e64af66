//===- Dialect.cpp - Dialect of the device ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MydevDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#include "MydevDialect.cpp.inc"
#define GET_OP_CLASSES
#include "MydevOps.cpp.inc"

void mydev::MydevDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "MydevOps.cpp.inc"
      >();
}
