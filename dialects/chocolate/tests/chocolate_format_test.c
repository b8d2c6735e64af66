/*===- chocolate_format_test.c - Tests of Chocolate's lists -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Compares lists that the driver writes with words computed by hand, and gives
 * malformed lists to the disassembler and to the device. The only argument is a
 * file that the test overwrites. Returns 0 if all checks pass.
 *
 *===----------------------------------------------------------------------===*/

#define _POSIX_C_SOURCE 200112L /* setenv */

#include "chocolate_testing.h"

#include "../runtime/chocolate_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path = "chocolate_format_test.bin";

/*===----------------------------------------------------------------------===*
 * Round trip
 *===----------------------------------------------------------------------===*/

typedef struct {
  char text[4096];
  size_t size;
} text;

static void append_text(void *context, const char *more) {
  text *t = (text *)context;
  const size_t size = strlen(more);
  if (t->size + size < sizeof(t->text)) {
    memcpy(t->text + t->size, more, size + 1);
    t->size += size;
  }
}

/* Prints a file, and compares the text. */
static void check_text(const lists *f, const char *expected) {
  text t = {"", 0};
  char error[200] = "";
  PASS(chocolate_print(f->bytes, f->size, append_text, &t, error,
                       sizeof(error)));
  CHECK(error[0] == '\0' && strcmp(t.text, expected) == 0);
  if (strcmp(t.text, expected) != 0)
    printf("%s", t.text);
}

static int8_t memory[4096];

/* Compares two lists with words and texts that were written by hand from
 * chocolate_format.h. */
static void test_round_trip(void) {
  static const uint32_t words[] = {
      0x434f4843, 1,          27, 16,  8, 4, 16, 1, 148, /* Header. */
      0x80030001,                                        /* Layer 3. */
      0x80000102, 32,                                    /* Set to. */
      0x00030302, 2,          16, 100, /* Set rows, row_bytes and stride. */
      0x00000003,                      /* Load. */
      0x0030000a, 0x8030000b,          /* Push and pop. */
      0x00200102, 32,                  /* Set from. */
      0x80220302, 116,        1,  32,  /* Set offset, rows and row_bytes. */
      0x80000004, 0x0000000c};         /* Store, end. */
  const chocolate_sum sum = {0,  0, 16, 0, 0,     16,   32,   0,   16,
                             16, 1, 1,  1, 1e-3f, 0.1f, -128, 127, 0};
  int8_t *m = memory;
  CHECK(setenv("CHOCOLATE_COMMANDS", path, 1) == 0);
  (void)remove(path);
  PASS(chocolate_begin(16, 8, 4, 16));
  PASS(chocolate_layer(3));
  PASS(chocolate_load(CHOCOLATE_DATA, 32, m, 2, 16, 100));
  order(CHOCOLATE_LOAD, CHOCOLATE_STORE);
  PASS(chocolate_store(m + 116, 32, 1, 32, 0)); /* Touches the load. */
  lists f = capture(path);
  CHECK(f.size == sizeof(words));
  for (size_t k = 0; k < sizeof(words) / 4 && 4 * k < f.size; ++k)
    CHECK(chocolate_get_word(f.bytes, k) == words[k]);
  check_text(&f, "list 0: version 1, data 16 KiB, weights 8 KiB, sums 4 KiB, "
                 "16 bytes/cycle, 1 segments\n"
                 "segment 0: 148 bytes\n"
                 "     9  layer 3\n"
                 "    10  set load.to 32\n"
                 "    12  set load.rows 2 load.row_bytes 16 load.stride 100\n"
                 "    16  load\n"
                 "    17  push load store\n"
                 "    18  pop load store\n"
                 "    19  set store.from 32\n"
                 "    21  set store.offset 116 store.rows 1 "
                 "store.row_bytes 32\n"
                 "    25  store\n"
                 "    26  end\n");
  /* Segments have the order of their first use, not of their addresses. */
  PASS(chocolate_load(CHOCOLATE_DATA, 0, m + 1000, 1, 16, 0));
  PASS(chocolate_launch());
  PASS(chocolate_layer(0));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, m + 1000, 1, 16, 0));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, m + 10, 1, 16, 0));
  PASS(chocolate_load(CHOCOLATE_DATA, 0, m + 1008, 1, 16, 0));
  order(CHOCOLATE_LOAD, CHOCOLATE_VECTOR);
  PASS(chocolate_add(&sum));
  f = capture(path);
  check_text(&f, "list 0: version 1, data 16 KiB, weights 8 KiB, sums 4 KiB, "
                 "16 bytes/cycle, 1 segments\n"
                 "segment 0: 16 bytes\n"
                 "     9  layer 3\n"
                 "    10  set load.rows 1 load.row_bytes 16\n"
                 "    13  load\n"
                 "    14  end\n"
                 "list 1: version 1, data 16 KiB, weights 8 KiB, sums 4 KiB, "
                 "16 bytes/cycle, 2 segments\n"
                 "segment 0: 24 bytes\n"
                 "segment 1: 16 bytes\n"
                 "    10  set load.rows 1 load.row_bytes 16\n"
                 "    13  load\n"
                 "    14  set load.segment 1\n"
                 "    16  load\n"
                 "    17  set load.segment 0 load.offset 8\n"
                 "    20  load\n"
                 "    21  push load vector\n"
                 "    22  pop load vector\n"
                 "    23  set add.a_row 16\n"
                 "    25  set add.b_row 16 add.y 32\n"
                 "    28  set add.y_row 16 add.c 16 add.oh 1 add.ow 1 "
                 "add.a_scale 1 add.b_scale 0.00100000005 add.y_scale "
                 "0.100000001 add.a_zero -128 add.b_zero 127\n"
                 "    38  add\n"
                 "    39  end\n");
}

