//===- Prologue.cpp - Prologue of a C file --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/InstructionText.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

using namespace mlir;
using namespace uma;

/// C++ has no `restrict`, and compilers spell theirs differently. The
/// definition is guarded, since package headers contain it as well.
static constexpr llvm::StringLiteral kRestrict = R"(
#ifndef UMA_RESTRICT
#if !defined(__cplusplus)
#define UMA_RESTRICT restrict
#elif defined(__GNUC__) || defined(_MSC_VER)
#define UMA_RESTRICT __restrict
#else
#define UMA_RESTRICT
#endif
#endif)";

/// Sums and roundings in the given order, zeros with a sign, infinities and
/// NaN. Options that license compilers to ignore these are errors if a macro
/// tells of them, otherwise taken back. gcc has macros for single ones since
/// version 12; its pragma would keep functions of headers from being inlined.
/// clang has no float_control on some targets, where its own pragma takes back
/// what changes numbers most.
static constexpr llvm::StringLiteral kExactFloats = R"(
/* The arithmetic is exact to the last bit, as IEEE 754 defines it. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#error "compile this C without -ffast-math, -Ofast and -ffinite-math-only, which change its numbers; -fno-fast-math after them suffices"
#endif
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma float_control(precise, on)
#pragma STDC FP_CONTRACT DEFAULT
#pragma clang fp reassociate(off)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#if __GNUC__ < 12 || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#pragma GCC optimize("no-unsafe-math-optimizations", "no-associative-math")
#pragma GCC optimize("no-reciprocal-math", "signed-zeros")
#endif
#endif)";

/// Products of two int16_t are computed in int.
static constexpr llvm::StringLiteral kWidth = R"(
#if UINTPTR_MAX < 0xffffffff
#error "this C needs int and addresses of 32 bits or more"
#endif)";

/// Images of weights have one byte order.
static constexpr llvm::StringLiteral kLittleEndian = R"(
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the image of the weights is for little-endian processors; compile the model with --weights=array"
#endif)";

static constexpr llvm::StringLiteral kErrorHook = R"(
/* Compile with -DUMA_HOOKS to have a hook called where a device reports an
 * error; the error is returned in any case. */
#ifdef UMA_HOOKS
#include "uma_hooks.h"
#endif
#ifndef UMA_ON_ERROR
#define UMA_ON_ERROR(layer, status) ((void)0)
#endif)";

static constexpr llvm::StringLiteral kDeviceHooks = R"(
/* Hooks around what runs on a device, of which UMA_DEVICE_BEGIN and
 * UMA_DEVICE_END get the addresses of the function's parameters. They may let
 * the parameters point elsewhere in between. UMA_DEVICE_END is not reached
 * where a device reports an error. If they look at results, define
 * UMA_SYNCHRONOUS: the function of a device that works in the background then
 * waits for it. */
#ifdef UMA_HOOKS
#include "uma_hooks.h"
#endif
#ifndef UMA_DEVICE_BEGIN
#define UMA_DEVICE_BEGIN(...) ((void)0)
#endif
#ifndef UMA_DEVICE_CALL
#define UMA_DEVICE_CALL(layer, function) ((void)0)
#endif
#ifndef UMA_DEVICE_END
#define UMA_DEVICE_END(...) ((void)0)
#endif)";

static constexpr llvm::StringLiteral kProfileHooks = R"(
/* Compile with -DUMA_PROFILE to have the hooks of your uma_profile.h called
 * around every layer. UMA_PROFILE_END is not reached where a device reports an
 * error. */
#ifdef UMA_PROFILE
#include "uma_profile.h"
#endif
#ifndef UMA_PROFILE_BEGIN
#define UMA_PROFILE_BEGIN(index, layer) ((void)0)
#endif
#ifndef UMA_PROFILE_END
#define UMA_PROFILE_END(index, layer) ((void)0)
#endif)";

