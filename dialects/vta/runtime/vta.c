/*===- vta.c - Model of the VTA accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Simulates the function and the timing of the device on the host, in plain
 * C99. Instructions are checked when they are written. vta_finish executes them
 * in the order in which they start; hazards are found by comparing the start of
 * an instruction with the ends of earlier instructions.
 *
 *===----------------------------------------------------------------------===*/

#include "vta_core.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_BYTES = VTA_CORE_MAX_BYTES,
  MAX_INSTRUCTIONS = 1 << 20 /* In one queue; also tokens in one FIFO. */
};

static vta_core_hardware hardware;
static int is_initialized;

/* The memories. */
static int8_t inp[MAX_BYTES];
static int8_t wgt[MAX_BYTES];
static uint32_t acc[MAX_BYTES / 4];
static int8_t out[MAX_BYTES];

/* For each element of a memory, the ends of the last instruction that wrote it
 * and of the last instruction that read it. Each memory is written by one
 * module and read by one module. */
static long long written[4][MAX_BYTES];
static long long read_until[4][MAX_BYTES];

/* Times do not restart at vta_init: earlier times mark undefined elements. */
static long long now;          /* The end of all executed instructions. */
static long long origin;       /* The time of vta_init. */
static long long idle_from[3]; /* The time of each module in vta_finish. */

/* The queue of each module. */
static struct {
  vta_core_instruction *items;
  size_t capacity, count;
  size_t next; /* The first instruction that was not executed. */
} queues[3];

/* The tokens between two modules: the times at which they were pushed. */
typedef struct {
  long long *times;
  size_t capacity, count;
  size_t next;     /* The first token that was not popped. */
  size_t reserved; /* `count` after all pushes in the queue. */
} fifo;

static fifo fifos[3][3]; /* [from][to] */

/* The factors of all instructions in the queue, one after the other. */
static float *factors;
static size_t factor_capacity, factor_count;
static size_t factor_next; /* The first factor that was not used. */

static vta_statistics counters; /* Since vta_init, without cycles. */

/* Sums of the counters up to the last call to vta_init. */
static vta_statistics total; /* Without cycles and instructions. */
static long long total_instructions;

static FILE *trace;

/*===----------------------------------------------------------------------===*
 * Trace and statistics
 *===----------------------------------------------------------------------===*/

/* Appends an event to the trace. Overwrites the closing bracket and writes a
 * new one, so that the file is always complete. */
static void record(const char *name, int lane, size_t instruction,
                   long long start, long long cycles) {
  if (trace == NULL || fseek(trace, -2L, SEEK_CUR) != 0)
    return;
  (void)fprintf(trace,
                ",\n{\"name\":\"%s\",\"ph\":\"X\",\"ts\":%lld,\"dur\":%lld,"
                "\"pid\":1,\"tid\":%d,\"args\":{\"instruction\":%lu}}\n]",
                name, start, cycles, lane, (unsigned long)instruction);
}

int vta_trace(const char *path) {
  static const char *const lanes[] = {"load", "compute", "store", "host"};
  if (trace != NULL)
    (void)fclose(trace);
  trace = path ? fopen(path, "wb") : NULL;
  if (trace == NULL)
    return path ? VTA_BAD_INSTRUCTION : VTA_OK;
  for (int lane = 0; lane < 4; ++lane)
    (void)fprintf(trace,
                  "%s\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                  "\"tid\":%d,\"args\":{\"name\":\"%s\"}}",
                  lane == 0 ? "[" : ",", lane, lanes[lane]);
  (void)fprintf(trace, "\n]");
  return VTA_OK;
}

/* Adds the counters to the totals. */
static void add_to_total(void) {
  total.loaded_bytes += counters.loaded_bytes;
  total.stored_bytes += counters.stored_bytes;
  total.macs += counters.macs;
  total_instructions += counters.instructions;
  for (int module = 0; module < 3; ++module)
    total.busy[module] += counters.busy[module];
}

static void append_statistics(void) {
  const char *path = getenv("VTA_STATISTICS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file == NULL) {
    (void)fprintf(stderr, "vta: cannot write VTA_STATISTICS\n");
    return;
  }
  add_to_total();
  (void)fprintf(file,
                "cycles=%lld load_busy=%lld compute_busy=%lld store_busy=%lld "
                "loaded=%lld stored=%lld macs=%lld commands=%lld\n",
                now, total.busy[VTA_LOAD], total.busy[VTA_COMPUTE],
                total.busy[VTA_STORE], total.loaded_bytes, total.stored_bytes,
                total.macs, total_instructions);
  (void)fclose(file);
}

