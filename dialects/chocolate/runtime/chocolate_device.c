/*===- chocolate_device.c - Model of the Chocolate device -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Simulates the function and the timing of the device on the host, in plain
 * C99. Each engine goes through the whole list on its own: it writes its
 * registers, skips the packets of other engines, and stops at its next command.
 * Hazards are found by comparing the start of a command with the ends of
 * earlier commands.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_device.h"

#include "chocolate_engines.h"

#include <stdlib.h>
#include <string.h>

enum {
  ENGINES = 4,
  MAX_BYTES = CHOCOLATE_MAX_BYTES,
  GRANULE = CHOCOLATE_LANES /* Bytes with one time. */
};

static const long long max_time = 1LL << 62;

static chocolate_hardware hardware;

/* The memories. */
static int8_t data[MAX_BYTES];
static int8_t weights[MAX_BYTES];
static uint32_t sums[MAX_BYTES / 4];

/* For each granule of a memory, the end of the last command that wrote it, and
 * the latest end of the commands that read it. */
static long long written[3][MAX_BYTES / GRANULE];
static long long read_until[3][MAX_BYTES / GRANULE];

/* Times do not restart at a reset: earlier times mark undefined granules. */
static long long now;    /* The end of all executed commands. */
static long long origin; /* The time of the reset. */

/* The tokens between two engines: the times at which they were pushed. */
typedef struct {
  long long *times;
  size_t capacity, count;
  size_t next; /* The first token that was not popped. */
} fifo;

static fifo fifos[ENGINES][ENGINES]; /* [from][to] */

/* The state of an engine while a list runs. */
typedef struct {
  long long idle_from; /* The end of its last command. */
  /* Its next command, or END. */
  chocolate_packet packet;
  int layer;
  /* The areas of main memory that the last command accesses. */
  chocolate_area areas[2];
  int area_count;
} engine;

static engine engines[ENGINES];

/* The registers, in the order of their numbers. Only the engine that executes
 * the operation writes those of its bank. */
static uint32_t registers[CHOCOLATE_REGISTERS];

static chocolate_list list; /* That runs. */
static unsigned char *const *segments;

static chocolate_statistics counters; /* Since the reset, without cycles. */

static long long attempts; /* Commands that started, also those that failed. */
static long long fault_at;
static int fault = CHOCOLATE_OK; /* The status of command `fault_at`. */

long long chocolate_device_get_time(void) { return now; }

chocolate_statistics chocolate_device_get_statistics(void) {
  chocolate_statistics s = counters;
  s.cycles = now - origin;
  return s;
}

void chocolate_device_inject(long long number, int status) {
  fault_at = number;
  fault = status;
}

/*===----------------------------------------------------------------------===*
 * Hazards
 *===----------------------------------------------------------------------===*/

/* Checks that granules may be accessed at `start`. */
static int check_granules(const chocolate_area *a, long long first,
                          long long last, long long start) {
  const long long *ends = written[a->place];
  const long long *reads = read_until[a->place];
  for (long long i = first; i < last; ++i) {
    if (ends[i] > start || (a->writes && reads[i] > start))
      return CHOCOLATE_HAZARD;
    if (!a->writes && ends[i] <= origin)
      return CHOCOLATE_UNDEFINED;
  }
  return CHOCOLATE_OK;
}

/* Sets the times of granules. */
static void mark_granules(const chocolate_area *a, long long first,
                          long long last, long long end) {
  long long *times = (a->writes ? written : read_until)[a->place];
  for (long long i = first; i < last; ++i)
    times[i] = times[i] > end ? times[i] : end;
}

/* Checks that an area may be accessed at `start`. If `end` is not 0, sets the
 * times of the area instead. */
static int visit(const chocolate_area *a, long long start, long long end) {
  for (long long n = 0; n < a->blocks; ++n)
    for (long long r = 0; r < a->rows; ++r) {
      const long long at = a->at + n * a->block + r * a->row;
      const long long first = at / GRANULE, last = first + a->bytes / GRANULE;
      const int status =
          end ? CHOCOLATE_OK : check_granules(a, first, last, start);
      if (status != CHOCOLATE_OK)
        return status;
      if (end)
        mark_granules(a, first, last, end);
    }
  return CHOCOLATE_OK;
}

/* Checks that an area of main memory is in a segment. */
static int is_in_segment(const chocolate_area *a) {
  return (size_t)a->place < list.segments &&
         chocolate_get_end(a) <=
             (long long)chocolate_get_word(list.bytes, CHOCOLATE_HEADER_WORDS +
                                                           (size_t)a->place);
}

