/*===- chocolate_engines_test.c - Tests of Chocolate's results -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares results of the model with plain loops. Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_testing.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int8_t pick_int8(void) { return (int8_t)pick(-128, 127); }

/* Executes all commands. */
static void run(void) { PASS(finish()); }

static int count_blocks(int channels) { return (channels + 15) / 16; }

/*===----------------------------------------------------------------------===*
 * Tensors
 *===----------------------------------------------------------------------===*/

enum { MAX_CHANNELS = 64, MAX_SIDE = 20 };

/* An image in DATA, or sums. All blocks are whole. */
typedef struct {
  int at, block, row;
  int c, h, w;
  int element; /* Bytes: 1 or 4. */
} place;

/* Values of an image. */
typedef struct {
  int8_t at[MAX_CHANNELS][MAX_SIDE][MAX_SIDE]; /* [c][h][w] */
} values;

/* Main memory. */
static int8_t host[1 << 20];
static int host_used;

static int8_t *allocate(int bytes) {
  int8_t *result = host + host_used;
  host_used += (bytes + 3) / 4 * 4;
  CHECK(host_used <= (int)sizeof(host));
  return result;
}

/* Places an image after `begin`, with `gap` unused pixels after each row. If
 * `nest`, blocks are outside of rows. Returns the end. */
static int put(place *p, int begin, int c, int h, int w, int element, int gap,
               int nest) {
  const int pixel = 16 * element, row = (w + gap) * pixel;
  const place result = {begin,
                        nest ? h * row + gap * pixel : row,
                        nest ? row : count_blocks(c) * row,
                        c,
                        h,
                        w,
                        element};
  *p = result;
  return begin + count_blocks(c) * h * row + count_blocks(c) * gap * pixel;
}

/* Loads an image, one command per row of a block. */
static void load(const place *p, values *v) {
  for (int k = 0; p->w > 0 && k < count_blocks(p->c) * p->h; ++k) {
    const int block = k / p->h, row = k % p->h;
    int8_t *bytes = allocate(p->w * 16);
    for (int i = 0; i < p->w * 16; ++i)
      bytes[i] = v->at[block * 16 + i % 16][row][i / 16];
    PASS(chocolate_load(CHOCOLATE_DATA, p->at + block * p->block + row * p->row,
                        bytes, 1, p->w * 16, 0));
  }
}

/* Stores an image. The values are there after run(). */
static int8_t *store(const place *p) {
  int8_t *bytes = allocate(count_blocks(p->c) * p->h * p->w * 16);
  for (int k = 0; k < count_blocks(p->c) * p->h; ++k)
    PASS(chocolate_store(bytes + k * p->w * 16,
                         p->at + k / p->h * p->block + k % p->h * p->row, 1,
                         p->w * 16, 0));
  return bytes;
}

/* Compares an image that was stored. */
static void compare(const place *p, const int8_t *bytes, const values *v) {
  int wrong = 0;
  for (int c = 0; c < count_blocks(p->c) * 16; ++c)
    for (int k = 0; k < p->h * p->w; ++k)
      wrong += bytes[(c / 16 * p->h * p->w + k) * 16 + c % 16] !=
               v->at[c][k / p->w][k % p->w];
  CHECK(wrong == 0);
}

static void fill(values *v) {
  for (int k = 0; k < (int)sizeof(*v); ++k)
    (&v->at[0][0][0])[k] = pick_int8();
}

/*===----------------------------------------------------------------------===*
 * Convolutions
 *===----------------------------------------------------------------------===*/

/* A convolution. Addresses and distances are set later. */
typedef struct {
  int depthwise;
  int ic, ih, iw, top, left, oc, oh, ow, kh, kw, stride, x_zero;
  int gap, nest;
  int cut; /* The command is split in two. */
} convolution;

enum { NONE, CHANNELS, ROWS, REPEAT };

static values x, y;
static int8_t kernel[MAX_CHANNELS][MAX_CHANNELS][9][9]; /* [oc][ic][kh][kw] */
static int32_t sums[MAX_CHANNELS][MAX_SIDE][MAX_SIDE];

static void compute_sums(const convolution *c) {
  for (int o = 0; o < c->oc; ++o)
    for (int i = 0; i < c->oh; ++i)
      for (int j = 0; j < c->ow; ++j) {
        int32_t sum = 0;
        for (int d = 0; d < c->ic; ++d)
          for (int k = 0; k < c->kh * c->kw; ++k) {
            const int row = i * c->stride + k / c->kw - c->top;
            const int column = j * c->stride + k % c->kw - c->left;
            const int is_inside =
                row >= 0 && row < c->ih && column >= 0 && column < c->iw;
            if (is_inside && (!c->depthwise || d == o))
              sum += (x.at[d][row][column] - c->x_zero) *
                     kernel[o][d][k / c->kw][k % c->kw];
          }
        sums[o][i][j] = c->cut == REPEAT ? 2 * sum : sum;
      }
}

