/*===- chocolate_operands.c - Checks of Chocolate's operands -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Checks the operands of operations, and computes their areas and durations.
 * The driver and the device share these rules; the device checks each operation
 * again.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_engines.h"

#include <math.h>
#include <string.h>

enum {
  LANES = CHOCOLATE_LANES,
  SUM_BYTES = 4 * LANES,       /* One pixel of sums. */
  BLOCK_BYTES = LANES * LANES, /* Weights of two blocks and a position. */
  MAX_SIZE = 65535,
  SETUP = 32,       /* Cycles. */
  TABLE_BYTES = 128 /* Biases and factors of a block. */
};

/* Returns a quotient, rounded up. */
static long long divide(long long count, long long size) {
  return (count + size - 1) / size;
}

static long long count_blocks(int channels) { return divide(channels, LANES); }

int chocolate_get_engine(int opcode) {
  if (opcode == CHOCOLATE_OP_LOAD)
    return CHOCOLATE_LOAD;
  if (opcode == CHOCOLATE_OP_STORE)
    return CHOCOLATE_STORE;
  return opcode == CHOCOLATE_OP_CONV ? CHOCOLATE_MATRIX : CHOCOLATE_VECTOR;
}

/*===----------------------------------------------------------------------===*
 * Areas
 *===----------------------------------------------------------------------===*/

/* Returns an area that is contiguous. */
static chocolate_area make_area(long long place, int writes, long long at,
                                long long bytes) {
  const chocolate_area a = {place, writes, at, 1, 0, 1, 0, bytes};
  return a;
}

/* Returns the area of an image. Ignores a distance if there is one block or one
 * row. An image without pixels has no bytes. */
static chocolate_area make_image(int memory, int writes, const int at[3],
                                 int channels, long long rows,
                                 long long columns) {
  chocolate_area a =
      make_area(memory, writes, at[0],
                columns * (memory == CHOCOLATE_SUMS ? SUM_BYTES : LANES));
  if (rows == 0 || columns == 0) {
    a.bytes = 0;
    return a;
  }
  a.blocks = count_blocks(channels);
  a.block = a.blocks > 1 ? at[1] : 0;
  a.rows = rows;
  a.row = rows > 1 ? at[2] : 0;
  return a;
}

/* Returns how many rows or columns of x are up to the last one that a window
 * uses. */
static long long count_used(int size, int out, int stride, int taps,
                            int before) {
  const long long end = (out - 1LL) * stride + taps - before;
  return end < 0 ? 0 : end < size ? end : size;
}

static int get_window_areas(int opcode, const chocolate_window *w,
                            chocolate_area *areas) {
  const int x[] = {w->x, w->x_block, w->x_row};
  const int sums[] = {w->sums, w->sums_block, w->sums_row};
  const long long taps = (long long)w->kh * w->kw;
  areas[0] = make_image(CHOCOLATE_DATA, 0, x, w->ic,
                        count_used(w->ih, w->oh, w->stride, w->kh, w->top),
                        count_used(w->iw, w->ow, w->stride, w->kw, w->left));
  areas[1] = make_area(CHOCOLATE_WEIGHTS, 0, w->w,
                       opcode == CHOCOLATE_OP_CONV
                           ? count_blocks(w->ic) * taps * BLOCK_BYTES
                           : taps * LANES);
  areas[1].blocks = count_blocks(w->oc);
  areas[1].block = areas[1].blocks > 1 ? w->w_block : 0;
  areas[2] = make_image(CHOCOLATE_SUMS, 1, sums, w->oc, w->oh, w->ow);
  areas[3] = areas[2];
  areas[3].writes = 0;
  return w->accumulate ? 4 : 3;
}

static int get_pool_areas(const chocolate_pooling *p, chocolate_area *areas) {
  const int x[] = {p->x, p->x_block, p->x_row};
  const int y[] = {p->y, p->y_block, p->y_row};
  areas[0] = make_image(CHOCOLATE_DATA, 0, x, p->c,
                        count_used(p->ih, p->oh, p->stride, p->kh, p->top),
                        count_used(p->iw, p->ow, p->stride, p->kw, p->left));
  areas[1] = make_image(CHOCOLATE_DATA, 1, y, p->c, p->oh, p->ow);
  return 2;
}

