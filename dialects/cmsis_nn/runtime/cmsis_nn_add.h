/*===- cmsis_nn_add.h - The factors of CMSIS-NN's addition -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * arm_elementwise_add_s8 takes the scales of its tensors as three factors in
 * fixed point, which TensorFlow Lite computes when it prepares the operator.
 * This header belongs to the library on a device, too.
 */

#ifndef CMSIS_NN_ADD_H
#define CMSIS_NN_ADD_H

#include "arm_nnfunctions.h"

#include <math.h>

/* Sets a factor to multiplier * 2^(shift - 31). */
static inline void uma_cmsis_nn_factor(double factor, int32_t *multiplier,
                                       int32_t *shift) {
  int exponent = 0;
  double mantissa = frexp(factor, &exponent);
  double rounded = floor(mantissa * 2147483648.0 + 0.5);
  if (rounded == 2147483648.0) {
    rounded = 1073741824.0;
    ++exponent;
  }
  *multiplier = exponent < -31 ? 0 : (int32_t)rounded;
  *shift = exponent < -31 ? 0 : exponent;
}

/* Adds `count` integers whose numbers are (q - zero) * scale. */
static inline int32_t uma_cmsis_nn_add(const int8_t *a, const int8_t *b,
                                       int8_t *y, int32_t count, double a_scale,
                                       int32_t a_zero, double b_scale,
                                       int32_t b_zero, double y_scale,
                                       int32_t y_zero) {
  const int32_t left = 20;
  double twice = 2.0 * (a_scale > b_scale ? a_scale : b_scale);
  int32_t a_multiplier, a_shift, b_multiplier, b_shift, y_multiplier, y_shift;
  uma_cmsis_nn_factor(a_scale / twice, &a_multiplier, &a_shift);
  uma_cmsis_nn_factor(b_scale / twice, &b_multiplier, &b_shift);
  uma_cmsis_nn_factor(twice / ((double)(1 << left) * y_scale), &y_multiplier,
                      &y_shift);
  return (int32_t)arm_elementwise_add_s8(
      a, b, -a_zero, a_multiplier, a_shift, -b_zero, b_multiplier, b_shift,
      left, y, y_zero, y_multiplier, y_shift, INT8_MIN, INT8_MAX, count);
}

#endif /* CMSIS_NN_ADD_H */
