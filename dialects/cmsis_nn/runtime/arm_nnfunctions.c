/*===- arm_nnfunctions.c - Model of CMSIS-NN's functions -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * What the functions compute by their documentation, in plain C99: one loop
 * nest for each, and the rounding of TensorFlow Lite. They check that the
 * buffer has the bytes that the library's kernels for the DSP extension use.
 */

#include "arm_nnfunctions.h"

#include <stddef.h>

static int32_t clamp(int32_t value, const cmsis_nn_activation *range) {
  value = value < range->min ? range->min : value;
  return value > range->max ? range->max : value;
}

/* Returns value * multiplier * 2^(shift - 31): the high half of the doubled
 * product, rounded, then a right shift that rounds halves away from zero. */
static int32_t requantize(int32_t value, int32_t multiplier, int32_t shift) {
  int32_t left = shift > 0 ? shift : 0, right = shift > 0 ? 0 : -shift;
  int64_t product = (int64_t)(int32_t)((uint32_t)value << left) * multiplier;
  int32_t high = (int32_t)((product + ((int64_t)1 << 30)) >> 31);
  int32_t mask = (int32_t)(((int64_t)1 << right) - 1), rest = high & mask;
  int32_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return (high >> right) + (rest > threshold ? 1 : 0);
}

/* Returns whether the buffer is missing or smaller than `bytes`. */
static int lacks_buffer(const cmsis_nn_context *ctx, int64_t bytes) {
  return ctx == NULL || (bytes > 0 && (ctx->buf == NULL || ctx->size < bytes));
}

/* Sums the window at a pixel of the output for one channel. `step` is the
 * number of channels between elements of the filter that are neighbours in a
 * row. */
static int32_t sum_window(const int8_t *input, const cmsis_nn_dims *input_dims,
                          const int8_t *filter,
                          const cmsis_nn_dims *filter_dims, int32_t channels,
                          int32_t step, int32_t offset, int32_t top,
                          int32_t left, const cmsis_nn_tile *dilation) {
  int32_t ky, kx, c, sum = 0;
  for (ky = 0; ky < filter_dims->h; ++ky) {
    int32_t y = top + ky * dilation->h;
    for (kx = 0; kx < filter_dims->w; ++kx) {
      int32_t x = left + kx * dilation->w;
      if (y < 0 || y >= input_dims->h || x < 0 || x >= input_dims->w) {
        continue; /* zeros: the zero point */
      }
      for (c = 0; c < channels; ++c) {
        sum += (input[(y * input_dims->w + x) * input_dims->c + c] + offset) *
               filter[(ky * filter_dims->w + kx) * step + c];
      }
    }
  }
  return sum;
}

