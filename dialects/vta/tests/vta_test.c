/*===- vta_test.c - Tests of the VTA model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares the clock of the model with numbers computed by hand, and its
 * statuses with the interface. Returns 0 if all checks pass.
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
#define BAD(call) CHECK((call) == VTA_BAD_INSTRUCTION)
#define FINISH(status) CHECK(vta_finish() == (status))
#define ENDS(time) CHECK(vta_finish() == VTA_OK && now() == (time))

static void check(int holds, const char *condition, int line) {
  if (holds)
    return;
  printf("vta_test.c:%d: failed: %s\n", line, condition);
  ++failures;
}

/* Returns a random number from `low` to `high`. */
static int pick(int low, int high) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return low + (int)((state >> 8) % (uint32_t)(high - low + 1));
}

static int8_t main_memory[1 << 20];
static int8_t result[1 << 17];
static float factors[1 << 14];

/* Writes a load from the start of main_memory. */
static int load(int memory, int to, int rows, int row_bytes, int stride) {
  return vta_load(memory, to, main_memory, rows, row_bytes, stride);
}

/* Writes a token and the instruction that waits for it. */
static void order(int from, int to) {
  PASS(vta_push(from, to));
  PASS(vta_pop(from, to));
}

static long long now(void) {
  vta_statistics s;
  vta_get_statistics(&s);
  return s.cycles;
}

/*===----------------------------------------------------------------------===*
 * Time
 *===----------------------------------------------------------------------===*/

/* Tiles of 16 x 8 x 8 inputs and results, one image and one block. */
static const vta_gemm_instruction simple_gemm = {
    0, 0, 0, 0, 0, 128, 0, 0, 0, 512, 1, 16, 16, 8, 8, 1, 1, 1, 0, 1};
static const vta_alu_instruction simple_alu = {
    0, 0, 0, 512, -1, 0, 0, 0, 128, 1, 16, 8, 8, factors, 0, -128, 127};

static void test_time(void) {
  vta_statistics s;
  /* 2 groups, 3 blocks of 16 in, 2 blocks of 32 out, 4 x 5 pixels, 3 x 2 taps;
   * the input has 6 x 6 pixels of 2 x 16 bytes. */
  vta_gemm_instruction g = {0, 0,  0,  3456, 1152, 192, 9216, 10240, 5120, 1280,
                            3, 40, 40, 4,    5,    3,   2,    1,     0,    1};
  vta_alu_instruction a = {0, 10240, 5120, 1280, -1,      0, 2560, 1280, 320,
                           3, 40,    4,    5,    factors, 0, -128, 127};
  PASS(vta_init(2, 16, 32, 64, 64, 64, 64));
  ENDS(0);
  /* 16 + 4 * ceil(81 / 8) = 60. */
  PASS(load(VTA_INP, 0, 4, 81, 100));
  ENDS(60);
  /* 16 + 6912 / 8 = 880; 60 to 940. */
  PASS(load(VTA_INP, 0, 1, 6912, 0));
  /* 16 + 2 * 9216 / 8 = 2320; 940 to 3260. */
  PASS(load(VTA_WGT, 0, 2, 9216, 0));
  /* COMPUTE: 16 + 1 = 17; 60 to 77. */
  PASS(load(VTA_ACC, 32768, 1, 4, 0));
  order(VTA_LOAD, VTA_COMPUTE);
  /* 16 + 2 * 2 * 3 * 6 * 20 = 1456; 3260 to 4716. */
  PASS(vta_gemm(&g));
  /* 16 + 4 * 2 * 2 * 20 = 336; 4716 to 5052. */
  PASS(vta_alu(&a));
  order(VTA_COMPUTE, VTA_STORE);
  /* 16 + 3 * ceil(30 / 8) = 28; 5052 to 5080. */
  PASS(vta_store(result, 5, 3, 30, 30));
  CHECK(now() == 60); /* Nothing has happened yet. */
  ENDS(5080);
  vta_get_statistics(&s);
  CHECK(s.busy[VTA_LOAD] == 60 + 880 + 2320);
  CHECK(s.busy[VTA_COMPUTE] == 17 + 1456 + 336 && s.busy[VTA_STORE] == 28);
  CHECK(s.loaded_bytes == 324 + 6912 + 18432 + 4 && s.stored_bytes == 90);
  CHECK(s.macs == 3LL * 40 * 40 * 6 * 20 && s.instructions == 11);
  /* The next call continues: all modules start at 5080. */
  PASS(load(VTA_INP, 0, 1, 8, 0));
  PASS(vta_store(result, 0, 1, 80, 0));
  ENDS(5106);
  /* Instructions that are not executed do not count. */
  PASS(load(VTA_INP, 0, 1, 8, 0));
  PASS(vta_init(1, 16, 16, 1, 1, 1, 1));
  ENDS(0);
  vta_get_statistics(&s);
  CHECK(s.instructions == 0 && s.macs == 0 && s.busy[VTA_LOAD] == 0);
  vta_get_statistics(NULL);
}

