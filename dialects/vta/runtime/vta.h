/*===- vta.h - Interface of the VTA accelerator -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * VTA is an int8 accelerator in the manner of TVM's Versatile Tensor
 * Accelerator. It has a GEMM core of batch x block_in x block_out multipliers
 * and four on-chip memories: INP (int8), WGT (int8), ACC (int32) and OUT
 * (int8). All sizes are parameters of the hardware.
 *
 * Three modules run at the same time. Each has a queue and executes its
 * instructions in order:
 *
 *   LOAD     copies from main memory to INP and WGT
 *   COMPUTE  copies from main memory to ACC; multiplies INP by WGT and adds to
 *            ACC; rescales ACC to OUT
 *   STORE    copies from OUT to main memory
 *
 * The host writes instructions and does not wait in between. Tokens order the
 * instructions of different modules: vta_push adds a token to a FIFO between
 * two modules, and vta_pop waits for it. vta_finish executes all instructions
 * and is the only function that waits. Main memory that an instruction accesses
 * must remain valid and unchanged by the host until then.
 *
 * Each function returns a status. A function that writes an instruction returns
 * VTA_OK, VTA_BAD_INSTRUCTION or VTA_FULL, and has no effect unless it returns
 * VTA_OK. Other errors are found by vta_finish.
 *
 * Layouts. Images are stored in groups of `batch` and channels in blocks. The
 * numbers of groups and blocks are rounded up:
 *
 *   INP  [n / batch][ic / block_in][ih][iw][batch][block_in]           int8
 *   WGT  [oc / block_out][ic / block_in][kh][kw][block_out][block_in]  int8
 *   ACC  [n / batch][oc / block_out][oh][ow][batch][block_out]         int32
 *   OUT  [n / batch][oc / block_out][oh][ow][batch][block_out]         int8
 *
 * The core always computes whole groups and blocks. The weights of missing
 * input channels are 0. Missing images, channels and weights are read like the
 * others, so they must be in memory.
 *
 * Groups, blocks and rows may be further apart than their size, and rows of
 * different groups and blocks may alternate. In memory that is read they may
 * overlap. In memory that is written, each of the three distances, from the
 * smallest to the largest, is at least the extent of what the smaller ones
 * repeat. A distance is ignored if there is only one group, block or row.
 *
 * Alignment. Addresses and distances in ACC are multiples of 4. The other
 * memories have no alignment.
 *
 * Time is counted in cycles from vta_init. An instruction starts when the
 * previous one of its module has ended and the pops between them have their
 * tokens. Durations, where each quotient is rounded up:
 *
 *   load, store  16 + rows * (row_bytes / 8)
 *   gemm         16 + (n / batch) * (oc / block_out) * (ic / block_in)
 *                   * kh * kw * oh * ow
 *   alu          16 + 4 * (n / batch) * (oc / block_out) * oh * ow
 *   push, pop    0
 *
 * Writing an instruction takes no time. Instructions that are written after
 * vta_finish start no earlier than the end of all instructions before it.
 *
 * The model on the host executes instructions in the order in which they start.
 * It counts an area as accessed from start to end of the instruction, including
 * pixels that no kernel position uses. It does not check main memory. It has
 * one device and is not thread-safe.
 *
 * Environment variables of the model, read by the first vta_init:
 *
 *   VTA_TRACE=FILE       calls vta_trace(FILE)
 *   VTA_STATISTICS=FILE  appends one line to FILE at exit, with sums over all
 *                        calls to vta_init: cycles=N load_busy=N
 *                        compute_busy=N store_busy=N loaded=N stored=N macs=N
 *                        commands=N
 *
 *===----------------------------------------------------------------------===*/

#ifndef VTA_H
#define VTA_H

