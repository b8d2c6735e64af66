//===- CheckGraph.cpp - Precondition of the conversion to TIR -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "CheckGraph.h"

#include "uma/IR/UMADialect.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace uma;

LogicalResult uma::checkGraph(func::FuncOp function) {
  if (function.isDeclaration())
    return function.emitOpError(
        "has no body; the graph of every function must be in the module");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("branches; a graph is one block of operators");
  auto check = [&](StringRef kind, TypeRange types, auto getName) {
    for (auto [i, type] : llvm::enumerate(types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      bool isTensor = tensor && tensor.hasStaticShape() &&
                      tensor.getElementType().isIntOrFloat();
      if (isTensor && tensor.getNumElements() > 0)
        continue;
      InFlightDiagnostic error = function.emitOpError(kind) << ' ' << i;
      if (StringAttr name = getName(i))
        error << " ('" << name.getValue() << "')";
      error << " has type " << type << ", expected ";
      return LogicalResult(
          isTensor ? error << "at least one element: C has no empty arrays"
                   : error << "a tensor of integers or floats whose shape "
                              "is known");
    }
    return LogicalResult(success());
  };
  if (failed(check("argument", function.getArgumentTypes(), [&](unsigned i) {
        return function.getArgAttrOfType<StringAttr>(i, kTensorNameAttrName);
      })))
    return failure();
  return check("result", function.getResultTypes(), [&](unsigned i) {
    return function.getResultAttrOfType<StringAttr>(i, kTensorNameAttrName);
  });
}
