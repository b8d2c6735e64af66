/* Runs a network as a whole, layer by layer, in two ranges for every split, and
   each layer timed by the caller; all give the same bytes. Compiled with the
   network's name as NET and its capitals as UPPER, with -DUMA_RUN_LAYERS and
   -DUMA_PROFILE. */
#include HEADER

#include <stdio.h>
#include <string.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define OF(name) PASTE(NET, name)
#define SIZE(name) PASTE(UPPER, name)

static unsigned char input[INPUT_BYTES] __attribute__((aligned(64)));
static unsigned char expected[OUTPUT_BYTES] __attribute__((aligned(64)));
static unsigned char output[OUTPUT_BYTES] __attribute__((aligned(64)));
static unsigned char workspace[SIZE(_WORKSPACE_SIZE) + 1]
    __attribute__((aligned(SIZE(_WORKSPACE_ALIGNMENT))));

/* What uma_profile.h of this test records: begins, and names. */
int begins[SIZE(_NUM_LAYERS) + 1];
const char *names[SIZE(_NUM_LAYERS) + 1];

#ifdef IMAGE
#include WEIGHTS_HEADER
#define WEIGHTS OF(_weights),
#else
#define WEIGHTS
#endif

static int run_range(int32_t first, int32_t last) {
  return (int)OF(_run_layers)((const void *)input, (void *)output, workspace,
                              WEIGHTS first, last);
}

static int differs(const char *what, int number) {
  if (memcmp(output, expected, sizeof(output)) == 0) {
    memset(output, 0x55, sizeof(output));
    return 0;
  }
  printf("%s, %d: another output\n", what, number);
  return 1;
}

int main(void) {
  int i, errors = 0;
  for (i = 0; i < (int)sizeof(input); ++i) {
    input[i] = (unsigned char)(i % 53);
  }
#ifdef FLOATS
  for (i = 0; i < (int)(sizeof(input) / sizeof(float)); ++i) {
    ((float *)(void *)input)[i] = (float)(i % 97) / 97.0f;
  }
#endif
  if (OF(_run)((const void *)input, (void *)expected, workspace) != 0) {
    return 1;
  }
  for (i = 0; i < SIZE(_NUM_LAYERS); ++i) {
    if (begins[i] == 0 || OF(_layers)[i] == NULL ||
        strcmp(OF(_layers)[i], names[i]) != 0) {
      printf("layer %d: %d begins, '%s', '%s'\n", i, begins[i], OF(_layers)[i],
             names[i] ? names[i] : "");
      ++errors;
    }
    begins[i] = 0;
  }
  if (OF(_layers)[SIZE(_NUM_LAYERS)] != NULL) {
    printf("the table does not end\n");
    ++errors;
  }
  errors += run_range(0, SIZE(_NUM_LAYERS)) + differs("all", 0);
  memset(workspace, 0x55, sizeof(workspace));
  for (i = 0; i < SIZE(_NUM_LAYERS); ++i) {
    errors += run_range(i, i + 1);
  }
  errors += differs("one by one", 0);
  for (i = 0; i <= SIZE(_NUM_LAYERS); ++i) {
    errors += run_range(0, i) + run_range(i, SIZE(_NUM_LAYERS));
    errors += differs("split", i);
  }
  /* Nothing runs in an empty range, nor outside of the layers. */
  memset(begins, 0, sizeof(begins));
  errors += run_range(0, 0) + run_range(3, 2) + run_range(-5, 0) +
            run_range(SIZE(_NUM_LAYERS), SIZE(_NUM_LAYERS) + 5);
  for (i = 0; i < SIZE(_NUM_LAYERS); ++i) {
    errors += begins[i] != 0;
  }
  printf("%d layers, %d errors\n", SIZE(_NUM_LAYERS), errors);
  return errors != 0;
}
