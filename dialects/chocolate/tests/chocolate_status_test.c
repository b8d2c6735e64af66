/*===- chocolate_status_test.c - Tests of Chocolate's statuses -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares the statuses of the driver and of the model with the interface.
 * Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_testing.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAD(call) CHECK((call) == CHOCOLATE_BAD_COMMAND)
#define FINISH(status) CHECK(finish() == (status))

static int8_t main_memory[1 << 20];
static float factors[1 << 16];
static int32_t biases[1 << 16];

/* Appends a load from the start of main_memory. */
static int load(int memory, int to, int rows, int row_bytes, int stride) {
  return chocolate_load(memory, to, main_memory, rows, row_bytes, stride);
}

/* Tiles of 16 x 8 x 8 inputs and results, and their values with a change. */
static const chocolate_window simple_window = {
    0, 0, 0, 0, 128, 0, 0, 512, 16, 8, 8, 0, 0, 16, 8, 8, 1, 1, 1, 0, 0};
static const chocolate_scaling simple_scaling = {
    0, 0, 512, 1024, 0, 128, 16, 8, 8, biases, factors, 3, -128, 127};
static const chocolate_sum simple_sum = {0,  0, 128, 1024, 0, 128, 2048, 0, 128,
                                         16, 8, 8,   1,    1, 1,   0,    0, 0};
static const chocolate_pooling simple_pooling = {0, 0, 128, 1024, 0, 64, 16, 8,
                                                 8, 0, 0,   4,    4, 2,  2,  2};

static chocolate_window window;
static chocolate_scaling scaling;
static chocolate_sum sum;
static chocolate_pooling pooling;

/* Resets a device with 4, 1 and 8 KiB. Loads the simple tile and defines its
 * sums. */
static void prepare(void) {
  PASS(chocolate_begin(4, 1, 8, 8));
  PASS(load(CHOCOLATE_DATA, 0, 1, 1024, 0));   /* 0 to 160. */
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 256, 0)); /* 160 to 224. */
  order(CHOCOLATE_LOAD, CHOCOLATE_MATRIX);
  PASS(chocolate_conv(&simple_window)); /* 224 to 320. */
  FINISH(CHOCOLATE_OK);
}

/*===----------------------------------------------------------------------===*
 * Hazards
 *===----------------------------------------------------------------------===*/

/* Loads 16 bytes while another engine uses them: the first or last ones of an
 * area, or those after it. */
static void test_read_hazards(void) {
  static const int at[] = {0, 512, 1008, 1024, 0, 112, 240, 256};
  for (int k = 0; k < 16; ++k) {
    const int ordered = k / 8, is_free = k % 4 == 3;
    prepare();
    PASS(chocolate_conv(&simple_window));
    if (ordered)
      order(CHOCOLATE_MATRIX, CHOCOLATE_LOAD);
    PASS(load(k % 8 < 4 ? CHOCOLATE_DATA : CHOCOLATE_WEIGHTS, at[k % 8], 1, 16,
              0));
    FINISH(ordered || is_free ? CHOCOLATE_OK : CHOCOLATE_HAZARD);
  }
  /* 32 + 8 * 8 = 96 cycles are as long as the conv, and 94 are not. */
  for (int early = 0; early < 2; ++early) {
    prepare();
    PASS(chocolate_conv(&simple_window));
    PASS(load(CHOCOLATE_DATA, 2048, 1, early ? 496 : 512, 0));
    PASS(load(CHOCOLATE_DATA, 0, 1, 16, 0));
    FINISH(early ? CHOCOLATE_HAZARD : CHOCOLATE_OK);
  }
}