int chocolate_get_areas(int opcode, const chocolate_operands *operands,
                        chocolate_area areas[4]) {
  if (opcode == CHOCOLATE_OP_LOAD || opcode == CHOCOLATE_OP_STORE) {
    const chocolate_transfer *t = &operands->transfer;
    areas[0] = make_area(t->memory, opcode == CHOCOLATE_OP_LOAD, t->at,
                         (long long)t->rows * t->row_bytes);
    return 1;
  }
  if (opcode == CHOCOLATE_OP_RESCALE) {
    const chocolate_rescaling *r = &operands->rescaling;
    const int sums[] = {r->sums, r->sums_block, r->sums_row};
    const int y[] = {r->y, r->y_block, r->y_row};
    areas[0] = make_image(CHOCOLATE_SUMS, 0, sums, r->c, r->oh, r->ow);
    areas[1] = make_image(CHOCOLATE_DATA, 1, y, r->c, r->oh, r->ow);
    return 2;
  }
  if (opcode == CHOCOLATE_OP_ADD) {
    const chocolate_sum *s = &operands->sum;
    const int a[] = {s->a, s->a_block, s->a_row};
    const int b[] = {s->b, s->b_block, s->b_row};
    const int y[] = {s->y, s->y_block, s->y_row};
    areas[0] = make_image(CHOCOLATE_DATA, 0, a, s->c, s->oh, s->ow);
    areas[1] = make_image(CHOCOLATE_DATA, 0, b, s->c, s->oh, s->ow);
    areas[2] = make_image(CHOCOLATE_DATA, 1, y, s->c, s->oh, s->ow);
    return 3;
  }
  if (opcode == CHOCOLATE_OP_POOL)
    return get_pool_areas(&operands->pooling, areas);
  return get_window_areas(opcode, &operands->window, areas);
}

int chocolate_get_host_areas(int opcode, const chocolate_operands *operands,
                             chocolate_area areas[2]) {
  if (opcode == CHOCOLATE_OP_LOAD || opcode == CHOCOLATE_OP_STORE) {
    const chocolate_transfer *t = &operands->transfer;
    areas[0] = make_area(t->segment, opcode == CHOCOLATE_OP_STORE, t->offset,
                         t->row_bytes);
    if (t->rows > 1 && t->stride > 0) {
      areas[0].rows = t->rows;
      areas[0].row = t->stride;
    }
    return 1;
  }
  if (opcode != CHOCOLATE_OP_RESCALE)
    return 0;
  const chocolate_rescaling *r = &operands->rescaling;
  areas[0] = make_area(r->factor_segment, 0, r->factor, 4LL * r->c);
  areas[1] = make_area(r->bias_segment, 0, r->bias, 4LL * r->c);
  return r->has_bias ? 2 : 1;
}

long long chocolate_get_end(const chocolate_area *area) {
  return area->at + (area->blocks - 1) * area->block +
         (area->rows - 1) * area->row + area->bytes;
}

/* Checks if a row of `bytes` bytes at `at` has a byte of a block at `block`. */
static int meets_block(const chocolate_area *a, long long block, long long at,
                       long long bytes) {
  /* The first row of the block that does not end before `at`. */
  const long long before = at - a->bytes - block;
  const long long row = before < 0    ? 0
                        : a->row == 0 ? a->rows
                                      : before / a->row + 1;
  return row < a->rows && block + row * a->row < at + bytes;
}

int chocolate_have_common_byte(const chocolate_area *a,
                               const chocolate_area *b) {
  if (a->place != b->place || a->bytes == 0 || b->bytes == 0 ||
      a->at >= chocolate_get_end(b) || b->at >= chocolate_get_end(a))
    return 0;
  for (long long n = 0; n < a->blocks; ++n)
    for (long long r = 0; r < a->rows; ++r)
      for (long long m = 0; m < b->blocks; ++m)
        if (meets_block(b, b->at + m * b->block,
                        a->at + n * a->block + r * a->row, a->bytes))
          return 1;
  return 0;
}

/*===----------------------------------------------------------------------===*
 * Checks
 *===----------------------------------------------------------------------===*/

