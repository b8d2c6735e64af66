#include "scratch.h"
#include <math.h>

int npu_softmax(const float *x, float *y, int rows, int n, float *buffer) {
  for (int i = 0; i < rows; ++i, x += n, y += n) {
    float largest = x[0], sum = 0.0f;
    for (int j = 1; j < n; ++j)
      largest = x[j] > largest ? x[j] : largest;
    for (int j = 0; j < n; ++j)
      sum += buffer[j] = expf(x[j] - largest);
    for (int j = 0; j < n; ++j)
      y[j] = buffer[j] / sum;
  }
  return 0;
}
