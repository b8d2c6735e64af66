//===- QuantizeHTML.cpp - uma quantize --html -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A card for each tensor, so that the page fits a phone: numbers beside the
// histogram of the stored integers. A histogram that fills only the middle
// wastes bits; bars at the ends are clipped elements.
//
//===----------------------------------------------------------------------===//

#include "../Page/HTMLPage.h"
#include "QuantizeReport.h"

#include "uma/Support/CountText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;

/// Height of a histogram in units of its bars' width.
static constexpr double kHeight = 20;
/// SQNR in decibels of a full bar.
static constexpr double kFullBar = 60;

static constexpr llvm::StringLiteral kCardStyle = R"(
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(19em, 1fr)); gap: .8em; }
.card { border: 1px solid var(--border); border-radius: 4px; padding: .6em .8em; min-width: 0; }
.card b { overflow-wrap: anywhere; }
.bar { height: 4px; margin: .4em 0; background: var(--mark); border-radius: 2px; }
.bar span { display: block; height: 4px; border-radius: 2px; background: #0072b2; }
.faint { color: var(--faint); }
.ends { display: flex; justify-content: space-between; color: var(--faint); font-size: .85em; }
svg { display: block; width: 100%; height: 60px; border-bottom: 1px solid var(--line); }
path { fill: #0072b2; }
@media (max-width: 30em) { body { margin: 1em; } }
)";

static void printHistogram(llvm::raw_ostream &os, const TensorError &error) {
  int64_t largest = *llvm::max_element(error.bins);
  os << llvm::formatv(
      "<svg viewBox=\"0 0 {0} {1}\" preserveAspectRatio=\"none\""
      " role=\"img\" aria-label=\"histogram of the stored "
      "integers\"><path d=\"",
      error.bins.size(), kHeight);
  for (auto [i, count] : llvm::enumerate(error.bins))
    if (count != 0)
      os << llvm::format("M%u %gv-%.2fh.9v%.2fz", unsigned(i), kHeight,
                         kHeight * std::sqrt(double(count) / double(largest)),
                         kHeight * std::sqrt(double(count) / double(largest)));
  auto getNumber = [&](int64_t stored) {
    return double(stored - error.zeroPoint) * error.scale;
  };
  os << llvm::format("\"/></svg><div class=\"ends\"><span>%.4g</span>"
                     "<span>%.4g</span></div>",
                     getNumber(-128), getNumber(127));
}

static void printCard(llvm::raw_ostream &os, const TensorError &error,
                      const QuantizeReport &report) {
  double decibels = error.getSQNR();
  double share = std::isnan(decibels) ? 0 : decibels / kFullBar;
  os << "<div class=\"card\"><b>" << escapeHTML(error.name) << "</b><div>"
     << error.getSQNRText()
     << (std::isfinite(decibels) ? " dB</div>" : "</div>")
     << llvm::format("<div class=\"bar\"><span style=\"width:%.1f%%\"></span>"
                     "</div><div class=\"faint\">mean error %.3g, largest "
                     "%.3g</div>",
                     100 * std::clamp(share, 0.0, 1.0), error.getMean(),
                     error.maximum);
  if (error.scale != 0) {
    os << llvm::format("<div class=\"faint\">scale %.4g, zero point %d</div>",
                       error.scale, int(error.zeroPoint));
    printHistogram(os, error);
  } else {
    os << "<div class=\"faint\">same largest element in "
       << getCountText(error.numSameLargest) << " of "
       << getCountText(report.numSamples) << " samples</div>";
  }
  os << "</div>\n";
}

std::string uma::getQuantizeHTML(const QuantizeReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string network = escapeHTML(report.network);
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>"
     << network << ": error of the quantized network</title>\n<style>"
     << kPageStyle << kCardStyle << "</style>\n</head>\n<body>\n<h1>" << network
     << "</h1>\n<p>" << getCountText(report.numIntegerLayers)
     << " layers compute on integers, "
     << getCountText(report.floatLayers.size())
     << " convolutions and matrix products in f32. Method "
     << escapeHTML(report.method) << ", " << getCountText(report.numSamples)
     << " samples.</p>\n";
  if (!report.floatLayers.empty()) {
    os << "<p>In f32: ";
    llvm::interleaveComma(report.floatLayers, os,
                          [&](StringRef layer) { os << escapeHTML(layer); });
    os << "</p>\n";
  }
  auto printCards = [&](StringRef title, ArrayRef<TensorError> errors) {
    os << "<h2>" << title << "</h2>\n<div class=\"cards\">\n";
    for (const TensorError &error : errors)
      printCard(os, error, report);
    os << "</div>\n";
  };
  printCards("Outputs", report.outputs);
  printCards("Layers", report.layers);
  os << "<p class=\"faint\">SQNR in dB: 10 log10(sum of x&sup2; / sum of (x - "
        "y)&sup2;), x in the float network, y in the quantized one. Histograms "
        "show the stored integers -128 to 127 in groups of four, the square "
        "root of their number as height, and the numbers of both ends.</p>\n"
        "</body>\n</html>\n";
  return text;
}
