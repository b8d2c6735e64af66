//===- TestReport.cpp - Results of uma test -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TestLayers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;

/// Maximum number of printed failures per pattern; the others are counted.
static constexpr unsigned kMaxPrinted = 3;

static unsigned count(const TestedPattern &pattern,
                      llvm::function_ref<bool(const TestLayer &)> isCounted) {
  return llvm::count_if(pattern.layers, isCounted);
}

static unsigned countFailed(const TestedPattern &pattern) {
  return count(pattern,
               [](const TestLayer &layer) { return layer.hasFailed(); });
}

static std::string describeTaker(const TestedPattern &pattern,
                                 const TestLayer &layer) {
  return layer.takenBy.empty()
             ? "pattern '" + pattern.name + "'"
             : "pattern '" + layer.takenBy + "', which takes a layer of '" +
                   pattern.name + "'";
}

static void printFailures(const TestedPattern &pattern) {
  unsigned printed = 0;
  for (const TestLayer &layer : pattern.layers)
    if (layer.hasFailed() && printed++ < kMaxPrinted)
      printMessage({Severity::Error, pattern.where,
                    describeTaker(pattern, layer) + ": " + layer.text + ": " +
                        layer.message});
  if (printed > kMaxPrinted)
    printMessage({Severity::Note, pattern.where,
                  std::to_string(printed - kMaxPrinted) +
                      " more layers of it fail; --verbose prints all"});
  if (!pattern.problem.empty())
    printMessage({Severity::Error, pattern.where,
                  "pattern '" + pattern.name + "': " + pattern.problem});
}

static void printWarnings(const TestedPattern &pattern) {
  for (const std::string &suspicious : pattern.suspicious)
    printMessage({Severity::Warning, pattern.where,
                  "pattern '" + pattern.name + "': " + suspicious});
}

static StringRef getStatusText(const TestLayer &layer) {
  switch (layer.status) {
  case TestStatus::NotRun:
    return "not run";
  case TestStatus::Equal:
    return "equal";
  case TestStatus::Differs:
    return "DIFFERENT";
  case TestStatus::DeviceFailed:
    return "FAILED";
  }
  llvm_unreachable("every status has a text");
}

void uma::printTested(const TestedDescription &tested, bool verbose) {
  for (const TestedPattern &pattern : tested.patterns) {
    printWarnings(pattern);
    printFailures(pattern);
  }

  for (const TestedInstruction &instruction : tested.instructions) {
    if (!instruction.problem.empty())
      printMessage(
          {Severity::Error, instruction.where,
           "instruction '" + instruction.name + "': " + instruction.problem});
    llvm::outs() << "instruction '" << instruction.name << "': "
                 << (!instruction.problem.empty()    ? "FAILED"
                     : !instruction.untested.empty() ? "not tested: "
                                                     : "equal for ")
                 << instruction.untested;
    if (instruction.problem.empty() && instruction.untested.empty())
      llvm::outs() << instruction.amount;
    llvm::outs() << '\n';
  }
  if (tested.patterns.empty())
    return;

  size_t width = 7;
  for (const TestedPattern &pattern : tested.patterns)
    width = std::max(width, pattern.name.size());
  auto pad = [&](StringRef text) {
    return text.str() + std::string(width - text.size(), ' ');
  };
  llvm::outs() << pad("pattern") << "  layers  equal  failed  refused\n";
  for (const TestedPattern &pattern : tested.patterns) {
    unsigned equal = count(pattern, [](const TestLayer &layer) {
      return layer.status == TestStatus::Equal;
    });
    llvm::outs() << pad(pattern.name)
                 << llvm::formatv("  {0,6}  {1,5}  {2,6}  {3,7}\n",
                                  pattern.layers.size(), equal,
                                  countFailed(pattern), pattern.refused.size());
    if (verbose) {
      for (const TestLayer &layer : pattern.layers)
        llvm::outs() << "  " << getStatusText(layer) << ": " << layer.text
                     << (layer.takenBy.empty()
                             ? std::string()
                             : ", taken by '" + layer.takenBy + "'")
                     << (layer.message.empty() ? "" : ": ") << layer.message
                     << '\n';
      for (const accel::RefusedSample &refused : pattern.refused)
        llvm::outs() << "  refused: " << refused.text << ": " << refused.reason
                     << '\n';
    }
  }
  for (const TestedPattern &pattern : tested.patterns)
    for (const std::string &untested : pattern.untested)
      llvm::outs() << "not tested: '" << pattern.name << "': " << untested
                   << '\n';
}

