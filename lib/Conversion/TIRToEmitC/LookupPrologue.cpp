//===- LookupPrologue.cpp - Tables of bytes in the C prologue -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Instructions look bytes up in tables of 16, 64 or 128 entries, which are
// registers. A table of 256 entries consists of several of them. Those of x86
// without AVX-512 VBMI yield 0 for bytes of 128 or more (PSHUFB): each of the 8
// tables of a half holds the differences from the one before, so that the
// results of all tables up to the right one add up to the entry, by exclusive
// or.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

using namespace mlir;
using namespace uma;

static constexpr llvm::StringLiteral kLookup = R"(
/* target[i] = table[source[i]], with the bytes of source as unsigned numbers.
   The target may be the source. */
UMA_INLINE void uma_lookup(const int8_t *source, const int8_t *table, int8_t *target, ptrdiff_t size) {
  ptrdiff_t i = 0;
#if UMA_LANES >= 16 && defined(__AVX512VBMI__)
  const __m512i first = _mm512_loadu_si512(table), second = _mm512_loadu_si512(table + 64);
  const __m512i third = _mm512_loadu_si512(table + 128), fourth = _mm512_loadu_si512(table + 192);
  for (; i < size; i += 64) {
    __mmask64 mask = ~(__mmask64)0 >> (size - i < 64 ? 64 - (size - i) : 0);
    __m512i x = _mm512_maskz_loadu_epi8(mask, source + i);
    __m512i low = _mm512_permutex2var_epi8(first, x, second);
    __m512i high = _mm512_permutex2var_epi8(third, x, fourth);
    _mm512_mask_storeu_epi8(target + i, mask, _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(x), high));
  }
#elif UMA_LANES >= 4 && defined(__SSSE3__)
#if UMA_LANES >= 16 && defined(__AVX512BW__)
#define UMA_LOOKUP(function) _mm512_##function
  typedef __m512i uma_bytes;
#elif UMA_LANES >= 8 && defined(__AVX2__)
#define UMA_LOOKUP(function) _mm256_##function
  typedef __m256i uma_bytes;
#else
#define UMA_LOOKUP(function) _mm_##function
  typedef __m128i uma_bytes;
#endif
  int8_t differences[16][sizeof(uma_bytes)];
  ptrdiff_t part, byte;
  for (part = 0; part < 16; ++part) {
    for (byte = 0; byte < (ptrdiff_t)sizeof(uma_bytes); ++byte) {
      const int8_t *entry = table + 16 * part + byte % 16;
      differences[part][byte] = (int8_t)(part % 8 == 0 ? entry[0] : entry[0] ^ entry[-16]);
    }
  }
  for (; i + (ptrdiff_t)sizeof(uma_bytes) <= size; i += (ptrdiff_t)sizeof(uma_bytes)) {
    uma_bytes low, high, result, next;
    memcpy(&low, source + i, sizeof(low));
    high = low ^ UMA_LOOKUP(set1_epi8)(-128);
    result = low ^ low;
    for (part = 0; part < 8; ++part) {
      memcpy(&next, differences[part], sizeof(next));
      result ^= UMA_LOOKUP(shuffle_epi8)(next, low);
      memcpy(&next, differences[part + 8], sizeof(next));
      result ^= UMA_LOOKUP(shuffle_epi8)(next, high);
      low = UMA_LOOKUP(subs_epi8)(low, UMA_LOOKUP(set1_epi8)(16));
      high = UMA_LOOKUP(subs_epi8)(high, UMA_LOOKUP(set1_epi8)(16));
    }
    memcpy(target + i, &result, sizeof(result));
  }
#undef UMA_LOOKUP
#elif UMA_LANES >= 4 && defined(__aarch64__)
  uint8x16x4_t parts[4];
  int part;
  for (part = 0; part < 4; ++part) {
    parts[part] = vld1q_u8_x4((const uint8_t *)table + 64 * part);
  }
  for (; i + 16 <= size; i += 16) {
    uint8x16_t x = vld1q_u8((const uint8_t *)source + i);
    uint8x16_t result = vqtbl4q_u8(parts[0], x);
    for (part = 1; part < 4; ++part) {
      x = vsubq_u8(x, vdupq_n_u8(64));
      result = vqtbx4q_u8(result, parts[part], x);
    }
    vst1q_u8((uint8_t *)target + i, result);
  }
#endif
  for (; i < size; ++i) {
    target[i] = table[(uint8_t)source[i]];
  }
})";

std::string uma::getLookupPrologue(const std::set<std::string> &used) {
  return used.count("lookup") != 0 ? kLookup.str() : "";
}
