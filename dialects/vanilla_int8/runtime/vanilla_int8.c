/* Model of the Vanilla int8 accelerator in plain C99, for the host. */
#include "vanilla_int8.h"

#include <math.h>
#include <stddef.h>

static unsigned long long num_calls;

unsigned long long vanilla_int8_calls(void) { return num_calls; }

/* Rescales an exact sum to a stored integer. */
static int8_t requantize(int32_t sum, float factor, int zero, int low,
                         int high) {
  float steps = nearbyintf((float)sum * factor);
  /* Bounds without the zero point: the conversion to int cannot overflow. */
  steps = fmaxf(steps, (float)(low - zero));
  steps = fminf(steps, (float)(high - zero));
  return (int8_t)((int)steps + zero);
}

/* Returns the sum for the output channel whose weights are w; y and x are the
 * position in the image of their first row and column, which may lie outside.
 */
static int32_t convolve(const int8_t *image, const int8_t *w, int ic, int ih,
                        int iw, int kh, int kw, int y, int x, int zero) {
  int32_t sum = 0;
  for (int c = 0; c < ic; ++c)
    for (int k = 0; k < kh; ++k)
      for (int l = 0; l < kw; ++l)
        if (y + k >= 0 && y + k < ih && x + l >= 0 && x + l < iw)
          sum += (image[((size_t)c * ih + y + k) * iw + x + l] - zero) *
                 w[((size_t)c * kh + k) * kw + l];
  return sum;
}

int vanilla_int8_conv2d(const int8_t *x, const int8_t *w, const int32_t *bias,
                        int8_t *y, int ic, int ih, int iw, int oc, int oh,
                        int ow, int kh, int kw, int stride, int top, int left,
                        int x_zero, const float *factor, int y_zero, int low,
                        int high) {
  if (ic <= 0 || ih <= 0 || iw <= 0 || oc <= 0 || oh <= 0 || ow <= 0 ||
      kh <= 0 || kw <= 0 || stride <= 0)
    return 1;
  for (int o = 0; o < oc; ++o)
    for (int i = 0; i < oh; ++i)
      for (int j = 0; j < ow; ++j) {
        int32_t sum = convolve(x, w + (size_t)o * ic * kh * kw, ic, ih, iw, kh,
                               kw, i * stride - top, j * stride - left, x_zero);
        if (bias)
          sum += bias[o];
        y[((size_t)o * oh + i) * ow + j] =
            requantize(sum, factor[o], y_zero, low, high);
      }
  ++num_calls;
  return 0;
}
