/* Runs a package of emitted C between guard zones, for bench/guards.py.
 *
 *   guards THREADS RUNS OUTPUT_PREFIX INPUT_FILE...
 *
 * First one run in buffers with a guard zone on each side, for each of several
 * contents of workspace and outputs: the zones and the inputs keep their bytes,
 * and the outputs are the same each time. Then a run in blocks that end where
 * the buffers do, so that sanitizers and valgrind see each access beside them.
 * Then RUNS runs in each of THREADS threads at the same time, each with a
 * workspace, inputs and outputs of its own.
 *
 * Writes output N as OUTPUT_PREFIX<N>.bin. bench/sides.py writes bench_model.h,
 * which describes the network; bench/guards.py adds BENCH_ALIGNMENT. */
#define _POSIX_C_SOURCE 200112L
#include "bench_model.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE = 4096, NUM_BUFFERS = BENCH_NUM_INPUTS + BENCH_NUM_OUTPUTS + 1 };

struct buffer {
  unsigned char *block, *data;
  size_t bytes, zone;
};

/* Inputs, outputs, workspace. */
struct buffers {
  struct buffer all[NUM_BUFFERS];
};

/* Contents of files, and outputs of the first run. */
static unsigned char *inputs[BENCH_NUM_INPUTS + 1],
    *expected[BENCH_NUM_OUTPUTS + 1];
static int runs;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "guards: %s%s\n", what, name);
  exit(1);
}

static void *allocate(size_t alignment, size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, alignment, bytes == 0 ? 1 : bytes) != 0) {
    fail("out of memory", "");
  }
  return memory;
}

static const char *get_name(int number) {
  if (number < BENCH_NUM_INPUTS) {
    return BENCH_INPUTS[number].name;
  }
  number -= BENCH_NUM_INPUTS;
  return number < BENCH_NUM_OUTPUTS ? BENCH_OUTPUTS[number].name : "workspace";
}

static size_t get_bytes(int number) {
  if (number < BENCH_NUM_INPUTS) {
    return BENCH_INPUTS[number].bytes;
  }
  number -= BENCH_NUM_INPUTS;
  return number < BENCH_NUM_OUTPUTS ? BENCH_OUTPUTS[number].bytes
                                    : BENCH_WORKSPACE_SIZE;
}

/* Byte of a guard zone or of garbage. The first two contents are zeros and the
 * bytes of a NaN. */
static unsigned char get_garbage(size_t position, unsigned seed) {
  if (seed < 2) {
    return seed == 0 ? 0 : 0xff;
  }
  return (unsigned char)((position * 2654435761u + seed * 40503u) >> 11);
}

/* The data has the alignment that the package asks for, and no larger one. */
static void make_buffers(struct buffers *buffers, size_t zone, unsigned seed) {
  int number;
  size_t i;
  for (number = 0; number < NUM_BUFFERS; ++number) {
    struct buffer *buffer = &buffers->all[number];
    size_t total;
    buffer->bytes = get_bytes(number);
    buffer->zone = zone == 0 ? 0 : zone + BENCH_ALIGNMENT;
    total = buffer->bytes + 2 * buffer->zone;
    buffer->block = allocate(zone == 0 ? BENCH_ALIGNMENT : ZONE, total);
    buffer->data = buffer->block + buffer->zone;
    for (i = 0; i < buffer->zone; ++i) {
      buffer->block[i] = get_garbage(i, seed + 2);
      buffer->data[buffer->bytes + i] = get_garbage(i, seed + 3);
    }
    if (number < BENCH_NUM_INPUTS) {
      memcpy(buffer->data, inputs[number], buffer->bytes);
    } else if (zone != 0) {
      /* Otherwise valgrind knows that the contents are undefined. */
      for (i = 0; i < buffer->bytes; ++i) {
        buffer->data[i] = get_garbage(i, seed);
      }
    }
  }
}

static void run_once(struct buffers *buffers) {
  void *in[BENCH_NUM_INPUTS + 1], *out[BENCH_NUM_OUTPUTS + 1];
  int i;
  for (i = 0; i < BENCH_NUM_INPUTS; ++i) {
    in[i] = buffers->all[i].data;
  }
  for (i = 0; i < BENCH_NUM_OUTPUTS; ++i) {
    out[i] = buffers->all[BENCH_NUM_INPUTS + i].data;
  }
  (void)in;
  if (BENCH_RUN(in, out, buffers->all[NUM_BUFFERS - 1].data) != 0) {
    fail("the run failed", "");
  }
}