/* Accesses bytes that another engine still writes, or that it reads. */
static void test_write_hazards(void) {
  for (int ordered = 0; ordered < 2; ++ordered) {
    const int status = ordered ? CHOCOLATE_OK : CHOCOLATE_HAZARD;
    /* A rescale of sums that a conv rewrites. */
    prepare();
    PASS(chocolate_conv(&simple_window));
    if (ordered)
      order(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR);
    PASS(chocolate_rescale(&simple_scaling));
    FINISH(status);
    /* A conv that rewrites the sums of a rescale. */
    prepare();
    PASS(chocolate_rescale(&simple_scaling));
    PASS(chocolate_push(CHOCOLATE_VECTOR, CHOCOLATE_MATRIX));
    PASS(load(CHOCOLATE_DATA, 0, 1, 16, 0));
    order(CHOCOLATE_LOAD, CHOCOLATE_MATRIX);
    if (ordered)
      PASS(chocolate_pop(CHOCOLATE_VECTOR, CHOCOLATE_MATRIX));
    PASS(chocolate_conv(&simple_window));
    FINISH(status);
    /* Two engines that write the same sums, or the same data. */
    prepare();
    PASS(chocolate_conv(&simple_window));
    if (ordered)
      order(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR);
    PASS(chocolate_depthwise(&simple_window));
    FINISH(status);
    prepare();
    PASS(load(CHOCOLATE_DATA, 1024, 1, 16, 0));
    if (ordered)
      order(CHOCOLATE_LOAD, CHOCOLATE_VECTOR);
    PASS(chocolate_rescale(&simple_scaling));
    FINISH(status);
    /* A store of bytes that a pool writes, and an addition that overwrites the
     * bytes of a store. */
    prepare();
    PASS(load(CHOCOLATE_DATA, 1024, 1, 256, 0));
    FINISH(CHOCOLATE_OK);
    PASS(chocolate_pool(&simple_pooling));
    if (ordered)
      order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
    PASS(chocolate_store(main_memory, 1264, 1, 16, 0));
    FINISH(status);
    PASS(load(CHOCOLATE_DATA, 1024, 3, 1024, 0));
    FINISH(CHOCOLATE_OK);
    PASS(chocolate_store(main_memory, 3056, 1, 16, 0));
    if (ordered)
      order(CHOCOLATE_STORE, CHOCOLATE_VECTOR);
    PASS(chocolate_add(&simple_sum));
    FINISH(status);
  }
}

/* Transfers to and from the same main memory. */
static void test_main_memory(void) {
  for (int ordered = 0; ordered < 2; ++ordered) {
    const int status = ordered ? CHOCOLATE_OK : CHOCOLATE_HAZARD;
    /* A load of what a store writes. */
    prepare();
    PASS(chocolate_store(main_memory + 4096, 0, 4, 16, 64));
    if (ordered)
      order(CHOCOLATE_STORE, CHOCOLATE_LOAD);
    PASS(chocolate_load(CHOCOLATE_DATA, 1024, main_memory + 4288 + 15, 1, 16,
                        0));
    FINISH(status);
    /* A store to what a load reads. */
    prepare();
    PASS(chocolate_load(CHOCOLATE_DATA, 1024, main_memory + 4096, 8, 64, 1));
    if (ordered)
      order(CHOCOLATE_LOAD, CHOCOLATE_STORE);
    PASS(chocolate_store(main_memory + 4096 + 70, 0, 1, 16, 0));
    FINISH(status);
    /* A store to the last bias. */
    prepare();
    PASS(chocolate_rescale(&simple_scaling));
    if (ordered)
      order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
    PASS(chocolate_store((int8_t *)biases + 63, 0, 1, 16, 0));
    FINISH(status);
    memset(biases, 0, 128);
  }
  /* Rows that alternate, and rows between those of a load. */
  prepare();
  PASS(chocolate_store(main_memory + 4096, 0, 8, 32, 64));
  PASS(chocolate_load(CHOCOLATE_DATA, 1024, main_memory + 4128, 8, 32, 64));
  FINISH(CHOCOLATE_OK);
  PASS(chocolate_load(CHOCOLATE_DATA, 1024, main_memory + 4096, 4, 16, 200));
  PASS(chocolate_store(main_memory + 4112, 0, 2, 80, 200));
  FINISH(CHOCOLATE_OK);
}

