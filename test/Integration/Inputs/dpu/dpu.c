/*===- dpu.c - Model of a device that exists nowhere -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*/

#include "dpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int8_t data[24 * 1024], weights[20 * 1024];
static int32_t sums[10 * 1024];
static long long host, array, end_of[4096], total, before;
static int jobs;

static void print_cycles(void) {
  FILE *file = fopen(getenv("DPU_CYCLES"), "w");
  if (file != NULL) {
    (void)fprintf(file, "cycles=%lld\n", total);
    (void)fclose(file);
  }
}

int dpu_start(void) {
  static int is_registered;
  if (!is_registered && getenv("DPU_CYCLES") != NULL)
    is_registered = atexit(print_cycles) == 0;
  host = array = jobs = 0;
  before = total;
  return 0;
}

int dpu_write(int memory, int to, const void *from, int bytes) {
  memcpy((memory == DPU_DATA ? data : weights) + to, from, (size_t)bytes);
  host += 4 + (bytes + 15) / 16;
  return 0;
}

static int8_t get(const dpu_job *j, int c, int row, int column) {
  if (row < 0 || row >= j->ih || column < 0 || column >= j->iw)
    return (int8_t)j->zero;
  return data[j->x + c / 8 * j->x_block + row * j->x_row + column * 8 + c % 8];
}

int dpu_multiply(const dpu_job *j) {
  const int inputs = (j->ic + 7) / 8 * 8;
  for (int o = 0; o < (j->oc + 31) / 32 * 32; ++o)
    for (int p = 0; p < j->oh * j->ow; ++p) {
      int32_t *sum = &sums[j->s / 4 + o / 32 * j->s_block +
                           p / j->ow * j->s_row + p % j->ow * 32 + o % 32];
      *sum = j->add ? *sum : 0;
      for (int c = 0; c < inputs; ++c)
        for (int t = 0; t < j->kh * j->kw; ++t)
          *sum +=
              (get(j, c, p / j->ow * j->step - j->top + t / j->kw,
                   p % j->ow * j->step - j->left + t % j->kw) -
               j->zero) *
              weights[j->w + o / 32 * j->w_block +
                      ((c / 8 * j->kh * j->kw + t) * 8 + c % 8) * 32 + o % 32];
    }
  if (jobs == (int)(sizeof(end_of) / sizeof(*end_of)))
    return 1;
  array = (array > host ? array : host) + 20 +
          (long long)((j->oc + 31) / 32) * (inputs / 8) * j->kh * j->kw *
              j->oh * j->ow;
  end_of[jobs++] = array;
  return 0;
}

int dpu_done(int count) {
  if (count < 1 || count > jobs)
    return 2;
  host = host > end_of[count - 1] ? host : end_of[count - 1];
  return 0;
}

int dpu_read(const dpu_result *r) {
  for (int o = 0; o < (r->oc + 31) / 32 * 32; ++o)
    for (int p = 0; p < r->oh * r->ow; ++p) {
      int32_t sum = sums[r->s / 4 + o / 32 * r->s_block + p / r->ow * r->s_row +
                         p % r->ow * 32 + o % 32];
      float steps = 0;
      if (o < r->oc) {
        steps = nearbyintf((float)(sum + (r->bias ? r->bias[o] : 0)) *
                           r->factor[o]);
        steps = steps < (float)(r->low - r->zero) ? (float)(r->low - r->zero)
                                                  : steps;
        steps = steps > (float)(r->high - r->zero) ? (float)(r->high - r->zero)
                                                   : steps;
      }
      r->y[o / 32 * r->y_block + p / r->ow * r->y_row + p % r->ow * 32 +
           o % 32] = (int8_t)((int)steps + r->zero);
    }
  host += 4 + (long long)((r->oc + 31) / 32) * r->oh * r->ow * 2;
  total = before + (host > array ? host : array);
  return 0;
}
