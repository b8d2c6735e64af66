//===- tc.h - A device with structs ------------------------------*- C -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A configuration with another struct, an array, enums, flags and a pointer.
//
//===----------------------------------------------------------------------===//
#ifndef TC_H
#define TC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tc_pad { TC_VALID, TC_SAME };
enum tc_act { TC_NONE, TC_RELU };

#define TC_BIAS 1u
#define TC_FAST 2u

typedef struct {
  int rows, columns;
  enum tc_pad mode;
} tc_padding;

typedef struct {
  int in_h, in_w;
  uint8_t strides[2];
  tc_padding pad;
  enum tc_act act;
  unsigned flags;
  float scale;
  const float *bias;
} tc_cfg;

struct tc_range {
  double low, high;
};

int tc_conv(const tc_cfg *cfg, const float *x, const float *w, float *y, int oc,
            int ic, int k);
/* Reads the struct by value, and returns nothing. */
void tc_clip(const float *x, float *y, struct tc_range range, int64_t n);
int tc_open(enum tc_act act, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
