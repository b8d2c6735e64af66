//===- ImportedFunction.cpp - Checks of imported functions ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/Support/ImportedFunction.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

void importer::eraseUnusedOperators(func::FuncOp function) {
  auto ops =
      llvm::map_to_vector(function.getBody().front().without_terminator(),
                          [](Operation &op) { return &op; });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

LogicalResult importer::checkNotEmpty(func::FuncOp function,
                                      ImportErrors &errors, StringRef kind) {
  for (Operation &op : function.getBody().front().without_terminator())
    for (Type type : op.getResultTypes()) {
      ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
      const int64_t *empty = llvm::find(shape, 0);
      if (empty == shape.end())
        continue;
      bool isTensor = isa<graph::ConstantOp>(op);
      return errors.notSupported(
          (isTensor ? Twine("tensor ") : kind + " ") +
          quote(getLayerName(&op)) + (isTensor ? "" : ": the result") +
          " has no elements: dimension " + Twine(empty - shape.begin()) +
          " of " + formatShape(shape) + " is 0");
    }
  return success();
}
