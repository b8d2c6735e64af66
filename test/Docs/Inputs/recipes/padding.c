#include "padding.h"

int npu_conv(const float *x, const float *w, float *y, int ic, int ih, int iw,
             int oc, int oh, int ow, int k, int pad_top, int pad_left) {
  for (int o = 0; o < oc; ++o)
    for (int r = 0; r < oh; ++r)
      for (int c = 0; c < ow; ++c) {
        float sum = 0.0f;
        for (int i = 0; i < ic; ++i)
          for (int p = 0; p < k; ++p)
            for (int q = 0; q < k; ++q) {
              int row = r + p - pad_top, column = c + q - pad_left;
              if (row >= 0 && row < ih && column >= 0 && column < iw)
                sum += x[(i * ih + row) * iw + column] *
                       w[((o * ic + i) * k + p) * k + q];
            }
        y[(o * oh + r) * ow + c] = sum;
      }
  return 0;
}
