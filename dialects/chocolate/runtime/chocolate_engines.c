/*===- chocolate_engines.c - Results of Chocolate's operations -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Computes the results of valid operations.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_engines.h"

#include <math.h>
#include <string.h>

enum { LANES = CHOCOLATE_LANES };

static int count_blocks(int channels) { return (channels + LANES - 1) / LANES; }

/*===----------------------------------------------------------------------===*
 * Convolutions
 *===----------------------------------------------------------------------===*/

/* The outputs from `first` up to but not including `last`. */
typedef struct {
  int first, last;
} range;

/* Returns the outputs whose inputs at `shift` + output * stride are inside of
 * x, which has `size` rows or columns. */
static range clip(int out, int stride, int shift, int size) {
  const int end = size - shift;
  range r = {0, 0};
  if (shift < 0)
    r.first = (stride - 1 - shift) / stride;
  if (end > 0)
    r.last = (end + stride - 1) / stride;
  if (r.last > out)
    r.last = out;
  return r;
}

/* Sets the sums of a block to 0. */
static void clear(const chocolate_window *w, uint32_t *to) {
  const size_t bytes = (size_t)w->ow * LANES * sizeof(*to);
  for (int i = 0; i < w->oh; ++i)
    memset(to + (ptrdiff_t)i * w->sums_row / 4, 0, bytes);
}

/* Multiplies a pixel by a block of weights. The differences and products fit in
 * 16 bits, so compilers use 16-bit multiplications. */
static void multiply_block(uint32_t *to, const int8_t *x,
                           int16_t w[LANES][LANES], int zero) {
  uint32_t result[LANES] = {0};
  for (int c = 0; c < LANES; ++c) {
    const int16_t value = (int16_t)(x[c] - zero);
    for (int o = 0; o < LANES; ++o)
      result[o] += (uint32_t)(value * w[c][o]);
  }
  for (int o = 0; o < LANES; ++o)
    to[o] += result[o];
}

/* Adds the products of one kernel position and one block of input channels to
 * a block of sums. `x` and `to` are the starts of the blocks. */
static void stream(const chocolate_window *w, int ky, int kx, const int8_t *x,
                   const int8_t *weights, uint32_t *to) {
  const int row_shift = ky - w->top, shift = kx - w->left;
  const range rows = clip(w->oh, w->stride, row_shift, w->ih);
  const range columns = clip(w->ow, w->stride, shift, w->iw);
  int16_t block[LANES][LANES];
  if (rows.first >= rows.last || columns.first >= columns.last)
    return;
  for (int c = 0; c < LANES; ++c)
    for (int o = 0; o < LANES; ++o)
      block[c][o] = weights[c * LANES + o];
  for (int i = rows.first; i < rows.last; ++i) {
    const int8_t *x_row = x + ((ptrdiff_t)i * w->stride + row_shift) * w->x_row;
    uint32_t *to_row = to + (ptrdiff_t)i * w->sums_row / 4;
    for (int j = columns.first; j < columns.last; ++j)
      multiply_block(to_row + (ptrdiff_t)j * LANES,
                     x_row + ((ptrdiff_t)j * w->stride + shift) * LANES, block,
                     w->x_zero);
  }
}

void chocolate_compute_conv(const chocolate_window *w, const int8_t *data,
                            const int8_t *weights, uint32_t *sums) {
  for (int o = 0; o < count_blocks(w->oc); ++o) {
    const int8_t *from = weights + w->w + (ptrdiff_t)o * w->w_block;
    uint32_t *to = sums + (w->sums + (ptrdiff_t)o * w->sums_block) / 4;
    if (!w->accumulate)
      clear(w, to);
    for (int c = 0; c < count_blocks(w->ic); ++c)
      for (int k = 0; k < w->kh * w->kw; ++k, from += LANES * LANES)
        stream(w, k / w->kw, k % w->kw, data + w->x + (ptrdiff_t)c * w->x_block,
               from, to);
  }
}

/* Multiplies each lane of the pixels of a row by its weight. */
static void multiply_row(const chocolate_window *w, range columns, int shift,
                         const int8_t *x, const int8_t *weights, uint32_t *to) {
  for (int j = columns.first; j < columns.last; ++j) {
    const int8_t *pixel = x + ((ptrdiff_t)j * w->stride + shift) * LANES;
    for (int lane = 0; lane < LANES; ++lane)
      to[(ptrdiff_t)j * LANES + lane] +=
          (uint32_t)((pixel[lane] - w->x_zero) * weights[lane]);
  }
}

void chocolate_compute_depthwise(const chocolate_window *w, const int8_t *data,
                                 const int8_t *weights, uint32_t *sums) {
  for (int b = 0; b < count_blocks(w->oc); ++b) {
    const int8_t *from = weights + w->w + (ptrdiff_t)b * w->w_block;
    const int8_t *x = data + w->x + (ptrdiff_t)b * w->x_block;
    uint32_t *to = sums + (w->sums + (ptrdiff_t)b * w->sums_block) / 4;
    if (!w->accumulate)
      clear(w, to);
    for (int k = 0; k < w->kh * w->kw; ++k, from += LANES) {
      const int row_shift = k / w->kw - w->top, shift = k % w->kw - w->left;
      const range rows = clip(w->oh, w->stride, row_shift, w->ih);
      const range columns = clip(w->ow, w->stride, shift, w->iw);
      if (columns.first >= columns.last)
        continue;
      for (int i = rows.first; i < rows.last; ++i)
        multiply_row(w, columns, shift,
                     x + ((ptrdiff_t)i * w->stride + row_shift) * w->x_row,
                     from, to + (ptrdiff_t)i * w->sums_row / 4);
    }
  }
}

