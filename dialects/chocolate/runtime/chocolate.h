/*===- chocolate.h - Interface of the Chocolate accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Chocolate is an int8 accelerator that runs whole parts of a network from a
 * list of commands. It has three on-chip memories, DATA (int8), WEIGHTS (int8)
 * and SUMS (int32), and four engines that run at the same time:
 *
 *   LOAD    copies from main memory to the memories
 *   MATRIX  convolutions: DATA by WEIGHTS to SUMS, 16 x 16 multipliers
 *   VECTOR  depthwise convolutions to SUMS; rescales SUMS to DATA; additions
 *           and pools in DATA
 *   STORE   copies from DATA to main memory
 *
 * Each engine executes its commands in order. Tokens order the commands of
 * different engines: chocolate_push adds a token to a FIFO between two engines,
 * and chocolate_pop waits for it.
 *
 * The functions below are the driver. They append to a list of commands, in the
 * format of chocolate_format.h; a register that already has its value is not
 * written again. chocolate_launch gives the list to the device and does not
 * wait; the host may do other work. chocolate_await waits for the device. Main
 * memory that commands access must remain valid until then, what they read must
 * not be changed, and what they write must not be read.
 *
 * Each function returns a status. A function that appends a command returns
 * CHOCOLATE_OK, CHOCOLATE_BAD_COMMAND or CHOCOLATE_FULL, and has no effect
 * unless it returns CHOCOLATE_OK. Other errors are found by chocolate_await.
 *
 * Layouts. Channels are stored in blocks of 16, whose number is rounded up, in
 * each row of an image:
 *
 *   DATA     [ih][ic / 16][iw][16]                   int8
 *   WEIGHTS  [oc / 16][ic / 16][kh][kw][16 ic][16 oc] int8
 *            depthwise: [c / 16][kh][kw][16]
 *   SUMS     [oh][oc / 16][ow][16]                   int32
 *
 * The device always computes whole blocks. Missing input channels have weights
 * of 0. Rows and blocks may be further apart than their size, and rows of
 * different blocks may alternate. They must not overlap. A distance is ignored
 * if there is only one row or block.
 *
 * Alignment. Addresses and distances in DATA and WEIGHTS are multiples of 16,
 * those in SUMS multiples of 64.
 *
 * Time is counted in cycles from chocolate_begin. A command starts when the
 * previous one of its engine has ended and the pops between them have their
 * tokens. Durations, where each quotient is rounded up:
 *
 *   load, store  32 + rows * (row_bytes / dma_bytes)
 *   matrix       32 + (oc / 16) * (ic / 16) * kh * kw * max(16, oh * ow)
 *   depthwise    32 + (c / 16) * kh * kw * oh * ow
 *   rescale      32 + (c / 16) * (128 / dma_bytes + oh * ow / 4)
 *   add          32 + (c / 16) * (oh * ow / 4)
 *   pool         32 + (c / 16) * kh * kw * (oh * ow / 4)
 *   others       0
 *
 * Environment variables of the driver and of the model:
 *
 *   CHOCOLATE_COMMANDS=FILE    appends each list of commands to FILE; see
 *                              chocolate_format.h
 *   CHOCOLATE_TRACE=FILE       records a timeline, see chocolate_trace
 *   CHOCOLATE_STATISTICS=FILE  appends one line to FILE at exit, with sums over
 *                              all calls to chocolate_begin: cycles=N
 *                              load_busy=N matrix_busy=N vector_busy=N
 *                              store_busy=N loaded=N stored=N macs=N commands=N
 *                              words=N registers=N of N
 *   CHOCOLATE_FAULT=N:STATUS   the command N of the process, counted from 0 in
 *                              the order of execution and with tokens, fails
 *                              with the status, a number from 1 to 5, once
 *
 *===----------------------------------------------------------------------===*/

#ifndef CHOCOLATE_H
#define CHOCOLATE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memories. */
enum { CHOCOLATE_DATA, CHOCOLATE_WEIGHTS, CHOCOLATE_SUMS };

/* Engines. */
enum { CHOCOLATE_LOAD, CHOCOLATE_MATRIX, CHOCOLATE_VECTOR, CHOCOLATE_STORE };

/* Statuses. */
enum {
  CHOCOLATE_OK = 0,
  /* A command or an argument is malformed or misaligned, an access is outside
   * of a memory or of a segment of main memory, or chocolate_begin was not
   * called. */
  CHOCOLATE_BAD_COMMAND = 1,
  /* An engine waits for a token that no command pushes. */
  CHOCOLATE_TIMEOUT = 2,
  /* The parity of a command is wrong. */
  CHOCOLATE_PARITY = 3,
  /* A command accesses bytes that a command of another engine still writes, or
   * writes bytes that another one still reads: a token is missing. */
  CHOCOLATE_HAZARD = 4,
  /* A command reads bytes that were not written since chocolate_begin. */
  CHOCOLATE_UNDEFINED = 5,
  /* There is no memory for more commands. */
  CHOCOLATE_FULL = 6
};

/* Resets the device and drops the commands that were not launched. Time
 * restarts at 0, and the contents of the memories are undefined. The sizes are
 * parameters of the hardware: KiB of each memory (1 to 1024) and bytes per
 * cycle of each of the two paths to main memory (a power of 2 from 1 to 64).
 * Waits for commands that are running. */
int chocolate_begin(int data_kib, int weight_kib, int sum_kib, int dma_bytes);

/* The next commands belong to the layer `number`, 0 to 32767. */
int chocolate_layer(int number);

/* Appends a copy from main memory to DATA or WEIGHTS (LOAD). Reads `rows` rows
 * of `row_bytes` bytes, a multiple of 16, that begin `stride` bytes apart, and
 * writes them without gaps to the address `to`. */
