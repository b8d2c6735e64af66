/* Measures the errors of the functions in the file GENERATED against those of
 * <math.h> in double precision, and prints those that are too large. */
#include GENERATED
#include <math.h>
#include <stdio.h>

typedef int32_t (*Function)(const float *UMA_RESTRICT x, float *UMA_RESTRICT y);

static double inverse_sqrt(double x) { return 1.0 / sqrt(x); }

#ifndef STEP
#define STEP 97
#endif

/* Units in the last place of `expected` that `actual` is off. */
static double get_error(float actual, double expected) {
  int exponent;
  double unit;
  if (isnan(expected) || isnan(actual)) {
    return isnan(expected) && isnan(actual) ? 0.0 : INFINITY;
  }
  if (isinf((float)expected) || isinf(actual)) {
    /* The largest finite number is one unit from infinity. */
    return (float)expected == actual ? 0.0
           : fabs((double)actual) > 3.4e38 && fabs(expected) > 3.4e38
               ? 1.0
               : INFINITY;
  }
  if (actual == (float)expected && actual != 0.0f) {
    return (double)actual == expected ? 0.0 : 0.5; /* as good as it gets */
  }
  (void)frexp(expected, &exponent);
  unit = ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
  return fabs((double)actual - expected) / unit;
}

static int num_failures = 0;

/* Checks a function for scalars and for vectors of each width; any may be
 * missing. */
static void check(const char *name, double (*expected)(double), double bound,
                  const Function functions[4]) {
  static const float edges[32] = {0.0f,
                                  -0.0f,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  1.0f,
                                  -1.0f,
                                  1e-45f,
                                  -1e-45f,
                                  1.17549435e-38f,
                                  3.40282347e+38f,
                                  -3.40282347e+38f,
                                  88.7228317f,
                                  88.7228394f,
                                  -87.3365402f,
                                  -87.3365479f,
                                  0.5f,
                                  -0.5f,
                                  1.5f,
                                  2.5f,
                                  -2.5f,
                                  8388607.5f,
                                  -8388607.5f,
                                  8388608.0f,
                                  4194303.5f,
                                  9.1f,
                                  4.0f};
  double worst = 0.0;
  float at = 0.0f, result = 0.0f;
  uint64_t bits = 0;
  int next = 0, form, i;
  while (bits < 0x100000000u) {
    float x[16];
    double exact[16];
    for (i = 0; i < 16; ++i) {
      uint32_t word = (uint32_t)bits;
      if (next < 32) {
        x[i] = edges[next++];
      } else {
        memcpy(&x[i], &word, sizeof(word));
        bits += STEP;
      }
      exact[i] = expected(x[i]);
      if (expected == exp && exact[i] < 1.17549435e-38) {
        exact[i] = 0.0; /* no subnormal results */
      }
    }
    for (form = 0; form < 4; ++form) {
      float y[16];
      if (!functions[form]) {
        continue;
      }
      (void)functions[form](x, y);
      for (i = 0; i < 16; ++i) {
        double error = get_error(y[i], exact[i]);
        if (y[i] == 0.0f && exact[i] == 0.0 &&
            !signbit(y[i]) != !signbit(exact[i])) {
          error = INFINITY;
        }
        if ((expected == tanh || expected == erf) && fabsf(y[i]) > 1.0f) {
          error = INFINITY;
        }
        if (error > worst) {
          worst = error;
          at = x[i];
          result = y[i];
        }
      }
    }
  }
  if (worst > bound) {
    ++num_failures;
  }
  printf("%s %s: %.2f ulp at %.9g: %.9g\n", worst > bound ? "WRONG" : "right",
         name, worst, (double)at, (double)result);
}

static void check_reductions(const char *name, int lanes, Function sum,
                             Function product, Function largest,
                             Function smallest) {
  float x[16], y[4];
  int i, nan;
  for (i = 0; i < lanes; ++i) {
    x[i] = (float)(i % 2 == 0 ? 1 + i % 3 : -1 - i % 5);
  }
  for (nan = -1; nan < lanes; ++nan) {
    float s = 0.0f, p = 1.0f, l = -INFINITY, m = INFINITY;
    float old = nan >= 0 ? x[nan] : 0.0f;
    int right;
    if (nan >= 0) {
      x[nan] = NAN;
    }
    for (i = 0; i < lanes; ++i) {
      s += x[i];
      p *= x[i];
      l = x[i] > l ? x[i] : l;
      m = x[i] < m ? x[i] : m;
    }
    (void)sum(x, &y[0]);
    (void)product(x, &y[1]);
    (void)largest(x, &y[2]);
    (void)smallest(x, &y[3]);
    right = nan < 0 ? y[0] == s && y[1] == p && y[2] == l && y[3] == m
                    : isnan(y[0]) && isnan(y[1]) && isnan(y[2]) && isnan(y[3]);
    if (!right) {
      ++num_failures;
      printf("WRONG %s%d\n", name, nan);
    }
    if (nan >= 0) {
      x[nan] = old;
    }
  }
}

static void check_all(void) {
#define CHECK(name, scalar, expected, bound)                                   \
  do {                                                                         \
    const Function functions[4] = {scalar, name##_4, name##_8, name##_16};     \
    check(#name, expected, bound, functions);                                  \
  } while (0)
  CHECK(exp, exp_1, exp, 1.5);
  CHECK(log, log_1, log, 1.5);
  CHECK(log1p, log1p_1, log1p, 4.0);
  CHECK(tanh, tanh_1, tanh, 7.0);
  CHECK(erf, erf_1, erf, 7.0);
  CHECK(abs, NULL, fabs, 0.0);
  CHECK(ceil, NULL, ceil, 0.0);
  CHECK(floor, NULL, floor, 0.0);
  CHECK(rint, NULL, rint, 0.0);
  CHECK(sqrt, NULL, sqrt, 0.5);
  CHECK(rsqrt, NULL, inverse_sqrt, 1.5);
}

int main(void) {
#define REDUCTIONS(lanes)                                                      \
  check_reductions("reductions_" #lanes " ", lanes, add_##lanes, mul_##lanes,  \
                   maximumf_##lanes, minimumf_##lanes)
  REDUCTIONS(2);
  REDUCTIONS(4);
  REDUCTIONS(8);
  REDUCTIONS(16);
  check_all();
  return num_failures != 0;
}
