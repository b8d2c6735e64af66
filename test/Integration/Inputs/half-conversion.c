/* Compares the emitted conversions with the compiler's. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t widen_f16(const uint16_t *x, float *y);
int32_t narrow_f16(const float *x, uint16_t *y);
int32_t widen_bf16(const uint16_t *x, float *y);
int32_t narrow_bf16(const float *x, uint16_t *y);
int32_t narrow_f64_f16(const double *x, uint16_t *y);
int32_t narrow_f64_bf16(const double *x, uint16_t *y);

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static void fail(const char *what, uint32_t bits) {
  printf("%s is wrong for 0x%x\n", what, (unsigned)bits);
  exit(1);
}

/* A NaN must stay a NaN of the same sign; other values must be the same bits.
 */
static int same(float a, float b) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b) && !signbit(a) == !signbit(b);
  return bits_of(a) == bits_of(b);
}

static void check_narrow_f16(uint32_t bits) {
  float value = float_of(bits);
  _Float16 expected = (_Float16)value;
  uint16_t actual, expected_bits;
  memcpy(&expected_bits, &expected, sizeof(expected_bits));
  narrow_f16(&value, &actual);
  if (isnan(value)) {
    if ((actual & 0x7fffu) <= 0x7c00u || (actual >> 15) != (bits >> 31))
      fail("narrow_f16", bits);
  } else if (actual != expected_bits) {
    fail("narrow_f16", bits);
  }
}

/* Rounding to nearest, ties to even, done in double, which holds both
 * neighbours and their middle exactly. */
static void check_narrow_bf16(uint32_t bits) {
  float value = float_of(bits);
  uint32_t below = bits >> 16;
  uint16_t actual, expected;
  narrow_bf16(&value, &actual);
  if (isnan(value)) {
    if ((actual & 0x7fffu) <= 0x7f80u || (actual >> 15) != (bits >> 31))
      fail("narrow_bf16", bits);
    return;
  }
  if (isinf(value)) {
    expected = (uint16_t)below;
  } else {
    double low = fabs((double)float_of(below << 16));
    uint32_t above_bits = (below + 1) << 16;
    double high = (above_bits & 0x7f800000u) == 0x7f800000u
                      ? ldexp(1.0, 128)
                      : fabs((double)float_of(above_bits));
    double middle = (low + high) / 2, magnitude = fabs((double)value);
    int up = magnitude > middle || (magnitude == middle && (below & 1));
    expected = (uint16_t)(below + (uint32_t)up);
  }
  if (actual != expected)
    fail("narrow_bf16", bits);
}

/* Between a value and its neighbour away from 0, the middle goes to the even
 * one, and a middle missed by less than a float can tell goes to its side. */
static void check_narrow_f64(uint16_t value, double low, double high,
                             int32_t (*narrow)(const double *, uint16_t *)) {
  double middle = (low + high) / 2;
  uint16_t even = (uint16_t)(value + (value & 1));
  const double points[4] = {low, middle * (1 - 0x1p-50), middle,
                            middle * (1 + 0x1p-50)};
  const uint16_t expected[4] = {value, value, even, (uint16_t)(value + 1)};
  int point;
  for (point = 0; point < 4; ++point) {
    uint16_t actual;
    narrow(&points[point], &actual);
    if (actual != expected[point])
      fail("narrow_f64", value);
  }
}

int main(void) {
  uint32_t i;
  for (i = 0; i < 65536; ++i) {
    uint16_t half = (uint16_t)i;
    _Float16 expected;
    float actual;
    memcpy(&expected, &half, sizeof(expected));
    widen_f16(&half, &actual);
    if (!same(actual, (float)expected))
      fail("widen_f16", i);
    check_narrow_f16(bits_of(actual));
  }
  printf("65536 f16 values widen\n");
  /* Every pattern of sign, exponent and leading mantissa, with the rests that
   * decide a rounding: none, least, just below, at and above the middle, all.
   */
  for (i = 0; i < 1u << 19; ++i) {
    uint32_t base = i << 13;
    check_narrow_f16(base);
    check_narrow_f16(base | 1u);
    check_narrow_f16(base | 0xfffu);
    check_narrow_f16(base | 0x1000u);
    check_narrow_f16(base | 0x1001u);
    check_narrow_f16(base | 0x1fffu);
  }
  printf("f16 rounding agrees\n");
  for (i = 1; i < 65536; ++i) {
    uint16_t half = (uint16_t)i, next = (uint16_t)(i + 1);
    float low, high;
    widen_f16(&half, &low);
    widen_f16(&next, &high);
    if (low != 0 && isfinite(low) && isfinite(high))
      check_narrow_f64(half, low, high, narrow_f64_f16);
  }
  printf("f64 to f16 rounds once\n");
  for (i = 0; i < 65536; ++i) {
    uint16_t brain = (uint16_t)i;
    float actual;
    widen_bf16(&brain, &actual);
    if (bits_of(actual) != i << 16)
      fail("widen_bf16", i);
    check_narrow_bf16(i << 16);
    check_narrow_bf16(i << 16 | 1u);
    check_narrow_bf16(i << 16 | 0x7fffu);
    check_narrow_bf16(i << 16 | 0x8000u);
    check_narrow_bf16(i << 16 | 0x8001u);
    check_narrow_bf16(i << 16 | 0xffffu);
  }
  printf("65536 bf16 values widen\nbf16 rounding agrees\n");
  for (i = 1; i < 65536; ++i) {
    float low = float_of(i << 16), high = float_of((i + 1) << 16);
    if (low != 0 && isfinite(low) && isfinite(high))
      check_narrow_f64((uint16_t)i, low, high, narrow_f64_bf16);
  }
  printf("f64 to bf16 rounds once\n");
  return 0;
}
