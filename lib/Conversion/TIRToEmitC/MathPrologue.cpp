//===- MathPrologue.cpp - Math functions of the C prologue ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// <math.h> functions on vectors, and on scalars if those of C libraries are
// slow. Both share one text. It has no branches, so that compilers may
// vectorise loops that call it, and no undefined behaviour.
//
// The polynomials are minimax approximations of the relative error, fitted with
// Lawson's iteration. test/Target/C/math.py measures the functions' errors,
// which docs/rationale.md lists.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

namespace {
/// Rational approximation x P(x^2) / Q(x^2) of an odd function that is almost 1
/// from `limit` on. P and Q have equally many coefficients, the highest first.
struct RationalFunction {
  llvm::StringLiteral limit;
  ArrayRef<llvm::StringLiteral> numerator, denominator;
};

/// Function on scalars and vectors. In its texts, `$F` and `$I` are the types
/// of floats and of integers of the same width, `$name` is the function `name`
/// on that type, and `@` the number of lanes.
struct MathFunction {
  llvm::StringLiteral name;
  /// Names of its callees, separated by blanks.
  llvm::StringLiteral callees;
  llvm::StringLiteral comment;
  llvm::StringLiteral parameters;
  llvm::StringLiteral body;
  /// Body for scalars: empty if the function is for vectors only, `=` if it
  /// equals `body`.
  llvm::StringLiteral scalarBody;
  /// If given, the body for vectors and scalars is generated from this.
  const RationalFunction *rational = nullptr;
};
} // namespace

static constexpr llvm::StringLiteral kScalarBits = R"(
  int32_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;)";

static constexpr llvm::StringLiteral kScalarFloat = R"(
  float x;
  memcpy(&x, &bits, sizeof(x));
  return x;)";

static constexpr llvm::StringLiteral kScale = R"(
  typedef uint32_t uma_bits __attribute__((vector_size(sizeof(x))));
  return ($F)((uma_bits)x + ((uma_bits)power << 23));)";

static constexpr llvm::StringLiteral kScalarScale = R"(
  uint32_t bits, shift;
  memcpy(&bits, &x, sizeof(bits));
  memcpy(&shift, &power, sizeof(shift));
  bits += shift << 23;
  memcpy(&x, &bits, sizeof(x));
  return x;)";

static constexpr llvm::StringLiteral kExp = R"(
  /* x = n ln 2 + r; adding 1.5 * 2^23 leaves n in the last bits of z. */
  $F z = x * 1.44269504f + 12582912.0f;
  $F n = z - 12582912.0f;
  $F r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  $F q = r * 1.38143043e-3f + 8.36885255e-3f;
  q = q * r + 4.16684002e-2f;
  q = q * r + 1.66665196e-1f;
  q = q * r + 4.99999940e-1f;
  q = $scale((q * (r * r) + r) + 1.0f, z);
  q = $select(x >= -87.3365402f, q, $splat(0.0f));
  /* The product is infinite or NaN. */
  return $select(x <= 88.7228317f, q, x * 3.40282347e+38f);)";

static constexpr llvm::StringLiteral kLog = R"(
  /* x = 2^e (1 + f) with 1 + f from sqrt(1/2) to sqrt(2); subnormal numbers
   * are scaled by 2^24 before, what has no logarithm is 1 for the time. */
  $I isSmall = x < 1.17549435e-38f;
  $F y = $select((x > 0.0f) & (x <= 3.40282347e+38f), x, $splat(1.0f));
  $I i = $bits($select(isSmall, y * 16777216.0f, y)) - 0x3f3504f3;
  $F e = $float((i >> 23) + 0x4b400000) -
         $select(isSmall, $splat(12582936.0f), $splat(12582912.0f));
  $F f = $float((i & 0x007fffff) + 0x3f3504f3) - 1.0f;
  $F s = f * f;
  $F q = f * -7.63398409e-2f + 1.27617598e-1f;
  q = q * f - 1.31604597e-1f;
  q = q * f + 1.42017528e-1f;
  q = q * f - 1.66233301e-1f;
  q = q * f + 2.00012267e-1f;
  q = q * f - 2.50008225e-1f;
  q = q * f + 3.33333313e-1f;
  q = (q * f) * s - e * 2.12194440e-4f;
  q = (f + (q - 0.5f * s)) + e * 0.693359375f;
  /* Zeros have -infinity, negative numbers NaN. */
  y = $select(x < 0.0f, $float($bits(x) | 0x7fc00000), x);
  y = $select(x == 0.0f, $float($bits(x) | -0x00800000), y);
  return $select((x > 0.0f) & (x <= 3.40282347e+38f), q, y);)";

