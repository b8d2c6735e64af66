/*===- chocolate_mutation_test.c - Mutations of Chocolate's lists -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Changes a list at random, and gives it to the disassembler and to the device.
 * The only argument is a file that the test overwrites. Returns 0 if all checks
 * pass.
 *
 *===----------------------------------------------------------------------===*/

#define _POSIX_C_SOURCE 200112L /* setenv */

#include "chocolate_testing.h"

#include "../runtime/chocolate_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t pick_word(void) {
  return (uint32_t)pick(0, 65535) << 16 | (uint32_t)pick(0, 65535);
}

enum { MAX_SEGMENTS = 16, MAX_SEGMENT = 1 << 16 };

static const char *path = "chocolate_mutation_test.bin";

static int8_t memory[4096];

/* Returns a list with all operations. */
static lists capture_all(void) {
  const chocolate_window w = {0, 0, 0,  64, 64, 0, 0, 256, 16, 4, 4,
                              1, 1, 16, 4,  4,  3, 3, 1,   5,  0};
  const chocolate_sum sum = {0,  0, 64, 1024, 0,     64, 2048, 0, 64,
                             16, 4, 4,  0.5f, 0.25f, 1,  1,    2, 3};
  const chocolate_pooling pool = {2048, 0, 64, 3072, 0, 32, 16, 4,
                                  4,    0, 0,  2,    2, 2,  2,  2};
  static float factors[16];
  static int32_t biases[16];
  chocolate_scaling scaling = {0, 0, 256,    1024,    0, 64,   16,
                               4, 4, biases, factors, 1, -128, 127};
  chocolate_window depthwise = w;
  depthwise.accumulate = 1;
  PASS(chocolate_begin(4, 4, 4, 16));
  PASS(chocolate_layer(1));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, memory, 4, 64, 80));
  PASS(chocolate_load(CHOCOLATE_WEIGHTS, 0, memory + 1024, 1, 2304, 0));
  order(CHOCOLATE_LOAD, CHOCOLATE_MATRIX);
  PASS(chocolate_layer(2));
  PASS(chocolate_conv(&w));
  order(CHOCOLATE_MATRIX, CHOCOLATE_VECTOR);
  PASS(chocolate_depthwise(&depthwise));
  PASS(chocolate_rescale(&scaling));
  PASS(chocolate_layer(3));
  PASS(chocolate_add(&sum));
  scaling.bias = NULL;
  PASS(chocolate_rescale(&scaling));
  PASS(chocolate_pool(&pool));
  order(CHOCOLATE_VECTOR, CHOCOLATE_STORE);
  PASS(chocolate_layer(4));
  PASS(chocolate_store(memory + 3500, 3072, 2, 32, 48));
  return capture(path);
}

/* Prints a list, and executes it on a device with parameters of its own or, if
 * `is_adapted`, those of the list. All memory has the exact size. Returns the
 * status of the device, and sets that of the disassembler. */
static int run(const lists *f, int is_adapted, int *printed) {
  chocolate_hardware hw = {{4, 4, 4}, 16};
  unsigned char *segments[MAX_SEGMENTS];
  size_t sizes[MAX_SEGMENTS], count = 0;
  chocolate_list list;
  chocolate_error error;
  chocolate_failure failure;
  unsigned char *bytes = (unsigned char *)malloc(f->size + !f->size);
  if (bytes == NULL)
    return CHOCOLATE_FULL;
  memcpy(bytes, f->bytes, f->size);
  if (chocolate_open_list(bytes, f->size, &list, &error) == CHOCOLATE_OK) {
    count = list.segments < MAX_SEGMENTS ? list.segments : (size_t)MAX_SEGMENTS;
    hw = is_adapted ? list.hardware : hw;
  }
  for (size_t k = 0; k < count; ++k) {
    sizes[k] = chocolate_get_word(bytes, CHOCOLATE_HEADER_WORDS + k);
    sizes[k] = sizes[k] < MAX_SEGMENT ? sizes[k] : (size_t)MAX_SEGMENT;
    segments[k] = (unsigned char *)calloc(1, sizes[k]);
  }
  *printed = chocolate_print(bytes, f->size, NULL, NULL, NULL, 0);
  chocolate_device_reset(&hw);
  const int status =
      chocolate_device_run(bytes, f->size, segments, sizes, count, &failure);
  for (size_t k = 0; k < count; ++k)
    free(segments[k]);
  free(bytes);
  return status;
}

/* Returns the word after the packet at `at`, or the end of the file. */
static size_t get_next(const lists *f, size_t at) {
  const size_t next = at + 1 + (chocolate_get_word(f->bytes, at) >> 8 & 255);
  return next < f->size / 4 ? next : f->size / 4;
}

/* Returns a random packet of a list that has one. */
static size_t pick_packet(const lists *f, size_t first) {
  size_t at = first;
  for (int k = pick(0, 40); k > 0; --k)
    at = get_next(f, at) < f->size / 4 ? get_next(f, at) : first;
  return at;
}

/* Corrects the parity of all packets from the word `at`. */
static void repair(lists *f, size_t at) {
  for (; at < f->size / 4; at = get_next(f, at)) {
    uint32_t payload[255];
    const uint32_t word = chocolate_get_word(f->bytes, at);
    const int count = (int)(get_next(f, at) - at) - 1;
    for (int k = 0; k < count; ++k)
      payload[k] = chocolate_get_word(f->bytes, at + 1 + (size_t)k);
    chocolate_put_word(f->bytes, at,
                       chocolate_make_packet((int)(word & 255),
                                             (int)(word >> 16 & 0x7fff),
                                             payload, count));
  }
}

