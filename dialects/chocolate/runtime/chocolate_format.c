/*===- chocolate_format.c - Format of Chocolate's commands -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Decodes, checks and prints lists of commands, without executing them.
 *
 *===----------------------------------------------------------------------===*/

#include "chocolate_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*===----------------------------------------------------------------------===*
 * Registers
 *===----------------------------------------------------------------------===*/

#define SIGNED(name) {name, CHOCOLATE_SIGNED}
#define UNSIGNED(name) {name, CHOCOLATE_UNSIGNED}
#define FLOAT(name) {name, CHOCOLATE_FLOAT}

/* The registers of conv and depthwise. */
#define WINDOW(op)                                                             \
  {SIGNED(op ".x"),          SIGNED(op ".w"),        SIGNED(op ".sums"),       \
   SIGNED(op ".x_block"),    SIGNED(op ".x_row"),    SIGNED(op ".w_block"),    \
   SIGNED(op ".sums_block"), SIGNED(op ".sums_row"), SIGNED(op ".ic"),         \
   SIGNED(op ".ih"),         SIGNED(op ".iw"),       SIGNED(op ".top"),        \
   SIGNED(op ".left"),       SIGNED(op ".oc"),       SIGNED(op ".oh"),         \
   SIGNED(op ".ow"),         SIGNED(op ".kh"),       SIGNED(op ".kw"),         \
   SIGNED(op ".stride"),     SIGNED(op ".x_zero"),   SIGNED(op ".accumulate")}

/* Missing registers have no name. */
static const chocolate_register
    registers[CHOCOLATE_BANKS][CHOCOLATE_BANK_REGISTERS] = {
        {SIGNED("load.to"), UNSIGNED("load.segment"), UNSIGNED("load.offset"),
         SIGNED("load.rows"), SIGNED("load.row_bytes"), SIGNED("load.stride"),
         SIGNED("load.memory")},
        {SIGNED("store.from"), UNSIGNED("store.segment"),
         UNSIGNED("store.offset"), SIGNED("store.rows"),
         SIGNED("store.row_bytes"), SIGNED("store.stride")},
        WINDOW("conv"),
        WINDOW("depthwise"),
        {SIGNED("rescale.sums"), SIGNED("rescale.sums_block"),
         SIGNED("rescale.sums_row"), SIGNED("rescale.y"),
         SIGNED("rescale.y_block"), SIGNED("rescale.y_row"),
         SIGNED("rescale.c"), SIGNED("rescale.oh"), SIGNED("rescale.ow"),
         UNSIGNED("rescale.bias_segment"), UNSIGNED("rescale.bias"),
         UNSIGNED("rescale.factor_segment"), UNSIGNED("rescale.factor"),
         SIGNED("rescale.has_bias"), SIGNED("rescale.y_zero"),
         SIGNED("rescale.low"), SIGNED("rescale.high")},
        {SIGNED("add.a"), SIGNED("add.a_block"), SIGNED("add.a_row"),
         SIGNED("add.b"), SIGNED("add.b_block"), SIGNED("add.b_row"),
         SIGNED("add.y"), SIGNED("add.y_block"), SIGNED("add.y_row"),
         SIGNED("add.c"), SIGNED("add.oh"), SIGNED("add.ow"),
         FLOAT("add.a_scale"), FLOAT("add.b_scale"), FLOAT("add.y_scale"),
         SIGNED("add.a_zero"), SIGNED("add.b_zero"), SIGNED("add.y_zero")},
        {SIGNED("pool.x"), SIGNED("pool.x_block"), SIGNED("pool.x_row"),
         SIGNED("pool.y"), SIGNED("pool.y_block"), SIGNED("pool.y_row"),
         SIGNED("pool.c"), SIGNED("pool.ih"), SIGNED("pool.iw"),
         SIGNED("pool.top"), SIGNED("pool.left"), SIGNED("pool.oh"),
         SIGNED("pool.ow"), SIGNED("pool.kh"), SIGNED("pool.kw"),
         SIGNED("pool.stride")}};

