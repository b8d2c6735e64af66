//===- SlicesTest.cpp - Operators computed slice by slice -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::test;

namespace {

using Axis = std::optional<int64_t>;

/// Each operator is sliced in every way in which its operands can be. Where
/// `getSlicedAxis` allows it, each slice computed by itself equals that of the
/// whole result, bit by bit.
class SlicesTest : public InterpreterTest {
protected:
  static constexpr int64_t kLimit = 2;

  static HostTensor slice(const HostTensor &tensor, int64_t axis, int64_t begin,
                          int64_t size) {
    ArrayRef<int64_t> shape = tensor.getShape();
    SmallVector<int64_t> sliced(shape);
    sliced[axis] = size;
    HostTensor result(RankedTensorType::get(sliced, tensor.getElementType()));
    int64_t inner = ShapedType::getNumElements(shape.drop_front(axis + 1));
    for (int64_t i = 0, e = result.getNumElements(); i != e; ++i) {
      int64_t outer = i / (size * inner);
      int64_t rest = i % (size * inner);
      result.setDouble(i, tensor.getDouble(outer * shape[axis] * inner +
                                           begin * inner + rest));
    }
    return result;
  }

  /// Computes `op` of slices along `axes` from `begin` and compares.
  void checkSlice(Operation *op, ArrayRef<HostTensor> operands,
                  ArrayRef<Axis> axes, const HostTensor &whole, int64_t axis,
                  int64_t begin) {
    int64_t size = std::min(kLimit, whole.getShape()[axis] - begin);
    HostTensor expected = slice(whole, axis, begin, size);
    SmallVector<HostTensor> slices;
    Block block;
    Operation *clone = op->clone();
    block.push_back(clone);
    for (auto [index, operand] : llvm::enumerate(operands)) {
      slices.push_back(axes[index] ? slice(operand, *axes[index], begin, size)
                                   : operand);
      clone->setOperand(
          index, block.addArgument(slices.back().getType(), op->getLoc()));
    }
    clone->getResult(0).setType(expected.getType());
    if (auto sliceable = dyn_cast<SliceableOpInterface>(clone))
      sliceable.adaptToSlices();
    ASSERT_TRUE(succeeded(verify(clone))) << errors;
    FailureOr<SmallVector<HostTensor>> results = evaluate(clone, slices);
    ASSERT_TRUE(succeeded(results)) << errors;
    EXPECT_EQ(results->front().getBytes(), expected.getBytes());
  }

