/*===- strawberry.h - Interface of the Strawberry accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Strawberry is an int8 accelerator with an array of N x N multipliers and
 * three on-chip memories: input, weights and sums. N is 8, 16 or 32, a
 * parameter of the hardware; the Verilog has 16. The DMA engine copies tiles
 * between main memory and the on-chip memories. The array computes on the
 * on-chip memories only. The DMA engine and the array run at the same time.
 *
 * Commands are asynchronous. Each engine has a queue and executes its commands
 * in order. strawberry_wait orders commands of different engines, and the host
 * behind an engine. Each function returns a status; a function that does not
 * return STRAWBERRY_OK has no effect.
 *
 * Layouts. Channels are stored in blocks of N, so the number of blocks is the
 * number of channels / N, rounded up:
 *
 *   x     [ic / N][ih][iw][N]                         int8
 *   w     [oc / N][ic / N][kh][kw][N of ic][N of oc]  int8, convolution
 *         [oc / N][kh][kw][N]                         int8, depthwise
 *   sums  [oc / N][oh][ow][N]                         int32
 *   y     [oc / N][oh][ow][N]                         int8, main memory
 *
 * The array always computes with N channels. The weights of missing channels
 * are 0; the missing channels of x are read, so they must be in memory.
 *
 * Blocks and rows may be further apart than their size, and rows of different
 * blocks may alternate, but they must not overlap. The distance between blocks
 * (rows) is ignored if there is only one.
 *
 * Alignment. Addresses and distances in the input and weight memories are
 * multiples of A, which is 8 if N is 8, and 16 otherwise; `w_block` of a
 * convolution is a multiple of N * N. Addresses and distances in the memory of
 * sums are multiples of 4 * A. Main memory has no alignment.
 *
 * Time is counted in cycles. A command starts when the host has queued it and
 * the previous command of its engine has ended:
 *
 *   start = max(time of the host, end of the engine's previous command)
 *   end   = start + duration
 *
 * Queueing takes no time. Durations, where each quotient is rounded up and
 * `blocks` is the number of blocks:
 *
 *   load       24 + rows * (row_bytes / dma_bytes)
 *   store      24 + blocks * (8 * N / dma_bytes + oh * (ow * N / dma_bytes))
 *   conv       48 + blocks of oc * blocks of ic * kh * kw * max(N, oh * ow)
 *   depthwise  48 + blocks * kh * kw * oh * ow
 *
 * The DMA engine needs 24 cycles to set up a command, and a store reads a table
 * of 8 * N bytes (bias and factor) per block. The array needs 48 cycles to
 * fetch the command, to load the first weights and to drain. It loads the next
 * N x N weights in N cycles while the pixels of the current weights stream
 * through. A depthwise convolution uses the diagonal of the array: N
 * multiplications per cycle.
 *
 * The model on the host moves data when a command is queued, and checks that
 * the device would compute the same. It counts a tile as read by a command from
 * start to end, including pixels that no kernel position uses. It does not
 * check main memory. It has one device and is not thread-safe.
 *
 * Environment variables of the model, read by the first strawberry_init:
 *
 *   STRAWBERRY_TRACE=FILE       calls strawberry_trace(FILE)
 *   STRAWBERRY_STATISTICS=FILE  appends one line to FILE at exit, with sums
 * over all calls to strawberry_init: cycles=N dma_busy=N array_busy=N loaded=N
 * stored=N macs=N dma_commands=N array_commands=N
 *
 *===----------------------------------------------------------------------===*/

#ifndef STRAWBERRY_H
#define STRAWBERRY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memories. */
enum { STRAWBERRY_INPUT, STRAWBERRY_WEIGHTS, STRAWBERRY_SUMS };

/* Engines. */
enum { STRAWBERRY_DMA, STRAWBERRY_ARRAY };

/* Statuses. If several errors apply, STRAWBERRY_BAD_COMMAND is returned, or the
 * error of the first operand in the order x, w, sums. */
