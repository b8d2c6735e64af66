/* Executes the made-up instruction dot4, which no processor has: the handler of
 * SIGILL decodes it, computes it and continues behind it. Prints, at the end,
 * how many there were. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static unsigned long executed;

static void execute(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.__gregs;
  uint32_t word, rd, rs1, rs2;
  int32_t sum;
  int i;
  (void)number, (void)info;
  memcpy(&word, (const void *)registers[0], sizeof(word));
  if ((word & 0xfe00707fu) != 0x0bu)
    abort();
  rd = word >> 7 & 31, rs1 = word >> 15 & 31, rs2 = word >> 20 & 31;
  sum = (int32_t)registers[rd];
  for (i = 0; i < 4; ++i)
    sum += (uint8_t)((uint64_t)registers[rs1] >> 8 * i) *
           (int8_t)((uint64_t)registers[rs2] >> 8 * i);
  registers[rd] = sum;
  registers[0] += 4;
  ++executed;
}

static void report(void) { fprintf(stderr, "dot4: %lu executed\n", executed); }

__attribute__((constructor)) static void install(void) {
  struct sigaction action = {0};
  action.sa_sigaction = execute;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, NULL);
  atexit(report);
}