/* Loads the weights. Those of missing channels are 0. */
static void load_kernel(const convolution *c, const chocolate_window *w) {
  const int taps = c->kh * c->kw, inputs = c->depthwise ? 1 : c->ic;
  const int blocks = count_blocks(c->oc);
  int8_t *bytes = allocate(blocks * w->w_block);
  memset(bytes, 0, (size_t)(blocks * w->w_block));
  for (int o = 0; o < c->oc; ++o)
    for (int d = 0; d < inputs; ++d)
      for (int k = 0; k < taps; ++k)
        bytes[o / 16 * w->w_block +
              (c->depthwise ? k * 16
                            : (d / 16 * taps + k) * 256 + d % 16 * 16) +
              o % 16] = kernel[o][c->depthwise ? o : d][k / c->kw][k % c->kw];
  PASS(chocolate_load(CHOCOLATE_WEIGHTS, w->w, bytes, blocks, w->w_block,
                      w->w_block));
}

/* Appends the convolution in one or two parts. */
static void append_parts(const convolution *c, const chocolate_window *w) {
  chocolate_window first = *w, second = *w;
  if (c->cut == CHANNELS) {
    first.ic = 16;
    second.ic -= 16;
    second.x += w->x_block;
    second.w += c->kh * c->kw * 256;
    second.accumulate = 1;
  } else if (c->cut == ROWS) {
    const int row = c->stride - c->top; /* The first that the second uses. */
    const int skipped = row < 0 ? 0 : row < c->ih ? row : c->ih;
    first.oh = 1;
    second.oh -= 1;
    second.sums += w->sums_row;
    second.top = row < 0 ? -row : 0;
    second.ih -= skipped;
    second.x += second.ih ? skipped * w->x_row : 0;
  }
  second.accumulate |= c->cut == REPEAT;
  PASS(c->depthwise ? chocolate_depthwise(&first) : chocolate_conv(&first));
  if (c->cut != NONE)
    PASS(c->depthwise ? chocolate_depthwise(&second) : chocolate_conv(&second));
}

/* Checks all sums exactly: rescales each pixel with biases that make its result
 * a small number. */
static void check_sums(const convolution *c, const place *p) {
  const int channels = count_blocks(c->oc) * 16;
  int8_t expected[MAX_SIDE * MAX_SIDE][MAX_CHANNELS];
  const int8_t *results[MAX_SIDE * MAX_SIDE];
  static int32_t bias[MAX_SIDE * MAX_SIDE][MAX_CHANNELS];
  float one[MAX_CHANNELS];
  for (int o = 0; o < c->oc; ++o)
    one[o] = 1;
  for (int k = 0; k < c->oh * c->ow; ++k) {
    memset(expected[k], 5, sizeof(expected[k]));
    for (int o = 0; o < c->oc; ++o) {
      expected[k][o] = (int8_t)pick(-100, 100);
      bias[k][o] = expected[k][o] - 5 - sums[o][k / c->ow][k % c->ow];
    }
    chocolate_scaling s = {0, p->block, p->row,  0,   16, 16,   c->oc,
                           1, 1,        bias[k], one, 5,  -128, 127};
    s.sums = p->at + k / c->ow * p->row + k % c->ow * 64;
    int8_t *bytes = allocate(channels);
    results[k] = bytes;
    order(CHOCOLATE_STORE, CHOCOLATE_VECTOR);
    PASS(chocolate_rescale(&s));
    order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
    PASS(chocolate_store(bytes, 0, 1, channels, 0));
  }
  run();
  int wrong = 0;
  for (int k = 0; k < c->oh * c->ow; ++k)
    wrong += memcmp(results[k], expected[k], (size_t)channels) != 0;
  CHECK(wrong == 0);
}

