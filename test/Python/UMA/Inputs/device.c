#include <stdint.h>
/* result[oc][ih][iw] = "same" convolution, one image */
static int32_t device_conv2d(const float *x, const float *w, float *y, int oc,
                             int iw, int ih, int ic, int kh, int kw) {
  for (int o = 0; o < oc; ++o)
    for (int r = 0; r < ih; ++r)
      for (int c = 0; c < iw; ++c) {
        float sum = 0;
        for (int i = 0; i < ic; ++i)
          for (int kr = 0; kr < kh; ++kr)
            for (int kc = 0; kc < kw; ++kc) {
              int rr = r + kr - kh / 2, cc = c + kc - kw / 2;
              if (rr >= 0 && rr < ih && cc >= 0 && cc < iw)
                sum += x[(i * ih + rr) * iw + cc] *
                       w[((o * ic + i) * kh + kr) * kw + kc];
            }
        y[(o * ih + r) * iw + c] = sum;
      }
  return 0;
}
