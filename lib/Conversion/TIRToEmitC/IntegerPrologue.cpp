//===- IntegerPrologue.cpp - Integers in lanes in the C prologue ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Dot products are instructions of some processors: VNNI's VPDPWSSD and
// VPDPBUSD, or PMADDWD since SSE2. Elsewhere they are arithmetic on lanes of 32
// bits. The order of the integers in a word does not matter to a sum, so this
// is right on big-endian machines, too.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/InstructionText.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Placeholders: `@` number of lanes, `!` the bits of a narrow integer.
static constexpr llvm::StringLiteral kLoadWords = R"(
UMA_INLINE uma_i32x@ uma_load_wordsx@(const void *data, ptrdiff_t first) {
  uma_i32x@ words;
  memcpy(&words, (const char *)data + 4 * first, sizeof(words));
  UMA_ORDERED(words);
  return words;
})";
static constexpr llvm::StringLiteral kSplatWord = R"(
UMA_INLINE uma_i32x@ uma_splat_wordx@(const void *data, ptrdiff_t index) {
  int32_t word;
  uma_i32x@ words;
  memcpy(&word, (const char *)data + 4 * index, sizeof(word));
  words = uma_splat_i32x@(word);
  UMA_ORDERED(words);
  return words;
})";
static constexpr llvm::StringLiteral kToF32 = R"(
UMA_INLINE uma_f32x@ uma_to_f32x@(uma_i32x@ x) {
  return __builtin_convertvector(x, uma_f32x@);
})";
static constexpr llvm::StringLiteral kToI32 = R"(
UMA_INLINE uma_i32x@ uma_to_i32x@(uma_f32x@ x) {
  return __builtin_convertvector(x, uma_i32x@);
})";
static constexpr llvm::StringLiteral kRound = R"(
/* Half to even, in the default rounding mode. */
UMA_INLINE uma_i32x@ uma_round_i32x@(uma_f32x@ x) {
#if INSTRUCTION
#else
  return uma_to_i32x@(uma_rint_f32x@(x));
#endif
})";
static constexpr llvm::StringLiteral kSignExtend = R"(
UMA_INLINE uma_i32x@ uma_sext!x@(uma_i32x@ x) {
  return (x << (32 - !)) >> (32 - !);
})";
static constexpr llvm::StringLiteral kZeroExtend = R"(
UMA_INLINE uma_i32x@ uma_zext!x@(uma_i32x@ x) {
  return x & ((1 << !) - 1);
})";
static constexpr llvm::StringLiteral kDotPairs = R"(
UMA_INLINE uma_i32x@ uma_dot_i16x@(uma_i32x@ x, uma_i32x@ y, uma_i32x@ sum) {
  return ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16) + sum;
})";
static constexpr llvm::StringLiteral kDotQuads = R"(
UMA_INLINE uma_i32x@ uma_dot_u8x@(uma_i32x@ x, uma_i32x@ y, uma_i32x@ sum) {
  return (x & 255) * ((y << 24) >> 24) +
         ((x >> 8) & 255) * ((y << 16) >> 24) +
         ((x >> 16) & 255) * ((y << 8) >> 24) +
         ((x >> 24) & 255) * (y >> 24) + sum;
})";

/// Instructions of AArch64. SDOT is signed: 128 is subtracted from x, and 128
/// times y is added, which is the same for all x.
static constexpr llvm::StringLiteral kNeonPairs = R"(
#elif defined(__aarch64__)
  int16x8_t a = (int16x8_t)x, b = (int16x8_t)y;
  int32x4_t low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
  return (uma_i32x4)vpaddq_s32(low, vmull_high_s16(a, b)) + sum;)";
static constexpr llvm::StringLiteral kNeonQuads = R"(
#elif defined(__ARM_FEATURE_MATMUL_INT8)
  return (uma_i32x4)vusdotq_s32((int32x4_t)sum, (uint8x16_t)x, (int8x16_t)y);