/* Applies the environment variables. Later calls have no effect. */
static void read_environment(void) {
  static int is_read;
  const char *path = getenv("VTA_TRACE");
  if (is_read)
    return;
  is_read = 1;
  if (path != NULL && trace == NULL && vta_trace(path) != VTA_OK)
    (void)fprintf(stderr, "vta: cannot write VTA_TRACE\n");
  if (getenv("VTA_STATISTICS") != NULL)
    (void)atexit(append_statistics);
}

void vta_get_statistics(vta_statistics *statistics) {
  if (statistics == NULL)
    return;
  *statistics = counters;
  statistics->cycles = now - origin;
}

/*===----------------------------------------------------------------------===*
 * Hazards
 *===----------------------------------------------------------------------===*/

/* Checks that elements may be accessed at `start`. */
static int check_elements(const vta_core_area *a, long long first,
                          long long last, long long start) {
  const long long *times = (a->writes ? read_until : written)[a->memory];
  for (long long i = first; i < last; ++i)
    if (times[i] > start || (!a->writes && times[i] <= origin))
      return times[i] > start ? VTA_HAZARD : VTA_UNDEFINED;
  return VTA_OK;
}

/* Checks that an area may be accessed at `start`. If `end` is not 0, sets the
 * times of the area instead. */
static int visit(const vta_core_area *a, long long start, long long end) {
  const int element = vta_core_get_element_bytes(a->memory);
  long long *times = (a->writes ? written : read_until)[a->memory];
  for (long long n = 0; n < a->counts[0]; ++n)
    for (long long b = 0; b < a->counts[1]; ++b)
      for (long long r = 0; r < a->counts[2]; ++r) {
        const long long at = a->at + n * a->distances[0] + b * a->distances[1] +
                             r * a->distances[2];
        const long long first = at / element, last = first + a->bytes / element;
        const int status = end ? VTA_OK : check_elements(a, first, last, start);
        if (status != VTA_OK)
          return status;
        for (long long i = first; end && i < last; ++i)
          times[i] = end;
      }
  return VTA_OK;
}

/*===----------------------------------------------------------------------===*
 * Instructions
 *===----------------------------------------------------------------------===*/

/* Returns `data` or a larger copy with space for `count` items, or NULL if the
 * host is out of memory. */
static void *reserve(void *data, size_t *capacity, size_t count, size_t size) {
  if (count <= *capacity)
    return data;
  if (count > SIZE_MAX / 4 / size)
    return NULL;
  const size_t grown = count + count / 2 + 64;
  void *larger = realloc(data, grown * size);
  if (larger != NULL)
    *capacity = grown;
  return larger;
}

/* Appends an instruction to the queue of a module. */
static int append(int module, const vta_core_instruction *i) {
  const size_t count = queues[module].count;
  if (count >= MAX_INSTRUCTIONS ||
      counters.instructions > INT_MAX - 3 * MAX_INSTRUCTIONS)
    return VTA_FULL;
  vta_core_instruction *items = (vta_core_instruction *)reserve(
      queues[module].items, &queues[module].capacity, count + 1, sizeof(*i));
  if (items == NULL)
    return VTA_FULL;
  queues[module].items = items;
  items[count] = *i;
  ++queues[module].count;
  return VTA_OK;
}

static vta_core_instruction make_instruction(vta_core_operation kind) {
  vta_core_instruction i;
  memset(&i, 0, sizeof(i));
  i.kind = kind;
  return i;
}

/* Checks an instruction and appends it to the queue of a module. */
static int write_instruction(int module, const vta_core_instruction *i) {
  if (!is_initialized || !vta_core_is_valid(&hardware, i))
    return VTA_BAD_INSTRUCTION;
  return append(module, i);
}

int vta_load(int memory, int to, const void *from, int rows, int row_bytes,
             int stride) {
  const vta_core_transfer t = {
      memory, to, (const int8_t *)from, NULL, rows, row_bytes, stride};
  vta_core_instruction i = make_instruction(VTA_CORE_LOAD);
  if (memory != VTA_INP && memory != VTA_WGT && memory != VTA_ACC)
    return VTA_BAD_INSTRUCTION;
  i.as.transfer = t;
  return write_instruction(memory == VTA_ACC ? VTA_COMPUTE : VTA_LOAD, &i);
}

