/*===- chocolate_test.c - Tests of the Chocolate model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares the clock and the counters of the model with numbers computed by
 * hand. Injects faults. Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#define _POSIX_C_SOURCE 200112L /* setenv */

#include "chocolate_testing.h"

#include "../runtime/chocolate_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINISH(status) CHECK(finish() == (status))
#define ENDS(time) CHECK(finish() == CHOCOLATE_OK && now() == (time))

static int8_t main_memory[1 << 16];
static int8_t result[1 << 14];
static float factors[64];
static int32_t biases[64];

/* Appends a load from the start of main_memory. */
static int load(int memory, int to, int rows, int row_bytes) {
  return chocolate_load(memory, to, main_memory, rows, row_bytes, row_bytes);
}

/* Tiles of 16 x 8 x 8 inputs and results. */
static const chocolate_window tile = {0, 0, 0,  0, 128, 0, 0, 512, 16, 8, 8,
                                      0, 0, 16, 8, 8,   1, 1, 1,   0,  0};
static const chocolate_scaling scaling = {0, 0, 512,    1024,    0, 128,  16,
                                          8, 8, biases, factors, 3, -128, 127};

/*===----------------------------------------------------------------------===*
 * Faults
 *===----------------------------------------------------------------------===*/

/* The layers of the commands of run_layers, in the order of their execution. */
static const int layers[] = {10, 10, 10, 20, 20, 20, 30, 30, 30, 32767, 32767};
enum { COMMANDS = sizeof(layers) / sizeof(layers[0]) };

/* Executes commands one after another, and sets the result to 1 + 3 = 4 or, if
 * the store is not executed, to 99. Returns the status of chocolate_await. */
static int run_layers(void) {
  memset(result, 99, 1024);
  PASS(chocolate_layer(10));
  PASS(load(CHOCOLATE_DATA, 0, 8, 128));
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 256));
  PASS(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_MATRIX));
  PASS(chocolate_layer(20));
  PASS(chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_MATRIX));
  PASS(chocolate_conv(&tile));
  PASS(chocolate_push(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR));
  PASS(chocolate_layer(30));
  PASS(chocolate_pop(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR));
  PASS(chocolate_rescale(&scaling));
  PASS(chocolate_push(CHOCOLATE_VECTOR, CHOCOLATE_STORE));
  PASS(chocolate_layer(32767));
  PASS(chocolate_pop(CHOCOLATE_VECTOR, CHOCOLATE_STORE));
  PASS(chocolate_store(result, 1024, 8, 128, 128));
  return finish();
}

/* Checks that the commands are executed without an error. */
static void check_next_run(void) {
  CHECK(run_layers() == CHOCOLATE_OK && chocolate_failed_layer() == 0);
  for (int k = 0; k < 1024; ++k)
    CHECK(result[k] == 4);
}

/* Lets each command fail with each status, with and without a reset. */
static void test_faults(void) {
  static const int statuses[] = {CHOCOLATE_BAD_COMMAND, CHOCOLATE_TIMEOUT,
                                 CHOCOLATE_PARITY};
  long long executed = 0;
  CHECK(setenv("CHOCOLATE_FAULT", "15:3", 1) == 0);
  for (int k = 0; k < 16; ++k) {
    biases[k] = 1000;
    factors[k] = 0.001f;
  }
  PASS(chocolate_begin(16, 16, 16, 8));
  check_next_run();
  CHECK(run_layers() == CHOCOLATE_PARITY);
  CHECK(chocolate_failed_layer() == layers[15 - COMMANDS]);
  executed = 16;
  check_next_run();
  executed += COMMANDS;
  for (int k = 0; k < 6 * COMMANDS; ++k) {
    const int at = k / 6, status = statuses[k % 3];
    chocolate_statistics s;
    PASS(chocolate_begin(16, 16, 16, 8));
    chocolate_device_inject(executed + at, status);
    CHECK(run_layers() == status && chocolate_failed_layer() == layers[at]);
    CHECK(result[0] == 99 && result[1023] == 99);
    chocolate_get_statistics(&s);
    CHECK(s.commands == at && s.stored_bytes == 0);
    if (k % 2)
      PASS(chocolate_begin(16, 16, 16, 8));
    check_next_run();
    executed += at + 1 + COMMANDS;
  }
  /* A fault that is not reached does not remain after it was replaced. */
  chocolate_device_inject(executed + 2 * COMMANDS, CHOCOLATE_TIMEOUT);
  check_next_run();
  chocolate_device_inject(-1, CHOCOLATE_TIMEOUT);
  check_next_run();
  check_next_run();
}

