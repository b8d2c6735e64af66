//===- tc.c - The model of a device with structs --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "tc.h"

static unsigned opened;

int tc_open(enum tc_act act, unsigned flags) {
  opened = flags;
  return act == TC_RELU ? 0 : 8;
}

int tc_conv(const tc_cfg *cfg, const float *x, const float *w, float *y, int oc,
            int ic, int k) {
  /* Fields that the description does not set are 0. */
  if (opened != (TC_FAST + TC_BIAS) || cfg->pad.mode != TC_SAME ||
      cfg->pad.rows != 0 || !(cfg->flags & TC_FAST) || cfg->scale != 1.5f)
    return 7;
  int s = cfg->strides[0], height = cfg->in_h, width = cfg->in_w;
  int oh = (height + s - 1) / s,
      ow = (width + cfg->strides[1] - 1) / cfg->strides[1];
  int top = ((oh - 1) * s + k - height) / 2,
      left = ((ow - 1) * s + k - width) / 2;
  top = top > 0 ? top : 0;
  left = left > 0 ? left : 0;
  for (int o = 0; o < oc; ++o)
    for (int i = 0; i < oh; ++i)
      for (int j = 0; j < ow; ++j) {
        float sum = cfg->flags & TC_BIAS ? cfg->bias[o] : 0;
        for (int c = 0; c < ic; ++c)
          for (int p = 0; p < k; ++p)
            for (int q = 0; q < k; ++q) {
              int row = i * s + p - top, column = j * s + q - left;
              if (row >= 0 && row < height && column >= 0 && column < width)
                sum += x[(c * height + row) * width + column] *
                       w[((o * ic + c) * k + p) * k + q];
            }
        y[(o * oh + i) * ow + j] = cfg->act == TC_RELU && sum < 0 ? 0 : sum;
      }
  return 0;
}

void tc_clip(const float *x, float *y, struct tc_range range, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    y[i] = x[i] < range.low    ? (float)range.low
           : x[i] > range.high ? (float)range.high
                               : x[i];
}
