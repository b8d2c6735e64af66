/*===- chocolate_testing.h - What Chocolate's tests share -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef CHOCOLATE_TESTING_H
#define CHOCOLATE_TESTING_H

#include "../runtime/chocolate.h"

#include <stdint.h>
#include <stdio.h>

static int failures;

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define PASS(call) CHECK((call) == CHOCOLATE_OK)

static inline void check(int holds, const char *condition, const char *file,
                         int line) {
  if (holds)
    return;
  printf("%s:%d: failed: %s\n", file, line, condition);
  ++failures;
}

/* Returns a random number from `low` to `high`. */
static inline int pick(int low, int high) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return low + (int)((state >> 8) % (uint32_t)(high - low + 1));
}

/* Executes all commands. */
static inline int finish(void) {
  PASS(chocolate_launch());
  return chocolate_await();
}

/* Appends a token and a wait for it. */
static inline void order(int from, int to) {
  PASS(chocolate_push(from, to));
  PASS(chocolate_pop(from, to));
}

static inline long long now(void) {
  chocolate_statistics s;
  chocolate_get_statistics(&s);
  return s.cycles;
}

/* One or more lists. */
enum { MAX_WORDS = 4096 };
typedef struct {
  unsigned char bytes[4 * MAX_WORDS];
  size_t size;
} lists;

/* Launches all commands. Returns the lists since the previous call, which the
 * driver writes to the file `path`. */
static inline lists capture(const char *path) {
  static lists l;
  PASS(finish());
  FILE *stream = fopen(path, "rb");
  l.size = stream ? fread(l.bytes, 1, sizeof(l.bytes), stream) : 0;
  CHECK(stream && fclose(stream) == 0);
  CHECK(remove(path) == 0);
  return l;
}

#endif /* CHOCOLATE_TESTING_H */
