/*===- strawberry_test.c - Tests of the Strawberry model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares the model with plain loops, its clock with numbers computed by hand,
 * and its statuses with the interface. Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#include "../runtime/strawberry.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition) check((condition), #condition, __LINE__)
#define PASS(call) CHECK((call) == STRAWBERRY_OK)
#define BAD(call) CHECK((call) == STRAWBERRY_BAD_COMMAND)
#define HAZARD(call) CHECK((call) == STRAWBERRY_HAZARD)

static void check(int holds, const char *condition, int line) {
  if (holds)
    return;
  printf("strawberry_test.c:%d: failed: %s\n", line, condition);
  ++failures;
}

/* Returns a random number from `low` to `high`. */
static int pick(int low, int high) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return low + (int)((state >> 8) % (uint32_t)(high - low + 1));
}

static int8_t pick_int8(void) { return (int8_t)pick(-128, 127); }

/* Waits for all commands. */
static void finish(void) {
  strawberry_statistics s;
  strawberry_get_statistics(&s);
  PASS(strawberry_wait(STRAWBERRY_DMA, s.commands[STRAWBERRY_DMA]));
  PASS(strawberry_wait(STRAWBERRY_ARRAY, s.commands[STRAWBERRY_ARRAY]));
}

/*===----------------------------------------------------------------------===*
 * Results
 *===----------------------------------------------------------------------===*/

/* A convolution. The addresses and distances of the tile are set later. */
typedef struct {
  strawberry_tile tile;
  int depthwise;
  int gap;       /* Unused bytes / 64 after each row and each block. */
  int alternate; /* Rows of different blocks alternate. */
  int halves;    /* The input channels are two commands. */
} convolution;

static int8_t image[64 * 32 * 32];   /* [ic][ih][iw] */
static int8_t kernel[64 * 64 * 25];  /* [oc][ic][kh][kw] */
static int32_t expected[64][32][32]; /* [oc][oh][ow] */
static int8_t packed[1 << 20];

/* Computes the expected sums, wrapped to 32 bits. */
static void compute_expected(const strawberry_tile *c, int depthwise,
                             int accumulated) {
  const int depth = depthwise ? 1 : c->ic;
  for (int o = 0; o < c->oc; ++o)
    for (int i = 0; i < c->oh; ++i)
      for (int j = 0; j < c->ow; ++j) {
        long long sum = accumulated ? expected[o][i][j] : 0;
        for (int d = 0; d < depth; ++d)
          for (int y = 0; y < c->kh; ++y)
            for (int x = 0; x < c->kw; ++x) {
              const int row = i * c->stride_y + y - c->top;
              const int column = j * c->stride_x + x - c->left;
              const int channel = depthwise ? o : d;
              if (row >= 0 && row < c->ih && column >= 0 && column < c->iw)
                sum += (image[(channel * c->ih + row) * c->iw + column] -
                        c->x_zero) *
                       kernel[((o * depth + d) * c->kh + y) * c->kw + x];
            }
        expected[o][i][j] = (int32_t)sum;
      }
}

/* Loads the image, one command per row of a block. Fills missing channels. */
static void load_image(const strawberry_tile *t) {
  for (int b = 0; b < (t->ic + 15) / 16; ++b)
    for (int row = 0; row < t->ih; ++row) {
      for (int k = 0; k < t->iw * 16; ++k) {
        const int channel = b * 16 + k % 16;
        packed[k] = channel < t->ic
                        ? image[(channel * t->ih + row) * t->iw + k / 16]
                        : (int8_t)99;
      }
      const int to = t->x + b * t->x_block + row * t->x_row;
      PASS(strawberry_load(STRAWBERRY_INPUT, to, packed, 1, t->iw * 16, 0));
    }
}

/* Loads the weights in one command. Pads them with zeros. */
static void load_kernel(const strawberry_tile *t, int depthwise) {
  const int depth = depthwise ? 1 : t->ic;
  const int lanes = depthwise ? 1 : 16;
  memset(packed, 0, sizeof(packed));
  for (int o = 0; o < t->oc; ++o)
    for (int d = 0; d < depth; ++d)
      for (int p = 0; p < t->kh * t->kw; ++p)
        packed[o / 16 * t->w_block +
               ((d / 16 * t->kh * t->kw + p) * lanes + d % 16) * 16 + o % 16] =
            kernel[(o * depth + d) * t->kh * t->kw + p];
  PASS(strawberry_load(STRAWBERRY_WEIGHTS, t->w, packed, (t->oc + 15) / 16,
                       t->w_block, t->w_block));
}

