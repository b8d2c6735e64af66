/*===- vta_core.c - Instructions of the VTA model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Checks instructions, computes their areas and durations, and computes the
 * results of valid instructions.
 *
 *===----------------------------------------------------------------------===*/

#include "vta_core.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
  MAX_BATCH = 16, /* Images in a group. */
  MAX_BLOCK = 64, /* Channels in a block; a multiple of LANES. */
  LANES = 16,     /* Output channels that the model computes at once. */
  SETUP = 16,     /* Cycles. */
  BUS_BYTES = 8,  /* Per cycle. */
  ALU_CYCLES = 4  /* Per pixel of a group and block. */
};

/* Returns the number of groups or blocks of `size` that hold `count`. */
static int divide(int count, int size) {
  return count / size + (count % size != 0);
}

/*===----------------------------------------------------------------------===*
 * Areas
 *===----------------------------------------------------------------------===*/

int vta_core_get_element_bytes(int memory) { return memory == VTA_ACC ? 4 : 1; }

/* Returns an area that is contiguous. */
static vta_core_area make_area(int memory, int writes, int at,
                               long long bytes) {
  const vta_core_area a = {memory, writes, at, {1, 1, 1}, {0, 0, 0}, bytes};
  return a;
}

/* Sets a dimension of an area. Ignores the distance if the count is 1. */
static void repeat(vta_core_area *a, int dimension, long long count,
                   int distance) {
  a->counts[dimension] = count;
  a->distances[dimension] = count > 1 ? distance : 0;
}

/* Returns the area of ACC or OUT with the results of an instruction. */
static vta_core_area make_result(const vta_core_hardware *hw, int memory,
                                 int writes, int at, const int distances[3],
                                 const int size[4]) {
  const long long element = vta_core_get_element_bytes(memory);
  vta_core_area a =
      make_area(memory, writes, at,
                (long long)size[3] * hw->batch * hw->block_out * element);
  repeat(&a, 0, divide(size[0], hw->batch), distances[0]);
  repeat(&a, 1, divide(size[1], hw->block_out), distances[1]);
  repeat(&a, 2, size[2], distances[2]);
  return a;
}

int vta_core_get_areas(const vta_core_hardware *hw,
                       const vta_core_instruction *i, vta_core_area areas[4]) {
  if (i->kind == VTA_CORE_LOAD || i->kind == VTA_CORE_STORE) {
    const vta_core_transfer *t = &i->as.transfer;
    areas[0] = make_area(t->memory, i->kind == VTA_CORE_LOAD, t->at,
                         (long long)t->rows * t->row_bytes);
    return 1;
  }
  if (i->kind == VTA_CORE_GEMM) {
    const vta_gemm_instruction *g = &i->as.gemm;
    const int distances[] = {g->acc_image, g->acc_block, g->acc_row};
    const int size[] = {g->n, g->oc, g->oh, g->ow};
    const long long columns = (g->ow - 1LL) * g->stride + g->kw;
    areas[0] =
        make_area(VTA_INP, 0, g->inp, columns * hw->batch * hw->block_in);
    repeat(&areas[0], 0, divide(g->n, hw->batch), g->inp_image);
    repeat(&areas[0], 1, divide(g->ic, hw->block_in), g->inp_block);
    repeat(&areas[0], 2, (g->oh - 1LL) * g->stride + g->kh, g->inp_row);
    areas[1] = make_area(VTA_WGT, 0, g->wgt,
                         (long long)divide(g->ic, hw->block_in) * g->kh *
                             g->kw * hw->block_in * hw->block_out);
    repeat(&areas[1], 1, divide(g->oc, hw->block_out), g->wgt_block);
    areas[2] = make_result(hw, VTA_ACC, 1, g->acc, distances, size);
    areas[3] = areas[2];
    areas[3].writes = 0;
    return g->reset ? 3 : 4;
  }
  const vta_alu_instruction *a = &i->as.alu;
  const int acc_distances[] = {a->acc_image, a->acc_block, a->acc_row};
  const int out_distances[] = {a->out_image, a->out_block, a->out_row};
  const int size[] = {a->n, a->oc, a->oh, a->ow};
  areas[0] = make_result(hw, VTA_ACC, 0, a->acc, acc_distances, size);
  areas[1] = make_result(hw, VTA_OUT, 1, a->out, out_distances, size);
  areas[2] = make_area(VTA_ACC, 0, a->bias,
                       4LL * divide(a->oc, hw->block_out) * hw->block_out);
  return a->bias == -1 ? 2 : 3;
}

