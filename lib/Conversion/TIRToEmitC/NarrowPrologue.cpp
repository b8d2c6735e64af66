//===- NarrowPrologue.cpp - Narrow integers in memory in the C prologue ---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loads of integers of 8 and 16 bits into lanes of 32 bits, and stores of the
// lanes' low bits. GCC 12 takes __builtin_convertvector from 8 to 32 bits apart
// into scalars, up to five instructions for each lane, so processors get their
// instructions here and others convert by way of 16 bits.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace uma;

/// Placeholders: `@` number of lanes, BITS and BYTES of a narrow integer and of
/// a vector of them, INSTRUCTIONS the branches of an #if. HALF is the vector of
/// 16 bits by way of which `TO(…)` converts, for integers of 8 bits.
static constexpr llvm::StringLiteral kLoadNarrow = R"(
UMA_INLINE uma_i32x@ uma_load_iBITSx@(const intBITS_t *data, ptrdiff_t first) {
#if INSTRUCTIONS
#else
  typedef intBITS_t narrow __attribute__((vector_size(BYTES)));HALF
  narrow vector;
  memcpy(&vector, data + first, sizeof(vector));
  return __builtin_convertvector(TO(vector), uma_i32x@);
#endif
})";
static constexpr llvm::StringLiteral kLoadUnsigned = R"(
UMA_INLINE uma_i32x@ uma_load_uBITSx@(const intBITS_t *data, ptrdiff_t first) {
#if INSTRUCTIONS
#else
  return uma_load_iBITSx@(data, first) & ((1 << BITS) - 1);
#endif
})";
static constexpr llvm::StringLiteral kStoreNarrow = R"(
UMA_INLINE void uma_store_iBITSx@(intBITS_t *data, ptrdiff_t first, uma_i32x@ x) {
#if INSTRUCTIONS
#else
  typedef intBITS_t narrow __attribute__((vector_size(BYTES)));HALF
  narrow vector = __builtin_convertvector(TO(x), narrow);
  memcpy(data + first, &vector, sizeof(vector));
#endif
})";

namespace {
/// An instruction: the lanes, the bits of the narrow integer, the condition of
/// the C preprocessor, and statements.
struct NarrowInstruction {
  int64_t lanes, bits;
  llvm::StringLiteral guard, code;
};
} // namespace

/// g++ warns about the unused lanes of 512-bit instructions without a mask.
static constexpr NarrowInstruction kLoadInstructions[] = {
    {16, 8, "defined(__AVX512F__)", R"(
  __m128i narrow = _mm_loadu_si128((const __m128i *)(const void *)(data + first));
  return (uma_i32x16)_mm512_maskz_cvtepi8_epi32(0xffff, narrow);)"},
    {16, 16, "defined(__AVX512F__)", R"(
  __m256i narrow = _mm256_loadu_si256((const __m256i *)(const void *)(data + first));
  return (uma_i32x16)_mm512_maskz_cvtepi16_epi32(0xffff, narrow);)"},
    {8, 8, "defined(__AVX2__)", R"(
  __m128i narrow = _mm_loadl_epi64((const __m128i *)(const void *)(data + first));
  return (uma_i32x8)_mm256_cvtepi8_epi32(narrow);)"},
    {8, 16, "defined(__AVX2__)", R"(
  __m128i narrow = _mm_loadu_si128((const __m128i *)(const void *)(data + first));
  return (uma_i32x8)_mm256_cvtepi16_epi32(narrow);)"},
    {4, 8, "defined(__SSE4_1__)", R"(
  int32_t narrow;
  memcpy(&narrow, data + first, sizeof(narrow));
  return (uma_i32x4)_mm_cvtepi8_epi32(_mm_cvtsi32_si128(narrow));)"},
    {4, 16, "defined(__SSE4_1__)", R"(
  __m128i narrow = _mm_loadl_epi64((const __m128i *)(const void *)(data + first));
  return (uma_i32x4)_mm_cvtepi16_epi32(narrow);)"},
    {4, 8, "defined(__aarch64__) && !defined(__AARCH64EB__)", R"(
  int32_t narrow;
  memcpy(&narrow, data + first, sizeof(narrow));
  return (uma_i32x4)vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(narrow)))));)"},
    {4, 16, "defined(__aarch64__)", R"(
  return (uma_i32x4)vmovl_s16(vld1_s16(data + first));)"},
};

