/*===- vta_core.h - Instructions of the VTA model -*- C -*-===*
 *
 * Part of the uma project, under the Apache License v2.0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *===----------------------------------------------------------------------===*
 *
 * Internal interface between the two files of the model: properties and results
 * of single instructions, without queues and time.
 *
 *===----------------------------------------------------------------------===*/

#ifndef VTA_CORE_H
#define VTA_CORE_H

#include "vta.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the largest memory. */
enum { VTA_CORE_MAX_BYTES = 1 << 20 };

/* The parameters of the hardware. */
typedef struct {
  int batch, block_in, block_out;
  int sizes[4]; /* Bytes of each memory. */
} vta_core_hardware;

typedef enum {
  VTA_CORE_LOAD,
  VTA_CORE_STORE,
  VTA_CORE_GEMM,
  VTA_CORE_ALU,
  VTA_CORE_PUSH,
  VTA_CORE_POP
} vta_core_operation;

typedef struct {
  int memory, at;
  const int8_t *from; /* Main memory that a load reads. */
  int8_t *to;         /* Main memory that a store writes. */
  int rows, row_bytes, stride;
} vta_core_transfer;

typedef struct {
  vta_core_operation kind;
  union {
    vta_core_transfer transfer;
    vta_gemm_instruction gemm;
    vta_alu_instruction alu;
    int peer; /* The other module of a push or pop. */
  } as;
} vta_core_instruction;

/* The bytes of a memory that an instruction reads or writes: in each group of
 * images, in each block of channels, `counts[2]` rows of `bytes` bytes. */
typedef struct {
  int memory, writes;
  long long at, counts[3], distances[3], bytes;
} vta_core_area;

/* Checks the parameters of the hardware, but not the sizes. */
int vta_core_has_valid_shape(const vta_core_hardware *hw);

/* Checks an instruction, but not factors, push and pop. */
int vta_core_is_valid(const vta_core_hardware *hw,
                      const vta_core_instruction *i);

/* Returns the size of an element of a memory. */
int vta_core_get_element_bytes(int memory);

/* Computes the areas that an instruction accesses, in the order in which they
 * are checked. Returns their number. */
int vta_core_get_areas(const vta_core_hardware *hw,
                       const vta_core_instruction *i, vta_core_area areas[4]);

/* Returns the cycles of an instruction with the given areas. */
long long vta_core_count_cycles(const vta_core_instruction *i,
                                const vta_core_area *areas);

/* Compute the result of an instruction. The pointers are the starts of the
 * memories. */
void vta_core_gemm(const vta_core_hardware *hw, const vta_gemm_instruction *g,
                   const int8_t *inp, const int8_t *wgt, uint32_t *acc);
void vta_core_alu(const vta_core_hardware *hw, const vta_alu_instruction *a,
                  const uint32_t *acc, int8_t *out);

#ifdef __cplusplus
}
#endif

#endif /* VTA_CORE_H */