const chocolate_register *chocolate_get_register(int number) {
  if (number < 0 || number >= CHOCOLATE_REGISTERS)
    return NULL;
  const chocolate_register *r = &registers[number / CHOCOLATE_BANK_REGISTERS]
                                          [number % CHOCOLATE_BANK_REGISTERS];
  return r->name ? r : NULL;
}

int chocolate_count_registers(int bank) {
  int count = 0;
  while (count < CHOCOLATE_BANK_REGISTERS && registers[bank][count].name)
    ++count;
  return count;
}

int chocolate_is_hardware(const chocolate_hardware *hardware) {
  const int dma_bytes = hardware->dma_bytes;
  for (int memory = 0; memory < 3; ++memory)
    if (hardware->kib[memory] < 1 || hardware->kib[memory] > 1024)
      return 0;
  return dma_bytes >= 1 && dma_bytes <= 64 &&
         (dma_bytes & (dma_bytes - 1)) == 0;
}

/*===----------------------------------------------------------------------===*
 * Words
 *===----------------------------------------------------------------------===*/

uint32_t chocolate_get_word(const unsigned char *bytes, size_t word) {
  const unsigned char *b = bytes + 4 * word;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
         (uint32_t)b[3] << 24;
}

void chocolate_put_word(unsigned char *bytes, size_t word, uint32_t value) {
  for (int k = 0; k < 4; ++k)
    bytes[4 * word + (size_t)k] = (unsigned char)(value >> 8 * k & 255);
}

/* Returns 1 if the number of ones is odd. */
static uint32_t get_parity(uint32_t word) {
  word ^= word >> 16;
  word ^= word >> 8;
  word ^= word >> 4;
  word ^= word >> 2;
  return (word ^ word >> 1) & 1;
}

uint32_t chocolate_make_packet(int opcode, int argument,
                               const uint32_t *payload, int count) {
  const uint32_t first =
      (uint32_t)opcode | (uint32_t)count << 8 | (uint32_t)argument << 16;
  uint32_t all = first;
  for (int k = 0; k < count; ++k)
    all ^= payload[k];
  return first | get_parity(all) << 31;
}

/*===----------------------------------------------------------------------===*
 * Decoder
 *===----------------------------------------------------------------------===*/

/* Fills in an error. Returns CHOCOLATE_BAD_COMMAND. */
static int fail(chocolate_error *error, size_t word, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error->word = word;
  (void)vsnprintf(error->text, sizeof(error->text), format, arguments);
  va_end(arguments);
  return CHOCOLATE_BAD_COMMAND;
}

/* Reads the parameters of the device. Saturates numbers that are too large. */
static chocolate_hardware read_hardware(const unsigned char *bytes) {
  chocolate_hardware hardware;
  uint32_t words[4];
  for (size_t k = 0; k < 4; ++k) {
    words[k] = chocolate_get_word(bytes, 3 + k);
    words[k] = words[k] > INT16_MAX ? INT16_MAX : words[k];
  }
  for (int memory = 0; memory < 3; ++memory)
    hardware.kib[memory] = (int)words[memory];
  hardware.dma_bytes = (int)words[3];
  return hardware;
}

