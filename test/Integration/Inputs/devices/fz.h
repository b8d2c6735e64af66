//===- fz.h - A fused layer with a struct by value -*- C -*----------------===//

#include <stddef.h>
/* One fused layer, NCHW: convolution, then bias, then residual, then
 * activation. What is NULL is not there. */
enum { FZ_BIAS = 1u << 0, FZ_RESIDUAL = 1u << 1, FZ_CLIP = 1u << 4 };
struct fz_layer {
  size_t channels_in, channels_out, rows, columns, kernel_rows, kernel_columns,
      stride, groups;
  struct {
    size_t top, left, bottom, right;
  } pad;
  unsigned flags;
  double limit; /* of FZ_CLIP, which starts at 0 */
};
int fz_layer_run(struct fz_layer layer, const float *image, const float *kernel,
                 const float *bias, const float *residual, float *result);
