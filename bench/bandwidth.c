/* Measures how fast one core reads.
 *
 *   cc -O3 -march=native bench/bandwidth.c -o bandwidth && ./bandwidth BYTES...
 *
 * Prints "BYTES GB/s" for arrays of these sizes, each read again and again; the
 * median of many runs. An array that fits a cache comes from it. */
#define _POSIX_C_SOURCE 200112L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUNS 31

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right) {
  double x = *(const double *)left, y = *(const double *)right;
  return (x > y) - (x < y);
}

/* Integers, whose sums compilers may vectorise in any order. */
static uint32_t read_all(const uint32_t *data, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += data[i];
  }
  return sum;
}

int main(int argc, char **argv) {
  volatile uint32_t sink = 0;
  for (int i = 1; i < argc; ++i) {
    size_t bytes = (size_t)strtoull(argv[i], NULL, 10);
    size_t repeat = 1 + (size_t)(32 << 20) / (bytes + 1);
    uint32_t *data = bytes < 4 ? NULL : malloc(bytes);
    double rates[RUNS];
    if (data == NULL) {
      fprintf(stderr, "%s: expected bytes of an array, 4 or more\n", argv[i]);
      return 2;
    }
    memset(data, 1, bytes);
    for (int run = 0; run < RUNS; ++run) {
      double start = now();
      for (size_t j = 0; j < repeat; ++j) {
        sink += read_all(data, bytes / 4);
        __asm__ volatile("" : : "r"(data) : "memory");
      }
      rates[run] = (double)bytes * (double)repeat / (now() - start) / 1e9;
    }
    free(data);
    qsort(rates, RUNS, sizeof(double), compare);
    printf("%llu %.1f\n", (unsigned long long)bytes, rates[RUNS / 2]);
  }
  return 0;
}