/* Checks each sum: the store of sum - expected must be 0. */
static void check_sums(const strawberry_tile *t) {
  static float ones[64];
  int32_t bias[64];
  int8_t y[64];
  int wrong = 0;
  strawberry_result r = {0, t->sums_block, 0,   t->oc, 1,  1, bias, ones,
                         0, -128,          127, y,     16, 0};
  for (int o = 0; o < 64; ++o)
    ones[o] = 1;
  for (int i = 0; i < t->oh; ++i)
    for (int j = 0; j < t->ow; ++j) {
      for (int o = 0; o < t->oc; ++o)
        bias[o] = (int32_t)(0u - (uint32_t)expected[o][i][j]);
      memset(y, 1, sizeof(y));
      r.sums = t->sums + i * t->sums_row + j * 64;
      PASS(strawberry_store(&r));
      for (int o = 0; o < (t->oc + 15) / 16 * 16; ++o)
        wrong += y[o] != 0;
    }
  CHECK(wrong == 0);
}

/* Runs one convolution with random values and checks its sums. Runs it again to
 * add to the sums. */
static void test_convolution(const convolution *c) {
  strawberry_tile t = c->tile;
  const int in = (t.ic + 15) / 16, out = (t.oc + 15) / 16;
  const int gap = c->gap * 64;
  strawberry_statistics s;
  PASS(strawberry_init(1024, 1024, 1024, 16, 16));
  for (int k = 0; k < t.ic * t.ih * t.iw; ++k)
    image[k] = pick_int8();
  for (int k = 0; k < t.oc * t.ic * t.kh * t.kw; ++k)
    kernel[k] = pick_int8();
  t.x = gap / 4, t.w = gap / 2, t.sums = gap;
  t.x_row = (t.iw * 16 + gap) * (c->alternate ? in : 1);
  t.x_block = c->alternate ? t.iw * 16 + gap : t.ih * t.x_row + gap;
  t.w_block = (c->depthwise ? 16 : 256 * in) * t.kh * t.kw + 4 * gap;
  t.sums_row = (t.ow * 64 + gap) * (c->alternate ? out : 1);
  t.sums_block = c->alternate ? t.ow * 64 + gap : t.oh * t.sums_row + gap;
  load_image(&t);
  load_kernel(&t, c->depthwise);
  for (t.accumulate = 0; t.accumulate < 2; ++t.accumulate) {
    strawberry_tile half = t;
    finish();
    compute_expected(&t, c->depthwise, t.accumulate);
    if (c->depthwise) {
      PASS(strawberry_depthwise(&t));
    } else if (c->halves) {
      half.ic = 16;
      PASS(strawberry_conv(&half));
      half.ic = t.ic - 16;
      half.x += t.x_block;
      half.w += 256 * t.kh * t.kw;
      half.accumulate = 1;
      PASS(strawberry_conv(&half));
    } else {
      PASS(strawberry_conv(&t));
    }
    finish();
    check_sums(&t);
  }
  strawberry_get_statistics(&s);
  CHECK(s.macs ==
        2LL * (c->depthwise ? 1 : t.ic) * t.oc * t.kh * t.kw * t.oh * t.ow);
}

#define TILE(...) {0, 0, 0, 0, 0, 0, 0, 0, __VA_ARGS__, 0}

