//===- Tensors.h - Inputs, outputs and comparisons of uma run -*- C++ -*---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_TENSORS_H
#define UMA_LIB_DRIVER_PACKAGE_TENSORS_H

#include "uma/Support/HostTensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace uma {

/// Returns random elements from `seed` and the number of the input: floats in
/// [-1, 1), integers of the whole range up to 8 bits and in [-1000, 1000]
/// above. The same on every machine.
HostTensor makeRandomTensor(mlir::RankedTensorType type, uint64_t seed,
                            unsigned number);

/// Difference between a tensor and a reference.
struct Comparison {
  double maxError = 0;      ///< largest absolute difference
  double relative = 0;      ///< maxError over the largest reference element
  int64_t worst = 0;        ///< row-major index of the largest difference
  double actual = 0;        ///< element there
  double expected = 0;      ///< reference there
  bool isEqual = true;      ///< within the tolerance everywhere
  int64_t numDifferent = 0; ///< elements outside of the tolerance
  std::string note;         ///< additional remark, mostly empty
};

/// Returns the default relative tolerance of an element type, which allows for
/// the rounding errors of a network: 1e-4 for f32, 1e-9 for f64, 1e-2 for f16
/// and bf16, one unit in the last place for floats of 8 bits, 0 for integers.
double getDefaultTolerance(mlir::Type elementType);

/// Compares relative to the largest element of the reference. NaN equals NaN,
/// an infinity itself.
Comparison compareToLargest(const HostTensor &actual,
                            const HostTensor &expected, double tolerance);

/// Compares in the same way, but also accepts elements between `lowest` and
/// `highest`, which contain the reference.
Comparison compareToLargest(const HostTensor &actual,
                            const HostTensor &expected, double tolerance,
                            const HostTensor &lowest,
                            const HostTensor &highest);

/// Compares each element: |actual - expected| <= atol + rtol * |expected|, as
/// ONNX's backend tests do.
Comparison compareElementwise(const HostTensor &actual,
                              const HostTensor &expected, double rtol,
                              double atol);

/// Fill pattern of unwritten buffers: NaN as f32 and, twice, as f64.
inline constexpr std::array<unsigned char, 4> kPoison = {0x5a, 0xa5, 0xf5,
                                                         0xff};

/// Describes a tensor that differs: "y[0, 2] is 0, expected 1.5". Appends the
/// share of the elements that differ.
std::string describeDifference(llvm::StringRef name, const HostTensor &actual,
                               const Comparison &comparison);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_TENSORS_H
