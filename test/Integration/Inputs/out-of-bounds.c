/* Runs the network of out-of-bounds.mlir , built with the hook of
 * out-of-bounds.h. */
#include <stdint.h>
#include <stdio.h>

int32_t run(const float *x, float *y, void *workspace);

int main(void) {
  float x[8] = {0, 0, 1, 2, 3, 4, 5, 6}, y[8] = {0};
  int32_t status = run(x, y, NULL);
  printf("status %d,", (int)status);
  for (int i = 0; i < 8; ++i)
    printf(" %g", (double)y[i]);
  printf("\n");
  return 0;
}