static void test_convolutions(void) {
  static const convolution cases[] = {
      /* ic, ih, iw, top, left, oc, oh, ow, kh, kw, stride_y, stride_x, x_zero
       */
      {TILE(16, 8, 8, 0, 0, 16, 8, 8, 1, 1, 1, 1, 0), 0, 0, 0, 0},
      {TILE(16, 6, 7, 1, 1, 16, 6, 7, 3, 3, 1, 1, 5), 0, 0, 0, 0},
      {TILE(3, 12, 11, 1, 1, 40, 6, 6, 3, 3, 2, 2, -128), 0, 1, 0, 0},
      {TILE(3, 13, 13, 0, 0, 16, 6, 6, 3, 3, 2, 2, 127), 0, 0, 0, 0},
      {TILE(40, 9, 9, 1, 1, 3, 5, 5, 3, 3, 2, 2, -3), 0, 1, 0, 0},
      {TILE(40, 5, 6, 1, 1, 40, 5, 6, 3, 3, 1, 1, 7), 0, 2, 1, 0},
      {TILE(40, 5, 6, 1, 1, 40, 5, 6, 3, 3, 1, 1, 7), 0, 0, 0, 1},
      {TILE(32, 7, 5, 2, 2, 24, 7, 5, 5, 5, 1, 1, -7), 0, 1, 1, 1},
      {TILE(17, 4, 4, 6, 5, 17, 9, 9, 5, 3, 1, 1, 1), 0, 0, 0, 0},
      {TILE(64, 1, 1, 0, 0, 64, 1, 1, 1, 1, 1, 1, 11), 0, 0, 0, 1},
      {TILE(16, 9, 9, 0, 0, 16, 3, 3, 1, 1, 4, 4, 2), 0, 1, 0, 0},
      {TILE(16, 5, 9, 0, 0, 16, 5, 3, 1, 1, 1, 4, 2), 0, 1, 0, 0},
      {TILE(24, 11, 6, 1, 0, 40, 4, 5, 3, 2, 3, 1, 6), 0, 0, 1, 0},
      {TILE(16, 8, 8, 1, 1, 16, 8, 8, 3, 3, 1, 1, 9), 1, 0, 0, 0},
      {TILE(40, 9, 11, 1, 1, 40, 5, 6, 3, 3, 2, 2, -9), 1, 1, 0, 0},
      {TILE(40, 9, 11, 2, 2, 40, 9, 11, 5, 5, 1, 1, 127), 1, 2, 1, 0},
      {TILE(3, 5, 5, 0, 0, 3, 4, 4, 2, 2, 1, 1, -128), 1, 0, 0, 0}};
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
    test_convolution(&cases[k]);
}

/* Copies a window of a larger image by a 2-D load, convolves it, and stores the
 * result with gaps. Compares the rescaled values. */
static void test_store(void) {
  static int8_t big[20][30][16];
  static int8_t y[2 * 4096];
  int8_t w[2][16][16];
  int32_t bias[20];
  float factor[20];
  int wrong = 0;
  const strawberry_tile t = {64, 0, 128, 0, 128, 256, 2048, 512, 16, 4,  8,
                             0,  0, 20,  4, 8,   1,   1,    1,   1,  -5, 0};
  strawberry_result r = {128,    2048, 512,  20, 4, 8, bias,
                         factor, -17,  -100, 90, y, 0, 0};
  r.y_row = 8 * 16 + 5, r.y_block = 4 * r.y_row + 3;
  for (int k = 0; k < 20 * 30 * 16; ++k)
    big[k / 480][k / 16 % 30][k % 16] = pick_int8();
  for (int k = 0; k < 512; ++k)
    w[k / 256][k / 16 % 16][k % 16] =
        k / 256 * 16 + k % 16 < 20 ? pick_int8() : (int8_t)0;
  for (int o = 0; o < 20; ++o) {
    bias[o] = o == 0 ? INT_MAX : pick(-10000, 10000);
    factor[o] = o == 1 ? 0.5f : (float)pick(1, 1000) / 300000.0f;
  }
  memset(y, 77, sizeof(y));
  PASS(strawberry_init(4, 4, 8, 32, 16));
  PASS(strawberry_load(STRAWBERRY_INPUT, 64, big[3][7], 4, 128, 480));
  PASS(strawberry_load(STRAWBERRY_WEIGHTS, 0, w, 1, 512, 0));
  finish();
  PASS(strawberry_conv(&t));
  finish();
  for (int pass = 0; pass < 2; ++pass) {
    PASS(strawberry_store(&r));
    for (int o = 0; o < 32; ++o)
      for (int p = 0; p < 32; ++p) {
        uint32_t sum = o < 20 && r.bias ? (uint32_t)bias[o] : 0;
        double value = -17;
        for (int c = 0; c < 16; ++c)
          sum += (uint32_t)((big[3 + p / 8][7 + p % 8][c] + 5) *
                            w[o / 16][c][o % 16]);
        if (o < 20) {
          value = rintf((float)(int32_t)sum * factor[o]) - 17.0;
          value = value < -100 ? -100 : value > 90 ? 90 : value;
        }
        wrong +=
            y[o / 16 * r.y_block + p / 8 * r.y_row + p % 8 * 16 + o % 16] !=
            (int)value;
      }
    r.bias = NULL;
  }
  CHECK(wrong == 0);
  CHECK(y[128] == 77 && y[132] == 77); /* The gap after the first row. */
}