/*===----------------------------------------------------------------------===*
 * Undefined bytes
 *===----------------------------------------------------------------------===*/

/* Change one field of a valid command, and execute it. */
#define RUN(function, variable, change)                                        \
  (variable = simple_##variable, variable.change, prepare(),                   \
   (function(&variable) == CHOCOLATE_OK) ? finish() : CHOCOLATE_FULL)
#define RUN_CONV(change) RUN(chocolate_conv, window, change)
#define RUN_DEPTHWISE(change) RUN(chocolate_depthwise, window, change)
#define RUN_RESCALE(change) RUN(chocolate_rescale, scaling, change)
#define RUN_ADD(change) RUN(chocolate_add, sum, change)
#define RUN_POOL(change) RUN(chocolate_pool, pooling, change)

static void test_undefined(void) {
  CHECK(RUN_CONV(x_zero = 5) == CHOCOLATE_OK);
  CHECK(RUN_CONV(x = 16) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_CONV(w = 16) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_CONV(accumulate = 1) == CHOCOLATE_OK);
  window.sums = 64;
  CHECK(chocolate_conv(&window) == CHOCOLATE_OK);
  FINISH(CHOCOLATE_UNDEFINED);
  window.accumulate = 0;
  CHECK(chocolate_conv(&window) == CHOCOLATE_OK);
  FINISH(CHOCOLATE_OK);
  CHECK(RUN_DEPTHWISE(x = 16) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_DEPTHWISE(w = 240) == CHOCOLATE_OK);
  CHECK(RUN_DEPTHWISE(w = 256) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_RESCALE(sums = 64) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_RESCALE(y = 3072) == CHOCOLATE_OK);
  CHECK(RUN_ADD(a_zero = 1) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_ADD(b = 0) == CHOCOLATE_OK);
  CHECK(RUN_ADD(y = 0) == CHOCOLATE_UNDEFINED);
  CHECK(RUN_POOL(x = 0) == CHOCOLATE_OK);
  CHECK(RUN_POOL(x = 512) == CHOCOLATE_FULL); /* Overlaps y. */
  CHECK(RUN_POOL(x = 2048) == CHOCOLATE_UNDEFINED);
  /* Rows and columns after those that the last window uses are not read: the
   * sums of 3 x 3 pixels of 7 x 7. */
  window = simple_window;
  window.oh = window.ow = 4, window.stride = 2, window.x = 16;
  prepare();
  PASS(chocolate_conv(&window));
  FINISH(CHOCOLATE_OK);
  /* A window in the padding reads nothing. */
  CHECK(RUN_CONV(top = 8) == CHOCOLATE_OK);
  window.x = 2048;
  PASS(chocolate_conv(&window));
  FINISH(CHOCOLATE_OK);
  window.ih = 0, window.top = 0;
  PASS(chocolate_conv(&window));
  FINISH(CHOCOLATE_OK);
  /* chocolate_begin makes all memories undefined. */
  PASS(chocolate_begin(4, 1, 8, 8));
  PASS(chocolate_store(main_memory, 0, 1, 16, 0));
  FINISH(CHOCOLATE_UNDEFINED);
  PASS(chocolate_rescale(&simple_scaling));
  FINISH(CHOCOLATE_UNDEFINED);
}

/*===----------------------------------------------------------------------===*
 * Malformed commands
 *===----------------------------------------------------------------------===*/

/* Check that a valid command with one change is malformed. */
#define BAD_COMMAND(function, variable, change)                                \
  (variable = simple_##variable, variable.change,                              \
   function(&variable) == CHOCOLATE_BAD_COMMAND)
#define BAD_LOAD(...) (load(__VA_ARGS__) == CHOCOLATE_BAD_COMMAND)
#define BAD_CONV(change) BAD_COMMAND(chocolate_conv, window, change)
#define BAD_RESCALE(change) BAD_COMMAND(chocolate_rescale, scaling, change)
#define BAD_ADD(change) BAD_COMMAND(chocolate_add, sum, change)
#define BAD_POOL(change) BAD_COMMAND(chocolate_pool, pooling, change)

