//===- F16Prologue.cpp - Numbers of f16 in the C prologue -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors hold a number of f16 as an f32. Loads and stores convert with the
// instructions of F16C, AVX-512 or NEON, or in integers elsewhere; both compute
// the bits of uma_f16_to_f32 and uma_f32_to_f16.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Placeholders: `@` number of lanes, INSTRUCTIONS the branches of an #if.
/// A number of f16 is subnormal if its exponent is 0; the difference of two
/// normal numbers of f32 with the same exponent is its value.
static constexpr llvm::StringLiteral kLoadF16 = R"(
UMA_INLINE uma_f32x@ uma_load_f16x@(const uint16_t *data, ptrdiff_t first) {
#if INSTRUCTIONS
#else
  uma_i32x@ half = uma_load_u16x@((const int16_t *)data, first);
  uma_i32x@ magnitude = (half & 0x7fff) << 13, exponent = magnitude & 0x0f800000;
  uma_i32x@ isLarge = exponent == 0x0f800000, isSmall = exponent == 0; /* infinity and NaN; subnormal */
  uma_i32x@ bits = magnitude + 0x38000000 + (isLarge & 0x38000000);
  uma_f32x@ small = (uma_f32x@)((magnitude & isSmall) + 0x38800000) - 6.103515625e-05f;
  bits |= (bits > 0x7f800000) & 0x00400000; /* NaN, made quiet */
  bits = (bits & ~isSmall) | ((uma_i32x@)small & isSmall);
  return (uma_f32x@)(bits | (half & 0x8000) << 16);
#endif
})";
/// Adding 0.5 to a number that is subnormal in f16 rounds it to the step of
/// subnormal numbers.
static constexpr llvm::StringLiteral kStoreF16 = R"(
/* To the nearest f16, half to even. */
UMA_INLINE void uma_store_f16x@(uint16_t *data, ptrdiff_t first, uma_f32x@ x) {
#if INSTRUCTIONS
#else
  uma_i32x@ bits = (uma_i32x@)x, magnitude = bits & 0x7fffffff;
  uma_i32x@ isSmall = magnitude < 0x38800000, isLarge = magnitude >= 0x47800000;
  uma_i32x@ isNaN = magnitude > 0x7f800000;
  uma_f32x@ sum = (uma_f32x@)magnitude + 0.5f;
  uma_i32x@ small = (uma_i32x@)sum - 0x3f000000;
  uma_i32x@ normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
  uma_i32x@ large = 0x7c00 | (isNaN & (0x0200 | ((magnitude >> 13) & 0x03ff)));
  uma_i32x@ half = (small & isSmall) | (large & isLarge) | (normal & ~(isSmall | isLarge));
  uma_store_i16x@((int16_t *)data, first, half | ((bits >> 16) & 0x8000));
#endif
})";
static constexpr llvm::StringLiteral kRoundF16 = R"(
UMA_INLINE uma_f32x@ uma_round_f16x@(uma_f32x@ x) {
  uint16_t rounded[@];
  uma_store_f16x@(rounded, 0, x);
  return uma_load_f16x@(rounded, 0);
})";

namespace {
/// Instructions: the lanes, the condition of the C preprocessor, and the
/// statements of the load and of the store.
struct F16Instruction {
  int64_t lanes;
  llvm::StringLiteral guard, load, store;
};
} // namespace

/// g++ warns about the unused lanes of 512-bit instructions without a mask.
static constexpr F16Instruction kInstructions[] = {
    {16, "defined(__AVX512F__)", R"(
  __m256i half = _mm256_loadu_si256((const __m256i *)(const void *)(data + first));
  return (uma_f32x16)_mm512_maskz_cvtph_ps(0xffff, half);)",
     R"(
  __m256i half = _mm512_maskz_cvtps_ph(0xffff, (__m512)x, _MM_FROUND_TO_NEAREST_INT);
  _mm256_storeu_si256((__m256i *)(void *)(data + first), half);)"},
    {8, "defined(__F16C__)", R"(
  __m128i half = _mm_loadu_si128((const __m128i *)(const void *)(data + first));
  return (uma_f32x8)_mm256_cvtph_ps(half);)",
     R"(
  __m128i half = _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT);
  _mm_storeu_si128((__m128i *)(void *)(data + first), half);)"},
    {4, "defined(__F16C__)", R"(
  __m128i half = _mm_loadl_epi64((const __m128i *)(const void *)(data + first));
  return (uma_f32x4)_mm_cvtph_ps(half);)",
     R"(
  __m128i half = _mm_cvtps_ph((__m128)x, _MM_FROUND_TO_NEAREST_INT);
  _mm_storel_epi64((__m128i *)(void *)(data + first), half);)"},
    {4, "defined(__aarch64__)", R"(
  return (uma_f32x4)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(data + first)));)",
     R"(
  vst1_u16(data + first, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)x)));)"},
};

/// Returns `text` for `lanes` lanes, with the code `part` of instructions.
static std::string instantiateF16(StringRef text, int64_t lanes,
                                  llvm::StringLiteral F16Instruction::*part) {
  std::string branches, result = text.str();
  for (const F16Instruction &instruction : kInstructions)
    if (instruction.lanes == lanes)
      addBranch(branches, instruction.guard, instruction.*part);
  // Numbers of lanes without instructions.
  replaceAll(result, "INSTRUCTIONS", branches.empty() ? "0" : branches);
  replaceAll(result, "@", std::to_string(lanes));
  return result;
}

std::string uma::getF16Prologue(int64_t count,
                                const std::set<std::string> &used) {
  if (count == 1)
    return "";
  std::string text;
  bool rounds = used.count("round_f16") != 0;
  if (rounds || used.count("load_f16"))
    text += instantiateF16(kLoadF16, count, &F16Instruction::load);
  if (rounds || used.count("store_f16"))
    text += instantiateF16(kStoreF16, count, &F16Instruction::store);
  if (rounds)
    text += instantiateF16(kRoundF16, count, &F16Instruction::load);
  return text;
}
