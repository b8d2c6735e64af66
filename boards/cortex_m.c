/*===- cortex_m.c - Startup and exceptions of Cortex-M --------------------===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CCR REGISTER(0xE000ED14u)
#define CFSR REGISTER(0xE000ED28u)
#define MMFAR REGISTER(0xE000ED34u)
#define BFAR REGISTER(0xE000ED38u)
#define CPACR REGISTER(0xE000ED88u)
#define MPU_TYPE REGISTER(0xE000ED90u)
#define MPU_CTRL REGISTER(0xE000ED94u)
#define MPU_RNR REGISTER(0xE000ED98u)
#define MPU_RBAR REGISTER(0xE000ED9Cu)
#define MPU_RASR REGISTER(0xE000EDA0u)
#define CCR_UNALIGN_TRP (1u << 3)
#define CPACR_FPU (0xFu << 20)
/* With the default map for privileged code outside of the regions. */
#define MPU_CTRL_ENABLE 5u
#define MPU_RASR_NO_ACCESS (1u << 28 | 1u)
#define MPU_RASR_READ_ONLY (6u << 24 | 1u << 17 | 1u)

extern uint32_t uma_data_load[], uma_data_begin[], uma_data_end[];
extern uint32_t uma_bss_begin[], uma_bss_end[];
extern unsigned char uma_handler_stack_end[];
extern unsigned char uma_flash_begin[], uma_flash_end[];

void reset_handler(void);
void fault_handler(void);
void fault(const uint32_t *frame);

/* Exceptions run on a stack of their own, so that an overflow of the network's
 * stack is reported, too. */
__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    uma_handler_stack_end, (void *)reset_handler, (void *)fault_handler,
    (void *)fault_handler, (void *)fault_handler, (void *)fault_handler,
    (void *)fault_handler};

#if __ARM_ARCH < 8
/* Protects `bytes`, a power of two that divides `address`. */
static void protect(uint32_t region, uint32_t address, uint32_t bytes,
                    uint32_t access) {
  uint32_t size = 0;
  while ((2u << size) < bytes) {
    ++size;
  }
  MPU_RNR = region;
  MPU_RBAR = address;
  MPU_RASR = access | size << 1;
}

/* The flash can only be read, and nothing below the stack accessed: emulators
 * ignore such accesses where boards have no memory. Not every core has an MPU.
 */
static void protect_memories(void) {
  uint32_t flash = (uint32_t)uma_flash_begin;
  uint32_t flash_end = (uint32_t)uma_flash_end;
  uint32_t bytes = flash_end - flash;
  uint32_t stack = (uint32_t)uma_stack_begin;
  uint32_t free = stack - (flash < stack ? flash_end : 0);
  uint32_t guard = stack & (0u - stack);
  if ((MPU_TYPE & 0xFF00u) == 0) {
    return;
  }
  while (guard > free) {
    guard >>= 1;
  }
  if (guard >= 32) {
    protect(0, stack - guard, guard, MPU_RASR_NO_ACCESS);
  }
  if (bytes >= 32 && (bytes & (bytes - 1)) == 0 && (flash & (bytes - 1)) == 0) {
    protect(1, flash, bytes, MPU_RASR_READ_ONLY);
  }
  MPU_CTRL = MPU_CTRL_ENABLE;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
}
#endif

static void start(void) {
  uint32_t *from = uma_data_load, *to;
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  CPACR |= CPACR_FPU;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
#ifdef BOARD_TRAPS_UNALIGNED
  /* The code is for an older core, where unaligned accesses fault. */
  CCR |= CCR_UNALIGN_TRP;
#endif
  for (to = uma_data_begin; to < uma_data_end; ++to, ++from) {
    *to = *from;
  }
  for (to = uma_bss_begin; to < uma_bss_end; ++to) {
    *to = 0;
  }
#if __ARM_ARCH < 8
  protect_memories();
#endif
  runner_main();
}

/* Moves to the process stack. Not in C: the stack changes. */
__attribute__((naked)) void reset_handler(void) {
  __asm__ volatile(".syntax unified\n\t"
                   "ldr r0, =uma_stack_end\n\t"
                   "msr psp, r0\n\t"
                   "movs r0, #2\n\t"
                   "msr control, r0\n\t"
                   "isb\n\t"
                   "bl %c0\n\t"
                   "b .\n\t" ::"i"(start));
}

__attribute__((naked)) void fault_handler(void) {
  __asm__ volatile(".syntax unified\n\t"
                   "mrs r0, psp\n\t"
                   "bl fault\n\t");
}

void fault(const uint32_t *frame) {
  uint32_t cause = 0, address = 0, pc = 0, lr = 0;
#ifdef BOARD_TRAPS_UNALIGNED
  CCR &= ~CCR_UNALIGN_TRP;
#endif
#if __ARM_ARCH >= 7 || defined(BOARD_TRAPS_UNALIGNED)
  cause = CFSR;
  /* Is the address valid? For accesses that were late, it is not. */
  if ((cause & (1u << 15)) != 0) {
    address = BFAR;
  }
  if ((cause & (1u << 7)) != 0) {
    address = MMFAR;
  }
#endif
  /* STKERR and MSTKERR: there is no frame, because the stack is used up. */
  if ((cause & ((1u << 12) | (1u << 4))) == 0 &&
      (const unsigned char *)frame >= uma_stack_begin &&
      (const unsigned char *)frame + 32 <= uma_stack_end) {
    lr = frame[5];
    pc = frame[6];
  }
  runner_fault("HardFault", cause, pc, lr, (uint32_t)frame, address);
}

__attribute__((naked)) long board_semihost(long operation,
                                           const void *argument) {
  (void)operation;
  (void)argument;
  __asm__ volatile("bkpt 0xab\n\tbx lr");
}

__attribute__((naked)) void board_spin(uint32_t iterations) {
  (void)iterations;
  __asm__ volatile(".syntax unified\n"
                   "1:\tsubs r0, #1\n\t"
                   "bne 1b\n\t"
                   "bx lr\n\t");
}

unsigned char *board_stack_pointer(void) {
  unsigned char *result;
  __asm__ volatile("mov %0, sp" : "=r"(result));
  return result;
}