/* Convolves `tiles` tiles with two buffers in each memory. The host writes one
 * queue after the other. Omits all tokens of one kind: 0: LOAD to COMPUTE; 1:
 * COMPUTE to LOAD; 2: COMPUTE to STORE; 3: STORE to COMPUTE. Returns the status
 * of vta_finish. */
static int run_pipeline(int tiles, int slow_stores, int omitted) {
  vta_gemm_instruction g = simple_gemm;
  vta_alu_instruction a = simple_alu;
  PASS(vta_init(1, 16, 16, 2, 1, 8, 2));
  PASS(load(VTA_WGT, 0, 1, 256, 0)); /* 16 + 32 = 48. */
  for (int k = 0; k < tiles; ++k) {
    if (k >= 2 && omitted != 1)
      PASS(vta_pop(VTA_COMPUTE, VTA_LOAD));
    PASS(load(VTA_INP, k % 2 * 1024, 8, 128, 128)); /* 16 + 8 * 16 = 144. */
    if (omitted != 0)
      PASS(vta_push(VTA_LOAD, VTA_COMPUTE));
  }
  for (int k = 0; k < tiles; ++k) {
    g.inp = a.out = k % 2 * 1024;
    g.acc = a.acc = k % 2 * 4096;
    if (omitted != 0)
      PASS(vta_pop(VTA_LOAD, VTA_COMPUTE));
    PASS(vta_gemm(&g)); /* 16 + 64 = 80. */
    if (k + 2 < tiles && omitted != 1)
      PASS(vta_push(VTA_COMPUTE, VTA_LOAD));
    if (k >= 2 && omitted != 3)
      PASS(vta_pop(VTA_STORE, VTA_COMPUTE));
    PASS(vta_alu(&a)); /* 16 + 4 * 64 = 272. */
    if (omitted != 2)
      PASS(vta_push(VTA_COMPUTE, VTA_STORE));
  }
  for (int k = 0; k < tiles; ++k) {
    if (omitted != 2)
      PASS(vta_pop(VTA_COMPUTE, VTA_STORE));
    /* 16 + 1024 = 1040, or 16 + 64 * 2 = 144. */
    PASS(slow_stores ? vta_store(result, k % 2 * 1024, 1024, 1, 1)
                     : vta_store(result, k % 2 * 1024, 64, 16, 16));
    if (k + 2 < tiles && omitted != 3)
      PASS(vta_push(VTA_STORE, VTA_COMPUTE));
  }
  return vta_finish();
}

static void test_overlap(void) {
  vta_statistics s;
  /* One tile: 48 + 144 + 80 + 272 + 144 = 688. */
  CHECK(run_pipeline(1, 0, -1) == VTA_OK && now() == 688);
  /* Loads and stores of other tiles are hidden: 80 + 272 = 352 per tile. */
  CHECK(run_pipeline(2, 0, -1) == VTA_OK && now() == 688 + 352);
  CHECK(run_pipeline(6, 0, -1) == VTA_OK && now() == 688 + 5 * 352);
  vta_get_statistics(&s);
  CHECK(s.busy[VTA_LOAD] == 48 + 6 * 144 && s.busy[VTA_STORE] == 6 * 144);
  CHECK(s.busy[VTA_COMPUTE] == 6 * 352);
  CHECK(s.macs == 6 * 256 * 64 && s.instructions == 25 + 2 * 20);
  /* Stores are the bottleneck; the first starts at 544. */
  CHECK(run_pipeline(6, 1, -1) == VTA_OK && now() == 544 + 6 * 1040);
  /* The first gemm starts at 0. */
  CHECK(run_pipeline(6, 0, 0) == VTA_UNDEFINED);
  /* The fourth load (480 to 624) meets the second gemm (544 to 624). */
  CHECK(run_pipeline(6, 0, 1) == VTA_HAZARD && now() == 624);
  CHECK(run_pipeline(3, 0, 1) == VTA_OK);
  /* The first store starts at 0. */
  CHECK(run_pipeline(6, 0, 2) == VTA_UNDEFINED);
  /* The first store (544 to 1584) meets the third alu (976 to 1248). */
  CHECK(run_pipeline(6, 1, 3) == VTA_HAZARD);
  CHECK(run_pipeline(6, 0, 3) == VTA_OK && now() == 688 + 5 * 352);
}

