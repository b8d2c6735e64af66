//===- VectorPrologue.cpp - Vector functions of the C prologue ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Loads and stores use memcpy: it is the only way to access memory of any
// alignment and type that all compilers support, and all turn it into one
// instruction.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Macros that control code generation. gcc contracts to FMA only in GNU modes,
/// and ignores the pragma of C99; clang contracts by default. Predictive
/// commoning would keep loaded data in registers that the accumulators need,
/// and gcc's default allocation prefers invariants over values of the inner
/// loop. On targets with few registers, the order of several steps must be
/// kept: otherwise they become one expression per accumulator, whose factors
/// are all loaded first.
static constexpr llvm::StringLiteral kLanes = R"(
/* Lanes of 32 bits that the vectors below have: as many as registers of the
 * target. Define it as 1 for plain C. */
#ifndef UMA_LANES
#if !defined(__GNUC__)
#define UMA_LANES 1
#elif defined(__AVX512F__)
#define UMA_LANES 16
#elif defined(__AVX__)
#define UMA_LANES 8
#elif defined(__SSE2__) || defined(__ARM_NEON) || defined(__ALTIVEC__) || \
    defined(__wasm_simd128__)
#define UMA_LANES 4
#else
#define UMA_LANES 1
#endif
#endif
/* No fused multiply-add, and an operand is overwritten by the result. */
#if UMA_LANES == 4 && defined(__SSE2__) && !defined(__AVX__)
#define UMA_SSE
#endif
/* 32 registers, fused multiply-adds, and products with a lane of a vector. */
#if UMA_LANES == 4 && defined(__aarch64__)
#define UMA_NEON
#endif
/* Where gcc would load what is used again from memory each time, or keep what
 * does not change in a loop, but not the sums. */
#if defined(UMA_SSE) && !defined(__clang__)
#define UMA_LOADED(vector) __asm__("" : "+x"(vector))
#elif UMA_LANES == 8 && defined(__AVX__) && !defined(__clang__)
#define UMA_LOADED(vector) __asm__ volatile("" : "+x"(vector))
#elif UMA_LANES == 16 && defined(__AVX512F__) && !defined(__clang__)
#define UMA_LOADED(vector) __asm__("" : "+v"(vector))
#elif defined(UMA_NEON) && !defined(__clang__)
#define UMA_LOADED(vector) __asm__("" : "+w"(vector))
#else
#define UMA_LOADED(vector)
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast", "no-math-errno")
#ifdef UMA_NEON
/* Loads that move up would need more registers than there are. */
#pragma GCC optimize("no-schedule-insns")
#else
#pragma GCC optimize("no-predictive-commoning")
#ifdef _OPENMP
/* Priorities would spill sums in the functions that threads run. */
#pragma GCC optimize("ira-region=one")
#else
#pragma GCC optimize("ira-region=one", "ira-algorithm=priority")
#endif
#endif
#ifdef UMA_SSE
#pragma GCC optimize("no-tree-ter")
#endif
#endif
/* clang would keep more in registers than there are. */
#if defined(UMA_SSE) && !defined(__clang__)
#define UMA_UNROLL _Pragma("GCC unroll 4")
#else
#define UMA_UNROLL
#endif
#if defined(__has_builtin)
#define UMA_HAS(builtin) __has_builtin(builtin)
#else
#define UMA_HAS(builtin) 0
#endif
#if defined(__GNUC__)
#define UMA_PREFETCH(address) __builtin_prefetch(address)
#else
#define UMA_PREFETCH(address) ((void)(address))
#endif
/* Layers are functions of their own, for debuggers and for the registers. */
#if defined(__GNUC__)
#define UMA_LAYER __attribute__((noinline))
#else
#define UMA_LAYER
#endif
#if defined(__GNUC__)
#define UMA_INLINE static inline __attribute__((always_inline, unused))
#else
#define UMA_INLINE static inline
#endif)";

/// Placeholders: `@` number of lanes, `$` bytes, `#` element type, `%` its
/// short name.
static constexpr llvm::StringLiteral kType =
    R"(typedef # uma_%x@ __attribute__((vector_size($)));)";
