//===- DidYouMeanTest.cpp - Tests of suggestions --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/DidYouMean.h"

#include <gtest/gtest.h>

using uma::didYouMean;

TEST(DidYouMean, NamesTheClosestCandidate) {
  EXPECT_EQ(didYouMean("conv2", {"dense", "conv2d", "conv2d_transpose"}),
            "; did you mean 'conv2d'?");
  EXPECT_EQ(didYouMean("CONV2D", {"dense", "conv2d"}),
            "; did you mean 'conv2d'?");
}

TEST(DidYouMean, TakesTheFirstOfEquallyClose) {
  EXPECT_EQ(didYouMean("padx", {"pada", "padb"}), "; did you mean 'pada'?");
}

TEST(DidYouMean, IsSilentWhenNothingIsClose) {
  EXPECT_EQ(didYouMean("softmax", {"dense", "conv2d"}), "");
  EXPECT_EQ(didYouMean("softmax", {}), "");
  EXPECT_EQ(didYouMean("", {"dense"}), "");
}
