/*===- chocolate_format.h - Format of Chocolate's commands -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Binary format of a list of commands, which the driver writes and the device
 * reads, with a decoder and a disassembler. chocolate.h describes what the
 * commands do.
 *
 * A file consists of one or more lists, one after another. A list consists of
 * words of 32 bits, little-endian. Each list stands alone: all registers and
 * the number of the layer are 0 at its start. Bits that are not described are
 * 0. A list whose header or packets break a rule is rejected as a whole, before
 * its first command. The values of registers are checked when an operation that
 * uses them starts.
 *
 * Header:
 *
 *   word 0      0x434f4843, the characters "CHOC"
 *   word 1      version of the format: 1
 *   word 2      number of words of the list, with the header
 *   word 3      KiB of DATA, 1 to 1024
 *   word 4      KiB of WEIGHTS, 1 to 1024
 *   word 5      KiB of SUMS, 1 to 1024
 *   word 6      bytes per cycle of a path to main memory: a power of 2, 1 to 64
 *   word 7      number of segments, S
 *   word 8 + i  bytes of segment i, at least 1, for i from 0 to S - 1
 *
 * Words 3 to 6 are the parameters of the device. Segments are disjoint parts of
 * main memory. The list has no pointers: a command addresses main memory by a
 * segment and an offset in bytes, and the device gets the start of each segment
 * together with the list.
 *
 * Packets follow the header. A packet has 1 word and up to 255 words of
 * payload. The first word:
 *
 *   bits 0-7    opcode
 *   bits 8-15   number of words of payload
 *   bits 16-30  argument
 *   bit 31      parity: the number of ones in all words of the packet is even
 *
 * Opcodes. Only SET has a payload. The argument is 0 unless described:
 *
 *    1  LAYER      the next packets belong to the layer `argument`
 *    2  SET        writes the payload, 1 or more words, to consecutive
 *                  registers, the first of which is `argument`
 *    3  LOAD       operation of the engine LOAD, with the registers of bank 0
 *    4  STORE      operation of the engine STORE, bank 1
 *    5  CONV       operation of the engine MATRIX, bank 2
 *    6  DEPTHWISE  operation of the engine VECTOR, bank 3
 *    7  RESCALE    operation of the engine VECTOR, bank 4
 *    8  ADD        operation of the engine VECTOR, bank 5
 *    9  POOL       operation of the engine VECTOR, bank 6
 *   10  PUSH       adds a token to a FIFO
 *   11  POP        waits for a token
 *   12  END        the last packet, exactly one
 *
 * The argument of PUSH and POP: bits 0-3 are the engine that pushes, and bits
 * 4-7 the engine that waits: 0 LOAD, 1 MATRIX, 2 VECTOR, 3 STORE.
 *
 * Registers have 32 bits. Register f of bank b has the number 32 * b + f. An
 * operation uses the values that its registers have at its place in the list.
 *
 *    f  bank 0, LOAD  bank 1, STORE  banks 2 and 3, CONV and DEPTHWISE
 *    0  to            from           x
 *    1  segment       segment        w
 *    2  offset        offset         sums
 *    3  rows          rows           x_block
 *    4  row_bytes     row_bytes      x_row
 *    5  stride        stride         w_block
 *    6  memory        -              sums_block
 *    7  -             -              sums_row
 *    8  -             -              ic
 *    9  -             -              ih
 *   10  -             -              iw
 *   11  -             -              top
 *   12  -             -              left
 *   13  -             -              oc
 *   14  -             -              oh
 *   15  -             -              ow
 *   16  -             -              kh
 *   17  -             -              kw
 *   18  -             -              stride
 *   19  -             -              x_zero
 *   20  -             -              accumulate
 *
 *    f  bank 4, RESCALE  bank 5, ADD  bank 6, POOL
 *    0  sums             a            x
 *    1  sums_block       a_block      x_block
 *    2  sums_row         a_row        x_row
 *    3  y                b            y
 *    4  y_block          b_block      y_block
 *    5  y_row            b_row        y_row
 *    6  c                y            c
 *    7  oh               y_block      ih
 *    8  ow               y_row        iw
 *    9  bias_segment     c            top
 *   10  bias             oh           left
 *   11  factor_segment   ow           oh
 *   12  factor           a_scale      ow
 *   13  has_bias         b_scale      kh
 *   14  y_zero           y_scale      kw
 *   15  low              a_zero       stride
 *   16  high             b_zero       -
 *   17  -                y_zero       -
 *
 * Values:
 *
 *   memory       0 DATA, 1 WEIGHTS
 *   to, from     address in `memory`, or in DATA
 *   segment      segment that a transfer reads or writes, or with the biases
 *   ..._segment  or factors
 *   offset       start of the transfer, of the biases or of the factors in
 *   bias         their segment; unsigned, without alignment
 *   factor
 *   has_bias     0: adds no biases, and the other two registers have any value
 *                1: adds biases
 *   ..._scale    f32 (IEEE 754)
 *   others       int32, in two's complement, with the meaning of the operand of
 *                the same name in chocolate.h
 *
 * Biases are int32 and factors f32, in the byte order of the host.
 *
 *===----------------------------------------------------------------------===*/

