//===- CompileHTML.cpp - Page of uma compile --report ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A self-contained page. Numbers and tables are HTML, for readers without
// scripts and for screen readers; CompileReport.js draws the graph and the plan
// from the data, and links them.
//
//===----------------------------------------------------------------------===//

#include "../Explain/SharesHTML.h"
#include "../Page/HTMLPage.h"
#include "CompileReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

/// Formats bytes with all digits, and in a larger unit: "40 000 bytes".
static std::string getBytesText(int64_t bytes) {
  return getCountHTML(bytes) + (bytes == 1 ? " byte" : " bytes");
}

/// Formats bytes in the largest unit that fits: "39.1 KiB"; empty for few.
static std::string getUnitText(int64_t bytes) {
  static constexpr llvm::StringLiteral units[] = {"KiB", "MiB", "GiB", "TiB"};
  double size = double(bytes) / 1024;
  if (size < 1)
    return "";
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit)
    size /= 1024;
  return llvm::formatv("{0:f1} {1}", size, units[unit]);
}

namespace {
/// A column of the table of layers, which is left out if it is empty.
struct NumberColumn {
  StringRef title, unit;
  /// Returns std::nullopt for an empty cell.
  std::optional<double> (*get)(const MemoryStep &, const ReportStep &);
  bool hasFraction = false;
};

class CompilePage {
public:
  explicit CompilePage(const CompileReport &report)
      : report(report), memory(report.memory), os(text),
        hasReasons(!report.explanation.reasons.empty()) {}

  std::string print();

private:
  void printHead();
  void printSizes();
  void printSize(StringRef title, int64_t bytes, const Twine &note);
  void printGraph();
  void printPlan();
  void printPlanSummary();
  void printTensors();
  void printSteps();
  void printStep(size_t index);
  void printNumber(std::optional<double> number, bool hasFraction);
  bool isShown(const NumberColumn &column) const;
  void printFiles();
  void printData();
  StringRef getStepName(size_t index) const { return memory.steps[index].name; }

  const CompileReport &report;
  const MemoryUse &memory;
  std::string text;
  llvm::raw_string_ostream os;
  /// Whether the table says why layers are on the CPU.
  bool hasReasons;
};
} // namespace

static std::optional<double> getNonZero(int64_t number) {
  return number ? std::optional(double(number)) : std::nullopt;
}

static const NumberColumn kColumns[] = {
    {"MACs", "",
     [](auto &memory, auto &step) { return getNonZero(step.macs); }},
    {"Weights", "bytes",
     [](auto &memory, auto &step) { return getNonZero(memory.weightBytes); }},
    {"Activations", "bytes",
     [](auto &memory, auto &step) {
       return getNonZero(memory.activationBytes);
     }},
    {"Scratch", "bytes",
     [](auto &memory, auto &step) { return getNonZero(memory.scratchBytes); }},
    {"Cycles", "predicted",
     [](auto &memory, auto &step) {
       return step.cycles ? std::optional(double(*step.cycles)) : std::nullopt;
     }},
    {"Time", "&micro;s, measured",
     [](auto &memory, auto &step) { return step.microseconds; },
     /*hasFraction=*/true}};

bool CompilePage::isShown(const NumberColumn &column) const {
  return llvm::any_of(
      llvm::zip_equal(memory.steps, report.steps), [&](const auto &step) {
        return column.get(std::get<0>(step), std::get<1>(step)).has_value();
      });
}

void CompilePage::printNumber(std::optional<double> number, bool hasFraction) {
  os << "<td class=\"number\" data-value=\""
     << llvm::format("%.*f", hasFraction ? 3 : 0, number.value_or(0)) << "\">";
  if (number && hasFraction && *number < 100)
    os << llvm::format("%.2f", *number);
  else if (number)
    os << getCountHTML(int64_t(*number));
  os << "</td>";
}

void CompilePage::printHead() {
  std::string model = escapeHTML(report.model);
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>"
     << model << ": compiled by uma</title>\n<style>" << kPageStyle
     << kSharesStyle << kReportStyle << "</style>\n</head>\n<body>\n<h1>"
     << model << "</h1>\n<p class=\"command\"><code>"
     << escapeHTML(report.command) << "</code></p>\n";
}

void CompilePage::printSize(StringRef title, int64_t bytes, const Twine &note) {
  std::string unit = getUnitText(bytes);
  os << "<div class=\"size\"><h3>" << title << "</h3><p><b>"
     << getCountHTML(bytes) << "</b> bytes"
     << (unit.empty() ? "" : " <span class=\"faint\">(" + unit + ")</span>")
     << "</p><p class=\"faint\">" << note << "</p></div>\n";
}

