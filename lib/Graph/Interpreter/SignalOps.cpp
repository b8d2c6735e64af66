//===- SignalOps.cpp - Evaluates signal processing ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <complex>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

Result kernels::run(DFTOp op, Operands operands, EmitErrorFn emitError) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = operands[0].getShape();
  int64_t axis = op.getAxis(), parts = shape.back();
  if (axis < 0)
    axis += shape.size();
  SmallVector<int64_t> in = getStrides(shape);
  int64_t length = operands[1].getShape()[0];
  int64_t terms = std::min(length, shape[axis]);
  std::vector<double> data = load<double>(operands[0]);
  std::vector<double> twiddle = load<double>(operands[1]);
  std::vector<double> result;
  // Compute real and imaginary part at once.
  forEachIndex(type.getShape().drop_back(), [&](ArrayRef<int64_t> at) {
    int64_t begin = 0;
    for (auto [dim, index] : llvm::enumerate(at))
      if (int64_t(dim) != axis)
        begin += index * in[dim];
    std::complex<double> sum = 0;
    for (int64_t n = 0; n < terms; ++n) {
      const double *element = &data[begin + n * in[axis]];
      const double *factor = &twiddle[2 * (at[axis] * n % length)];
      sum += std::complex<double>(element[0], parts == 2 ? element[1] : 0.0) *
             std::complex<double>(factor[0], factor[1]);
    }
    result.push_back(sum.real());
    result.push_back(sum.imag());
  });
  return store(type, result);
}
