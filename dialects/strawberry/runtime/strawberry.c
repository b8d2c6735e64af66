/*===- strawberry.c - Model of the Strawberry accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Simulates the function and the timing of the device in plain C99. Data moves
 * when a command is queued; a hazard is a start before an earlier end. The
 * array is a model of its own, see strawberry_array.h.
 *
 *===----------------------------------------------------------------------===*/

#include "strawberry_array.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_BYTES = STRAWBERRY_ARRAY_MAX_BYTES,
  GRANULE = 8,   /* Bytes whose accesses are recorded together. */
  DMA_SETUP = 24 /* Cycles. */
};

/* The memories, and their sizes in bytes; 0 before strawberry_init. */
static strawberry_array_memories memories;
static int sizes[3];
static int dma_bytes_per_cycle = 1;
static int lanes = 16; /* Channels in a block. */

/* For each granule of a memory, the ends of the last command that wrote it and
 * of the last command that read it; 0 if there is none. Each memory is written
 * by one engine only. Reads by the same engine are not recorded. */
static long long written[3][MAX_BYTES / GRANULE];
static long long read_until[3][MAX_BYTES / GRANULE];

/* The state of the engines since strawberry_init. */
static long long host_time;
static long long idle_from[2];
static long long *ends[2]; /* The end of each command. */
static int capacity[2];    /* Of `ends`. */
static strawberry_statistics counters;

/* Sums of the counters up to the last call to strawberry_init. */
static strawberry_statistics total; /* Without commands. */
static long long total_commands[2];

static FILE *trace;

/*===----------------------------------------------------------------------===*
 * Trace and statistics
 *===----------------------------------------------------------------------===*/

/* Appends an event to the trace. Overwrites the closing bracket and writes a
 * new one, so that the file is always complete. */
static void record(const char *name, int lane, int command, long long start,
                   long long cycles) {
  if (trace == NULL || fseek(trace, -2L, SEEK_CUR) != 0)
    return;
  (void)fprintf(trace,
                ",\n{\"name\":\"%s\",\"ph\":\"X\",\"ts\":%lld,\"dur\":%lld,"
                "\"pid\":1,\"tid\":%d,\"args\":{\"command\":%d}}\n]",
                name, total.cycles + start, cycles, lane, command);
}

int strawberry_trace(const char *path) {
  static const char *const rows[] = {"dma", "array", "host"};
  if (trace != NULL)
    (void)fclose(trace);
  trace = path ? fopen(path, "wb") : NULL;
  if (trace == NULL)
    return path ? STRAWBERRY_BAD_COMMAND : STRAWBERRY_OK;
  for (int lane = 0; lane < 3; ++lane)
    (void)fprintf(trace,
                  "%s\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                  "\"tid\":%d,\"args\":{\"name\":\"%s\"}}",
                  lane == 0 ? "[" : ",", lane, rows[lane]);
  (void)fprintf(trace, "\n]");
  return STRAWBERRY_OK;
}

/* Adds the counters to the totals. */
static void add_to_total(void) {
  total.cycles += counters.cycles;
  total.loaded_bytes += counters.loaded_bytes;
  total.stored_bytes += counters.stored_bytes;
  total.macs += counters.macs;
  for (int engine = 0; engine < 2; ++engine) {
    total.busy[engine] += counters.busy[engine];
    total_commands[engine] += counters.commands[engine];
  }
}

static void append_statistics(void) {
  const char *path = getenv("STRAWBERRY_STATISTICS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file == NULL) {
    (void)fprintf(stderr, "strawberry: cannot write STRAWBERRY_STATISTICS\n");
    return;
  }
  add_to_total();
  (void)fprintf(file,
                "cycles=%lld dma_busy=%lld array_busy=%lld loaded=%lld "
                "stored=%lld macs=%lld dma_commands=%lld array_commands=%lld\n",
                total.cycles, total.busy[STRAWBERRY_DMA],
                total.busy[STRAWBERRY_ARRAY], total.loaded_bytes,
                total.stored_bytes, total.macs, total_commands[STRAWBERRY_DMA],
                total_commands[STRAWBERRY_ARRAY]);
  (void)fclose(file);
}

