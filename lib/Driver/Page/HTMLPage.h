//===- HTMLPage.h - Common parts of HTML reports -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PAGE_HTMLPAGE_H
#define UMA_LIB_DRIVER_PAGE_HTMLPAGE_H

#include "HTMLPageFiles.h"

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

/// Returns the color of a target: one by Okabe and Ito for each accelerator,
/// which are distinguishable with color blindness, and gray for the CPU.
llvm::StringRef getTargetColor(llvm::ArrayRef<std::string> accelerators,
                               llvm::StringRef target);

} // namespace uma

#endif // UMA_LIB_DRIVER_PAGE_HTMLPAGE_H
