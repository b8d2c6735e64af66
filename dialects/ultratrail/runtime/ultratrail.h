/*===- ultratrail.h - Interface of the UltraTrail accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * An array of D x D multipliers (`dimension`) that computes whole layers of
 * one-dimensional convolutions, as UltraTrail (Bernardo et al. 2020) does for
 * keyword spotting. The host sets registers and starts a layer; registers keep
 * their values until they are set again.
 *
 * Channels are in blocks of D. The last block of w and bias is filled up by
 * zeros, that of x and y by the zero point:
 *
 *   x        int8   [blocks of ic][t][D]
 *   w        int8   [blocks of oc][blocks of ic][k][D of ic][D of oc]
 *   bias     int32  [blocks of oc][D]
 *   y        int8   [blocks of oc][u][D]
 *
 * The array multiplies a block of channels of one time step by D x D weights in
 * a cycle. A layer takes
 *
 *   32 + blocks of oc * blocks of ic * k * u cycles
 *
 * and a register 1 cycle. A sum becomes a result in fixed point, rounded as in
 * TensorFlow Lite: it is multiplied by `multiplier` * 2^(shift - 31).
 *
 * Environment variables of the model, read by the first ultratrail_init:
 *
 *   ULTRATRAIL_STATISTICS=FILE  appends one line to FILE at exit, with sums
 * over all layers: cycles=N layers=N registers=N macs=N
 *   ULTRATRAIL_TRACE=FILE       writes a timeline of the layers in the Chrome
 * trace format, where 1 us is 1 cycle
 *
 *===----------------------------------------------------------------------===*/

#ifndef ULTRATRAIL_H
#define ULTRATRAIL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses. A function that fails changes nothing. */
enum {
  ULTRATRAIL_OK,
  /* A number is out of range, or a pointer is missing. */
  ULTRATRAIL_BAD_REGISTER,
  /* A layer was started before all registers were set, or these do not fit each
   * other. */
  ULTRATRAIL_BAD_LAYER
};

/* Resets the device, whose array has `dimension` x `dimension` multipliers: 4,
 * 8 or 16. */
int ultratrail_init(int dimension);

/* Sets the channels of the data and of the result, 1 to 1024, and their time
 * steps, 1 to 65536. */
int ultratrail_set_shape(int ic, int oc, int t, int u);

/* Sets the kernel's taps, 1 to 16, the stride, 1 to 4, the dilation, 1 to 16,
 * and the steps of padding before and after the data, 0 to 255. */
int ultratrail_set_window(int k, int stride, int dilation, int left, int right);

/* Sets the zero points of the data and of the result, and the bounds of the
 * result, all of int8. */
int ultratrail_set_output(int x_zero, int y_zero, int low, int high);

/* Computes a layer. bias is NULL if there is none. `multiplier` and `shift`
 * have a number for each channel of the result, the former 2^30 to 2^31 - 1,
 * the latter -31 to 30. */
int ultratrail_run(const int8_t *x, const int8_t *w, const int32_t *bias,
                   const int32_t *multiplier, const int32_t *shift, int8_t *y);

typedef struct {
  long long cycles, layers, registers, macs;
} ultratrail_statistics;

/* Returns the numbers since the program started. */
void ultratrail_get_statistics(ultratrail_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif /* ULTRATRAIL_H */