/* Pops wait for pushes of the same number, in order, in all six FIFOs. */
static void test_tokens(void) {
  PASS(vta_init(1, 16, 16, 1, 1, 1, 1));
  PASS(load(VTA_INP, 0, 1, 8, 0)); /* 0 to 17. */
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(load(VTA_ACC, 0, 1, 8, 0));  /* 17 to 34. */
  PASS(load(VTA_INP, 0, 1, 80, 0)); /* 17 to 43. */
  order(VTA_COMPUTE, VTA_STORE);
  order(VTA_STORE, VTA_LOAD); /* At 34. */
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(load(VTA_ACC, 0, 1, 8, 0));   /* 43 to 60. */
  PASS(load(VTA_INP, 0, 1, 800, 0)); /* 43 to 159. */
  ENDS(159);
  /* Tokens remain for the next call; the loads wait for nothing. */
  order(VTA_STORE, VTA_COMPUTE);
  PASS(vta_push(VTA_COMPUTE, VTA_LOAD));
  PASS(vta_push(VTA_COMPUTE, VTA_LOAD));
  ENDS(159);
  PASS(vta_pop(VTA_COMPUTE, VTA_LOAD));
  PASS(load(VTA_INP, 0, 1, 8, 0));
  ENDS(176);
  PASS(vta_pop(VTA_COMPUTE, VTA_LOAD));
  ENDS(176);
  PASS(vta_pop(VTA_COMPUTE, VTA_LOAD));
  FINISH(VTA_DEADLOCK);
  /* Pops before the pushes that they wait for, in a cycle. */
  PASS(vta_pop(VTA_COMPUTE, VTA_LOAD));
  PASS(vta_push(VTA_LOAD, VTA_COMPUTE));
  PASS(vta_pop(VTA_LOAD, VTA_COMPUTE));
  PASS(vta_push(VTA_COMPUTE, VTA_LOAD));
  FINISH(VTA_DEADLOCK);
  FINISH(VTA_OK);
  /* A deadlock drops the tokens, and vta_init too. */
  PASS(vta_push(VTA_LOAD, VTA_STORE));
  PASS(vta_pop(VTA_STORE, VTA_LOAD));
  FINISH(VTA_DEADLOCK);
  PASS(vta_pop(VTA_LOAD, VTA_STORE));
  FINISH(VTA_DEADLOCK);
  PASS(vta_push(VTA_LOAD, VTA_STORE));
  FINISH(VTA_OK);
  PASS(vta_init(1, 16, 16, 1, 1, 1, 1));
  PASS(vta_pop(VTA_LOAD, VTA_STORE));
  FINISH(VTA_DEADLOCK);
}

static void test_full(void) {
  PASS(vta_init(1, 16, 16, 1, 1, 1, 1));
  for (int k = 0; k < 1 << 20; ++k)
    if (vta_push(VTA_LOAD, VTA_STORE) != VTA_OK)
      CHECK(0);
  CHECK(load(VTA_INP, 0, 1, 1, 0) == VTA_FULL); /* The queue. */
  PASS(load(VTA_ACC, 0, 1, 4, 0));
  ENDS(17);
  CHECK(vta_push(VTA_LOAD, VTA_STORE) == VTA_FULL); /* The FIFO. */
  for (int k = 0; k < 1 << 20; ++k)
    if (vta_pop(VTA_LOAD, VTA_STORE) != VTA_OK)
      CHECK(0);
  FINISH(VTA_OK);
  PASS(vta_push(VTA_LOAD, VTA_STORE));
}

/*===----------------------------------------------------------------------===*
 * Statuses
 *===----------------------------------------------------------------------===*/

/* Resets a device with 2, 1, 8 and 2 KiB, and loads the simple tile. */
static void load_simple(void) {
  PASS(vta_init(1, 16, 16, 2, 1, 8, 2));
  PASS(load(VTA_INP, 0, 8, 128, 128)); /* 0 to 144. */
  PASS(load(VTA_WGT, 0, 1, 256, 0));   /* 144 to 192. */
}