static void test_bad_transfers(void) {
  static const int begins[][4] = {
      {0, 1, 1, 1},    {1, 0, 1, 1},    {1, 1, -1, 1},
      {1025, 1, 1, 1}, {1, 1, 1025, 1}, {1, 1, 1, 0},
      {1, 1, 1, 3},    {1, 1, 1, 128},  {1, 1, 1, -8}};
  for (size_t k = 0; k < sizeof(begins) / sizeof(begins[0]); ++k)
    BAD(chocolate_begin(begins[k][0], begins[k][1], begins[k][2],
                        begins[k][3]));
  CHECK(BAD_LOAD(CHOCOLATE_SUMS, 0, 1, 16, 0) && BAD_LOAD(-1, 0, 1, 16, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, -16, 1, 16, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 8, 1, 16, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 4096, 1, 16, 0));
  CHECK(BAD_LOAD(CHOCOLATE_WEIGHTS, 1008, 2, 16, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, 0, 16, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, 1, 0, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, 1, 24, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, 2, 16, -16));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, INT_MAX, INT_MAX, 0));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, INT_MAX, 16, INT_MAX));
  CHECK(BAD_LOAD(CHOCOLATE_DATA, 0, 3, 16, INT_MAX)); /* Exceeds 32 bits. */
  BAD(chocolate_load(CHOCOLATE_DATA, 0, NULL, 1, 16, 0));
  BAD(chocolate_store(NULL, 0, 1, 16, 0));
  BAD(chocolate_store(main_memory, 4096, 1, 16, 0));
  BAD(chocolate_store(main_memory, 0, 1, 8, 0));
  BAD(chocolate_store(main_memory, 0, 2, 16, 15));
  BAD(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_LOAD));
  BAD(chocolate_push(-1, CHOCOLATE_LOAD));
  BAD(chocolate_pop(CHOCOLATE_LOAD, 4));
  BAD(chocolate_layer(-1));
  BAD(chocolate_layer(32768));
}

