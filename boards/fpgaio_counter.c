/*===- fpgaio_counter.c - Counters of Arm MPS2 and MPS3 boards ------------===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#include "board.h"

/* Registers of the FPGAIO block: seconds, and cycles of the clock. */
#define CLK1HZ (*(volatile uint32_t *)(BOARD_FPGAIO + 0x10u))
#define COUNTER (*(volatile uint32_t *)(BOARD_FPGAIO + 0x18u))

void board_start_counter(void) {}

struct board_time board_now(void) {
  struct board_time now;
  now.coarse = CLK1HZ;
  now.low = COUNTER;
  return now;
}
