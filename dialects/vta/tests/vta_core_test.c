/*===- vta_core_test.c - Tests of the VTA model's arithmetic -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares results of the model with plain loops. Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#include "../runtime/vta.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition) check((condition), #condition, __LINE__)
#define PASS(call) CHECK((call) == VTA_OK)
#define FINISH(status) CHECK(vta_finish() == (status))

static void check(int holds, const char *condition, int line) {
  if (holds)
    return;
  printf("vta_core_test.c:%d: failed: %s\n", line, condition);
  ++failures;
}

/* Returns a random number from `low` to `high`. */
static int pick(int low, int high) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return low + (int)((state >> 8) % (uint32_t)(high - low + 1));
}

static int8_t pick_int8(void) { return (int8_t)pick(-128, 127); }

/* Writes a token and the instruction that waits for it. */
static void order(int from, int to) {
  PASS(vta_push(from, to));
  PASS(vta_pop(from, to));
}

/*===----------------------------------------------------------------------===*
 * Convolutions
 *===----------------------------------------------------------------------===*/

/* A convolution. The addresses and distances of the gemm are set later. */
typedef struct {
  int batch, block_in, block_out;
  vta_gemm_instruction gemm;
  int gap;  /* Unused elements after each row, block and group. */
  int nest; /* What is innermost: 0: rows; 1: blocks; 2: groups, then blocks. */
  int cut;  /* 1: the input channels are two gemms; 2: the columns are. */
} convolution;

enum { NONE, CHANNELS, COLUMNS, MAX_OC = 128, MAX_SIDE = 16 };

/* Tensors with whole groups and blocks. */
static int8_t image[1 << 16];                           /* [n][ic][ih][iw] */
static int8_t kernel[1 << 18];                          /* [oc][ic][kh][kw] */
static int32_t sums[6][MAX_OC][MAX_SIDE][MAX_SIDE + 1]; /* [n][oc][oh][ow] */
static int32_t bias[MAX_OC];
static float factor[MAX_OC];

/* Main memory. Operands of instructions are kept until vta_finish. */
static int8_t host[1 << 21];
static int host_used;

static int8_t *allocate(int bytes) {
  int8_t *result = host + host_used;
  host_used += (bytes + 3) / 4 * 4;
  CHECK(host_used <= (int)sizeof(host));
  return result;
}

static int round_up(int count, int size) {
  return (count + size - 1) / size * size;
}

/* Computes the distances of a tensor. */
static void place(const convolution *c, int groups, int blocks, int rows,
                  int row_bytes, int gap, int distances[3]) {
  const int counts[3] = {groups, blocks, rows};
  static const int nests[3][3] = {{2, 1, 0}, {1, 2, 0}, {0, 1, 2}};
  int extent = row_bytes + gap;
  for (int k = 0; k < 3; ++k) {
    const int d = nests[c->nest][k];
    distances[d] = extent;
    extent = extent * counts[d] + gap;
  }
}

/* Returns the size of the input along one axis. */
static int get_input_size(const vta_gemm_instruction *g, int out, int taps) {
  return (out - 1) * g->stride + taps;
}

/* Computes sum += (x - x_zero) * w, wrapped to 32 bits. */
static void compute_sums(const convolution *c) {
  const vta_gemm_instruction *g = &c->gemm;
  const int ih = get_input_size(g, g->oh, g->kh);
  const int iw = get_input_size(g, g->ow, g->kw);
  const int ic = round_up(g->ic, c->block_in);
  for (int n = 0; n < round_up(g->n, c->batch); ++n)
    for (int o = 0; o < round_up(g->oc, c->block_out); ++o)
      for (int p = 0; p < g->oh * g->ow; ++p) {
        const int i = p / g->ow * g->stride, j = p % g->ow * g->stride;
        long long sum = 0;
        for (int k = 0; k < ic * g->kh * g->kw; ++k) {
          const int y = k / g->kw % g->kh, x = k % g->kw;
          const int channel = n * ic + k / g->kw / g->kh;
          sum += (image[(channel * ih + i + y) * iw + j + x] - g->x_zero) *
                 kernel[o * ic * g->kh * g->kw + k];
        }
        sums[n][o][p / g->ow][p % g->ow] = (int32_t)sum;
      }
}

