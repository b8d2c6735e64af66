#include "tc.h"

int tc_shim(const float *x, const float *w, const float *b, float *y, int ic,
            int ih, int iw, int oc, int kh, int kw, int sh, int sw, int pad,
            int act) {
  const tc_activation acts[] = {TC_ACT_RELU6, TC_ACT_RELU, TC_ACT_NONE};
  tc_conv_cfg cfg = {0};
  cfg.in_h = (uint16_t)ih, cfg.in_w = (uint16_t)iw, cfg.in_c = (uint16_t)ic,
  cfg.out_c = (uint16_t)oc;
  cfg.kernel_h = (uint8_t)kh, cfg.kernel_w = (uint8_t)kw,
  cfg.stride_h = (uint8_t)sh, cfg.stride_w = (uint8_t)sw;
  cfg.pad = pad == 0 ? TC_PAD_SAME : TC_PAD_VALID;
  cfg.act = acts[act];
  return tc_conv2d(&cfg, x, w, b, y);
}
