/*===- vanilla.h - The interface of the Vanilla accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef VANILLA_H
#define VANILLA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What vanilla_conv2dnchw returns. Any other value comes from vanilla_fail_at.
 */
enum vanilla_status {
  VANILLA_OK = 0,
  VANILLA_NULL_POINTER = 1, /* a tensor is null */
  VANILLA_BAD_SIZE = 2,     /* a size is not positive */
  VANILLA_EVEN_KERNEL = 3   /* same padding needs an odd kernel */
};

/* Convolution of one image: stride 1, dilation 1, one group, zeros as padding
 * so that the result has the size of the input. float32, dense, row-major:
 *   ifmap    [ic][ih][iw]
 *   weights  [oc][ic][kh][kw]
 *   result   [oc][ih][iw]
 * Returns 0, or why nothing was computed. */
int vanilla_conv2dnchw(float *ifmap, float *weights, float *result, int oc,
                       int iw, int ih, int ic, int kh, int kw);

/* The model of the device counts what it does; hardware has no such thing. */

/* Calls since the start or the last vanilla_reset, failed ones too. */
uint64_t vanilla_calls(void);

/* Multiply-accumulates of the calls that succeeded, counting those with the
 * padding, which the device does too. */
uint64_t vanilla_macs(void);

/* Sets both counters to 0 and forgets vanilla_fail_at. */
void vanilla_reset(void);

/* Makes the n-th call (from 1) after the last vanilla_reset return `status` and
 * compute nothing. The environment variable VANILLA_FAIL_AT=n:status does
 * the same for a program that was not written for it. */
void vanilla_fail_at(uint64_t n, int status);

#ifdef __cplusplus
}
#endif

#endif /* VANILLA_H */
