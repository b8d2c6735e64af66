#include "memory.h"

int npu_multiply(const float *a, const float *b, float *y, int n) {
  if (8 * n > 4096)
    return 1;
  for (int i = 0; i < n; ++i)
    y[i] = a[i] * b[i];
  return 0;
}