void CompilePage::printSizes() {
  int64_t code = 0, inputs = 0, outputs = 0;
  size_t numCode = 0;
  for (const PackageSizes::File &file : report.sizes.files)
    if (StringRef name(file.name); name.ends_with(".c") || name.ends_with(".h"))
      if (llvm::sys::path::filename(name) != "main.c") {
        code += file.bytes;
        ++numCode;
      }
  for (const NetworkTensor &tensor : memory.arguments)
    (tensor.isOutput ? outputs : inputs) += tensor.bytes;
  os << "<div class=\"sizes\">\n";
  printSize("Workspace", report.sizes.workspace,
            memory.tensors.empty()
                ? Twine("no tensor between layers")
                : Twine(getCountHTML(int64_t(memory.tensors.size()))) +
                      (memory.tensors.size() == 1 ? " tensor" : " tensors") +
                      " in one arena");
  printSize("Weights", report.sizes.weights, "read-only");
  printSize("Inputs and outputs", inputs + outputs,
            "outside of the workspace: " + getCountHTML(inputs) + " in, " +
                getCountHTML(outputs) + " out");
  printSize("C sources", code,
            getCountHTML(int64_t(numCode)) +
                (numCode == 1 ? " file" : " files") +
                " without the example; text, not machine code");
  os << "</div>\n";
  if (!report.explanation.layers.empty())
    printShares(os, report.explanation);
}

void CompilePage::printGraph() {
  os << "<section id=\"graph\">\n<h2>Graph</h2>\n";
  if (report.operators.empty())
    os << "<p class=\"faint\">The network has no operators.</p>\n";
  else
    os << "<div class=\"tools\" hidden></div>\n<div class=\"view\"></div>\n"
          "<noscript><p class=\"faint\">The drawing needs scripts; the table "
          "of layers does not.</p></noscript>\n";
  os << "</section>\n";
}

void CompilePage::printPlanSummary() {
  int64_t arena = memory.arenaBytes, bound = memory.getBound();
  size_t peak = memory.getPeak();
  int64_t used = memory.steps[peak].usedBytes;
  os << "<p>Peak: <b>" << getBytesText(used) << "</b> in use at layer "
     << getCountHTML(int64_t(peak) + 1) << ", " << escapeHTML(getStepName(peak))
     << ". The arena has " << getBytesText(arena);
  if (arena == bound)
    os << ", the bound: the tensors that are live at one time take as much";
  else if (arena > bound)
    os << "; the bound is " << getBytesText(bound)
       << ", the tensors that are live at one time";
  else
    os << "; without overlaps it would have at least " << getBytesText(bound);
  os << ". ";
  if (memory.overlaps.empty())
    os << "No tensors overlap while both are live.";
  else
    os << getCountHTML(int64_t(memory.overlaps.size()))
       << (memory.overlaps.size() == 1 ? " result is" : " results are")
       << " written over data that the layer reads (hatched).";
  os << "</p>\n";
}

void CompilePage::printTensors() {
  os << "<details><summary>All tensors of the arena</summary>\n<div "
        "class=\"wide\"><table class=\"tensors\">\n<thead><tr><th>Tensor</th>"
        "<th>Type</th><th class=\"number\">Offset</th><th "
        "class=\"number\">Bytes</th><th>Live from</th><th>to</th></tr></thead>"
        "\n<tbody>\n";
  auto printStepName = [&](size_t index) {
    os << "<td>" << getCountHTML(int64_t(index) + 1) << ' '
       << escapeHTML(getStepName(index)) << "</td>";
  };
  for (const ArenaTensor &tensor : memory.tensors) {
    os << "<tr><th scope=\"row\">" << escapeHTML(tensor.name) << "</th><td>"
       << getCountHTML(tensor.elements) << " x " << tensor.element
       << "</td><td class=\"number\">" << getCountHTML(tensor.offset)
       << "</td><td class=\"number\">" << getCountHTML(tensor.bytes) << "</td>";
    printStepName(tensor.first);
    printStepName(tensor.last);
    os << "</tr>\n";
  }
  os << "</tbody></table></div></details>\n";
}

void CompilePage::printPlan() {
  os << "<section id=\"plan\">\n<h2>Memory plan</h2>\n";
  if (memory.tensors.empty()) {
    os << "<p class=\"faint\">No tensor lies in the workspace.</p>\n";
  } else {
    os << "<div class=\"tools\" hidden></div>\n<div class=\"view\"></div>\n"
          "<noscript><p class=\"faint\">The drawing needs scripts; the table "
          "of tensors does not.</p></noscript>\n";
  }
  os << "</section>\n";
  if (memory.tensors.empty())
    return;
  os << "<div class=\"notes\">\n";
  printPlanSummary();
  printTensors();
  os << "</div>\n";
}

