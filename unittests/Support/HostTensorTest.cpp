//===- HostTensorTest.cpp - Tests of HostTensor ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/HostTensor.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;

namespace {
class HostTensorTest : public testing::Test {
protected:
  RankedTensorType type(llvm::StringRef text) {
    return llvm::cast<RankedTensorType>(
        parseType(("tensor<" + text + ">").str(), &context));
  }
  FailureOr<HostTensor> parse(llvm::StringRef attribute) {
    return HostTensor::fromAttribute(
        llvm::cast<ElementsAttr>(parseAttribute(attribute, &context)));
  }
  /// Returns a scalar after storing `value`.
  double storeDouble(llvm::StringRef elementType, double value) {
    HostTensor tensor(type(elementType));
    tensor.setDouble(0, value);
    return tensor.getDouble(0);
  }
  int64_t storeInt(llvm::StringRef elementType, int64_t value) {
    HostTensor tensor(type(elementType));
    tensor.setInt(0, value);
    return tensor.getInt(0);
  }

  MLIRContext context;
};
} // namespace

TEST_F(HostTensorTest, SizesOfElements) {
  EXPECT_EQ(HostTensor::getByteSize(type("3xi1")), 3);
  EXPECT_EQ(HostTensor::getByteSize(type("2x3xf16")), 12);
  EXPECT_EQ(HostTensor::getByteSize(type("bf16")), 2);
  EXPECT_EQ(HostTensor::getByteSize(type("0x5xf64")), 0);
  EXPECT_EQ(HostTensor::getElementSize(parseType("i4", &context)), 0);
  EXPECT_EQ(HostTensor::getElementSize(parseType("f8E3M4", &context)), 0);
  EXPECT_EQ(HostTensor::getElementSize(parseType("f8E4M3FN", &context)), 1);
  EXPECT_EQ(HostTensor::getElementSize(parseType("index", &context)), 0);
  EXPECT_TRUE(HostTensor().getBytes().empty());
}

TEST_F(HostTensorTest, FloatsRoundToNearestEven) {
  EXPECT_EQ(storeDouble("f32", 16777217.0), 16777216.0);
  EXPECT_EQ(storeDouble("f16", 1.0 + std::ldexp(1.0, -11)), 1.0);
  EXPECT_EQ(storeDouble("f16", 1.0 + std::ldexp(3.0, -11)),
            1.0 + std::ldexp(1.0, -9));
  EXPECT_EQ(storeDouble("f16", 65504.0), 65504.0);
  EXPECT_EQ(storeDouble("f16", 65520.0),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(storeDouble("f16", std::ldexp(1.0, -24)), std::ldexp(1.0, -24));
  EXPECT_EQ(storeDouble("bf16", 1.0 / 3.0), 0.333984375);
  EXPECT_TRUE(std::isnan(storeDouble("bf16", std::nan(""))));
}

TEST_F(HostTensorTest, FloatsOf8Bits) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // Ties go to the even code, also at the largest numbers.
  EXPECT_EQ(storeDouble("f8E4M3FN", 17), 16);
  EXPECT_EQ(storeDouble("f8E4M3FN", 19), 20);
  EXPECT_EQ(storeDouble("f8E4M3FN", 464), 448);
  EXPECT_EQ(storeDouble("f8E4M3FN", std::ldexp(1.0, -10)), 0);
  EXPECT_EQ(storeDouble("f8E4M3FN", std::ldexp(3.0, -10)), std::ldexp(1.0, -8));
  EXPECT_TRUE(std::isnan(storeDouble("f8E4M3FN", 465)));
  EXPECT_TRUE(std::isnan(storeDouble("f8E4M3FN", kInfinity)));
  EXPECT_EQ(storeDouble("f8E4M3FNUZ", 247), 240);
  EXPECT_TRUE(std::isnan(storeDouble("f8E4M3FNUZ", 248)));
  EXPECT_FALSE(std::signbit(storeDouble("f8E4M3FNUZ", -0.0)));
  EXPECT_TRUE(std::signbit(storeDouble("f8E5M2", -0.0)));
  EXPECT_EQ(storeDouble("f8E5M2", 61439), 57344);
  EXPECT_EQ(storeDouble("f8E5M2", -61440), -kInfinity);
  EXPECT_TRUE(std::isnan(storeDouble("f8E5M2FNUZ", kInfinity)));
  // All NaNs have one code for each sign.
  HostTensor tensor(type("2xf8E5M2"));
  tensor.setDouble(0, std::nan("0x7ffff"));
  tensor.setDouble(1, -std::nan("1"));
  EXPECT_EQ(uint8_t(tensor.getBytes()[0]), 0x7e);
  EXPECT_EQ(uint8_t(tensor.getBytes()[1]), 0xfe);
  // Integers become floats with a single rounding.
  EXPECT_EQ(storeInt("f8E4M3FN", -19), -20);
}

