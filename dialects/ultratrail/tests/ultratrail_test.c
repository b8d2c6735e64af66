/*===- ultratrail_test.c - Tests of the UltraTrail model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares the model with plain loops, its clock with numbers computed by hand,
 * and its statuses with the interface. Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#include "../runtime/ultratrail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition) check((condition), #condition, __LINE__)
#define PASS(call) CHECK((call) == ULTRATRAIL_OK)
#define BAD(call) CHECK((call) == ULTRATRAIL_BAD_REGISTER)

static void check(int holds, const char *condition, int line) {
  if (holds)
    return;
  printf("ultratrail_test.c:%d: failed: %s\n", line, condition);
  ++failures;
}

/* Returns a random number from `low` to `high`. */
static int pick(int low, int high) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return low + (int)((state >> 8) % (uint32_t)(high - low + 1));
}

static int8_t data[40 * 64];        /* [ic][t] */
static int8_t weights[40 * 40 * 9]; /* [oc][ic][k] */
static int8_t x[48 * 64], w[48 * 48 * 9], y[48 * 64];
static int32_t bias[48], multiplier[40], shift[40];

/* Computes a random layer with the device and with plain loops. A result is
 * compared with an exact product, except next to the middle between two
 * integers. */
static void check_layer(int d) {
  const int ic = pick(1, 40), oc = pick(1, 40), t = pick(1, 64), k = pick(1, 9);
  const int stride = pick(1, 4), dilation = pick(1, 3);
  const int left = pick(0, 9), right = pick(0, 9);
  const int extent = dilation * (k - 1) + 1;
  const int zero = pick(-128, 127), y_zero = pick(-128, 127);
  const int low = pick(-128, y_zero), high = pick(y_zero, 127);
  const int has_bias = pick(0, 1);
  if (extent > t + left + right)
    return;
  const int u = (t + left + right - extent) / stride + 1;
  if (u > 64)
    return;
  for (int i = 0; i < ic * t; ++i)
    data[i] = (int8_t)pick(-128, 127);
  for (int i = 0; i < oc * ic * k; ++i)
    weights[i] = (int8_t)pick(-127, 127);
  memset(w, 0, sizeof(w));
  memset(bias, 0, sizeof(bias));
  memset(y, 77, sizeof(y));
  for (int c = 0; c < (ic + d - 1) / d * d; ++c)
    for (int at = 0; at < t; ++at)
      x[(c / d * t + at) * d + c % d] =
          c < ic ? data[c * t + at] : (int8_t)pick(-128, 127);
  for (int o = 0; o < oc; ++o) {
    bias[o] = has_bias ? pick(-10000, 10000) : 0;
    multiplier[o] = (1 << 30) + pick(0, 1 << 23) * 127;
    shift[o] = pick(-14, -4);
    for (int c = 0; c < ic; ++c)
      for (int tap = 0; tap < k; ++tap)
        w[(((o / d * ((ic + d - 1) / d) + c / d) * k + tap) * d + c % d) * d +
          o % d] = weights[(o * ic + c) * k + tap];
  }
  ultratrail_statistics before, after;
  PASS(ultratrail_init(d));
  ultratrail_get_statistics(&before);
  PASS(ultratrail_set_shape(ic, oc, t, u));
  PASS(ultratrail_set_window(k, stride, dilation, left, right));
  PASS(ultratrail_set_output(zero, y_zero, low, high));
  PASS(ultratrail_run(x, w, has_bias ? bias : NULL, multiplier, shift, y));
  ultratrail_get_statistics(&after);
  CHECK(after.cycles - before.cycles ==
        13 + 32 + (long long)((oc + d - 1) / d) * ((ic + d - 1) / d) * k * u);
  CHECK(after.layers - before.layers == 1);
  CHECK(after.registers - before.registers == 13);
  CHECK(after.macs - before.macs == (long long)oc * ic * k * u);

  int wrong = 0;
  for (int o = 0; o < (oc + d - 1) / d * d; ++o)
    for (int step = 0; step < u; ++step) {
      const int8_t found = y[(o / d * u + step) * d + o % d];
      int32_t sum = o < oc ? bias[o] : 0;
      for (int c = 0; o < oc && c < ic; ++c)
        for (int tap = 0; tap < k; ++tap) {
          const int at = step * stride + tap * dilation - left;
          if (at >= 0 && at < t)
            sum += (data[c * t + at] - zero) * weights[(o * ic + c) * k + tap];
        }
      const double exact =
          o < oc ? ldexp((double)sum * multiplier[o], shift[o] - 31) : 0;
      /* The two roundings of the formula are one, except near the middle. */
      if (o < oc && fabs(fabs(exact - trunc(exact)) - 0.5) < 0.5)
        if (fabs(fabs(exact - trunc(exact)) - 0.5) < ldexp(1, shift[o]))
          continue;
      double expected = round(exact) + y_zero;
      expected = expected < low ? low : expected > high ? high : expected;
      wrong += found != (int)(o < oc ? expected : y_zero);
    }
  CHECK(wrong == 0);
}