/* Checks that no other engine accesses an area of main memory at `start`, if
 * one of them writes. Earlier commands of an engine ended before its last one
 * started. */
static int check_host_area(const chocolate_area *a, long long start) {
  for (int e = 0; e < ENGINES; ++e)
    for (int k = 0; k < engines[e].area_count; ++k)
      if (engines[e].idle_from > start &&
          (a->writes || engines[e].areas[k].writes) &&
          chocolate_have_common_byte(a, &engines[e].areas[k]))
        return CHOCOLATE_HAZARD;
  return CHOCOLATE_OK;
}

/*===----------------------------------------------------------------------===*
 * Packets
 *===----------------------------------------------------------------------===*/

static int is_operation(int opcode) {
  return opcode >= CHOCOLATE_OP_LOAD && opcode <= CHOCOLATE_OP_POOL;
}

/* Returns the engine that executes a command, or writes the registers of SET;
 * otherwise -1. */
static int get_owner(const chocolate_packet *p) {
  if (is_operation(p->opcode))
    return chocolate_get_engine(p->opcode);
  if (p->opcode == CHOCOLATE_OP_SET)
    return chocolate_get_engine(CHOCOLATE_OP_LOAD +
                                p->argument / CHOCOLATE_BANK_REGISTERS);
  if (p->opcode == CHOCOLATE_OP_PUSH)
    return p->argument & 15;
  return p->opcode == CHOCOLATE_OP_POP ? p->argument >> 4 : -1;
}

/* Moves an engine from the packet before `at` to its next command or to END. */
static void advance(int number, size_t at) {
  engine *e = &engines[number];
  chocolate_packet *p = &e->packet;
  chocolate_error error;
  for (;; at += 1 + (size_t)p->count) {
    (void)chocolate_read_packet(&list, at, p, &error);
    if (p->opcode == CHOCOLATE_OP_END)
      return;
    if (p->opcode == CHOCOLATE_OP_LAYER)
      e->layer = p->argument;
    if (get_owner(p) != number)
      continue;
    if (p->opcode != CHOCOLATE_OP_SET)
      return;
    for (int k = 0; k < p->count; ++k)
      registers[p->argument + k] =
          chocolate_get_word(list.bytes, at + 1 + (size_t)k);
  }
}

/* Returns when the next command of an engine starts, or -1 if it has none, or
 * none that can start. */
static long long get_start(int number) {
  const engine *e = &engines[number];
  if (e->packet.opcode == CHOCOLATE_OP_END)
    return -1;
  if (e->packet.opcode != CHOCOLATE_OP_POP)
    return e->idle_from;
  const fifo *f = &fifos[e->packet.argument & 15][number];
  if (f->next == f->count)
    return -1;
  return f->times[f->next] > e->idle_from ? f->times[f->next] : e->idle_from;
}

/* Adds a token to a FIFO. */
static int push(fifo *f, long long time) {
  if (f->count == f->capacity) {
    const size_t grown = 2 * f->capacity + 64;
    if (grown > SIZE_MAX / sizeof(*f->times))
      return CHOCOLATE_FULL;
    long long *larger =
        (long long *)realloc(f->times, grown * sizeof(*f->times));
    if (larger == NULL)
      return CHOCOLATE_FULL;
    f->times = larger;
    f->capacity = grown;
  }
  f->times[f->count++] = time;
  return CHOCOLATE_OK;
}

/* Removes tokens from all FIFOs: all of them, or those that were popped. */
static void clear_fifos(int keeps_tokens) {
  for (int k = 0; k < ENGINES * ENGINES; ++k) {
    fifo *f = &fifos[k / ENGINES][k % ENGINES];
    const size_t left = keeps_tokens ? f->count - f->next : 0;
    for (size_t i = 0; i < left; ++i)
      f->times[i] = f->times[f->next + i];
    f->count = left;
    f->next = 0;
  }
}

/*===----------------------------------------------------------------------===*
 * Execution
 *===----------------------------------------------------------------------===*/

/* Returns an address in a segment. */
static unsigned char *get_host(uint32_t segment, uint32_t offset) {
  return segments[segment] + offset;
}