enum {
  STRAWBERRY_OK = 0,
  /* An argument is malformed or misaligned, an access is outside of a memory,
   * or the model is out of memory. */
  STRAWBERRY_BAD_COMMAND,
  /* The command accesses bytes that a command of the other engine still reads
   * or writes when this command starts: a call to strawberry_wait is missing.
   */
  STRAWBERRY_HAZARD,
  /* The command reads bytes that were not written since strawberry_init. */
  STRAWBERRY_UNDEFINED,
  /* strawberry_wait would wait forever. */
  STRAWBERRY_NOT_ISSUED
};

/* Resets the device. Time and command counts restart at 0, and the contents of
 * the memories are undefined. The sizes are parameters of the hardware: KiB of
 * each memory (the model supports 1 to 1024), bytes per cycle of the bus to
 * main memory (a power of 2 from 1 to 64), and the rows and columns of the
 * array, N. */
int strawberry_init(int input_kib, int weight_kib, int sum_kib, int dma_bytes,
                    int array);

/* Queues a copy from main memory to the input or weight memory (DMA). Reads
 * `rows` rows of `row_bytes` bytes, a multiple of A, that begin `stride` bytes
 * apart, and writes them without gaps to the address `to`. `stride` may be 0,
 * but not negative. */
int strawberry_load(int memory, int to, const void *from, int rows,
                    int row_bytes, int stride);

/* Operands of a convolution. All sizes are at least 1. */
typedef struct {
  int x, w, sums;           /* Addresses in the three memories. */
  int x_block, x_row;       /* Bytes between blocks and between rows of x. */
  int w_block;              /* Bytes between blocks of output channels of w. */
  int sums_block, sums_row; /* Bytes between blocks and between rows of sums. */
  int ic, ih, iw;           /* Of x in memory; ih or iw is 0 in padding. */
  int top, left;            /* Rows and columns of padding before x. */
  int oc, oh, ow;           /* Channels, rows and columns of sums. */
  int kh, kw;               /* Size of the kernel. */
  int stride_y, stride_x;   /* Rows and columns from window to window. */
  int x_zero;               /* Zero point of x, and value of the padding. */
  int accumulate;           /* 1: add to the sums in memory. 0: add to 0. */
} strawberry_tile;

/* Queues a convolution (ARRAY): sum += (x - x_zero) * w. Positions outside of
 * x, on any side, contribute 0. Sums wrap around. */
int strawberry_conv(const strawberry_tile *tile);

/* Queues a depthwise convolution (ARRAY), where ic is equal to oc. */
int strawberry_depthwise(const strawberry_tile *tile);

/* Operands of a store. */
typedef struct {
  int sums, sums_block, sums_row; /* As in strawberry_tile. */
  int oc, oh, ow;                 /* Channels, rows and columns. */
  const int32_t *bias;            /* One value per channel, or NULL. */
  const float *factor;            /* One finite value per channel. */
  int y_zero, low, high;          /* In the range of int8; low <= high. */
  int8_t *y;                      /* Result in main memory. */
  int y_block, y_row;             /* Bytes between blocks and rows of y. */
} strawberry_result;

/* Queues a rescaling copy of sums to main memory (DMA), rounded half to even:
 *
 *   y = min(max(round((sum + bias) * factor) + y_zero, low), high)
 *
 * Missing channels of the last block are written as y_zero. */
int strawberry_store(const strawberry_result *result);

/* Blocks the host until the engine has completed `commands` commands since
 * strawberry_init. */
int strawberry_wait(int engine, int commands);

/* Counters since strawberry_init. */
typedef struct {
  long long cycles;  /* Time at which both engines are idle. */
  long long busy[2]; /* Cycles in which each engine executes a command. */
  long long loaded_bytes, stored_bytes; /* Traffic, including tables. */
  long long macs;  /* Multiply-adds of real channels, including padding pixels:
                    * ic * oc * kh * kw * oh * ow; depthwise without ic. */
  int commands[2]; /* Commands of each engine. */
} strawberry_statistics;

void strawberry_get_statistics(strawberry_statistics *statistics);

/* Records all further commands to a file in the Chrome trace format (also read
 * by Perfetto), where 1 us is 1 cycle. Each call to strawberry_init continues
 * where the previous commands ended. NULL ends the recording. Returns
 * STRAWBERRY_BAD_COMMAND if the file cannot be written. */
int strawberry_trace(const char *path);

#ifdef __cplusplus
}
#endif

#endif /* STRAWBERRY_H */
