//===- Tensors.cpp - Inputs, outputs and comparisons of uma run -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"

#include "uma/Support/Float8.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace uma;

HostTensor uma::makeRandomTensor(RankedTensorType type, uint64_t seed,
                                 unsigned number) {
  // SplitMix64 (Steele, Lea, Flood 2014): one multiplication chain per element,
  // the same on every platform, unlike the distributions of <random>.
  uint64_t state = seed * 0x9e3779b97f4a7c15u + number;
  auto next = [&state] {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  HostTensor tensor(type);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    uint64_t bits = next();
    if (tensor.isFloat())
      tensor.setDouble(i, double(bits >> 11) * 0x1p-52 - 1.0);
    else if (HostTensor::getElementSize(type.getElementType()) == 1)
      tensor.setInt(i, type.getElementType().isInteger(1) ? int64_t(bits & 1)
                                                          : int64_t(bits));
    else
      tensor.setInt(i, type.getElementType().isUnsignedInteger()
                           ? int64_t(bits % 1001)
                           : int64_t(bits % 2001) - 1000);
  }
  return tensor;
}

double uma::getDefaultTolerance(Type elementType) {
  if (!isa<FloatType>(elementType))
    return 0;
  if (elementType.isF64())
    return 1e-9;
  // One unit in the last place of the largest numbers.
  if (isFloat8(elementType))
    return std::ldexp(
        1.0, 1 - int(cast<FloatType>(elementType).getFPMantissaWidth()));
  return elementType.isF32() ? 1e-4 : 1e-2;
}

/// Compares elementwise. `isRight` gets an element's index, value and error,
/// and the largest element of the reference.
static Comparison compare(const HostTensor &actual, const HostTensor &expected,
                          llvm::function_ref<bool(int64_t index, double value,
                                                  double error, double largest)>
                              isRight) {
  Comparison result;
  double largest = 0;
  int64_t count = expected.getNumElements();
  for (int64_t i = 0; i < count; ++i)
    if (double magnitude = std::fabs(expected.getDouble(i));
        std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
  for (int64_t i = 0; i < count; ++i) {
    double a = actual.getDouble(i), e = expected.getDouble(i);
    if (a == e || (std::isnan(a) && std::isnan(e)))
      continue;
    double error = std::fabs(a - e);
    // A difference between NaN and a number counts as infinite.
    if (std::isnan(error))
      error = INFINITY;
    bool isWrong = !isRight(i, a, error, largest);
    result.numDifferent += isWrong;
    // An error beyond the tolerance outranks one within it.
    if (isWrong ? result.isEqual || error > result.maxError
                : result.isEqual && error > result.maxError) {
      result.maxError = error;
      result.worst = i;
      result.actual = a;
      result.expected = e;
    }
    result.isEqual &= !isWrong;
  }
  result.relative = result.maxError == 0 ? 0 : result.maxError / largest;
  return result;
}

Comparison uma::compareToLargest(const HostTensor &actual,
                                 const HostTensor &expected, double tolerance) {
  return compareToLargest(actual, expected, tolerance, expected, expected);
}

Comparison uma::compareToLargest(const HostTensor &actual,
                                 const HostTensor &expected, double tolerance,
                                 const HostTensor &lowest,
                                 const HostTensor &highest) {
  return compare(actual, expected,
                 [&](int64_t i, double value, double error, double largest) {
                   double limit = tolerance * largest;
                   return error <= limit ||
                          (value >= lowest.getDouble(i) - limit &&
                           value <= highest.getDouble(i) + limit);
                 });
}

Comparison uma::compareElementwise(const HostTensor &actual,
                                   const HostTensor &expected, double rtol,
                                   double atol) {
  return compare(
      actual, expected, [&](int64_t i, double, double error, double) {
        return error <= atol + rtol * std::fabs(expected.getDouble(i));
      });
}

/// Returns the indices of an element, `[0, 2, 1]`.
static std::string getIndices(RankedTensorType type, int64_t element) {
  SmallVector<std::string> indices(type.getRank());
  for (int64_t i = type.getRank(); i-- > 0;) {
    indices[i] = std::to_string(element % type.getDimSize(i));
    element /= type.getDimSize(i);
  }
  return "[" + llvm::join(indices, ", ") + "]";
}

/// Returns whether an element has the fill pattern of unwritten buffers.
static bool isPoison(ArrayRef<char> bytes, size_t begin, size_t size) {
  for (size_t i = begin; i < begin + size; ++i)
    if (static_cast<unsigned char>(bytes[i]) != kPoison[i % kPoison.size()])
      return false;
  return true;
}

std::string uma::describeDifference(StringRef name, const HostTensor &actual,
                                    const Comparison &comparison) {
  RankedTensorType type = actual.getType();
  size_t size = HostTensor::getElementSize(type.getElementType());
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (name.empty() ? "result" : name) << getIndices(type, comparison.worst);
  if (isPoison(actual.getBytes(), comparison.worst * size, size))
    os << " is uninitialised: never written, or computed from memory that "
          "nobody wrote;";
  else if (std::isnan(comparison.actual))
    os << " is nan,"; // whatever its sign
  else
    os << " is " << llvm::format("%.9g", comparison.actual) << ',';
  os << " expected " << llvm::format("%.9g", comparison.expected) << " ("
     << comparison.numDifferent << " of " << type.getNumElements()
     << " elements differ)";
  return text;
}