long long vta_core_count_cycles(const vta_core_instruction *i,
                                const vta_core_area *areas) {
  if (i->kind == VTA_CORE_LOAD || i->kind == VTA_CORE_STORE)
    return SETUP + (long long)i->as.transfer.rows *
                       divide(i->as.transfer.row_bytes, BUS_BYTES);
  const int is_gemm = i->kind == VTA_CORE_GEMM;
  const long long *counts = areas[is_gemm ? 2 : 0].counts;
  const long long pixels = counts[0] * counts[1] * counts[2] *
                           (is_gemm ? i->as.gemm.ow : i->as.alu.ow);
  if (!is_gemm)
    return SETUP + ALU_CYCLES * pixels;
  return SETUP + pixels * areas[0].counts[1] * i->as.gemm.kh * i->as.gemm.kw;
}

/*===----------------------------------------------------------------------===*
 * Checks
 *===----------------------------------------------------------------------===*/

int vta_core_has_valid_shape(const vta_core_hardware *hw) {
  return hw->batch >= 1 && hw->batch <= MAX_BATCH && hw->block_in >= 1 &&
         hw->block_in <= MAX_BLOCK && hw->block_out >= 1 &&
         hw->block_out <= MAX_BLOCK;
}

/* Checks that the parts of an area do not overlap. */
static int is_disjoint(const vta_core_area *a) {
  int used[3] = {0, 0, 0};
  long long extent = a->bytes;
  for (int step = 0; step < 3; ++step) {
    int least = -1;
    for (int d = 0; d < 3; ++d)
      if (!used[d] && (least < 0 || a->distances[d] < a->distances[least]))
        least = d;
    used[least] = 1;
    if (a->counts[least] > 1 && a->distances[least] < extent)
      return 0;
    extent += (a->counts[least] - 1) * a->distances[least];
  }
  return 1;
}

/* Checks that an area is aligned and inside of its memory. Products of its
 * numbers must fit in 60 bits. */
static int is_area(const vta_core_hardware *hw, const vta_core_area *a) {
  const int element = vta_core_get_element_bytes(a->memory);
  long long end = a->at + a->bytes;
  if (a->at < 0 || a->at % element != 0 || a->bytes % element != 0)
    return 0;
  for (int d = 0; d < 3; ++d) {
    if (a->distances[d] < 0 || a->distances[d] % element != 0)
      return 0;
    end += (a->counts[d] - 1) * a->distances[d];
  }
  return end <= hw->sizes[a->memory] && (!a->writes || is_disjoint(a));
}

static int is_int8(int value) { return value >= -128 && value <= 127; }

/* Checks a size of a tensor. Larger ones do not fit in a memory, and their
 * products could overflow. */
static int is_size(long long size) {
  return size >= 1 && size <= VTA_CORE_MAX_BYTES;
}

static int is_transfer(const vta_core_transfer *t, int is_load) {
  if (t->rows < 1 || t->row_bytes < 1 ||
      t->row_bytes % vta_core_get_element_bytes(t->memory) != 0)
    return 0;
  if (is_load)
    return t->from != NULL && (t->rows == 1 || t->stride >= 0);
  return t->to != NULL && (t->rows == 1 || t->stride >= t->row_bytes);
}

