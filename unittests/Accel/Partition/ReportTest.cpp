//===- ReportTest.cpp - The data of uma explain ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PartitionTestBase.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Accelerators, with the reasons against them.
using Reasons = std::vector<std::pair<std::string, std::string>>;

static Reasons getTexts(ArrayRef<Reason> reasons) {
  Reasons texts;
  for (const Reason &reason : reasons)
    texts.emplace_back(reason.accelerator, reason.getText());
  return texts;
}

namespace {

class ReportTest : public PartitionTestBase {};

TEST_F(ReportTest, SaysWhereAndWhy) {
  auto module = parse(R"mlir(
    func.func @main(%x: tensor<1x8x4x4xf32>, %d: tensor<10x16xf32>) -> (tensor<1x2x4x4xf32>, tensor<4x10xf32>, tensor<1x2x2x2xf32>) {
      %w = uma.graph.constant dense<1.0> : tensor<2x8x3x3xf32>
      %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
          : (tensor<1x8x4x4xf32>, tensor<2x8x3x3xf32>) -> tensor<1x2x4x4xf32> loc("conv1")
      %1 = uma.graph.relu %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> loc("act")
      %2 = uma.graph.conv2d %x, %w strides [2, 2] padding [0, 0, 1, 1]
          : (tensor<1x8x4x4xf32>, tensor<2x8x3x3xf32>) -> tensor<1x2x2x2xf32> loc("conv3")
      %3 = uma.graph.constant dense<1.0> : tensor<4x16xf32>
      %4 = uma.graph.dense %3, %d : (tensor<4x16xf32>, tensor<10x16xf32>) -> tensor<4x10xf32>
      return %1, %4, %2 : tensor<1x2x4x4xf32>, tensor<4x10xf32>, tensor<1x2x2x2xf32>
    })mlir");
  SmallVector<AcceleratorOp> accelerators(module->getOps<AcceleratorOp>());
  std::vector<LayerReport> reports = explainPartition(*module, accelerators);
  ASSERT_EQ(reports.size(), 4u);

  EXPECT_EQ(reports[0].layer, "conv1");
  EXPECT_EQ(reports[0].kind, "conv2d");
  EXPECT_EQ(reports[0].target, "npu");
  EXPECT_EQ(reports[0].pattern, "conv2d");
  EXPECT_EQ(reports[0].macs, 16 * 2 * 8 * 9);
  EXPECT_EQ(getTexts(reports[0].reasons),
            (Reasons{{"dsp", "no pattern for 'conv2d'"}}));

  EXPECT_EQ(reports[1].layer, "act");
  EXPECT_EQ(reports[1].target, "npu");
  EXPECT_EQ(reports[1].macs, 0);
  EXPECT_EQ(getTexts(reports[1].reasons),
            (Reasons{{"dsp", "relu 'act': pattern 'relu' of 'npu' comes first "
                             "and takes it"}}));

  EXPECT_EQ(reports[2].target, "cpu");
  EXPECT_EQ(reports[2].pattern, "");
  EXPECT_EQ(getTexts(reports[2].reasons),
            (Reasons{{"npu", "conv2d 'conv3': strides is [2, 2], the pattern "
                             "wants its default [1, 1]"},
                     {"dsp", "no pattern for 'conv2d'"}}));
  EXPECT_EQ(reports[2].reasons[0].pattern, "conv2d");
  EXPECT_EQ(reports[2].reasons[0].operation, "conv2d 'conv3'");
  EXPECT_EQ(reports[2].reasons[1].pattern, "");
  EXPECT_EQ(reports[2].reasons[1].operation, "");

  EXPECT_EQ(reports[3].layer, "dense");
  EXPECT_EQ(reports[3].macs, 4 * 10 * 16);
  EXPECT_EQ(getTexts(reports[3].reasons),
            (Reasons{{"npu", "no pattern for 'dense'"},
                     {"dsp", "no pattern for 'dense'"}}));
}

TEST_F(ReportTest, PriorityIsTheOrderGiven) {
  auto module = parse(R"mlir(
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    })mlir");
  FailureOr<SmallVector<AcceleratorOp>> accelerators =
      getAccelerators(*module, {"dsp", "npu"});
  ASSERT_TRUE(succeeded(accelerators));
  std::vector<LayerReport> reports = explainPartition(*module, *accelerators);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].target, "dsp");
}

} // namespace
