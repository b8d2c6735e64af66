/* kinds.h - Parameters of many kinds; a draft asks about most of these
 * functions. */
#ifndef KINDS_H
#define KINDS_H
#include <stdbool.h>
#include <stdint.h>

#define DEV_VERSION 3
typedef enum { DEV_NO_TRANS, DEV_TRANS } dev_trans;
typedef enum { DEV_ACT_NONE, DEV_ACT_SIGMOID, DEV_ACT_TANH } dev_act;
typedef enum { DEV_FUSED_RELU = 1 } dev_fused;
typedef enum { DEV_ROW_MAJOR, DEV_COLUMN_MAJOR } dev_order;
typedef enum { DEV_UPPER, DEV_LOWER } dev_half;
typedef struct dev_ctx dev_ctx;
typedef struct {
  int version, in_h, in_w, in_c, out_c, k;
} dev_conv_cfg;
typedef struct {
  int h, w, in_c, out_c, k;
  int pads[4];
} dev_array_cfg;
typedef int (*dev_callback)(void *);

int dev_sgemm(dev_trans transA, dev_trans transB, int M, int N, int K,
              float alpha, const float *A, int lda, const float *B, int ldb,
              float beta, float *C, int ldc);
int dev_gemm_s8(const int8_t *a, const int8_t *b, int32_t *c, int m, int n,
                int k);
int dev_fc(const int8_t *in, const int8_t *w, const int32_t *bias, int8_t *out,
           int in_features, int out_features, int32_t out_mult);
int dev_conv3x3_nhwc(const void *in, const void *kernel, void *out, int h,
                     int w, int cin, int cout, bool relu);
int dev_conv_ctx(dev_ctx *ctx, const float *in, const float *w, float *out,
                 int h, int iw, int ic, int oc, int k);
int dev_conv_cfg_nchw(dev_conv_cfg cfg, const float *in, const float *w,
                      float *out);
int dev_conv_array(dev_array_cfg cfg, const float *in, const float *w,
                   float *out);
int dev_conv_nothing(const float *in, const float *w, float *out);
int dev_conv_mode(const float *in, const float *w, float *out, int h, int iw,
                  int ic, int oc, int k, int pad_mode);
int dev_conv_extra(const float *in, const float *w, const float *bias,
                   const float *extra, float *out, int h, int iw, int ic,
                   int oc, int k);
int dev_conv_single(const float *in, float *out, int h, int iw, int ic, int oc,
                    int k);
int dev_max_pool_nothing(const float *in, float *out);
int dev_gemm_half(dev_half transa, const float *a, const float *b, float *c,
                  int m, int n, int k);
int dev_matvec(const float *w, const float *x, float *y, int rows, int cols);
int dev_dense_nothing(const float *x, const float *w, float *y);
int dev_conv_ws(const float *in, const float *w, float *out, float *workspace,
                int h, int iw, int ic, int oc, int k, float act_min,
                float act_max);
int dev_dense_limits(const float *x, const float *w, float *y, int m, int n,
                     int k, float act_min, float act_max);
int dev_dense_act(const float *x, const float *w, float *y, int m, int n, int k,
                  dev_act act);
int dev_dense_fused(dev_order order, const float *x, const float *w, float *y,
                    int m, int n, int k, dev_fused act);
int dev_avg_pool2d(float *x, float *y, int n, int c, int h, int w, int kh,
                   int kw, int sh, int sw, int ph, int pw);
int dev_layernorm(const float *x, const float *gamma, const float *beta,
                  float *y, int n);
int dev_relu_f16(const uint16_t *x, uint16_t *y, int n);
float dev_tanh(const float *x, float *y, int n);
int dev_exp_two(const float *x, float *y, float *out, int n);
int dev_sqrt(const float *x, float *y);
int dev_softmax_all(const float *x, float *y);
int dev_neg(const float *x, float *y, int n, ...);
void dev_initialize(void);
void dev_setup(void);
void dev_init(int clock);
int dev_submit(dev_callback f, void *argument);
static inline int dev_abs(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] < 0 ? -x[i] : x[i];
  return 0;
}
#endif
