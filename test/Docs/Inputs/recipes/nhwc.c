#include "nhwc.h"

int npu_conv(const float *x, const float *w, float *y, int ih, int iw, int ic,
             int oh, int ow, int oc, int kh, int kw) {
  for (int o = 0; o < oc; ++o)
    for (int r = 0; r < oh; ++r)
      for (int c = 0; c < ow; ++c) {
        float sum = 0.0f;
        for (int i = 0; i < ic; ++i)
          for (int p = 0; p < kh; ++p)
            for (int q = 0; q < kw; ++q) {
              int row = r + p, column = c + q;
              if (row >= 0 && row < ih && column >= 0 && column < iw)
                sum += x[(row * iw + column) * ic + i] *
                       w[((o * kh + p) * kw + q) * ic + i];
            }
        y[(r * ow + c) * oc + o] = sum;
      }
  return 0;
}
