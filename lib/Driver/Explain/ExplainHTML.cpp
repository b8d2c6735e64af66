//===- ExplainHTML.cpp - uma explain --html -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A self-contained HTML file without scripts, which can be mailed and opens in
// any browser. Each operator is a row with its part of the graph beside it.
//
//===----------------------------------------------------------------------===//

#include "../Page/HTMLPage.h"
#include "Explanation.h"
#include "GraphLanes.h"
#include "SharesHTML.h"

#include "uma/Support/CountText.h"
#include "uma/Support/TensorText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using accel::LayerReport;
using accel::Reason;

// Sizes in pixels.
static constexpr unsigned kRowHeight = 26;
static constexpr unsigned kColumnWidth = 16;

static constexpr llvm::StringLiteral kStyle = R"(
.row { position: relative; display: flex; height: 26px; line-height: 26px; white-space: nowrap; border-left: 4px solid; outline: none; }
.row:hover, .row:focus { background: var(--mark); }
.row > span { overflow: hidden; text-overflow: ellipsis; padding-right: 1.2em; flex: none; box-sizing: border-box; }
.row > .macs { padding-right: 0; }
.row > .why { flex: 1 1 10em; color: var(--faint); }
.head { border-left-color: transparent; font-weight: 600; color: var(--faint); position: sticky; top: 0; background: var(--back); z-index: 1; }
.name { width: 16em; } .kind { width: 11em; } .result { width: 15em; } .macs { width: 9em; margin-right: 1.2em; } .target { width: 13em; }
.macs { text-align: right; background-repeat: no-repeat; background-position: 0 23px; background-size: 100% 3px; }
svg { flex: none; margin: 0 .6em; }
.more { display: none; position: absolute; left: 3em; top: 26px; z-index: 2; max-width: 70em; white-space: normal; line-height: 1.4;
  background: var(--back); border: 1px solid var(--border); border-radius: 4px; padding: .6em 1em; box-shadow: 0 3px 12px #0004; }
.row:hover .more, .row:focus .more { display: block; }
.more p { margin: .2em 0; }
path { fill: none; stroke: var(--line); stroke-width: 1.5; }
)";

namespace {
class Page {
public:
  Page(const Explanation &explanation, ModuleOp module)
      : explanation(explanation), module(module), os(text) {}

  std::string print();

private:
  void printReasons();
  void printGraph();
  void printRow(const LayerReport &layer, const GraphRow &row);
  void printEdges(const LayerReport &layer, const GraphRow &row);
  void printDetails(const LayerReport &layer);
  void printReason(const Twine &start, const Reason &reason);
  StringRef getColor(StringRef target) const {
    return getTargetColor(explanation.accelerators, target);
  }
  /// Returns whether the device computes both operators in one call.
  bool isInside(const LayerReport &layer, size_t from) const {
    return layer.match && explanation.layers[from].match == layer.match;
  }

  const Explanation &explanation;
  ModuleOp module;
  std::string text;
  llvm::raw_string_ostream os;
  size_t numColumns = 1;
  int64_t largest = 0; ///< largest number of MACs of a row
  /// Operators computed in the same call as one of their users.
  llvm::DenseSet<size_t> goesOn;
};
} // namespace

void Page::printReasons() {
  if (explanation.reasons.empty())
    return;
  os << "<h2>Why the CPU keeps them</h2>\n<table>\n<tr>"
        "<th>operators</th><th>MACs</th><th>reason</th></tr>\n";
  bool nameEach = explanation.accelerators.size() > 1;
  for (const ReasonShare &reason : explanation.reasons)
    os << "<tr><td class=\"number\">" << getCountText(reason.share.operators)
       << "</td><td class=\"number\">"
       << (reason.share.macs ? getCountText(reason.share.macs) : "")
       << "</td><td>" << (nameEach ? escapeHTML(reason.accelerator) + ": " : "")
       << escapeHTML(reason.reason) << "</td></tr>\n";
  os << "</table>\n";
}

void Page::printEdges(const LayerReport &layer, const GraphRow &row) {
  auto getX = [](size_t column) {
    return kColumnWidth * column + kColumnWidth / 2;
  };
  unsigned middle = kRowHeight / 2, x = getX(row.column);
  StringRef color = getColor(layer.target);
  std::string wide =
      llvm::formatv(" style=\"stroke:{0};stroke-width:4\"", color);
  os << llvm::formatv("<svg width=\"{0}\" height=\"{1}\" aria-hidden=\"true\">",
                      kColumnWidth * numColumns, kRowHeight);
  for (size_t column : row.passing)
    os << llvm::formatv("<path d=\"M{0} 0V{1}\"/>", getX(column), kRowHeight);
  for (const GraphRow::Edge &edge : row.incoming)
    os << llvm::formatv("<path d=\"M{0} 0C{0} {1} {2} {3} {2} {4}\"{5}/>",
                        getX(edge.column), middle - 2, x, 2, middle,
                        isInside(layer, edge.from) ? wide : "");
  if (row.hasUsers)
    os << llvm::formatv("<path d=\"M{0} {1}V{2}\"{3}/>", x, middle, kRowHeight,
                        goesOn.contains(layer.index) ? wide : "");
  os << llvm::formatv("<circle cx=\"{0}\" cy=\"{1}\" r=\"5\" fill=\"{2}\"/>"
                      "</svg>",
                      x, middle, color);
}