/* Applies the environment variables. Later calls have no effect. */
static void read_environment(void) {
  static int is_read;
  const char *path = getenv("STRAWBERRY_TRACE");
  if (is_read)
    return;
  is_read = 1;
  if (path != NULL && trace == NULL && strawberry_trace(path) != STRAWBERRY_OK)
    (void)fprintf(stderr, "strawberry: cannot write STRAWBERRY_TRACE\n");
  if (getenv("STRAWBERRY_STATISTICS") != NULL)
    (void)atexit(append_statistics);
}

void strawberry_get_statistics(strawberry_statistics *statistics) {
  if (statistics != NULL)
    *statistics = counters;
}

/*===----------------------------------------------------------------------===*
 * Areas of a memory
 *===----------------------------------------------------------------------===*/

/* The bytes that a command accesses: in each of `blocks` blocks, `rows` rows of
 * `bytes` bytes. */
typedef struct {
  long long at, blocks, block, rows, row, bytes;
} area;

/* Returns an area. Ignores the distance if there is one block or one row. An
 * area without rows or bytes is one row of no bytes. */
static area make_area(int at, long long blocks, int block, long long rows,
                      long long row, long long bytes) {
  const area none = {at, 1, 0, 1, 0, 0};
  const area a = {
      at, blocks, blocks > 1 ? block : 0, rows, rows > 1 ? row : 0, bytes};
  return rows == 0 || bytes == 0 ? none : a;
}

/* Checks that an area is aligned and inside of a memory, and that its rows do
 * not overlap. Products of its numbers must fit in 63 bits. */
static int is_valid(const area *a, long long alignment, long long memory_size) {
  if (a->at < 0 || a->block < 0 || a->row < 0 || a->at % alignment != 0 ||
      a->block % alignment != 0 || a->row % alignment != 0)
    return 0;
  const long long block_size = (a->rows - 1) * a->row + a->bytes;
  const long long row_of_all_blocks = (a->blocks - 1) * a->block + a->bytes;
  if (a->rows > 1 && a->row < a->bytes)
    return 0;
  if (a->blocks > 1 && a->block < block_size &&
      (a->block < a->bytes || a->row < row_of_all_blocks))
    return 0;
  return a->at + (a->blocks - 1) * a->block + block_size <= memory_size;
}

/* Checks that a command may access an area at `start`, where `times` has the
 * ends of the commands that it must follow. If it reads the area, 0 is the time
 * of bytes that were not written. */
static int check(const long long *times, const area *a, int reads,
                 long long start) {
  for (long long b = 0; b < a->blocks; ++b)
    for (long long r = 0; r < a->rows; ++r) {
      const long long at = a->at + b * a->block + r * a->row;
      for (long long i = at / GRANULE; i < (at + a->bytes) / GRANULE; ++i)
        if (times[i] > start || (reads && times[i] == 0))
          return times[i] > start ? STRAWBERRY_HAZARD : STRAWBERRY_UNDEFINED;
    }
  return STRAWBERRY_OK;
}

/* Sets the times of an area. */
static void mark(long long *times, const area *a, long long end) {
  for (long long b = 0; b < a->blocks; ++b)
    for (long long r = 0; r < a->rows; ++r) {
      const long long at = a->at + b * a->block + r * a->row;
      for (long long i = at / GRANULE; i < (at + a->bytes) / GRANULE; ++i)
        times[i] = end;
    }
}

/*===----------------------------------------------------------------------===*
 * Engines
 *===----------------------------------------------------------------------===*/

/* Returns when a command queued now starts. */
static long long get_start(int engine) {
  return host_time > idle_from[engine] ? host_time : idle_from[engine];
}