static constexpr llvm::StringLiteral kBoundsHook = R"(
/* Bounds are checked: where an index leaves its buffer, the network calls this
 * hook (see UMA_HOOKS) and returns this status. */
#ifdef UMA_HOOKS
#include "uma_hooks.h"
#endif
#ifndef UMA_ON_OUT_OF_BOUNDS
#define UMA_ON_OUT_OF_BOUNDS(layer, buffer, index, size) ((void)0)
#endif
#ifndef UMA_OUT_OF_BOUNDS
#define UMA_OUT_OF_BOUNDS (-1000)
#endif)";

/// Only some versions of a layer may call a helper.
static constexpr llvm::StringLiteral kHelper = R"(
#if defined(__GNUC__)
#define UMA_HELPER static inline __attribute__((unused))
#else
#define UMA_HELPER static inline
#endif)";

static constexpr llvm::StringLiteral kF16ToF32 = R"(
/* IEEE 754 binary16, stored in 16 bits, to binary32; exact. */
static inline float uma_f16_to_f32(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
  uint32_t exponent = (uint32_t)(half >> 10) & 0x1fu;
  uint32_t mantissa = half & 0x3ffu;
  uint32_t bits;
  float result;
  if (exponent == 0x1fu) { /* infinity; NaN, made quiet */
    bits = sign | 0x7f800000u | (mantissa << 13) |
           (mantissa != 0u ? 0x400000u : 0u);
  } else if (exponent != 0u) {
    bits = sign | ((exponent + 112u) << 23) | (mantissa << 13);
  } else if (mantissa == 0u) {
    bits = sign;
  } else { /* subnormal: normal in binary32 */
    exponent = 113u;
    while ((mantissa & 0x400u) == 0u) {
      mantissa <<= 1;
      --exponent;
    }
    bits = sign | (exponent << 23) | ((mantissa & 0x3ffu) << 13);
  }
  memcpy(&result, &bits, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kF32ToF16 = R"(
/* binary32 to IEEE 754 binary16, rounded to nearest, ties to even. */
static inline uint16_t uma_f32_to_f16(float value) {
  uint32_t bits, sign, magnitude, mantissa, shift, rest, half, result;
  memcpy(&bits, &value, sizeof(bits));
  sign = (bits >> 16) & 0x8000u;
  magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) { /* NaN, made quiet */
    return (uint16_t)(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude >= 0x47800000u) { /* 65536 and above, infinity */
    return (uint16_t)(sign | 0x7c00u);
  }
  if (magnitude >= 0x38800000u) { /* normal; a carry may reach infinity */
    magnitude -= 0x38000000u;
    magnitude += 0xfffu + ((magnitude >> 13) & 1u);
    return (uint16_t)(sign | (magnitude >> 13));
  }
  if (magnitude < 0x33000000u) { /* less than half the smallest subnormal */
    return (uint16_t)sign;
  }
  mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  shift = 126u - (magnitude >> 23);
  result = mantissa >> shift;
  rest = mantissa & ((1u << shift) - 1u);
  half = 1u << (shift - 1u);
  if (rest > half || (rest == half && (result & 1u) != 0u)) {
    ++result;
  }
  return (uint16_t)(sign | result);
})";

static constexpr llvm::StringLiteral kBF16ToF32 = R"(
/* bfloat16, stored in 16 bits, to binary32; exact. */
static inline float uma_bf16_to_f32(uint16_t brain) {
  uint32_t bits = (uint32_t)brain << 16;
  float result;
  memcpy(&result, &bits, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kF32ToBF16 = R"(
/* binary32 to bfloat16, rounded to nearest, ties to even. */
static inline uint16_t uma_f32_to_bf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7fffffffu) > 0x7f800000u) { /* NaN, made quiet */
    return (uint16_t)((bits >> 16) | 0x40u);
  }
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return (uint16_t)(bits >> 16);
})";

