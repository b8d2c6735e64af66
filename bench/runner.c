/* Runs a package of emitted C for bench/run.py, as bench/onnxruntime.js runs
 * ONNX Runtime: answers each line of standard input with one line.
 *
 *   runner INPUT_FILE...
 *
 *   run N         runs N times and answers the milliseconds of each
 *   profile N     runs N times and answers the median milliseconds of a run
 *                 and, for each layer, "milliseconds layer", separated by tabs.
 *                 Needs a build with -DUMA_PROFILE, which adds overhead
 *   repeat L N    runs once, but layer number L N times in a row, and answers
 *                 the milliseconds of each. Needs -DBENCH_REPEAT, too
 *   write FOLDER  writes each output as FOLDER/<number>.bin and answers "done"
 *
 * bench/run.py writes bench_model.h, which describes the network. */
#define _POSIX_C_SOURCE 200112L
#include "bench_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *inputs[BENCH_NUM_INPUTS + 1], *outputs[BENCH_NUM_OUTPUTS + 1],
    *workspace;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

#ifdef UMA_PROFILE
enum { MAX_LAYERS = 20000 };
static const char *layers[MAX_LAYERS];
static double started[MAX_LAYERS], taken[MAX_LAYERS];
static int num_layers;

void bench_layer_begin(int index, const char *layer) {
  if (index < MAX_LAYERS) {
    layers[index] = layer;
    num_layers = index >= num_layers ? index + 1 : num_layers;
    started[index] = now();
  }
}

/* A layer in a loop runs several times; its times add up. */
void bench_layer_end(int index) {
  if (index < MAX_LAYERS) {
    taken[index] += now() - started[index];
  }
}

static double *repeat_times;
static int repeat_layer = -1, repeat_count, repeat_done;

int bench_layer_again(int index) {
  if (index != repeat_layer || index >= MAX_LAYERS) {
    return 0;
  }
  repeat_times[repeat_done++] = now() - started[index];
  return repeat_done < repeat_count;
}
#endif

static void *allocate(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, 4096, bytes + 1) != 0) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  memset(memory, 0, bytes + 1);
  return memory;
}

static void run_once(void) {
  if (BENCH_RUN(inputs, outputs, workspace) != 0) {
    fprintf(stderr, "the run failed\n");
    exit(1);
  }
}

static void print_times(const double *times, int count) {
  int i;
  for (i = 0; i < count; ++i) {
    printf("%s%.6f", i == 0 ? "" : " ", times[i]);
  }
  printf("\n");
}

#ifdef UMA_PROFILE
static void repeat(int layer, int count) {
  repeat_times = allocate((size_t)count * sizeof(double));
  repeat_layer = layer;
  repeat_count = count;
  repeat_done = 0;
  run_once();
  repeat_layer = -1;
  print_times(repeat_times, repeat_done);
  free(repeat_times);
}

static int compare(const void *lhs, const void *rhs) {
  double difference = *(const double *)lhs - *(const double *)rhs;
  return (difference > 0) - (difference < 0);
}

static void profile(int count) {
  size_t size = (size_t)count * (size_t)(num_layers + 1) * sizeof(double);
  double *times = allocate(size);
  int i, layer;
  for (i = 0; i < count; ++i) {
    double start;
    memset(taken, 0, (size_t)num_layers * sizeof(double));
    start = now();
    run_once();
    times[num_layers * count + i] = now() - start;
    for (layer = 0; layer < num_layers; ++layer) {
      times[layer * count + i] = taken[layer];
    }
  }
  for (layer = num_layers; layer >= 0; --layer) {
    qsort(times + layer * count, (size_t)count, sizeof(double), compare);
  }
  printf("%.6f", times[num_layers * count + count / 2]);
  for (layer = 0; layer < num_layers; ++layer) {
    printf("\t%.6f %s", times[layer * count + count / 2], layers[layer]);
  }
  printf("\n");
  free(times);
}
#endif

int main(int argc, char **argv) {
  char line[4096];
  int i;
  if (argc != BENCH_NUM_INPUTS + 1) {
    fprintf(stderr, "expected %d files\n", (int)BENCH_NUM_INPUTS);
    return 2;
  }
  for (i = 0; i < BENCH_NUM_INPUTS; ++i) {
    FILE *file = fopen(argv[i + 1], "rb");
    inputs[i] = allocate(BENCH_INPUTS[i].bytes);
    if (file == NULL || fread(inputs[i], 1, BENCH_INPUTS[i].bytes, file) !=
                            BENCH_INPUTS[i].bytes) {
      fprintf(stderr, "%s: cannot be read\n", argv[i + 1]);
      return 1;
    }
    fclose(file);
  }
  for (i = 0; i < BENCH_NUM_OUTPUTS; ++i) {
    outputs[i] = allocate(BENCH_OUTPUTS[i].bytes);
  }
  workspace = allocate(BENCH_WORKSPACE_SIZE);
  run_once();
  printf("ready\n");
  fflush(stdout);
  while (fgets(line, sizeof(line), stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "run ", 4) == 0) {
      int count = atoi(line + 4);
      double *times = allocate((size_t)count * sizeof(double));
      for (i = 0; i < count; ++i) {
        double start = now();
        run_once();
        times[i] = now() - start;
      }
      print_times(times, count);
      free(times);
#ifdef UMA_PROFILE
    } else if (strncmp(line, "profile ", 8) == 0) {
      profile(atoi(line + 8));
    } else if (strncmp(line, "repeat ", 7) == 0) {
      char *end;
      int layer = (int)strtol(line + 7, &end, 10);
      repeat(layer, atoi(end));
#endif
    } else if (strncmp(line, "write ", 6) == 0) {
      for (i = 0; i < BENCH_NUM_OUTPUTS; ++i) {
        char path[4200];
        FILE *file;
        snprintf(path, sizeof(path), "%s/%d.bin", line + 6, i);
        file = fopen(path, "wb");
        if (file == NULL ||
            fwrite(outputs[i], 1, BENCH_OUTPUTS[i].bytes, file) !=
                BENCH_OUTPUTS[i].bytes ||
            fclose(file) != 0) {
          fprintf(stderr, "%s: cannot be written\n", path);
          return 1;
        }
      }
      printf("done\n");
    }
    fflush(stdout);
  }
  return 0;
}
