/*===- chocolate.c - Driver of the Chocolate accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Collects commands. chocolate_launch writes them as a list, when all addresses
 * of main memory are known, and chocolate_await lets the device execute it.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_device.h"
#include "chocolate_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMMANDS = 1 << 20 }; /* In one list, with tokens. */

static chocolate_hardware hardware;
static int is_initialized;

/* Commands that were not launched. */
static chocolate_command *commands;
static size_t command_capacity, command_count;

/* Lists that were launched. */
static chocolate_program *programs;
static size_t program_capacity, program_count;

static int layer;        /* Of the next commands. */
static int failed_layer; /* 0 if the last function did not fail. */

static chocolate_statistics counters; /* Of the lists since chocolate_begin. */
static chocolate_statistics total;    /* Up to chocolate_begin. */

/*===----------------------------------------------------------------------===*
 * Statistics and environment
 *===----------------------------------------------------------------------===*/

void chocolate_get_statistics(chocolate_statistics *statistics) {
  if (statistics == NULL)
    return;
  *statistics = chocolate_device_get_statistics();
  statistics->words = counters.words;
  statistics->registers = counters.registers;
  statistics->all_registers = counters.all_registers;
}

/* Adds the counters since chocolate_begin to the totals. */
static void add_to_total(void) {
  chocolate_statistics s;
  chocolate_get_statistics(&s);
  total.cycles += s.cycles;
  for (int engine = 0; engine < 4; ++engine)
    total.busy[engine] += s.busy[engine];
  total.loaded_bytes += s.loaded_bytes;
  total.stored_bytes += s.stored_bytes;
  total.macs += s.macs;
  total.commands += s.commands;
  total.words += s.words;
  total.registers += s.registers;
  total.all_registers += s.all_registers;
}

static void append_statistics(void) {
  const char *path = getenv("CHOCOLATE_STATISTICS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file == NULL) {
    (void)fprintf(stderr, "chocolate: cannot write CHOCOLATE_STATISTICS\n");
    return;
  }
  add_to_total();
  (void)fprintf(file,
                "cycles=%lld load_busy=%lld matrix_busy=%lld vector_busy=%lld "
                "store_busy=%lld loaded=%lld stored=%lld macs=%lld "
                "commands=%lld words=%lld registers=%lld of %lld\n",
                total.cycles, total.busy[CHOCOLATE_LOAD],
                total.busy[CHOCOLATE_MATRIX], total.busy[CHOCOLATE_VECTOR],
                total.busy[CHOCOLATE_STORE], total.loaded_bytes,
                total.stored_bytes, total.macs, total.commands, total.words,
                total.registers, total.all_registers);
  (void)fclose(file);
}

/* Applies CHOCOLATE_FAULT. */
static void inject_fault(const char *text) {
  char *end;
  const long number = strtol(text, &end, 10);
  const long status =
      *end == ':' && end != text ? strtol(end + 1, &end, 10) : 0;
  if (number < 0 || status < CHOCOLATE_BAD_COMMAND ||
      status > CHOCOLATE_UNDEFINED || *end != '\0')
    (void)fprintf(stderr, "chocolate: CHOCOLATE_FAULT is not N:STATUS, where "
                          "STATUS is a number from 1 to 5\n");
  else
    chocolate_device_inject(number, (int)status);
}

/* Applies the environment variables. Later calls have no effect. */
static void read_environment(void) {
  static int is_read;
  const char *path = getenv("CHOCOLATE_TRACE");
  if (is_read)
    return;
  is_read = 1;
  if (path != NULL && chocolate_trace(path) != CHOCOLATE_OK)
    (void)fprintf(stderr, "chocolate: cannot write CHOCOLATE_TRACE\n");
  if (getenv("CHOCOLATE_STATISTICS") != NULL)
    (void)atexit(append_statistics);
  if (getenv("CHOCOLATE_FAULT") != NULL)
    inject_fault(getenv("CHOCOLATE_FAULT"));
}

