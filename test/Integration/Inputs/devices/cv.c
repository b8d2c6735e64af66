#include "cv.h"
int32_t cv_run(const cv_cfg *c, const float *x, const float *w,
               const float *bias, float *y) {
  if (c->out_c > 512 || c->out_c < 1)
    return 1;
  int oh = (c->in_h - c->kernel[0]) / c->stride[0] + 1,
      ow = (c->in_w - c->kernel[1]) / c->stride[1] + 1;
  int ic = c->in_c / c->groups, og = c->out_c / c->groups;
  for (int o = 0; o < c->out_c; ++o)
    for (int i = 0; i < oh; ++i)
      for (int j = 0; j < ow; ++j) {
        float sum = bias ? bias[o] : 0;
        for (int k = 0; k < ic; ++k)
          for (int a = 0; a < c->kernel[0]; ++a)
            for (int b = 0; b < c->kernel[1]; ++b)
              sum += x[((o / og * ic + k) * c->in_h + i * c->stride[0] + a) *
                           c->in_w +
                       j * c->stride[1] + b] *
                     w[((o * ic + k) * c->kernel[0] + a) * c->kernel[1] + b];
        if (c->act != CV_NONE && sum < 0)
          sum = 0;
        if (c->act == CV_RELU6 && sum > 6)
          sum = 6;
        y[(o * oh + i) * ow + j] = sum;
      }
  return 0;
}
