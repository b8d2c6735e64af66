#include "bias.h"

int npu_dense(const float *x, const float *w, const float *bias, float *y,
              int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = bias ? bias[j] : 0.0f;
      for (int l = 0; l < k; ++l)
        sum += x[i * k + l] * w[j * k + l];
      y[i * n + j] = sum;
    }
  return 0;
}