  /// Returns all ways in which `uma.graph.<op>` can be sliced, sorted: the axis
  /// of each operand, "-" for a whole one, and that of the result.
  std::vector<std::string> getWays(StringRef op, StringRef attributes,
                                   ArrayRef<const char *> operandTypes,
                                   StringRef resultType) {
    std::string text = "func.func @main(";
    llvm::raw_string_ostream os(text);
    SmallVector<HostTensor> operands;
    for (auto [index, operandType] : llvm::enumerate(operandTypes)) {
      os << (index ? ", " : "") << "%" << index << ": tensor<" << operandType
         << ">";
      HostTensor &operand = operands.emplace_back(type(operandType));
      for (int64_t i = 0, e = operand.getNumElements(); i != e; ++i)
        operand.setDouble(i, double(i * 7 % 11) - (index == 4 ? -1 : 5));
    }
    os << ") {\n%r = uma.graph." << op << " ";
    llvm::interleaveComma(llvm::seq<size_t>(0, operands.size()), os,
                          [&](size_t index) { os << "%" << index; });
    os << " " << attributes << " : (";
    llvm::interleaveComma(operandTypes, os, [&](const char *operandType) {
      os << "tensor<" << operandType << ">";
    });
    os << ") -> tensor<" << resultType << ">\nreturn\n}";
    OwningOpRef<ModuleOp> module = parse(text);
    EXPECT_TRUE(module) << text << errors;
    if (!module)
      return {};
    Operation *parsed =
        &module->lookupSymbol<func::FuncOp>("main").getBody().front().front();
    FailureOr<SmallVector<HostTensor>> whole = evaluate(parsed, operands);
    EXPECT_TRUE(succeeded(whole)) << errors;
    std::vector<std::string> ways;
    SmallVector<Axis> axes(operands.size());
    // Counts through all ways: each operand is whole or has one of its axes.
    while (true) {
      size_t operand = 0;
      for (; operand < axes.size(); ++operand) {
        int64_t next = axes[operand] ? *axes[operand] + 1 : 0;
        if (next < operands[operand].getType().getRank()) {
          axes[operand] = next;
          break;
        }
        axes[operand] = std::nullopt;
      }
      if (operand == axes.size())
        break;
      // The sizes of what is sliced are equal: they are one dim.
      std::optional<int64_t> size;
      bool isSame = true;
      for (auto [index, axis] : llvm::enumerate(axes))
        if (axis) {
          int64_t own = operands[index].getShape()[*axis];
          isSame &= own > 1 && (!size || *size == own);
          size = own;
        }
      Axis axis = isSame ? getSlicedAxis(parsed, axes) : std::nullopt;
      if (!axis)
        continue;
      std::string way;
      for (Axis operandAxis : axes)
        way += (operandAxis ? llvm::itostr(*operandAxis) : "-") + " ";
      SCOPED_TRACE(way);
      EXPECT_EQ(whole->front().getShape()[*axis], *size);
      for (int64_t begin = 0; begin < *size; begin += kLimit)
        checkSlice(parsed, operands, axes, whole->front(), *axis, begin);
      ways.push_back(way + "-> " + llvm::itostr(*axis));
    }
    llvm::sort(ways);
    return ways;
  }
};

using Ways = std::vector<std::string>;

TEST_F(SlicesTest, Convolutions) {
  EXPECT_EQ(getWays("conv2d", "padding [1, 1, 1, 1]",
                    {"3x5x4x4xf32", "7x5x3x3xf32"}, "3x7x4x4xf32"),
            (Ways{"- 0 -> 1", "0 - -> 0"}));
  EXPECT_EQ(getWays("conv2d",
                    "strides [2, 2] layout \"NHWC\" kernel_layout "
                    "\"HWIO\"",
                    {"3x5x5x4xf32", "3x3x4x7xf32"}, "3x2x2x7xf32"),
            (Ways{"- 3 -> 3", "0 - -> 0"}));
  EXPECT_EQ(getWays("conv3d", "", {"3x5x2x2x2xf32", "7x5x1x1x1xf32"},
                    "3x7x2x2x2xf32"),
            (Ways{"- 0 -> 1", "0 - -> 0"}));
}

TEST_F(SlicesTest, GroupedConvolutions) {
  // Depthwise: each channel by itself.
  EXPECT_EQ(getWays("conv2d", "groups 5", {"3x5x4x4xf32", "5x1x3x3xf32"},
                    "3x5x2x2xf32"),
            (Ways{"0 - -> 0", "1 0 -> 1"}));
  // Slices of channels would cut groups; those of the batch keep them.
  EXPECT_EQ(getWays("conv2d", "groups 2", {"3x4x4x4xf32", "4x2x3x3xf32"},
                    "3x4x2x2xf32"),
            (Ways{"0 - -> 0"}));
  EXPECT_EQ(getWays("conv2d", "groups 3", {"4x3x4x4xf32", "6x1x3x3xf32"},
                    "4x6x2x2xf32"),
            (Ways{"0 - -> 0"}));
}

TEST_F(SlicesTest, Pools) {
  for (const char *pool : {"max_pool2d", "avg_pool2d"})
    EXPECT_EQ(getWays(pool, "size [2, 2]", {"3x5x4x4xf32"}, "3x5x3x3xf32"),
              (Ways{"0 -> 0", "1 -> 1"}));
  for (const char *pool : {"max_pool3d", "avg_pool3d"})
    EXPECT_EQ(getWays(pool, "size [1, 2, 2] layout \"NDHWC\"",
                      {"3x2x4x4x5xf32"}, "3x2x3x3x5xf32"),
              (Ways{"0 -> 0", "4 -> 4"}));
}

TEST_F(SlicesTest, Products) {
  EXPECT_EQ(getWays("dense", "", {"3x4xf32", "5x4xf32"}, "3x5xf32"),
            (Ways{"- 0 -> 1", "0 - -> 0"}));
  EXPECT_EQ(getWays("dense", "", {"2x3x4xf32", "5x4xf32"}, "2x3x5xf32"),
            (Ways{"- 0 -> 2", "0 - -> 0", "1 - -> 1"}));
  EXPECT_EQ(
      getWays("batch_matmul", "", {"6x3x4xf32", "6x4x5xf32"}, "6x3x5xf32"),
      (Ways{"- 2 -> 2", "0 0 -> 0", "1 - -> 1"}));
  EXPECT_EQ(getWays("batch_matmul", "transpose_a true transpose_b true",
                    {"6x4x3xf32", "6x5x4xf32"}, "6x3x5xf32"),
            (Ways{"- 1 -> 2", "0 0 -> 0", "2 - -> 1"}));
  // A matrix that all of the batch have.
  EXPECT_EQ(
      getWays("batch_matmul", "", {"6x3x4xf32", "1x4x5xf32"}, "6x3x5xf32"),
      (Ways{"- 2 -> 2", "0 - -> 0", "1 - -> 1"}));
}

TEST_F(SlicesTest, VectorsAlongAnAxis) {
  EXPECT_EQ(getWays("bias_add", "", {"3x5x4xf32", "5xf32"}, "3x5x4xf32"),
            (Ways{"0 - -> 0", "1 0 -> 1", "2 - -> 2"}));
  EXPECT_EQ(getWays("bias_add", "axis -1", {"3x4x5xf32", "5xf32"}, "3x4x5xf32"),
            (Ways{"0 - -> 0", "1 - -> 1", "2 0 -> 2"}));
  EXPECT_EQ(getWays("batch_norm", "epsilon 1.0e-3",
                    {"3x5x4xf32", "5xf32", "5xf32", "5xf32", "5xf32"},
                    "3x5x4xf32"),
            (Ways{"0 - - - - -> 0", "1 0 0 0 0 -> 1", "2 - - - - -> 2"}));
  EXPECT_EQ(getWays("softmax", "axis 1", {"3x5x4xf32"}, "3x5x4xf32"),
            (Ways{"0 -> 0", "2 -> 2"}));
  EXPECT_EQ(getWays("softmax", "axis -1", {"3x5x4xf32"}, "3x5x4xf32"),
            (Ways{"0 -> 0", "1 -> 1"}));
}

TEST_F(SlicesTest, Elementwise) {
  EXPECT_EQ(getWays("relu", "", {"3x5xf32"}, "3x5xf32"),
            (Ways{"0 -> 0", "1 -> 1"}));
  EXPECT_EQ(getWays("add", "", {"3x5xf32", "3x5xf32"}, "3x5xf32"),
            (Ways{"0 0 -> 0", "1 1 -> 1"}));
  // Broadcast operands are whole along what they repeat.
  EXPECT_EQ(getWays("multiply", "", {"3x1x5xf32", "4x5xf32"}, "3x4x5xf32"),
            (Ways{"- 0 -> 1", "0 - -> 0", "2 1 -> 2"}));
}

TEST_F(SlicesTest, NothingElse) {
  EXPECT_EQ(getWays("transpose", "[1, 0]", {"3x5xf32"}, "5x3xf32"), Ways{});
  EXPECT_EQ(getWays("reshape", "[15]", {"3x5xf32"}, "15xf32"), Ways{});
}

} // namespace
