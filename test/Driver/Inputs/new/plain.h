/* plain.h - A device whose functions take plain numbers. */
#ifndef PLAIN_H
#define PLAIN_H
#include <stdint.h>

int plain_conv2d(const float *in, const float *weights, const float *bias,
                 float *out, int in_channels, int in_h, int in_w,
                 int out_channels, int kernel_h, int kernel_w, int stride,
                 int pad);
int plain_dwconv(const float *x, const float *w, float *y, int channels, int h,
                 int w_, int kh, int kw);
/* y[m][n] = x[m][k] * w[n][k]. */
int plain_dense(const float *x, const float *w, float *y, int m, int n, int k);
int plain_max_pool(const float *x, float *y, int c, int h, int w, int k, int s);
int plain_avgpool_global(const float *x, float *y, int c, int h, int w);
int plain_softmax(const float *x, float *y, int rows, int cols);
int plain_sigmoid(const float *x, float *y, int n);
void plain_mul(const float *a, const float *b, float *y, uint32_t count);
int plain_add_i32(const int32_t *a, const int32_t *b, int32_t *y, int n);

#endif