/* Checks that the rows of an area do not overlap. */
static int is_disjoint(const chocolate_area *a) {
  const int is_inner = a->blocks > 1 && (a->rows == 1 || a->block < a->row);
  const long long inner_count = is_inner ? a->blocks : a->rows;
  const long long inner = is_inner ? a->block : a->row;
  const long long outer_count = is_inner ? a->rows : a->blocks;
  const long long outer = is_inner ? a->row : a->block;
  return (inner_count == 1 || inner >= a->bytes) &&
         (outer_count == 1 || outer >= (inner_count - 1) * inner + a->bytes);
}

/* Checks that an area is aligned and inside of its memory. */
static int is_area(const chocolate_hardware *hw, const chocolate_area *a) {
  const int alignment = a->place == CHOCOLATE_SUMS ? SUM_BYTES : LANES;
  return a->at >= 0 && a->block >= 0 && a->row >= 0 && a->at % alignment == 0 &&
         a->block % alignment == 0 && a->row % alignment == 0 &&
         is_disjoint(a) && chocolate_get_end(a) <= 1024LL * hw->kib[a->place];
}

static int is_int8(int value) { return value >= -128 && value <= 127; }

/* Checks sizes. Products of larger ones could overflow. */
static int is_size(long long size) { return size >= 1 && size <= MAX_SIZE; }

static int is_image(int channels, int rows, int columns) {
  return is_size(channels) && is_size(rows) && is_size(columns);
}

/* Checks a size or distance that may be 0. */
static int is_extent(int size) { return size >= 0 && size <= MAX_SIZE; }

static int is_kernel(int kh, int kw, int stride) {
  return is_size(kh) && is_size(kw) && is_size((long long)kh * kw) &&
         is_size(stride);
}

static int is_transfer(int opcode, const chocolate_transfer *t) {
  const int least = opcode == CHOCOLATE_OP_STORE ? t->row_bytes : 0;
  return (t->memory == CHOCOLATE_DATA ||
          (t->memory == CHOCOLATE_WEIGHTS && opcode == CHOCOLATE_OP_LOAD)) &&
         t->rows >= 1 && t->rows <= CHOCOLATE_MAX_BYTES && t->row_bytes >= 1 &&
         t->row_bytes <= CHOCOLATE_MAX_BYTES && t->row_bytes % LANES == 0 &&
         (t->rows == 1 || t->stride >= least);
}

static int is_window(int opcode, const chocolate_window *w) {
  return is_size(w->ic) && is_image(w->oc, w->oh, w->ow) && is_extent(w->ih) &&
         is_extent(w->iw) && is_extent(w->top) && is_extent(w->left) &&
         is_kernel(w->kh, w->kw, w->stride) && is_int8(w->x_zero) &&
         (w->accumulate == 0 || w->accumulate == 1) &&
         (opcode == CHOCOLATE_OP_CONV || w->ic == w->oc);
}

static int is_rescaling(const chocolate_rescaling *r) {
  return is_image(r->c, r->oh, r->ow) &&
         (r->has_bias == 0 || r->has_bias == 1) && is_int8(r->y_zero) &&
         is_int8(r->low) && is_int8(r->high) && r->low <= r->high;
}

static int is_scale(float scale) { return scale > 0 && isfinite(scale); }

static int is_sum(const chocolate_sum *s) {
  return is_image(s->c, s->oh, s->ow) && is_scale(s->a_scale) &&
         is_scale(s->b_scale) && is_scale(s->y_scale) &&
         isfinite(s->a_scale / s->y_scale) &&
         isfinite(s->b_scale / s->y_scale) && is_int8(s->a_zero) &&
         is_int8(s->b_zero) && is_int8(s->y_zero);
}

/* Checks that each window has a row or column of x. */
static int meets_input(int size, int out, int stride, int taps, int before) {
  return before < taps && (out - 1LL) * stride - before < size;
}

static int is_pooling(const chocolate_pooling *p) {
  return is_image(p->c, p->ih, p->iw) && is_size(p->oh) && is_size(p->ow) &&
         is_extent(p->top) && is_extent(p->left) &&
         is_kernel(p->kh, p->kw, p->stride) &&
         meets_input(p->ih, p->oh, p->stride, p->kh, p->top) &&
         meets_input(p->iw, p->ow, p->stride, p->kw, p->left);
}

