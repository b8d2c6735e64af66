//===- MathOpsTest.cpp - Tests of elementwise operators -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace {
class MathOpsTest : public test::InterpreterTest {};
} // namespace

TEST_F(MathOpsTest, Binary) {
  HostTensor a = tensor("2xf32", {6, -7}), b = tensor("2xf32", {3, 2});
  expect("add", "", {a, b}, "2xf32", {9, -5});
  expect("subtract", "", {a, b}, "2xf32", {3, -9});
  expect("multiply", "", {a, b}, "2xf32", {18, -14});
  expect("divide", "", {a, b}, "2xf32", {2, -3.5});
}

TEST_F(MathOpsTest, Broadcasting) {
  HostTensor column = tensor("2x1xf32", {10, 20});
  HostTensor row = tensor("3xf32", {1, 2, 3});
  expect("add", "", {column, row}, "2x3xf32", {11, 12, 13, 21, 22, 23});
  expect("subtract", "", {row, column}, "2x3xf32", {-9, -8, -7, -19, -18, -17});
  expect("multiply", "", {tensor("f32", {2}), row}, "3xf32", {2, 4, 6});
  expect("add", "", {tensor("1x2x1x1xf32", {1, 2}), iota("1x2x1x2xf32")},
         "1x2x1x2xf32", {2, 3, 5, 6});
  expect("add", "", {tensor("1x1xf32", {1}), HostTensor(type("0xf32"))},
         "1x0xf32", {});
}

TEST_F(MathOpsTest, RoundsOnceToTheElementType) {
  HostTensor one = tensor("f16", {1});
  HostTensor half = tensor("f16", {std::ldexp(1.0, -11)});
  expect("add", "", {one, half}, "f16", {1});
  HostTensor third = tensor("f32", {1.0f / 3.0f});
  expect("multiply", "", {third, tensor("f32", {3})}, "f32", {1});
  expect("divide", "", {tensor("bf16", {1}), tensor("bf16", {3})}, "bf16",
         {0.333984375});
  expect("multiply", "", {tensor("f16", {300}), tensor("f16", {300})}, "f16",
         {kInf});
  expect("divide", "", {tensor("2xf32", {1, 0}), tensor("2xf32", {0, 0})},
         "2xf32", {kInf, kNaN});
  double exact = 1.0 + std::ldexp(1.0, -52);
  expect("add", "", {tensor("f64", {exact}), tensor("f64", {0})}, "f64",
         {exact});
}

TEST_F(MathOpsTest, IntegersWrap) {
  expect("add", "", {tensor("i8", {127}), tensor("i8", {1})}, "i8", {-128});
  expect("subtract", "", {tensor("ui8", {3}), tensor("ui8", {5})}, "ui8",
         {254});
  expect("multiply", "", {tensor("i16", {300}), tensor("i16", {300})}, "i16",
         {24464});
  HostTensor smallest(type("i64"));
  smallest.setInt(0, std::numeric_limits<int64_t>::min());
  expect("divide", "", {smallest, tensor("i64", {-1})}, "i64",
         {-std::ldexp(1.0, 63)});
  expect("subtract", "", {smallest, tensor("i64", {1})}, "i64",
         {std::ldexp(1.0, 63)});
}

TEST_F(MathOpsTest, IntegerDivisionRoundsTowardsZero) {
  expect("divide", "",
         {tensor("4xi32", {7, -7, 7, -7}), tensor("4xi32", {2, 2, -2, -2})},
         "4xi32", {3, -3, -3, 3});
  // Above the largest signed number.
  HostTensor large(type("ui64"));
  large.setInt(0, -2);
  expect("divide", "", {large, tensor("ui64", {2})}, "ui64",
         {std::ldexp(1.0, 63)});
}

TEST_F(MathOpsTest, IntegerDivisionByZeroIsAnError) {
  EXPECT_TRUE(failed(tryRun("divide", "",
                            {tensor("2xi32", {1, 2}), tensor("2xi32", {1, 0})},
                            "2xi32")));
  EXPECT_NE(errors.find("divides integers by zero: element 1 of rhs is 0"),
            std::string::npos)
      << errors;
}

