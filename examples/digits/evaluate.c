/* Runs the compiled network `digits` over a file of test images and prints its
 * accuracy.
 *
 *   evaluate IMAGES LABELS [PREDICTIONS]
 *
 * IMAGES holds 64 bytes per image (8 rows of 8 pixels, 0 = paper .. 16 = ink),
 * LABELS one byte per image (0..9). PREDICTIONS, when given, receives one line
 * "image label prediction" per image, so that the answers of two builds of the
 * network can be compared with `diff`.
 *
 * Exit code: 0 when every image was classified (rightly or not), 2 on any
 * error.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "digits.h"

enum {
  PIXELS = 8 * 8,
  PIXEL_MAX = 16,
  CLASSES = 10,
  ALIGNMENT = 64,
  FAILURE = 2
};

/* C99 cannot ask for an alignment, so there is room here to move the start up
   to the next cache line: enough for the widest vector load. Static, as it
   would be on a device without a heap. */
static unsigned char workspace_storage[DIGITS_WORKSPACE_SIZE + ALIGNMENT];

static void *aligned_workspace(void) {
  size_t misalignment = (size_t)((uintptr_t)workspace_storage % ALIGNMENT);
  return workspace_storage + (ALIGNMENT - misalignment) % ALIGNMENT;
}

static FILE *open_or_exit(const char *path, const char *mode) {
  FILE *file = fopen(path, mode);
  if (file == NULL) {
    /* Only the path: C99 does not promise that fopen sets errno. */
    fprintf(stderr, "evaluate: cannot open '%s' for %s\n", path,
            mode[0] == 'r' ? "reading" : "writing");
    exit(FAILURE);
  }
  return file;
}

/* Reads the next image, scaled to 0..1 as in training, and its label. Returns
   1, or 0 when both files end together; anything else is an error and ends the
   program. */
static int read_sample(FILE *images, const char *images_path, FILE *labels,
                       const char *labels_path, unsigned long index,
                       float *image, int *label) {
  unsigned char pixels[PIXELS];
  size_t count = fread(pixels, 1, PIXELS, images);
  size_t i;

  if (ferror(images)) {
    fprintf(stderr, "evaluate: cannot read '%s'\n", images_path);
    exit(FAILURE);
  }
  *label = fgetc(labels);
  if (ferror(labels)) {
    fprintf(stderr, "evaluate: cannot read '%s'\n", labels_path);
    exit(FAILURE);
  }
  if (count == 0 && *label == EOF)
    return 0;
  if (count != 0 && count != PIXELS) {
    fprintf(stderr, "evaluate: '%s' is short: image %lu has %lu of %d bytes\n",
            images_path, index, (unsigned long)count, (int)PIXELS);
    exit(FAILURE);
  }
  if (count == 0 || *label == EOF) {
    fprintf(stderr,
            "evaluate: '%s' is short: it ends after %lu %s, but '%s' goes on\n",
            count == 0 ? images_path : labels_path, index,
            count == 0 ? "images" : "labels",
            count == 0 ? labels_path : images_path);
    exit(FAILURE);
  }
  if (*label >= CLASSES) {
    fprintf(stderr, "evaluate: '%s': label %lu is %d, expected 0..9\n",
            labels_path, index, *label);
    exit(FAILURE);
  }
  for (i = 0; i < PIXELS; ++i) {
    if (pixels[i] > PIXEL_MAX) {
      fprintf(stderr,
              "evaluate: '%s': pixel %lu of image %lu is %d, expected 0..16\n",
              images_path, (unsigned long)i, index, pixels[i]);
      exit(FAILURE);
    }
    image[i] = (float)pixels[i] / (float)PIXEL_MAX;
  }
  return 1;
}

static int most_probable(const float *probabilities) {
  int best = 0;
  int i;
  for (i = 1; i < CLASSES; ++i)
    if (probabilities[i] > probabilities[best])
      best = i;
  return best;
}

int main(int argc, char **argv) {
  FILE *images;
  FILE *labels;
  FILE *predictions = NULL;
  void *workspace = aligned_workspace();
  float image[PIXELS];
  float probabilities[CLASSES];
  unsigned long count = 0;
  unsigned long correct = 0;
  int label;

  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: evaluate IMAGES LABELS [PREDICTIONS]\n");
    return FAILURE;
  }
  images = open_or_exit(argv[1], "rb");
  labels = open_or_exit(argv[2], "rb");
  if (argc == 4)
    predictions = open_or_exit(argv[3], "w");

  while (read_sample(images, argv[1], labels, argv[2], count, image, &label)) {
    int32_t status = digits_run(image, probabilities, workspace);
    int predicted;
    if (status != 0) {
      fprintf(stderr, "evaluate: the device reported status %ld on image %lu\n",
              (long)status, count);
      return FAILURE;
    }
    predicted = most_probable(probabilities);
    correct += predicted == label;
    if (predictions != NULL)
      fprintf(predictions, "%lu %d %d\n", count, label, predicted);
    ++count;
  }
  if (count == 0) {
    fprintf(stderr, "evaluate: '%s' holds no image\n", argv[1]);
    return FAILURE;
  }
  if (predictions != NULL) {
    /* A full disk may show only when the last bytes are written out. */
    int failed = ferror(predictions);
    if (fclose(predictions) != 0 || failed) {
      fprintf(stderr, "evaluate: cannot write '%s'\n", argv[3]);
      return FAILURE;
    }
  }
  fclose(images);
  fclose(labels);
  printf("accuracy %.2f %% (%lu of %lu)\n",
         100.0 * (double)correct / (double)count, correct, count);
  if (fflush(stdout) != 0) {
    fprintf(stderr, "evaluate: cannot write the result\n");
    return FAILURE;
  }
  return 0;
}