/* Loads the image, one instruction per row. */
static void load_image(const convolution *c) {
  const vta_gemm_instruction *g = &c->gemm;
  const int ih = get_input_size(g, g->oh, g->kh);
  const int iw = get_input_size(g, g->ow, g->kw);
  const int ic = round_up(g->ic, c->block_in);
  const int bytes = iw * c->batch * c->block_in;
  for (int n = 0; n < g->n; n += c->batch)
    for (int b = 0; b < ic; b += c->block_in)
      for (int i = 0; i < ih; ++i) {
        int8_t *row = allocate(bytes);
        for (int k = 0; k < bytes; ++k) {
          const int channel = b + k % c->block_in;
          const int m = n + k / c->block_in % c->batch;
          row[k] = image[((m * ic + channel) * ih + i) * iw +
                         k / c->block_in / c->batch];
        }
        PASS(vta_load(VTA_INP,
                      g->inp + n / c->batch * g->inp_image +
                          b / c->block_in * g->inp_block + i * g->inp_row,
                      row, 1, bytes, 0));
      }
}

/* Loads the weights, one row per block of output channels. */
static void load_kernel(const convolution *c) {
  const vta_gemm_instruction *g = &c->gemm;
  const int ic = round_up(g->ic, c->block_in), taps = g->kh * g->kw;
  const int oc = round_up(g->oc, c->block_out);
  const int bytes = g->wgt_block * (oc / c->block_out);
  int8_t *w = allocate(bytes);
  memset(w, 0, (size_t)bytes);
  for (int o = 0; o < oc; ++o)
    for (int d = 0; d < ic; ++d)
      for (int p = 0; p < taps; ++p)
        w[o / c->block_out * g->wgt_block +
          ((d / c->block_in * taps + p) * c->block_out + o % c->block_out) *
              c->block_in +
          d % c->block_in] = kernel[(o * ic + d) * taps + p];
  PASS(vta_load(VTA_WGT, g->wgt, w, oc / c->block_out, g->wgt_block,
                g->wgt_block));
}

/* Loads the negative sums, so that the final sums are 0. */
static void load_sums(const convolution *c) {
  const vta_gemm_instruction *g = &c->gemm;
  const int pixel = c->batch * c->block_out;
  for (int n = 0; n < g->n; n += c->batch)
    for (int b = 0; b < g->oc; b += c->block_out)
      for (int i = 0; i < g->oh; ++i) {
        int8_t *row = allocate(4 * g->ow * pixel);
        for (int k = 0; k < g->ow * pixel; ++k) {
          const uint32_t value =
              0u - (uint32_t)sums[n + k % pixel / c->block_out]
                                 [b + k % c->block_out][i][k / pixel];
          memcpy(row + (size_t)k * 4, &value, 4);
        }
        PASS(vta_load(VTA_ACC,
                      g->acc + n / c->batch * g->acc_image +
                          b / c->block_out * g->acc_block + i * g->acc_row,
                      row, 1, 4 * g->ow * pixel, 0));
      }
}

/* Writes the gemm in one or two parts. */
static void write_gemm(const convolution *c, int reset) {
  vta_gemm_instruction first = c->gemm, second;
  first.reset = reset;
  second = first;
  if (c->cut == CHANNELS) {
    first.ic = c->block_in;
    second.ic -= c->block_in;
    second.inp += first.inp_block;
    second.wgt += first.kh * first.kw * c->block_in * c->block_out;
    second.reset = 0;
  } else if (c->cut == COLUMNS) {
    first.ow = 2;
    second.ow -= 2;
    second.inp += 2 * first.stride * c->batch * c->block_in;
    second.acc += 2 * 4 * c->batch * c->block_out;
  }
  PASS(vta_gemm(&first));
  if (c->cut != NONE)
    PASS(vta_gemm(&second));
}