/*===----------------------------------------------------------------------===*
 * Time and statuses
 *===----------------------------------------------------------------------===*/

static int8_t main_memory[1 << 20];
static float factors[1 << 14];

/* Queues a load from the start of main_memory. */
static int load(int memory, int to, int rows, int row_bytes, int stride) {
  return strawberry_load(memory, to, main_memory, rows, row_bytes, stride);
}

static long long now(void) {
  strawberry_statistics s;
  strawberry_get_statistics(&s);
  return s.cycles;
}

#define ENDS(call, time) CHECK((call) == STRAWBERRY_OK && now() == (time))

static void test_time(void) {
  strawberry_statistics s;
  strawberry_tile t = {0, 0, 0,  0, 80, 2304, 1280, 320, 3, 4, 5,
                       1, 1, 40, 4, 5,  3,    3,    1,   1, 0, 0};
  strawberry_result r = {0,       1280, 320,  40,  4,           5,   NULL,
                         factors, 0,    -128, 127, main_memory, 320, 80};
  ENDS(strawberry_init(64, 64, 64, 32, 16), 0);
  /* 24 + 4 * ceil(80 / 32) = 36. */
  ENDS(load(STRAWBERRY_INPUT, 0, 4, 80, 100), 36);
  /* 24 + 3 * 2304 / 32 = 240; ends at 276. */
  ENDS(load(STRAWBERRY_WEIGHTS, 0, 3, 2304, 0), 276);
  PASS(strawberry_wait(STRAWBERRY_DMA, 2));
  /* 48 + 3 * 1 * 9 * 20 = 588; 276 to 864. */
  ENDS(strawberry_conv(&t), 864);
  /* 24 + ceil(16 / 32) = 25; 276 to 301, while the array runs. */
  ENDS(load(STRAWBERRY_INPUT, 1024, 1, 16, 0), 864);
  /* 4 pixels take 16 cycles: 48 + 3 * 9 * 16 = 480; 864 to 1344. */
  t.oh = t.ow = 2, t.sums = 8192;
  ENDS(strawberry_conv(&t), 1344);
  /* 24 + 3 * (128 / 32 + 4 * ceil(80 / 32)) = 72; 864 to 936. */
  PASS(strawberry_wait(STRAWBERRY_ARRAY, 1));
  ENDS(strawberry_store(&r), 1344);
  strawberry_get_statistics(&s);
  CHECK(s.busy[STRAWBERRY_DMA] == 36 + 240 + 25 + 72);
  CHECK(s.busy[STRAWBERRY_ARRAY] == 588 + 480);
  CHECK(s.loaded_bytes == 320 + 6912 + 16 + 384);
  CHECK(s.stored_bytes == 3 * 20 * 16);
  CHECK(s.macs == 3LL * 40 * 9 * 20 + 3LL * 40 * 9 * 4);
  CHECK(s.commands[STRAWBERRY_DMA] == 4 && s.commands[STRAWBERRY_ARRAY] == 2);
  /* 48 + 1 * 9 * 4 = 84; 1344 to 1428. */
  t.oc = 3;
  ENDS(strawberry_depthwise(&t), 1428);
  /* The narrowest bus: 24 + 16 = 40, after a reset. */
  PASS(strawberry_init(64, 64, 64, 1, 16));
  ENDS(load(STRAWBERRY_INPUT, 0, 1, 16, 0), 40);
}

/* A tile of 8 x 8 pixels and 16 channels, and its result. */
static const strawberry_tile simple_tile = {0,  0, 0, 0, 128, 256, 4096, 512,
                                            16, 8, 8, 0, 0,   16,  8,    8,
                                            1,  1, 1, 1, 0,   0};
static const strawberry_result simple_result = {
    0,       4096, 512,  16,  8,           8,    NULL,
    factors, 0,    -128, 127, main_memory, 1024, 128};

/* Resets a device with 2 KiB, 1 KiB and 16 KiB, and loads the simple tile. */
static void load_simple(void) {
  PASS(strawberry_init(2, 1, 16, 16, 16));
  PASS(load(STRAWBERRY_INPUT, 0, 8, 128, 128));
  PASS(load(STRAWBERRY_WEIGHTS, 0, 1, 256, 0));
}