/* Factors of 1, 1/2 and 1/4. The product is rounded up in the middle between
 * two integers, a further shift away from zero. */
static void check_rounding(void) {
  static const int sums[] = {-6, -5, -3, -2, -1, 0, 1, 2, 3, 5, 6};
  static const int halves[] = {-3, -2, -1, -1, 0, 0, 1, 1, 2, 3, 3};
  static const int quarters[] = {-2, -1, -1, -1, 0, 0, 1, 1, 1, 2, 2};
  const int8_t one[4] = {1, 0, 0, 0}, kernel[16] = {1};
  const int32_t m = 1 << 30;
  int8_t result[4];
  PASS(ultratrail_init(4));
  PASS(ultratrail_set_shape(1, 1, 1, 1));
  PASS(ultratrail_set_window(1, 1, 1, 0, 0));
  PASS(ultratrail_set_output(0, 0, -128, 127));
  for (int i = 0; i < 11; ++i) {
    const int *const expected[] = {quarters, halves, sums};
    for (int32_t s = -1; s <= 1; ++s) {
      const int32_t b[4] = {sums[i] - 1, 0, 0, 0};
      PASS(ultratrail_run(one, kernel, b, &m, &s, result));
      CHECK(result[0] == expected[s + 1][i]);
    }
  }
}

static void check_statuses(void) {
  const int8_t one[4] = {1, 0, 0, 0}, kernel[16] = {1};
  int8_t result[4];
  int32_t m = 1 << 30, s = 0;
  for (int d = -1; d < 20; ++d)
    CHECK(ultratrail_init(d) == (d == 4 || d == 8 || d == 16
                                     ? ULTRATRAIL_OK
                                     : ULTRATRAIL_BAD_REGISTER));
  PASS(ultratrail_init(4));
  BAD(ultratrail_set_shape(0, 1, 1, 1));
  BAD(ultratrail_set_shape(1, 1025, 1, 1));
  BAD(ultratrail_set_shape(1, 1, 65537, 1));
  BAD(ultratrail_set_shape(1, 1, 1, -1));
  BAD(ultratrail_set_window(17, 1, 1, 0, 0));
  BAD(ultratrail_set_window(1, 5, 1, 0, 0));
  BAD(ultratrail_set_window(1, 1, 0, 0, 0));
  BAD(ultratrail_set_window(1, 1, 1, -1, 0));
  BAD(ultratrail_set_window(1, 1, 1, 0, 256));
  BAD(ultratrail_set_output(-129, 0, 0, 0));
  BAD(ultratrail_set_output(0, 128, 0, 0));
  BAD(ultratrail_set_output(0, 0, 1, 0));
  BAD(ultratrail_set_output(0, 0, 0, 128));
  /* Some registers are not set, then they do not fit each other. */
  CHECK(ultratrail_run(one, kernel, NULL, &m, &s, result) ==
        ULTRATRAIL_BAD_LAYER);
  PASS(ultratrail_set_shape(1, 1, 1, 1));
  PASS(ultratrail_set_window(3, 1, 1, 0, 0));
  CHECK(ultratrail_run(one, kernel, NULL, &m, &s, result) ==
        ULTRATRAIL_BAD_LAYER);
  PASS(ultratrail_set_output(0, 0, -128, 127));
  CHECK(ultratrail_run(one, kernel, NULL, &m, &s, result) ==
        ULTRATRAIL_BAD_LAYER);
  PASS(ultratrail_set_window(1, 1, 1, 1, 0));
  CHECK(ultratrail_run(one, kernel, NULL, &m, &s, result) ==
        ULTRATRAIL_BAD_LAYER);
  PASS(ultratrail_set_window(1, 1, 1, 0, 0));
  PASS(ultratrail_run(one, kernel, NULL, &m, &s, result));
  BAD(ultratrail_run(NULL, kernel, NULL, &m, &s, result));
  BAD(ultratrail_run(one, NULL, NULL, &m, &s, result));
  BAD(ultratrail_run(one, kernel, NULL, NULL, &s, result));
  BAD(ultratrail_run(one, kernel, NULL, &m, NULL, result));
  BAD(ultratrail_run(one, kernel, NULL, &m, &s, NULL));
  m = 1;
  BAD(ultratrail_run(one, kernel, NULL, &m, &s, result));
  m = 1 << 30;
  s = 31;
  BAD(ultratrail_run(one, kernel, NULL, &m, &s, result));
}

int main(void) {
  check_statuses();
  check_rounding();
  for (int i = 0; i < 300; ++i)
    check_layer(4 << pick(0, 2));
  printf("%d checks failed\n", failures);
  return failures != 0;
}