/* Returns the expected y of a sum. */
static int rescale(const vta_alu_instruction *a, int32_t sum, int image,
                   int channel) {
  const int32_t biased = (int32_t)((uint32_t)sum + (uint32_t)bias[channel]);
  double value = rintf((float)biased * a->factor[channel]) + (float)a->y_zero;
  value = value < a->low ? a->low : value > a->high ? a->high : value;
  return image < a->n && channel < a->oc ? (int)value : a->y_zero;
}

/* Rescales the sums, stores them one row at a time, and compares them. If
 * `are_zero`, the sums in memory are 0. */
static void check_results(const convolution *c, int are_zero) {
  const vta_gemm_instruction *g = &c->gemm;
  const int pixel = c->batch * c->block_out;
  const int blocks = round_up(g->oc, c->block_out) / c->block_out;
  const int rows = round_up(g->n, c->batch) / c->batch * blocks * g->oh;
  int8_t *y = allocate(rows * g->ow * pixel);
  int distances[3], wrong = 0;
  vta_alu_instruction a = {
      g->acc, g->acc_image, g->acc_block, g->acc_row, 0,     c->gap, 0,   0,
      0,      g->n,         g->oc,        g->oh,      g->ow, factor, -17, -100,
      90};
  place(c, (g->n + c->batch - 1) / c->batch, blocks, g->oh, g->ow * pixel,
        c->gap, distances);
  a.out_image = distances[0], a.out_block = distances[1];
  a.out_row = distances[2];
  if (are_zero)
    a.bias = -1, a.y_zero = 0;
  PASS(vta_alu(&a));
  order(VTA_COMPUTE, VTA_STORE);
  for (int k = 0; k < rows; ++k)
    PASS(vta_store(y + k * g->ow * pixel,
                   a.out + k / g->oh / blocks * a.out_image +
                       k / g->oh % blocks * a.out_block + k % g->oh * a.out_row,
                   1, g->ow * pixel, 0));
  FINISH(VTA_OK);
  for (int k = 0; k < rows * g->ow * pixel; ++k) {
    const int row = k / pixel / g->ow, lane = k % pixel;
    const int n = row / g->oh / blocks * c->batch + lane / c->block_out;
    const int o = row / g->oh % blocks * c->block_out + lane % c->block_out;
    const int32_t sum = sums[n][o][row % g->oh][k / pixel % g->ow];
    wrong += y[k] != (are_zero ? 0 : rescale(&a, sum, n, o));
  }
  CHECK(wrong == 0);
}

/* Runs one convolution with random values: once from 0, and once added to the
 * negative sums. */
static void test_convolution(const convolution *model) {
  convolution c = *model;
  vta_gemm_instruction *g = &c.gemm;
  const int ic = round_up(g->ic, c.block_in), oc = round_up(g->oc, c.block_out);
  const int groups = round_up(g->n, c.batch) / c.batch, taps = g->kh * g->kw;
  const int ih = get_input_size(g, g->oh, g->kh);
  const int iw = get_input_size(g, g->ow, g->kw);
  int d[3];
  vta_statistics s;
  PASS(vta_init(c.batch, c.block_in, c.block_out, 1024, 1024, 1024, 1024));
  host_used = 0;
  for (int k = 0; k < groups * c.batch * ic * ih * iw; ++k)
    image[k] = pick_int8();
  for (int k = 0; k < oc * ic * taps; ++k)
    kernel[k] = k / taps % ic < g->ic ? pick_int8() : (int8_t)0;
  for (int o = 0; o < oc; ++o) {
    bias[o] = o == 0 ? INT_MAX : pick(-10000, 10000);
    factor[o] = o == 1 ? 0.5f : (float)pick(1, 1000) / 300000.0f;
  }
  place(&c, groups, ic / c.block_in, ih, iw * c.batch * c.block_in, c.gap, d);
  g->inp = c.gap, g->inp_image = d[0], g->inp_block = d[1], g->inp_row = d[2];
  place(&c, groups, oc / c.block_out, g->oh, g->ow * c.batch * c.block_out * 4,
        c.gap * 4, d);
  g->acc = 1024, g->acc_image = d[0], g->acc_block = d[1], g->acc_row = d[2];
  g->wgt = c.gap, g->wgt_block = ic * taps * c.block_out + c.gap;
  compute_sums(&c);
  load_image(&c);
  load_kernel(&c);
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(vta_load(VTA_ACC, 0, bias, 1, oc * 4, 0));
  write_gemm(&c, 1);
  check_results(&c, 0);
  load_sums(&c);
  write_gemm(&c, 0);
  for (int o = 0; o < oc; ++o)
    factor[o] = 1;
  check_results(&c, 1);
  vta_get_statistics(&s);
  CHECK(s.macs == 2LL * g->n * g->ic * g->oc * taps * g->oh * g->ow);
}