#ifdef __cplusplus
extern "C" {
#endif

/* Memories. */
enum { VTA_INP, VTA_WGT, VTA_ACC, VTA_OUT };

/* Modules. */
enum { VTA_LOAD, VTA_COMPUTE, VTA_STORE };

/* Statuses. If an instruction has several hazards and undefined operands,
 * vta_finish returns the status of the first in the order INP, WGT, ACC, OUT,
 * bias. */
enum {
  VTA_OK = 0,
  /* An argument is malformed or misaligned, an access is outside of a memory,
   * or vta_init was not called. */
  VTA_BAD_INSTRUCTION,
  /* An instruction writes bytes that another module still reads, or reads bytes
   * that another module still writes: a token is missing. */
  VTA_HAZARD,
  /* An instruction reads bytes that were not written since vta_init. */
  VTA_UNDEFINED,
  /* A pop waits for a token that no instruction pushes. */
  VTA_DEADLOCK,
  /* A queue has 2^20 instructions or a FIFO 2^20 tokens, or the model is out of
   * memory. */
  VTA_FULL
};

/* Resets the device. Drops all instructions and tokens. Time and counters
 * restart at 0, and the contents of the memories are undefined. `batch` is 1 to
 * 16, the blocks are 1 to 64 channels, and the memories are 1 to 1024 KiB. */
int vta_init(int batch, int block_in, int block_out, int inp_kib, int wgt_kib,
             int acc_kib, int out_kib);

/* Writes a copy from main memory to INP or WGT (LOAD), or to ACC (COMPUTE).
 * Reads `rows` rows of `row_bytes` bytes that begin `stride` bytes apart, and
 * writes them without gaps to the address `to`. `stride` may be 0, but not
 * negative. For ACC, `row_bytes` is a multiple of 4. */
int vta_load(int memory, int to, const void *from, int rows, int row_bytes,
             int stride);

/* Operands of a matrix multiplication or convolution. All sizes are at least 1.
 * INP has ih = (oh - 1) * stride + kh rows and iw = (ow - 1) * stride + kw
 * columns: there is no padding. */
typedef struct {
  int inp, wgt, acc;                 /* Addresses in the three memories. */
  int inp_image, inp_block, inp_row; /* Bytes between groups of images, between
                                      * channel blocks and between rows. */
  int wgt_block; /* Bytes between blocks of output channels. */
  int acc_image, acc_block, acc_row; /* As in INP. */
  int n, ic, oc, oh, ow; /* Images, input and output channels, output size. */
  int kh, kw, stride;    /* Size of the kernel; stride in rows and columns. */
  int x_zero;            /* Zero point of INP, in the range of int8. */
  int reset;             /* 1: add to 0. 0: add to the sums in memory. */
} vta_gemm_instruction;

/* Writes a gemm (COMPUTE): sum += (x - x_zero) * w. Sums wrap around. Copies
 * the operands. */
int vta_gemm(const vta_gemm_instruction *instruction);

/* Operands of a rescaling copy. All sizes are at least 1. */
typedef struct {
  int acc, acc_image, acc_block, acc_row; /* As in vta_gemm_instruction. */
  int bias; /* Address in ACC of int32 [oc / block_out][block_out], or -1. */
  int out, out_image, out_block, out_row; /* As acc, in OUT. */
  int n, oc, oh, ow;     /* Images, channels, rows and columns. */
  const float *factor;   /* One finite value per channel, in main memory. */
  int y_zero, low, high; /* In the range of int8; low <= high. */
} vta_alu_instruction;

/* Writes a copy from ACC to OUT (COMPUTE), rounded half to even:
 *
 *   y = min(max(round((sum + bias) * factor) + y_zero, low), high)
 *
 * Missing channels of the last block and missing images of the last group are
 * written as y_zero. Copies the operands and the factors. */
int vta_alu(const vta_alu_instruction *instruction);

/* Writes a copy from OUT to main memory (STORE). Reads `rows` rows of
 * `row_bytes` bytes without gaps from the address `from`, and writes them
 * `stride` bytes apart. The rows must not overlap. */
int vta_store(void *to, int from, int rows, int row_bytes, int stride);

/* Writes an instruction of the module `from` that adds a token to the FIFO from
 * `from` to `to`, two different modules. */
int vta_push(int from, int to);

/* Writes an instruction of the module `to` that waits for a token of the FIFO
 * from `from` to `to` and removes it. */
int vta_pop(int from, int to);

/* Executes all instructions and waits until they have ended. Tokens that are
 * left remain for later instructions. If an error is found, drops the faulty
 * instruction, all that start later, and all tokens. The device can be used
 * after an error, with or without vta_init. */
int vta_finish(void);

/* Counters since vta_init, of executed instructions. */
typedef struct {
  long long cycles;  /* Time at which all modules are idle. */
  long long busy[3]; /* Cycles in which each module executes instructions. */
  long long loaded_bytes, stored_bytes; /* Traffic, without factors. */
  long long macs;   /* Multiply-adds of real images and channels:
                     * n * ic * oc * kh * kw * oh * ow. */
  int instructions; /* Of all modules, including push and pop. */
} vta_statistics;

void vta_get_statistics(vta_statistics *statistics);

/* Records the instructions of later calls to vta_finish, without push and pop,
 * to a file in the Chrome trace format (also read by Perfetto), where 1 us is 1
 * cycle. Each call to vta_init continues where the previous instructions ended.
 * NULL ends the recording. Returns VTA_BAD_INSTRUCTION if the file cannot be
 * written. */
int vta_trace(const char *path);

#ifdef __cplusplus
}
#endif

#endif /* VTA_H */
