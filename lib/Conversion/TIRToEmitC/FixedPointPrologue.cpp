//===- FixedPointPrologue.cpp - Fixed-point arithmetic in the prologue ----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Products have 64 bits, of which x86 computes those of the lanes at even
// places at once. Arm's VQRDMULH gives the bits that are needed.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace uma;

static constexpr llvm::StringLiteral kFixedPointScalar = R"(
/* x * multiplier / 2^(31 + shift), as TensorFlow Lite rounds it. */
UMA_INLINE int32_t uma_fixed_point_multiply(int32_t x, int32_t multiplier,
                                            int32_t shift) {
  int64_t product = (int64_t)x * multiplier + ((int64_t)1 << 30);
  int32_t high = (int32_t)(product >> 31);
  int32_t mask = (int32_t)(((uint32_t)1 << shift) - 1u);
  int32_t half = (mask >> 1) + (high < 0 ? 1 : 0);
  return (high >> shift) + ((high & mask) > half ? 1 : 0);
})";

/// Placeholders: `@` number of lanes, `$` bytes, PRODUCTS the branches of an
/// #if that set `even` and `odd`. Lanes of comparisons are 0 or -1.
static constexpr llvm::StringLiteral kFixedPointVector = R"(
/* x * multiplier / 2^(31 + shift), as TensorFlow Lite rounds it. */
UMA_INLINE uma_i32x@ uma_fixed_point_multiplyx@(uma_i32x@ x,
                                                uma_i32x@ multiplier,
                                                uma_i32x@ shift) {
#if PRODUCTS
#else
  typedef int64_t wide __attribute__((vector_size(2 * $)));
  wide product = __builtin_convertvector(x, wide) *
                     __builtin_convertvector(multiplier, wide) +
                 ((int64_t)1 << 30);
  uma_i32x@ high = __builtin_convertvector(product >> 31, uma_i32x@);
#endif
  uma_i32x@ mask = ~((shift | -1) << shift);
  uma_i32x@ half = (mask >> 1) - (high < 0);
  return (high >> shift) - ((high & mask) > half);
})";
static constexpr llvm::StringLiteral kProducts = R"(
  typedef uint64_t wide __attribute__((vector_size($)));
  uint64_t low = ((uint64_t)1 << 32) - 1;
  wide even = EVEN + ((uint64_t)1 << 30);
  wide odd = ODD + ((uint64_t)1 << 30);
  uma_i32x@ high = (uma_i32x@)(((even >> 31) & low) | ((odd << 1) & ~low));)";

/// `NAME` and `BUILTIN` depend on the function, `<` is `>` for the maximum.
static constexpr llvm::StringLiteral kMinMaxI32 = R"(
UMA_INLINE uma_i32x@ uma_NAME_i32x@(uma_i32x@ x, uma_i32x@ y) {
#if BUILTIN
#else
  uma_i32x@ mask = x < y;
  return (mask & x) | (~mask & y);
#endif
})";

/// Returns the branches of an #if with the products of lanes on x86, and with
/// Arm's instruction.
static std::string getProducts(int64_t count) {
  std::string bits = count == 4 ? "" : std::to_string(count * 32);
  std::string type = "(__m" + std::to_string(count * 32) + "i)";
  // Products of the even lanes of two vectors.
  StringRef multiply = count == 16 ? "_maskz_mul_epi32(0xff, " : "_mul_epi32(";
  auto product = [&](StringRef x, StringRef y) {
    return ("(wide)_mm" + bits + multiply + type + x + ", " + type + y + ")")
        .str();
  };
  auto fill = [&](const Twine &even, const Twine &odd) {
    std::string text = kProducts.str();
    replaceAll(text, "EVEN", even);
    replaceAll(text, "ODD", odd);
    return text;
  };
  std::string oddX = "((wide)x >> 32)", oddY = "((wide)multiplier >> 32)";
  StringRef guard = count == 16  ? "defined(__AVX512F__)"
                    : count == 8 ? "defined(__AVX2__)"
                                 : "defined(__SSE4_1__)";
  std::string text =
      guard.str() + fill(product("x", "multiplier"), product(oddX, oddY));
  if (count != 4)
    return text;
  // The product of unsigned numbers exceeds that of a negative x by 2^32
  // multipliers.
  auto corrected = [&](StringRef x, StringRef y, StringRef excess) {
    return ("(wide)_mm_mul_epu32(" + type + x + ", " + type + y + ") -\n" +
            "              " + excess)
        .str();
  };
  text +=
      "\n#elif defined(__SSE2__)" +
      fill(corrected("x", "multiplier",
                     "((wide)((x >> 31) & multiplier) << 32)"),
           corrected(oddX, oddY, "((wide)((x >> 31) & multiplier) & ~low)"));
  return text + "\n#elif defined(__aarch64__)\n  uma_i32x4 high = (uma_i32x4)"
                "vqrdmulhq_s32((int32x4_t)x, (int32x4_t)multiplier);";
}

/// Returns the branches of an #if with the instruction for `min` or `max`.
static std::string getMinMax(StringRef name, int64_t count) {
  std::string bits = count == 4 ? "" : std::to_string(count * 32);
  std::string type = "(__m" + std::to_string(count * 32) + "i)";
  std::string vector = "(uma_i32x" + std::to_string(count) + ")";
  StringRef guard = count == 16 ? "AVX512F" : count == 8 ? "AVX2" : "SSE4_1";
  std::string text =
      (Twine("defined(__") + guard + "__)\n  return " + vector + "_mm" + bits +
       (count == 16 ? "_maskz_" : "_") + name + "_epi32(" +
       (count == 16 ? "0xffff, " : "") + type + "x, " + type + "y);")
          .str();
  if (count == 4)
    text += ("\n#elif defined(__aarch64__)\n  return (uma_i32x4)v" + name +
             "q_s32((int32x4_t)x, (int32x4_t)y);")
                .str();
  return text;
}

std::string uma::getFixedPointPrologue(int64_t count,
                                       const std::set<std::string> &used) {
  std::string text;
  if (used.count("fixed_point_multiply")) {
    text += count == 1 ? kFixedPointScalar : kFixedPointVector;
    if (count != 1)
      replaceAll(text, "PRODUCTS", getProducts(count));
  }
  for (StringRef name : {"min", "max"})
    if (used.count((name + "_i32").str())) {
      std::string function = kMinMaxI32.str();
      replaceAll(function, "NAME", name);
      if (name == "max")
        replaceAll(function, "<", ">");
      replaceAll(function, "BUILTIN", getMinMax(name, count));
      text += function;
    }
  replaceAll(text, "$", Twine(count * 4));
  replaceAll(text, "@", Twine(count));
  return text;
}