//===----------------------------------------------------------------------===//
// JUnit
//===----------------------------------------------------------------------===//

/// Converts text to XML; characters that XML lacks become '?'.
static std::string toXML(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20)
      result += c == '\n' || c == '\t' ? ' ' : '?';
    else
      result += c;
  }
  return result;
}

std::string uma::getJUnitText(const TestedDescription &tested, uint64_t seed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\""
     << toXML(tested.accelerator) << "\">\n";
  for (const TestedPattern &pattern : tested.patterns) {
    unsigned skipped = count(pattern, [](const TestLayer &layer) {
      return layer.status == TestStatus::NotRun;
    });
    bool hasProblem = !pattern.problem.empty();
    size_t tests = pattern.layers.size() + pattern.refused.size() +
                   pattern.untested.size() + (hasProblem ? 1 : 0);
    os << "  <testsuite name=\""
       << toXML(tested.accelerator + "." + pattern.name) << "\" tests=\""
       << tests << "\" failures=\""
       << countFailed(pattern) + (hasProblem ? 1 : 0)
       << "\" errors=\"0\" skipped=\"" << skipped + pattern.untested.size()
       << "\">\n    <properties><property name=\"seed\" value=\"" << seed
       << "\"/></properties>\n";
    auto begin = [&](StringRef name) -> llvm::raw_ostream & {
      return os << "    <testcase classname=\""
                << toXML(tested.accelerator + "." + pattern.name)
                << "\" name=\"" << toXML(name) << "\"";
    };
    for (const TestLayer &layer : pattern.layers) {
      begin(layer.text);
      std::string message = toXML(layer.message);
      if (layer.hasFailed())
        os << "><failure message=\"" << message << "\">" << toXML(pattern.where)
           << ": " << message << "</failure></testcase>\n";
      else if (layer.status == TestStatus::NotRun)
        os << "><skipped message=\""
           << (message.empty() ? toXML(tested.notRun) : message)
           << "\"/></testcase>\n";
      else
        os << "/>\n";
    }
    for (const accel::RefusedSample &refused : pattern.refused)
      begin("refused: " + refused.text) << "/>\n";
    for (const std::string &untested : pattern.untested)
      begin("not tested: " + untested)
          << "><skipped message=\"" << toXML(untested) << "\"/></testcase>\n";
    if (hasProblem)
      begin("reached") << "><failure message=\"" << toXML(pattern.problem)
                       << "\">" << toXML(pattern.where) << ": "
                       << toXML(pattern.problem) << "</failure></testcase>\n";
    os << "  </testsuite>\n";
  }
  for (const TestedInstruction &instruction : tested.instructions) {
    bool hasFailed = !instruction.problem.empty();
    bool isSkipped = !hasFailed && !instruction.untested.empty();
    std::string suite = toXML(tested.accelerator + "." + instruction.name);
    os << "  <testsuite name=\"" << suite << "\" tests=\"1\" failures=\""
       << hasFailed << "\" errors=\"0\" skipped=\"" << isSkipped
       << "\">\n    <testcase classname=\"" << suite
       << "\" name=\"instruction\"";
    if (hasFailed)
      os << "><failure message=\"" << toXML(instruction.problem) << "\">"
         << toXML(instruction.where) << ": " << toXML(instruction.problem)
         << "</failure></testcase>\n";
    else if (isSkipped)
      os << "><skipped message=\"" << toXML(instruction.untested)
         << "\"/></testcase>\n";
    else
      os << "/>\n";
    os << "  </testsuite>\n";
  }
  os << "</testsuites>\n";
  return text;
}