TEST_F(HostTensorTest, DoublesSaturateIntoIntegers) {
  EXPECT_EQ(storeDouble("i8", 300.0), 127);
  EXPECT_EQ(storeDouble("i8", -300.0), -128);
  EXPECT_EQ(storeDouble("i8", -2.7), -2);
  EXPECT_EQ(storeDouble("ui8", 300.0), 255);
  EXPECT_EQ(storeDouble("ui8", -1.0), 0);
  EXPECT_EQ(storeDouble("i32", std::nan("")), 0);
  EXPECT_EQ(storeDouble("i1", 0.9), 0);
  EXPECT_EQ(storeDouble("i1", 7.0), 1);
  HostTensor wide(type("2xi64"));
  wide.setDouble(0, 1e300);
  wide.setDouble(1, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(wide.getInt(0), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(wide.getInt(1), std::numeric_limits<int64_t>::min());
  HostTensor real(type("f64"));
  real.setDouble(0, 1e300);
  EXPECT_EQ(real.getInt(0), std::numeric_limits<int64_t>::max());
}

TEST_F(HostTensorTest, IntegersWrapIntoIntegers) {
  EXPECT_EQ(storeInt("i8", 300), 44);
  EXPECT_EQ(storeInt("i8", 128), -128);
  EXPECT_EQ(storeInt("ui8", -1), 255);
  EXPECT_EQ(storeInt("i1", 2), 0);
  EXPECT_EQ(storeInt("i16", -32769), 32767);
  HostTensor largest(type("ui64"));
  largest.setInt(0, -1);
  EXPECT_EQ(largest.getDouble(0), std::ldexp(1.0, 64));
}

TEST_F(HostTensorTest, IntegersRoundOnceIntoFloats) {
  // Slightly above the midpoint of two adjacent f32 values, but exactly at it
  // after rounding to double first.
  int64_t value = (int64_t(1) << 60) + (int64_t(1) << 36) + 1;
  HostTensor tensor(type("f32"));
  tensor.setInt(0, value);
  EXPECT_EQ(tensor.getDouble(0), std::ldexp(1.0, 60) + std::ldexp(1.0, 37));
}

TEST_F(HostTensorTest, ReadsAttributes) {
  FailureOr<HostTensor> floats = parse("dense<[1.0, -2.5]> : tensor<2xf16>");
  ASSERT_TRUE(succeeded(floats));
  EXPECT_EQ(floats->getDouble(1), -2.5);
  FailureOr<HostTensor> splat = parse("dense<-3> : tensor<2x2xi16>");
  ASSERT_TRUE(succeeded(splat));
  for (int64_t i = 0; i < 4; ++i)
    EXPECT_EQ(splat->getInt(i), -3);
  FailureOr<HostTensor> bools =
      parse("dense<[true, false, true]> : tensor<3xi1>");
  ASSERT_TRUE(succeeded(bools));
  EXPECT_EQ(bools->getInt(0), 1);
  EXPECT_EQ(bools->getInt(1), 0);
  EXPECT_EQ(bools->getInt(2), 1);
  EXPECT_TRUE(succeeded(parse("dense<> : tensor<0xf32>")));
  EXPECT_TRUE(failed(parse("dense<1> : tensor<2xi4>")));
  EXPECT_TRUE(failed(parse("dense<1> : vector<2xi32>")));
  EXPECT_TRUE(failed(parse("sparse<0, 1> : tensor<2xi32>")));
}

TEST_F(HostTensorTest, MakesAttributes) {
  for (llvm::StringRef text :
       {"3xf32", "3xbf16", "3xi1", "3xi64", "3xui8", "f64", "0xf32"}) {
    HostTensor tensor(type(text));
    for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
      tensor.setInt(i, i % 2);
    for (int64_t inlineBytes : {int64_t(64), int64_t(-1)}) {
      ElementsAttr attribute = tensor.toAttribute("w", inlineBytes);
      EXPECT_EQ(llvm::isa<DenseResourceElementsAttr>(attribute),
                inlineBytes < 0);
      FailureOr<HostTensor> back = HostTensor::fromAttribute(attribute);
      ASSERT_TRUE(succeeded(back)) << text.str();
      EXPECT_EQ(back->getType(), tensor.getType());
      EXPECT_EQ(back->getBytes(), tensor.getBytes()) << text.str();
    }
  }
}

TEST_F(HostTensorTest, CopiesAreIndependent) {
  HostTensor first(type("2xf32"));
  HostTensor second = first.reshaped({2, 1});
  EXPECT_EQ(second.getType(), type("2x1xf32"));
  second.setDouble(0, 1.0);
  EXPECT_EQ(first.getDouble(0), 0.0);
  EXPECT_EQ(second.getDouble(0), 1.0);
}

TEST_F(HostTensorTest, ScalesRowsOfFloats) {
  for (llvm::StringRef text : {"3xf16", "3xbf16", "3xf32", "3xf64"}) {
    HostTensor tensor(type(text));
    for (int64_t i = 0; i != 3; ++i)
      tensor.setDouble(i, double(i + 1));
    HostTensor before = tensor;
    EXPECT_TRUE(tensor.scale(1, 2, 0.5)) << text.str();
    EXPECT_EQ(tensor.getDouble(0), 1.0);
    EXPECT_EQ(tensor.getDouble(1), 1.0);
    EXPECT_EQ(tensor.getDouble(2), 1.5);
    EXPECT_EQ(before.getDouble(1), 2.0);
    // One element becomes infinite, another one already is.
    tensor.setDouble(0, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(tensor.scale(0, 1, 2.0)) << text.str();
    EXPECT_FALSE(tensor.scale(0, 3, 1e308 * 2)) << text.str();
  }
}

TEST_F(HostTensorTest, SharesElementsWithAttributes) {
  HostTensor tensor(type("100xf32"));
  tensor.setDouble(99, 3.0);
  ElementsAttr attribute = tensor.toAttribute("w");
  EXPECT_EQ(HostTensor::fromAttribute(attribute)->getBytes().data(),
            tensor.getBytes().data());
  // A write to either side is invisible to the other.
  HostTensor read = *HostTensor::fromAttribute(attribute);
  read.setDouble(99, 4.0);
  tensor.setDouble(99, 5.0);
  EXPECT_EQ(HostTensor::fromAttribute(attribute)->getDouble(99), 3.0);
  EXPECT_EQ(read.getDouble(99), 4.0);
  // An attribute made from borrowed elements owns a copy.
  HostTensor borrowed = *HostTensor::fromAttribute(attribute);
  ElementsAttr other = borrowed.reshaped({10, 10}).toAttribute("v");
  EXPECT_NE(HostTensor::fromAttribute(other)->getBytes().data(),
            borrowed.getBytes().data());
}

TEST_F(HostTensorTest, FindsInfinitiesAndNaNs) {
  for (llvm::StringRef text : {"3xf16", "3xbf16", "3xf32", "3xf64"}) {
    HostTensor tensor(type(text));
    EXPECT_TRUE(tensor.allFinite()) << text.str();
    tensor.setDouble(2, -std::numeric_limits<double>::infinity());
    EXPECT_FALSE(tensor.allFinite()) << text.str();
    tensor.setDouble(2, std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(tensor.allFinite()) << text.str();
  }
  EXPECT_TRUE(parse("dense<-1> : tensor<4xi32>")->allFinite());
}