/* Loads the simple tile and its sums. Writes a gemm or an alu, or both. */
static int run(const vta_gemm_instruction *g, const vta_alu_instruction *a) {
  load_simple();
  PASS(load(VTA_ACC, 0, 1, 4096, 0));
  FINISH(VTA_OK);
  if (g != NULL)
    PASS(vta_gemm(g));
  if (a != NULL)
    PASS(vta_alu(a));
  return vta_finish();
}

static void test_hazards(void) {
  /* Loads of single bytes during the gemm (192 to 272). */
  for (int k = 0; k < 16; ++k) {
    static const int at[] = {0, 500, 1023, 1024, 0, 100, 255, 256};
    const int ordered = k / 8, is_free = k % 4 == 3;
    load_simple();
    order(VTA_LOAD, VTA_COMPUTE);
    PASS(vta_gemm(&simple_gemm));
    if (ordered)
      order(VTA_COMPUTE, VTA_LOAD);
    PASS(load(k % 8 < 4 ? VTA_INP : VTA_WGT, at[k % 8], 1, 1, 0));
    FINISH(ordered || is_free ? VTA_OK : VTA_HAZARD);
  }
  /* A load without a token after the gemm, and one cycle before its end. */
  for (int early = 0; early < 2; ++early) {
    load_simple();
    order(VTA_LOAD, VTA_COMPUTE);
    PASS(vta_gemm(&simple_gemm));
    PASS(load(VTA_INP, 1024, 1, early ? 504 : 512, 0)); /* 192 to 271 or 272. */
    PASS(load(VTA_INP, 0, 1, 1024, 0));
    FINISH(early ? VTA_HAZARD : VTA_OK);
  }
  load_simple();
  PASS(vta_pop(VTA_LOAD, VTA_COMPUTE));
  PASS(vta_gemm(&simple_gemm));
  FINISH(VTA_DEADLOCK);
  /* The token between the loads does not protect WGT. */
  PASS(vta_init(1, 16, 16, 2, 1, 8, 2));
  PASS(load(VTA_INP, 0, 8, 128, 128));
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(load(VTA_WGT, 0, 1, 256, 0));
  PASS(vta_gemm(&simple_gemm));
  FINISH(VTA_HAZARD);
  for (int ordered = 0; ordered < 2; ++ordered) {
    /* A store of the last byte while the alu rewrites it. */
    CHECK(run(NULL, &simple_alu) == VTA_OK);
    PASS(vta_alu(&simple_alu));
    if (ordered)
      order(VTA_COMPUTE, VTA_STORE);
    PASS(vta_store(result, 1023, 1, 1, 0));
    FINISH(ordered ? VTA_OK : VTA_HAZARD);
    /* An alu that starts 17 cycles after a store of the last 10 bytes. */
    CHECK(run(NULL, &simple_alu) == VTA_OK);
    PASS(vta_store(result, 1014, 10, 1, 1));
    PASS(load(VTA_ACC, 0, 1, 4, 0));
    if (ordered)
      order(VTA_STORE, VTA_COMPUTE);
    PASS(vta_alu(&simple_alu));
    FINISH(ordered ? VTA_OK : VTA_HAZARD);
  }
  /* A gemm during the loads. After a hazard, the device can be used. */
  load_simple();
  PASS(vta_gemm(&simple_gemm));
  FINISH(VTA_HAZARD);
  PASS(load(VTA_WGT, 0, 1, 256, 0));
  order(VTA_LOAD, VTA_COMPUTE);
  PASS(vta_gemm(&simple_gemm));
  FINISH(VTA_OK);
}

static vta_gemm_instruction gemm;
static vta_alu_instruction alu;

/* Change one field of a valid instruction. Return the status of vta_finish, or
 * check that the instruction is malformed. */
#define RUN_GEMM(change) (gemm = simple_gemm, gemm.change, run(&gemm, NULL))
#define RUN_ALU(change) (alu = simple_alu, alu.change, run(NULL, &alu))
#define BAD_LOAD(...) (load(__VA_ARGS__) == VTA_BAD_INSTRUCTION)
#define BAD_GEMM(change)                                                       \
  (gemm = simple_gemm, gemm.change, vta_gemm(&gemm) == VTA_BAD_INSTRUCTION)
#define BAD_ALU(change)                                                        \
  (alu = simple_alu, alu.change, vta_alu(&alu) == VTA_BAD_INSTRUCTION)