int vta_store(void *to, int from, int rows, int row_bytes, int stride) {
  const vta_core_transfer t = {VTA_OUT, from,      NULL,  (int8_t *)to,
                               rows,    row_bytes, stride};
  vta_core_instruction i = make_instruction(VTA_CORE_STORE);
  i.as.transfer = t;
  return write_instruction(VTA_STORE, &i);
}

int vta_gemm(const vta_gemm_instruction *instruction) {
  vta_core_instruction i = make_instruction(VTA_CORE_GEMM);
  if (instruction == NULL)
    return VTA_BAD_INSTRUCTION;
  i.as.gemm = *instruction;
  return write_instruction(VTA_COMPUTE, &i);
}

int vta_alu(const vta_alu_instruction *instruction) {
  vta_core_instruction i = make_instruction(VTA_CORE_ALU);
  if (instruction == NULL)
    return VTA_BAD_INSTRUCTION;
  i.as.alu = *instruction;
  if (!is_initialized || !vta_core_is_valid(&hardware, &i))
    return VTA_BAD_INSTRUCTION;
  const size_t count = (size_t)instruction->oc;
  for (size_t c = 0; c < count; ++c)
    if (!isfinite(instruction->factor[c]))
      return VTA_BAD_INSTRUCTION;
  float *larger = (float *)reserve(factors, &factor_capacity,
                                   factor_count + count, sizeof(*larger));
  if (larger == NULL)
    return VTA_FULL;
  factors = larger;
  memcpy(factors + factor_count, instruction->factor, count * sizeof(*larger));
  const int status = append(VTA_COMPUTE, &i);
  if (status == VTA_OK)
    factor_count += count;
  return status;
}

/* Checks the modules of a push or pop. */
static int are_modules(int from, int to) {
  return is_initialized && from >= 0 && from < 3 && to >= 0 && to < 3 &&
         from != to;
}

int vta_push(int from, int to) {
  vta_core_instruction i = make_instruction(VTA_CORE_PUSH);
  if (!are_modules(from, to))
    return VTA_BAD_INSTRUCTION;
  i.as.peer = to;
  fifo *f = &fifos[from][to];
  if (f->reserved >= MAX_INSTRUCTIONS)
    return VTA_FULL;
  long long *times = (long long *)reserve(f->times, &f->capacity,
                                          f->reserved + 1, sizeof(*times));
  if (times == NULL)
    return VTA_FULL;
  f->times = times;
  const int status = append(from, &i);
  f->reserved += status == VTA_OK;
  return status;
}

int vta_pop(int from, int to) {
  vta_core_instruction i = make_instruction(VTA_CORE_POP);
  if (!are_modules(from, to))
    return VTA_BAD_INSTRUCTION;
  i.as.peer = from;
  return append(to, &i);
}

/*===----------------------------------------------------------------------===*
 * Execution
 *===----------------------------------------------------------------------===*/

/* Drops all instructions that were not executed. Keeps the tokens that are
 * left, or drops them. The times of tokens that are left do not matter, because
 * later instructions start later. */
static void clear_queues(int keeps_tokens) {
  factor_count = factor_next = 0;
  for (int m = 0; m < 3; ++m) {
    queues[m].count = queues[m].next = 0;
    for (int to = 0; to < 3; ++to) {
      fifo *f = &fifos[m][to];
      const size_t left = keeps_tokens ? f->count - f->next : 0;
      f->count = f->reserved = left;
      f->next = 0;
    }
  }
}

int vta_init(int batch, int block_in, int block_out, int inp_kib, int wgt_kib,
             int acc_kib, int out_kib) {
  vta_core_hardware hw = {
      batch, block_in, block_out, {inp_kib, wgt_kib, acc_kib, out_kib}};
  for (int memory = 0; memory < 4; ++memory) {
    if (hw.sizes[memory] < 1 || hw.sizes[memory] > MAX_BYTES / 1024)
      return VTA_BAD_INSTRUCTION;
    hw.sizes[memory] *= 1024;
  }
  if (!vta_core_has_valid_shape(&hw))
    return VTA_BAD_INSTRUCTION;
  read_environment();
  add_to_total();
  memset(&counters, 0, sizeof(counters));
  clear_queues(/*keeps_tokens=*/0);
  hardware = hw;
  is_initialized = 1;
  origin = now;
  return VTA_OK;
}

/* Returns the next instruction of a module, or NULL if there is none. */
static const vta_core_instruction *get_next(int module) {
  if (queues[module].next == queues[module].count)
    return NULL;
  return &queues[module].items[queues[module].next];
}