int chocolate_load(int memory, int to, const void *from, int rows,
                   int row_bytes, int stride);

/* Appends a copy from DATA to main memory (STORE). Reads `rows` rows of
 * `row_bytes` bytes, a multiple of 16, without gaps from the address `from`,
 * and writes them `stride` bytes apart. They must not overlap. */
int chocolate_store(void *to, int from, int rows, int row_bytes, int stride);

/* Operands of a convolution. All sizes, here and below, are 1 to 65535, and
 * kh * kw too. */
typedef struct {
  int x, w, sums;           /* Addresses in the three memories. */
  int x_block, x_row;       /* Bytes between blocks and between rows of x. */
  int w_block;              /* Bytes between blocks of output channels of w. */
  int sums_block, sums_row; /* Bytes between blocks and between rows of sums. */
  int ic, ih, iw;           /* Of x in memory; ih or iw is 0 in padding. */
  int top, left;            /* Rows and columns of padding before x, or 0. */
  int oc, oh, ow;           /* Channels, rows and columns of sums. */
  int kh, kw, stride; /* Size of the kernel; stride in rows and columns. */
  int x_zero;         /* Zero point of x, and value of the padding. */
  int accumulate;     /* 1: add to the sums in memory. 0: add to 0. */
} chocolate_window;

/* Appends a convolution (MATRIX): sum += (x - x_zero) * w. Positions outside of
 * x, on any side, contribute 0. Sums wrap around. */
int chocolate_conv(const chocolate_window *window);

/* Appends a depthwise convolution (VECTOR), where ic is equal to oc. */
int chocolate_depthwise(const chocolate_window *window);

/* Operands of a rescaling copy. */
typedef struct {
  int sums, sums_block, sums_row; /* As in chocolate_window. */
  int y, y_block, y_row;          /* The result in DATA. */
  int c, oh, ow;                  /* Channels, rows and columns. */
  const int32_t *bias;            /* One value per channel, or NULL. */
  const float *factor;            /* One finite value per channel. */
  int y_zero, low, high;          /* In the range of int8; low <= high. */
} chocolate_scaling;

/* Appends a rescaling copy from SUMS to DATA (VECTOR), rounded half to even:
 *
 *   y = min(max(round((sum + bias) * factor) + y_zero, low), high)
 *
 * Sums wrap around and are converted to f32. Missing channels of the last block
 * are written as y_zero. The engine reads bias and factor from main memory when
 * it executes the command. */
int chocolate_rescale(const chocolate_scaling *scaling);

/* Operands of an addition: three tensors in DATA. */
typedef struct {
  int a, a_block, a_row; /* Bytes between blocks and between rows. */
  int b, b_block, b_row;
  int y, y_block, y_row;
  int c, oh, ow;
  float a_scale, b_scale, y_scale; /* Positive and finite; f and g too. */
  int a_zero, b_zero, y_zero;      /* In the range of int8. */
} chocolate_sum;

/* Appends an addition (VECTOR), in f32 and rounded half to even, where fma
 * rounds once:
 *
 *   f = a_scale / y_scale, g = b_scale / y_scale
 *   y = fma(a, f, fma(b, g, y_zero - fma(f, a_zero, g * b_zero)))
 *
 * limited to the range of int8. Missing channels are written as y_zero. y may
 * be the same bytes as a or b, with the same distances, but must not overlap
 * them otherwise. */
int chocolate_add(const chocolate_sum *sum);

/* Operands of a max pool, as in chocolate_window; y is in DATA and does not
 * overlap x. */
typedef struct {
  int x, x_block, x_row;
  int y, y_block, y_row;
  int c, ih, iw, top, left, oh, ow, kh, kw, stride;
} chocolate_pooling;

/* Appends a max pool (VECTOR) from DATA to DATA. Positions outside of x do not
 * count; a window has at least one inside. */
int chocolate_pool(const chocolate_pooling *pooling);

/* Append a token to the FIFO from the engine `from` to the engine `to`, two
 * different engines, and a wait of `to` for it. */
int chocolate_push(int from, int to);
int chocolate_pop(int from, int to);

/* Starts the device on all commands since chocolate_begin, or since the last
 * launch. They start when those of earlier launches are complete, and tokens
 * that are left remain for them. Returns before they are complete. The model
 * executes them in chocolate_await. */
int chocolate_launch(void);

/* Waits until all launched commands are complete. Returns the status of the
 * first command that failed; commands that would start after it are dropped,
 * and all tokens. */
int chocolate_await(void);

/* Returns the layer of the command that failed, after chocolate_await or a
 * function that appends a command; 0 if none did. */
int chocolate_failed_layer(void);

/* Counters since chocolate_begin. */
typedef struct {
  long long cycles;  /* Time at which all engines are idle. */
  long long busy[4]; /* Cycles in which each engine executes commands. */
  long long loaded_bytes, stored_bytes; /* Traffic, without bias and factor. */
  long long macs;     /* Multiply-adds of real channels, including padding
                       * pixels. */
  long long commands; /* Executed, with tokens. */
  long long words;    /* Length of the lists. */
  long long registers, all_registers; /* Register writes in the lists, and
                                       * without those that were left out. */
} chocolate_statistics;

void chocolate_get_statistics(chocolate_statistics *statistics);

/* Records the commands of later calls to chocolate_await, without tokens, to a
 * file in the Chrome trace format (also read by Perfetto), where 1 us is 1
 * cycle. Each call to chocolate_begin continues where the previous commands
 * ended. NULL ends the recording. Returns CHOCOLATE_BAD_COMMAND if the file
 * cannot be written. */
int chocolate_trace(const char *path);

#ifdef __cplusplus
}
#endif

#endif /* CHOCOLATE_H */
