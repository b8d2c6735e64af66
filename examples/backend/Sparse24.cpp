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
#include "uma/Support/HostTensor.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uma;

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
};
} // namespace

UMA_DEFINE_BACKEND_PLUGIN(Sparse24)
