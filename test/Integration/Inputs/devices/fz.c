#include "fz.h"
int fz_layer_run(struct fz_layer l, const float *image, const float *kernel,
                 const float *bias, const float *residual, float *result) {
  if (!(l.flags & FZ_BIAS) != !bias || !(l.flags & FZ_RESIDUAL) != !residual)
    return 7;
  size_t rows =
      (l.rows + l.pad.top + l.pad.bottom - l.kernel_rows) / l.stride + 1;
  size_t columns =
      (l.columns + l.pad.left + l.pad.right - l.kernel_columns) / l.stride + 1;
  size_t in = l.channels_in / l.groups, out = l.channels_out / l.groups, at = 0;
  for (size_t o = 0; o < l.channels_out; ++o)
    for (size_t y = 0; y < rows; ++y)
      for (size_t x = 0; x < columns; ++x, ++at) {
        float sum = 0;
        for (size_t i = 0; i < in; ++i)
          for (size_t a = 0; a < l.kernel_rows; ++a)
            for (size_t b = 0; b < l.kernel_columns; ++b) {
              size_t row = y * l.stride + a, column = x * l.stride + b;
              if (row < l.pad.top || column < l.pad.left ||
                  row >= l.rows + l.pad.top || column >= l.columns + l.pad.left)
                continue;
              sum +=
                  image[((o / out * in + i) * l.rows + row - l.pad.top) *
                            l.columns +
                        column - l.pad.left] *
                  kernel[((o * in + i) * l.kernel_rows + a) * l.kernel_columns +
                         b];
            }
        if (l.flags & FZ_BIAS)
          sum += bias[o];
        if (l.flags & FZ_RESIDUAL)
          sum += residual[at];
        if (l.flags & FZ_CLIP)
          sum = sum<0 ? 0 : sum>(float) l.limit ? (float)l.limit : sum;
        result[at] = sum;
      }
  return 0;
}