static constexpr llvm::StringLiteral kLoad = R"(
UMA_INLINE uma_%x@ uma_load_%x@(const # *data, ptrdiff_t first) {
  uma_%x@ vector;
  memcpy(&vector, data + first, sizeof(vector));
  return vector;
})";
/// gcc would load a factor of several products from memory for each of them: if
/// products overwrite a factor, or if it knows that the memory is constant.
/// Those are more loads than a core can sustain.
static constexpr llvm::StringLiteral kLoadOnce = R"(
UMA_INLINE uma_%x@ uma_load_%x@(const # *data, ptrdiff_t first) {
  uma_%x@ vector;
  memcpy(&vector, data + first, sizeof(vector));
  UMA_LOADED(vector); /* It may be anything from here on. */
  return vector;
})";
static constexpr llvm::StringLiteral kStore = R"(
UMA_INLINE void uma_store_%x@(# *data, ptrdiff_t first, uma_%x@ vector) {
  memcpy(data + first, &vector, sizeof(vector));
})";
static constexpr llvm::StringLiteral kSplat = R"(
UMA_INLINE uma_%x@ uma_splat_%x@(# x) {
  uma_%x@ vector = {&};
  return vector;
})";
static constexpr llvm::StringLiteral kLane = R"(
UMA_INLINE # uma_lane_%x@(uma_%x@ vector, int lane) {
  return vector[lane];
})";
static constexpr llvm::StringLiteral kMulAdd = R"(
UMA_INLINE uma_%x@ uma_muladd_%x@(uma_%x@ x, uma_%x@ y, uma_%x@ z) {
  return x * y + z;
})";
static constexpr llvm::StringLiteral kSelect = R"(
UMA_INLINE uma_%x@ uma_select_%x@(uma_i32x@ mask, uma_%x@ yes, uma_%x@ no) {
  return (uma_%x@)((mask & (uma_i32x@)yes) | (~mask & (uma_i32x@)no));
})";

/// gcc does not turn a comparison and a select into the min/max instruction, so
/// its builtins are used. `NAME` and `BUILTIN` depend on the function, and `<`
/// is replaced by `>` for the maximum.
static constexpr llvm::StringLiteral kMinMax = R"(
/* x < y ? x : y, so y where one of them is NaN. */
UMA_INLINE uma_%x@ uma_NAME_%x@(uma_%x@ x, uma_%x@ y) {
#if BUILTIN
#else
  uma_i32x@ mask = x < y;
  return (uma_%x@)((mask & (uma_i32x@)x) | (~mask & (uma_i32x@)y));
#endif
})";

static std::string instantiateVector(StringRef text, int64_t lanes,
                                     StringRef element) {
  bool isFloat = element == "f32";
  std::string result;
  for (auto [i, c] : llvm::enumerate(text)) {
    switch (c) {
    case '@':
      result += std::to_string(lanes);
      break;
    case '$':
      result += std::to_string(lanes * (element == "f64" ? 8 : 4));
      break;
    case '#':
      // Keep preprocessor directives.
      if (llvm::isAlpha(text[i + 1]))
        result += c;
      else
        result += element == "f64" ? "double" : isFloat ? "float" : "int32_t";
      break;
    case '%':
      result += element;
      break;
    case '&':
      if (text != kSplat) {
        result += c;
        break;
      }
      result += "x";
      for (int64_t lane = 1; lane < lanes; ++lane)
        result += ", x";
      break;
    default:
      result += c;
    }
  }
  return result;
}