void CompilePage::printStep(size_t index) {
  const MemoryStep &step = memory.steps[index];
  const ReportStep &entry = report.steps[index];
  std::string kinds = report.getKinds(index);
  os << "<tr data-step=\"" << index << "\"><td class=\"number\" data-value=\""
     << index << "\">" << getCountHTML(int64_t(index) + 1)
     << "</td><th scope=\"row\">" << escapeHTML(step.name);
  if (step.layers.size() > 1)
    os << "<span class=\"faint\"> + " << step.layers.size() - 1 << "</span>";
  os << "</th><td>"
     << (!kinds.empty()        ? escapeHTML(kinds)
         : step.isWait         ? "wait for the device"
         : step.layers.empty() ? "layout or copy"
                               : "data of the layer")
     << "</td><td><span class=\"dot\" style=\"background:"
     << getTargetColor(report.explanation.accelerators, step.target)
     << "\"></span>" << escapeHTML(step.target) << "</td>";
  for (const NumberColumn &column : kColumns)
    if (isShown(column))
      printNumber(column.get(step, entry), column.hasFraction);
  if (hasReasons)
    os << "<td class=\"why\">" << escapeHTML(report.getReasons(entry))
       << "</td>";
  os << "</tr>\n";
}

void CompilePage::printSteps() {
  os << "<section id=\"layers\">\n<h2>Layers, in the order of the run</h2>\n";
  if (report.steps.empty()) {
    os << "<p class=\"faint\">Nothing is computed.</p>\n</section>\n";
    return;
  }
  auto printHead = [&](StringRef title, bool isNumber = false,
                       StringRef unit = "") {
    os << "<th scope=\"col\"" << (isNumber ? " class=\"number\"" : "") << ">"
       << title;
    if (!unit.empty())
      os << "<span class=\"unit\"> " << unit << "</span>";
    os << "</th>";
  };
  os << "<div class=\"tools\" hidden></div>\n<table class=\"sortable "
        "layers\">\n<thead>"
        "<tr>";
  printHead("#", /*isNumber=*/true);
  printHead("Layer");
  printHead("Operators");
  printHead("Device");
  for (const NumberColumn &column : kColumns)
    if (isShown(column))
      printHead(column.title, /*isNumber=*/true, column.unit);
  if (hasReasons)
    printHead("Why not on a device");
  os << "</tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < report.steps.size(); ++i)
    printStep(i);
  os << "</tbody></table>\n</section>\n";
}

void CompilePage::printFiles() {
  os << "<section id=\"files\">\n<h2>Files of the "
        "package</h2>\n<table>\n<thead>"
        "<tr><th>File</th><th class=\"number\">Bytes</th></tr></thead>\n"
        "<tbody>\n";
  for (const PackageSizes::File &file : report.sizes.files)
    os << "<tr><td class=\"name\">" << escapeHTML(file.name)
       << "</td><td class=\"number\">" << getCountHTML(file.bytes)
       << "</td></tr>\n";
  os << "</tbody></table>\n<p class=\"faint\">SHA-256 of the model: <code>"
     << report.hash << "</code></p>\n</section>\n";
}

void CompilePage::printData() {
  std::string data;
  llvm::raw_string_ostream stream(data);
  printJSON(report, stream);
  os << "<script type=\"application/json\" id=\"data\">\n";
  // Nothing in the data ends the element.
  for (char c : data)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
  os << "</script>\n<script type=\"application/json\" id=\"colors\">"
     << llvm::json::Value([&] {
          llvm::json::Object colors;
          for (const TargetShare &target : report.explanation.targets)
            colors[target.target] =
                getTargetColor(report.explanation.accelerators, target.target);
          return colors;
        }())
     << "</script>\n<script>" << kReportScript << "</script>\n";
}

std::string CompilePage::print() {
  printHead();
  printSizes();
  os << "<div class=\"columns\">\n";
  printGraph();
  os << "<div>\n";
  printPlan();
  printSteps();
  os << "</div>\n</div>\n";
  printFiles();
  os << "<div id=\"tip\" role=\"tooltip\" hidden></div>\n";
  printData();
  os << "</body>\n</html>\n";
  return text;
}

std::string uma::toHTML(const CompileReport &report) {
  return CompilePage(report).print();
}