#define GEMM(...) {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, __VA_ARGS__, 0}

static void test_convolutions(void) {
  static const convolution cases[] = {
      /* n, ic, oc, oh, ow, kh, kw, stride, x_zero */
      {1, 16, 16, GEMM(1, 16, 16, 8, 8, 1, 1, 1, 0), 0, 0, NONE},
      {1, 16, 16, GEMM(1, 40, 40, 5, 6, 3, 3, 1, 5), 3, 0, NONE},
      {1, 16, 16, GEMM(1, 40, 40, 5, 6, 3, 3, 1, 5), 3, 1, CHANNELS},
      {1, 16, 16, GEMM(3, 3, 24, 6, 6, 3, 3, 2, -128), 1, 2, COLUMNS},
      {2, 16, 16, GEMM(2, 32, 32, 4, 4, 3, 3, 1, 127), 0, 0, CHANNELS},
      {2, 16, 16, GEMM(3, 20, 36, 4, 5, 3, 2, 2, -3), 7, 1, COLUMNS},
      {2, 8, 8, GEMM(3, 20, 20, 3, 4, 5, 5, 1, 9), 5, 2, NONE},
      {1, 8, 32, GEMM(1, 64, 64, 1, 1, 1, 1, 1, 11), 0, 0, NONE},
      {1, 32, 8, GEMM(2, 40, 17, 7, 3, 1, 3, 3, 7), 2, 0, COLUMNS},
      {2, 32, 32, GEMM(1, 33, 40, 3, 3, 1, 1, 4, -9), 9, 1, CHANNELS},
      {3, 5, 7, GEMM(4, 11, 15, 3, 4, 2, 2, 1, 1), 1, 0, CHANNELS},
      {1, 1, 1, GEMM(1, 3, 2, 4, 4, 3, 3, 1, -5), 0, 1, NONE},
      {4, 64, 64, GEMM(4, 64, 128, 2, 3, 1, 1, 1, 2), 0, 2, NONE}};
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
    test_convolution(&cases[k]);
}

/*===----------------------------------------------------------------------===*
 * Transfers and rescaling
 *===----------------------------------------------------------------------===*/

