//===- UMADialect.cpp - The `uma` dialect ---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/IR/UMADialect.h"

#include "uma/Accel/IR/MappingAssembly.h"
#include "uma/CPU/IR/CPUAssembly.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;

#include "uma/IR/UMADialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "uma/IR/UMAAttributes.cpp.inc"

void UMADialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "uma/IR/UMAAttributes.cpp.inc"
      >();
}

namespace {
/// Allows the upstream pass `inline` to inline calls between graphs.
struct UMAInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    // Composites stay in the function of their accelerator.
    return isInFamily<GraphFamily>(op) &&
           !op->getParentOp()->hasAttr(kTargetAttrName);
  }
};
} // namespace

void UMADialect::initialize() {
  addInterfaces<UMAInlinerInterface>();
  registerAttributes();
  registerGraphFamily();
  registerTIRFamily();
  registerAccelFamily();
}
