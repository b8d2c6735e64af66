// fz_npu.h - FZ NPU runtime library. SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

#define FZ_VERSION_MAJOR 4
#define FZ_VERSION_MINOR 0

// Flags of fz_conv_params.flags
#define FZ_FLAG_BIAS (1u << 0)     // `bias` points to out_channels values
#define FZ_FLAG_RESIDUAL (1u << 1) // `residual` is added before the activation
#define FZ_FLAG_RELU (1u << 2)

#if defined(__cplusplus)
extern "C" {
#endif

enum fz_result { FZ_OK, FZ_ERROR_PARAM, FZ_ERROR_MEMORY };

struct fz_conv_params {
  uint32_t batch;
  uint32_t in_channels, in_height, in_width;
  uint32_t out_channels, out_height, out_width;
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t pad_top, pad_left;
  uint32_t dilation_h, dilation_w;
  uint32_t groups;
  uint32_t flags; // FZ_FLAG_*
};

// Fused convolution in NCHW: out = act(conv(in, filter) + bias + residual).
enum fz_result fz_conv_fused(struct fz_conv_params params, const float *in,
                             const float *filter, const float *bias,
                             const float *residual, float *out);

#if defined(__cplusplus)
}
#endif