/* Appends a list to the file of CHOCOLATE_COMMANDS. */
static void save(const chocolate_program *p) {
  const char *path = getenv("CHOCOLATE_COMMANDS");
  if (path == NULL)
    return;
  FILE *file = fopen(path, "ab");
  const int is_written =
      file != NULL && fwrite(p->bytes, 1, p->size, file) == p->size;
  if ((file != NULL && fclose(file) != 0) || !is_written)
    (void)fprintf(stderr, "chocolate: cannot write CHOCOLATE_COMMANDS\n");
}

/*===----------------------------------------------------------------------===*
 * Commands
 *===----------------------------------------------------------------------===*/

/* Sets the failed layer for the status of a command, and returns the status. */
static int finish(int status) {
  failed_layer = status == CHOCOLATE_OK ? 0 : layer;
  return status;
}

/* Returns a command without operands. */
static chocolate_command make_command(int opcode) {
  chocolate_command c;
  memset(&c, 0, sizeof(c));
  c.opcode = opcode;
  return c;
}

/* Sets a place of main memory. */
static void set_place(chocolate_command *c, int k, const void *place,
                      long long bytes) {
  c->places[k] = (const unsigned char *)place;
  c->bytes[k] = bytes;
}

/* Appends a valid command. */
static int append(const chocolate_command *c) {
  if (command_count >= MAX_COMMANDS)
    return finish(CHOCOLATE_FULL);
  chocolate_command *larger = (chocolate_command *)chocolate_reserve(
      commands, &command_capacity, command_count + 1, sizeof(*larger));
  if (larger == NULL)
    return finish(CHOCOLATE_FULL);
  commands = larger;
  commands[command_count] = *c;
  commands[command_count++].layer = layer;
  return finish(CHOCOLATE_OK);
}

/* Checks an operation, and appends it. */
static int append_operation(const chocolate_command *c) {
  if (!is_initialized ||
      !chocolate_are_valid(&hardware, c->opcode, &c->operands))
    return finish(CHOCOLATE_BAD_COMMAND);
  for (int k = 0; k < 2; ++k)
    if (c->bytes[k] > UINT32_MAX ||
        (uintptr_t)c->bytes[k] > UINTPTR_MAX - (uintptr_t)c->places[k])
      return finish(CHOCOLATE_BAD_COMMAND);
  return append(c);
}

int chocolate_layer(int number) {
  if (!is_initialized || number < 0 || number > 32767)
    return finish(CHOCOLATE_BAD_COMMAND);
  layer = number;
  return finish(CHOCOLATE_OK);
}

/* Appends a load or a store. */
static int append_transfer(int opcode, int memory, int at, const void *place,
                           int rows, int row_bytes, int stride) {
  const chocolate_transfer t = {at, 0, 0, rows, row_bytes, stride, memory};
  chocolate_command c = make_command(opcode);
  if (place == NULL)
    return finish(CHOCOLATE_BAD_COMMAND);
  c.operands.transfer = t;
  set_place(&c, 0, place,
            rows > 1 ? (rows - 1LL) * stride + row_bytes : row_bytes);
  return append_operation(&c);
}

int chocolate_load(int memory, int to, const void *from, int rows,
                   int row_bytes, int stride) {
  return append_transfer(CHOCOLATE_OP_LOAD, memory, to, from, rows, row_bytes,
                         stride);
}

int chocolate_store(void *to, int from, int rows, int row_bytes, int stride) {
  return append_transfer(CHOCOLATE_OP_STORE, CHOCOLATE_DATA, from, to, rows,
                         row_bytes, stride);
}

/* Appends a convolution. */
static int append_window(int opcode, const chocolate_window *window) {
  chocolate_command c = make_command(opcode);
  if (window == NULL)
    return finish(CHOCOLATE_BAD_COMMAND);
  c.operands.window = *window;
  return append_operation(&c);
}

int chocolate_conv(const chocolate_window *window) {
  return append_window(CHOCOLATE_OP_CONV, window);
}

int chocolate_depthwise(const chocolate_window *window) {
  return append_window(CHOCOLATE_OP_DEPTHWISE, window);
}