/* Writes sums without a gemm, rescales them, and stores a window with gaps. */
static void test_transfers(void) {
  static int32_t from[5][12];
  int8_t y[5][10];
  float factors[8];
  const int32_t extremes[] = {INT_MIN, INT_MAX, -1, 1, 3, 5, -3, 0};
  int wrong = 0;
  /* 1 x 4 pixels of 8 channels in one block. */
  vta_alu_instruction a = {16, 0, 0, 0, -1,      3, 0,    0,  0,
                           1,  8, 1, 4, factors, 0, -128, 127};
  for (int k = 0; k < 5 * 12; ++k)
    from[k / 12][k % 12] = pick(-200, 200);
  for (int k = 0; k < 8; ++k) {
    from[0][k] = extremes[k];
    factors[k] = 0.5f;
  }
  memset(y, 77, sizeof(y));
  PASS(vta_init(1, 16, 8, 1, 1, 1, 1));
  /* Reads 8 of 12 sums per row. */
  PASS(vta_load(VTA_ACC, 16, from, 4, 32, 48));
  PASS(vta_alu(&a));
  /* The factors and operands have been copied. */
  memset(factors, 0, sizeof(factors));
  memset(&a, 0, sizeof(a));
  order(VTA_COMPUTE, VTA_STORE);
  PASS(vta_store(y, 3, 4, 8, 10));
  FINISH(VTA_OK);
  for (int k = 0; k < 32; ++k) {
    const double value = rint((double)from[k / 8][k % 8] * 0.5);
    wrong += y[k / 8][k % 8] != (int)(value < -128  ? -128
                                      : value > 127 ? 127
                                                    : value);
  }
  CHECK(wrong == 0);
  /* Halves are rounded to even: -0.5, 0.5, 1.5, 2.5, -1.5. */
  CHECK(y[0][2] == 0 && y[0][3] == 0 && y[0][4] == 2 && y[0][5] == 2);
  CHECK(y[0][6] == -2 && y[0][0] == -128 && y[0][1] == 127);
  for (int row = 0; row < 4; ++row)
    CHECK(y[row][8] == 77 && y[row][9] == 77);
  CHECK(y[4][0] == 77);
}

/* A load with distance 0 repeats one row. A gemm adds two images that overlap
 * in memory: the second begins one pixel later. */
static void test_overlapping_input(void) {
  static const int8_t x[4] = {1, 2, 3, 4}, ones[16] = {1, 1, 1, 1, 1, 1, 1, 1,
                                                       1, 1, 1, 1, 1, 1, 1, 1};
  static const float one[4] = {1, 1, 1, 1};
  static const int8_t expected[16] = {10, 10, 10, 10, 10, 10, 10, 10,
                                      10, 10, 10, 10, 10, 10, 10, 10};
  int8_t y[16];
  vta_gemm_instruction g = {0, 0, 0, 4, 0, 0, 0, 32, 0, 0,
                            2, 4, 4, 1, 2, 1, 1, 1,  0, 1};
  vta_alu_instruction a = {0, 32, 0, 0, -1,  0, 8,    0,  0,
                           2, 4,  1, 2, one, 0, -128, 127};
  PASS(vta_init(1, 4, 4, 1, 1, 1, 1));
  PASS(vta_load(VTA_INP, 0, x, 3, 4, 0));
  PASS(vta_load(VTA_WGT, 0, ones, 1, 16, 0));
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(vta_gemm(&g));
  PASS(vta_alu(&a));
  order(VTA_COMPUTE, VTA_STORE);
  PASS(vta_store(y, 0, 1, 16, 0));
  FINISH(VTA_OK);
  CHECK(memcmp(y, expected, 16) == 0);
}

/* Reads 2 x 2 pixels that are 5 apart from a window of 6 x 6: the pixels in
 * between are read, the rest of the rows is not. */
static void test_window(void) {
  static const int8_t zeros[256] = {0};
  vta_gemm_instruction g = {0, 0,  0,  0, 0, 128, 0, 0, 0, 128,
                            1, 16, 16, 2, 2, 1,   1, 5, 0, 1};
  for (int missing = 0; missing < 2; ++missing) {
    PASS(vta_init(1, 16, 16, 2, 1, 8, 2));
    PASS(vta_load(VTA_WGT, 0, zeros, 1, 256, 0));
    for (int row = 0; row < 6; ++row)
      PASS(vta_load(VTA_INP, row * 128, zeros, 1, row == 3 && missing ? 95 : 96,
                    0));
    order(VTA_LOAD, VTA_COMPUTE);
    PASS(vta_gemm(&g));
    FINISH(missing ? VTA_UNDEFINED : VTA_OK);
  }
}

