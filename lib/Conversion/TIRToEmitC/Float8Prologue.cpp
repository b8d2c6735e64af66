//===- Float8Prologue.cpp - Conversions of floats of 8 bits ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

static constexpr llvm::StringLiteral kDecode = R"(
/* A float of 8 bits with `fraction` bits behind the point to binary32; exact.
 * `limit` is the first code above the finite numbers: of infinity (0x7c), of
 * NaN (0x7f), or 0x80, which is NaN instead of -0. */
static inline float uma_f8_to_f32(uint8_t code, uint32_t fraction,
                                  uint32_t bias, uint32_t limit) {
  uint32_t sign = (uint32_t)(code & 0x80u) << 24;
  uint32_t exponent = (uint32_t)(code & 0x7fu) >> fraction;
  uint32_t mantissa = code & ((1u << fraction) - 1u);
  uint32_t bits;
  float result;
  if (limit == 0x80u ? code == 0x80u : (code & 0x7fu) >= limit) {
    bits = sign | ((code & 0x7fu) == 0x7cu ? 0x7f800000u : 0x7fc00000u);
  } else if (exponent == 0u && mantissa == 0u) {
    bits = sign;
  } else {
    if (exponent == 0u) { /* subnormal: normal in binary32 */
      exponent = 1u;
      while ((mantissa >> fraction) == 0u) {
        mantissa <<= 1;
        --exponent;
      }
      mantissa &= (1u << fraction) - 1u;
    }
    bits = sign | ((exponent + 127u - bias) << 23) |
           (mantissa << (23u - fraction));
  }
  memcpy(&result, &bits, sizeof(result));
  return result;
})";

static constexpr llvm::StringLiteral kEncode = R"(
/* binary32 to a float of 8 bits, rounded to nearest, ties to even. What rounds
 * beyond the finite numbers becomes `limit`, infinity or NaN. */
static inline uint8_t uma_f32_to_f8(float value, uint32_t fraction,
                                    uint32_t bias, uint32_t limit) {
  uint32_t bits, sign, magnitude, exponent, shift, mantissa, rest, half, result;
  memcpy(&bits, &value, sizeof(bits));
  sign = (bits >> 24) & 0x80u;
  magnitude = bits & 0x7fffffffu;
  exponent = magnitude >> 23;
  if (magnitude > 0x7f800000u) { /* NaN */
    return (uint8_t)(limit == 0x80u ? limit : sign | limit | 2u);
  }
  shift = 23u - fraction;
  if (exponent >= 128u - bias) { /* normal; a carry may reach the limit */
    magnitude -= (127u - bias) << 23;
    magnitude += (1u << (shift - 1u)) - 1u + ((magnitude >> shift) & 1u);
    result = magnitude >> shift;
  } else {
    shift += 128u - bias - exponent;
    if (shift > 24u) { /* less than half the smallest subnormal */
      result = 0u;
    } else {
      mantissa = (magnitude & 0x7fffffu) | 0x800000u;
      result = mantissa >> shift;
      rest = mantissa & ((1u << shift) - 1u);
      half = 1u << (shift - 1u);
      if (rest > half || (rest == half && (result & 1u) != 0u)) {
        ++result;
      }
    }
  }
  if (result > limit) {
    result = limit;
  }
  /* Without -0, neither 0 nor NaN has a sign. */
  return (uint8_t)(limit == 0x80u && (result & 0x7fu) == 0u ? result
                                                            : sign | result);
})";

namespace {
/// Parameters of a format: bits behind the point, bias of the exponent, and the
/// first code above the finite numbers.
struct Format {
  StringRef name, parameters;
};
} // namespace

static Format getFormat(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return {"f8e4m3fn", "3u, 7u, 0x7fu"};
  if (isa<Float8E4M3FNUZType>(type))
    return {"f8e4m3fnuz", "3u, 8u, 0x80u"};
  if (isa<Float8E5M2Type>(type))
    return {"f8e5m2", "2u, 15u, 0x7cu"};
  assert(isa<Float8E5M2FNUZType>(type) && "no float of 8 bits");
  return {"f8e5m2fnuz", "2u, 16u, 0x80u"};
}

std::string Prologue::requireFloat8(Type type, bool toF32) {
  Format format = getFormat(type);
  std::string name = toF32 ? ("uma_" + format.name + "_to_f32").str()
                           : ("uma_f32_to_" + format.name).str();
  (toF32 ? decoders : encoders)[name] = format.parameters;
  return name;
}

std::string Prologue::getFloat8Text() const {
  std::string text;
  auto add = [&](StringRef general, StringRef function, StringRef result,
                 StringRef argument, const auto &functions) {
    if (functions.empty())
      return;
    text += general;
    for (const auto &[name, parameters] : functions)
      text += ("\nstatic inline " + result + " " + name + "(" + argument +
               " value) {\n  return " + function + "(value, " + parameters +
               ");\n}")
                  .str();
  };
  add(kDecode, "uma_f8_to_f32", "float", "uint8_t", decoders);
  add(kEncode, "uma_f32_to_f8", "uint8_t", "float", encoders);
  return text;
}