static constexpr llvm::StringLiteral kLog1p = R"(
  /* The quotient makes up for what rounding took from 1 + x (Kahan). */
  $F u = x + 1.0f;
  $F d = u - 1.0f;
  $F q = $log(u) * (x / $select(d == 0.0f, $splat(1.0f), d));
  return $select((d == 0.0f) | (x > 3.40282347e+38f), x, q);)";

static constexpr llvm::StringLiteral kTanhNumerator[] = {
    "1.33186902e-8f", "2.05831893e-5f", "3.49401613e-3f", "1.33797020e-1f",
    "1.0f"};
static constexpr llvm::StringLiteral kTanhDenominator[] = {
    "7.76185857e-7f", "3.28306312e-4f", "2.58710030e-2f", "4.67130184e-1f",
    "1.0f"};
static constexpr RationalFunction kTanh = {"9.1f", kTanhNumerator,
                                           kTanhDenominator};

static constexpr llvm::StringLiteral kErfNumerator[] = {
    "2.04198295e-6f", "2.84807233e-4f", "3.77954519e-3f",
    "5.27900867e-2f", "1.90782338e-1f", "1.12837911f"};
static constexpr llvm::StringLiteral kErfDenominator[] = {
    "3.80041311e-5f", "1.16519746e-3f", "1.49973081e-2f",
    "1.14256904e-1f", "5.02409160e-1f", "1.0f"};
static constexpr RationalFunction kErf = {"4.0f", kErfNumerator,
                                          kErfDenominator};

static constexpr llvm::StringLiteral kSqrt = R"(
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_sqrt)
#define UMA_VECTOR_SQRT(x) __builtin_elementwise_sqrt(x)
#endif
#endif
#ifdef UMA_VECTOR_SQRT
  return UMA_VECTOR_SQRT(x);
#else
  float lanes[@];
  int i;
  memcpy(lanes, &x, sizeof(x));
  for (i = 0; i < @; ++i) {
    lanes[i] = sqrtf(lanes[i]);
  }
  memcpy(&x, lanes, sizeof(x));
  return x;
#endif)";

static constexpr llvm::StringLiteral kRint = R"(
  /* From 2^23 on all floats are integers. */
  $F a = $abs(x);
  $F r = (a + 8388608.0f) - 8388608.0f;
  r = $float($bits(r) | ($bits(x) & INT32_MIN));
  return $select(a < 8388608.0f, r, x);)";

static constexpr llvm::StringLiteral kFloor = R"(
  $F r = $rint(x);
  r -= $select(r > x, $splat(1.0f), $splat(0.0f));
  return $float($bits(r) | ($bits(x) & INT32_MIN));)";

static constexpr llvm::StringLiteral kCeil = R"(
  $F r = $rint(x);
  r += $select(r < x, $splat(1.0f), $splat(0.0f));
  return $float($bits(r) | ($bits(x) & INT32_MIN));)";

static constexpr llvm::StringLiteral kAny = R"(
  int32_t lanes[@], any = 0;
  int i;
  memcpy(lanes, &x, sizeof(x));
  for (i = 0; i < @; ++i) {
    any |= lanes[i];
  }
  return any < 0;)";