/* Checks the operands of an operation, but not its areas. */
static int has_valid_operands(int opcode, const chocolate_operands *o) {
  if (opcode == CHOCOLATE_OP_LOAD || opcode == CHOCOLATE_OP_STORE)
    return is_transfer(opcode, &o->transfer);
  if (opcode == CHOCOLATE_OP_RESCALE)
    return is_rescaling(&o->rescaling);
  if (opcode == CHOCOLATE_OP_ADD)
    return is_sum(&o->sum);
  if (opcode == CHOCOLATE_OP_POOL)
    return is_pooling(&o->pooling);
  return is_window(opcode, &o->window);
}

/* Checks that the two areas of an addition are the same bytes in the same
 * order. */
static int are_same(const chocolate_area *a, const chocolate_area *b) {
  return a->at == b->at && a->block == b->block && a->row == b->row;
}

int chocolate_are_valid(const chocolate_hardware *hw, int opcode,
                        const chocolate_operands *operands) {
  chocolate_area areas[4];
  if (!has_valid_operands(opcode, operands))
    return 0;
  const int count = chocolate_get_areas(opcode, operands, areas);
  for (int k = 0; k < count; ++k)
    if (!is_area(hw, &areas[k]))
      return 0;
  /* The result of an addition may replace an operand. */
  if (opcode == CHOCOLATE_OP_ADD || opcode == CHOCOLATE_OP_POOL)
    for (int k = 0; k < count - 1; ++k)
      if (chocolate_have_common_byte(&areas[k], &areas[count - 1]) &&
          (opcode == CHOCOLATE_OP_POOL ||
           !are_same(&areas[k], &areas[count - 1])))
        return 0;
  return 1;
}

int chocolate_are_finite(const unsigned char *factor, int count) {
  for (size_t k = 0; k < (size_t)count; ++k) {
    float value;
    memcpy(&value, factor + 4 * k, 4);
    if (!isfinite(value))
      return 0;
  }
  return 1;
}

/*===----------------------------------------------------------------------===*
 * Time
 *===----------------------------------------------------------------------===*/

static long long count_window_cycles(int opcode, const chocolate_window *w) {
  const long long taps = (long long)w->kh * w->kw;
  const long long pixels = (long long)w->oh * w->ow;
  if (opcode == CHOCOLATE_OP_DEPTHWISE)
    return count_blocks(w->oc) * taps * pixels;
  return count_blocks(w->oc) * count_blocks(w->ic) * taps *
         (pixels < LANES ? (long long)LANES : pixels);
}

long long chocolate_count_cycles(const chocolate_hardware *hw, int opcode,
                                 const chocolate_operands *operands) {
  if (opcode == CHOCOLATE_OP_LOAD || opcode == CHOCOLATE_OP_STORE) {
    const chocolate_transfer *t = &operands->transfer;
    return SETUP + t->rows * divide(t->row_bytes, hw->dma_bytes);
  }
  if (opcode == CHOCOLATE_OP_RESCALE) {
    const chocolate_rescaling *r = &operands->rescaling;
    return SETUP + count_blocks(r->c) * (divide(TABLE_BYTES, hw->dma_bytes) +
                                         divide((long long)r->oh * r->ow, 4));
  }
  if (opcode == CHOCOLATE_OP_ADD) {
    const chocolate_sum *s = &operands->sum;
    return SETUP + count_blocks(s->c) * divide((long long)s->oh * s->ow, 4);
  }
  if (opcode == CHOCOLATE_OP_POOL) {
    const chocolate_pooling *p = &operands->pooling;
    return SETUP + count_blocks(p->c) * p->kh * p->kw *
                       divide((long long)p->oh * p->ow, 4);
  }
  return SETUP + count_window_cycles(opcode, &operands->window);
}

long long chocolate_count_macs(int opcode, const chocolate_operands *operands) {
  const chocolate_window *w = &operands->window;
  if (opcode != CHOCOLATE_OP_CONV && opcode != CHOCOLATE_OP_DEPTHWISE)
    return 0;
  return (long long)w->oc * w->kh * w->kw * w->oh * w->ow *
         (opcode == CHOCOLATE_OP_CONV ? w->ic : 1);
}