TEST_F(MathOpsTest, Relu) {
  expect("relu", "", {tensor("4xf32", {-1, 0, 2, kNaN})}, "4xf32",
         {0, 0, 2, kNaN});
  expect("relu", "", {tensor("2xi8", {-128, 127})}, "2xi8", {0, 127});
  expect("relu", "", {tensor("1xui8", {200})}, "1xui8", {200});
}

TEST_F(MathOpsTest, Clip) {
  expect("clip", "min -1.0 max 6.0", {tensor("5xf32", {-3, -1, 5, 7, kNaN})},
         "5xf32", {-1, -1, 5, 6, kNaN});
  expect("clip", "min 0.0 max 6.0", {tensor("3xi8", {-5, 5, 127})}, "3xi8",
         {0, 5, 6});
  expect("clip", "min 0.0 max 0x7FF0000000000000",
         {tensor("2xf32", {-1, 1e30f})}, "2xf32", {0, 1e30f});
  // The bounds have the precision of the data.
  expect("clip", "min 0.0 max 0.3333333333333333", {tensor("f16", {1})}, "f16",
         {0.333251953125});
}

TEST_F(MathOpsTest, Cast) {
  expect("cast", "to i8", {tensor("5xf32", {2.7, -2.7, 300, -300, kNaN})},
         "5xi8", {2, -2, 127, -128, 0});
  expect("cast", "to i8", {tensor("2xi32", {300, -1})}, "2xi8", {44, -1});
  expect("cast", "to ui8", {tensor("i8", {-1})}, "ui8", {255});
  expect("cast", "to i1", {tensor("3xf32", {0.5, 0, kNaN})}, "3xi1", {1, 0, 1});
  expect("cast", "to i1", {tensor("2xi32", {256, 0})}, "2xi1", {1, 0});
  expect("cast", "to f16", {tensor("f32", {2049})}, "f16", {2048});
  expect("cast", "to f32", {tensor("i32", {16777217})}, "f32", {16777216});
  HostTensor large(type("ui64"));
  large.setInt(0, -1);
  expect("cast", "to f32", {large}, "f32", {std::ldexp(1.0, 64)});
  expect("cast", "to f32", {tensor("ui8", {200})}, "f32", {200});
}

TEST_F(MathOpsTest, Remainders) {
  HostTensor x = tensor("4xi32", {7, -7, 7, -7});
  HostTensor y = tensor("4xi32", {3, 3, -3, -3});
  expect("mod", "", {x, y}, "4xi32", {1, -1, 1, -1});
  expect("floor_mod", "", {x, y}, "4xi32", {1, 2, -2, -1});
  expect("floor_mod", "", {tensor("2xf32", {-7.5, 6}), tensor("2xf32", {2, 3})},
         "2xf32", {0.5, 0});
  expect("mod", "", {tensor("2xf32", {-7.5, 5}), tensor("2xf32", {2, -3})},
         "2xf32", {-1.5, 2});
  expect("mod", "", {tensor("i8", {-128}), tensor("i8", {-1})}, "i8", {0});
  expect("mod", "", {tensor("ui8", {255}), tensor("ui8", {254})}, "ui8", {1});
  EXPECT_TRUE(failed(
      tryRun("floor_mod", "", {x, tensor("4xi32", {1, 1, 1, 0})}, "4xi32")));
}

TEST_F(MathOpsTest, Power) {
  expect("power", "",
         {tensor("3xf32", {2, 0, -8}), tensor("3xf32", {-2, 0, 1})}, "3xf32",
         {0.25, 1, -8});
  expect("power", "",
         {tensor("6xi32", {3, -2, 1, -1, 7, 0}),
          tensor("6xi32", {4, 3, -5, -5, -1, -1})},
         "6xi32", {81, -8, 1, -1, 0, 0});
  // 3^5 = 243 does not fit; the low bits of 2^200 are zero.
  expect("power", "", {tensor("2xi8", {3, 2}), tensor("2xi8", {5, 100})},
         "2xi8", {-13, 0});
  expect("power", "", {tensor("ui8", {2}), tensor("ui8", {200})}, "ui8", {0});
}