static void test_bad_commands(void) {
  static const float infinite[16] = {HUGE_VALF};
  const long long start = (prepare(), now());
  test_bad_transfers();
  CHECK(BAD_CONV(x = -16) && BAD_CONV(x = 8) && BAD_CONV(x = 3088));
  CHECK(BAD_CONV(w = 784) && BAD_CONV(sums = 32) && BAD_CONV(sums = 4160));
  CHECK(BAD_CONV(x_row = 112) && BAD_CONV(x_row = 136) && BAD_CONV(ic = 17));
  CHECK(BAD_CONV(sums_row = 448) && BAD_CONV(oc = 17) && BAD_CONV(ic = 0));
  CHECK(BAD_CONV(oc = 0) && BAD_CONV(oh = 0) && BAD_CONV(ow = INT_MIN));
  CHECK(BAD_CONV(ih = -1) && BAD_CONV(iw = 65536) && BAD_CONV(top = -1));
  CHECK(BAD_CONV(left = INT_MAX) && BAD_CONV(kh = 0) && BAD_CONV(kw = 5));
  CHECK(BAD_CONV(stride = 0) && BAD_CONV(stride = INT_MAX));
  CHECK(BAD_CONV(x_zero = 128) && BAD_CONV(accumulate = 2));
  window.accumulate = 1, window.kh = window.kw = 65535;
  BAD(chocolate_conv(&window));
  BAD(chocolate_conv(NULL));
  BAD(chocolate_depthwise(NULL));
  CHECK(BAD_COMMAND(chocolate_depthwise, window, ic = 15));
  CHECK(BAD_COMMAND(chocolate_depthwise, window, w = 1024));
  CHECK(BAD_RESCALE(sums = 4160) && BAD_RESCALE(sums_row = 480));
  CHECK(BAD_RESCALE(y = 3088) && BAD_RESCALE(y_row = 112));
  CHECK(BAD_RESCALE(c = 0) && BAD_RESCALE(c = 17) && BAD_RESCALE(ow = 9));
  CHECK(BAD_RESCALE(factor = NULL) && BAD_RESCALE(y_zero = -129));
  CHECK(BAD_RESCALE(low = 128) && BAD_RESCALE(high = -129));
  scaling = simple_scaling;
  scaling.low = 1, scaling.high = 0;
  BAD(chocolate_rescale(&scaling));
  BAD(chocolate_rescale(NULL));
  CHECK(BAD_ADD(a = 3088) && BAD_ADD(b_row = 0) && BAD_ADD(y = 2056));
  CHECK(BAD_ADD(y = 16) && BAD_ADD(y = 1920) && BAD_ADD(c = INT_MAX));
  CHECK(BAD_ADD(a_scale = 0) && BAD_ADD(b_scale = -1));
  CHECK(BAD_ADD(y_scale = HUGE_VALF) && BAD_ADD(a_scale = nanf("")));
  CHECK(BAD_ADD(a_zero = 128) && BAD_ADD(y_zero = INT_MIN));
  sum = simple_sum;
  sum.a_scale = 1e30f, sum.y_scale = 1e-30f;
  BAD(chocolate_add(&sum));
  BAD(chocolate_add(NULL));
  CHECK(BAD_POOL(x = 3088) && BAD_POOL(y = 1000) && BAD_POOL(y = 1008));
  CHECK(BAD_POOL(ih = 0) && BAD_POOL(iw = 6) && BAD_POOL(top = 2));
  CHECK(BAD_POOL(left = 65536) && BAD_POOL(kh = 0) && BAD_POOL(stride = 3));
  BAD(chocolate_pool(NULL));
  BAD(chocolate_trace("/missing/folder/trace"));
  PASS(chocolate_trace(NULL));
  /* Functions that fail have no effect. */
  CHECK(finish() == CHOCOLATE_OK && now() == start);
  /* The device finds that a factor is not finite. */
  CHECK(RUN_RESCALE(factor = infinite) == CHOCOLATE_BAD_COMMAND);
  /* Two blocks of 8 rows of 512 bytes: they overlap, or rows alternate. */
  window = simple_window;
  PASS(chocolate_begin(4, 1, 16, 8));
  window.oc = 32, window.w_block = 256, window.sums_block = 4032;
  BAD(chocolate_conv(&window));
  window.sums_block = 512;
  BAD(chocolate_conv(&window));
  window.sums_row = 1024;
  PASS(chocolate_conv(&window));
  window.w_block = 240;
  BAD(chocolate_conv(&window));
}

/* Returns a number that is likely to be malformed. */
static int pick_field(void) {
  static const int values[] = {
      INT_MIN, -16, -1,  0,    1,     3,     8,       16,      17,   32,     64,
      128,     255, 256, 1024, 16384, 65535, 1 << 20, 1 << 30, 2048, INT_MAX};
  const int count = (int)(sizeof(values) / sizeof(values[0]));
  return pick(0, 3) == 0 ? (int)((uint32_t)pick(0, 65535) << 16) + pick(0, 99)
                         : values[pick(0, count - 1)];
}

/* Appends one command with random fields. The bytes of main memory that a valid
 * command can access are bounded. */