#elif defined(__ARM_FEATURE_DOTPROD)
  int8x16_t a = (int8x16_t)veorq_u8((uint8x16_t)x, vdupq_n_u8(128));
  int8x16_t b = (int8x16_t)y, half = vdupq_n_s8(64);
  int32x4_t rest = vdotq_s32(vdupq_n_s32(0), half, b);
  rest = vaddq_s32((int32x4_t)sum, vdotq_s32(rest, half, b));
  return (uma_i32x4)vdotq_s32(rest, a, b);
#elif defined(__aarch64__)
  int16x8_t a = (int16x8_t)(x & 0xff00ff);
  int16x8_t c = (int16x8_t)vshrq_n_u16((uint16x8_t)x, 8);
  int16x8_t b = vshrq_n_s16(vshlq_n_s16((int16x8_t)y, 8), 8);
  int16x8_t d = vshrq_n_s16((int16x8_t)y, 8);
  int32x4_t low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
  int32x4_t high = vmull_high_s16(a, b);
  low = vmlal_s16(low, vget_low_s16(c), vget_low_s16(d));
  return (uma_i32x4)vpaddq_s32(low, vmlal_high_s16(high, c, d)) + sum;)";

/// Functions on a single word.
static constexpr llvm::StringLiteral kLoadWord = R"(
UMA_INLINE int32_t uma_load_word(const void *data, ptrdiff_t index) {
  int32_t word;
  memcpy(&word, (const char *)data + 4 * index, sizeof(word));
  return word;
})";
static constexpr llvm::StringLiteral kDotPair = R"(
UMA_INLINE int32_t uma_dot_i16(int32_t x, int32_t y, int32_t sum) {
  int16_t a[2], b[2];
  memcpy(a, &x, sizeof(x));
  memcpy(b, &y, sizeof(y));
  return a[0] * b[0] + a[1] * b[1] + sum;
})";
static constexpr llvm::StringLiteral kDotQuad = R"(
UMA_INLINE int32_t uma_dot_u8(int32_t x, int32_t y, int32_t sum) {
  uint8_t a[4];
  int8_t b[4];
  memcpy(a, &x, sizeof(x));
  memcpy(b, &y, sizeof(y));
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + sum;
})";