/*===----------------------------------------------------------------------===*
 * Rescaling
 *===----------------------------------------------------------------------===*/

/* Biases and factors of a block. Those of missing channels are 0. */
typedef struct {
  uint32_t bias[LANES];
  float factor[LANES];
  int channels; /* That exist. */
} table;

static table read_table(const chocolate_rescaling *r, int block,
                        const unsigned char *bias,
                        const unsigned char *factor) {
  table t = {{0}, {0}, 0};
  const int first = block * LANES;
  t.channels = r->c - first < LANES ? r->c - first : LANES;
  const size_t bytes = 4 * (size_t)t.channels;
  if (bias != NULL)
    memcpy(t.bias, bias + 4 * (size_t)first, bytes);
  memcpy(t.factor, factor + 4 * (size_t)first, bytes);
  return t;
}

/* Limits a number before it is converted to an integer. */
static float limit(float value, int low, int high) {
  if (value < (float)low)
    return (float)low;
  return value > (float)high ? (float)high : value;
}

/* Rescales a row of a block. Applies the bounds without the zero point, so that
 * the conversion to int cannot overflow. */
static void rescale_row(const chocolate_rescaling *r, const table *t,
                        const uint32_t *from, int8_t *to) {
  for (int j = 0; j < r->ow; ++j, from += LANES, to += LANES) {
    for (int lane = 0; lane < t->channels; ++lane) {
      const int32_t sum = (int32_t)(from[lane] + t->bias[lane]);
      const float steps = limit(nearbyintf((float)sum * t->factor[lane]),
                                r->low - r->y_zero, r->high - r->y_zero);
      to[lane] = (int8_t)((int)steps + r->y_zero);
    }
    for (int lane = t->channels; lane < LANES; ++lane)
      to[lane] = (int8_t)r->y_zero;
  }
}

void chocolate_compute_rescale(const chocolate_rescaling *r,
                               const unsigned char *bias,
                               const unsigned char *factor,
                               const uint32_t *sums, int8_t *data) {
  for (int b = 0; b < count_blocks(r->c); ++b) {
    const table t = read_table(r, b, bias, factor);
    for (int i = 0; i < r->oh; ++i)
      rescale_row(r, &t,
                  sums + (r->sums + (ptrdiff_t)b * r->sums_block +
                          (ptrdiff_t)i * r->sums_row) /
                             4,
                  data + r->y + (ptrdiff_t)b * r->y_block +
                      (ptrdiff_t)i * r->y_row);
  }
}

/*===----------------------------------------------------------------------===*
 * Additions and pools
 *===----------------------------------------------------------------------===*/

/* Adds two rows of a block that has `channels` channels. `y` may be `a` or
 * `b`. */
static void add_row(const chocolate_sum *s, int channels, const int8_t *a,
                    const int8_t *b, int8_t *y) {
  const float f = s->a_scale / s->y_scale, g = s->b_scale / s->y_scale;
  const float zero =
      (float)s->y_zero - fmaf(f, (float)s->a_zero, g * (float)s->b_zero);
  for (int k = 0; k < s->ow * LANES; ++k) {
    const float value = fmaf((float)a[k], f, fmaf((float)b[k], g, zero));
    y[k] = k % LANES < channels ? (int8_t)limit(nearbyintf(value), -128, 127)
                                : (int8_t)s->y_zero;
  }
}

void chocolate_compute_add(const chocolate_sum *s, int8_t *data) {
  for (int n = 0; n < count_blocks(s->c); ++n)
    for (int i = 0; i < s->oh; ++i)
      add_row(s, s->c - n * LANES,
              data + s->a + (ptrdiff_t)n * s->a_block + (ptrdiff_t)i * s->a_row,
              data + s->b + (ptrdiff_t)n * s->b_block + (ptrdiff_t)i * s->b_row,
              data + s->y + (ptrdiff_t)n * s->y_block +
                  (ptrdiff_t)i * s->y_row);
}

/* Returns the rows or columns of x, of `size`, in a window at `start`. */
static range clip_window(int start, int taps, int size) {
  range r = {start < 0 ? 0 : start, start + taps};
  if (r.last > size)
    r.last = size;
  return r;
}

/* Computes a pixel of a pool. */
static void pool_pixel(const chocolate_pooling *p, range rows, range columns,
                       const int8_t *x, int8_t *y) {
  int8_t most[LANES];
  memset(most, -128, sizeof(most));
  for (int i = rows.first; i < rows.last; ++i)
    for (int j = columns.first; j < columns.last; ++j) {
      const int8_t *pixel = x + (ptrdiff_t)i * p->x_row + (ptrdiff_t)j * LANES;
      for (int lane = 0; lane < LANES; ++lane)
        most[lane] = pixel[lane] > most[lane] ? pixel[lane] : most[lane];
    }
  memcpy(y, most, sizeof(most));
}

void chocolate_compute_pool(const chocolate_pooling *p, int8_t *data) {
  for (int b = 0; b < count_blocks(p->c); ++b)
    for (int i = 0; i < p->oh; ++i)
      for (int j = 0; j < p->ow; ++j)
        pool_pixel(p, clip_window(i * p->stride - p->top, p->kh, p->ih),
                   clip_window(j * p->stride - p->left, p->kw, p->iw),
                   data + p->x + (ptrdiff_t)b * p->x_block,
                   data + p->y + (ptrdiff_t)b * p->y_block +
                       (ptrdiff_t)i * p->y_row + (ptrdiff_t)j * LANES);
}