static void test_convolution(const convolution *c) {
  place in, out;
  chocolate_statistics s;
  chocolate_window w;
  PASS(chocolate_begin(1024, 1024, 1024, 16));
  host_used = 0;
  memset(&w, 0, sizeof(w));
  fill(&x);
  for (int k = 0; k < (int)sizeof(kernel); ++k)
    (&kernel[0][0][0][0])[k] = pick_int8();
  compute_sums(c);
  (void)put(&in, c->gap * 16, c->ic, c->ih, c->iw, 1, c->gap, c->nest);
  (void)put(&out, c->gap * 64, c->oc, c->oh, c->ow, 4, c->gap, c->nest);
  w.x = in.at, w.x_block = in.block, w.x_row = in.row;
  w.sums = out.at, w.sums_block = out.block, w.sums_row = out.row;
  w.w = c->gap * 16;
  w.w_block = c->kh * c->kw * (c->depthwise ? 16 : 256 * count_blocks(c->ic)) +
              c->gap * 16;
  w.ic = c->ic, w.ih = c->ih, w.iw = c->iw, w.top = c->top, w.left = c->left;
  w.oc = c->oc, w.oh = c->oh, w.ow = c->ow, w.kh = c->kh, w.kw = c->kw;
  w.stride = c->stride, w.x_zero = c->x_zero;
  load(&in, &x);
  load_kernel(c, &w);
  run();
  append_parts(c, &w);
  run();
  check_sums(c, &out);
  chocolate_get_statistics(&s);
  CHECK(s.macs == (c->cut == REPEAT ? 2LL : 1LL) * c->oc *
                      (c->depthwise ? 1 : c->ic) * c->kh * c->kw * c->oh *
                      c->ow);
}

static void test_convolutions(void) {
  static const convolution cases[] = {
      /* ic, ih, iw, top, left, oc, oh, ow, kh, kw, stride, x_zero */
      {0, 16, 8, 8, 0, 0, 16, 8, 8, 1, 1, 1, 0, 0, 0, NONE},
      {0, 40, 6, 7, 1, 1, 40, 6, 7, 3, 3, 1, 5, 3, 0, NONE},
      {0, 40, 6, 7, 1, 1, 40, 6, 7, 3, 3, 1, -5, 3, 1, CHANNELS},
      {0, 3, 9, 9, 0, 0, 24, 5, 5, 3, 3, 2, -128, 1, 0, ROWS},
      {0, 20, 9, 8, 1, 1, 33, 5, 4, 3, 3, 2, 127, 0, 1, REPEAT},
      {0, 33, 4, 4, 3, 3, 17, 7, 7, 4, 4, 1, 9, 2, 0, CHANNELS},
      {0, 5, 1, 1, 0, 0, 5, 1, 1, 1, 1, 1, -1, 0, 0, NONE},
      {0, 16, 3, 5, 2, 6, 16, 4, 4, 2, 5, 3, 11, 1, 1, ROWS},
      {0, 18, 2, 3, 0, 4, 20, 1, 3, 2, 9, 1, 7, 0, 0, NONE},
      {0, 16, 0, 4, 0, 0, 16, 3, 3, 2, 2, 1, 7, 0, 0, ROWS},
      {0, 16, 4, 0, 2, 0, 16, 2, 3, 3, 2, 1, 7, 0, 0, NONE},
      {0, 16, 3, 3, 9, 1, 16, 12, 3, 3, 3, 1, 4, 0, 0, ROWS},
      {0, 16, 12, 12, 0, 0, 16, 3, 3, 2, 1, 4, 3, 1, 0, REPEAT},
      {1, 16, 6, 6, 1, 1, 16, 6, 6, 3, 3, 1, 3, 0, 0, NONE},
      {1, 40, 7, 9, 1, 1, 40, 4, 5, 3, 3, 2, -7, 2, 0, ROWS},
      {1, 24, 5, 6, 2, 2, 24, 5, 6, 5, 5, 1, 127, 1, 1, REPEAT},
      {1, 33, 4, 4, 0, 0, 33, 1, 1, 4, 4, 1, -128, 0, 1, NONE},
      {1, 3, 0, 0, 1, 1, 3, 2, 2, 3, 3, 1, -8, 0, 1, NONE},
      {1, 64, 2, 2, 5, 3, 64, 9, 6, 3, 2, 1, 19, 1, 0, ROWS}};
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
    test_convolution(&cases[k]);
}

/* Sums wrap around in both directions, also with the bias. The conversion to
 * f32 rounds. */
