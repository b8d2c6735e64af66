/* nhwc.h - An accelerator of images in NHWC. */
#ifndef NHWC_H
#define NHWC_H
#include <stddef.h>
#include <stdint.h>
typedef enum { NN_OK } nn_status;
/* x: NHWC, w: OHWI */
nn_status nn_conv_s8(const int8_t *x, const int8_t *w, int32_t *y,
                     uint32_t batch, uint32_t h, uint32_t width, uint32_t in_ch,
                     uint32_t out_ch, uint32_t kernel_size, uint32_t stride_h,
                     uint32_t stride_w, uint32_t pad_h, uint32_t pad_w);
nn_status nn_depthwise_conv2d(const float *input, const float *filter,
                              const float *bias, float *output, int height,
                              int width, int channels, int kernel_h,
                              int kernel_w, int stride_h, int stride_w,
                              int pad_top, int pad_left, int pad_bottom,
                              int pad_right);
nn_status nn_maxpool2d(const float *input, float *output, int height, int width,
                       int channels, int pool_h, int pool_w, int stride_h,
                       int stride_w);
nn_status nn_global_avgpool(const float *input, float *output, int height,
                            int width, int channels);
nn_status nn_avgpool(const float *input, float *output, int height, int width,
                     int channels, int pool_size, int stride, int pad);
nn_status nn_fully_connected(const float *input, const float *weights,
                             const float *bias /* may be NULL */, float *output,
                             size_t batch, size_t in_features,
                             size_t out_features);
nn_status nn_conv_fused(const float *input, const float *filter,
                        const float *bias, const float *residual, float *output,
                        int height, int width, int channels, int out_channels,
                        int kernel_size, int stride, int pad, int dilation,
                        int relu);

#endif
