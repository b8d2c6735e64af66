/*===- ultratrail.c - Model of the UltraTrail accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Simulates the device on the host, in plain C99. Not thread-safe.
 *
 *===----------------------------------------------------------------------===*/

#include "ultratrail.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The registers. Sizes are 0 and bounds crossed before they are set. */
static int dimension;
static struct {
  int ic, oc, t, u;
} shape;
static struct {
  int k, stride, dilation, left, right;
} window;
static struct {
  int x_zero, y_zero, low, high;
} output;

static ultratrail_statistics counters;
static FILE *trace;

static void append_statistics(void) {
  FILE *file = fopen(getenv("ULTRATRAIL_STATISTICS"), "a");
  if (file == NULL) {
    (void)fprintf(stderr, "ultratrail: cannot write ULTRATRAIL_STATISTICS\n");
    return;
  }
  (void)fprintf(file, "cycles=%lld layers=%lld registers=%lld macs=%lld\n",
                counters.cycles, counters.layers, counters.registers,
                counters.macs);
  (void)fclose(file);
}

/* Applies the environment variables. Later calls have no effect. */
static void read_environment(void) {
  static int is_read;
  const char *path = getenv("ULTRATRAIL_TRACE");
  if (is_read)
    return;
  is_read = 1;
  if (getenv("ULTRATRAIL_STATISTICS") != NULL)
    (void)atexit(append_statistics);
  if (path == NULL)
    return;
  trace = fopen(path, "wb");
  if (trace == NULL)
    (void)fprintf(stderr, "ultratrail: cannot write ULTRATRAIL_TRACE\n");
  else
    (void)fprintf(trace, "[\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                         "\"tid\":0,\"args\":{\"name\":\"array\"}}\n]");
}

/* Appends an event to the trace, which is always complete: the closing bracket
 * is overwritten. */
static void record(long long start, long long cycles) {
  if (trace != NULL && fseek(trace, -2L, SEEK_CUR) == 0)
    (void)fprintf(trace,
                  ",\n{\"name\":\"conv1d\",\"ph\":\"X\",\"ts\":%lld,"
                  "\"dur\":%lld,\"pid\":1,\"tid\":0,\"args\":{\"ic\":%d,"
                  "\"oc\":%d,\"k\":%d,\"u\":%d}}\n]",
                  start, cycles, shape.ic, shape.oc, window.k, shape.u);
}

void ultratrail_get_statistics(ultratrail_statistics *statistics) {
  if (statistics != NULL)
    *statistics = counters;
}

static int is_in(int value, int low, int high) {
  return low <= value && value <= high;
}

static int is_int8(int value) { return is_in(value, -128, 127); }

int ultratrail_init(int size) {
  if (size != 4 && size != 8 && size != 16)
    return ULTRATRAIL_BAD_REGISTER;
  read_environment();
  dimension = size;
  memset(&shape, 0, sizeof(shape));
  memset(&window, 0, sizeof(window));
  memset(&output, 0, sizeof(output));
  output.low = 1;
  return ULTRATRAIL_OK;
}

/* Counts the writes to `count` registers. */
static int set_registers(int count) {
  counters.registers += count;
  counters.cycles += count;
  return ULTRATRAIL_OK;
}

int ultratrail_set_shape(int ic, int oc, int t, int u) {
  if (!is_in(ic, 1, 1024) || !is_in(oc, 1, 1024) || !is_in(t, 1, 65536) ||
      !is_in(u, 1, 65536))
    return ULTRATRAIL_BAD_REGISTER;
  shape.ic = ic;
  shape.oc = oc;
  shape.t = t;
  shape.u = u;
  return set_registers(4);
}

int ultratrail_set_window(int k, int stride, int dilation, int left,
                          int right) {
  if (!is_in(k, 1, 16) || !is_in(stride, 1, 4) || !is_in(dilation, 1, 16) ||
      !is_in(left, 0, 255) || !is_in(right, 0, 255))
    return ULTRATRAIL_BAD_REGISTER;
  window.k = k;
  window.stride = stride;
  window.dilation = dilation;
  window.left = left;
  window.right = right;
  return set_registers(5);
}

