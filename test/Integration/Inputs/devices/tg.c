#include "tg.h"
#include <stddef.h>
int tg_sgemm(const float *a, int lda, const float *b, int ldb, float *c,
             int ldc, int m, int n, int k, const float *bias, int relu) {
  for (int i = 0; i < m; ++i) {
    float *y = c + (size_t)i * ldc;
    for (int j = 0; j < n; ++j)
      y[j] = bias ? bias[j] : 0;
    for (int l = 0; l < k; ++l)
      for (int j = 0; j < n; ++j)
        y[j] += a[(size_t)i * lda + l] * b[(size_t)l * ldb + j];
    for (int j = 0; j < n; ++j)
      if (relu && y[j] < 0)
        y[j] = 0;
  }
  return 0;
}
