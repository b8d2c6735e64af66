/*===- chocolate_writer.c - Writer of Chocolate's lists -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Replaces pointers by segments and offsets, and writes commands as packets.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_writer.h"

#include <stdlib.h>
#include <string.h>

/* A range of main memory. */
typedef struct {
  uintptr_t begin, end;
  size_t number; /* Of the segment. */
} range;

/* A list that is being written. */
typedef struct {
  uint32_t *words; /* NULL if there is none yet. */
  size_t capacity, count;
  int status;
  int layer;
  /* The values of the registers after the last packet. */
  uint32_t registers[CHOCOLATE_REGISTERS];
  long long written; /* Registers in packets. */
  long long all;     /* Registers of all operations. */
} writer;

void *chocolate_reserve(void *items, size_t *capacity, size_t count,
                        size_t size) {
  if (count <= *capacity)
    return items;
  if (count > SIZE_MAX / 4 / size)
    return NULL;
  const size_t grown = count + count / 2 + 64;
  void *larger = realloc(items, grown * size);
  if (larger != NULL)
    *capacity = grown;
  return larger;
}

void chocolate_free(chocolate_program *program) {
  free(program->bytes);
  free(program->segments);
  free(program->sizes);
}

/*===----------------------------------------------------------------------===*
 * Segments
 *===----------------------------------------------------------------------===*/

static int compare_ranges(const void *a, const void *b) {
  const uintptr_t x = ((const range *)a)->begin, y = ((const range *)b)->begin;
  return (x > y) - (x < y);
}

/* Returns the range that has an address. */
static range *find_range(range *ranges, size_t count,
                         const unsigned char *place) {
  size_t low = 0, high = count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (ranges[middle].begin <= (uintptr_t)place)
      low = middle;
    else
      high = middle;
  }
  return &ranges[low];
}

/* Sorts ranges, and merges those that overlap or touch. Returns their
 * number. */
static size_t merge(range *ranges, size_t count) {
  size_t last = 0;
  if (count == 0)
    return 0;
  qsort(ranges, count, sizeof(*ranges), compare_ranges);
  for (size_t k = 1; k < count; ++k)
    if (ranges[k].begin > ranges[last].end)
      ranges[++last] = ranges[k];
    else if (ranges[k].end > ranges[last].end)
      ranges[last].end = ranges[k].end;
  return last + 1;
}

/* Replaces the places of a command by segments, whose starts and sizes are
 * added to the program when they are first used. */
static void resolve(chocolate_command *c, range *ranges, size_t count,
                    chocolate_program *p) {
  uint32_t segment[2] = {0, 0}, offset[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    if (c->bytes[k] == 0)
      continue;
    range *r = find_range(ranges, count, c->places[k]);
    if (r->number == SIZE_MAX) {
      r->number = p->count++;
      p->segments[r->number] = (unsigned char *)r->begin;
      p->sizes[r->number] = r->end - r->begin;
    }
    segment[k] = (uint32_t)r->number;
    offset[k] = (uint32_t)((uintptr_t)c->places[k] - r->begin);
  }
  if (c->opcode == CHOCOLATE_OP_RESCALE) {
    c->operands.rescaling.factor_segment = segment[0];
    c->operands.rescaling.factor = offset[0];
    c->operands.rescaling.bias_segment = segment[1];
    c->operands.rescaling.bias = offset[1];
  } else if (c->bytes[0] != 0) {
    c->operands.transfer.segment = segment[0];
    c->operands.transfer.offset = offset[0];
  }
}

/* Numbers the segments of all commands. Fails if the host is out of memory, or
 * if a segment has more than 2^32 - 1 bytes. */
static int assign_segments(chocolate_command *commands, size_t command_count,
                           chocolate_program *p) {
  size_t count = 0;
  for (size_t i = 0; i < command_count; ++i)
    for (int k = 0; k < 2; ++k)
      count += commands[i].bytes[k] != 0;
  if (count == 0)
    return CHOCOLATE_OK;
  range *ranges = (range *)calloc(count, sizeof(*ranges));
  if (ranges == NULL)
    return CHOCOLATE_FULL;
  size_t next = 0;
  for (size_t i = 0; i < command_count; ++i)
    for (int k = 0; k < 2; ++k)
      if (commands[i].bytes[k] != 0) {
        const uintptr_t begin = (uintptr_t)commands[i].places[k];
        const range r = {begin, begin + (uintptr_t)commands[i].bytes[k],
                         SIZE_MAX};
        ranges[next++] = r;
      }
  count = merge(ranges, count);
  int status = CHOCOLATE_OK;
  p->segments = (unsigned char **)calloc(count, sizeof(*p->segments));
  p->sizes = (size_t *)calloc(count, sizeof(*p->sizes));
  if (p->segments == NULL || p->sizes == NULL)
    status = CHOCOLATE_FULL;
  for (size_t k = 0; k < count; ++k)
    if (ranges[k].end - ranges[k].begin > UINT32_MAX)
      status = CHOCOLATE_BAD_COMMAND;
  for (size_t i = 0; i < command_count && status == CHOCOLATE_OK; ++i)
    resolve(&commands[i], ranges, count, p);
  free(ranges);
  return status;
}