/// Sine or cosine: FUNCTION, and its QUADRANT. Three parts of pi / 2 have few
/// enough bits for products with n to be exact.
static constexpr llvm::StringLiteral kSine = R"(
  /* x = n pi / 2 + r; adding 1.5 * 2^23 leaves n in the last bits of z. */
  $F z = x * 0.636619772f + 12582912.0f;
  $F n = z - 12582912.0f;
  $F r = ((x - n * 1.5703125f) - n * 4.83751297e-4f) - n * 7.54978995e-8f;
  $F t = r * r;
  $F s = t * -1.95152959e-4f + 8.33216087e-3f;
  $F c = t * 2.44331571e-5f - 1.38873162e-3f;
  $F y;
  $I quadrant = $bits(z)QUADRANT;
  s = ((s * t - 1.66666546e-1f) * t) * r + r;
  c = ((c * t + 4.16666457e-2f) * t) * t + (1.0f - 0.5f * t);
  y = $select(-(quadrant & 1), c, s);
  y = $select(-((quadrant >> 1) & 1), -y, y);ZERO
  if ($any(~($abs(x) <= 8192.0f))) { /* also NaN */
    float from[@], to[@];
    int i;
    memcpy(from, &x, sizeof(x));
    memcpy(to, &y, sizeof(y));
    for (i = 0; i < @; ++i) {
      if (!(fabsf(from[i]) <= 8192.0f)) {
        to[i] = FUNCTIONf(from[i]);
      }
    }
    memcpy(&y, to, sizeof(y));
  }
  return y;)";

/// Functions, callees before their callers.
static constexpr MathFunction kFunctions[] = {
    {"splat", "", "", "float x", "", "\n  return x;"},
    {"select", "", "", "$I condition, $F yes, $F no", "",
     "\n  return condition ? yes : no;"},
    {"bits", "", "", "$F x", "\n  return ($I)x;", kScalarBits},
    {"float", "", "", "$I bits", "\n  return ($F)bits;", kScalarFloat},
    {"scale", "", "x times 2 to the power in the last bits of the other one.",
     "$F x, $F power", kScale, kScalarScale},
    {"abs", "bits float", "", "$F x",
     "\n  return $float($bits(x) & INT32_MAX);", "="},
    {"exp", "scale select splat",
     "At most 1.5 units in the last place off; 0 below 2^-126.", "$F x", kExp,
     "="},
    {"log", "bits float select splat",
     "At most 1.5 units in the last place off.", "$F x", kLog, "="},
    {"log1p", "log select splat", "At most 4 units in the last place off.",
     "$F x", kLog1p, "="},
    {"tanh", "abs bits float select splat",
     "At most 7 units in the last place off.", "$F x", "", "", &kTanh},
    {"erf", "abs bits float select splat",
     "At most 7 units in the last place off.", "$F x", "", "", &kErf},
    {"sqrt", "", "", "$F x", kSqrt, ""},
    {"rsqrt", "sqrt", "", "$F x", "\n  return 1.0f / $sqrt(x);", ""},
    {"rint", "abs bits float select", "", "$F x", kRint, ""},
    {"floor", "rint bits float select splat", "", "$F x", kFloor, ""},
    {"ceil", "rint bits float select splat", "", "$F x", kCeil, ""},
    {"any", "", "Whether a lane has its sign bit set.", "$I x", kAny, ""},
    {"sin", "any abs bits float select",
     "At most 2 units in the last place of 1 off.", "$F x", kSine, ""},
    {"cos", "any abs bits float select",
     "At most 2 units in the last place of 1 off.", "$F x", kSine, ""},
    {"maximum", "select", "NaN where one of them is.", "$F x, $F y",
     "\n  return $select((x > y) | (x != x), x, y);", "="},
    {"minimum", "select", "NaN where one of them is.", "$F x, $F y",
     "\n  return $select((x < y) | (x != x), x, y);", "="},
};