/* Commands that start before the one that fails are executed, and others are
 * not: a load from 0 to 160, a wait until 160, and a load from 160. */
static void test_failed_order(void) {
  chocolate_window w = tile;
  chocolate_statistics s;
  PASS(chocolate_begin(16, 16, 16, 8));
  PASS(chocolate_layer(1));
  w.x = 8192; /* Undefined. */
  PASS(chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_MATRIX));
  PASS(chocolate_conv(&w));
  PASS(chocolate_layer(2));
  PASS(load(CHOCOLATE_DATA, 0, 8, 128));
  PASS(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_MATRIX));
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 256)); /* First of two at 160. */
  PASS(load(CHOCOLATE_DATA, 0, 8, 128));
  FINISH(CHOCOLATE_UNDEFINED);
  CHECK(chocolate_failed_layer() == 1 && now() == 160 + 64);
  chocolate_get_statistics(&s);
  CHECK(s.commands == 4 && s.loaded_bytes == 1024 + 256);
  /* A function that appends a command fails. */
  PASS(chocolate_layer(7));
  CHECK(chocolate_failed_layer() == 0);
  CHECK(chocolate_conv(NULL) == CHOCOLATE_BAD_COMMAND);
  CHECK(chocolate_failed_layer() == 7);
  PASS(load(CHOCOLATE_DATA, 0, 8, 128));
  CHECK(chocolate_failed_layer() == 0);
  /* The engine that waits first fails. */
  PASS(chocolate_layer(8));
  PASS(chocolate_pop(CHOCOLATE_MATRIX, CHOCOLATE_LOAD));
  PASS(chocolate_layer(9));
  PASS(chocolate_pop(CHOCOLATE_MATRIX, CHOCOLATE_STORE));
  FINISH(CHOCOLATE_TIMEOUT);
  CHECK(chocolate_failed_layer() == 9);
  PASS(chocolate_begin(16, 16, 16, 8));
  CHECK(chocolate_failed_layer() == 0);
}

/*===----------------------------------------------------------------------===*
 * Time
 *===----------------------------------------------------------------------===*/

