/* The functions of the accelerator @name@: here a model in plain C, on a board
 * the driver. */
#include <stddef.h>

/* result[oc][ih][iw] = convolution of one image ifmap[ic][ih][iw] by
 * weights[oc][ic][kh][kw], padded such that the result has the size of the
 * image. Returns 0, or a status that ends the network's run. */
static int @name
    @_conv2dnchw(const float *ifmap, const float *weights, float *result,
                 int oc, int iw, int ih, int ic, int kh, int kw) {
  int o, y, x, i, ky, kx;
  for (o = 0; o < oc; ++o) {
    for (y = 0; y < ih; ++y) {
      for (x = 0; x < iw; ++x) {
        float sum = 0;
        for (i = 0; i < ic; ++i) {
          for (ky = 0; ky < kh; ++ky) {
            for (kx = 0; kx < kw; ++kx) {
              int row = y + ky - kh / 2, column = x + kx - kw / 2;
              if (row >= 0 && row < ih && column >= 0 && column < iw) {
                sum += ifmap[((size_t)i * ih + row) * iw + column] *
                       weights[(((size_t)o * ic + i) * kh + ky) * kw + kx];
              }
            }
          }
        }
        result[((size_t)o * ih + y) * iw + x] = sum;
      }
    }
  }
  return 0;
}