arm_cmsis_nn_status arm_convolve_wrapper_s8(
    const cmsis_nn_context *ctx, const cmsis_nn_conv_params *conv_params,
    const cmsis_nn_per_channel_quant_params *quant_params,
    const cmsis_nn_dims *input_dims, const int8_t *input_data,
    const cmsis_nn_dims *filter_dims, const int8_t *filter_data,
    const cmsis_nn_dims *bias_dims, const int32_t *bias_data,
    const cmsis_nn_dims *output_dims, int8_t *output_data) {
  int32_t window = filter_dims->h * filter_dims->w * filter_dims->c;
  int32_t n, y, x, c;
  (void)bias_dims;
  if (lacks_buffer(ctx, 4 * (int64_t)((window + 3) / 4 * 4)) ||
      filter_dims->c != input_dims->c || filter_dims->n != output_dims->c) {
    return ARM_CMSIS_NN_ARG_ERROR;
  }
  for (n = 0; n < input_dims->n; ++n) {
    const int8_t *image =
        input_data + n * input_dims->h * input_dims->w * input_dims->c;
    for (y = 0; y < output_dims->h; ++y) {
      for (x = 0; x < output_dims->w; ++x) {
        for (c = 0; c < output_dims->c; ++c) {
          int32_t sum = sum_window(
              image, input_dims, filter_data + c * window, filter_dims,
              filter_dims->c, filter_dims->c, conv_params->input_offset,
              y * conv_params->stride.h - conv_params->padding.h,
              x * conv_params->stride.w - conv_params->padding.w,
              &conv_params->dilation);
          sum += bias_data != NULL ? bias_data[c] : 0;
          sum = requantize(sum, quant_params->multiplier[c],
                           quant_params->shift[c]) +
                conv_params->output_offset;
          *output_data++ = (int8_t)clamp(sum, &conv_params->activation);
        }
      }
    }
  }
  return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_depthwise_conv_wrapper_s8(
    const cmsis_nn_context *ctx, const cmsis_nn_dw_conv_params *dw_conv_params,
    const cmsis_nn_per_channel_quant_params *quant_params,
    const cmsis_nn_dims *input_dims, const int8_t *input_data,
    const cmsis_nn_dims *filter_dims, const int8_t *filter_data,
    const cmsis_nn_dims *bias_dims, const int32_t *bias_data,
    const cmsis_nn_dims *output_dims, int8_t *output_data) {
  int32_t y, x, c;
  (void)bias_dims;
  if (lacks_buffer(ctx, 2 * (int64_t)input_dims->c * filter_dims->h *
                            filter_dims->w) ||
      dw_conv_params->ch_mult != 1 || input_dims->n != 1 ||
      filter_dims->c != output_dims->c || input_dims->c != output_dims->c) {
    return ARM_CMSIS_NN_ARG_ERROR;
  }
  for (y = 0; y < output_dims->h; ++y) {
    for (x = 0; x < output_dims->w; ++x) {
      for (c = 0; c < output_dims->c; ++c) {
        int32_t sum =
            sum_window(input_data + c, input_dims, filter_data + c, filter_dims,
                       1, filter_dims->c, dw_conv_params->input_offset,
                       y * dw_conv_params->stride.h - dw_conv_params->padding.h,
                       x * dw_conv_params->stride.w - dw_conv_params->padding.w,
                       &dw_conv_params->dilation);
        sum += bias_data != NULL ? bias_data[c] : 0;
        sum = requantize(sum, quant_params->multiplier[c],
                         quant_params->shift[c]) +
              dw_conv_params->output_offset;
        *output_data++ = (int8_t)clamp(sum, &dw_conv_params->activation);
      }
    }
  }
  return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_fully_connected_s8(
    const cmsis_nn_context *ctx, const cmsis_nn_fc_params *fc_params,
    const cmsis_nn_per_tensor_quant_params *quant_params,
    const cmsis_nn_dims *input_dims, const int8_t *input_data,
    const cmsis_nn_dims *filter_dims, const int8_t *filter_data,
    const cmsis_nn_dims *bias_dims, const int32_t *bias_data,
    const cmsis_nn_dims *output_dims, int8_t *output_data) {
  int32_t n, m, k, depth = filter_dims->n;
  (void)bias_dims;
  if (lacks_buffer(ctx, 0) || fc_params->filter_offset != 0 ||
      input_dims->h * input_dims->w * input_dims->c != depth ||
      output_dims->c != filter_dims->c) {
    return ARM_CMSIS_NN_ARG_ERROR;
  }
  for (n = 0; n < input_dims->n; ++n) {
    for (m = 0; m < filter_dims->c; ++m) {
      int32_t sum = bias_data != NULL ? bias_data[m] : 0;
      for (k = 0; k < depth; ++k) {
        sum += (input_data[n * depth + k] + fc_params->input_offset) *
               filter_data[m * depth + k];
      }
      sum = requantize(sum, quant_params->multiplier, quant_params->shift) +
            fc_params->output_offset;
      *output_data++ = (int8_t)clamp(sum, &fc_params->activation);
    }
  }
  return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_max_pool_s8(const cmsis_nn_context *ctx,
                                    const cmsis_nn_pool_params *pool_params,
                                    const cmsis_nn_dims *input_dims,
                                    const int8_t *input_data,
                                    const cmsis_nn_dims *filter_dims,
                                    const cmsis_nn_dims *output_dims,
                                    int8_t *output_data) {
  int32_t y, x, c, ky, kx;
  (void)ctx;
  for (y = 0; y < output_dims->h; ++y) {
    for (x = 0; x < output_dims->w; ++x) {
      for (c = 0; c < output_dims->c; ++c) {
        int32_t largest = INT8_MIN;
        for (ky = 0; ky < filter_dims->h; ++ky) {
          for (kx = 0; kx < filter_dims->w; ++kx) {
            int32_t iy =
                y * pool_params->stride.h - pool_params->padding.h + ky;
            int32_t ix =
                x * pool_params->stride.w - pool_params->padding.w + kx;
            if (iy >= 0 && iy < input_dims->h && ix >= 0 &&
                ix < input_dims->w) {
              int32_t value =
                  input_data[(iy * input_dims->w + ix) * input_dims->c + c];
              largest = value > largest ? value : largest;
            }
          }
        }
        *output_data++ = (int8_t)clamp(largest, &pool_params->activation);
      }
    }
  }
  return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_elementwise_add_s8(
    const int8_t *input_1_vect, const int8_t *input_2_vect,
    const int32_t input_1_offset, const int32_t input_1_mult,
    const int32_t input_1_shift, const int32_t input_2_offset,
    const int32_t input_2_mult, const int32_t input_2_shift,
    const int32_t left_shift, int8_t *output, const int32_t out_offset,
    const int32_t out_mult, const int32_t out_shift,
    const int32_t out_activation_min, const int32_t out_activation_max,
    const int32_t block_size) {
  const cmsis_nn_activation range = {out_activation_min, out_activation_max};
  int32_t i;
  for (i = 0; i < block_size; ++i) {
    int32_t a = (input_1_vect[i] + input_1_offset) * (1 << left_shift);
    int32_t b = (input_2_vect[i] + input_2_offset) * (1 << left_shift);
    int32_t sum = requantize(a, input_1_mult, input_1_shift) +
                  requantize(b, input_2_mult, input_2_shift);
    output[i] = (int8_t)clamp(requantize(sum, out_mult, out_shift) + out_offset,
                              &range);
  }
  return ARM_CMSIS_NN_SUCCESS;
}