/* Moves the data of a transfer, and counts its bytes. */
static void copy(int opcode, const chocolate_transfer *t) {
  const size_t bytes = (size_t)t->row_bytes;
  const size_t stride = t->rows > 1 ? (size_t)t->stride : 0;
  int8_t *memory = (t->memory == CHOCOLATE_DATA ? data : weights) + t->at;
  unsigned char *host = get_host(t->segment, t->offset);
  for (size_t i = 0; i < (size_t)t->rows; ++i)
    if (opcode == CHOCOLATE_OP_LOAD)
      memcpy(memory + i * bytes, host + i * stride, bytes);
    else
      memcpy(host + i * stride, memory + i * bytes, bytes);
  *(opcode == CHOCOLATE_OP_LOAD ? &counters.loaded_bytes
                                : &counters.stored_bytes) +=
      (long long)t->rows * t->row_bytes;
}

/* Rescales sums. Fails if a factor is not finite. */
static int rescale(const chocolate_rescaling *r) {
  const unsigned char *factor = get_host(r->factor_segment, r->factor);
  if (!chocolate_are_finite(factor, r->c))
    return CHOCOLATE_BAD_COMMAND;
  chocolate_compute_rescale(
      r, r->has_bias ? get_host(r->bias_segment, r->bias) : NULL, factor, sums,
      data);
  return CHOCOLATE_OK;
}

/* Computes the result of an operation. */
static int compute(int opcode, const chocolate_operands *o) {
  if (opcode == CHOCOLATE_OP_LOAD || opcode == CHOCOLATE_OP_STORE)
    copy(opcode, &o->transfer);
  else if (opcode == CHOCOLATE_OP_CONV)
    chocolate_compute_conv(&o->window, data, weights, sums);
  else if (opcode == CHOCOLATE_OP_DEPTHWISE)
    chocolate_compute_depthwise(&o->window, data, weights, sums);
  else if (opcode == CHOCOLATE_OP_RESCALE)
    return rescale(&o->rescaling);
  else if (opcode == CHOCOLATE_OP_ADD)
    chocolate_compute_add(&o->sum, data);
  else
    chocolate_compute_pool(&o->pooling, data);
  return CHOCOLATE_OK;
}

/* Checks that the areas of an operation may be accessed at `start`. */
static int check_areas(const chocolate_area *areas, int count,
                       const chocolate_area *host, int host_count,
                       long long start) {
  int status = CHOCOLATE_OK;
  for (int k = 0; k < host_count; ++k)
    if (!is_in_segment(&host[k]))
      return CHOCOLATE_BAD_COMMAND;
  for (int k = 0; k < count && status == CHOCOLATE_OK; ++k)
    status = visit(&areas[k], start, 0);
  for (int k = 0; k < host_count && status == CHOCOLATE_OK; ++k)
    status = check_host_area(&host[k], start);
  return status;
}

/* Executes the next command of an engine, an operation. */
static int execute_operation(int number, long long start) {
  static const char *const names[] = {"load",    "store", "conv", "depthwise",
                                      "rescale", "add",   "pool"};
  engine *e = &engines[number];
  const int opcode = e->packet.opcode, bank = opcode - CHOCOLATE_OP_LOAD;
  chocolate_operands o;
  chocolate_area areas[4], host[2];
  memcpy(&o, registers + bank * CHOCOLATE_BANK_REGISTERS, sizeof(o));
  if (!chocolate_are_valid(&hardware, opcode, &o))
    return CHOCOLATE_BAD_COMMAND;
  const int count = chocolate_get_areas(opcode, &o, areas);
  const int host_count = chocolate_get_host_areas(opcode, &o, host);
  const long long cycles = chocolate_count_cycles(&hardware, opcode, &o);
  if (cycles > max_time - start)
    return CHOCOLATE_BAD_COMMAND;
  int status = check_areas(areas, count, host, host_count, start);
  if (status == CHOCOLATE_OK)
    status = compute(opcode, &o);
  if (status != CHOCOLATE_OK)
    return status;
  for (int k = 0; k < count; ++k)
    (void)visit(&areas[k], start, start + cycles);
  memcpy(e->areas, host, sizeof(host));
  e->area_count = host_count;
  e->idle_from = start + cycles;
  now = now < e->idle_from ? e->idle_from : now;
  counters.busy[number] += cycles;
  counters.macs += chocolate_count_macs(opcode, &o);
  chocolate_record(names[bank], number, e->layer, start, cycles);
  return CHOCOLATE_OK;
}