/* Removes the next instruction of a module, which has been executed. */
static void retire(int module) {
  ++queues[module].next;
  ++counters.instructions;
}

/* Executes the next push or pop of a module. Returns 0 if there is none, or if
 * the token is missing. */
static int pass_token(int module) {
  const vta_core_instruction *i = get_next(module);
  if (i == NULL || (i->kind != VTA_CORE_PUSH && i->kind != VTA_CORE_POP))
    return 0;
  if (i->kind == VTA_CORE_PUSH) {
    fifo *f = &fifos[module][i->as.peer];
    f->times[f->count++] = idle_from[module];
  } else {
    fifo *f = &fifos[i->as.peer][module];
    if (f->next == f->count)
      return 0;
    if (idle_from[module] < f->times[f->next])
      idle_from[module] = f->times[f->next];
    ++f->next;
  }
  retire(module);
  return 1;
}

/* Moves the data of a transfer, and counts its bytes. */
static void copy(const vta_core_transfer *t) {
  const size_t bytes = (size_t)t->row_bytes;
  int8_t *const memories[] = {inp, wgt, (int8_t *)acc, out};
  int8_t *memory = memories[t->memory] + t->at;
  for (size_t i = 0; i < (size_t)t->rows; ++i)
    if (t->to == NULL)
      memcpy(memory + i * bytes, t->from + i * (size_t)t->stride, bytes);
    else
      memcpy(t->to + i * (size_t)t->stride, memory + i * bytes, bytes);
  *(t->to == NULL ? &counters.loaded_bytes : &counters.stored_bytes) +=
      (long long)t->rows * t->row_bytes;
}

/* Computes the result of an instruction. */
static void compute(const vta_core_instruction *i) {
  if (i->kind == VTA_CORE_LOAD || i->kind == VTA_CORE_STORE) {
    copy(&i->as.transfer);
  } else if (i->kind == VTA_CORE_GEMM) {
    const vta_gemm_instruction *g = &i->as.gemm;
    counters.macs +=
        (long long)g->n * g->ic * g->oc * g->kh * g->kw * g->oh * g->ow;
    vta_core_gemm(&hardware, g, inp, wgt, acc);
  } else {
    vta_alu_instruction a = i->as.alu;
    a.factor = factors + factor_next;
    factor_next += (size_t)a.oc;
    vta_core_alu(&hardware, &a, acc, out);
  }
}

/* Executes the next instruction of a module, which is not a push or pop. */
static int execute(int module) {
  static const char *const names[] = {"load", "store", "gemm", "alu"};
  vta_core_area areas[4];
  const vta_core_instruction *i = get_next(module);
  const int count = vta_core_get_areas(&hardware, i, areas);
  const long long start = idle_from[module];
  const long long cycles = vta_core_count_cycles(i, areas);
  for (int k = 0; k < count; ++k) {
    const int status = visit(&areas[k], start, 0);
    if (status != VTA_OK)
      return status;
  }
  for (int k = 0; k < count; ++k)
    (void)visit(&areas[k], start, start + cycles);
  compute(i);
  record(names[i->kind], module, queues[module].next, start, cycles);
  counters.busy[module] += cycles;
  idle_from[module] += cycles;
  if (now < idle_from[module])
    now = idle_from[module];
  retire(module);
  return VTA_OK;
}

int vta_finish(void) {
  const long long start = now;
  int status = VTA_OK;
  idle_from[0] = idle_from[1] = idle_from[2] = now;
  while (status == VTA_OK) {
    int first = -1;
    while (pass_token(VTA_LOAD) || pass_token(VTA_COMPUTE) ||
           pass_token(VTA_STORE))
      continue;
    /* A module that waits for a token starts later than the others. */
    for (int m = 0; m < 3; ++m) {
      const vta_core_instruction *i = get_next(m);
      if (i == NULL)
        continue;
      if (i->kind != VTA_CORE_PUSH && i->kind != VTA_CORE_POP &&
          (first < 0 || idle_from[m] < idle_from[first]))
        first = m;
    }
    if (first < 0)
      break;
    status = execute(first);
  }
  for (int m = 0; m < 3; ++m)
    if (status == VTA_OK && get_next(m) != NULL)
      status = VTA_DEADLOCK;
  record("vta_finish", 3, 0, start, now - start);
  clear_queues(status == VTA_OK);
  return status;
}
