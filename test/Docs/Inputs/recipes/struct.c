#include "struct.h"

int npu_max(const npu_pool *pool, const float *x, float *y, int channels) {
  for (int c = 0; c < channels; ++c, x += pool->in.rows * pool->in.columns)
    for (int i = 0; i < pool->out.rows; ++i)
      for (int j = 0; j < pool->out.columns; ++j, ++y) {
        *y = x[i * pool->stride * pool->in.columns + j * pool->stride];
        for (int p = 0; p < pool->window[0]; ++p)
          for (int q = 0; q < pool->window[1]; ++q) {
            float value = x[(i * pool->stride + p) * pool->in.columns +
                            j * pool->stride + q];
            if (value > *y || value != value)
              *y = value;
          }
      }
  return 0;
}