static void test_undefined(void) {
  CHECK(run(&simple_gemm, &simple_alu) == VTA_OK);
  CHECK(RUN_GEMM(inp = 1) == VTA_UNDEFINED);
  CHECK(RUN_GEMM(wgt = 1) == VTA_UNDEFINED);
  CHECK(RUN_GEMM(acc = 4) == VTA_OK);
  gemm.reset = 0, gemm.acc = 8;
  CHECK(run(&gemm, NULL) == VTA_UNDEFINED);
  gemm.acc = 0;
  CHECK(run(&gemm, NULL) == VTA_OK);
  CHECK(RUN_ALU(acc = 4) == VTA_UNDEFINED);
  CHECK(RUN_ALU(bias = 4096 - 64) == VTA_OK);
  CHECK(RUN_ALU(bias = 4096 - 60) == VTA_UNDEFINED);
  CHECK(RUN_ALU(out = 1000) == VTA_OK);
  PASS(vta_store(result, 1000, 1, 1024, 0));
  FINISH(VTA_OK);
  PASS(vta_store(result, 999, 1, 8, 0));
  FINISH(VTA_UNDEFINED);
  /* vta_init makes all memories undefined. */
  PASS(load(VTA_ACC, 0, 1, 4096, 0));
  FINISH(VTA_OK);
  PASS(vta_init(1, 16, 16, 2, 1, 8, 2));
  PASS(vta_alu(&simple_alu));
  FINISH(VTA_UNDEFINED);
  PASS(vta_store(result, 1000, 1, 1, 0));
  FINISH(VTA_UNDEFINED);
}