void Page::printReason(const Twine &start, const Reason &reason) {
  os << "<p>" << escapeHTML(start.str());
  if (!reason.pattern.empty()) {
    std::string position =
        getPatternPosition(module, reason.accelerator, reason.pattern);
    os << " pattern " << escapeHTML(reason.pattern);
    if (!position.empty())
      os << " (" << escapeHTML(position) << ")";
  }
  os << ": " << escapeHTML(reason.getText()) << "</p>";
}

void Page::printDetails(const LayerReport &layer) {
  os << "<div class=\"more\"><p><b>" << escapeHTML(layer.layer) << "</b> "
     << escapeHTML(layer.kind) << "</p><p>";
  for (auto [index, operand] : llvm::enumerate(layer.operands))
    os << (index ? ", " : "") << escapeHTML(getTensorText(operand.type))
       << (operand.isConstant ? " constant" : "");
  os << " &rarr; " << escapeHTML(formatResults(layer)) << "</p>";
  if (!layer.pattern.empty()) {
    std::string position =
        getPatternPosition(module, layer.target, layer.pattern);
    os << "<p>" << escapeHTML(layer.target) << " takes it by pattern "
       << escapeHTML(layer.pattern)
       << (position.empty() ? "" : " (" + escapeHTML(position) + ")") << "</p>";
  }
  for (const Reason &reason : layer.passedOver)
    printReason("not by", reason);
  for (const Reason &reason : layer.reasons)
    printReason("not on " + reason.accelerator +
                    (reason.pattern.empty() ? "" : ", closest is"),
                reason);
  os << "</div>";
}

void Page::printRow(const LayerReport &layer, const GraphRow &row) {
  StringRef color = getColor(layer.target);
  os << "<div class=\"row\" tabindex=\"0\" style=\"border-left-color:" << color
     << "\">";
  printEdges(layer, row);
  auto printCell = [&](StringRef kind, StringRef content) {
    os << "<span class=\"" << kind << "\">" << escapeHTML(content) << "</span>";
  };
  printCell("name", layer.layer);
  printCell("kind", layer.kind);
  printCell("result", formatResults(layer));
  double share = largest ? 100.0 * double(layer.macs) / double(largest) : 0;
  os << llvm::formatv("<span class=\"macs\" style=\"background-image:"
                      "linear-gradient(90deg,{0} {1:f1}%,transparent 0)\">{2}"
                      "</span>",
                      color, share, layer.macs ? getCountText(layer.macs) : "");
  printCell("target", layer.pattern.empty()
                          ? layer.target
                          : layer.target + ": " + layer.pattern);
  std::string why;
  if (layer.target == accel::kCPUTarget)
    for (const Reason &reason : layer.reasons)
      why += (why.empty() ? "" : "; ") +
             (layer.reasons.size() > 1 ? reason.accelerator + ": " : "") +
             reason.getText();
  printCell("why", why);
  printDetails(layer);
  os << "</div>\n";
}

void Page::printGraph() {
  // The operators of a single selected layer have no graph.
  llvm::DenseMap<size_t, size_t> positions;
  SmallVector<SmallVector<size_t>> sources;
  for (const LayerReport &layer : explanation.layers) {
    largest = std::max(largest, layer.macs);
    SmallVector<size_t> &from = sources.emplace_back();
    for (const accel::LayerOperand &operand : layer.operands) {
      auto known =
          operand.from ? positions.find(*operand.from) : positions.end();
      if (known == positions.end() || llvm::is_contained(from, known->second))
        continue;
      from.push_back(known->second);
      if (isInside(layer, known->second))
        goesOn.insert(*operand.from);
    }
    positions[layer.index] = positions.size();
  }
  std::vector<GraphRow> rows = placeInRows(sources);
  for (const GraphRow &row : rows) {
    numColumns = std::max(numColumns, row.column + 1);
    for (size_t column : row.passing)
      numColumns = std::max(numColumns, column + 1);
  }
  os << "<h2>Layers</h2>\n<div class=\"row head\"><svg width=\""
     << kColumnWidth * numColumns << "\" height=\"1\"></svg>";
  for (StringRef column : {"name", "kind", "result", "macs", "target", "why"})
    os << "<span class=\"" << column << "\">"
       << (column == "name"     ? "layer"
           : column == "kind"   ? "operator"
           : column == "macs"   ? "MACs"
           : column == "target" ? "runs on"
           : column == "why"    ? "why not elsewhere"
                                : "result")
       << "</span>";
  os << "</div>\n";
  for (auto [layer, row] : llvm::zip_equal(explanation.layers, rows))
    printRow(layer, row);
}

std::string Page::print() {
  std::string model = escapeHTML(llvm::sys::path::filename(explanation.model));
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n"
        "<title>"
     << model << ": where each layer runs</title>\n<style>" << kPageStyle
     << kSharesStyle << kStyle << "</style>\n</head>\n<body>\n<h1>" << model
     << "</h1>\n";
  printShares(os, explanation);
  printReasons();
  printGraph();
  os << "</body>\n</html>\n";
  return text;
}

std::string uma::toHTML(const Explanation &explanation, ModuleOp module) {
  return Page(explanation, module).print();
}
