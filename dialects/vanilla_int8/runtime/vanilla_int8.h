/* Interface of the Vanilla int8 accelerator. Each function returns 0, or a
 * status that stops the run. */
#ifndef VANILLA_INT8_H
#define VANILLA_INT8_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 2D convolution of one int8 image, row-major:
 *
 *   sum = bias[o] + sum of (x[c][i][j] - x_zero) * w[o][c][k][l]          in
 * int32 y[o][i][j] = clamp(round(sum * factor[o]) + y_zero, low, high) in
 * float, half to even
 *
 * x is ic x ih x iw, w is oc x ic x kh x kw, y is oc x oh x ow; bias is NULL
 * for none. Pixels outside of the image, `top` rows above it and `left` columns
 * beside it, are x_zero, i.e. 0. */
int vanilla_int8_conv2d(const int8_t *x, const int8_t *w, const int32_t *bias,
                        int8_t *y, int ic, int ih, int iw, int oc, int oh,
                        int ow, int kh, int kw, int stride, int top, int left,
                        int x_zero, const float *factor, int y_zero, int low,
                        int high);

/* Number of successful calls of this process. For tests. */
unsigned long long vanilla_int8_calls(void);

#ifdef __cplusplus
}
#endif

#endif /* VANILLA_INT8_H */