/*===----------------------------------------------------------------------===*
 * Packets
 *===----------------------------------------------------------------------===*/

/* Appends a word. */
static void put(writer *w, uint32_t word) {
  uint32_t *larger = (uint32_t *)chocolate_reserve(
      w->words, &w->capacity, w->count + 1, sizeof(*larger));
  if (larger == NULL) {
    w->status = CHOCOLATE_FULL;
    return;
  }
  w->words = larger;
  w->words[w->count++] = word;
}

/* Appends a packet. */
static void put_packet(writer *w, int opcode, int argument,
                       const uint32_t *payload, int count) {
  put(w, chocolate_make_packet(opcode, argument, payload, count));
  for (int k = 0; k < count; ++k)
    put(w, payload[k]);
}

static void put_header(writer *w, const chocolate_hardware *hw,
                       const chocolate_program *p) {
  put(w, CHOCOLATE_MAGIC);
  put(w, CHOCOLATE_VERSION);
  put(w, 0); /* The number of words is not known yet. */
  for (int memory = 0; memory < 3; ++memory)
    put(w, (uint32_t)hw->kib[memory]);
  put(w, (uint32_t)hw->dma_bytes);
  put(w, (uint32_t)p->count);
  for (size_t k = 0; k < p->count; ++k)
    put(w, (uint32_t)p->sizes[k]);
}

/* Appends the registers of an operation that do not have their values, one
 * packet for consecutive ones. */
static void put_registers(writer *w, int bank, const uint32_t *values) {
  const int base = bank * CHOCOLATE_BANK_REGISTERS;
  const int count = chocolate_count_registers(bank);
  uint32_t *old = w->registers + base;
  for (int first = 0; first < count; ++first) {
    int last = first;
    while (last < count && values[last] != old[last])
      ++last;
    if (last == first)
      continue;
    put_packet(w, CHOCOLATE_OP_SET, base + first, values + first, last - first);
    w->written += last - first;
    first = last;
  }
  memcpy(old, values, (size_t)count * sizeof(*old));
  w->all += count;
}

static void put_command(writer *w, const chocolate_command *c) {
  const int bank = c->opcode - CHOCOLATE_OP_LOAD;
  if (w->layer != c->layer)
    put_packet(w, CHOCOLATE_OP_LAYER, c->layer, NULL, 0);
  w->layer = c->layer;
  if (c->opcode <= CHOCOLATE_OP_POOL) {
    chocolate_operands o = c->operands;
    if (c->opcode == CHOCOLATE_OP_RESCALE && !o.rescaling.has_bias) {
      /* The registers of the biases keep their values. */
      chocolate_operands old;
      memcpy(&old, w->registers + bank * CHOCOLATE_BANK_REGISTERS, sizeof(old));
      o.rescaling.bias_segment = old.rescaling.bias_segment;
      o.rescaling.bias = old.rescaling.bias;
    }
    uint32_t values[sizeof(o) / sizeof(uint32_t)];
    memcpy(values, &o, sizeof(o));
    put_registers(w, bank, values);
  }
  put_packet(w, c->opcode, c->argument, NULL, 0);
}

int chocolate_write(const chocolate_hardware *hardware,
                    chocolate_command *commands, size_t count,
                    chocolate_program *program) {
  writer w;
  memset(program, 0, sizeof(*program));
  memset(&w, 0, sizeof(w));
  w.status = assign_segments(commands, count, program);
  if (w.status == CHOCOLATE_OK)
    put_header(&w, hardware, program);
  for (size_t k = 0; k < count && w.status == CHOCOLATE_OK; ++k)
    put_command(&w, &commands[k]);
  if (w.status == CHOCOLATE_OK)
    put_packet(&w, CHOCOLATE_OP_END, 0, NULL, 0);
  if (w.status == CHOCOLATE_OK) {
    w.words[2] = (uint32_t)w.count;
    program->size = 4 * w.count;
    program->bytes = (unsigned char *)malloc(program->size);
    if (program->bytes == NULL)
      w.status = CHOCOLATE_FULL;
  }
  if (w.status == CHOCOLATE_OK)
    for (size_t k = 0; k < w.count; ++k)
      chocolate_put_word(program->bytes, k, w.words[k]);
  program->registers = w.written;
  program->all_registers = w.all;
  free(w.words);
  if (w.status != CHOCOLATE_OK)
    chocolate_free(program);
  return w.status;
}