/* Allocates an entry of the queue. Fails if the host is out of memory. */
static int reserve(int engine) {
  const int count = counters.commands[engine];
  if (count < capacity[engine])
    return STRAWBERRY_OK;
  if (count > INT_MAX / 4)
    return STRAWBERRY_BAD_COMMAND;
  const size_t grown = 2 * (size_t)count + 1024;
  long long *larger =
      (long long *)realloc(ends[engine], grown * sizeof(*larger));
  if (larger == NULL)
    return STRAWBERRY_BAD_COMMAND;
  ends[engine] = larger;
  capacity[engine] = (int)grown;
  return STRAWBERRY_OK;
}

/* Queues a command in the reserved entry. */
static void issue(int engine, const char *name, long long cycles) {
  const long long start = get_start(engine);
  ends[engine][counters.commands[engine]] = idle_from[engine] = start + cycles;
  ++counters.commands[engine];
  counters.busy[engine] += cycles;
  if (counters.cycles < start + cycles)
    counters.cycles = start + cycles;
  record(name, engine, counters.commands[engine], start, cycles);
}

int strawberry_init(int input_kib, int weight_kib, int sum_kib, int dma_bytes,
                    int array) {
  const int kib[3] = {input_kib, weight_kib, sum_kib};
  for (int i = 0; i < 3; ++i)
    if (kib[i] < 1 || kib[i] > MAX_BYTES / 1024)
      return STRAWBERRY_BAD_COMMAND;
  if (dma_bytes < 1 || dma_bytes > 64 || (dma_bytes & (dma_bytes - 1)) != 0)
    return STRAWBERRY_BAD_COMMAND;
  if (!strawberry_array_set_lanes(array))
    return STRAWBERRY_BAD_COMMAND;
  read_environment();
  add_to_total();
  memset(&counters, 0, sizeof(counters));
  memories = strawberry_array_get_memories();
  host_time = idle_from[0] = idle_from[1] = 0;
  dma_bytes_per_cycle = dma_bytes;
  lanes = array;
  for (int i = 0; i < 3; ++i) {
    const size_t granules = (size_t)kib[i] * 1024 / GRANULE;
    sizes[i] = kib[i] * 1024;
    memset(written[i], 0, granules * sizeof(written[i][0]));
    memset(read_until[i], 0, granules * sizeof(read_until[i][0]));
  }
  return STRAWBERRY_OK;
}

int strawberry_wait(int engine, int commands) {
  if ((engine != STRAWBERRY_DMA && engine != STRAWBERRY_ARRAY) || commands < 0)
    return STRAWBERRY_BAD_COMMAND;
  if (commands > counters.commands[engine])
    return STRAWBERRY_NOT_ISSUED;
  const long long end = commands > 0 ? ends[engine][commands - 1] : 0;
  if (host_time < end)
    record("strawberry_wait", 2, commands, host_time, end - host_time);
  host_time = host_time < end ? end : host_time;
  return STRAWBERRY_OK;
}

/*===----------------------------------------------------------------------===*
 * DMA
 *===----------------------------------------------------------------------===*/

/* Returns the number of blocks of the channels. */
static int count_blocks(int channels) {
  return channels / lanes + (channels % lanes != 0);
}

/* Checks sizes of a tensor. Larger ones do not fit in a memory, and their
 * products could overflow. */
static int are_sizes(int channels, int rows, int columns) {
  return channels >= 1 && channels <= MAX_BYTES && rows >= 1 &&
         rows <= MAX_BYTES / GRANULE && columns >= 1 &&
         columns <= MAX_BYTES / GRANULE;
}

/* Returns the alignment of the input and weight memories. */
static int get_alignment(void) { return lanes < 16 ? lanes : 16; }

/* Returns the bytes of a pixel of sums. */
static long long count_sum_bytes(void) { return 4LL * lanes; }

/* Returns the bytes of the biases and factors of a block. */
static long long count_table_bytes(void) { return 8LL * lanes; }

static int is_int8(int value) { return value >= -128 && value <= 127; }

/* Returns the cycles of a transfer. */
static long long count_dma_cycles(long long bytes) {
  return (bytes + dma_bytes_per_cycle - 1) / dma_bytes_per_cycle;
}

