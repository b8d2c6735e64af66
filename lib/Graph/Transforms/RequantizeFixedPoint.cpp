//===- RequantizeFixedPoint.cpp - Requantise in integers ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Small cores have no unit for floating point, where one multiplication of f32
// per element is a call of a library. Rounding is an attribute, so that only it
// changes: the interpreter, patterns and the C follow.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "FoldQuantizedPools.h"

#include "uma/Graph/IR/QuantizationAttributes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_REQUANTIZEFIXEDPOINTPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

namespace {
struct RequantizeFixedPointPass
    : uma::graph::impl::RequantizeFixedPointPassBase<RequantizeFixedPointPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      auto convert = [&](auto op) {
        if (op.getRounding() == kTFLiteRounding)
          return;
        op.setRounding(kTFLiteRounding);
        ++numConverted;
      };
      llvm::TypeSwitch<Operation *>(op)
          .Case<RequantizeOp, QuantizedAddOp>(convert)
          .Case([&](QuantizeOp quantize) {
            // Means of integers become sums and a requantize.
            if (getPooledBytes(quantize))
              convert(quantize);
          });
    });
  }
};
} // namespace
