#include "npu.h"
#include <stddef.h>
static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
int npu_conv(const float *x, const float *w, const float *b, float *y, int oc, int ic, int ih, int iw, int k, int s, int act, double top) {
  int oh = (ih + s - 1) / s, ow = (iw + s - 1) / s;
  int top_pad = max((oh - 1) * s + k - ih, 0) / 2, left = max((ow - 1) * s + k - iw, 0) / 2;
  if (s < 1 || s > 3)
    return 1;
  if (oc > 16)
    return 2;
  for (int o = 0; o < oc; ++o)
    for (int i = 0; i < oh; ++i)
      for (int j = 0; j < ow; ++j) {
        int at = (o * oh + i) * ow + j;
        float sum = 0;
        for (int c = 0; c < ic; ++c)
          for (int p = max(0, top_pad - i * s); p < min(k, ih + top_pad - i * s); ++p)
            for (int q = max(0, left - j * s); q < min(k, iw + left - j * s); ++q)
              sum += x[(c * ih + i * s + p - top_pad) * iw + j * s + q - left] * w[((o * ic + c) * k + p) * k + q];
        if (b)
          sum += b[o];
        if (act < 2 && sum < 0)
          sum = 0;
        if (act == 1 && sum > (float)top)
          sum = (float)top;
        y[at] = sum;
      }
  return 0;
}
int npu_pool(const float *x, float *y, int c, int n) {
  for (int i = 0; i < c; ++i) {
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += x[i * n + j];
    y[i] /= (float)n;
  }
  return 0;
}
