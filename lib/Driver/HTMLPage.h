//===- HTMLPage.h - Common parts of HTML reports -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HTMLPAGE_H
#define UMA_LIB_DRIVER_HTMLPAGE_H

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace uma {

/// Returns `text` for HTML, with escapes for invisible characters.
inline std::string escapeHTML(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(toPrintable(text), os);
  return result;
}

/// Formats a number with separated thousands for HTML, without line breaks.
std::string getCountHTML(int64_t count);

/// Colors for light and dark screens, and the styles of text and tables.
inline constexpr llvm::StringLiteral kPageStyle = R"(
:root { --back: #fff; --text: #1b1b1b; --faint: #666; --line: #9a9a9a; --mark: #eef3f8; --border: #ddd; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181b; --text: #e6e6e6; --faint: #a0a0a0; --line: #777; --mark: #23282e; --border: #3a3f45; }
}
body { margin: 1.5em 2em; background: var(--back); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
h1 { font-size: 1.4em; margin: 0 0 .6em; }
h2 { font-size: 1.1em; margin: 1.6em 0 .5em; }
table { border-collapse: collapse; }
th { text-align: left; font-weight: 600; color: var(--faint); }
td, th { padding: .15em 1.2em .15em 0; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
)";

/// Returns the color of a target: one by Okabe and Ito for each accelerator,
/// which are distinguishable with color blindness, and gray for the CPU.
llvm::StringRef getTargetColor(llvm::ArrayRef<std::string> accelerators,
                               llvm::StringRef target);

struct Explanation;

/// Styles of printShares().
inline constexpr llvm::StringLiteral kSharesStyle = R"(
.bar { display: flex; height: 14px; max-width: 60em; border-radius: 3px; overflow: hidden; }
.legend { list-style: none; margin: .6em 0; padding: 0; }
.dot { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .5em; }
)";

/// Prints the share of each target in the MACs as a bar with a legend.
void printShares(llvm::raw_ostream &os, const Explanation &explanation);

} // namespace uma

#endif // UMA_LIB_DRIVER_HTMLPAGE_H