static const MathFunction *lookup(StringRef name) {
  const auto *found = llvm::find_if(
      kFunctions, [&](const MathFunction &f) { return f.name == name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

/// Adds the transitive callees of a function to `used`.
static void addCallees(StringRef name, std::set<std::string> &used) {
  const MathFunction *function = lookup(name);
  if (!function)
    return;
  for (StringRef callee : llvm::split(function->callees, ' '))
    if (!callee.empty() && used.insert((callee + "_f32").str()).second)
      addCallees(callee, used);
}

std::string Prologue::requireMath(StringRef function, int64_t count) {
  lanes = true;
  string = true;
  if (llvm::is_contained({"sqrt", "rsqrt", "sin", "cos"}, function))
    math = true;
  std::set<std::string> &used = vectors[count];
  used.insert((function + "_f32").str());
  addCallees(function, used);
  std::string name = ("uma_" + function + "_f32").str();
  return count == 1 ? name : name + "x" + std::to_string(count);
}

static std::string getText(const RationalFunction &function) {
  auto [limit, p, q] = function;
  size_t last = p.size() - 1;
  std::string text = ("\n  $F a = $abs(x);\n  $F y = $select(a > " + limit +
                      ", $splat(" + limit + "), a);\n  $F t = y * y;")
                         .str();
  auto addStep = [&](StringRef sum, StringRef before, StringRef coefficient) {
    text += ("\n  " + sum + " = " + before + " + " + coefficient + ";").str();
  };
  addStep("$F p", ("t * " + p[0]).str(), p[1]);
  addStep("$F q", ("t * " + q[0]).str(), q[1]);
  for (size_t i = 2; i < last; ++i) {
    addStep("p", "p * t", p[i]);
    addStep("q", "q * t", q[i]);
  }
  return text +
         ("\n  y = (y * (p * t + " + p[last] + ")) / (q * t + " + q[last] +
          ");\n  y = $select(y > 1.0f, $splat(1.0f), y);"
          "\n  return $float($bits(y) | ($bits(x) & INT32_MIN));")
             .str();
}

/// Returns the body of `any`, which is `plain` on processors without an
/// instruction for it.
static std::string getAnyBody(int64_t lanes, StringRef plain) {
  if (lanes == 16)
    return ("\n#if defined(__AVX512F__)\n  return _mm512_cmplt_epi32_mask("
            "(__m512i)x, _mm512_setzero_si512()) != 0;\n#else" +
            plain + "\n#endif")
        .str();
  std::string code = lanes == 8 ? "\n#if defined(__AVX__)\n  return "
                                  "_mm256_movemask_ps((__m256)x) != 0;"
                                : "\n#if defined(__SSE2__)\n  return "
                                  "_mm_movemask_ps((__m128)x) != 0;"
                                  "\n#elif defined(__aarch64__)\n  return "
                                  "vminvq_s32((int32x4_t)x) < 0;";
  return code + "\n#else" + plain.str() + "\n#endif";
}

/// Returns the body for vectors or, with one lane, scalars; empty if there is
/// none.
static std::string getBody(const MathFunction &function, int64_t lanes) {
  if (function.rational)
    return getText(*function.rational);
  bool isOther = lanes == 1 && function.scalarBody != "=";
  std::string body = (isOther ? function.scalarBody : function.body).str();
  if (function.name == "sin" || function.name == "cos") {
    bool isSine = function.name == "sin";
    replaceAll(body, "FUNCTION", function.name);
    replaceAll(body, "QUADRANT", isSine ? "" : " + 1");
    // The sine of -0 is -0.
    replaceAll(body, "ZERO", isSine ? "\n  y = $select(x == 0.0f, x, y);" : "");
    return body;
  }
  if (function.name == "any" && lanes >= 4 && lanes <= 16)
    return getAnyBody(lanes, body);
  if (function.name != "rint" || lanes < 4 || lanes > 16)
    return body;
  StringRef guard = lanes == 16 ? "AVX512F" : lanes == 8 ? "AVX" : "SSE4_1";
  std::string bits = std::to_string(lanes * 32);
  std::string instruction = lanes == 16 ? "maskz_roundscale" : "round";
  return ("\n#if defined(__" + guard + "__)\n  return ($F)_mm" +
          (lanes == 4 ? "" : bits) + "_" + instruction + "_ps(" +
          (lanes == 16 ? "0xffff, " : "") + "(__m" + bits + ")x, 0);" +
          (lanes == 4 ? "\n#elif defined(__aarch64__)\n  return "
                        "($F)vrndnq_f32((float32x4_t)x);"
                      : "") +
          "\n#else" + body + "\n#endif")
      .str();
}

static std::string instantiateMath(StringRef text, int64_t lanes) {
  std::string suffix = lanes == 1 ? "f32" : "f32x" + std::to_string(lanes);
  std::string result;
  while (!text.empty()) {
    StringRef plain =
        text.take_until([](char c) { return c == '$' || c == '@'; });
    result += plain;
    text = text.drop_front(plain.size());
    if (text.consume_front("@")) {
      result += std::to_string(lanes);
    } else if (text.consume_front("$")) {
      StringRef name = text.take_while(llvm::isAlnum);
      text = text.drop_front(name.size());
      if (name == "F")
        result += lanes == 1 ? "float" : "uma_" + suffix;
      else if (name == "I")
        result += lanes == 1 ? "int32_t" : "uma_i32x" + std::to_string(lanes);
      else
        result += ("uma_" + name + "_" + suffix).str();
    }
  }
  return result;
}

/// Returns the text of a reduction of a vector's lanes, by halving.
static std::string getReduction(StringRef name, StringRef pick, int64_t lanes) {
  auto combine = [&](int64_t count, const Twine &x, const Twine &y) {
    if (name == "sum" || name == "product")
      return ("(" + x + (name == "sum" ? " + " : " * ") + y + ")").str();
    return (instantiateMath(("$" + pick).str(), count) + "(" + x + ", " + y +
            ")")
        .str();
  };
  std::string text = "\nUMA_INLINE float " +
                     instantiateMath(("$" + name + "($F x) {").str(), lanes);
  if (lanes == 2)
    return text + "\n  return " + combine(1, "x[0]", "x[1]") + ";\n}";
  if (lanes == 4)
    return text + "\n  return " +
           combine(1, combine(1, "x[0]", "x[2]"), combine(1, "x[1]", "x[3]")) +
           ";\n}";
  std::string low, high;
  for (int64_t lane = 0; lane < lanes; ++lane)
    (lane < lanes / 2 ? low : high) += ", " + std::to_string(lane);
  std::string bytes = std::to_string(lanes * 2);
  return text + instantiateMath("\n  $F low, high;", lanes / 2) +
         "\n#if defined(__clang__) || __GNUC__ >= 12"
         "\n  low = __builtin_shufflevector(x, x" +
         low + ");\n  high = __builtin_shufflevector(x, x" + high +
         ");\n#else\n  memcpy(&low, &x, " + bytes +
         ");\n  memcpy(&high, (const char *)&x + " + bytes + ", " + bytes +
         ");\n#endif\n  return " +
         instantiateMath(("$" + name).str(), lanes / 2) + "(" +
         combine(lanes / 2, "low", "high") + ");\n}";
}

static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    kReductions[] = {{"sum", ""},
                     {"product", ""},
                     {"largest", "maximum"},
                     {"smallest", "minimum"}};

std::string Prologue::requireReduction(StringRef function, StringRef element,
                                       int64_t count) {
  lanes = true;
  string = true;
  std::string name =
      ("uma_" + function + "_" + element + "x" + Twine(count)).str();
  for (const auto &[reduction, pick] : kReductions) {
    if (reduction != function)
      continue;
    for (; count >= 2; count = count > 4 ? count / 2 : 1) {
      vectors[count].insert((function + "_" + element).str());
      for (int64_t lanes : {count, int64_t(1)})
        if (!pick.empty())
          (void)requireMath(pick, lanes);
    }
  }
  return name;
}

std::string uma::getMathPrologue(int64_t count,
                                 const std::set<std::string> &used) {
  std::string text;
  for (const MathFunction &function : kFunctions) {
    std::string body = getBody(function, count);
    if (body.empty() || !used.count((function.name + "_f32").str()))
      continue;
    if (!function.comment.empty())
      text += ("\n/* " + function.comment + " */").str();
    StringRef type = function.name == "bits"  ? "$I"
                     : function.name == "any" ? "int"
                                              : "$F";
    text += instantiateMath(("\nUMA_INLINE " + type + " $" + function.name +
                             "(" + function.parameters + ") {" + body + "\n}")
                                .str(),
                            count);
  }
  for (const auto &[reduction, pick] : kReductions)
    if (used.count((reduction + "_f32").str()))
      text += getReduction(reduction, pick, count);
  if (used.count("sum_i32")) {
    std::string sum = getReduction("sum", "", count);
    replaceAll(sum, "f32", "i32");
    replaceAll(sum, "float", "int32_t");
    // Integers wrap.
    replaceAll(sum, "x[", "(uint32_t)x[");
    text += sum;
  }
  return text;
}
