/*===- sparse24.c - The example unit in plain C -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#include "sparse24.h"

int sparse24_dense(const float *x, const float *w, float *y, int n, int m,
                   int k) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      float sum = 0.0f;
      for (int group = 0; group < k; group += 4) {
        int multipliers = 2;
        for (int lane = group; lane < group + 4; ++lane) {
          if (w[j * k + lane] == 0.0f)
            continue;
          if (multipliers-- == 0)
            return 1;
          sum += x[i * k + lane] * w[j * k + lane];
        }
      }
      y[i * m + j] = sum;
    }
  }
  return 0;
}
