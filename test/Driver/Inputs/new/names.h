/* names.h - Names and types that a draft must not trip over. */
#ifndef NAMES_H
#define NAMES_H
typedef const float *in_t;
typedef float *out_t;
int odd_relu(in_t x, out_t y, int i);
int odd_add(const float a[], const float b[], float out[], unsigned long n);
int odd_conv2d(const float *image, const float *filter, float *row, int ic,
               int oc, int height, int width, int k, int sum);
int odd_matmul(const double *restrict i, const double *restrict j,
               double *restrict p, long m, long n, long k);
int v1(const float *x, float *y, int n);
int odd_max(const float *a, const float *b, float *y, int n);
int max(const float *a, const float *b, float *y, int n);
int min(const float *a, const float *b, float *y, int n);
int odd_abs(const float *, float *, int);
int odd_mul(float *a, float *b, float *c, int n);
int odd_sub(const float *in1, const float *in2, float *out, int n);
int OddConv2D(const float *pSrc, const float *pWeights, const float *pBias,
              float *pDst, int inC, int inH, int inW, int outC, int kH, int kW,
              int padTop, int padLeft, int padBottom, int padRight);
void oddSgemm(char transA, char transB, int M, int N, int K, const float *A,
              const float *B, float *C);
int odd_conv_lots(const float *x, const float *w, float *y, int n, int h,
                  int w_in, int c, int oc, int kernel_size, int stride,
                  int padding, int dilation, int groups);
#endif