/* Executes the next command of an engine. */
static int execute(int number, long long start) {
  engine *e = &engines[number];
  const int argument = e->packet.argument;
  int status = CHOCOLATE_OK;
  if (attempts++ == fault_at && fault != CHOCOLATE_OK) {
    status = fault;
    fault = CHOCOLATE_OK;
  } else if (e->packet.opcode == CHOCOLATE_OP_PUSH) {
    status = push(&fifos[number][argument >> 4], start);
  } else if (e->packet.opcode == CHOCOLATE_OP_POP) {
    ++fifos[argument & 15][number].next;
    e->idle_from = start;
  } else {
    status = execute_operation(number, start);
  }
  if (status != CHOCOLATE_OK)
    return status;
  ++counters.commands;
  advance(number, e->packet.at + 1);
  return CHOCOLATE_OK;
}

/* Returns the engine that waits first. */
static int find_waiting(void) {
  int first = -1;
  for (int e = 0; e < ENGINES; ++e)
    if (engines[e].packet.opcode != CHOCOLATE_OP_END &&
        (first < 0 || engines[e].idle_from < engines[first].idle_from))
      first = e;
  return first;
}

/* Executes all commands. Sets `failed` to the engine that fails. */
static int execute_all(int *failed) {
  for (;;) {
    int first = -1;
    long long start = 0;
    for (int e = 0; e < ENGINES; ++e) {
      const long long time = get_start(e);
      if (time >= 0 && (first < 0 || time < start)) {
        first = e;
        start = time;
      }
    }
    *failed = first < 0 ? find_waiting() : first;
    if (first < 0)
      return *failed < 0 ? CHOCOLATE_OK : CHOCOLATE_TIMEOUT;
    const int status = execute(first, start);
    if (status != CHOCOLATE_OK)
      return status;
  }
}

/* Checks that the list is for this device and has these segments. */
static int check_header(size_t size, const size_t *sizes, size_t count,
                        chocolate_error *error) {
  const int is_other_device =
      memcmp(&hardware, &list.hardware, sizeof(hardware)) != 0;
  error->word = is_other_device ? 3 : size != 4 * list.words ? 2 : 7;
  if (is_other_device || size != 4 * list.words || count != list.segments)
    return CHOCOLATE_BAD_COMMAND;
  for (size_t k = 0; k < count; ++k) {
    error->word = CHOCOLATE_HEADER_WORDS + k;
    if (sizes[k] != chocolate_get_word(list.bytes, error->word))
      return CHOCOLATE_BAD_COMMAND;
  }
  return CHOCOLATE_OK;
}

/* Checks the format of the list. */
static int check_list(const unsigned char *bytes, size_t size,
                      const size_t *sizes, size_t count,
                      chocolate_failure *failure) {
  chocolate_packet p = {0, 0, 0, 0};
  chocolate_error error = {0, ""};
  failure->layer = 0;
  int status = chocolate_open_list(bytes, size, &list, &error);
  if (status == CHOCOLATE_OK)
    status = check_header(size, sizes, count, &error);
  for (size_t at = CHOCOLATE_HEADER_WORDS + list.segments;
       status == CHOCOLATE_OK && p.opcode != CHOCOLATE_OP_END;
       at += 1 + (size_t)p.count) {
    status = chocolate_read_packet(&list, at, &p, &error);
    if (status == CHOCOLATE_OK && p.opcode == CHOCOLATE_OP_LAYER)
      failure->layer = p.argument;
  }
  failure->word = error.word;
  return status;
}

void chocolate_device_reset(const chocolate_hardware *parameters) {
  hardware = *parameters;
  memset(&counters, 0, sizeof(counters));
  clear_fifos(/*keeps_tokens=*/0);
  origin = now;
}

int chocolate_device_run(const unsigned char *bytes, size_t size,
                         unsigned char *const *starts, const size_t *sizes,
                         size_t count, chocolate_failure *failure) {
  int failed = 0;
  int status = check_list(bytes, size, sizes, count, failure);
  if (status != CHOCOLATE_OK) {
    clear_fifos(/*keeps_tokens=*/0);
    return status;
  }
  segments = starts;
  memset(registers, 0, sizeof(registers));
  memset(engines, 0, sizeof(engines));
  for (int e = 0; e < ENGINES; ++e) {
    engines[e].idle_from = now;
    advance(e, CHOCOLATE_HEADER_WORDS + list.segments);
  }
  status = execute_all(&failed);
  if (status != CHOCOLATE_OK) {
    failure->word = engines[failed].packet.at;
    failure->layer = engines[failed].layer;
  }
  clear_fifos(/*keeps_tokens=*/status == CHOCOLATE_OK);
  return status;
}