static void check_outputs(const struct buffers *buffers) {
  int i;
  for (i = 0; i < BENCH_NUM_OUTPUTS; ++i) {
    const struct buffer *buffer = &buffers->all[BENCH_NUM_INPUTS + i];
    if (memcmp(buffer->data, expected[i], buffer->bytes) != 0) {
      fail("another run has other numbers in output ", BENCH_OUTPUTS[i].name);
    }
  }
}

static void check_bytes_around(const struct buffers *buffers, unsigned seed) {
  int number;
  size_t i;
  for (number = 0; number < NUM_BUFFERS; ++number) {
    const struct buffer *buffer = &buffers->all[number];
    for (i = 0; i < buffer->zone; ++i) {
      if (buffer->block[i] != get_garbage(i, seed + 2)) {
        fail("bytes changed before ", get_name(number));
      }
      if (buffer->data[buffer->bytes + i] != get_garbage(i, seed + 3)) {
        fail("bytes changed behind ", get_name(number));
      }
    }
    if (number < BENCH_NUM_INPUTS &&
        memcmp(buffer->data, inputs[number], buffer->bytes) != 0) {
      fail("the run changed input ", get_name(number));
    }
  }
}

static void free_buffers(struct buffers *buffers) {
  int number;
  for (number = 0; number < NUM_BUFFERS; ++number) {
    free(buffers->all[number].block);
  }
}

static void *run_thread(void *seed) {
  struct buffers buffers;
  int i;
  make_buffers(&buffers, ZONE, *(const unsigned *)seed);
  for (i = 0; i < runs; ++i) {
    run_once(&buffers);
    check_outputs(&buffers);
  }
  check_bytes_around(&buffers, *(const unsigned *)seed);
  free_buffers(&buffers);
  return NULL;
}

static void run_threads(int count) {
  pthread_t *threads = allocate(sizeof(void *), count * sizeof(pthread_t));
  unsigned *seeds = allocate(sizeof(void *), count * sizeof(unsigned));
  int i;
  for (i = 0; i < count; ++i) {
    seeds[i] = 2 + (unsigned)i;
    if (pthread_create(&threads[i], NULL, run_thread, &seeds[i]) != 0) {
      fail("no thread", "");
    }
  }
  for (i = 0; i < count; ++i) {
    pthread_join(threads[i], NULL);
  }
  free(threads);
  free(seeds);
}

static void write_outputs(const char *prefix) {
  int i;
  for (i = 0; i < BENCH_NUM_OUTPUTS; ++i) {
    char path[4200];
    FILE *file;
    snprintf(path, sizeof(path), "%s%d.bin", prefix, i);
    file = fopen(path, "wb");
    if (file == NULL ||
        fwrite(expected[i], 1, BENCH_OUTPUTS[i].bytes, file) !=
            BENCH_OUTPUTS[i].bytes ||
        fclose(file) != 0) {
      fail("cannot write ", path);
    }
  }
}

int main(int argc, char **argv) {
  struct buffers buffers;
  unsigned seed;
  int i;
  if (argc != BENCH_NUM_INPUTS + 4) {
    fail("wrong number of files", "");
  }
  runs = atoi(argv[2]);
  for (i = 0; i < BENCH_NUM_INPUTS; ++i) {
    FILE *file = fopen(argv[i + 4], "rb");
    inputs[i] = allocate(sizeof(void *), BENCH_INPUTS[i].bytes);
    if (file == NULL || fread(inputs[i], 1, BENCH_INPUTS[i].bytes, file) !=
                            BENCH_INPUTS[i].bytes) {
      fail("cannot read ", argv[i + 4]);
    }
    fclose(file);
  }
  for (seed = 0; seed < 3; ++seed) {
    make_buffers(&buffers, ZONE, seed);
    run_once(&buffers);
    check_bytes_around(&buffers, seed);
    for (i = 0; seed == 0 && i < BENCH_NUM_OUTPUTS; ++i) {
      expected[i] = allocate(sizeof(void *), BENCH_OUTPUTS[i].bytes);
      memcpy(expected[i], buffers.all[BENCH_NUM_INPUTS + i].data,
             BENCH_OUTPUTS[i].bytes);
    }
    check_outputs(&buffers);
    free_buffers(&buffers);
  }
  make_buffers(&buffers, 0, 0);
  run_once(&buffers);
  check_outputs(&buffers);
  free_buffers(&buffers);
  run_threads(atoi(argv[1]));
  write_outputs(argv[3]);
  for (i = 0; i < BENCH_NUM_INPUTS; ++i) {
    free(inputs[i]);
  }
  for (i = 0; i < BENCH_NUM_OUTPUTS; ++i) {
    free(expected[i]);
  }
  return 0;
}