/* Moves the words from `from` to `to`. Changes the size of the file. */
static void move(lists *f, size_t from, size_t to) {
  if (f->size + 4 * to > sizeof(f->bytes) + 4 * from)
    return;
  memmove(f->bytes + 4 * to, f->bytes + 4 * from, f->size - 4 * from);
  f->size = f->size + 4 * to - 4 * from;
}

/* Swaps two packets. */
static void swap(lists *f, size_t first) {
  const size_t x = pick_packet(f, first), y = pick_packet(f, first);
  const size_t a = x < y ? x : y, c = x < y ? y : x;
  const size_t b = get_next(f, a), d = get_next(f, c);
  lists old = *f;
  if (a == c)
    return;
  memcpy(f->bytes + 4 * a, old.bytes + 4 * c, 4 * (d - c));
  memcpy(f->bytes + 4 * (a + d - c), old.bytes + 4 * b, 4 * (c - b));
  memcpy(f->bytes + 4 * (a + d - b), old.bytes + 4 * a, 4 * (b - a));
}

/* Changes a list, the packets of which start at the word `first`. */
static void mutate(lists *f, size_t first) {
  static const uint32_t extremes[] = {
      0,          1,          16,         48,        64,
      4096,       65535,      65536,      1 << 20,   0x7fffffff,
      0x80000000, 0xffffffff, 0xfffffff0, 0x7fc00000};
  const int words = (int)(f->size / 4);
  const size_t any = (size_t)pick(0, words - 1);
  const size_t body = (size_t)pick((int)first, words - 1);
  switch (pick(0, 9)) {
  case 0:
    f->bytes[pick(0, (int)f->size - 1)] ^= (unsigned char)(1 << pick(0, 7));
    break;
  case 1:
    chocolate_put_word(f->bytes, any, pick_word());
    break;
  case 2:
    chocolate_put_word(f->bytes, (size_t)pick(0, (int)first - 1),
                       extremes[pick(0, 13)]);
    break;
  case 3:
    f->size = (size_t)pick((int)first * 4 + 4, (int)f->size);
    break;
  case 4:
    move(f, body, body + 1);
    chocolate_put_word(f->bytes, body, pick(0, 1) ? pick_word() : 10);
    break;
  case 5:
    if (body > first)
      move(f, body, body - 1);
    break;
  case 6:
    swap(f, first);
    break;
  default: /* Small or extreme values of registers. */
    chocolate_put_word(f->bytes, body,
                       pick(0, 1) ? extremes[pick(0, 13)]
                                  : (uint32_t)pick(0, 8) * 16);
    break;
  }
}

/* Lets the disassembler and the device reject lists, or execute them. */
static void test_mutations(void) {
  int printed[CHOCOLATE_FULL + 1] = {0}, executed[CHOCOLATE_FULL + 1] = {0};
  const lists model = capture_all();
  const size_t first =
      CHOCOLATE_HEADER_WORDS + chocolate_get_word(model.bytes, 7);
  for (int k = 0; k < 10000; ++k) {
    lists f = model;
    int status = CHOCOLATE_OK;
    for (int changes = pick(1, 3); changes > 0; --changes)
      mutate(&f, first);
    if (pick(0, 3)) {
      chocolate_put_word(f.bytes, 2, (uint32_t)(f.size / 4));
      repair(&f, first);
    }
    const int result = run(&f, pick(0, 1), &status);
    CHECK(status == CHOCOLATE_OK || result != CHOCOLATE_OK);
    ++printed[status];
    if (status == CHOCOLATE_OK)
      ++executed[result];
  }
  CHECK(printed[CHOCOLATE_BAD_COMMAND] > 2000);
  CHECK(printed[CHOCOLATE_PARITY] > 500 && printed[CHOCOLATE_OK] > 2000);
  CHECK(printed[CHOCOLATE_OK] + printed[CHOCOLATE_BAD_COMMAND] +
            printed[CHOCOLATE_PARITY] ==
        10000);
  /* These lists reach the checks of the device. */
  CHECK(executed[CHOCOLATE_BAD_COMMAND] > 500);
  CHECK(executed[CHOCOLATE_HAZARD] > 50 && executed[CHOCOLATE_OK] > 50);
  CHECK(executed[CHOCOLATE_UNDEFINED] > 50 && executed[CHOCOLATE_TIMEOUT] > 10);
  CHECK(executed[CHOCOLATE_PARITY] == 0 && executed[CHOCOLATE_FULL] == 0);
}

/* Flips each bit of a list. The device finds each of these errors, also in its
 * parameters and in the sizes of the segments. */
static void test_bit_flips(void) {
  const lists model = capture_all();
  int parity = 0, printed;
  PASS(run(&model, 0, &printed));
  for (size_t bit = 0; bit < 8 * model.size; ++bit) {
    lists f = model;
    f.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    const int status = run(&f, 0, &printed);
    /* The size of a segment that `run` takes from the list. */
    const int is_size =
        bit / 32 >= CHOCOLATE_HEADER_WORDS &&
        bit / 32 < CHOCOLATE_HEADER_WORDS + chocolate_get_word(model.bytes, 7);
    CHECK(status != CHOCOLATE_OK || is_size);
    parity += status == CHOCOLATE_PARITY;
  }
  CHECK(parity > (int)model.size * 6);
  PASS(run(&model, 0, &printed));
}

int main(int count, char **arguments) {
  if (count > 1)
    path = arguments[1];
  CHECK(setenv("CHOCOLATE_COMMANDS", path, 1) == 0);
  (void)remove(path);
  test_mutations();
  test_bit_flips();
  return failures != 0;
}
