/*===- nrf51_counter.c - Counter of the nRF51 -----------------------------===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#include "board.h"

/* TIMER0: 16 MHz, 32 bits. */
#define TIMER0(offset) (*(volatile uint32_t *)(0x40008000u + (offset)))
#define TASKS_START TIMER0(0x000u)
#define TASKS_CAPTURE0 TIMER0(0x040u)
#define BITMODE TIMER0(0x508u)
#define PRESCALER TIMER0(0x510u)
#define CC0 TIMER0(0x540u)

void board_start_counter(void) {
  BITMODE = 3; /* 32 bits */
  PRESCALER = 0;
  TASKS_START = 1;
}

struct board_time board_now(void) {
  struct board_time now;
  TASKS_CAPTURE0 = 1;
  now.low = CC0;
  now.coarse = 0;
  return now;
}
