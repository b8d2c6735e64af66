/* What the functions for one library return where they cannot compute. LIBRARY
 * is onednn or openblas. */
#include <stddef.h>
#include <stdio.h>

#define NAME2(library, rest) uma_##library##_##rest
#define NAME1(library, rest) NAME2(library, rest)
#define NAME(rest) NAME1(LIBRARY, rest)

static void check(const char *what, int status) {
  printf("%s: %s\n", what, status == 0 ? "computed" : "refused");
}

int main(void) {
  static float x[64], w[64], y[64];
  const float one = 1.0f;
  check("one product", NAME(dense)(&one, &one, y, 1, 1, 1));
  printf("%g\n", (double)y[0]);
  check("convolution",
        NAME(conv2d)(x, w, y, 1, 2, 4, 4, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  check("no data", NAME(conv2d)(NULL, w, y, 1, 2, 4, 4, 2, 3, 3, 1, 1, 1, 1, 1,
                                1, 1, 1, 1));
  check("no weights", NAME(dense)(x, NULL, y, 1, 1, 1));
  check("no stride",
        NAME(conv2d)(x, w, y, 1, 2, 4, 4, 2, 3, 3, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  check("no groups",
        NAME(conv2d)(x, w, y, 1, 2, 4, 4, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 0));
  check("kernel too large",
        NAME(conv2d)(x, w, y, 1, 2, 4, 4, 2, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1));
  check("negative size", NAME(dense)(x, w, y, 1, -2, 1));
  return 0;
}
