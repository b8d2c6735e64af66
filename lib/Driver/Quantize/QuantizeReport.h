//===- QuantizeReport.h - Errors of a quantized network -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_QUANTIZE_QUANTIZEREPORT_H
#define UMA_LIB_DRIVER_QUANTIZE_QUANTIZEREPORT_H

#include "../Compile/Model.h"

#include "uma/Support/HostTensor.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace uma {

/// Difference between a tensor of the quantized network and of the float
/// network on all samples. It includes the errors of all layers before.
struct TensorError {
  std::string name;
  double scale = 0;      ///< of the quantized tensor; 0 for outputs
  int64_t zeroPoint = 0; ///< of the quantized tensor
  double signal = 0;     ///< sum of the squared elements
  double noise = 0;      ///< sum of the squared differences
  double sum = 0;        ///< sum of the absolute differences
  double maximum = 0;    ///< largest absolute difference
  int64_t numElements = 0;
  int64_t numSameLargest = 0; ///< samples with the same largest element
  /// Number of elements for each group of four stored integers.
  std::array<int64_t, 64> bins = {};

  void add(const HostTensor &expected, const HostTensor &actual);
  /// Returns the signal-to-quantization-noise ratio in decibels; infinite
  /// without a difference.
  double getSQNR() const;
  /// Returns the root of `noise / signal`, 0 without a difference.
  double getRelative() const;
  /// Returns the SQNR as text: "41.5", "exact" or "no signal".
  std::string getSQNRText() const;
  double getMean() const { return sum / std::max<int64_t>(numElements, 1); }
};

struct QuantizeReport {
  std::string network;
  std::string method;
  int64_t numSamples = 0;
  int64_t numIntegerLayers = 0;
  /// Convolutions, dense layers and matrix products that compute in f32.
  std::vector<std::string> floatLayers;
  std::vector<TensorError> layers, outputs;
};

/// Quantizes a network, writes the files of `options` and fills `report`.
ExitCode quantizeModel(const QuantizeOptions &options, ModelContext &context,
                       QuantizeReport &report);

void printQuantizeReport(llvm::raw_ostream &os, const QuantizeReport &report);

/// Returns the report as a self-contained HTML page without scripts.
std::string getQuantizeHTML(const QuantizeReport &report);

/// Returns the report as JSON; docs/quantize.md has the schema.
std::string getQuantizeJSON(const QuantizeReport &report);

} // namespace uma

#endif // UMA_LIB_DRIVER_QUANTIZE_QUANTIZEREPORT_H
