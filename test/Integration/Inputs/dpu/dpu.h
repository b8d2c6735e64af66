/*===- dpu.h - Interface of a device that exists nowhere -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#ifndef DPU_H
#define DPU_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
enum { DPU_DATA, DPU_WEIGHTS };
/* x [ic / 8][ih][iw][8], w [oc / 32][ic / 8][kh][kw][8][32] in bytes, s [oc /
 * 32][oh][ow][32] in words, at addresses in bytes; distances in elements. */
typedef struct {
  int x, x_block, x_row, w, w_block, s, s_block, s_row, ic, ih, iw, top, left;
  int oc, oh, ow, kh, kw, step, zero, add;
} dpu_job;
typedef struct {
  int s, s_block, s_row, oc, oh, ow;
  const int32_t *bias;
  const float *factor;
  int zero, low, high;
  int8_t *y;
  int y_block, y_row;
} dpu_result;
int dpu_start(void);
int dpu_write(int memory, int to, const void *from,
              int bytes);               /* returns when done */
int dpu_multiply(const dpu_job *job);   /* queues */
int dpu_done(int jobs);                 /* waits for that many jobs */
int dpu_read(const dpu_result *result); /* returns when done */
#ifdef __cplusplus
}
#endif
#endif