/// The bytes of a word as pairs of i16. Placeholders: `@` the type of the
/// bytes,
/// `$` the bytes, `%` the instruction of Armv7E-M, `!` by how many bits they
/// are rotated, `#` the bit of the sign, or 0. The order of the bytes in memory
/// matters, since weights are packed for it.
static constexpr llvm::StringLiteral kUnpackIncludes = R"(
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the weights of this C are for little-endian processors"
#endif
#if defined(__ARM_FEATURE_SIMD32) && defined(__GNUC__)
#define UMA_SIMD32
#endif)";
static constexpr llvm::StringLiteral kUnpack = R"(
UMA_INLINE int32_t uma_unpack_@_$(int32_t word) {
#ifdef UMA_SIMD32
  __asm__("%" : "=r"(word) : "r"(word));
  return word;
#else
  uint32_t low = ((uint32_t)word >> ! & 255) ^ #;
  uint32_t high = ((uint32_t)word >> (! + 16) & 255) ^ #;
  return (int32_t)(((low - #) & 65535) | (high - #) << 16);
#endif
})";

/// The number is no NaN. Without instructions for floats, the bits are shifted.
static constexpr llvm::StringLiteral kRoundClamped = R"(
/* No instructions for floats. */
#if defined(__SOFTFP__) || (defined(__riscv) && !defined(__riscv_flen))
#define UMA_SOFT_FLOAT
#endif
#if defined(UMA_SOFT_FLOAT) && defined(__GNUC__)
#define UMA_ROUND static __attribute__((noinline, cold, unused))
#else
#define UMA_ROUND UMA_INLINE
#endif
/* The nearest integer, halves to even, limited to [low, high]. */
UMA_ROUND int32_t uma_round_clamped(float x, int32_t low, int32_t high) {
  int32_t n;
#if defined(__ARM_FP) && __ARM_FP & 4 && defined(__GNUC__) && !defined(__aarch64__)
  __asm__("vcvtr.s32.f32 %0, %1" : "=t"(n) : "t"(x));
#elif defined(UMA_SOFT_FLOAT)
  uint32_t bits, rest;
  int32_t shift;
  memcpy(&bits, &x, sizeof(bits));
  shift = 150 - (int32_t)(bits >> 23 & 255);
  n = (int32_t)((bits & 8388607) | 8388608);
  if (shift > 24) {
    n = 0;
  } else if (shift > 0) {
    rest = (uint32_t)n << (32 - shift);
    n >>= shift;
    n += rest > 2147483648u || (rest == 2147483648u && (n & 1));
  } else {
    n = shift > -7 ? n << -shift : 2147483647;
  }
  n = bits >> 31 ? -n : n;
#else
  x = x < (float)low ? (float)low : x;
  x = x > (float)high ? (float)high : x;
  n = (int32_t)rintf(x);
#endif
  return n < low ? low : n > high ? high : n;
})";

/// Layers of bytes have tiles that fill the registers of a small core.
static constexpr llvm::StringLiteral kByteLayers = R"(
/* The order of loads, products and sums in the C needs the fewest registers. */
#if UMA_LANES == 1 && defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns", "no-tree-ter", "no-tree-reassoc")
#endif)";

static std::string getUnpack(bool isUnsigned, bool isOdd) {
  std::string text = kUnpack.str();
  replaceAll(text, "%",
             Twine(isUnsigned ? "uxtb16" : "sxtb16") + " %0, %1" +
                 (isOdd ? ", ror #8" : ""));
  replaceAll(text, "@", isUnsigned ? "u8" : "i8");
  replaceAll(text, "$", isOdd ? "odd" : "even");
  replaceAll(text, "!", isOdd ? "8" : "0");
  // Of "ror #8" the number is no placeholder.
  std::string sign = isUnsigned ? "0" : "128";
  for (StringRef before : {"^ ", "- "})
    replaceAll(text, (before + "#").str(), Twine(before) + sign);
  return text;
}

/// Returns `text` for `count` lanes and narrow integers of `width` bits.
static std::string instantiateInteger(StringRef text, int64_t count,
                                      int64_t width) {
  std::string result = text.str();
  replaceAll(result, "@", Twine(count));
  replaceAll(result, "!", Twine(width));
  return result;
}

/// Returns the instructions for dot products of pairs or quads, as branches of
/// an #if.
static std::string getInstructions(int64_t lanes, bool isPairs) {
  std::string bits = lanes == 4 ? "" : std::to_string(lanes * 32);
  std::string type = "__m" + std::to_string(lanes * 32) + "i";
  std::string prefix = "_mm" + bits + "_", result;
  auto add = [&](StringRef guard, const Twine &value) {
    result += (Twine(result.empty() ? "" : "\n#elif ") + guard + "\n  return " +
               value + ";")
                  .str();
  };
  std::string x = "(" + type + ")x", y = "(" + type + ")y";
  std::string vector = "(uma_i32x" + std::to_string(lanes) + ")";
  std::string vnni = isPairs ? "dpwssd" : "dpbusd";
  std::string operands = "(" + type + ")sum, " + x + ", " + y + ")";
  StringRef isa = lanes == 16 ? "defined(__AVX512VNNI__)"
                              : "defined(__AVX512VNNI__) && "
                                "defined(__AVX512VL__)";
  add(isa, vector + prefix + vnni + "_epi32(" + operands);
  if (lanes != 16)
    add("defined(__AVXVNNI__)",
        vector + prefix + vnni + "_avx_epi32(" + operands);
  StringRef madd = lanes == 16  ? "defined(__AVX512BW__)"
                   : lanes == 8 ? "defined(__AVX2__)"
                                : "defined(__SSE2__)";
  if (isPairs) {
    add(madd, vector + prefix + "madd_epi16(" + x + ", " + y + ") + sum");
    return lanes == 4 ? result + kNeonPairs.str() : result;
  }
  // VPMADDUBSW saturates. Products of the bytes at even and odd places are
  // those of pairs, and what is computed from one operand only is shared.
  auto product = [&](const Twine &left, const Twine &right) {
    return (Twine(vector) + prefix + "madd_epi16(" + left + ", " + prefix +
            "srai_epi16(" + right + ", 8))")
        .str();
  };
  result += ("\n#elif " + madd + "\n  sum += " +
             product("(" + Twine(type) + ")(x & 0xff00ff)",
                     Twine(prefix) + "slli_epi16(" + y + ", 8)") +
             " +\n         " +
             product(Twine(prefix) + "srli_epi16(" + x + ", 8)", y) + ";\n" +
             (lanes == 8 ? "  UMA_LOADED(sum);\n" : "") + "  return sum;")
                .str();
  return lanes == 4 ? result + kNeonQuads.str() : result;
}

static StringRef getAcceleratorName(accel::InstructionOp instruction) {
  return cast<accel::AcceleratorOp>(instruction->getParentOp()).getSymName();
}

std::string uma::getInstructionFunction(accel::InstructionOp instruction) {
  return "uma_instruction_" + instruction.getFullName();
}

std::string uma::getInstructionGuard(accel::InstructionOp instruction) {
  return instruction.getGuard() ? instruction.getGuard()->str() : "1";
}

std::string uma::getInstructionText(accel::InstructionOp instruction) {
  std::string type = "int32_t", sumType = "float";
  if (instruction.getLanes() != 1) {
    type = "uma_i32x" + std::to_string(instruction.getLanes());
    sumType = "uma_f32x" + std::to_string(instruction.getLanes());
  }
  if (!instruction.getDot().isFloat)
    sumType = type;
  StringRef sum = instruction.getOperandName(0);
  SmallVector<std::string> parameters;
  for (auto name : instruction.getOperandNames().getAsValueRange<StringAttr>())
    parameters.push_back((name == sum ? sumType : type) + " " + name.str());
  std::string header;
  if (instruction.getHeader())
    header = "\n#include \"" + instruction.getHeader()->str() + "\"";
  // The C's names are the description's: they must not meet others'.
  return "\n/* Instruction " + instruction.getName().str() +
         " of the description '" + toCComment(getAcceleratorName(instruction)) +
         "'. */\n#if " + getInstructionGuard(instruction) + header +
         "\nUMA_INLINE " + sumType + " " + getInstructionFunction(instruction) +
         "(" + llvm::join(parameters, ", ") + ") {\n  " +
         instruction.getCode().str() + "\n  return " + sum.str() +
         ";\n}\n#endif";
}

/// Adds the calls of descriptions' instructions to the branches of an #if.
static std::string getBranches(ArrayRef<accel::InstructionOp> instructions,
                               StringRef others) {
  SmallVector<std::string> branches;
  for (accel::InstructionOp instruction : instructions) {
    accel::InstructionOp::Dot dot = instruction.getDot();
    branches.push_back(getInstructionGuard(instruction) + "\n  return " +
                       getInstructionFunction(instruction) +
                       (dot.data == 1 ? "(sum, x, y);" : "(sum, y, x);"));
  }
  if (!others.empty())
    branches.push_back(others.str());
  return llvm::join(branches, "\n#elif ");
}

std::string
uma::getIntegerPrologue(int64_t count, const std::set<std::string> &used,
                        ArrayRef<accel::InstructionOp> instructions) {
  std::string text;
  // Adds a dot product. Instructions of descriptions come first, then `others`,
  // the compiler's own as branches of an #if, and the C of `function` last.
  auto addDot = [&](bool isPairs, StringRef function, StringRef others,
                    bool isFloat = false) {
    StringRef name = isFloat ? "dot_bf16" : isPairs ? "dot_i16" : "dot_u8";
    if (!used.count(name.str()))
      return;
    SmallVector<accel::InstructionOp> found;
    for (accel::InstructionOp instruction : instructions)
      if (!instruction.hasTile() && int64_t(instruction.getLanes()) == count &&
          instruction.getDot().isPairs == isPairs &&
          instruction.getDot().isFloat == isFloat) {
        text += getInstructionText(instruction);
        found.push_back(instruction);
      }
    std::string filled = instantiateInteger(function, count, 0);
    if (std::string branches = getBranches(found, others); !branches.empty()) {
      StringRef start = "{\n", end = "}";
      filled.insert(filled.rfind(end), "#endif\n");
      filled.insert(filled.find(start) + start.size(),
                    "#if " + branches + "\n#else\n");
    }
    text += filled;
  };
  auto add = [&](StringRef name, StringRef function, int64_t width = 0) {
    if (used.count(name.str()))
      text += instantiateInteger(function, count, width);
  };
  if (count == 1) {
    add("load_word", kLoadWord);
    std::string unpack;
    for (bool isUnsigned : {false, true})
      for (bool isOdd : {false, true})
        if (used.count(std::string(isUnsigned ? "unpack_u8_" : "unpack_i8_") +
                       (isOdd ? "odd" : "even")))
          unpack += getUnpack(isUnsigned, isOdd);
    if (used.count("round_clamped"))
      text += kRoundClamped;
    bool hasPairs =
        llvm::any_of(instructions, [](accel::InstructionOp instruction) {
          return instruction.getLanes() == 1;
        });
    if (used.count("round_clamped") && !hasPairs)
      text += kByteLayers;
    if (!unpack.empty())
      text += kUnpackIncludes.str() + unpack;
    addDot(/*isPairs=*/true, kDotPair, "");
    addDot(/*isPairs=*/false, kDotQuad, "");
    addDot(/*isPairs=*/true, getBF16Dot(count), "", /*isFloat=*/true);
    return text;
  }
  // Few registers: the order of the steps must be kept, and a word must be
  // loaded into all lanes at once.
  auto addOrdered = [&](StringRef name, StringRef function) {
    std::string ordered = function.str();
    StringRef mark = "  UMA_ORDERED(words);\n";
    ordered.replace(ordered.find(mark), mark.size(),
                    count < 16 ? "  UMA_LOADED(words);\n" : "");
    add(name, ordered);
  };
  addOrdered("load_words", kLoadWords);
  addOrdered("splat_word", kSplatWord);
  text += getNarrowPrologue(count, used);
  for (int64_t width : {8, 16}) {
    std::string bits = std::to_string(width);
    add("sext" + bits, kSignExtend, width);
    add("zext" + bits, kZeroExtend, width);
  }
  add("to_f32", kToF32);
  add("to_i32", kToI32);
  std::string bits = count == 4 ? "" : std::to_string(count * 32);
  // g++ warns about the unused lanes of the instruction without a mask.
  std::string round = kRound.str();
  StringRef mark = "INSTRUCTION";
  round.replace(
      round.find(mark), mark.size(),
      (Twine("defined(__") +
       (count == 16  ? "AVX512F"
        : count == 8 ? "AVX"
                     : "SSE2") +
       "__)\n  return (uma_i32x" + Twine(count) + ")_mm" + bits +
       (count == 16 ? "_maskz_cvtps_epi32(0xffff, (__m" : "_cvtps_epi32((__m") +
       Twine(count * 32) + ")x);" +
       (count == 4 ? "\n#elif defined(__aarch64__)\n  return "
                     "(uma_i32x4)vcvtnq_s32_f32((float32x4_t)x);"
                   : ""))
          .str());
  add("round_i32", round);
  for (bool isPairs : {true, false})
    addDot(isPairs, isPairs ? kDotPairs : kDotQuads,
           getInstructions(count, isPairs));
  addDot(/*isPairs=*/true, getBF16Dot(count), getBF16Instructions(count),
         /*isFloat=*/true);
  return text;
}