static void test_bad_instructions(void) {
  static const int inits[][7] = {
      {0, 1, 1, 1, 1, 1, 1},  {17, 1, 1, 1, 1, 1, 1},
      {1, 0, 1, 1, 1, 1, 1},  {1, 65, 1, 1, 1, 1, 1},
      {1, 1, -1, 1, 1, 1, 1}, {1, 1, 65, 1, 1, 1, 1},
      {1, 1, 1, 0, 1, 1, 1},  {1, 1, 1, 1, 1025, 1, 1},
      {1, 1, 1, 1, 1, -1, 1}, {1, 1, 1, 1, 1, 1, INT_MAX}};
  const float infinite = HUGE_VALF;
  for (size_t k = 0; k < sizeof(inits) / sizeof(inits[0]); ++k) {
    const int *i = inits[k];
    BAD(vta_init(i[0], i[1], i[2], i[3], i[4], i[5], i[6]));
  }
  load_simple();
  CHECK(BAD_LOAD(VTA_OUT, 0, 1, 16, 0) && BAD_LOAD(-1, 0, 1, 16, 0));
  CHECK(BAD_LOAD(VTA_INP, -1, 1, 16, 0) && BAD_LOAD(VTA_INP, 2033, 1, 16, 0));
  CHECK(BAD_LOAD(VTA_INP, 0, 0, 16, 0) && BAD_LOAD(VTA_INP, 0, 1, 0, 0));
  CHECK(BAD_LOAD(VTA_INP, 0, 2, 16, -16) && BAD_LOAD(VTA_ACC, 2, 1, 16, 0));
  CHECK(BAD_LOAD(VTA_ACC, 0, 1, 18, 0));
  CHECK(BAD_LOAD(VTA_INP, 0, INT_MAX, INT_MAX, 0));
  BAD(vta_load(VTA_INP, 0, NULL, 1, 16, 0));
  BAD(vta_store(NULL, 0, 1, 16, 0));
  BAD(vta_store(result, 2040, 1, 16, 0));
  BAD(vta_store(result, 0, 2, 16, 15));
  BAD(vta_gemm(NULL));
  BAD(vta_alu(NULL));
  BAD(vta_push(VTA_LOAD, VTA_LOAD));
  BAD(vta_push(-1, VTA_LOAD));
  BAD(vta_pop(VTA_LOAD, 3));
  CHECK(BAD_GEMM(inp = -1) && BAD_GEMM(inp = 1025) && BAD_GEMM(wgt = 769));
  CHECK(BAD_GEMM(acc = 2) && BAD_GEMM(acc = 4100) && BAD_GEMM(acc_row = 508));
  CHECK(BAD_GEMM(inp_row = -1) && BAD_GEMM(n = 2) && BAD_GEMM(oc = 17));
  CHECK(BAD_GEMM(ic = 0) && BAD_GEMM(ow = 0) && BAD_GEMM(stride = 0));
  CHECK(BAD_GEMM(stride = INT_MAX) && BAD_GEMM(acc_row = 514));
  CHECK(BAD_GEMM(x_zero = 128) && BAD_GEMM(reset = 2) && BAD_GEMM(reset = -1));
  CHECK(BAD_ALU(acc = -4) && BAD_ALU(bias = -2) && BAD_ALU(bias = 2));
  CHECK(BAD_ALU(bias = 8132) && BAD_ALU(out = 1025) && BAD_ALU(out_row = 127));
  CHECK(BAD_ALU(factor = NULL) && BAD_ALU(factor = &infinite));
  CHECK(BAD_ALU(oc = INT_MAX) && BAD_ALU(oh = 0) && BAD_ALU(y_zero = -129));
  CHECK(BAD_ALU(low = 128) && BAD_ALU(high = -129) && BAD_ALU(n = INT_MIN));
  /* Two blocks of 8 rows of 512 bytes: they overlap, or rows alternate. */
  gemm = simple_gemm;
  gemm.oc = 32, gemm.wgt_block = 256, gemm.acc_block = 4092;
  BAD(vta_gemm(&gemm));
  gemm.acc_block = 512;
  BAD(vta_gemm(&gemm));
  gemm.acc_row = 1024;
  PASS(vta_gemm(&gemm));
  load_simple();
  BAD(vta_trace("/missing/folder/trace"));
  PASS(vta_trace(NULL));
  /* Functions that fail have no effect. */
  ENDS(192);
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

/* Writes one instruction with random fields. The bytes of main memory that a
 * valid instruction can access are bounded. */
static int write_random_instruction(void) {
  vta_gemm_instruction g = simple_gemm;
  vta_alu_instruction a = simple_alu;
  const int row_bytes = pick_field(), rows = pick_field(), at = pick_field();
  const int stride = pick(0, 1) ? row_bytes : pick(-9, 16);
  for (int changes = pick(0, 2); changes > 0; --changes) {
    const int value = pick_field();
    ((int *)&g)[pick(0, (int)(sizeof(g) / sizeof(int)) - 1)] = value;
    ((int *)&a)[pick(0, 12)] = value; /* Up to ow. */
  }
  a.low = pick(0, 3) == 0 ? pick_field() : -128;
  const int kind = pick(0, 20);
  if (kind < 4)
    return load(pick(-1, 4), at, rows, row_bytes, stride);
  if (kind < 8)
    return vta_store(result, at, rows, row_bytes, stride);
  if (kind < 13)
    return kind < 12 ? vta_push(pick(-1, 3), pick(0, 2))
                     : vta_pop(pick(-1, 3), pick(0, 2));
  return kind < 17 ? vta_gemm(&g) : vta_alu(&a);
}

static void test_random_instructions(void) {
  int written[VTA_FULL + 1] = {0}, finished[VTA_FULL + 1] = {0};
  for (int k = 0; k < 40000; ++k) {
    if (k % 20 == 0) {
      ++finished[vta_finish()];
      load_simple();
      if (pick(0, 1))
        FINISH(VTA_OK);
    }
    ++written[write_random_instruction()];
  }
  CHECK(written[VTA_BAD_INSTRUCTION] > 10000 && written[VTA_OK] > 10000);
  CHECK(written[VTA_OK] + written[VTA_BAD_INSTRUCTION] == 40000);
  CHECK(finished[VTA_OK] > 20 && finished[VTA_HAZARD] > 20);
  CHECK(finished[VTA_UNDEFINED] > 20 && finished[VTA_DEADLOCK] > 20);
  CHECK(finished[VTA_BAD_INSTRUCTION] == 0 && finished[VTA_FULL] == 0);
}

/* Before vta_init, all instructions are malformed. */
static void test_uninitialized(void) {
  BAD(load(VTA_INP, 0, 1, 1, 0));
  BAD(vta_store(result, 0, 1, 1, 0));
  BAD(vta_gemm(&simple_gemm));
  BAD(vta_alu(&simple_alu));
  BAD(vta_push(VTA_LOAD, VTA_STORE));
  BAD(vta_pop(VTA_LOAD, VTA_STORE));
  ENDS(0);
}

int main(void) {
  test_uninitialized();
  test_time();
  test_overlap();
  test_tokens();
  test_full();
  test_hazards();
  test_undefined();
  test_bad_instructions();
  test_random_instructions();
  return failures != 0;
}
