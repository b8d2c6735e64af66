//===- Sparse24.cpp - An accelerator with a predicate in C++ --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What sparse24.uma cannot say: which layers the unit takes depends on the
// values of their weights. docs/backend.md goes through this file.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uma;

/// One element at a time, without the branch that a comparison would be.
static LogicalResult lowerRelu(LayerBuilder &b, graph::ReluOp op,
                               ValueRange inputs, ValueRange outputs) {
  Type type = op.getType().getElementType();
  b.elementwise("sparse24_relu", outputs[0], {b.whole(inputs[0])}, type,
                [&](ValueRange x) -> Value {
                  Value zero = b.constant(type, 0.0);
                  return arith::MaximumFOp::create(b.builder, b.loc, x[0],
                                                   zero);
                });
  return success();
}

namespace {
class Sparse24 final : public accel::Backend {
public:
  std::string getName() const override { return "sparse24"; }

  OwningOpRef<accel::AcceleratorOp>
  describe(MLIRContext *context) const override {
    return accel::readDescription(SPARSE24_DIR "/sparse24.uma", context);
  }

  LogicalResult checkMatch(const accel::Match &match,
                           std::string &reason) const override {
    accel::PatternOp pattern = match.pattern;
    if (pattern.getSymName() != "dense")
      return success();
    // The pattern's inputs are x and w.
    ElementsAttr values;
    if (!matchPattern(match.inputs[1], m_Constant(&values))) {
      reason = "its weights are not constant, so nobody knows whether they are "
               "sparse";
      return failure();
    }
    FailureOr<HostTensor> weights = HostTensor::fromAttribute(values);
    if (failed(weights)) {
      reason = "its weights cannot be read";
      return failure();
    }
    for (int64_t group = 0; group < weights->getNumElements(); group += 4) {
      int64_t present = 0;
      for (int64_t lane = group; lane < group + 4; ++lane)
        present += weights->getDouble(lane) != 0.0;
      if (present <= 2)
        continue;
      reason = std::to_string(present) + " of the four weights from element " +
               std::to_string(group) +
               " on are not zero, the unit multiplies by two";
      return failure();
    }
    return success();
  }

  void populateStrategies(StrategyRegistry &registry) const override {
    registry.add<graph::ReluOp>(lowerRelu, /*plevel=*/11);
  }
};
} // namespace

UMA_DEFINE_BACKEND_PLUGIN(Sparse24)
