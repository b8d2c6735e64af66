/*===- runner.c - Runs a network and counts instructions ------------------===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Files and messages go through semihosting. Lines that start with '@' are for
 * the host. This file calls no function of the C library, so that all library
 * functions in the program are the network's.
 */
#include "runner.h"
#include "board.h"

enum {
  SYS_OPEN = 1,
  SYS_CLOSE = 2,
  SYS_WRITE0 = 4,
  SYS_WRITE = 5,
  SYS_READ = 6,
  SYS_EXIT_EXTENDED = 0x20
};
enum { STACK_PAINT = 0xa5 };

/* Iterations of the loop that calibrates the counter. */
#define RUNNER_ITERATIONS 100000u

static void leave(uint32_t status) {
  /* 0x20026: the application exits. */
  const uintptr_t block[2] = {0x20026, status};
  (void)board_semihost(SYS_EXIT_EXTENDED, block);
  for (;;) {
  }
}

static void say(const char *text) { (void)board_semihost(SYS_WRITE0, text); }

/* Prints a space and a number in hexadecimal. */
static void say_number(uint32_t number) {
  char text[10];
  int digit;
  text[0] = ' ';
  for (digit = 0; digit < 8; ++digit) {
    uint32_t value = (number >> (28 - 4 * digit)) & 15u;
    text[1 + digit] = (char)(value < 10 ? '0' + value : 'a' + value - 10);
  }
  text[9] = '\0';
  say(text);
}

static void say_interval(const struct board_time *from,
                         const struct board_time *to) {
  say_number(to->low - from->low);
  say_number(to->coarse - from->coarse);
  say("\n");
}

static uintptr_t get_length(const char *text) {
  uintptr_t length = 0;
  while (text[length] != '\0') {
    ++length;
  }
  return length;
}

/* Opens, reads or writes, and closes a file as a whole. */
static void transfer(const char *path, void *data, uintptr_t bytes,
                     int is_output) {
  /* Modes 1 and 5: "rb" and "wb". */
  const uintptr_t open[3] = {(uintptr_t)path, is_output ? 5 : 1,
                             get_length(path)};
  long file = board_semihost(SYS_OPEN, open);
  const uintptr_t block[3] = {(uintptr_t)file, (uintptr_t)data, bytes};
  /* The result is the number of bytes that were not transferred. */
  if (file < 0 ||
      board_semihost(is_output ? SYS_WRITE : SYS_READ, block) != 0) {
    say("@file ");
    say(path);
    say("\n");
    leave(2);
  }
  (void)board_semihost(SYS_CLOSE, block);
}

#ifdef UMA_PROFILE
#include "uma_profile.h"
static struct board_time layer_start;

void runner_begin(int index, const char *layer) {
  say("@begin");
  say_number((uint32_t)index);
  say(" ");
  say(layer);
  say("\n");
  layer_start = board_now();
}

void runner_end(int index) {
  struct board_time now = board_now();
  say("@end");
  say_number((uint32_t)index);
  say_interval(&layer_start, &now);
}
#endif

void runner_fault(const char *name, uint32_t cause, uint32_t pc, uint32_t lr,
                  uint32_t sp, uint32_t address) {
  say("@fault ");
  say(name);
  say_number(cause);
  say_number(pc);
  say_number(lr);
  say_number(sp);
  say_number(address);
  say("\n");
  leave(3);
}

static void calibrate(void) {
  struct board_time start, middle, end;
  /* Volatile, so that the code between the readings is the same each time. */
  volatile uint32_t factor;
  /* The first reading may take an emulator longer. */
  (void)board_now();
  board_spin(1);
  (void)board_now();
  /* Two lengths, so that the instructions around the loop cancel out. */
  for (factor = 1; factor <= 2; ++factor) {
    start = board_now();
    board_spin(RUNNER_ITERATIONS * factor);
    end = board_now();
    say("@spin");
    say_number(2 * RUNNER_ITERATIONS * factor);
    say_interval(&start, &end);
  }
  start = board_now();
  middle = board_now();
  say("@empty");
  say_interval(&start, &middle);
#ifdef UMA_PROFILE
  runner_begin(-1, "");
  runner_end(-1);
#endif
}

void runner_main(void) {
  struct board_time start, end;
  volatile unsigned char *byte;
  unsigned char *stack_before = board_stack_pointer();
  int32_t status;
  const struct runner_file *file;
  board_start_counter();
  calibrate();
  for (file = runner_inputs; file->path != NULL; ++file) {
    transfer(file->path, file->data, file->bytes, 0);
  }
  /* What is below the stack pointer is free: no function is called here. */
  for (byte = uma_stack_begin; byte < stack_before; ++byte) {
    *byte = STACK_PAINT;
  }
  start = board_now();
  status = runner_run();
  end = board_now();
  for (byte = uma_stack_begin; byte < stack_before && *byte == STACK_PAINT;
       ++byte) {
  }
  say("@total");
  say_interval(&start, &end);
  say("@stack");
  say_number((uint32_t)(stack_before - byte));
  say_number((uint32_t)(byte - uma_stack_begin));
  say("\n@status");
  say_number((uint32_t)status);
  say("\n");
  for (file = runner_outputs; status == 0 && file->path != NULL; ++file) {
    transfer(file->path, file->data, file->bytes, 1);
  }
  leave(0);
}