int chocolate_rescale(const chocolate_scaling *scaling) {
  chocolate_command c = make_command(CHOCOLATE_OP_RESCALE);
  if (scaling == NULL || scaling->factor == NULL)
    return finish(CHOCOLATE_BAD_COMMAND);
  const chocolate_scaling *s = scaling;
  const chocolate_rescaling r = {
      s->sums, s->sums_block,   s->sums_row, s->y,   s->y_block, s->y_row,
      s->c,    s->oh,           s->ow,       0,      0,          0,
      0,       s->bias != NULL, s->y_zero,   s->low, s->high};
  c.operands.rescaling = r;
  set_place(&c, 0, s->factor, 4LL * s->c);
  if (s->bias != NULL)
    set_place(&c, 1, s->bias, 4LL * s->c);
  return append_operation(&c);
}

int chocolate_add(const chocolate_sum *sum) {
  chocolate_command c = make_command(CHOCOLATE_OP_ADD);
  if (sum == NULL)
    return finish(CHOCOLATE_BAD_COMMAND);
  c.operands.sum = *sum;
  return append_operation(&c);
}

int chocolate_pool(const chocolate_pooling *pooling) {
  chocolate_command c = make_command(CHOCOLATE_OP_POOL);
  if (pooling == NULL)
    return finish(CHOCOLATE_BAD_COMMAND);
  c.operands.pooling = *pooling;
  return append_operation(&c);
}

/* Appends a push or a pop. */
static int append_token(int opcode, int from, int to) {
  chocolate_command c = make_command(opcode);
  if (!is_initialized || from < 0 || from > CHOCOLATE_STORE || to < 0 ||
      to > CHOCOLATE_STORE || from == to)
    return finish(CHOCOLATE_BAD_COMMAND);
  c.argument = from | to << 4;
  return append(&c);
}

int chocolate_push(int from, int to) {
  return append_token(CHOCOLATE_OP_PUSH, from, to);
}

int chocolate_pop(int from, int to) {
  return append_token(CHOCOLATE_OP_POP, from, to);
}

/*===----------------------------------------------------------------------===*
 * Lists
 *===----------------------------------------------------------------------===*/

int chocolate_launch(void) {
  if (!is_initialized)
    return finish(CHOCOLATE_BAD_COMMAND);
  if (command_count == 0)
    return finish(CHOCOLATE_OK);
  chocolate_program *larger = (chocolate_program *)chocolate_reserve(
      programs, &program_capacity, program_count + 1, sizeof(*larger));
  if (larger == NULL)
    return finish(CHOCOLATE_FULL);
  programs = larger;
  chocolate_program *p = &programs[program_count];
  const int status = chocolate_write(&hardware, commands, command_count, p);
  if (status != CHOCOLATE_OK)
    return finish(status);
  ++program_count;
  command_count = 0;
  counters.words += (long long)(p->size / 4);
  counters.registers += p->registers;
  counters.all_registers += p->all_registers;
  save(p);
  return finish(CHOCOLATE_OK);
}

int chocolate_await(void) {
  const long long start = chocolate_device_get_time();
  chocolate_failure failure = {0, 0};
  int status = is_initialized ? CHOCOLATE_OK : CHOCOLATE_BAD_COMMAND;
  for (size_t k = 0; k < program_count; ++k) {
    chocolate_program *p = &programs[k];
    if (status == CHOCOLATE_OK)
      status = chocolate_device_run(p->bytes, p->size, p->segments, p->sizes,
                                    p->count, &failure);
    chocolate_free(p);
  }
  if (program_count > 0)
    chocolate_record("chocolate_await", CHOCOLATE_HOST, 0, start,
                     chocolate_device_get_time() - start);
  program_count = 0;
  failed_layer = status == CHOCOLATE_OK ? 0 : failure.layer;
  return status;
}

int chocolate_failed_layer(void) { return failed_layer; }

int chocolate_begin(int data_kib, int weight_kib, int sum_kib, int dma_bytes) {
  const chocolate_hardware hw = {{data_kib, weight_kib, sum_kib}, dma_bytes};
  if (!chocolate_is_hardware(&hw))
    return CHOCOLATE_BAD_COMMAND;
  read_environment();
  if (is_initialized) {
    (void)chocolate_await();
    add_to_total();
  }
  hardware = hw;
  is_initialized = 1;
  command_count = 0;
  layer = failed_layer = 0;
  memset(&counters, 0, sizeof(counters));
  chocolate_device_reset(&hardware);
  return CHOCOLATE_OK;
}
