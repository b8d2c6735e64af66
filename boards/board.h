/*===- board.h - Interface of boards for the runner -----------------------===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef UMA_BOARD_H
#define UMA_BOARD_H

#include <stdint.h>

/* A reading of the board's counter. `low` wraps; `coarse` counts units of the
 * member `coarse` of the board's description, in ticks of `low`. */
struct board_time {
  uint32_t low, coarse;
};

/* Starts the counter. */
void board_start_counter(void);

/* Reads the counter. Takes the same number of instructions each time. */
struct board_time board_now(void);

/* Calls the debugger: Arm's semihosting,
 * https://github.com/ARM-software/abi-aa. */
long board_semihost(long operation, const void *argument);

/* Runs `iterations` times around a loop of two instructions. */
void board_spin(uint32_t iterations);

/* Returns the stack pointer. */
unsigned char *board_stack_pointer(void);

/* First and last byte + 1 of the stack; from the linker script. */
extern unsigned char uma_stack_begin[], uma_stack_end[];

/* Called by the startup code when memory is initialised. */
void runner_main(void);

/* Reports a fault and ends the run. `name` is what the board calls the
 * exception, `pc` where it happened, `address` what was accessed if known. */
void runner_fault(const char *name, uint32_t cause, uint32_t pc, uint32_t lr,
                  uint32_t sp, uint32_t address);

#endif /* UMA_BOARD_H */
