//===- tg.h - A product with leading dimensions -*- C -*-------------------===//

#include <stdint.h>
/* c[m][n] = act(a[m][k] * b[k][n] + bias[n]); rows are ld* apart */
int tg_sgemm(const float *a, int lda, const float *b, int ldb, float *c,
             int ldc, int m, int n, int k, const float *bias, int relu);
