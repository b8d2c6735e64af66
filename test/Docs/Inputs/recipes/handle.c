#include "handle.h"

npu_t npu_device;

int npu_open(npu_t *npu) {
  npu->opened = 1;
  return 0;
}

int npu_relu(npu_t *npu, const float *x, float *y, int n) {
  if (!npu->opened)
    return 1;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] > 0.0f ? x[i] : 0.0f;
  return 0;
}