int strawberry_load(int memory, int to, const void *from, int rows,
                    int row_bytes, int stride) {
  if ((memory != STRAWBERRY_INPUT && memory != STRAWBERRY_WEIGHTS) ||
      from == NULL || rows < 1 || row_bytes < 1 ||
      row_bytes % get_alignment() != 0 || (rows > 1 && stride < 0))
    return STRAWBERRY_BAD_COMMAND;
  const long long bytes = (long long)rows * row_bytes;
  const area a = make_area(to, 1, 0, 1, 0, bytes);
  if (!is_valid(&a, get_alignment(), sizes[memory]))
    return STRAWBERRY_BAD_COMMAND;
  int status = check(read_until[memory], &a, 0, get_start(STRAWBERRY_DMA));
  if (status == STRAWBERRY_OK)
    status = reserve(STRAWBERRY_DMA);
  if (status != STRAWBERRY_OK)
    return status;
  issue(STRAWBERRY_DMA, "load", DMA_SETUP + rows * count_dma_cycles(row_bytes));
  mark(written[memory], &a, idle_from[STRAWBERRY_DMA]);
  counters.loaded_bytes += bytes;
  int8_t *target =
      (memory == STRAWBERRY_INPUT ? memories.input : memories.weights) + to;
  for (int i = 0; i < rows; ++i)
    memcpy(target + (size_t)i * (size_t)row_bytes,
           (const int8_t *)from + (size_t)i * (size_t)stride,
           (size_t)row_bytes);
  return STRAWBERRY_OK;
}

/* Rescales a sum. Bounds without the zero point come first, so that the
 * conversion to int cannot overflow. */
static int8_t requantize(int32_t sum, float factor, int zero, int low,
                         int high) {
  float steps = nearbyintf((float)sum * factor);
  if (steps < (float)(low - zero))
    steps = (float)(low - zero);
  if (steps > (float)(high - zero))
    steps = (float)(high - zero);
  return (int8_t)((int)steps + zero);
}

/* Rescales one row of a block, whose first channel is `channel`. */
static void store_row(const strawberry_result *r, int channel,
                      const uint32_t *from, int8_t *to) {
  for (int j = 0; j < r->ow; ++j, from += lanes, to += lanes)
    for (int lane = 0; lane < lanes; ++lane) {
      const int c = channel + lane;
      const uint32_t bias = c < r->oc && r->bias ? (uint32_t)r->bias[c] : 0;
      to[lane] = (int8_t)r->y_zero;
      if (c < r->oc)
        to[lane] = requantize((int32_t)(from[lane] + bias), r->factor[c],
                              r->y_zero, r->low, r->high);
    }
}

int strawberry_store(const strawberry_result *result) {
  const strawberry_result *r = result;
  if (r == NULL || r->factor == NULL || r->y == NULL ||
      !are_sizes(r->oc, r->oh, r->ow) || !is_int8(r->y_zero) ||
      !is_int8(r->low) || !is_int8(r->high) || r->low > r->high)
    return STRAWBERRY_BAD_COMMAND;
  const int blocks = count_blocks(r->oc);
  const area s = make_area(r->sums, blocks, r->sums_block, r->oh, r->sums_row,
                           r->ow * count_sum_bytes());
  const area y = make_area(0, blocks, r->y_block, r->oh, r->y_row,
                           (long long)r->ow * lanes);
  if (!is_valid(&s, 4 * get_alignment(), sizes[STRAWBERRY_SUMS]) ||
      !is_valid(&y, 1, LLONG_MAX))
    return STRAWBERRY_BAD_COMMAND;
  for (int c = 0; c < r->oc; ++c)
    if (!isfinite(r->factor[c]))
      return STRAWBERRY_BAD_COMMAND;
  int status =
      check(written[STRAWBERRY_SUMS], &s, 1, get_start(STRAWBERRY_DMA));
  if (status == STRAWBERRY_OK)
    status = reserve(STRAWBERRY_DMA);
  if (status != STRAWBERRY_OK)
    return status;
  issue(STRAWBERRY_DMA, "store",
        DMA_SETUP + blocks * (count_dma_cycles(count_table_bytes()) +
                              r->oh * count_dma_cycles(y.bytes)));
  mark(read_until[STRAWBERRY_SUMS], &s, idle_from[STRAWBERRY_DMA]);
  counters.loaded_bytes += blocks * count_table_bytes();
  counters.stored_bytes += y.blocks * y.rows * y.bytes;
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < r->oh; ++i)
      store_row(r, b * lanes,
                memories.sums + (s.at + b * s.block + i * s.row) / 4,
                r->y + (b * y.block + i * y.row));
  return STRAWBERRY_OK;
}

