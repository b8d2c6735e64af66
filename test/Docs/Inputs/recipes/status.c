#include "status.h"
#include <math.h>

void npu_relu(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

int npu_sigmoid(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = 1.0f / (1.0f + expf(-x[i]));
  return 1;
}
