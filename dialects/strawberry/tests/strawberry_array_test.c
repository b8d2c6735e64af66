/*===- strawberry_array_test.c - Both models of the array -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Prints the cycles and a checksum of all sums for large and random commands.
 * The output of the model in C must equal the output of the model in Verilog.
 *
 *===----------------------------------------------------------------------===*/

#include "../runtime/strawberry_array.h"

#include <limits.h>
#include <stdio.h>

enum {
  MEMORY = STRAWBERRY_ARRAY_MAX_BYTES,
  COMMANDS = 300 /* Random ones. */
};

/* Returns a random number (xorshift). */
static uint32_t next_random(void) {
  static uint32_t state = 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

/* Returns a random number from `low` to `high`. */
static int pick(int low, int high) {
  return low + (int)(next_random() % (uint32_t)(high - low + 1));
}

/* Returns a random address of an area that ends within a memory. Every fourth
 * area is at the end of the memory. */
static int pick_address(int bytes, int alignment) {
  const int last = (MEMORY - bytes) / alignment;
  return alignment * (pick(0, 3) == 0 ? last : pick(0, last));
}

/* Sets the distances between `blocks` blocks of `rows` rows. The rows of
 * different blocks alternate in every second case. Returns the bytes of the
 * area. */
static int place(int blocks, int rows, int row_bytes, int alignment, int *block,
                 int *row) {
  const int gap = pick(0, 2) * alignment;
  if (pick(0, 1)) {
    *block = row_bytes + gap;
    *row = blocks * *block + gap;
  } else {
    *row = row_bytes + gap;
    *block = rows * *row + gap;
  }
  return (blocks - 1) * *block + (rows - 1) * *row + row_bytes;
}

static void run(const strawberry_tile *t, int is_depthwise) {
  const strawberry_array_memories memories = strawberry_array_get_memories();
  const long long cycles = strawberry_array_run(t, is_depthwise);
  uint32_t checksum = 0;
  for (int i = 0; i < MEMORY / 4; ++i)
    checksum = checksum * 31 + memories.sums[i];
  printf("%s ic=%d ih=%d iw=%d top=%d left=%d oc=%d oh=%d ow=%d kh=%d kw=%d "
         "stride=%d,%d accumulate=%d: %lld cycles, sums %08lx\n",
         is_depthwise ? "depthwise" : "conv", t->ic, t->ih, t->iw, t->top,
         t->left, t->oc, t->oh, t->ow, t->kh, t->kw, t->stride_y, t->stride_x,
         t->accumulate, cycles, (unsigned long)checksum);
}

/* Runs a command with random sizes, places and padding. */
static void run_random(void) {
  strawberry_tile t;
  const int is_depthwise = pick(0, 1);
  const int largest = pick(0, 2) == 0 ? 2 : 9;
  const int word = is_depthwise ? 16 : 256;
  t.ic = pick(1, 50), t.ih = pick(0, 9), t.iw = pick(0, 9);
  t.oc = is_depthwise ? t.ic : pick(1, 50);
  t.oh = pick(1, largest), t.ow = pick(1, largest);
  t.kh = pick(1, 4), t.kw = pick(1, 4);
  t.stride_y = pick(1, 3), t.stride_x = pick(1, 3);
  t.top = pick(0, 4), t.left = pick(0, 4);
  /* Positions far outside of x, which narrow counters would wrap into x. */
  if (pick(0, 9) == 0)
    t.stride_y = pick(0, 1) ? INT_MAX - pick(0, 5) : 1 << 30;
  if (pick(0, 9) == 0)
    t.stride_x = pick(0, 1) ? INT_MAX - pick(0, 5) : 1 << 30;
  if (pick(0, 9) == 0)
    t.top = INT_MAX - pick(0, 5);
  if (pick(0, 9) == 0)
    t.left = INT_MAX - pick(0, 5);
  t.x_zero = pick(-128, 127), t.accumulate = pick(0, 1);
  const int inputs = (t.ic + 15) / 16, outputs = (t.oc + 15) / 16;
  /* Without rows or columns, x has an address and no bytes. */
  const int bytes = place(inputs, t.ih, t.iw * 16, 16, &t.x_block, &t.x_row);
  t.x = pick_address(t.ih > 0 && t.iw > 0 ? bytes : 0, 16);
  t.w_block =
      (is_depthwise ? 1 : inputs) * t.kh * t.kw * word + pick(0, 2) * word;
  t.w = pick_address(outputs * t.w_block, 16);
  t.sums = pick_address(
      place(outputs, t.oh, t.ow * 64, 64, &t.sums_block, &t.sums_row), 64);
  run(&t, is_depthwise);
}

/* Runs a command whose areas begin at 0 and have no gaps. */
static void run_large(int is_depthwise, int ic, int ih, int iw, int oc, int oh,
                      int ow, int kernel, int stride) {
  strawberry_tile t = {0};
  t.ic = ic, t.ih = ih, t.iw = iw;
  t.oc = oc, t.oh = oh, t.ow = ow;
  t.kh = t.kw = kernel, t.stride_y = t.stride_x = stride;
  t.x_row = iw * 16, t.x_block = ih * t.x_row;
  t.sums_row = ow * 64, t.sums_block = oh * t.sums_row;
  t.w_block = kernel * kernel * 16 * (is_depthwise ? 1 : (ic + 15) / 16 * 16);
  t.x_zero = 3;
  run(&t, is_depthwise);
}

int main(void) {
  const strawberry_array_memories memories = strawberry_array_get_memories();
  for (int i = 0; i < MEMORY; ++i) {
    memories.input[i] = (int8_t)pick(-128, 127);
    memories.weights[i] = (int8_t)pick(-128, 127);
  }
  for (int i = 0; i < MEMORY / 4; ++i)
    memories.sums[i] = next_random();
  /* Each fills a memory: rows, columns, blocks of inputs and of outputs, and
   * positions of the kernel. */
  run_large(0, 16, 65536, 1, 16, 16384, 1, 1, 4);
  run_large(0, 16, 1, 65536, 16, 1, 16384, 1, 4);
  run_large(0, 65536, 4, 4, 16, 4, 4, 1, 1);
  run_large(1, 1 << 18, 1, 1, 1 << 18, 1, 1, 1, 1);
  run_large(1, 16, 256, 256, 16, 1, 1, 256, 1);
  for (int k = 0; k < COMMANDS; ++k)
    run_random();
  return 0;
}