/*===----------------------------------------------------------------------===*
 * Array
 *===----------------------------------------------------------------------===*/

static int is_tile(const strawberry_tile *t) {
  return are_sizes(t->ic, t->ih + (t->ih == 0), t->iw + (t->iw == 0)) &&
         are_sizes(t->oc, t->oh, t->ow) && are_sizes(1, t->kh, t->kw) &&
         t->stride_y >= 1 && t->stride_x >= 1 && t->top >= 0 && t->left >= 0 &&
         is_int8(t->x_zero) && (t->accumulate == 0 || t->accumulate == 1);
}

static int run_array(const strawberry_tile *t, int is_depthwise) {
  if (t == NULL || !is_tile(t) || (is_depthwise && t->ic != t->oc))
    return STRAWBERRY_BAD_COMMAND;
  const int outputs = count_blocks(t->oc);
  const int inputs = is_depthwise ? 1 : count_blocks(t->ic);
  const long long taps = (long long)t->kh * t->kw;
  const long long pixels = (long long)t->oh * t->ow;
  const int step_bytes = is_depthwise ? lanes : lanes * lanes;
  const area x = make_area(t->x, count_blocks(t->ic), t->x_block, t->ih,
                           t->x_row, (long long)t->iw * lanes);
  const area w =
      make_area(t->w, outputs, t->w_block, 1, 0, inputs * taps * step_bytes);
  const area s = make_area(t->sums, outputs, t->sums_block, t->oh, t->sums_row,
                           t->ow * count_sum_bytes());
  if (!is_valid(&x, get_alignment(), sizes[STRAWBERRY_INPUT]) ||
      !is_valid(&w, get_alignment(), sizes[STRAWBERRY_WEIGHTS]) ||
      w.block % step_bytes != 0 ||
      !is_valid(&s, 4 * get_alignment(), sizes[STRAWBERRY_SUMS]))
    return STRAWBERRY_BAD_COMMAND;
  const long long start = get_start(STRAWBERRY_ARRAY);
  int status = check(written[STRAWBERRY_INPUT], &x, 1, start);
  if (status == STRAWBERRY_OK)
    status = check(written[STRAWBERRY_WEIGHTS], &w, 1, start);
  if (status == STRAWBERRY_OK)
    status = check(read_until[STRAWBERRY_SUMS], &s, 0, start);
  if (status == STRAWBERRY_OK && t->accumulate)
    status = check(written[STRAWBERRY_SUMS], &s, 1, start);
  if (status == STRAWBERRY_OK)
    status = reserve(STRAWBERRY_ARRAY);
  if (status != STRAWBERRY_OK)
    return status;
  issue(STRAWBERRY_ARRAY, is_depthwise ? "depthwise" : "conv",
        strawberry_array_run(t, is_depthwise));
  const long long end = idle_from[STRAWBERRY_ARRAY];
  mark(read_until[STRAWBERRY_INPUT], &x, end);
  mark(read_until[STRAWBERRY_WEIGHTS], &w, end);
  mark(written[STRAWBERRY_SUMS], &s, end);
  counters.macs += (is_depthwise ? 1LL : t->ic) * t->oc * taps * pixels;
  return STRAWBERRY_OK;
}

int strawberry_conv(const strawberry_tile *tile) { return run_array(tile, 0); }

int strawberry_depthwise(const strawberry_tile *tile) {
  return run_array(tile, 1);
}