static void test_time(void) {
  chocolate_statistics s;
  /* 3 blocks to 2 blocks, 3 x 2 taps, 3 x 4 pixels; x has 5 x 5. */
  chocolate_window w = {0, 0, 0,  400, 80, 4608, 768, 256, 40, 5, 5,
                        0, 0, 20, 3,   4,  3,    2,   1,   0,  0};
  chocolate_scaling r = {0, 768, 256,    4096,    192, 64,   20,
                         3, 3,   biases, factors, 0,   -128, 127};
  const chocolate_sum a = {0,  240, 48, 1024, 240, 48, 2048, 240, 48,
                           33, 3,   3,  1,    1,   1,  0,    0,   0};
  const chocolate_pooling p = {0, 256, 64, 2048, 240, 48, 20, 4,
                               4, 0,   0,  3,    3,   2,  2,  1};
  PASS(chocolate_begin(16, 16, 16, 64));
  ENDS(0);
  /* 32 + 4 * ceil(80 / 64) = 40. */
  PASS(load(CHOCOLATE_DATA, 0, 4, 80));
  ENDS(40);
  /* 32 + 16384 / 64 = 288. */
  PASS(load(CHOCOLATE_DATA, 0, 1, 16384));
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 16384));
  ENDS(40 + 288 + 288);
  /* 32 + 2 * 3 * 6 * max(16, 12) = 608. */
  PASS(chocolate_conv(&w));
  ENDS(616 + 608);
  /* 32 + 2 * 3 * 6 * max(16, 3 * 6) = 680. */
  w.iw = 7, w.ow = 6, w.sums_row = 384, w.sums_block = 1152;
  w.x_row = 112, w.x_block = 560;
  PASS(chocolate_conv(&w));
  ENDS(1224 + 680);
  /* 32 + 2 * 6 * 18 = 248; 32 + 2 * (128 / 64 + ceil(9 / 4)) = 42. */
  w.ic = 20, w.w_block = 96;
  PASS(chocolate_depthwise(&w));
  PASS(chocolate_rescale(&r));
  ENDS(1904 + 248 + 42);
  /* 32 + 3 * ceil(9 / 4) = 41; 32 + 2 * 4 * ceil(9 / 4) = 56. */
  PASS(chocolate_add(&a));
  PASS(chocolate_pool(&p));
  ENDS(2194 + 41 + 56);
  /* 32 + 3 * ceil(48 / 64) = 35. */
  PASS(chocolate_store(result, 5 * 16, 3, 48, 48));
  ENDS(2291 + 35);
  chocolate_get_statistics(&s);
  CHECK(s.busy[CHOCOLATE_LOAD] == 616 && s.busy[CHOCOLATE_MATRIX] == 1288);
  CHECK(s.busy[CHOCOLATE_VECTOR] == 387 && s.busy[CHOCOLATE_STORE] == 35);
  CHECK(s.loaded_bytes == 320 + 32768 && s.stored_bytes == 144);
  CHECK(s.macs == 40 * 20 * 6 * (12 + 18) + 20 * 6 * 18 && s.commands == 10);
  /* 32 + 20 * 128 / 1. */
  PASS(chocolate_begin(4, 1, 1, 1));
  ENDS(0);
  PASS(load(CHOCOLATE_DATA, 0, 20, 128));
  ENDS(2592);
  chocolate_get_statistics(&s);
  CHECK(s.commands == 1 && s.macs == 0 && s.busy[CHOCOLATE_MATRIX] == 0);
  chocolate_get_statistics(NULL);
}

/* Convolves `tiles` tiles with two buffers in each memory. Omits all tokens of
 * one kind: 0: LOAD to MATRIX; 1: MATRIX to LOAD; 2: MATRIX to VECTOR; 3:
 * VECTOR to MATRIX; 4: VECTOR to STORE; 5: STORE to VECTOR. Returns the status
 * of chocolate_await. */
static int run_pipeline(int tiles, int slow_stores, int omitted) {
  chocolate_window w = tile;
  chocolate_scaling r = scaling;
  PASS(chocolate_begin(4, 1, 8, 8));
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 256)); /* 32 + 32 = 64. */
  for (int k = 0; k < tiles; ++k) {
    w.x = k % 2 * 1024;
    w.sums = r.sums = k % 2 * 4096;
    r.y = 2048 + k % 2 * 1024;
    if (k >= 2 && omitted != 1)
      PASS(chocolate_pop(CHOCOLATE_MATRIX, CHOCOLATE_LOAD));
    PASS(load(CHOCOLATE_DATA, w.x, 8, 128)); /* 32 + 8 * 16 = 160. */
    if (omitted != 0)
      order(CHOCOLATE_LOAD, CHOCOLATE_MATRIX);
    if (k >= 2 && omitted != 3)
      PASS(chocolate_pop(CHOCOLATE_VECTOR, CHOCOLATE_MATRIX));
    PASS(chocolate_conv(&w)); /* 32 + 64 = 96. */
    if (k + 2 < tiles && omitted != 1)
      PASS(chocolate_push(CHOCOLATE_MATRIX, CHOCOLATE_LOAD));
    if (omitted != 2)
      order(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR);
    if (k >= 2 && omitted != 5)
      PASS(chocolate_pop(CHOCOLATE_STORE, CHOCOLATE_VECTOR));
    PASS(chocolate_rescale(&r)); /* 32 + 16 + 16 = 64. */
    if (k + 2 < tiles && omitted != 3)
      PASS(chocolate_push(CHOCOLATE_VECTOR, CHOCOLATE_MATRIX));
    if (omitted != 4)
      order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
    /* 32 + 8 * 16 = 160, once or twice. */
    PASS(chocolate_store(result, r.y, 8, 128, 128));
    if (slow_stores)
      PASS(chocolate_store(result, r.y, 8, 128, 128));
    if (k + 2 < tiles && omitted != 5)
      PASS(chocolate_push(CHOCOLATE_STORE, CHOCOLATE_VECTOR));
  }
  return finish();
}