/*===----------------------------------------------------------------------===*
 * Errors
 *===----------------------------------------------------------------------===*/

/* Returns a list of one packet and END, whose words are correct. */
static lists make_list(int opcode, int argument, int count) {
  lists f;
  uint32_t payload[255] = {0};
  const int end = 9 + 1 + count;
  const uint32_t header[] = {
      CHOCOLATE_MAGIC, 1, (uint32_t)end + 1, 4, 4, 4, 16, 1, 64};
  memset(&f, 0, sizeof(f));
  for (size_t k = 0; k < 9; ++k)
    chocolate_put_word(f.bytes, k, header[k]);
  chocolate_put_word(f.bytes, 9,
                     chocolate_make_packet(opcode, argument, payload, count));
  chocolate_put_word(f.bytes, (size_t)end,
                     chocolate_make_packet(CHOCOLATE_OP_END, 0, NULL, 0));
  f.size = 4 * (size_t)end + 4;
  return f;
}

/* Checks the status and the message of a file. */
static void check_error(const lists *f, int status, const char *message,
                        int line) {
  char error[200] = "";
  const int result =
      chocolate_print(f->bytes, f->size, NULL, NULL, error, sizeof(error));
  check(result == status && strcmp(error, message) == 0, message, __FILE__,
        line);
  if (strcmp(error, message) != 0)
    printf("%s\n", error);
  check(chocolate_print(f->bytes, f->size, NULL, NULL, NULL, 0) == status,
        message, __FILE__, line);
}

/* Replaces a word of a list that is correct. */
#define BAD_WORD(word, value, message)                                         \
  (f = make_list(CHOCOLATE_OP_LAYER, 0, 0),                                    \
   chocolate_put_word(f.bytes, (word), (value)),                               \
   check_error(&f, CHOCOLATE_BAD_COMMAND, "list 0, word " message, __LINE__))

/* Checks a packet with correct parity. */
#define BAD_PACKET(opcode, argument, count, message)                           \
  (f = make_list(opcode, argument, count),                                     \
   check_error(&f, CHOCOLATE_BAD_COMMAND, "list 0, word 9: " message,          \
               __LINE__))