int chocolate_open_list(const unsigned char *bytes, size_t size,
                        chocolate_list *list, chocolate_error *error) {
  const size_t left = size / 4;
  if (left < CHOCOLATE_HEADER_WORDS)
    return fail(error, left, "the file ends in the header of the list");
  const uint32_t magic = chocolate_get_word(bytes, 0);
  if (magic != CHOCOLATE_MAGIC)
    return fail(error, 0, "magic number 0x%08lx, expected 0x%08lx",
                (unsigned long)magic, (unsigned long)CHOCOLATE_MAGIC);
  const uint32_t version = chocolate_get_word(bytes, 1);
  if (version != CHOCOLATE_VERSION)
    return fail(error, 1, "version %lu, expected %d", (unsigned long)version,
                CHOCOLATE_VERSION);
  const uint32_t words = chocolate_get_word(bytes, 2);
  if (words > left)
    return fail(error, 2, "the list has %lu words, but the file ends after %lu",
                (unsigned long)words, (unsigned long)left);
  if (words <= CHOCOLATE_HEADER_WORDS)
    return fail(error, 2, "a list of %lu words is too short",
                (unsigned long)words);
  list->bytes = bytes;
  list->words = words;
  list->hardware = read_hardware(bytes);
  if (!chocolate_is_hardware(&list->hardware))
    return fail(error, 3,
                "invalid device: memories must have 1 to 1024 KiB, and paths "
                "1, 2, 4, ... or 64 bytes/cycle");
  list->segments = chocolate_get_word(bytes, 7);
  if (list->segments >= words - CHOCOLATE_HEADER_WORDS)
    return fail(error, 7, "%lu segments do not fit in the list",
                (unsigned long)list->segments);
  for (size_t k = 0; k < list->segments; ++k)
    if (chocolate_get_word(bytes, CHOCOLATE_HEADER_WORDS + k) == 0)
      return fail(error, CHOCOLATE_HEADER_WORDS + k, "segment %lu has 0 bytes",
                  (unsigned long)k);
  return CHOCOLATE_OK;
}

/* Checks the opcode, the argument and the number of words of payload. */
static int check_packet(const chocolate_list *list, const chocolate_packet *p,
                        chocolate_error *error) {
  if (p->opcode < CHOCOLATE_OP_LAYER || p->opcode > CHOCOLATE_OP_END)
    return fail(error, p->at, "unknown opcode %d", p->opcode);
  if (p->opcode == CHOCOLATE_OP_SET) {
    for (int k = 0; k < p->count; ++k)
      if (chocolate_get_register(p->argument + k) == NULL)
        return fail(error, p->at, "unknown register %d", p->argument + k);
    return p->count ? CHOCOLATE_OK : fail(error, p->at, "set without payload");
  }
  if (p->count != 0)
    return fail(error, p->at, "opcode %d has %d words of payload, expected 0",
                p->opcode, p->count);
  if (p->opcode == CHOCOLATE_OP_LAYER)
    return CHOCOLATE_OK;
  if (p->opcode == CHOCOLATE_OP_PUSH || p->opcode == CHOCOLATE_OP_POP) {
    const int from = p->argument & 15, to = p->argument >> 4;
    return from < 4 && to < 4 && from != to
               ? CHOCOLATE_OK
               : fail(error, p->at, "token from engine %d to engine %d", from,
                      to);
  }
  if (p->argument != 0)
    return fail(error, p->at, "opcode %d has the argument %d, expected 0",
                p->opcode, p->argument);
  if (p->opcode == CHOCOLATE_OP_END && p->at + 1 != list->words)
    return fail(error, p->at, "end before the last word of the list");
  return CHOCOLATE_OK;
}

int chocolate_read_packet(const chocolate_list *list, size_t at,
                          chocolate_packet *packet, chocolate_error *error) {
  if (at >= list->words)
    return fail(error, at, "the list has no end");
  const uint32_t first = chocolate_get_word(list->bytes, at);
  uint32_t all = first;
  packet->at = at;
  packet->opcode = (int)(first & 255);
  packet->count = (int)(first >> 8 & 255);
  packet->argument = (int)(first >> 16 & 0x7fff);
  if ((size_t)packet->count >= list->words - at)
    return fail(error, at, "the list ends in the payload of %d words",
                packet->count);
  for (size_t k = 1; k <= (size_t)packet->count; ++k)
    all ^= chocolate_get_word(list->bytes, at + k);
  if (get_parity(all)) {
    (void)fail(error, at, "wrong parity");
    return CHOCOLATE_PARITY;
  }
  return check_packet(list, packet, error);
}

/*===----------------------------------------------------------------------===*
 * Disassembler
 *===----------------------------------------------------------------------===*/

/* Where text goes. */
typedef struct {
  void (*write)(void *context, const char *text);
  void *context;
} printer;

/* Prints a short text. */
static void print(const printer *p, const char *format, ...) {
  char text[200];
  va_list arguments;
  if (p->write == NULL)
    return;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  p->write(p->context, text);
}