/// Shuffles gather the low bytes of the words of 128 bits at their start.
static constexpr NarrowInstruction kStoreInstructions[] = {
    {16, 8, "defined(__AVX512F__)", R"(
  __m128i narrow = _mm512_maskz_cvtepi32_epi8(0xffff, (__m512i)x);
  _mm_storeu_si128((__m128i *)(void *)(data + first), narrow);)"},
    {16, 16, "defined(__AVX512F__)", R"(
  __m256i narrow = _mm512_maskz_cvtepi32_epi16(0xffff, (__m512i)x);
  _mm256_storeu_si256((__m256i *)(void *)(data + first), narrow);)"},
    {8, 8, "defined(__AVX2__)", R"(
  __m256i narrow = _mm256_shuffle_epi8((__m256i)x, _mm256_set1_epi32(0x0c080400));
  __m128i low = _mm256_castsi256_si128(narrow), high = _mm256_extracti128_si256(narrow, 1);
  _mm_storel_epi64((__m128i *)(void *)(data + first), _mm_unpacklo_epi32(low, high));)"},
    {8, 16, "defined(__AVX2__)", R"(
  __m256i narrow = _mm256_shuffle_epi8((__m256i)x, _mm256_set1_epi64x(0x0d0c090805040100));
  narrow = _mm256_permute4x64_epi64(narrow, 0x08);
  _mm_storeu_si128((__m128i *)(void *)(data + first), _mm256_castsi256_si128(narrow));)"},
    {4, 8, "defined(__SSSE3__)", R"(
  int32_t narrow = _mm_cvtsi128_si32(_mm_shuffle_epi8((__m128i)x, _mm_set1_epi32(0x0c080400)));
  memcpy(data + first, &narrow, sizeof(narrow));)"},
    {4, 16, "defined(__SSSE3__)", R"(
  __m128i narrow = _mm_shuffle_epi8((__m128i)x, _mm_set1_epi64x(0x0d0c090805040100));
  _mm_storel_epi64((__m128i *)(void *)(data + first), narrow);)"},
    {4, 8, "defined(__aarch64__) && !defined(__AARCH64EB__)", R"(
  int16x4_t half = vmovn_s32((int32x4_t)x);
  int8x8_t bytes = vmovn_s16(vcombine_s16(half, half));
  int32_t narrow = vget_lane_s32(vreinterpret_s32_s8(bytes), 0);
  memcpy(data + first, &narrow, sizeof(narrow));)"},
    {4, 16, "defined(__aarch64__)", R"(
  vst1_s16(data + first, vmovn_s32((int32x4_t)x));)"},
};

/// Returns `text` for `lanes` lanes and integers of `bits` bits.
static std::string instantiateNarrow(StringRef text,
                                     ArrayRef<NarrowInstruction> all,
                                     int64_t lanes, int64_t bits) {
  std::string branches, result = text.str();
  for (const NarrowInstruction &instruction : all)
    if (instruction.lanes == lanes && instruction.bits == bits)
      addBranch(branches, instruction.guard, instruction.code);
  replaceAll(result, "INSTRUCTIONS", branches);
  std::string half;
  if (bits == 8) {
    half = "\n  typedef int16_t half __attribute__((vector_size(" +
           std::to_string(lanes * 2) + ")));";
    replaceAll(result, "TO(x)", "__builtin_convertvector(x, half)");
    replaceAll(result, "TO(vector)", "__builtin_convertvector(vector, half)");
  }
  replaceAll(result, "HALF", half);
  replaceAll(result, "TO(x)", "x");
  replaceAll(result, "TO(vector)", "vector");
  replaceAll(result, "BITS", std::to_string(bits));
  replaceAll(result, "BYTES", std::to_string(lanes * bits / 8));
  replaceAll(result, "@", std::to_string(lanes));
  return result;
}

std::string uma::getNarrowPrologue(int64_t count,
                                   const std::set<std::string> &used) {
  std::string text;
  for (int64_t bits : {8, 16}) {
    bool isUnsigned = used.count("load_u" + std::to_string(bits)) != 0;
    if (isUnsigned || used.count("load_i" + std::to_string(bits)))
      text += instantiateNarrow(kLoadNarrow, kLoadInstructions, count, bits);
    if (isUnsigned) {
      // Only x86 has the conversion and the load in one instruction.
      auto isX86 = [](const NarrowInstruction &instruction) {
        return StringRef(instruction.code).contains("_mm");
      };
      auto found = llvm::filter_to_vector(kLoadInstructions, isX86);
      std::string load = instantiateNarrow(kLoadUnsigned, found, count, bits);
      replaceAll(load, "_cvtepi", "_cvtepu");
      text += load;
    }
    if (used.count("store_i" + std::to_string(bits)))
      text += instantiateNarrow(kStoreNarrow, kStoreInstructions, count, bits);
  }
  return text;
}