static void test_wrapping(void) {
  static int8_t ones[16], weights[16][16];
  static const int32_t bias[2][3] = {
      {INT_MAX, INT_MIN, 3 << 24},
      {INT_MAX - 142, INT_MIN + 16, (1 << 24) + 1 - 16}};
  static const float tiny = 1.0f / (1 << 25);
  const float factor[3] = {tiny, tiny, tiny};
  int8_t result[2][16];
  const chocolate_window w = {0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 1,
                              0, 0, 3, 1, 1, 1, 1, 1, 0, 0};
  for (int c = 0; c < 16; ++c) {
    ones[c] = 1;
    memset(weights[c], 1, 16);
    weights[c][1] = -1;
  }
  weights[0][0] = 127;
  PASS(chocolate_begin(1, 1, 1, 64));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, ones, 1, 16, 0));
  PASS(chocolate_load(CHOCOLATE_WEIGHTS, 0, weights, 1, 256, 0));
  order(CHOCOLATE_LOAD, CHOCOLATE_MATRIX);
  PASS(chocolate_conv(&w));
  order(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR);
  for (int k = 0; k < 2; ++k) {
    const chocolate_scaling s = {0, 0, 0,       16 * k, 0, 0,    3,
                                 1, 1, bias[k], factor, 7, -128, 127};
    PASS(chocolate_rescale(&s));
  }
  order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
  PASS(chocolate_store(result, 0, 2, 16, 16));
  run();
  /* The sums are 142, -16 and 16. */
  CHECK(result[0][0] == 7 - 64 && result[0][1] == 7 + 64);
  CHECK(result[1][0] == 7 + 64 && result[1][1] == 7 - 64);
  CHECK(result[0][2] == 7 + 2 && result[1][2] == 7);
  CHECK(result[0][3] == 7 && result[1][15] == 7);
}

/*===----------------------------------------------------------------------===*
 * Other operations
 *===----------------------------------------------------------------------===*/

/* Rescales sums of a convolution by 1 x 1 weights. */
static void test_rescale(int c, int h, int w, int with_bias, int gap) {
  place in, out, sum;
  chocolate_window one = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                          0, 0, 0, 0, 0, 1, 1, 1, 3, 0};
  int32_t bias[MAX_CHANNELS];
  float factor[MAX_CHANNELS];
  int8_t *weights = host;
  const int low = pick(-128, 0), high = pick(low, 127), zero = pick(-128, 127);
  PASS(chocolate_begin(64, 1, 256, 4));
  host_used = 16 * count_blocks(c);
  fill(&x);
  for (int k = 0; k < 16 * count_blocks(c); ++k)
    weights[k] = pick_int8();
  const int end = put(&in, 0, c, h, w, 1, 0, 0);
  (void)put(&out, end, c, h, w, 1, gap, 1);
  (void)put(&sum, 64, c, h, w, 4, gap, gap & 1);
  one.x_block = in.block, one.x_row = in.row, one.w_block = 16;
  one.sums = sum.at, one.sums_block = sum.block, one.sums_row = sum.row;
  one.ic = one.oc = c, one.ih = one.oh = h, one.iw = one.ow = w;
  for (int k = 0; k < c; ++k) {
    bias[k] = pick(-5000, 5000);
    factor[k] = (float)pick(-1000, 1000) / 70000.0f;
  }
  factor[0] = 0.5f; /* Halves are rounded to even. */
  const chocolate_scaling s = {
      sum.at,  sum.block, sum.row, out.at, out.block,
      out.row, c,         h,       w,      with_bias ? bias : NULL,
      factor,  zero,      low,     high};
  load(&in, &x);
  PASS(chocolate_load(CHOCOLATE_WEIGHTS, 0, weights, 1, 16 * count_blocks(c),
                      0));
  order(CHOCOLATE_LOAD, CHOCOLATE_VECTOR);
  PASS(chocolate_depthwise(&one));
  PASS(chocolate_rescale(&s));
  order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
  const int8_t *result = store(&out);
  run();
  for (int k = 0; k < count_blocks(c) * 16; ++k)
    for (int p = 0; p < h * w; ++p) {
      const int biased = (x.at[k][p / w][p % w] - 3) * weights[k] +
                         (with_bias && k < c ? bias[k] : 0);
      const double value =
          k < c ? rint((double)((float)biased * factor[k])) + zero : zero;
      y.at[k][p / w][p % w] = (int8_t)(k >= c         ? zero
                                       : value < low  ? low
                                       : value > high ? high
                                                      : value);
    }
  compare(&out, result, &y);
}

