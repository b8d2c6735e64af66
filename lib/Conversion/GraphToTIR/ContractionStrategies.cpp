//===- ContractionStrategies.cpp - dense as loops -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Plain loops around a scalar accumulator.
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

static LogicalResult lowerDense(LayerBuilder &b, graph::DenseOp op,
                                ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], weight = inputs[1], result = outputs[0];
  Type accType = LayerBuilder::getComputeType(getElement(result));
  unsigned rank = getShape(result).size();

  // Iteration variables: those of the result, the last of which is the unit,
  // then the input feature.
  Access dataAccess{data, {}};
  for (unsigned d = 0; d + 1 < rank; ++d)
    dataAccess.first.push_back(b.dim(d));
  dataAccess.first.push_back(b.dim(rank));
  Access weightAccess{weight, {b.dim(rank - 1), b.dim(rank)}};

  Value zero = b.constant(accType, 0.0);
  b.loops(getShape(result), [&](ValueRange outer) {
    Value acc = b.reduce(
        "dense", outer, getShape(result), {getShape(weight)[1]}, accType, zero,
        {dataAccess, weightAccess}, [&](ValueRange vars, Value acc) {
          SmallVector<Value> at(vars.take_front(rank - 1));
          at.push_back(vars[rank]);
          return b.add(acc, b.mul(b.loadAs(accType, data, at),
                                  b.loadAs(accType, weight,
                                           {vars[rank - 1], vars[rank]})));
        });
    b.storeScalar("dense_result", outer, acc, result);
  });
  return success();
}

void uma::populateContractionStrategies(StrategyRegistry &registry) {
  registry.add<graph::DenseOp>(lowerDense);
}
