/*===- riscv32.c - Startup and counter of 32-bit RISC-V -------------------===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#include "board.h"

#define READ_CSR(name, variable)                                               \
  __asm__ volatile("csrr %0, " #name : "=r"(variable))
#define WRITE_CSR(name, value)                                                 \
  __asm__ volatile("csrw " #name ", %0" ::"r"(value))

/* Entries of the memory protection, 8 bits each: locked, so that they hold in
 * machine mode; up to an address; readable and executable. */
#define PMP_TO_ADDRESS 0x88u
#define PMP_READ_EXECUTE 0x05u

extern uint32_t uma_data_load[], uma_data_begin[], uma_data_end[];
extern uint32_t uma_bss_begin[], uma_bss_end[];
extern unsigned char uma_flash_begin[], uma_flash_end[];

void reset_handler(void);
void trap_handler(void);
void start(void);
void trap(uint32_t sp, uint32_t lr);

void start(void) {
  uint32_t *from = uma_data_load, *to;
  WRITE_CSR(mtvec, trap_handler);
  for (to = uma_data_begin; to < uma_data_end; ++to, ++from) {
    *to = *from;
  }
  for (to = uma_bss_begin; to < uma_bss_end; ++to) {
    *to = 0;
  }
  /* The flash can only be read, and nothing below the stack accessed: QEMU has
   * memory there. */
  WRITE_CSR(pmpaddr0, (uint32_t)uma_flash_begin >> 2);
  WRITE_CSR(pmpaddr1, (uint32_t)uma_flash_end >> 2);
  WRITE_CSR(pmpaddr2, (uint32_t)uma_stack_begin >> 2);
  WRITE_CSR(pmpcfg0,
            (PMP_TO_ADDRESS | PMP_READ_EXECUTE) << 8 | PMP_TO_ADDRESS << 16);
  runner_main();
}

/* In assembly, because there is no stack yet. */
__asm__(".section .text.reset_handler, \"ax\"\n"
        ".globl reset_handler\n"
        "reset_handler:\n"
        ".option push\n"
        ".option norelax\n"
        "  la gp, __global_pointer$\n"
        ".option pop\n"
        "  la tp, uma_thread_data\n"
        "  la sp, uma_stack_end\n"
        "  la t0, uma_handler_stack_end\n"
        "  csrw mscratch, t0\n"
        "  call start\n"
        "1: j 1b\n");

/* Exceptions run on a stack of their own, so that an overflow of the network's
 * stack is reported, too. */
__asm__(".section .text.trap_handler, \"ax\"\n"
        ".balign 4\n"
        ".globl trap_handler\n"
        "trap_handler:\n"
        "  mv a0, sp\n"
        "  mv a1, ra\n"
        "  csrr sp, mscratch\n"
        "  call trap\n"
        "1: j 1b\n");

void trap(uint32_t sp, uint32_t lr) {
  uint32_t cause, pc, address;
  READ_CSR(mcause, cause);
  READ_CSR(mepc, pc);
  READ_CSR(mtval, address);
  runner_fault("trap", cause, pc, lr, sp, address);
}

/* The three instructions mark the call; they may not cross a page. */
__asm__(".section .text.board_semihost, \"ax\"\n"
        ".balign 16\n"
        ".option push\n"
        ".option norvc\n"
        ".globl board_semihost\n"
        "board_semihost:\n"
        "  slli x0, x0, 0x1f\n"
        "  ebreak\n"
        "  srai x0, x0, 7\n"
        "  ret\n"
        ".option pop\n");

__asm__(".section .text.board_spin, \"ax\"\n"
        ".globl board_spin\n"
        "board_spin:\n"
        "1: addi a0, a0, -1\n"
        "  bnez a0, 1b\n"
        "  ret\n");

void board_start_counter(void) {}

struct board_time board_now(void) {
  struct board_time now;
  uint32_t before;
  READ_CSR(minstreth, before);
  READ_CSR(minstret, now.low);
  READ_CSR(minstreth, now.coarse);
  /* Between the readings, the upper half may change. Without a branch, so that
   * it takes the same instructions each time. */
  now.coarse -= (now.coarse - before) & (now.low >> 31);
  return now;
}

unsigned char *board_stack_pointer(void) {
  unsigned char *result;
  __asm__ volatile("mv %0, sp" : "=r"(result));
  return result;
}