static void test_overlap(void) {
  chocolate_statistics s;
  /* One tile: 64 + 160 + 96 + 64 + 160 = 544. */
  CHECK(run_pipeline(1, 0, -1) == CHOCOLATE_OK && now() == 544);
  /* Loads and stores of 160 hide the others. */
  CHECK(run_pipeline(2, 0, -1) == CHOCOLATE_OK && now() == 544 + 160);
  CHECK(run_pipeline(6, 0, -1) == CHOCOLATE_OK && now() == 544 + 5 * 160);
  chocolate_get_statistics(&s);
  CHECK(s.busy[CHOCOLATE_LOAD] == 64 + 6 * 160);
  CHECK(s.busy[CHOCOLATE_MATRIX] == 6 * 96);
  CHECK(s.busy[CHOCOLATE_VECTOR] == 6 * 64);
  CHECK(s.busy[CHOCOLATE_STORE] == 6 * 160);
  CHECK(s.macs == 6 * 256 * 64 && s.commands == 1 + 6 * 10 + 4 * 6);
  /* Stores are the bottleneck; the first starts at 384. */
  CHECK(run_pipeline(10, 1, -1) == CHOCOLATE_OK && now() == 384 + 10 * 320);
  /* The first conv, rescale or store starts at 0. */
  CHECK(run_pipeline(6, 0, 0) == CHOCOLATE_UNDEFINED);
  CHECK(run_pipeline(6, 0, 2) == CHOCOLATE_UNDEFINED);
  CHECK(run_pipeline(6, 0, 4) == CHOCOLATE_UNDEFINED);
  /* Without other tokens, fast stores hide that they are missing. */
  CHECK(run_pipeline(10, 0, 1) == CHOCOLATE_OK);
  CHECK(run_pipeline(10, 0, 3) == CHOCOLATE_OK);
  CHECK(run_pipeline(10, 0, 5) == CHOCOLATE_OK && now() == 544 + 9 * 160);
  /* The load of tile 7 starts when the conv of tile 5 ends (1184). That of
   * tile 8 (1344 to 1504) meets the conv of tile 6 (1408). */
  CHECK(run_pipeline(8, 1, 1) == CHOCOLATE_OK);
  CHECK(run_pipeline(9, 1, 1) == CHOCOLATE_HAZARD);
  /* The conv of tile 5 (1024 to 1120) meets the rescale of tile 3 (1024). */
  CHECK(run_pipeline(5, 1, 3) == CHOCOLATE_OK);
  CHECK(run_pipeline(6, 1, 3) == CHOCOLATE_HAZARD);
  /* The rescale of tile 2 (640) meets the second store of tile 0 (544 to 704).
   */
  CHECK(run_pipeline(2, 1, 5) == CHOCOLATE_OK);
  CHECK(run_pipeline(3, 1, 5) == CHOCOLATE_HAZARD);
}

