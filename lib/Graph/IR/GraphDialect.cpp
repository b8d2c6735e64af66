//===- GraphDialect.cpp - The graph family of the uma dialect -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace uma;

void UMADialect::registerGraphFamily() {
  addOperations<
#define GET_OP_LIST
#include "uma/Graph/IR/GraphOps.cpp.inc"
      >();
}

/// Folders of the graph family return tensors; folders of the other families
/// return scalars, which become arith constants.
Operation *UMADialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  if (isa<RankedTensorType>(type)) {
    auto elements = dyn_cast<ElementsAttr>(value);
    if (!elements || elements.getType() != type)
      return nullptr;
    return graph::ConstantOp::create(builder, loc, elements);
  }
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

#include "uma/Graph/IR/GraphInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "uma/Graph/IR/GraphOps.cpp.inc"