static void test_header_errors(void) {
  static const char invalid[] =
      "list 0, word 3: invalid device: memories must have 1 to 1024 KiB, and "
      "paths 1, 2, 4, ... or 64 bytes/cycle";
  static const uint32_t parameters[][2] = {
      {3, 0},          {3, 1025}, {4, 0}, {4, 0x80000001}, {5, 1025},
      {5, 0xffffffff}, {6, 0},    {6, 3}, {6, 128},        {6, 0x10001}};
  lists f = make_list(CHOCOLATE_OP_LAYER, 0, 0);
  check_error(&f, CHOCOLATE_OK, "", __LINE__);
  for (size_t size = 0; size < f.size; ++size) {
    char error[8];
    CHECK(chocolate_print(f.bytes, size, NULL, NULL, error, sizeof(error)) ==
          CHOCOLATE_BAD_COMMAND);
    CHECK(strcmp(error, "list 0,") == 0);
  }
  f.size = 31;
  check_error(&f, CHOCOLATE_BAD_COMMAND,
              "list 0, word 7: the file ends in the header of the list",
              __LINE__);
  f = make_list(CHOCOLATE_OP_LAYER, 0, 0);
  memcpy(f.bytes + f.size, f.bytes, f.size);
  f.size = 2 * f.size;
  check_error(&f, CHOCOLATE_OK, "", __LINE__);
  f.size -= 4;
  check_error(&f, CHOCOLATE_BAD_COMMAND,
              "list 1, word 2: the list has 11 words, but the file ends after "
              "10",
              __LINE__);
  BAD_WORD(0, 0x434f4853, "0: magic number 0x434f4853, expected 0x434f4843");
  BAD_WORD(1, 2, "1: version 2, expected 1");
  BAD_WORD(2, 8, "2: a list of 8 words is too short");
  BAD_WORD(2, 10, "10: the list has no end");
  BAD_WORD(2, 0xffffffff,
           "2: the list has 4294967295 words, but the file ends after 11");
  for (size_t k = 0; k < sizeof(parameters) / sizeof(parameters[0]); ++k) {
    f = make_list(CHOCOLATE_OP_LAYER, 0, 0);
    chocolate_put_word(f.bytes, parameters[k][0], parameters[k][1]);
    check_error(&f, CHOCOLATE_BAD_COMMAND, invalid, __LINE__);
  }
  BAD_WORD(7, 3, "7: 3 segments do not fit in the list");
  BAD_WORD(7, 0xffffffff, "7: 4294967295 segments do not fit in the list");
  BAD_WORD(8, 0, "8: segment 0 has 0 bytes");
}

static void test_packet_errors(void) {
  lists f;
  BAD_PACKET(0, 0, 0, "unknown opcode 0");
  BAD_PACKET(13, 0, 0, "unknown opcode 13");
  BAD_PACKET(255, 0, 0, "unknown opcode 255");
  BAD_PACKET(CHOCOLATE_OP_SET, 0, 0, "set without payload");
  BAD_PACKET(CHOCOLATE_OP_SET, 7, 1, "unknown register 7");
  BAD_PACKET(CHOCOLATE_OP_SET, 0, 8, "unknown register 7");
  BAD_PACKET(CHOCOLATE_OP_SET, 38, 1, "unknown register 38");
  BAD_PACKET(CHOCOLATE_OP_SET, 80, 255, "unknown register 85");
  BAD_PACKET(CHOCOLATE_OP_SET, 224, 1, "unknown register 224");
  BAD_PACKET(CHOCOLATE_OP_SET, 32767, 1, "unknown register 32767");
  BAD_PACKET(CHOCOLATE_OP_LAYER, 1, 1,
             "opcode 1 has 1 words of payload, expected 0");
  BAD_PACKET(CHOCOLATE_OP_POP, 1, 255,
             "opcode 11 has 255 words of payload, expected 0");
  BAD_PACKET(CHOCOLATE_OP_LOAD, 1, 0,
             "opcode 3 has the argument 1, expected 0");
  BAD_PACKET(CHOCOLATE_OP_POOL, 16384, 0,
             "opcode 9 has the argument 16384, expected 0");
  BAD_PACKET(CHOCOLATE_OP_PUSH, 0x11, 0, "token from engine 1 to engine 1");
  BAD_PACKET(CHOCOLATE_OP_PUSH, 0x04, 0, "token from engine 4 to engine 0");
  BAD_PACKET(CHOCOLATE_OP_POP, 0x110, 0, "token from engine 0 to engine 17");
  BAD_PACKET(CHOCOLATE_OP_END, 0, 0, "end before the last word of the list");
  BAD_PACKET(CHOCOLATE_OP_END, 1, 0,
             "opcode 12 has the argument 1, expected 0");
  BAD_WORD(9, 0x80000202, "9: the list ends in the payload of 2 words");
  BAD_WORD(10, 0x00010101, "10: the list ends in the payload of 1 words");
  /* The last packet is not END. */
  BAD_WORD(10, 0x80000001, "11: the list has no end");
  f = make_list(CHOCOLATE_OP_SET, 64, 21);
  chocolate_put_word(f.bytes, 20, 1 << 7);
  check_error(&f, CHOCOLATE_PARITY, "list 0, word 9: wrong parity", __LINE__);
}

int main(int count, char **arguments) {
  if (count > 1)
    path = arguments[1];
  test_round_trip();
  test_header_errors();
  test_packet_errors();
  return failures != 0;
}
