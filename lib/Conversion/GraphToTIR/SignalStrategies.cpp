//===- SignalStrategies.cpp - Fourier transforms as loops -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;

static LogicalResult lowerDFT(LayerBuilder &b, graph::DFTOp op,
                              ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], twiddle = inputs[1], result = outputs[0];
  Type type = LayerBuilder::getComputeType(getElement(result));
  SmallVector<int64_t> shape(getShape(result));
  unsigned rank = shape.size();
  auto axis = static_cast<int64_t>(op.getAxis());
  if (axis < 0)
    axis += rank;
  int64_t length = getShape(twiddle)[0];
  int64_t terms = std::min(length, getShape(data)[axis]);
  bool isComplex = getShape(data).back() == 2;

  // Iteration variables: the result's dimensions, the last of which is the real
  // or imaginary part, then the element of the data.
  auto loadPart = [&](ValueRange vars, int64_t part) {
    SmallVector<Value> at(vars.take_front(rank));
    at[axis] = vars[rank];
    at.back() = b.index(part);
    return b.loadAs(type, data, at);
  };
  Value zero = b.constant(type, 0.0);
  b.loops(shape, [&](ValueRange outer) {
    Value sum = b.reduce(
        "dft", outer, shape, {terms}, type, zero,
        {b.anywhere(data), b.anywhere(twiddle)},
        [&](ValueRange vars, Value acc) -> Value {
          // The product of two variables is not affine.
          Value product =
              arith::MulIOp::create(b.builder, b.loc, vars[axis], vars[rank]);
          Value angle = arith::RemSIOp::create(b.builder, b.loc, product,
                                               b.index(length));
          Value part = vars[rank - 1];
          Value factor = b.loadAs(type, twiddle, {angle, part});
          Value sum = b.add(acc, b.mul(loadPart(vars, 0), factor));
          if (!isComplex)
            return sum;
          // Term of the data's imaginary part: times -im for the real part of
          // the result, times re for the imaginary part.
          Value isReal = arith::CmpIOp::create(
              b.builder, b.loc, arith::CmpIPredicate::eq, part, b.index(0));
          Value other =
              arith::SubIOp::create(b.builder, b.loc, b.index(1), part);
          factor = b.loadAs(type, twiddle, {angle, other});
          Value negative =
              arith::SubFOp::create(b.builder, b.loc, zero, factor);
          factor = arith::SelectOp::create(b.builder, b.loc, isReal, negative,
                                           factor);
          return b.add(sum, b.mul(loadPart(vars, 1), factor));
        });
    b.storeScalar("dft_result", outer, sum, result);
  });
  return success();
}

void uma::populateSignalStrategies(StrategyRegistry &registry) {
  registry.add<graph::DFTOp>(lowerDFT);
}