/* Adds two images, to a third one or in place. */
static void test_add(int c, int h, int w, int in_place, int gap) {
  static values b;
  place pa, pb, py;
  chocolate_sum s;
  PASS(chocolate_begin(256, 1, 1, 8));
  host_used = 0;
  fill(&x);
  fill(&b);
  memset(&s, 0, sizeof(s));
  const int first = put(&pa, 16, c, h, w, 1, 0, 0);
  const int second = put(&pb, first, c, h, w, 1, gap, 1);
  (void)put(&py, second, c, h, w, 1, gap, 0);
  py = in_place == 1 ? pa : in_place == 2 ? pb : py;
  s.a = pa.at, s.a_block = pa.block, s.a_row = pa.row;
  s.b = pb.at, s.b_block = pb.block, s.b_row = pb.row;
  s.y = py.at, s.y_block = py.block, s.y_row = py.row;
  s.c = c, s.oh = h, s.ow = w;
  s.a_scale = (float)pick(1, 1000) / 777.0f;
  s.b_scale = (float)pick(1, 1000) / 777.0f;
  s.y_scale = (float)pick(500, 1000) / 777.0f;
  s.a_zero = pick_int8(), s.b_zero = pick_int8(), s.y_zero = pick_int8();
  load(&pa, &x);
  load(&pb, &b);
  order(CHOCOLATE_LOAD, CHOCOLATE_VECTOR);
  PASS(chocolate_add(&s));
  order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
  const int8_t *result = store(&py);
  run();
  for (int k = 0; k < count_blocks(c) * 16; ++k)
    for (int p = 0; p < h * w; ++p) {
      const float f = s.a_scale / s.y_scale, g = s.b_scale / s.y_scale;
      const float offset = fmaf(f, (float)s.a_zero, g * (float)s.b_zero);
      const float from_b =
          fmaf((float)b.at[k][p / w][p % w], g, (float)s.y_zero - offset);
      float value = rintf(fmaf((float)x.at[k][p / w][p % w], f, from_b));
      value = value < -128 ? -128 : value > 127 ? 127 : value;
      y.at[k][p / w][p % w] = (int8_t)(k < c ? (int)value : s.y_zero);
    }
  compare(&py, result, &y);
}

/* Computes the largest value of each window, one kernel position at a time. */
static void test_pool(const chocolate_pooling *model, int gap, int nest) {
  chocolate_pooling p = *model;
  place in, out;
  PASS(chocolate_begin(64, 1, 1, 32));
  host_used = 0;
  fill(&x);
  const int end = put(&in, 0, p.c, p.ih, p.iw, 1, gap, nest);
  (void)put(&out, end, p.c, p.oh, p.ow, 1, gap, !nest);
  p.x = in.at, p.x_block = in.block, p.x_row = in.row;
  p.y = out.at, p.y_block = out.block, p.y_row = out.row;
  load(&in, &x);
  order(CHOCOLATE_LOAD, CHOCOLATE_VECTOR);
  PASS(chocolate_pool(&p));
  order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
  const int8_t *result = store(&out);
  run();
  memset(&y, -128, sizeof(y));
  for (int k = 0; k < count_blocks(p.c) * 16 * p.oh * p.ow * p.kh * p.kw; ++k) {
    const int kx = k % p.kw, ky = k / p.kw % p.kh, pixel = k / p.kw / p.kh;
    const int j = pixel % p.ow, i = pixel / p.ow % p.oh;
    const int c = pixel / p.ow / p.oh;
    const int row = i * p.stride + ky - p.top;
    const int column = j * p.stride + kx - p.left;
    if (row >= 0 && row < p.ih && column >= 0 && column < p.iw &&
        x.at[c][row][column] > y.at[c][i][j])
      y.at[c][i][j] = x.at[c][row][column];
  }
  compare(&out, result, &y);
}

static void test_vector(void) {
  static const chocolate_pooling pools[] = {
      /* c, ih, iw, top, left, oh, ow, kh, kw, stride */
      {0, 0, 0, 0, 0, 0, 16, 8, 8, 0, 0, 4, 4, 2, 2, 2},
      {0, 0, 0, 0, 0, 0, 20, 9, 7, 1, 1, 5, 4, 3, 3, 2},
      {0, 0, 0, 0, 0, 0, 33, 5, 6, 2, 0, 5, 2, 5, 5, 1},
      {0, 0, 0, 0, 0, 0, 1, 1, 1, 8, 3, 9, 4, 9, 4, 1},
      {0, 0, 0, 0, 0, 0, 64, 7, 7, 0, 0, 1, 1, 7, 7, 1}};
  for (size_t k = 0; k < sizeof(pools) / sizeof(pools[0]); ++k)
    test_pool(&pools[k], (int)k % 3, (int)k & 1);
  for (int k = 0; k < 30; ++k) {
    const int c = pick(1, MAX_CHANNELS), h = pick(1, 9), w = pick(1, 9);
    test_rescale(c, h, w, k & 1, k % 4);
    test_add(c, h, w, k % 3, k % 5);
  }
}

int main(void) {
  test_convolutions();
  test_wrapping();
  test_vector();
  return failures != 0;
}