/* Rescales the same sums with two tables of factors. */
static void test_factors(void) {
  static const int32_t from[2] = {10, 20};
  float factors[2] = {1, 2};
  int8_t y[4];
  vta_alu_instruction a = {0, 0, 0, 0, -1,      0, 0,    0,  0,
                           1, 2, 1, 1, factors, 5, -128, 127};
  PASS(vta_init(1, 1, 2, 1, 1, 1, 1));
  PASS(vta_load(VTA_ACC, 0, from, 1, 8, 0));
  PASS(vta_alu(&a));
  factors[0] = 3, factors[1] = -1, a.out = 2;
  PASS(vta_alu(&a));
  order(VTA_COMPUTE, VTA_STORE);
  PASS(vta_store(y, 0, 1, 4, 0));
  FINISH(VTA_OK);
  CHECK(y[0] == 15 && y[1] == 45 && y[2] == 35 && y[3] == -15);
}

/* Uses the end of a memory, distances that are ignored, and sizes with products
 * of more than 64 bits. */
static void test_limits(void) {
  static const int8_t zeros[16] = {0};
  const int large = 1 << 20;
  vta_gemm_instruction g = {0, 0, 0, -1, INT_MIN, INT_MAX, -1, 1, 2, 3,
                            1, 4, 4, 1,  1,       1,       1,  1, 0, 1};
  g.acc = large - 16;
  PASS(vta_init(1, 4, 4, 1024, 1024, 1024, 1024));
  PASS(vta_load(VTA_INP, 0, zeros, 1, 4, 0));
  PASS(vta_load(VTA_WGT, 0, zeros, 1, 16, 0));
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(vta_gemm(&g));
  g.acc += 4;
  CHECK(vta_gemm(&g) == VTA_BAD_INSTRUCTION);
  FINISH(VTA_OK);
  PASS(vta_init(1, 1, 32, 1024, 1024, 1024, 1024));
  g.acc = 0, g.inp_row = INT_MAX, g.kh = g.kw = g.ic = large;
  CHECK(vta_gemm(&g) == VTA_BAD_INSTRUCTION);
  g.kh = g.kw = g.ic = 1, g.stride = large, g.oh = 8192, g.acc_row = 128;
  CHECK(vta_gemm(&g) == VTA_BAD_INSTRUCTION);
  g.oh = 1, g.ow = large;
  CHECK(vta_gemm(&g) == VTA_BAD_INSTRUCTION);
}

/* Sums wrap around in both directions. */
static void test_wrapping(void) {
  static const int32_t start[2] = {INT_MAX, INT_MIN};
  static const int8_t x = 1, w[2] = {1, -1};
  static const float tiny[2] = {1.0f / (1 << 25), 1.0f / (1 << 25)};
  int8_t y[2];
  vta_gemm_instruction g = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                            1, 1, 2, 1, 1, 1, 1, 1, 0, 0};
  vta_alu_instruction a = {0, 0, 0, 0, -1,   0, 0,    0,  0,
                           1, 2, 1, 1, tiny, 0, -128, 127};
  PASS(vta_init(1, 1, 2, 1, 1, 1, 1));
  PASS(vta_load(VTA_INP, 0, &x, 1, 1, 0));
  PASS(vta_load(VTA_WGT, 0, w, 1, 2, 0));
  PASS(vta_load(VTA_ACC, 0, start, 1, 8, 0));
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(vta_gemm(&g));
  PASS(vta_alu(&a));
  order(VTA_COMPUTE, VTA_STORE);
  PASS(vta_store(y, 0, 1, 2, 0));
  FINISH(VTA_OK);
  CHECK(y[0] == -64 && y[1] == 64);
}

int main(void) {
  test_convolutions();
  test_transfers();
  test_overlapping_input();
  test_window();
  test_factors();
  test_limits();
  test_wrapping();
  return failures != 0;
}
