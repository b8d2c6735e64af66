//===- SharesHTML.h - The share of each target -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_EXPLAIN_SHARESHTML_H
#define UMA_LIB_DRIVER_EXPLAIN_SHARESHTML_H

#include "Explanation.h"

namespace uma {

/// Styles of printShares().
inline constexpr llvm::StringLiteral kSharesStyle = R"(
.bar { display: flex; height: 14px; max-width: 60em; border-radius: 3px; overflow: hidden; }
.legend { list-style: none; margin: .6em 0; padding: 0; }
.dot { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .5em; }
)";

/// Prints the share of each target in the MACs as a bar with a legend.
void printShares(llvm::raw_ostream &os, const Explanation &explanation);

} // namespace uma

#endif // UMA_LIB_DRIVER_EXPLAIN_SHARESHTML_H