static int is_gemm(const vta_gemm_instruction *g) {
  return is_size(g->n) && is_size(g->ic) && is_size(g->oc) && is_size(g->oh) &&
         is_size(g->ow) && is_size(g->kh) && is_size(g->kw) &&
         is_size(g->stride) && is_size((long long)g->kh * g->kw) &&
         is_size((g->oh - 1LL) * g->stride + g->kh) &&
         is_size((g->ow - 1LL) * g->stride + g->kw) && is_int8(g->x_zero) &&
         (g->reset == 0 || g->reset == 1);
}

static int is_alu(const vta_alu_instruction *a) {
  return a->factor != NULL && a->bias >= -1 && is_size(a->n) &&
         is_size(a->oc) && is_size(a->oh) && is_size(a->ow) &&
         is_int8(a->y_zero) && is_int8(a->low) && is_int8(a->high) &&
         a->low <= a->high;
}

/* Checks the operands of an instruction, but not its areas. */
static int has_valid_operands(const vta_core_instruction *i) {
  if (i->kind == VTA_CORE_GEMM)
    return is_gemm(&i->as.gemm);
  if (i->kind == VTA_CORE_ALU)
    return is_alu(&i->as.alu);
  return is_transfer(&i->as.transfer, i->kind == VTA_CORE_LOAD);
}

int vta_core_is_valid(const vta_core_hardware *hw,
                      const vta_core_instruction *i) {
  vta_core_area areas[4];
  if (!has_valid_operands(i))
    return 0;
  for (int k = vta_core_get_areas(hw, i, areas) - 1; k >= 0; --k)
    if (!is_area(hw, &areas[k]))
      return 0;
  return 1;
}

/*===----------------------------------------------------------------------===*
 * GEMM
 *===----------------------------------------------------------------------===*/

/* The weights of one kernel position, transposed. Missing lanes are 0. */
typedef struct {
  int16_t w[MAX_BLOCK][MAX_BLOCK]; /* [block_in][block_out] */
} weights;

static void transpose(const vta_core_hardware *hw, const int8_t *from,
                      weights *to) {
  for (int o = 0; o < hw->block_out; ++o)
    for (int c = 0; c < hw->block_in; ++c)
      to->w[c][o] = *from++;
}

/* Multiplies one pixel of one image by the weights. The differences and
 * products fit in 16 bits, so compilers use 16-bit multiplications. */
static void multiply_pixel(const vta_core_hardware *hw, uint32_t *to,
                           const int8_t *x, const weights *w, int zero) {
  for (int first = 0; first < hw->block_out; first += LANES) {
    uint32_t result[LANES] = {0};
    for (int c = 0; c < hw->block_in; ++c) {
      const int16_t value = (int16_t)(x[c] - zero);
      const int16_t *row = w->w[c] + first;
      for (int o = 0; o < LANES; ++o)
        result[o] += (uint32_t)(value * row[o]);
    }
    const int count = hw->block_out - first;
    for (int o = 0; o < LANES; ++o)
      if (o < count)
        to[first + o] += result[o];
  }
}

/* Adds the products of one kernel position and block of input channels to all
 * pixels of a group. `x` is the input pixel of the first output pixel. */
static void stream(const vta_core_hardware *hw, const vta_gemm_instruction *g,
                   const int8_t *x, const weights *w, uint32_t *to) {
  const ptrdiff_t step = (ptrdiff_t)g->stride * hw->batch * hw->block_in;
  for (int i = 0; i < g->oh; ++i) {
    const int8_t *x_row = x + (ptrdiff_t)i * g->stride * g->inp_row;
    uint32_t *to_row = to + (ptrdiff_t)i * g->acc_row / 4;
    for (int j = 0; j < g->ow; ++j)
      for (int image = 0; image < hw->batch; ++image)
        multiply_pixel(
            hw, to_row + ((ptrdiff_t)j * hw->batch + image) * hw->block_out,
            x_row + j * step + (ptrdiff_t)image * hw->block_in, w, g->x_zero);
  }
}