static void test_statuses(void) {
  strawberry_tile t = simple_tile;
  strawberry_result r = simple_result;
  /* Reads before the loads end: of x, then of w only. */
  load_simple();
  HAZARD(strawberry_conv(&t));
  PASS(strawberry_wait(STRAWBERRY_DMA, 1));
  HAZARD(strawberry_conv(&t));
  PASS(strawberry_wait(STRAWBERRY_DMA, 2));
  PASS(strawberry_conv(&t));
  /* Writes x and w while the array reads them; other bytes are free. */
  HAZARD(load(STRAWBERRY_INPUT, 1008, 1, 16, 0));
  HAZARD(load(STRAWBERRY_WEIGHTS, 240, 1, 32, 0));
  PASS(load(STRAWBERRY_INPUT, 1024, 1, 1024, 0));
  PASS(load(STRAWBERRY_WEIGHTS, 256, 3, 256, 0));
  /* Reads the sums while the array writes them. */
  PASS(strawberry_wait(STRAWBERRY_DMA, 4));
  t.sums = r.sums = 4096;
  PASS(strawberry_conv(&t));
  HAZARD(strawberry_store(&r));
  PASS(strawberry_wait(STRAWBERRY_ARRAY, 2));
  PASS(strawberry_store(&r));
  /* Writes the sums while they are stored. */
  HAZARD(strawberry_conv(&t));
  finish();
  PASS(strawberry_conv(&t));
  /* Commands of one engine need no wait. */
  t.accumulate = 1;
  PASS(strawberry_conv(&t));
  /* Undefined sums, also after a reset; x and w beyond the loaded bytes. */
  t.sums = r.sums = 8192;
  CHECK(strawberry_conv(&t) == STRAWBERRY_UNDEFINED);
  CHECK(strawberry_store(&r) == STRAWBERRY_UNDEFINED);
  load_simple();
  finish();
  t = simple_tile;
  t.x = 16;
  CHECK(strawberry_conv(&t) == STRAWBERRY_UNDEFINED);
  t.x = 0;
  t.w = 16;
  CHECK(strawberry_conv(&t) == STRAWBERRY_UNDEFINED);
  PASS(strawberry_depthwise(&t));
  HAZARD(strawberry_store(&simple_result));
  /* Commands that fail do not count. */
  PASS(strawberry_wait(STRAWBERRY_ARRAY, 1));
  CHECK(strawberry_wait(STRAWBERRY_ARRAY, 2) == STRAWBERRY_NOT_ISSUED);
  CHECK(strawberry_wait(STRAWBERRY_DMA, 3) == STRAWBERRY_NOT_ISSUED);
  PASS(strawberry_wait(STRAWBERRY_DMA, 0));
  BAD(strawberry_wait(STRAWBERRY_DMA, -1));
  BAD(strawberry_wait(2, 0));
}

static strawberry_tile bad_tile;
static strawberry_result bad_result;

/* Changes one field of a valid command, and checks that it is malformed then.
 */
#define BAD_TILE(change)                                                       \
  (bad_tile = simple_tile, bad_tile.change,                                    \
   strawberry_conv(&bad_tile) == STRAWBERRY_BAD_COMMAND)
#define BAD_RESULT(change)                                                     \
  (bad_result = simple_result, bad_result.change,                              \
   strawberry_store(&bad_result) == STRAWBERRY_BAD_COMMAND)

