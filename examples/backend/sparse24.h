/*===- sparse24.h - The interface of the example unit -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef SPARSE24_H
#define SPARSE24_H

#ifdef __cplusplus
extern "C" {
#endif

/* y[n][m] = sum over k of x[n][k] * w[m][k], where at most two of each four w
   in a row are not zero. Returns 0, or 1 where more of them are: the unit has
   two multipliers per group. */
int sparse24_dense(const float *x, const float *w, float *y, int n, int m,
                   int k);

#ifdef __cplusplus
}
#endif

#endif
