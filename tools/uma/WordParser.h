//===- WordParser.h - Options whose values are words -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_WORDPARSER_H
#define UMA_TOOLS_UMA_WORDPARSER_H

#include "Command.h"

#include "llvm/Support/raw_ostream.h"

namespace uma {

/// Parses a word. Its help is one line, which names the values.
template <typename EnumT>
struct WordParser : cl::parser<EnumT> {
  using cl::parser<EnumT>::parser;
  size_t getOptionWidth(const cl::Option &option) const override {
    return getText(option).size() + 3;
  }
  void printOptionInfo(const cl::Option &option, size_t width) const override {
    std::string text = getText(option);
    llvm::outs() << text;
    cl::Option::printHelpStr(option.HelpStr, width, text.size() + 3);
  }

private:
  static std::string getText(const cl::Option &option) {
    return ("  --" + option.ArgStr + "=<" + option.ValueStr + ">").str();
  }
};

} // namespace uma

#endif // UMA_TOOLS_UMA_WORDPARSER_H
