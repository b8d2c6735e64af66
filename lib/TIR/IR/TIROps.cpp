//===- TIROps.cpp - Registration of the tir family ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/Builders.h"
#include "mlir/Transforms/FoldUtils.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

#include "uma/TIR/IR/TIREnums.cpp.inc"

#define GET_OP_CLASSES
#include "uma/TIR/IR/TIROps.cpp.inc"

namespace {
/// Keeps constants inside the version that uses them: other versions are not
/// compiled in C, and an unused constant causes a warning.
struct TIRFoldInterface : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;

  bool shouldMaterializeInto(Region *region) const final {
    return isa<MultiversionOp>(region->getParentOp());
  }
};
} // namespace

void UMADialect::registerTIRFamily() {
  addInterfaces<TIRFoldInterface>();
  addOperations<
#define GET_OP_LIST
#include "uma/TIR/IR/TIROps.cpp.inc"
      >();
}
