//===- MemoryOptions.h - Options about the workspace -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_MEMORYOPTIONS_H
#define UMA_TOOLS_UMA_MEMORYOPTIONS_H

#include "Command.h"
#include "WordParser.h"

#include "uma/Support/ByteCount.h"
#include "uma/Support/PrintableText.h"

#include "llvm/Support/raw_ostream.h"

namespace uma {

/// Parses a number of bytes above 0.
struct ByteCountParser : cl::parser<std::string> {
  using parser::parser;
  bool parse(cl::Option &option, llvm::StringRef /*name*/, llvm::StringRef text,
             std::string &value) {
    value = text.str();
    if (parseByteCount(text).value_or(0) > 0)
      return false;
    llvm::errs() << "uma: error: --" << option.ArgStr << "="
                 << toPrintable(text)
                 << ": expected a number of bytes above 0, such as 32768 or "
                    "32K\n";
    return true;
  }
  llvm::StringRef getValueName() const override { return "bytes"; }
};

/// Parses a memory, NAME=BYTES.
struct MemoryParser : cl::parser<std::string> {
  using parser::parser;
  bool parse(cl::Option &option, llvm::StringRef /*name*/, llvm::StringRef text,
             std::string &value) {
    value = text.str();
    if (parseNamedByteCount(text))
      return false;
    llvm::errs() << "uma: error: --memory=" << toPrintable(text)
                 << ": expected a name and a number of bytes, such as "
                    "dtcm=64K\n";
    return true;
  }
  llvm::StringRef getValueName() const override { return "name=bytes"; }
};

/// Where inputs and outputs are.
enum class TensorPlace { Outside, Inside };

/// Options `--memory`, `--io` and `--arena`.
struct MemoryOptions {
  explicit MemoryOptions(Command &owner)
      : memories("memory", cl::value_desc("name=bytes"),
                 cl::desc("A memory for a part of the workspace; repeat it for "
                          "each, the fastest first"),
                 cl::sub(owner.command), cl::cat(owner.category)),
        place("io", cl::init(TensorPlace::Outside),
              cl::value_desc("outside|inside"),
              cl::desc("Inputs and outputs in memory of the caller, or inside "
                       "the workspace, which then holds everything"),
              cl::values(clEnumValN(TensorPlace::Outside, "outside", ""),
                         clEnumValN(TensorPlace::Inside, "inside", "")),
              cl::sub(owner.command), cl::cat(owner.category)),
        arena(
            "arena", cl::value_desc("bytes"),
            cl::desc("Largest workspace; with K or M, of 1024 or 1024K bytes. "
                     "Layers run in parts where they would need more"),
            cl::sub(owner.command), cl::cat(owner.category)) {
    owner.offerValues(place);
  }

  void set(ModelOptions &options) const {
    options.memories.assign(memories.begin(), memories.end());
    options.tensorsInside = place == TensorPlace::Inside;
    options.arena = parseByteCount(arena).value_or(0);
  }

private:
  cl::list<std::string, bool, MemoryParser> memories;
  cl::opt<TensorPlace, false, WordParser<TensorPlace>> place;
  cl::opt<std::string, false, ByteCountParser> arena;
};

} // namespace uma

#endif // UMA_TOOLS_UMA_MEMORYOPTIONS_H
