/*===- vanilla.h - Interface of the Vanilla accelerator -*- C -*-===*
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

/* Return values of vanilla_conv2dnchw. Other values come from vanilla_fail_at.
 */
enum vanilla_status {
  VANILLA_OK = 0,
  VANILLA_NULL_POINTER = 1, /* a tensor is null */
  VANILLA_BAD_SIZE = 2,     /* a size is not positive */
  VANILLA_EVEN_KERNEL = 3   /* same padding needs an odd kernel */
};

/* Convolves one image with stride 1, dilation 1 and one group. Pads with zeros
 * so that the result has the size of the input. float32, dense, row-major:
 *   ifmap    [ic][ih][iw]
 *   weights  [oc][ic][kh][kw]
 *   result   [oc][ih][iw]
 * Returns VANILLA_OK, or an error status if nothing was computed. */
int vanilla_conv2dnchw(float *ifmap, float *weights, float *result, int oc,
                       int iw, int ih, int ic, int kh, int kw);

/* Counters and failures of the model; hardware does not have these functions.
 */

/* Returns the number of calls since the start or the last vanilla_reset,
 * including failed ones. */
uint64_t vanilla_calls(void);

/* Returns the number of multiply-accumulates of successful calls, including
 * those with the padding, which the device also computes. */
uint64_t vanilla_macs(void);

/* Resets both counters and vanilla_fail_at. */
void vanilla_reset(void);

/* Makes the n-th call (from 1) after the last vanilla_reset return `status`
 * without computing anything. The environment variable VANILLA_FAIL_AT=n:status
 * has the same effect. */
void vanilla_fail_at(uint64_t n, int status);

#ifdef __cplusplus
}
#endif

#endif /* VANILLA_H */