static int append_random_command(void) {
  const int row_bytes = pick_field(), rows = pick_field(), at = pick_field();
  const int stride = pick(0, 1) ? row_bytes : pick(-9, 32);
  window = simple_window, scaling = simple_scaling;
  sum = simple_sum, pooling = simple_pooling;
  for (int changes = pick(0, 2); changes > 0; --changes) {
    const int value = pick_field();
    ((int *)&window)[pick(0, 20)] = value;
    ((int *)&scaling)[pick(0, 8)] = value; /* Up to ow. */
    ((int *)&sum)[pick(0, 11)] = value;    /* Up to ow. */
    ((int *)&pooling)[pick(0, 15)] = value;
  }
  scaling.low = pick(0, 3) == 0 ? pick_field() : -128;
  switch (pick(0, 9)) {
  case 0:
    return load(pick(-1, 3), at, rows, row_bytes, stride);
  case 1:
    return load(CHOCOLATE_DATA, pick(0, 3) * 1024, 1, 1024, 0);
  case 2:
    return chocolate_store(main_memory, at, rows, row_bytes, stride);
  case 3:
    return chocolate_push(pick(-1, 4), pick(0, 3));
  case 4:
    return pick(0, 3) ? chocolate_push(pick(-1, 4), pick(0, 3))
                      : chocolate_pop(pick(-1, 4), pick(0, 3));
  case 5:
    return chocolate_rescale(&scaling);
  case 6:
    return chocolate_add(&sum);
  case 7:
    return chocolate_pool(&pooling);
  case 8:
    return chocolate_depthwise(&window);
  default:
    return chocolate_conv(&window);
  }
}

static void test_random_commands(void) {
  int appended[CHOCOLATE_FULL + 1] = {0}, finished[CHOCOLATE_FULL + 1] = {0};
  for (int k = 0; k < 40000; ++k) {
    if (k % 10 == 0) {
      ++finished[finish()];
      prepare();
    }
    ++appended[append_random_command()];
  }
  CHECK(appended[CHOCOLATE_BAD_COMMAND] > 10000);
  CHECK(appended[CHOCOLATE_OK] > 10000);
  CHECK(appended[CHOCOLATE_OK] + appended[CHOCOLATE_BAD_COMMAND] == 40000);
  CHECK(finished[CHOCOLATE_OK] > 20 && finished[CHOCOLATE_HAZARD] > 20);
  CHECK(finished[CHOCOLATE_UNDEFINED] > 20 && finished[CHOCOLATE_TIMEOUT] > 20);
  CHECK(finished[CHOCOLATE_BAD_COMMAND] == 0 && finished[CHOCOLATE_FULL] == 0);
}

/* Before chocolate_begin, all commands are malformed. */
static void test_uninitialized(void) {
  BAD(chocolate_layer(0));
  BAD(load(CHOCOLATE_DATA, 0, 1, 16, 0));
  BAD(chocolate_store(main_memory, 0, 1, 16, 0));
  BAD(chocolate_conv(&simple_window));
  BAD(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_STORE));
  BAD(chocolate_launch());
  BAD(chocolate_await());
  CHECK(now() == 0);
}

/* Loads repeat or skip bytes of main memory, and stores keep the bytes between
 * rows. */
static void test_transfers(void) {
  int8_t from[100], to[5][20];
  for (int k = 0; k < 100; ++k)
    from[k] = (int8_t)k;
  memset(to, 77, sizeof(to));
  PASS(chocolate_begin(1, 1, 1, 16));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, from + 3, 3, 32, 27));
  PASS(chocolate_load(CHOCOLATE_DATA, 96, from + 84, 2, 16, 0));
  order(CHOCOLATE_LOAD, CHOCOLATE_STORE);
  PASS(chocolate_store(to[0] + 1, 48, 4, 16, 20));
  FINISH(CHOCOLATE_OK);
  for (int k = 0; k < 100; ++k) {
    const int row = k / 20, column = k % 20 - 1;
    const int is_stored = row < 4 && column >= 0 && column < 16;
    const int source[] = {3 + 27 + 16, 3 + 54, 3 + 54 + 16, 84};
    CHECK(to[row][k % 20] == (is_stored ? source[row] + column : 77));
  }
}

int main(void) {
  test_uninitialized();
  test_read_hazards();
  test_write_hazards();
  test_main_memory();
  test_undefined();
  test_bad_commands();
  test_random_commands();
  test_transfers();
  return failures != 0;
}
