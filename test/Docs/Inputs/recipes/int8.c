#include "int8.h"

static int32_t scale(int32_t sum, int32_t multiplier, int32_t shift) {
  int right = 31 - shift;
  int64_t product = (int64_t)sum * multiplier;
  if (right > 62)
    return 0;
  return (int32_t)((product + ((int64_t)1 << (right - 1))) >> right);
}

int npu_dense(const int8_t *x, const int8_t *w, const int32_t *bias, int8_t *y,
              int m, int n, int k, int x_zero, const int32_t *multiplier,
              const int32_t *shift, int y_zero, int low, int high) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int32_t sum = bias ? bias[j] : 0;
      for (int l = 0; l < k; ++l)
        sum += (x[i * k + l] - x_zero) * w[j * k + l];
      int value = scale(sum, multiplier[j], shift[j]) + y_zero;
      y[i * n + j] = (int8_t)(value < low ? low : value > high ? high : value);
    }
  return 0;
}