/// Returns the definition of `min` or `max`, with the builtins of gcc and clang
/// for x86.
static std::string getMinMaxText(StringRef name, int64_t lanes) {
  std::string builtin = ("__builtin_ia32_" + name + "ps").str();
  std::string cases;
  auto add = [&](StringRef target, StringRef suffix, StringRef arguments) {
    cases += (Twine(cases.empty() ? "" : "\n#elif ") + "defined(" + target +
              ") && UMA_HAS(" + builtin + suffix + ")\n  return " + builtin +
              suffix + "(" + arguments + ");")
                 .str();
  };
  if (lanes == 16) {
    add("__AVX512F__", "512", "x, y, 4");
    add("__AVX512F__", "512_mask", "x, y, x, (unsigned short)-1, 4");
  } else {
    add(lanes == 8 ? "__AVX__" : "__SSE__", lanes == 8 ? "256" : "", "x, y");
  }
  std::string text = kMinMax.str();
  auto replace = [&](StringRef from, StringRef to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("NAME", name);
  replace("BUILTIN", cases);
  if (name == "max")
    llvm::replace(text, '<', '>');
  return text;
}

/// Entry of the functions used that stands for the type of vectors of f64.
static constexpr llvm::StringLiteral kDoubles = "type_f64";

/// Returns how many words of 32 bits a vector has. Narrower elements are in
/// words.
static int64_t getWords(VectorType type) {
  return type.getNumElements() * (type.getElementType().isF64() ? 2 : 1);
}

std::string Prologue::requireVector(VectorType type, StringRef function) {
  lanes = true;
  string = true;
  int64_t count = type.getNumElements();
  requireVectorType(type);
  vectors[getWords(type)].insert(function.str());
  // A bf16 is moved as an integer.
  for (StringRef move : {"load_", "store_"})
    if (function == (move + "bf16").str())
      vectors[count].insert((move + "i16").str());
  // Without instructions, a f16 is converted in integers.
  bool rounds = function == "round_f16";
  if (rounds || function == "load_f16")
    vectors[count].insert("load_u16");
  if (rounds || function == "store_f16")
    vectors[count].insert("store_i16");
  return ("uma_" + function + "x" + Twine(count)).str();
}

std::string Prologue::requireWord(StringRef function) {
  lanes = true;
  string = true;
  vectors[1].insert(function.str());
  return ("uma_" + function).str();
}

void Prologue::requireVectorType(VectorType type) {
  lanes = true;
  std::set<std::string> &used = vectors[getWords(type)];
  if (type.getElementType().isF64())
    used.insert(kDoubles.str());
}

std::string Prologue::getVectorText() const {
  if (!lanes)
    return "";
  std::string text = kLanes.str();
  bool hasIntrinsics = llvm::any_of(vectors, [](const auto &entry) {
    static constexpr StringRef functions[] = {
        "dot_i16", "dot_u8",   "dot_bf16", "round_i32", "rint_f32",
        "any_f32", "min_i32",  "max_i32",  "load_i8",   "load_i16",
        "load_u8", "load_u16", "store_i8", "store_i16", "fixed_point_multiply"};
    if (entry.first == 1)
      return entry.second.count("lookup") != 0;
    return llvm::any_of(functions, [&](StringRef name) {
      return entry.second.count(name.str()) != 0;
    });
  });
  if (hasIntrinsics)
    text += "\n#if UMA_LANES > 1 && defined(__SSE2__)\n"
            "#ifdef __AVX__\n"
            "#include <immintrin.h>\n"
            "#else /* compiles seven times as fast */\n"
            "#include <smmintrin.h>\n"
            "#endif\n"
            "#elif UMA_LANES > 1 && defined(__aarch64__)\n"
            "#include <arm_neon.h>\n#endif";
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
      functions[] = {{"load", kLoad}, {"store", kStore},   {"splat", kSplat},
                     {"lane", kLane}, {"muladd", kMulAdd}, {"select", kSelect}};
  for (const auto &[count, used] : vectors) {
    if (count == 1) {
      text += "\n" + getMathPrologue(count, used) +
              getIntegerPrologue(count, used, instructions) +
              getBF16Prologue(count, used) +
              getFixedPointPrologue(count, used) + getLookupPrologue(used);
      continue;
    }
    text += "\n\n#if UMA_LANES >= " + std::to_string(count) + "\n";
    text += instantiateVector(kType, count, "f32") + "\n";
    text += instantiateVector(kType, count, "i32");
    for (const auto &[name, function] : functions)
      for (StringRef element : {"f32", "i32"})
        if (used.count((name + "_" + element).str())) {
          bool isOnce = name == "load" && element == "f32";
          text +=
              instantiateVector(isOnce ? kLoadOnce : function, count, element);
        }
    if (used.count(kDoubles.str()) != 0) {
      text += "\n" + instantiateVector(kType, count / 2, "f64");
      for (const auto &[name, function] : functions)
        if (used.count((name + "_f64").str()))
          text += instantiateVector(name == "load" ? kLoadOnce : function,
                                    count / 2, "f64");
    }
    for (StringRef name : {"min", "max"})
      if (used.count((name + "_f32").str()))
        text += instantiateVector(getMinMaxText(name, count), count, "f32");
    text += getMathPrologue(count, used);
    text += getIntegerPrologue(count, used, instructions);
    text += getBF16Prologue(count, used);
    text += getF16Prologue(count, used);
    text += getTransposePrologue(count, used);
    text += getFixedPointPrologue(count, used);
    text += "\n#endif";
  }
  return text;
}