TEST_F(MathOpsTest, NaNWinsMaximumAndMinimum) {
  HostTensor x = tensor("3xf32", {kNaN, 1, 2});
  HostTensor y = tensor("3xf32", {1, kNaN, 3});
  expect("maximum", "", {x, y}, "3xf32", {kNaN, kNaN, 3});
  expect("minimum", "", {x, y}, "3xf32", {kNaN, kNaN, 2});
  expect("maximum", "", {tensor("ui8", {200}), tensor("ui8", {100})}, "ui8",
         {200});
}

TEST_F(MathOpsTest, ComparisonsKnowSigns) {
  expect("less", "", {tensor("i8", {-1}), tensor("i8", {1})}, "i1", {1});
  expect("less", "", {tensor("ui8", {255}), tensor("ui8", {1})}, "i1", {0});
  expect("greater_equal", "", {tensor("f32", {kNaN}), tensor("f32", {kNaN})},
         "i1", {0});
  expect("not_equal", "", {tensor("f32", {kNaN}), tensor("f32", {kNaN})}, "i1",
         {1});
  expect("isinf", "", {tensor("3xf16", {-kInf, kNaN, 1})}, "3xi1", {1, 0, 0});
}

TEST_F(MathOpsTest, Shifts) {
  HostTensor amounts = tensor("3xui8", {1, 8, 255});
  expect("left_shift", "", {tensor("ui8", {129}), amounts}, "3xui8", {2, 0, 0});
  expect("right_shift", "", {tensor("ui8", {129}), amounts}, "3xui8",
         {64, 0, 0});
  expect("right_shift", "", {tensor("i16", {-5}), tensor("3xi16", {1, 16, -1})},
         "3xi16", {-3, -1, -1});
}

TEST_F(MathOpsTest, LogicAndBits) {
  HostTensor x = tensor("2xi1", {1, 0}), y = tensor("2xi1", {1, 1});
  expect("logical_and", "", {x, y}, "2xi1", {1, 0});
  expect("logical_xor", "", {x, y}, "2xi1", {0, 1});
  expect("logical_not", "", {x}, "2xi1", {0, 1});
  expect("bitwise_not", "", {tensor("ui8", {1})}, "ui8", {254});
  expect("where", "", {x, tensor("f32", {5}), tensor("2xf32", {6, kNaN})},
         "2xf32", {5, kNaN});
}

TEST_F(MathOpsTest, Functions) {
  expect("round", "", {tensor("4xf32", {0.5, 1.5, -2.5, 2.6})}, "4xf32",
         {0, 2, -2, 3});
  expect("sign", "", {tensor("3xf32", {-3, 0, kNaN})}, "3xf32", {-1, 0, kNaN});
  expect("abs", "", {tensor("2xi8", {-128, -5})}, "2xi8", {-128, 5});
  // exp(1000) is infinite, softplus is not.
  expect("softplus", "", {tensor("3xf32", {1000, 0, -1000})}, "3xf32",
         {1000, 0.693147, 0}, 1e-5);
  expect("gelu", "", {tensor("2xf32", {1, -1})}, "2xf32", {0.841345, -0.158655},
         1e-5);
  expect("gelu", "approximate", {tensor("f32", {1})}, "f32", {0.841192}, 1e-5);
  expect("hard_swish", "", {tensor("3xf32", {-4, 1, 4})}, "3xf32",
         {0, 0.666667, 4}, 1e-5);
  expect("silu", "", {tensor("3xf32", {-1000, 1, 1000})}, "3xf32",
         {0, 0.731059, 1000}, 1e-5);
  expect("leaky_relu", "alpha 0.5", {tensor("2xf32", {-4, 4})}, "2xf32",
         {-2, 4});
}
