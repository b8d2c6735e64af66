//===- ShapeOpsTest.cpp - Tests of operators that move elements -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
class ShapeOpsTest : public test::InterpreterTest {};
} // namespace

TEST_F(ShapeOpsTest, Reshape) {
  expect("reshape", "[2, -1]", {iota("1x6xf32")}, "2x3xf32",
         {1, 2, 3, 4, 5, 6});
  expect("batch_flatten", "", {iota("2x1x3xi8")}, "2x3xi8", {1, 2, 3, 4, 5, 6});
}

TEST_F(ShapeOpsTest, Transpose) {
  expect("transpose", "[1, 0]", {iota("2x3xf32")}, "3x2xf32",
         {1, 4, 2, 5, 3, 6});
  // NHWC to NCHW: H = 1, W = 2, C = 3.
  expect("transpose", "[0, 3, 1, 2]", {iota("1x1x2x3xf16")}, "1x3x1x2xf16",
         {1, 4, 2, 5, 3, 6});
  // A permutation that is not its own inverse.
  expect("transpose", "[1, 2, 0]", {iota("2x1x3xf32")}, "1x3x2xf32",
         {1, 4, 2, 5, 3, 6});
  expect("transpose", "[]", {tensor("f32", {5})}, "f32", {5});
  expect("transpose", "[1, 0]", {HostTensor(type("0x3xf32"))}, "3x0xf32", {});
}

TEST_F(ShapeOpsTest, Concatenate) {
  HostTensor a = iota("2x2xf32"), b = tensor("2x1xf32", {10, 20});
  expect("concatenate", "axis 1", {a, b}, "2x3xf32", {1, 2, 10, 3, 4, 20});
  expect("concatenate", "axis -1", {b, a}, "2x3xf32", {10, 1, 2, 20, 3, 4});
  expect("concatenate", "axis 0", {a, a}, "4x2xf32", {1, 2, 3, 4, 1, 2, 3, 4});
  expect("concatenate", "axis 1", {a, HostTensor(type("2x0xf32"))}, "2x2xf32",
         {1, 2, 3, 4});
}

TEST_F(ShapeOpsTest, Pad) {
  expect("pad", "before [1, 0] after [0, 2]", {iota("1x2xf32")}, "2x4xf32",
         {0, 0, 0, 0, 1, 2, 0, 0});
  expect("pad", "before [1] after [1] value -3.0", {iota("1xi8")}, "3xi8",
         {-3, 1, -3});
  expect("pad", "before [2] after [1] value 1.5", {HostTensor(type("0xf16"))},
         "3xf16", {1.5, 1.5, 1.5});
}

TEST_F(ShapeOpsTest, KeepsEveryBit) {
  HostTensor data(type("1x2xi64"));
  data.setInt(0, std::numeric_limits<int64_t>::max());
  data.setInt(1, (int64_t(1) << 53) + 1);
  FailureOr<HostTensor> result =
      tryRun("transpose", "[1, 0]", {data}, "2x1xi64");
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->getInt(0), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(result->getInt(1), (int64_t(1) << 53) + 1);
}
