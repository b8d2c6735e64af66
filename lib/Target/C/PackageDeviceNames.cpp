//===- PackageDeviceNames.cpp - Names in devices' files -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A network may have the name of a device, and a tensor the name of a macro in
// its header. A scanner with minimal knowledge of C collects the names. It
// works for headers that include others or need compiler flags, and a false
// positive only costs a name suffix.
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/UsedAccelerators.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

namespace {
/// Collects the macros of a C file, and the identifiers outside of parentheses
/// and braces: functions, objects, types and enumerators.
class NameScanner {
public:
  NameScanner(StringRef text, llvm::StringSet<> &names)
      : rest(text), names(names) {}

  void scan() {
    while (!rest.empty())
      scanToken();
  }

private:
  void scanToken();
  /// Skips a literal that starts with its quote.
  void skipLiteral();
  /// Skips a preprocessor directive and collects the name that it defines.
  void scanDirective();
  StringRef takeIdentifier() {
    StringRef name =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(name.size());
    return name;
  }
  void openBrace();

  StringRef rest;
  llvm::StringSet<> &names;
  unsigned parentheses = 0;
  /// Whether the names inside each open brace are at file scope, as in `extern
  /// "C" {` and `enum {`.
  SmallVector<bool> braces;
  bool isAfterString = false;
  bool isAfterEnum = false;
};
} // namespace

void NameScanner::skipLiteral() {
  char quote = rest.front();
  rest = rest.drop_front();
  while (!rest.empty() && rest.front() != quote && rest.front() != '\n')
    rest = rest.substr(rest.front() == '\\' ? 2 : 1);
  rest = rest.substr(1);
}

void NameScanner::scanDirective() {
  rest = rest.drop_front().ltrim(" \t");
  if (takeIdentifier() == "define") {
    rest = rest.ltrim(" \t");
    names.insert(takeIdentifier());
  }
  while (!rest.empty()) {
    auto [line, others] = rest.split('\n');
    rest = others;
    if (!line.rtrim('\r').ends_with("\\"))
      return;
  }
}

void NameScanner::openBrace() {
  braces.push_back(isAfterString || isAfterEnum);
  isAfterEnum = false;
}

void NameScanner::scanToken() {
  char c = rest.front();
  if (rest.consume_front("/*")) {
    rest = rest.split("*/").second;
    return;
  }
  if (rest.consume_front("//")) {
    rest = rest.split('\n').second;
    return;
  }
  if (c == '"' || c == '\'') {
    skipLiteral();
    isAfterString = true;
    return;
  }
  if (c == '#')
    return scanDirective();
  if (llvm::isAlnum(c) || c == '_') {
    StringRef name = takeIdentifier();
    isAfterEnum |= name == "enum";
    if (parentheses == 0 && !llvm::is_contained(braces, false))
      names.insert(name);
  } else {
    rest = rest.drop_front();
    if (c == '(')
      ++parentheses;
    else if (c == ')')
      parentheses -= parentheses > 0;
    else if (c == '{')
      openBrace();
    else if (c == '}' && !braces.empty())
      braces.pop_back();
    else if (c == ';')
      isAfterEnum = false;
  }
  if (!llvm::isSpace(c))
    isAfterString = false;
}

llvm::StringSet<> uma::getDeviceNames(ModuleOp module,
                                      const PackageFiles &files) {
  llvm::StringSet<> names;
  for (accel::AcceleratorOp accelerator : getUsedAccelerators(module))
    for (auto include : accelerator.getOps<accel::IncludeOp>())
      names.insert(llvm::sys::path::filename(include.getHeader()));
  for (const auto &[name, file] : files) {
    names.insert(llvm::sys::path::filename(name));
    NameScanner(file.text, names).scan();
  }
  return names;
}
