//===- WindowTest.cpp - The geometry of sliding windows -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/IR/Window.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>

using namespace uma::graph;

static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

/// Returns a window that is the same in both dimensions.
static Window makeSquare(int64_t input, int64_t kernel, int64_t stride = 1,
                         int64_t dilation = 1, int64_t begin = 0,
                         int64_t end = 0, bool ceilMode = false) {
  return {
      {input, input}, {kernel, kernel}, {stride, stride}, {dilation, dilation},
      {begin, begin}, {end, end},       ceilMode};
}

TEST(WindowLayoutTest, KnowsItsNames) {
  auto nchw = WindowLayout::parse("NCHW");
  ASSERT_TRUE(nchw);
  EXPECT_EQ(nchw->n, 0);
  EXPECT_EQ(nchw->c, 1);
  EXPECT_EQ(nchw->spatial, SpatialVector({2, 3}));
  auto nhwc = WindowLayout::parse("NHWC");
  ASSERT_TRUE(nhwc);
  EXPECT_EQ(nhwc->n, 0);
  EXPECT_EQ(nhwc->c, 3);
  EXPECT_EQ(nhwc->spatial, SpatialVector({1, 2}));
  auto ndhwc = WindowLayout::parse("NDHWC");
  ASSERT_TRUE(ndhwc);
  EXPECT_EQ(ndhwc->c, 4);
  EXPECT_EQ(ndhwc->spatial, SpatialVector({1, 2, 3}));
  for (const char *name : {"", "nchw", "NCHW4", "HWCN"})
    EXPECT_FALSE(WindowLayout::parse(name)) << name;
}

TEST(KernelLayoutTest, KnowsItsNames) {
  for (llvm::StringRef name :
       {"OIHW", "OHWI", "HWIO", "OIDHW", "ODHWI", "DHWIO"}) {
    auto layout = KernelLayout::parse(name);
    ASSERT_TRUE(layout) << name.str();
    EXPECT_EQ(name[layout->o], 'O');
    EXPECT_EQ(name[layout->i], 'I');
    llvm::StringRef letters = name.contains('D') ? "DHW" : "HW";
    ASSERT_EQ(layout->spatial.size(), letters.size());
    for (size_t i = 0; i < letters.size(); ++i)
      EXPECT_EQ(name[layout->spatial[i]], letters[i]);
  }
  for (const char *name : {"", "oihw", "IOHW", "OIH"})
    EXPECT_FALSE(KernelLayout::parse(name)) << name;
}

TEST(WindowTest, DilationWidensTheExtent) {
  EXPECT_EQ(makeSquare(8, 3).getExtent(0), 3);
  EXPECT_EQ(makeSquare(8, 3, 1, /*dilation=*/4).getExtent(1), 9);
  EXPECT_EQ(makeSquare(8, 1, 1, /*dilation=*/4).getExtent(0), 1);
}

/// Computes the output size by moving the window until it does not fit.
static int64_t countWindows(const Window &window) {
  int64_t dataEnd = window.padBegin[0] + window.input[0];
  int64_t end = dataEnd + window.padEnd[0];
  int64_t count = 0;
  for (int64_t start = 0;; start += window.strides[0], ++count) {
    bool fits = start + window.getExtent(0) <= end;
    // Ceil mode adds one window that exceeds the data by less than a stride,
    // but starts in the data or before it.
    bool hangsOut = window.ceilMode &&
                    start + window.getExtent(0) < end + window.strides[0] &&
                    start < dataEnd;
    if (!fits && !hangsOut)
      return count;
    // Skip windows that start in the padding at the end.
    if (window.ceilMode && start >= dataEnd)
      return count;
  }
}

TEST(WindowTest, OutputIsTheNumberOfWindows) {
  for (int64_t input = 1; input <= 6; ++input)
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t stride = 1; stride <= 4; ++stride)
        for (int64_t dilation = 1; dilation <= 2; ++dilation)
          for (int64_t begin = 0; begin <= 2; ++begin)
            for (int64_t end = 0; end <= 2; ++end)
              for (bool ceilMode : {false, true}) {
                Window window = makeSquare(input, kernel, stride, dilation,
                                           begin, end, ceilMode);
                // Verified pools never pad by more than the window.
                if (std::max(begin, end) >= window.getExtent(0))
                  continue;
                EXPECT_EQ(window.getOutput(0), countWindows(window))
                    << "input " << input << " kernel " << kernel << " stride "
                    << stride << " dilation " << dilation << " padding "
                    << begin << ", " << end << " ceil " << ceilMode;
              }
}

TEST(WindowTest, HostileSizesDoNotOverflow) {
  EXPECT_EQ(makeSquare(4, kMax, 1, kMax).getExtent(0), kMax);
  EXPECT_EQ(makeSquare(4, kMax, 1, kMax).getOutput(0), 0);
  EXPECT_EQ(makeSquare(4, 3, kMax).getOutput(0), 1);
  EXPECT_EQ(makeSquare(4, 3, kMax, 1, 0, 0, /*ceilMode=*/true).getOutput(0), 1);
  EXPECT_EQ(makeSquare(kMax, 1, 1, 1, kMax, kMax).getOutput(0), kMax);
  EXPECT_GE(makeSquare(kMax, kMax, kMax, kMax, kMax, kMax, true).getOutput(0),
            0);
  EXPECT_EQ(makeSquare(4, 0).getOutput(0), 0);
  EXPECT_EQ(makeSquare(4, 3, 0).getOutput(0), 0);
  EXPECT_EQ(makeSquare(4, kMax, kMax).getSamePadding()[0], (kMax - 4) / 2);
}

TEST(WindowTest, SamePaddingGivesInputOverStride) {
  for (int64_t input = 1; input <= 9; ++input)
    for (int64_t kernel = 1; kernel <= 5; ++kernel)
      for (int64_t stride = 1; stride <= 5; ++stride) {
        Window window = makeSquare(input, kernel, stride);
        auto padding = window.getSamePadding();
        int64_t top = padding[0], left = padding[1];
        int64_t bottom = padding[2], right = padding[3];
        EXPECT_EQ(top, left);
        EXPECT_EQ(bottom, right);
        EXPECT_TRUE(bottom == top || bottom == top + 1);
        auto lower = window.getSamePadding(/*upper=*/false);
        EXPECT_EQ(lower[0], bottom);
        EXPECT_EQ(lower[2], top);
        window.padBegin = {top, left};
        window.padEnd = {bottom, right};
        EXPECT_TRUE(window.isSamePadding());
        EXPECT_EQ(window.getOutput(0), (input + stride - 1) / stride);
        window.padEnd[1] += 1;
        EXPECT_FALSE(window.isSamePadding());
      }
}
