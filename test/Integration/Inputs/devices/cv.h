//===- cv.h - A convolution with a struct and enums -*- C -*---------------===//

#include <stdint.h>
/* Convolution of one image, NCHW; no padding; at most 512 output channels. */
typedef enum { CV_NONE, CV_RELU, CV_RELU6 } cv_act;
typedef struct {
  int32_t in_h, in_w, in_c, out_c;
  int32_t kernel[2];
  int32_t stride[2];
  cv_act act;
  int32_t groups;
} cv_cfg;
int32_t cv_run(const cv_cfg *cfg, const float *in, const float *weights,
               const float *bias, float *out);
