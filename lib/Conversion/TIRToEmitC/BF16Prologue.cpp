//===- BF16Prologue.cpp - Numbers of bf16 in the C prologue ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A bf16 is the upper half of an f32. Vectors hold it as an f32; a store rounds
// to nearest even in integers, since VCVTNEPS2BF16 takes subnormal numbers for
// zeros. Dot products of pairs are instructions of some processors. These round
// differently from a product and a sum in f32, and from each other.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// The placeholder `@` is the number of lanes.
static constexpr llvm::StringLiteral kLoadBF16 = R"(
UMA_INLINE uma_f32x@ uma_load_bf16x@(const uint16_t *data, ptrdiff_t first) {
  return (uma_f32x@)(uma_load_i16x@((const int16_t *)data, first) << 16);
})";
static constexpr llvm::StringLiteral kRoundBF16 = R"(
/* To the nearest bf16, half to even. */
UMA_INLINE uma_f32x@ uma_round_bf16x@(uma_f32x@ x) {
  uma_i32x@ bits = (uma_i32x@)x, isNumber = x == x;
  uma_i32x@ rounded = bits + 0x7fff + ((bits >> 16) & 1);
  bits = (rounded & isNumber) | ((bits | 0x400000) & ~isNumber);
  return (uma_f32x@)(bits & ~0xffff);
})";
static constexpr llvm::StringLiteral kStoreBF16 = R"(
UMA_INLINE void uma_store_bf16x@(uint16_t *data, ptrdiff_t first, uma_f32x@ x) {
  uma_i32x@ bits = (uma_i32x@)uma_round_bf16x@(x);
  uma_store_i16x@((int16_t *)data, first, bits >> 16);
})";
static constexpr llvm::StringLiteral kDotBF16 = R"(
UMA_INLINE uma_f32x@ uma_dot_bf16x@(uma_i32x@ x, uma_i32x@ y, uma_f32x@ sum) {
  uma_f32x@ low = (uma_f32x@)(x << 16) * (uma_f32x@)(y << 16) + sum;
  return (uma_f32x@)(x & ~0xffff) * (uma_f32x@)(y & ~0xffff) + low;
})";
static constexpr llvm::StringLiteral kDotWordBF16 = R"(
UMA_INLINE float uma_dot_bf16(int32_t x, int32_t y, float sum) {
  uint16_t a[2], b[2];
  int i;
  memcpy(a, &x, sizeof(x));
  memcpy(b, &y, sizeof(y));
  for (i = 0; i < 2; ++i) {
    uint32_t p = (uint32_t)a[i] << 16, q = (uint32_t)b[i] << 16;
    float left, right;
    memcpy(&left, &p, sizeof(left));
    memcpy(&right, &q, sizeof(right));
    sum += left * right;
  }
  return sum;
})";

StringRef uma::getBF16Dot(int64_t count) {
  return count == 1 ? kDotWordBF16 : kDotBF16;
}

std::string uma::getBF16Instructions(int64_t lanes) {
  std::string bits = lanes == 4 ? "" : std::to_string(lanes * 32);
  std::string suffix = std::to_string(lanes * 32);
  std::string guard = "defined(__AVX512BF16__)";
  if (lanes != 16)
    guard += " && defined(__AVX512VL__)";
  std::string text = guard + "\n  return (uma_f32x" + std::to_string(lanes) +
                     ")_mm" + bits + "_dpbf16_ps((__m" + suffix + ")sum, (__m" +
                     suffix + "bh)x, (__m" + suffix + "bh)y);";
  if (lanes == 4)
    text += "\n#elif defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)\n"
            "  return (uma_f32x4)vbfdotq_f32((float32x4_t)sum, "
            "(bfloat16x8_t)x, (bfloat16x8_t)y);";
  return text;
}

std::string uma::getBF16Prologue(int64_t count,
                                 const std::set<std::string> &used) {
  if (count == 1)
    return "";
  std::string text;
  bool stores = used.count("store_bf16") != 0;
  if (used.count("load_bf16"))
    text += kLoadBF16;
  if (stores || used.count("round_bf16"))
    text += kRoundBF16;
  if (stores)
    text += kStoreBF16;
  replaceAll(text, "@", Twine(count));
  return text;
}