/* Pops wait for pushes of the same number, in order. */
static void test_tokens(void) {
  PASS(chocolate_begin(4, 4, 4, 8));
  PASS(load(CHOCOLATE_DATA, 0, 1, 2048)); /* 0 to 288. */
  order(CHOCOLATE_LOAD, CHOCOLATE_STORE);
  PASS(chocolate_store(result, 0, 1, 16, 0)); /* 288 to 322. */
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 16));    /* 288 to 322. */
  order(CHOCOLATE_STORE, CHOCOLATE_VECTOR);
  order(CHOCOLATE_VECTOR, CHOCOLATE_MATRIX);
  order(CHOCOLATE_MATRIX, CHOCOLATE_LOAD);
  PASS(load(CHOCOLATE_DATA, 0, 1, 16)); /* 322 to 356. */
  ENDS(356);
  /* Tokens remain for later lists, in which commands start later. */
  PASS(chocolate_push(CHOCOLATE_VECTOR, CHOCOLATE_LOAD));
  PASS(chocolate_push(CHOCOLATE_VECTOR, CHOCOLATE_LOAD));
  ENDS(356);
  PASS(chocolate_pop(CHOCOLATE_VECTOR, CHOCOLATE_LOAD));
  PASS(load(CHOCOLATE_DATA, 0, 1, 16));
  ENDS(390);
  PASS(chocolate_pop(CHOCOLATE_VECTOR, CHOCOLATE_LOAD));
  ENDS(390);
  PASS(chocolate_pop(CHOCOLATE_VECTOR, CHOCOLATE_LOAD));
  FINISH(CHOCOLATE_TIMEOUT);
  /* Pops before the pushes that they wait for, in a cycle. */
  PASS(chocolate_pop(CHOCOLATE_MATRIX, CHOCOLATE_LOAD));
  PASS(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_MATRIX));
  PASS(chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_MATRIX));
  PASS(chocolate_push(CHOCOLATE_MATRIX, CHOCOLATE_LOAD));
  FINISH(CHOCOLATE_TIMEOUT);
  FINISH(CHOCOLATE_OK);
  /* An error drops the tokens, and chocolate_begin too. */
  PASS(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_STORE));
  PASS(chocolate_pop(CHOCOLATE_STORE, CHOCOLATE_LOAD));
  FINISH(CHOCOLATE_TIMEOUT);
  PASS(chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_STORE));
  FINISH(CHOCOLATE_TIMEOUT);
  PASS(chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_STORE));
  FINISH(CHOCOLATE_OK);
  PASS(chocolate_begin(4, 4, 4, 8));
  PASS(chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_STORE));
  FINISH(CHOCOLATE_TIMEOUT);
}

/*===----------------------------------------------------------------------===*
 * Lists
 *===----------------------------------------------------------------------===*/

/* Checks the growth of the counters since the previous call. */
static void check_words(long long words, long long registers,
                        long long all_registers) {
  static chocolate_statistics old;
  chocolate_statistics s;
  chocolate_get_statistics(&s);
  CHECK(s.words - old.words == words);
  CHECK(s.registers - old.registers == registers);
  CHECK(s.all_registers - old.all_registers == all_registers);
  old = s;
}

/* Registers that have their value are not written, within one list. */
static void test_registers(void) {
  chocolate_scaling r = scaling;
  PASS(chocolate_begin(16, 16, 16, 8));
  FINISH(CHOCOLATE_OK);
  check_words(0, 0, 0); /* There is no list. */
  /* Header 9, set 1 + 2 (rows, row_bytes), load, end. */
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory, 1, 16, 0));
  FINISH(CHOCOLATE_OK);
  check_words(14, 2, 7);
  /* As before, layer, set 1 + 3 (rows, row_bytes, stride), 2 loads. */
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory, 1, 16, 0));
  PASS(chocolate_layer(5));
  PASS(chocolate_layer(6));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory, 8, 128, 128));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory, 8, 128, 128));
  FINISH(CHOCOLATE_OK);
  check_words(14 + 1 + 4 + 2, 2 + 3, 3 * 7);
  /* The layer remains. 2 segments; set 1 + 2 and load; set 1 + 1 (segment) and
   * load; set 1 + 2 (segment, offset) and load. */
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory, 1, 16, 0));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory + 64, 1, 16, 0));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, main_memory + 16, 1, 16, 0));
  FINISH(CHOCOLATE_OK);
  check_words(8 + 2 + 1 + 4 + 3 + 4 + 1, 2 + 1 + 2, 3 * 7);
  /* Set 1 + 4 and load, twice; set 3 + 11 and conv. */
  PASS(load(CHOCOLATE_WEIGHTS, 0, 1, 256));
  PASS(load(CHOCOLATE_DATA, 0, 8, 128));
  order(CHOCOLATE_LOAD, CHOCOLATE_MATRIX);
  PASS(chocolate_conv(&tile));
  order(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR);
  FINISH(CHOCOLATE_OK);
  check_words(9 + 1 + 6 + 6 + 2 + 14 + 1 + 2 + 1, 4 + 4 + 11, 2 * 7 + 21);
  /* The registers of missing biases keep their values. */
  for (int k = 0; k < 3; ++k) {
    r.bias = k == 1 ? NULL : biases;
    PASS(chocolate_rescale(&r));
  }
  FINISH(CHOCOLATE_OK);
  check_words(10 + 1 + 14 + 1 + 2 + 1 + 2 + 1 + 1, 11 + 2, 3 * 17);
}