static void print_header(const printer *p, const chocolate_list *list,
                         size_t number) {
  const chocolate_hardware *hw = &list->hardware;
  print(p,
        "list %lu: version %d, data %d KiB, weights %d KiB, sums %d KiB, "
        "%d bytes/cycle, %lu segments\n",
        (unsigned long)number, CHOCOLATE_VERSION, hw->kib[CHOCOLATE_DATA],
        hw->kib[CHOCOLATE_WEIGHTS], hw->kib[CHOCOLATE_SUMS], hw->dma_bytes,
        (unsigned long)list->segments);
  for (size_t k = 0; k < list->segments; ++k)
    print(p, "segment %lu: %lu bytes\n", (unsigned long)k,
          (unsigned long)chocolate_get_word(list->bytes,
                                            CHOCOLATE_HEADER_WORDS + k));
}

static void print_register(const printer *p, int number, uint32_t value) {
  const chocolate_register *r = chocolate_get_register(number);
  int32_t as_signed;
  float as_float;
  memcpy(&as_signed, &value, 4);
  memcpy(&as_float, &value, 4);
  if (r->kind == CHOCOLATE_SIGNED)
    print(p, " %s %ld", r->name, (long)as_signed);
  else if (r->kind == CHOCOLATE_UNSIGNED)
    print(p, " %s %lu", r->name, (unsigned long)value);
  else
    print(p, " %s %.9g", r->name, (double)as_float);
}

static void print_packet(const printer *p, const chocolate_list *list,
                         const chocolate_packet *packet) {
  static const char *const names[] = {
      "",        "layer", "set",  "load", "store", "conv", "depthwise",
      "rescale", "add",   "pool", "push", "pop",   "end"};
  static const char *const engines[] = {"load", "matrix", "vector", "store"};
  const int argument = packet->argument;
  print(p, "%6lu  %s", (unsigned long)packet->at, names[packet->opcode]);
  for (int k = 0; k < packet->count; ++k)
    print_register(p, argument + k,
                   chocolate_get_word(list->bytes, packet->at + 1 + (size_t)k));
  if (packet->opcode == CHOCOLATE_OP_LAYER)
    print(p, " %d", argument);
  if (packet->opcode == CHOCOLATE_OP_PUSH || packet->opcode == CHOCOLATE_OP_POP)
    print(p, " %s %s", engines[argument & 15], engines[argument >> 4]);
  print(p, "\n");
}

/* Prints the list at the start of `size` bytes, and sets its size. */
static int print_list(const printer *p, const unsigned char *bytes, size_t size,
                      size_t number, size_t *list_size,
                      chocolate_error *error) {
  chocolate_list list;
  chocolate_packet packet = {0, 0, 0, 0};
  int status = chocolate_open_list(bytes, size, &list, error);
  if (status != CHOCOLATE_OK)
    return status;
  print_header(p, &list, number);
  for (size_t at = CHOCOLATE_HEADER_WORDS + list.segments;
       packet.opcode != CHOCOLATE_OP_END; at += 1 + (size_t)packet.count) {
    status = chocolate_read_packet(&list, at, &packet, error);
    if (status != CHOCOLATE_OK)
      return status;
    print_packet(p, &list, &packet);
  }
  *list_size = 4 * list.words;
  return CHOCOLATE_OK;
}

int chocolate_print(const unsigned char *bytes, size_t size,
                    void (*write)(void *context, const char *text),
                    void *context, char *error, size_t error_size) {
  const printer p = {write, context};
  size_t at = 0, number = 0;
  do {
    chocolate_error e;
    size_t list_size = 0;
    const int status =
        print_list(&p, bytes + at, size - at, number, &list_size, &e);
    if (status != CHOCOLATE_OK) {
      if (error_size > 0)
        (void)snprintf(error, error_size, "list %lu, word %lu: %s",
                       (unsigned long)number, (unsigned long)e.word, e.text);
      return status;
    }
    at += list_size;
    ++number;
  } while (at < size);
  return CHOCOLATE_OK;
}