static constexpr llvm::StringLiteral kF64ToF32Odd = R"(
/* binary64 to binary32, rounded to odd: an inexact result has the last bit
 * set, so that rounding it again is as good as rounding once. */
static inline float uma_f64_to_f32_odd(double value) {
  float result = (float)value;
  double magnitude = value < 0.0 ? -value : value;
  double back = result < 0.0f ? -(double)result : (double)result;
  uint32_t bits;
  memcpy(&bits, &result, sizeof(bits));
  if ((bits & 1u) == 0u && back < magnitude) {
    ++bits;
  } else if ((bits & 1u) == 0u && back > magnitude) {
    --bits;
  }
  memcpy(&result, &bits, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kF64ToF16 = R"(
/* binary64 to IEEE 754 binary16, rounded once. */
static inline uint16_t uma_f64_to_f16(double value) {
  return uma_f32_to_f16(uma_f64_to_f32_odd(value));
})";

static constexpr llvm::StringLiteral kF64ToBF16 = R"(
/* binary64 to bfloat16, rounded once. */
static inline uint16_t uma_f64_to_bf16(double value) {
  return uma_f32_to_bf16(uma_f64_to_f32_odd(value));
})";

static constexpr llvm::StringLiteral kPowI64 = R"(
/* Integer power, wrapping around; of a negative exponent, the real number
 * rounded towards zero, and 0 for the base 0. */
static inline int64_t uma_powi64(int64_t base, int64_t exponent) {
  uint64_t result = 1u, factor = (uint64_t)base, rest = (uint64_t)exponent;
  if (exponent < 0) {
    if (base == -1) {
      return (rest & 1u) != 0u ? -1 : 1;
    }
    return base == 1 ? 1 : 0;
  }
  for (; rest != 0u; rest >>= 1) {
    if ((rest & 1u) != 0u) {
      result *= factor;
    }
    factor *= factor;
  }
  return (int64_t)result;
})";

