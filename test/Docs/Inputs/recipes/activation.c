#include "activation.h"

int npu_add(const float *a, const float *b, float *y, int n, int activation) {
  for (int i = 0; i < n; ++i) {
    float sum = a[i] + b[i];
    if (activation != NPU_NONE && sum < 0.0f)
      sum = 0.0f;
    if (activation == NPU_RELU6 && sum > 6.0f)
      sum = 6.0f;
    y[i] = sum;
  }
  return 0;
}
