//===- uma_amx.h - AMX tiles -*- C -*--------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

/* AMX for the C of uma. The sums of a tile, up to 32 rows of up to 32 columns,
 * stay in the registers 0 to 3; 4 and 5 hold the data, 6 and 7 the weights.
 * With UMA_AMX_MODEL, the registers are a model in plain C, for processors
 * without them. */
#ifndef UMA_AMX_H
#define UMA_AMX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(UMA_AMX_MODEL)
#include "uma_amx_model.h"
#else
#include <immintrin.h>

struct uma_amx_tiles {
  uint8_t palette, start, reserved[14];
  uint16_t bytes[16];
  uint8_t rows[16];
};

#define UMA_TILE_CONFIGURE(tiles) _tile_loadconfig(tiles)
#define UMA_TILE_ZERO(tile) _tile_zero(tile)
#define UMA_TILE_LOAD(tile, from, stride) _tile_loadd(tile, from, stride)
#define UMA_TILE_STORE(tile, to, stride) _tile_stored(tile, to, stride)
#define UMA_TILE_DPBUSD(sum, x, w) _tile_dpbusd(sum, x, w)
#define UMA_TILE_DPBF16PS(sum, x, w) _tile_dpbf16ps(sum, x, w)

#if defined(__linux__)
#include <sys/syscall.h>
/* <unistd.h> declares it only where more than ISO C is asked for. */
extern long syscall(long number, ...);
#endif

/* Linux gives a process the registers when it asks for them:
 * ARCH_REQ_XCOMP_PERM for XTILEDATA. The answer never changes, so threads that
 * ask at the same time store the same. */
static inline int uma_amx_enable(void) {
#if defined(__linux__)
  static int known; /* 1: there are tiles, 2: there are none */
  int state = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (state == 0) {
    state = syscall(SYS_arch_prctl, 0x1023L, 18L) == 0 ? 1 : 2;
    __atomic_store_n(&known, state, __ATOMIC_RELAXED);
  }
  return state == 1;
#else
  return 0;
#endif
}
#endif

/* GCC's intrinsics for loads and configurations do not say that they read
 * memory. */
static inline void uma_amx_order(void) { __asm__ volatile("" ::: "memory"); }

/* Sets the rows and bytes of each register. */
static inline void uma_amx_configure(ptrdiff_t rows, ptrdiff_t words) {
  struct uma_amx_tiles tiles;
  ptrdiff_t first = rows < 16 ? rows : 16;
  ptrdiff_t second = rows > 16 ? rows - 16 : first;
  int i;
  memset(&tiles, 0, sizeof(tiles));
  tiles.palette = 1;
  for (i = 0; i < 8; ++i) {
    int isFirst = i == 0 || i == 1 || i == 4, isData = i == 4 || i == 5,
        isWeight = i >= 6;
    tiles.rows[i] = (uint8_t)(isWeight ? words : isFirst ? first : second);
    tiles.bytes[i] = (uint16_t)(isData ? 4 * words : 64);
  }
  uma_amx_order();
  UMA_TILE_CONFIGURE(&tiles);
}

static inline void uma_amx_start(ptrdiff_t rows, ptrdiff_t columns) {
  uma_amx_order();
  UMA_TILE_ZERO(0);
  if (columns > 16)
    UMA_TILE_ZERO(1);
  if (rows > 16)
    UMA_TILE_ZERO(2);
  if (rows > 16 && columns > 16)
    UMA_TILE_ZERO(3);
}

/* A step of up to two by two registers of sums with the instruction DOT. */
#define UMA_AMX_STEP(DOT, x, x_stride, w, w_stride, w_panel, rows, columns)    \
  do {                                                                         \
    UMA_TILE_LOAD(4, x, x_stride);                                             \
    UMA_TILE_LOAD(6, w, w_stride);                                             \
    DOT(0, 4, 6);                                                              \
    if (columns > 16) {                                                        \
      UMA_TILE_LOAD(7, (const char *)w + w_panel, w_stride);                   \
      DOT(1, 4, 7);                                                            \
    }                                                                          \
    if (rows > 16) {                                                           \
      UMA_TILE_LOAD(5, (const char *)x + 16 * x_stride, x_stride);             \
      DOT(2, 5, 6);                                                            \
      if (columns > 16)                                                        \
        DOT(3, 5, 7);                                                          \
    }                                                                          \
  } while (0)

/* Functions for one of the two may be compiled without the other. */
#if defined(__AMX_INT8__) || defined(__AMXINT8__) || defined(UMA_AMX_MODEL)
static inline void uma_amx_dpbusd(const uint8_t *x, ptrdiff_t x_stride,
                                  const int8_t *w, ptrdiff_t w_stride,
                                  ptrdiff_t w_panel, ptrdiff_t rows,
                                  ptrdiff_t columns) {
  UMA_AMX_STEP(UMA_TILE_DPBUSD, x, x_stride, w, w_stride, w_panel, rows,
               columns);
}
#endif
#if defined(__AMX_BF16__) || defined(__AMXBF16__) || defined(UMA_AMX_MODEL)
static inline void uma_amx_dpbf16ps(const uint16_t *x, ptrdiff_t x_stride,
                                    const uint16_t *w, ptrdiff_t w_stride,
                                    ptrdiff_t w_panel, ptrdiff_t rows,
                                    ptrdiff_t columns) {
  UMA_AMX_STEP(UMA_TILE_DPBF16PS, x, x_stride, w, w_stride, w_panel, rows,
               columns);
}
#endif

static inline void uma_amx_finish(void *sum, ptrdiff_t sum_stride,
                                  ptrdiff_t rows, ptrdiff_t columns) {
  char *first = (char *)sum, *second = first + 16 * sum_stride;
  UMA_TILE_STORE(0, first, sum_stride);
  if (columns > 16)
    UMA_TILE_STORE(1, first + 64, sum_stride);
  if (rows > 16)
    UMA_TILE_STORE(2, second, sum_stride);
  if (rows > 16 && columns > 16)
    UMA_TILE_STORE(3, second + 64, sum_stride);
  uma_amx_order();
}

#endif