static void test_bad_commands(void) {
  static const int inits[][5] = {{0, 1, 1, 1, 16},  {1, 1025, 1, 1, 16},
                                 {1, 1, -1, 1, 16}, {1, 1, 1, 0, 16},
                                 {1, 1, 1, 12, 16}, {1, 1, 1, 128, 16},
                                 {1, 1, 1, 1, 0},   {1, 1, 1, 1, 4},
                                 {1, 1, 1, 1, 12},  {1, 1, 1, 1, 64}};
  const float infinite = HUGE_VALF;
  strawberry_tile t = simple_tile;
  for (int k = 0; k < 10; ++k)
    BAD(strawberry_init(inits[k][0], inits[k][1], inits[k][2], inits[k][3],
                        inits[k][4]));
  load_simple();
  finish();
  BAD(load(STRAWBERRY_SUMS, 0, 1, 16, 0));
  BAD(load(STRAWBERRY_INPUT, 8, 1, 16, 0));
  BAD(load(STRAWBERRY_INPUT, -16, 1, 16, 0));
  BAD(load(STRAWBERRY_INPUT, 0, 1, 24, 0));
  BAD(load(STRAWBERRY_INPUT, 0, 0, 16, 0));
  BAD(load(STRAWBERRY_INPUT, 2032, 2, 16, 0));
  BAD(load(STRAWBERRY_INPUT, 0, 2, 16, -16));
  BAD(strawberry_load(STRAWBERRY_INPUT, 0, NULL, 1, 16, 0));
  BAD(strawberry_conv(NULL));
  BAD(strawberry_depthwise(NULL));
  BAD(strawberry_store(NULL));
  CHECK(BAD_TILE(x = 8) && BAD_TILE(x = 1040) && BAD_TILE(x_row = 112));
  CHECK(BAD_TILE(w = 8) && BAD_TILE(w = 784) && BAD_TILE(ic = 17));
  CHECK(BAD_TILE(sums = 32) && BAD_TILE(sums = 12352));
  CHECK(BAD_TILE(sums_row = 448) && BAD_TILE(ow = 0) && BAD_TILE(top = -1));
  CHECK(BAD_TILE(kh = INT_MAX) && BAD_TILE(stride_y = 0) &&
        BAD_TILE(stride_x = 0));
  CHECK(BAD_TILE(x_zero = 128) && BAD_TILE(accumulate = 2));
  CHECK(BAD_RESULT(factor = NULL) && BAD_RESULT(factor = &infinite));
  CHECK(BAD_RESULT(y = NULL) && BAD_RESULT(y_row = 127));
  CHECK(BAD_RESULT(low = -129) && BAD_RESULT(high = -129));
  CHECK(BAD_RESULT(y_zero = 128) && BAD_RESULT(oc = INT_MAX));
  t.ic = 15;
  BAD(strawberry_depthwise(&t));
  t.ic = 16, t.oc = 32;
  t.w_block = 272; /* Not a multiple of 256. */
  BAD(strawberry_conv(&t));
  t.w_block = 256;
  t.sums_block = 4032; /* The last row of the first block is overlapped. */
  BAD(strawberry_conv(&t));
  t.sums_block = 4112; /* Not a multiple of 64. */
  BAD(strawberry_conv(&t));
  BAD(strawberry_trace("/missing/folder/trace"));
  PASS(strawberry_trace(NULL));
}

/* Returns a number that is likely to be malformed. */
static int pick_field(void) {
  static const int values[] = {
      INT_MIN, -16, -1,  0,    1,     3,     8,       16,      17,
      64,      255, 256, 1024, 16384, 65536, 1 << 20, 1 << 30, INT_MAX};
  const int count = (int)(sizeof(values) / sizeof(values[0]));
  return pick(0, 3) == 0 ? (int)((uint32_t)pick(0, 65535) << 16) + pick(0, 99)
                         : values[pick(0, count - 1)];
}

/* Queues one command with up to three random fields. The bytes of main memory
 * that a valid command can access are bounded. */
static int run_random_command(void) {
  strawberry_tile t = simple_tile;
  strawberry_result r = simple_result;
  const int count = (int)(sizeof(t) / sizeof(int));
  const int row_bytes = pick_field();
  const int command = pick(0, 4);
  for (int changes = pick(1, 3); changes > 0; --changes)
    ((int *)&t)[pick(0, count - 1)] = pick_field();
  r.low = pick(0, 3) == 0 ? pick_field() : -128;
  r.sums = t.sums, r.sums_block = t.sums_block, r.sums_row = t.sums_row;
  r.oc = t.oc, r.oh = t.oh, r.ow = t.ow;
  r.y_block = pick(0, 9) == 0 ? pick(-99, 99) : 1024;
  if (command == 0)
    return load(pick(-1, 3), pick_field(), pick_field(), row_bytes,
                pick(0, 1) ? row_bytes : pick(-9, 16));
  if (command == 1)
    return strawberry_wait(pick(-1, 2), pick(0, 1) ? pick_field() : pick(0, 9));
  if (command == 2)
    return strawberry_store(&r);
  return command == 3 ? strawberry_conv(&t) : strawberry_depthwise(&t);
}

static void test_random_commands(void) {
  int counts[5] = {0};
  for (int k = 0; k < 20000; ++k) {
    if (k % 100 == 0)
      load_simple();
    ++counts[run_random_command()];
  }
  for (int status = 0; status < 5; ++status)
    CHECK(counts[status] > 0);
  CHECK(counts[STRAWBERRY_BAD_COMMAND] > 10000);
}

int main(void) {
  test_convolutions();
  test_store();
  test_time();
  test_statuses();
  test_bad_commands();
  test_random_commands();
  return failures != 0;
}
