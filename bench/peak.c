/* The fastest that one core multiplies and adds f32, in GFLOP/s: two for each
 * multiplication with an addition.
 *
 *   cc -O3 -march=native bench/peak.c -o peak && ./peak [SECONDS]
 *
 * Prints "BITS GFLOPS" for each width of vectors that the flags allow. The
 * accumulators are variables of their own, enough of them to hide the latency;
 * where there is no fused multiply-add, both instructions count. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define ACCUMULATORS 12
#define STEPS 20000

/* `factor` near 1 and `term` near 0 keep the values finite and normal. */
#define DEFINE_PEAK(BITS)                                                      \
  typedef float v##BITS __attribute__((vector_size(BITS / 8)));                \
  static float sink##BITS;                                                     \
  static void steps##BITS(v##BITS factor, v##BITS term) {                      \
    /* Different values: equal ones would be one. */                           \
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
  static void measure##BITS(double seconds) {                                  \
    v##BITS factor, term;                                                      \
    double best = 0, end = now() + seconds;                                    \
    for (int i = 0; i < BITS / 32; ++i) {                                      \
      factor[i] = 0.999f;                                                      \
      term[i] = 0.001f;                                                        \
    }                                                                          \
    while (now() < end) {                                                      \
      double start = now(), rate;                                              \
      steps##BITS(factor, term);                                               \
      rate = 2.0 * ACCUMULATORS * STEPS * (BITS / 32) / (now() - start) / 1e9; \
      best = rate > best ? rate : best;                                        \
    }                                                                          \
    printf("%d %.2f\n", BITS, best);                                           \
  }

/* Twelve values in registers, which the compiler must neither merge nor move.
 */
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

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 0.2;
#if defined(__AVX512F__)
  measure512(seconds);
#endif
#if defined(__AVX__)
  measure256(seconds);
#endif
  measure128(seconds);
  return 0;
}