static constexpr llvm::StringLiteral kF32ToBits = R"(
static inline int32_t uma_f32_to_bits(float value) {
  int32_t result;
  memcpy(&result, &value, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kBitsToF32 = R"(
static inline float uma_bits_to_f32(int32_t value) {
  float result;
  memcpy(&result, &value, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kF64ToBits = R"(
static inline int64_t uma_f64_to_bits(double value) {
  int64_t result;
  memcpy(&result, &value, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kBitsToF64 = R"(
static inline double uma_bits_to_f64(int64_t value) {
  double result;
  memcpy(&result, &value, sizeof(result));
  return result;
})";

StringRef uma::getHelperName(CHelper helper) {
  switch (helper) {
  case CHelper::F16ToF32:
    return "uma_f16_to_f32";
  case CHelper::F32ToF16:
    return "uma_f32_to_f16";
  case CHelper::BF16ToF32:
    return "uma_bf16_to_f32";
  case CHelper::F32ToBF16:
    return "uma_f32_to_bf16";
  case CHelper::F64ToF32Odd:
    return "uma_f64_to_f32_odd";
  case CHelper::F64ToF16:
    return "uma_f64_to_f16";
  case CHelper::F64ToBF16:
    return "uma_f64_to_bf16";
  case CHelper::PowI64:
    return "uma_powi64";
  case CHelper::F32ToBits:
    return "uma_f32_to_bits";
  case CHelper::BitsToF32:
    return "uma_bits_to_f32";
  case CHelper::F64ToBits:
    return "uma_f64_to_bits";
  case CHelper::BitsToF64:
    return "uma_bits_to_f64";
  }
  llvm_unreachable("every helper has a name");
}

static StringRef getHelperText(CHelper helper) {
  switch (helper) {
  case CHelper::F16ToF32:
    return kF16ToF32;
  case CHelper::F32ToF16:
    return kF32ToF16;
  case CHelper::BF16ToF32:
    return kBF16ToF32;
  case CHelper::F32ToBF16:
    return kF32ToBF16;
  case CHelper::F64ToF32Odd:
    return kF64ToF32Odd;
  case CHelper::F64ToF16:
    return kF64ToF16;
  case CHelper::F64ToBF16:
    return kF64ToBF16;
  case CHelper::PowI64:
    return kPowI64;
  case CHelper::F32ToBits:
    return kF32ToBits;
  case CHelper::BitsToF32:
    return kBitsToF32;
  case CHelper::F64ToBits:
    return kF64ToBits;
  case CHelper::BitsToF64:
    return kBitsToF64;
  }
  llvm_unreachable("every helper has a text");
}

StringRef Prologue::require(CHelper helper) {
  helpers.insert(helper);
  if (helper == CHelper::F64ToF16 || helper == CHelper::F64ToBF16) {
    require(CHelper::F64ToF32Odd);
    require(helper == CHelper::F64ToF16 ? CHelper::F32ToF16
                                        : CHelper::F32ToBF16);
  }
  return getHelperName(helper);
}

void Prologue::addHeader(StringRef header) {
  if (!llvm::is_contained(headers, header))
    headers.push_back(header.str());
}

void Prologue::addInstruction(accel::InstructionOp instruction) {
  instructions.push_back(instruction);
}

bool Prologue::requireTileInstruction(StringRef name) {
  requireLanes();
  tileInstructions.insert(name.str());
  return llvm::any_of(instructions, [&](accel::InstructionOp instruction) {
    return instruction.hasTile() && instruction.getFullName() == name;
  });
}

void Prologue::emit(OpBuilder &builder, Location loc,
                    const std::optional<std::string> &network) const {
  auto text = [&](const Twine &value) {
    emitc::VerbatimOp::create(builder, loc,
                              builder.getStringAttr(value).getValue());
  };
  auto include = [&](StringRef header, bool standard) {
    emitc::IncludeOp::create(builder, loc, builder.getStringAttr(header),
                             standard ? builder.getUnitAttr() : UnitAttr());
  };
  text("/* " + (network ? "Network " + toCComment(*network) : "Functions") +
       ", compiled to C99 by uma. Generated; edit the model instead. */");
  if (math)
    include("math.h", true);
  include("stdbool.h", true);
  include("stddef.h", true);
  include("stdint.h", true);
  if (string || !helpers.empty() || !decoders.empty() || !encoders.empty())
    include("string.h", true);
  for (const std::string &header : headers)
    include(header, false);
  text(kRestrict);
  text(kWidth);
  if (floats)
    text(kExactFloats);
  if (image)
    text(kLittleEndian);
  if (mayAlias)
    text("\n/* Pointers that may overlap others, so not restrict. */\n"
         "#define UMA_MAY_ALIAS");
  if (errorHook)
    text(kErrorHook);
  if (deviceHooks)
    text(kDeviceHooks);
  if (profileHooks)
    text(kProfileHooks);
  if (boundsHook)
    text(kBoundsHook);
  if (lanes && !helpers.empty())
    text(kHelper);
  for (CHelper helper : helpers) {
    std::string function = getHelperText(helper).str();
    if (lanes)
      replaceAll(function, "\nstatic inline ", "\nUMA_HELPER ");
    text(function);
  }
  if (std::string float8 = getFloat8Text(); !float8.empty())
    text(float8);
  if (std::string vectors = getVectorText(); !vectors.empty())
    text(vectors);
  for (accel::InstructionOp instruction : instructions)
    if (tileInstructions.count(instruction.getFullName()) != 0)
      text(getTileInstructionText(instruction));
  if (!deviceFunctions.empty())
    text(deviceFunctions);
}

void uma::addBranch(std::string &branches, StringRef guard, StringRef code) {
  branches += (branches.empty() ? "" : "\n#elif ") + guard.str() + code.str();
}

void uma::replaceAll(std::string &text, StringRef from, const Twine &to) {
  std::string other = to.str();
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += other.size())
    text.replace(at, from.size(), other);
}
