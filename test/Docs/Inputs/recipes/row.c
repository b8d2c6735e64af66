#include "row.h"

int npu_row(const float *x, const float *w, float *y, int n, int k) {
  for (int j = 0; j < n; ++j) {
    y[j] = 0.0f;
    for (int l = 0; l < k; ++l)
      y[j] += x[l] * w[j * k + l];
  }
  return 0;
}
