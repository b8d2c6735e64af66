/* tc.h - TinyConv accelerator, driver interface 1.3
 *
 * Images are NCHW, kernels OIHW, both float32.
 */
#ifndef TC_H
#define TC_H

#include <stddef.h>
#include <stdint.h>

#define TC_VERSION 0x0103

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { TC_SUCCESS = 0, TC_INVALID_ARGUMENT, TC_BUSY } tc_status;

/** How the borders of the image are padded. */
typedef enum { TC_PAD_VALID = 0, TC_PAD_SAME = 1 } tc_padding;

/** What follows the convolution. */
typedef enum {
  TC_ACT_NONE = 0,
  TC_ACT_RELU = 1,
  TC_ACT_RELU6 = 2
} tc_activation;

/** Configuration of a convolution. Set `reserved` to 0. */
typedef struct tc_conv_cfg {
  uint16_t in_h, in_w;  /**< image */
  uint16_t in_c, out_c; /**< channels */
  uint8_t kernel_h, kernel_w;
  uint8_t stride_h, stride_w;
  tc_padding pad;
  tc_activation act;
  uint32_t reserved;
} tc_conv_cfg;

/** Convolution, bias and activation. `bias` may be NULL. */
tc_status tc_conv2d(const tc_conv_cfg *cfg, const float *input,
                    const float *weights, const float *bias, float *output);

tc_status tc_get_caps(uint32_t *caps);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TC_H */
