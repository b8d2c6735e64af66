/*===- vanilla.c - Model of the Vanilla accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Simulates the device on the host, in plain C99. The counters are global
 * because there is a single device.
 *
 *===----------------------------------------------------------------------===*/

#include "vanilla.h"

#include <stddef.h>
#include <stdlib.h>

static uint64_t num_calls = 0;
static uint64_t num_macs = 0;
static uint64_t fail_at = 0; /* 0: never */
static int fail_status = 0;
static int is_environment_read = 0;

/* Reads VANILLA_FAIL_AT=n:status; ignores any other value. */
static void read_environment(void) {
  const char *text = getenv("VANILLA_FAIL_AT");
  char *end = NULL;
  unsigned long n;
  long status;
  is_environment_read = 1;
  if (text == NULL)
    return;
  n = strtoul(text, &end, 10);
  if (end == text || *end != ':')
    return;
  text = end + 1;
  status = strtol(text, &end, 10);
  if (end != text && *end == '\0')
    vanilla_fail_at((uint64_t)n, (int)status);
}

uint64_t vanilla_calls(void) { return num_calls; }

uint64_t vanilla_macs(void) { return num_macs; }

void vanilla_reset(void) {
  num_calls = 0;
  num_macs = 0;
  fail_at = 0;
  is_environment_read = 1;
}

void vanilla_fail_at(uint64_t n, int status) {
  fail_at = n;
  fail_status = status;
  is_environment_read = 1;
}

/* Computes one element of the result: sums over input channels and kernel. */
static float convolve(const float *ifmap, const float *weights, int iw, int ih,
                      int ic, int kh, int kw, int y, int x) {
  float sum = 0.0f;
  for (int c = 0; c < ic; ++c) {
    for (int i = 0; i < kh; ++i) {
      for (int j = 0; j < kw; ++j) {
        const int row = y + i - kh / 2;
        const int column = x + j - kw / 2;
        if (row < 0 || row >= ih || column < 0 || column >= iw)
          continue;
        sum += ifmap[((size_t)c * (size_t)ih + (size_t)row) * (size_t)iw +
                     (size_t)column] *
               weights[((size_t)c * (size_t)kh + (size_t)i) * (size_t)kw +
                       (size_t)j];
      }
    }
  }
  return sum;
}

int vanilla_conv2dnchw(float *ifmap, float *weights, float *result, int oc,
                       int iw, int ih, int ic, int kh, int kw) {
  if (!is_environment_read)
    read_environment();
  ++num_calls;
  if (num_calls == fail_at)
    return fail_status;
  if (ifmap == NULL || weights == NULL || result == NULL)
    return VANILLA_NULL_POINTER;
  if (oc <= 0 || iw <= 0 || ih <= 0 || ic <= 0 || kh <= 0 || kw <= 0)
    return VANILLA_BAD_SIZE;
  if (kh % 2 == 0 || kw % 2 == 0)
    return VANILLA_EVEN_KERNEL;

  for (int o = 0; o < oc; ++o) {
    const float *kernel =
        weights + (size_t)o * (size_t)ic * (size_t)kh * (size_t)kw;
    for (int y = 0; y < ih; ++y)
      for (int x = 0; x < iw; ++x)
        *result++ = convolve(ifmap, kernel, iw, ih, ic, kh, kw, y, x);
  }
  num_macs += (uint64_t)oc * (uint64_t)ih * (uint64_t)iw * (uint64_t)ic *
              (uint64_t)kh * (uint64_t)kw;
  return VANILLA_OK;
}