/* The host works between the launch and the wait. */
static void test_launch(void) {
  memset(main_memory, 1, 64);
  memset(result, 99, 64);
  PASS(chocolate_begin(4, 4, 4, 8));
  PASS(load(CHOCOLATE_DATA, 0, 1, 16)); /* 0 to 34. */
  order(CHOCOLATE_LOAD, CHOCOLATE_STORE);
  PASS(chocolate_store(result, 0, 1, 16, 16)); /* 34 to 68. */
  PASS(chocolate_launch());
  /* Other work, and a second list: it starts after the first one. */
  memset(main_memory + 32, 2, 16);
  PASS(chocolate_load(CHOCOLATE_DATA, 16, main_memory + 32, 1, 16, 0));
  order(CHOCOLATE_LOAD, CHOCOLATE_STORE);
  PASS(chocolate_store(result + 16, 0, 1, 32, 0)); /* 102 to 138. */
  CHECK(now() == 0);
  PASS(chocolate_launch());
  PASS(load(CHOCOLATE_DATA, 0, 1, 16)); /* Is not launched. */
  PASS(chocolate_await());
  CHECK(now() == 138 && result[15] == 1 && result[16] == 1);
  CHECK(result[32] == 2 && result[47] == 2 && result[48] == 99);
  PASS(chocolate_await());
  CHECK(now() == 138);
  ENDS(172);
  /* chocolate_begin waits for the first list and drops the second. */
  memset(result, 99, 64);
  PASS(chocolate_store(result, 0, 1, 16, 0));
  PASS(chocolate_launch());
  PASS(chocolate_store(result + 16, 0, 1, 16, 0));
  PASS(chocolate_begin(4, 4, 4, 8));
  CHECK(now() == 0 && result[0] == 1 && result[16] == 99);
  ENDS(0);
  /* An error drops the lists that follow. */
  PASS(chocolate_store(result, 0, 1, 16, 0));
  PASS(chocolate_launch());
  PASS(load(CHOCOLATE_DATA, 0, 1, 16));
  FINISH(CHOCOLATE_UNDEFINED);
  ENDS(0);
}

static void test_full(void) {
  PASS(chocolate_begin(1, 1, 1, 8));
  for (int k = 0; k < 1 << 20; ++k)
    if (chocolate_push(CHOCOLATE_LOAD, CHOCOLATE_STORE) != CHOCOLATE_OK)
      CHECK(0);
  CHECK(load(CHOCOLATE_DATA, 0, 1, 16) == CHOCOLATE_FULL);
  ENDS(0);
  for (int k = 0; k < 1 << 20; ++k)
    if (chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_STORE) != CHOCOLATE_OK)
      CHECK(0);
  FINISH(CHOCOLATE_OK);
  PASS(chocolate_pop(CHOCOLATE_LOAD, CHOCOLATE_STORE));
  FINISH(CHOCOLATE_TIMEOUT);
}

int main(void) {
  test_faults();
  test_failed_order();
  test_time();
  test_overlap();
  test_tokens();
  test_registers();
  test_launch();
  test_full();
  return failures != 0;
}
