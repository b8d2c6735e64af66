//===- PackageNetwork.cpp - C files of a network --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Splits large networks, because editors, compilers and repositories are slow
// for large files. Layers are independent and can be compiled in parallel.
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/LineDirectives.h"
#include "uma/Target/C/ToC.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;

static std::string getInclude(StringRef header) {
  return ("#include \"" + header + "\"\n").str();
}

/// Returns the header with the declarations that the network's files share.
static std::string getLayersHeaderText(const PackageInfo &info,
                                       const CParts &parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* For the files of this network only; callers include " << info.name
     << ".h. */\n#ifndef " << info.macro << "_LAYERS_H\n#define " << info.macro
     << "_LAYERS_H\n\n"
     << getInclude(info.name + ".h") << '\n'
     << parts.head << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (const CParts::Function &function : parts.functions)
    os << function.declaration;
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}

/// Distributes the layers over files of about the same size.
static void addLayers(const CParts &parts, int64_t maxBytes, PackageInfo &info,
                      PackageFiles &files) {
  int64_t total = 0, done = 0;
  for (const CParts::Function &function : parts.functions)
    if (!function.declaration.empty())
      total += function.text.size();
  int64_t count = llvm::divideCeil(total, maxBytes), number = 0;
  std::string *text = nullptr;
  for (const CParts::Function &function : parts.functions) {
    if (function.declaration.empty())
      continue;
    // The middle of a function determines its file.
    int64_t size = function.text.size(), middle = done + size / 2;
    done += size;
    if (middle / int64_t(llvm::divideCeil(total, count)) >= number) {
      info.sources.push_back(info.name + "_layers" + std::to_string(++number) +
                             ".c");
      text = &files[info.sources.back()].text;
      *text = getInclude(info.layersHeader);
    }
    *text += function.text;
  }
}

/// Replaces each mark kOwnLines after C of a description by a `#line` that
/// refers to `file` again.
static std::string resolveLines(StringRef text, StringRef file) {
  std::string result;
  unsigned number = 0;
  for (StringRef rest = text; !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    ++number;
    if (line.trim() == kOwnLines)
      result += (line.take_while(llvm::isSpace) + "#line " + Twine(number + 1) +
                 " " + toCString(file))
                    .str();
    else
      result += line;
    if (line.size() < rest.size())
      result += '\n';
    rest = behind;
  }
  return result;
}

/// Adds the C of the network as addNetwork does, but leaves the marks
/// kOwnLines.
static LogicalResult addSources(ModuleOp module, int64_t maxBytes,
                                PackageInfo &info, PackageFiles &files) {
  std::string name = info.name + ".c";
  info.sources.push_back(name);
  std::string &source = files[name].text;
  source = getInclude(info.name + ".h") + "\n";
  llvm::raw_string_ostream os(source);
  if (failed(printC(module, os, GlobalsAs::Declarations)))
    return failure();
  std::string tables = getTablesText(info);
  os << tables;
  if (int64_t(source.size()) <= maxBytes)
    return success();

  FailureOr<CParts> parts = printParts(module, GlobalsAs::Declarations);
  if (failed(parts))
    return failure();
  info.layersHeader = info.name + "_layers.h";
  files[info.layersHeader] = getLayersHeaderText(info, *parts);
  addLayers(*parts, maxBytes, info, files);
  source = getInclude(info.layersHeader);
  for (const CParts::Function &function : parts->functions)
    if (function.declaration.empty())
      source += function.text;
  source += tables;
  return success();
}

LogicalResult uma::addNetwork(ModuleOp module, int64_t maxBytes,
                              PackageInfo &info, PackageFiles &files) {
  if (failed(addSources(module, maxBytes, info, files)))
    return failure();
  for (const std::string &name : info.sources)
    files[name].text = resolveLines(files[name].text, name);
  return success();
}
