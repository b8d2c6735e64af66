//===- QuantizeReport.cpp - Errors of a quantized network -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "QuantizeReport.h"

#include "uma/Support/CountText.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;

void TensorError::add(const HostTensor &expected, const HostTensor &actual) {
  int64_t largest = 0, largestActual = 0;
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i) {
    double x = expected.getDouble(i), y = actual.getDouble(i);
    double difference = std::fabs(x - y);
    signal += x * x;
    noise += difference * difference;
    sum += difference;
    maximum = std::max(maximum, difference);
    if (scale != 0) {
      auto stored = int64_t(std::nearbyint(y / scale)) + zeroPoint;
      ++bins[std::clamp<int64_t>((stored + 128) / 4, 0, bins.size() - 1)];
    }
    if (x > expected.getDouble(largest))
      largest = i;
    if (y > actual.getDouble(largestActual))
      largestActual = i;
  }
  numElements += expected.getNumElements();
  numSameLargest += largest == largestActual;
}

double TensorError::getSQNR() const {
  if (noise == 0)
    return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}

double TensorError::getRelative() const {
  return noise == 0 ? 0 : std::sqrt(noise / signal);
}

std::string TensorError::getSQNRText() const {
  double value = getSQNR();
  if (std::isinf(value))
    return value > 0 ? "exact" : "no signal";
  return llvm::formatv("{0:f1}", value);
}

void uma::printQuantizeReport(llvm::raw_ostream &os,
                              const QuantizeReport &report) {
  size_t width = StringRef("output").size();
  auto widen = [&](ArrayRef<TensorError> errors) {
    for (const TensorError &error : errors)
      width = std::max(width, toPrintable(error.name).size());
  };
  widen(report.layers);
  widen(report.outputs);
  auto print = [&](ArrayRef<TensorError> errors) {
    for (const TensorError &error : errors)
      os << llvm::left_justify(toPrintable(error.name), width) << "  "
         << llvm::right_justify(error.getSQNRText(), 9)
         << llvm::format("  %10.3g  %10.3g", error.getMean(), error.maximum);
  };
  auto printTitle = [&](StringRef title, StringRef last) {
    os << llvm::left_justify(title, width)
       << "    SQNR dB  mean error   max error" << last << '\n';
  };
  printTitle("layer", "       scale  zero point");
  for (const TensorError &error : report.layers) {
    print(error);
    os << llvm::format("  %10.4g  %10d\n", error.scale, int(error.zeroPoint));
  }
  os << '\n';
  printTitle("output", "  same largest element");
  for (const TensorError &error : report.outputs) {
    print(error);
    os << "  " << getCountText(error.numSameLargest) << " of "
       << getCountText(report.numSamples) << '\n';
  }
  os << '\n'
     << getCountText(report.numIntegerLayers) << " layers compute on integers, "
     << getCountText(report.floatLayers.size())
     << " convolutions and matrix products in f32";
  llvm::StringRef separator = ": ";
  for (const std::string &layer : report.floatLayers) {
    os << separator << toPrintable(layer);
    separator = ", ";
  }
  os << '\n';
}

static llvm::json::Value getNumber(double number) {
  // JSON has no infinity.
  if (std::isfinite(number))
    return number;
  return nullptr;
}

static llvm::json::Array getErrors(ArrayRef<TensorError> errors) {
  llvm::json::Array array;
  for (const TensorError &error : errors) {
    llvm::json::Object object{{"name", llvm::json::fixUTF8(error.name)},
                              {"sqnr_db", getNumber(error.getSQNR())},
                              {"mean_error", error.getMean()},
                              {"max_error", error.maximum},
                              {"same_largest", error.numSameLargest}};
    if (error.scale != 0) {
      object["scale"] = error.scale;
      object["zero_point"] = error.zeroPoint;
    }
    array.push_back(std::move(object));
  }
  return array;
}

std::string uma::getQuantizeJSON(const QuantizeReport &report) {
  llvm::json::Array floats;
  for (const std::string &layer : report.floatLayers)
    floats.push_back(llvm::json::fixUTF8(layer));
  llvm::json::Object object{{"format", "uma-quantize"},
                            {"version", 1},
                            {"network", llvm::json::fixUTF8(report.network)},
                            {"method", report.method},
                            {"samples", report.numSamples},
                            {"integer_layers", report.numIntegerLayers},
                            {"float_layers", std::move(floats)},
                            {"layers", getErrors(report.layers)},
                            {"outputs", getErrors(report.outputs)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}