/* Sets the sums of one group and block to 0. */
static void clear(const vta_core_hardware *hw, const vta_gemm_instruction *g,
                  uint32_t *to) {
  const size_t row = (size_t)g->ow * (size_t)hw->batch * (size_t)hw->block_out;
  for (int i = 0; i < g->oh; ++i)
    memset(to + (ptrdiff_t)i * g->acc_row / 4, 0, row * sizeof(*to));
}

void vta_core_gemm(const vta_core_hardware *hw, const vta_gemm_instruction *g,
                   const int8_t *inp, const int8_t *wgt, uint32_t *acc) {
  const int groups = divide(g->n, hw->batch);
  const int inputs = divide(g->ic, hw->block_in);
  const int outputs = divide(g->oc, hw->block_out);
  const int taps = g->kh * g->kw;
  const ptrdiff_t pixel = (ptrdiff_t)hw->batch * hw->block_in;
  weights w = {{{0}}};
  for (int o = 0; o < outputs; ++o) {
    const int8_t *from = wgt + g->wgt + (ptrdiff_t)o * g->wgt_block;
    uint32_t *to = acc + (g->acc + (ptrdiff_t)o * g->acc_block) / 4;
    for (int n = 0; n < groups && g->reset; ++n)
      clear(hw, g, to + (ptrdiff_t)n * g->acc_image / 4);
    for (int k = 0; k < inputs * taps; ++k) {
      const int8_t *x = inp + g->inp + (ptrdiff_t)(k / taps) * g->inp_block +
                        (ptrdiff_t)(k % taps / g->kw) * g->inp_row +
                        k % taps % g->kw * pixel;
      transpose(hw, from, &w);
      from += hw->block_out * hw->block_in;
      for (int n = 0; n < groups; ++n)
        stream(hw, g, x + (ptrdiff_t)n * g->inp_image, &w,
               to + (ptrdiff_t)n * g->acc_image / 4);
    }
  }
}

/*===----------------------------------------------------------------------===*
 * ALU
 *===----------------------------------------------------------------------===*/

/* Rescales a sum. Bounds without the zero point come first, so that the
 * conversion to int cannot overflow. */
static int8_t requantize(int32_t sum, float factor, int zero, int low,
                         int high) {
  float steps = nearbyintf((float)sum * factor);
  if (steps < (float)(low - zero))
    steps = (float)(low - zero);
  if (steps > (float)(high - zero))
    steps = (float)(high - zero);
  return (int8_t)((int)steps + zero);
}

/* Rescales one row of a block, whose first channel is `channel` and whose group
 * has `images` images. */
static void rescale_row(const vta_core_hardware *hw,
                        const vta_alu_instruction *a, int images, int channel,
                        const uint32_t *bias, const uint32_t *from,
                        int8_t *to) {
  for (int p = 0; p < a->ow * hw->batch; ++p)
    for (int lane = 0; lane < hw->block_out; ++lane) {
      const int c = channel + lane;
      const uint32_t sum = *from++ + (bias ? bias[c] : 0);
      const int exists = c < a->oc && p % hw->batch < images;
      *to++ = exists ? requantize((int32_t)sum, a->factor[c], a->y_zero, a->low,
                                  a->high)
                     : (int8_t)a->y_zero;
    }
}

void vta_core_alu(const vta_core_hardware *hw, const vta_alu_instruction *a,
                  const uint32_t *acc, int8_t *out) {
  const uint32_t *bias = a->bias < 0 ? NULL : acc + a->bias / 4;
  const int blocks = divide(a->oc, hw->block_out);
  for (int n = 0; n < divide(a->n, hw->batch); ++n)
    for (int b = 0; b < blocks; ++b)
      for (int i = 0; i < a->oh; ++i)
        rescale_row(
            hw, a, a->n - n * hw->batch, b * hw->block_out, bias,
            acc + (a->acc + (ptrdiff_t)n * a->acc_image +
                   (ptrdiff_t)b * a->acc_block + (ptrdiff_t)i * a->acc_row) /
                      4,
            out + (a->out + (ptrdiff_t)n * a->out_image +
                   (ptrdiff_t)b * a->out_block + (ptrdiff_t)i * a->out_row));
}
