#include "blocks.h"

int npu_dense(const float *x, const float *w, float *y, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < k; ++l)
        sum += x[i * k + l] * w[(j / 8 * k + l) * 8 + j % 8];
      y[i * n + j] = sum;
    }
  return 0;
}