int ultratrail_set_output(int x_zero, int y_zero, int low, int high) {
  if (!is_int8(x_zero) || !is_int8(y_zero) || !is_int8(low) ||
      !is_in(high, low, 127))
    return ULTRATRAIL_BAD_REGISTER;
  output.x_zero = x_zero;
  output.y_zero = y_zero;
  output.low = low;
  output.high = high;
  return set_registers(4);
}

/* Returns sum * multiplier * 2^(shift - 31). The high half of the product is
 * rounded up, the right shift away from zero. */
static int64_t scale(int32_t sum, int32_t multiplier, int32_t shift) {
  int64_t left = sum * (INT64_C(1) << (shift > 0 ? shift : 0));
  left = left < INT32_MIN ? INT32_MIN : left > INT32_MAX ? INT32_MAX : left;
  const int64_t product = left * multiplier;
  const int64_t half = product >= 0 ? INT64_C(1) << 30 : 1 - (INT64_C(1) << 30);
  const int64_t high = (product + half) / (INT64_C(1) << 31);
  const int64_t divisor = INT64_C(1) << (shift < 0 ? -shift : 0);
  const int64_t rounding = divisor / 2;
  return (high >= 0 ? high + rounding : high - rounding) / divisor;
}

/* Returns the sum for channel o of the result at time step u. */
static int32_t convolve(const int8_t *x, const int8_t *w, int o, int u) {
  const int d = dimension;
  const int blocks = (shape.ic + d - 1) / d;
  int32_t sum = 0;
  for (int block = 0; block < blocks; ++block)
    for (int tap = 0; tap < window.k; ++tap) {
      const int at = u * window.stride + tap * window.dilation - window.left;
      if (at < 0 || at >= shape.t)
        continue;
      const size_t weights =
          (((size_t)(o / d) * (size_t)blocks + (size_t)block) *
               (size_t)window.k +
           (size_t)tap) *
          (size_t)(d * d);
      const size_t data =
          ((size_t)block * (size_t)shape.t + (size_t)at) * (size_t)d;
      for (int c = 0; c < d && block * d + c < shape.ic; ++c)
        sum += (x[data + (size_t)c] - output.x_zero) *
               w[weights + (size_t)(c * d + o % d)];
    }
  return sum;
}

/* Returns whether the registers are set and fit each other. */
static int is_layer(void) {
  const int padded = shape.t + window.left + window.right;
  const int extent = window.dilation * (window.k - 1) + 1;
  return dimension != 0 && shape.ic != 0 && window.k != 0 &&
         output.low <= output.high && extent <= padded &&
         shape.u == (padded - extent) / window.stride + 1;
}

int ultratrail_run(const int8_t *x, const int8_t *w, const int32_t *bias,
                   const int32_t *multiplier, const int32_t *shift, int8_t *y) {
  if (!is_layer())
    return ULTRATRAIL_BAD_LAYER;
  if (x == NULL || w == NULL || multiplier == NULL || shift == NULL ||
      y == NULL)
    return ULTRATRAIL_BAD_REGISTER;
  for (int o = 0; o < shape.oc; ++o)
    if (multiplier[o] < (INT32_C(1) << 30) || !is_in(shift[o], -31, 30))
      return ULTRATRAIL_BAD_REGISTER;
  const int d = dimension;
  const int blocks = (shape.oc + d - 1) / d;
  for (int o = 0; o < blocks * d; ++o)
    for (int u = 0; u < shape.u; ++u) {
      int8_t *result =
          &y[((size_t)(o / d) * (size_t)shape.u + (size_t)u) * (size_t)d +
             (size_t)(o % d)];
      *result = (int8_t)output.y_zero;
      if (o >= shape.oc)
        continue;
      const int32_t sum = (bias ? bias[o] : 0) + convolve(x, w, o, u);
      const int64_t value = scale(sum, multiplier[o], shift[o]) + output.y_zero;
      *result = (int8_t)(value < output.low    ? output.low
                         : value > output.high ? output.high
                                               : value);
    }
  const long long cycles =
      32 + (long long)blocks * ((shape.ic + d - 1) / d) * window.k * shape.u;
  record(counters.cycles, cycles);
  counters.cycles += cycles;
  ++counters.layers;
  counters.macs += (long long)shape.oc * shape.ic * window.k * shape.u;
  return ULTRATRAIL_OK;
}
