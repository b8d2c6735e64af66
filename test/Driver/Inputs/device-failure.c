/* Runs the digits with a device that fails at its second call, then again. */
#include "digits.h"
#include "vanilla.h"

#include <stdio.h>

static float image[DIGITS_INPUT_IMAGE_SIZE],
    probabilities[DIGITS_OUTPUT_PROBABILITIES_SIZE];
static struct {
  _Alignas(DIGITS_WORKSPACE_ALIGNMENT) char bytes[DIGITS_WORKSPACE_SIZE];
} workspace;

static void run(void) {
  int changed = 0;
  for (int i = 0; i < DIGITS_OUTPUT_PROBABILITIES_SIZE; ++i)
    probabilities[i] = -1.0f;
  int status = (int)digits_run(image, probabilities, workspace.bytes);
  for (int i = 0; i < DIGITS_OUTPUT_PROBABILITIES_SIZE; ++i)
    changed += probabilities[i] != -1.0f;
  printf("status %d, %d calls, %d outputs written\n", status,
         (int)vanilla_calls(), changed);
}

int main(void) {
  vanilla_fail_at(2, 7);
  run();
  vanilla_reset();
  vanilla_fail_at(1, -3);
  run();
  vanilla_reset();
  run();
  return 0;
}