#ifndef CHOCOLATE_FORMAT_H
#define CHOCOLATE_FORMAT_H

#include "chocolate.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CHOCOLATE_MAGIC = 0x434f4843,
  CHOCOLATE_VERSION = 1,
  CHOCOLATE_HEADER_WORDS = 8, /* Without the sizes of segments. */
  CHOCOLATE_BANKS = 7,
  CHOCOLATE_BANK_REGISTERS = 32, /* Distance between banks. */
  CHOCOLATE_REGISTERS = CHOCOLATE_BANKS * CHOCOLATE_BANK_REGISTERS
};

/* Opcodes. An operation with the registers of bank b is
 * CHOCOLATE_OP_LOAD + b. */
enum {
  CHOCOLATE_OP_LAYER = 1,
  CHOCOLATE_OP_SET,
  CHOCOLATE_OP_LOAD,
  CHOCOLATE_OP_STORE,
  CHOCOLATE_OP_CONV,
  CHOCOLATE_OP_DEPTHWISE,
  CHOCOLATE_OP_RESCALE,
  CHOCOLATE_OP_ADD,
  CHOCOLATE_OP_POOL,
  CHOCOLATE_OP_PUSH,
  CHOCOLATE_OP_POP,
  CHOCOLATE_OP_END
};

/* The parameters of a device. */
typedef struct {
  int kib[3]; /* KiB of DATA, WEIGHTS and SUMS. */
  int dma_bytes;
} chocolate_hardware;

/* The first error of a list. */
typedef struct {
  size_t word;    /* The offset of the word or packet in the list. */
  char text[120]; /* Without the offset. */
} chocolate_error;

/* A list with a valid header. */
typedef struct {
  const unsigned char *bytes;
  size_t words;    /* Of the whole list. */
  size_t segments; /* Their number. */
  chocolate_hardware hardware;
} chocolate_list;

/* A valid packet. */
typedef struct {
  size_t at;                   /* The offset of its first word in the list. */
  int opcode, argument, count; /* `count`: words of payload. */
} chocolate_packet;

/* What a register holds. */
typedef enum {
  CHOCOLATE_SIGNED,
  CHOCOLATE_UNSIGNED,
  CHOCOLATE_FLOAT
} chocolate_kind;

typedef struct {
  const char *name; /* With its operation: "conv.x". */
  chocolate_kind kind;
} chocolate_register;

/* Returns a register, or NULL if there is none of this number. */
const chocolate_register *chocolate_get_register(int number);

/* Returns the number of registers of a bank, which start at field 0. */
int chocolate_count_registers(int bank);

/* Checks the parameters of a device. */
int chocolate_is_hardware(const chocolate_hardware *hardware);

/* Returns a word of a list, or writes it. */
uint32_t chocolate_get_word(const unsigned char *bytes, size_t word);
void chocolate_put_word(unsigned char *bytes, size_t word, uint32_t value);

/* Returns the first word of a packet, with its parity. */
uint32_t chocolate_make_packet(int opcode, int argument,
                               const uint32_t *payload, int count);

/* Checks the header of the list at the start of `size` bytes. The list may end
 * before the bytes do. Returns CHOCOLATE_OK or CHOCOLATE_BAD_COMMAND. */
int chocolate_open_list(const unsigned char *bytes, size_t size,
                        chocolate_list *list, chocolate_error *error);

/* Checks the packet at the word `at`, which follows the header or a packet that
 * is not END. Does not check the values of registers. Returns CHOCOLATE_OK,
 * CHOCOLATE_BAD_COMMAND or CHOCOLATE_PARITY. */
int chocolate_read_packet(const chocolate_list *list, size_t at,
                          chocolate_packet *packet, chocolate_error *error);

/* Checks all lists of a file, and prints them one line per packet, with the
 * offset of the packet in its list. Calls `write`, unless it is NULL, with
 * parts of the text. Stops at the first error: copies a message to `error`,
 * unless `error_size` is 0, and returns CHOCOLATE_BAD_COMMAND or
 * CHOCOLATE_PARITY. Otherwise returns CHOCOLATE_OK. */
int chocolate_print(const unsigned char *bytes, size_t size,
                    void (*write)(void *context, const char *text),
                    void *context, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* CHOCOLATE_FORMAT_H */
