#include "fz_npu.h"

int fz_shim(const float *x, const float *w, const float *b, const float *r,
            float *y, int n, int ic, int ih, int iw, int oc, int oh, int ow,
            int kh, int kw, int sh, int sw, int top, int left, int dh, int dw,
            int groups, int relu) {
  struct fz_conv_params p = {(uint32_t)n,
                             (uint32_t)ic,
                             (uint32_t)ih,
                             (uint32_t)iw,
                             (uint32_t)oc,
                             (uint32_t)oh,
                             (uint32_t)ow,
                             (uint32_t)kh,
                             (uint32_t)kw,
                             (uint32_t)sh,
                             (uint32_t)sw,
                             (uint32_t)top,
                             (uint32_t)left,
                             (uint32_t)dh,
                             (uint32_t)dw,
                             (uint32_t)groups,
                             0};
  p.flags = (b ? FZ_FLAG_BIAS : 0) | (r ? FZ_FLAG_RESIDUAL : 0) |
            (relu ? FZ_FLAG_RELU : 0);
  return (int)fz_conv_fused(p, x, w, b, r, y);
}
