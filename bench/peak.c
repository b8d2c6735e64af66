/* Measures the peak f32 rate of one core. A multiplication with an addition
 * counts as two operations.
 *
 *   cc -O3 -march=native bench/peak.c -o peak && ./peak [BITS]
 *
 * Prints "BITS GFLOPS" for each vector width that the flags allow, the best of
 * many short runs. With BITS, one of these widths, it answers lines of standard
 * input like bench/runner.c instead: "run N" with the milliseconds per GFLOP,
 * N times.
 *
 * The accumulators are independent variables, enough to hide the latency.
 * Without fused multiply-add, both instructions count. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define ACCUMULATORS 12
#define STEPS 20000

/* Returns the seconds of `count` times STEPS steps. `factor` near 1 and `term`
 * near 0 keep the values finite and normal. */
#define DEFINE_PEAK(BITS)                                                      \
  typedef float v##BITS __attribute__((vector_size(BITS / 8)));                \
  static float sink##BITS;                                                     \
  static void steps##BITS(v##BITS factor, v##BITS term) {                      \
    /* Different values, or the compiler would merge them. */                  \
    v##BITS a = factor, b = a + a, c = b + a, d = c + a, e = d + a, f = e + a, \
            g = f + a, h = g + a, i = h + a, j = i + a, k = j + a, l = k + a;  \
    for (int step = 0; step < STEPS; ++step) {                                 \
      a = a * factor + term, b = b * factor + term, c = c * factor + term,     \
      d = d * factor + term;                                                   \
      e = e * factor + term, f = f * factor + term, g = g * factor + term,     \
      h = h * factor + term;                                                   \
      i = i * factor + term, j = j * factor + term, k = k * factor + term,     \
      l = l * factor + term;                                                   \
      __asm__ volatile(""                                                      \
                       : KEEP(a), KEEP(b), KEEP(c), KEEP(d), KEEP(e), KEEP(f), \
                         KEEP(g), KEEP(h), KEEP(i), KEEP(j), KEEP(k),          \
                         KEEP(l));                                             \
    }                                                                          \
    a = a + b + c + d + e + f + g + h + i + j + k + l;                         \
    sink##BITS = a[0];                                                         \
  }                                                                            \
  static double run##BITS(int count) {                                         \
    v##BITS factor, term;                                                      \
    double start = now();                                                      \
    for (int i = 0; i < BITS / 32; ++i) {                                      \
      factor[i] = 0.999f;                                                      \
      term[i] = 0.001f;                                                        \
    }                                                                          \
    for (int i = 0; i < count; ++i) {                                          \
      steps##BITS(factor, term);                                               \
    }                                                                          \
    return now() - start;                                                      \
  }

/* Keeps twelve values in registers, so that the compiler neither merges nor
 * moves them. */
#if defined(__x86_64__)
#define KEEP(value) "+x"(value)
#elif defined(__aarch64__)
#define KEEP(value) "+w"(value)
#else
#define KEEP(value) "+m"(value)
#endif

#if defined(__AVX512F__)
#undef KEEP
#define KEEP(value) "+v"(value)
DEFINE_PEAK(512)
#endif
#if defined(__AVX__)
DEFINE_PEAK(256)
#endif
DEFINE_PEAK(128)

struct width {
  int bits;
  double (*run)(int count);
};

static const struct width widths[] = {
#if defined(__AVX512F__)
    {512, run512},
#endif
#if defined(__AVX__)
    {256, run256},
#endif
    {128, run128},
};
enum { NUM_WIDTHS = (int)(sizeof(widths) / sizeof(widths[0])) };

/* Returns the GFLOP of STEPS steps. */
static double get_gflop(const struct width *width) {
  return 2e-9 * ACCUMULATORS * STEPS * (width->bits / 32);
}

static void print_best(const struct width *width) {
  double best = 0, end = now() + 0.2;
  while (now() < end) {
    double rate = get_gflop(width) / width->run(1);
    best = rate > best ? rate : best;
  }
  printf("%d %.2f\n", width->bits, best);
}

static void serve(const struct width *width) {
  char line[64];
  int steps = (int)(1 / get_gflop(width)) + 1;
  printf("ready\n");
  fflush(stdout);
  while (fgets(line, sizeof(line), stdin) != NULL) {
    int count = strncmp(line, "run ", 4) == 0 ? atoi(line + 4) : 0;
    for (int i = 0; i < count; ++i) {
      printf("%s%.6f", i == 0 ? "" : " ",
             1e3 * width->run(steps) / (steps * get_gflop(width)));
    }
    printf("\n");
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  if (argc == 1) {
    for (int i = 0; i < NUM_WIDTHS; ++i) {
      print_best(&widths[i]);
    }
    return 0;
  }
  for (int i = 0; i < NUM_WIDTHS; ++i) {
    if (widths[i].bits == atoi(argv[1])) {
      serve(&widths[i]);
      return 0;
    }
  }
  fprintf(stderr, "%s: no width of vectors that was compiled for\n", argv[1]);
  return 2;
}
