//===- PassText.cpp - Passes that descriptions may name -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes of plugins are not in the table: whoever loads a plugin runs its code.
// test/Accel/IR/pass-text.py fails if a pass of uma-opt is not classified.
//
//===----------------------------------------------------------------------===//

#include "PassText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace uma;
using llvm::StringRef;

namespace {
/// A pass that a description may not name, or may not with `option`.
struct ForbiddenPass {
  StringRef pass, option, effect;
};
} // namespace

static constexpr ForbiddenPass kForbidden[] = {
    {"convert-arm-sme-to-llvm", "dump-tile-live-ranges", "prints"},
    {"gpu-lower-to-nvvm-pipeline", "", "runs programs and reads files"},
    {"gpu-lower-to-xevm-pipeline", "", "runs programs and reads files"},
    {"gpu-module-to-binary", "", "runs programs and reads files"},
    {"print-ir", "", "prints"},
    {"print-op-stats", "", "prints"},
    {"snapshot-op-locations", "", "writes files"},
    {"sparsifier", "", "runs programs and reads files"},
    {"test-arm-sme-tile-allocation", "dump-tile-live-ranges", "prints"},
    {"transform-preload-library", "", "reads files"},
    {"transform.print", "", "prints"},
    {"uma-accel-load", "", "reads files and loads libraries"},
    {"uma-accel-map", "cache", "reads and writes files"},
    {"uma-cpu-load-scripts", "scripts", "reads files"},
    {"uma-cpu-plan", "cpu", "reads files"},
    {"uma-cpu-plan", "scripts", "reads files"},
    {"uma-cpu-plan", "tuning", "reads files"},
    {"uma-cpu-schedule", "tuning", "reads files"},
    {"uma-cpu-select-kernels", "tuning", "reads files"},
    {"uma-cpu-set-processor", "cpu", "reads files"},
    {"uma-cpu-tile-pairs", "tuning", "reads files"},
    {"uma-cpu-tile-producers", "tuning", "reads files"},
    {"uma-lower", "cpu", "reads files"},
    {"uma-lower", "mapping-cache", "reads and writes files"},
    {"uma-lower", "scripts", "reads files"},
    {"uma-lower", "tuning", "reads files"},
    {"uma-partition", "accelerator-dir", "reads files and loads libraries"},
    {"uma-partition", "accelerators", "reads files and loads libraries"},
    {"view-op-graph", "", "prints"},
    {"xegpu-propagate-layout", "print-analysis-only", "prints"},
};

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.';
}

std::string uma::accel::findForbiddenPass(StringRef text) {
  // Pipelines are nested in options of other passes, with quotes or braces
  // around them. Looking at all words finds them in any nesting.
  llvm::StringSet<> words, options;
  for (StringRef rest = text.drop_until(isWordCharacter); !rest.empty();
       rest = rest.drop_until(isWordCharacter)) {
    StringRef word = rest.take_while(isWordCharacter);
    rest = rest.drop_front(word.size());
    words.insert(word);
    if (rest.ltrim(" \t\r\n\"'").starts_with("="))
      options.insert(word);
  }
  for (const ForbiddenPass &entry : kForbidden) {
    if (!words.contains(entry.pass))
      continue;
    if (entry.option.empty())
      return ("'" + entry.pass + "' " + entry.effect).str();
    if (options.contains(entry.option))
      return ("'" + entry.pass + "' with '" + entry.option + "' " +
              entry.effect)
          .str();
  }
  return "";
}
