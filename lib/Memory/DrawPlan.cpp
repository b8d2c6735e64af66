//===- DrawPlan.cpp - Memory plans as pictures-----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/DrawPlan.h"

#include "uma/Support/CountText.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace uma::memory;

// The shape of the picture in pixels.
static constexpr double kWidth = 1000, kHeight = 520;
static constexpr double kLeft = 90, kTop = 40, kRight = 20, kBottom = 40;
/// Number of colors of buffers.
static constexpr unsigned kColors = 6;

static constexpr llvm::StringLiteral kStyle = R"(<style>
svg { --back: #fff; --text: #1b1b1b; --faint: #666; --edge: #fff; --live: #b3261e;
  --c0: #8fb8de; --c1: #f2c57c; --c2: #a3d39c; --c3: #d9a5c7; --c4: #c9c08a; --c5: #9fd3d3; }
@media (prefers-color-scheme: dark) {
  svg { --back: #16181b; --text: #e6e6e6; --faint: #a0a0a0; --edge: #16181b; --live: #ff8a80;
    --c0: #35608a; --c1: #8a6420; --c2: #3f7538; --c3: #83496e; --c4: #6d6530; --c5: #2f7373; } }
text { font: 12px system-ui, sans-serif; fill: var(--text); }
.faint { fill: var(--faint); }
.axis { stroke: var(--faint); fill: none; }
.live { stroke: var(--live); stroke-width: 1.5; fill: none; pointer-events: none; }
.name { pointer-events: none; font-size: 11px; }
rect.b { stroke: var(--edge); stroke-width: .6; fill-opacity: .9; }
rect.b:hover { stroke: var(--text); stroke-width: 1.5; }
.c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); }
.c3 { fill: var(--c3); } .c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
</style>
)";

static std::string escape(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(uma::toPrintable(uma::shorten(text, 200)), os);
  return result;
}

namespace {
class Picture {
public:
  Picture(const Problem &problem, const Plan &plan,
          std::optional<int64_t> capacity)
      : problem(problem), plan(plan), capacity(capacity), os(text) {
    mostBytes = std::max<int64_t>({plan.size, capacity.value_or(0), 1});
    first = std::numeric_limits<int64_t>::max();
    last = std::numeric_limits<int64_t>::min();
    for (const Buffer &buffer : problem.buffers)
      if (!buffer.isEmpty()) {
        first = std::min(first, buffer.lower);
        last = std::max(last, buffer.upper);
      }
    if (first > last)
      first = last = 0;
  }

  std::string draw() {
    os << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 "
                        "0 {0} {1}\" role=\"img\">\n",
                        kWidth, kHeight);
    os << "<title>Memory plan</title>\n" << kStyle;
    os << "<rect width=\"100%\" height=\"100%\" style=\"fill: "
          "var(--back)\"/>\n";
    drawHeading();
    for (size_t i = 0; i < problem.buffers.size(); ++i)
      if (!problem.buffers[i].isEmpty())
        drawBuffer(i);
    drawLive();
    drawAxes();
    os << "</svg>\n";
    return std::move(text);
  }

private:
  double getX(int64_t time) const {
    double length = std::max(1.0, double(last) - double(first));
    return kLeft +
           (double(time) - double(first)) / length * (kWidth - kLeft - kRight);
  }
  double getY(int64_t offset) const {
    return kHeight - kBottom -
           double(offset) / double(mostBytes) * (kHeight - kTop - kBottom);
  }
  static auto number(double value) { return llvm::format("%.2f", value); }

  void drawHeading() {
    os << "<text x=\"" << kLeft << "\" y=\"22\">" << plan.offsets.size()
       << " buffers in " << uma::getCountText(plan.size) << " bytes; "
       << (plan.isSmallest()
               ? std::string("proven smallest")
               : "lower bound " + uma::getCountText(plan.bound) + " bytes")
       << "</text>\n";
  }

  void drawBuffer(size_t i) {
    const Buffer &buffer = problem.buffers[i];
    int64_t offset = plan.offsets[i];
    double x = getX(buffer.lower), width = getX(buffer.upper) - x;
    double y = getY(offset + buffer.size), height = getY(offset) - y;
    os << "<rect class=\"b c" << i % kColors << "\" x=\"" << number(x)
       << "\" y=\"" << number(y) << "\" width=\"" << number(width)
       << "\" height=\"" << number(height) << "\"><title>"
       << escape(buffer.name) << "\n"
       << uma::getCountText(buffer.size) << " bytes at "
       << uma::getCountText(offset) << "\nlive from " << buffer.lower << " to "
       << buffer.upper << "</title></rect>\n";
    // About 6.2 pixels per letter.
    if (height >= 13 && width >= 6.2 * double(buffer.name.size()) + 4)
      os << "<text class=\"name\" x=\"" << number(x + 3) << "\" y=\""
         << number(y + height / 2 + 4) << "\">" << escape(buffer.name)
         << "</text>\n";
  }

  /// Draws the live bytes over time.
  void drawLive() {
    std::map<int64_t, double> changes;
    for (const Buffer &buffer : problem.buffers)
      if (!buffer.isEmpty()) {
        changes[buffer.lower] += double(buffer.size);
        changes[buffer.upper] -= double(buffer.size);
      }
    os << "<path class=\"live\" d=\"M" << number(getX(first)) << ","
       << number(getY(0));
    double live = 0;
    for (auto [time, change] : changes) {
      live += change;
      // Related buffers share bytes, so that more may be live than there are.
      double shown = std::min(live, double(mostBytes));
      os << "H" << number(getX(time)) << "V"
         << number(getY(static_cast<int64_t>(shown)));
    }
    os << "\"><title>bytes live</title></path>\n";
  }

  void drawAxes() {
    os << "<path class=\"axis\" d=\"M" << kLeft << "," << kTop << "V"
       << kHeight - kBottom << "H" << kWidth - kRight << "\"/>\n";
    for (int i = 0; i <= 4; ++i) {
      auto bytes = static_cast<int64_t>(double(mostBytes) / 4 * i);
      os << "<text class=\"faint\" text-anchor=\"end\" x=\"" << kLeft - 6
         << "\" y=\"" << number(getY(bytes) + 4) << "\">"
         << uma::getCountText(bytes) << "</text>\n";
      auto time = static_cast<int64_t>(double(first) +
                                       (double(last) - double(first)) / 4 * i);
      os << "<text class=\"faint\" text-anchor=\""
         << (i == 0   ? "start"
             : i == 4 ? "end"
                      : "middle")
         << "\" x=\"" << number(getX(time)) << "\" y=\""
         << kHeight - kBottom + 18 << "\">" << time << "</text>\n";
    }
    os << "<text class=\"faint\" text-anchor=\"middle\" x=\"" << kWidth / 2
       << "\" y=\"" << kHeight - 6 << "\">time</text>\n";
    if (!capacity)
      return;
    os << "<path class=\"axis\" stroke-dasharray=\"6 4\" d=\"M" << kLeft << ","
       << number(getY(*capacity)) << "H" << kWidth - kRight
       << "\"><title>capacity</title></path>\n";
  }

  const Problem &problem;
  const Plan &plan;
  std::optional<int64_t> capacity;
  int64_t mostBytes, first, last;
  std::string text;
  llvm::raw_string_ostream os;
};
} // namespace

std::string uma::memory::drawPlan(const Problem &problem, const Plan &plan,
                                  std::optional<int64_t> capacity) {
  return Picture(problem, plan, capacity).draw();
}
