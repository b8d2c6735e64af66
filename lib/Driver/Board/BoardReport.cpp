//===- BoardReport.cpp - What a network needs on a board ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "BoardReport.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

/// Returns a number with separators between thousands.
static std::string group(double number) {
  return llvm::formatv("{0:N0}", int64_t(number)).str();
}

//===----------------------------------------------------------------------===//
// Library functions
//===----------------------------------------------------------------------===//

static bool isForbidden(StringRef name) {
  static constexpr StringLiteral names[] = {
      "_sbrk",   "abort",    "aligned_alloc",  "calloc",    "exit",
      "fclose",  "fiprintf", "fopen",          "fprintf",   "fputc",
      "fputs",   "fread",    "free",           "fwrite",    "iprintf",
      "malloc",  "printf",   "posix_memalign", "putc",      "putchar",
      "puts",    "realloc",  "siprintf",       "sniprintf", "snprintf",
      "sprintf", "stderr",   "stdout",         "vfprintf",  "vprintf"};
  return llvm::is_contained(names, name);
}

LibraryCalls uma::sortLibraryCalls(ArrayRef<std::string> symbols) {
  LibraryCalls calls;
  for (const std::string &symbol : symbols) {
    if (isForbidden(symbol))
      calls.forbidden.push_back(symbol);
    // Names that C reserves for the compiler.
    if (StringRef(symbol).starts_with("__"))
      calls.compiler.push_back(symbol);
    else
      calls.functions.push_back(symbol);
  }
  return calls;
}

void uma::printLibraryCalls(const LibraryCalls &calls, raw_ostream &os) {
  auto join = [](ArrayRef<std::string> names) {
    return names.empty() ? "none" : llvm::join(names, ", ");
  };
  os << "calls to the C library: " << join(calls.functions)
     << "; to the compiler's: " << join(calls.compiler) << '\n';
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void uma::printLayers(const BoardRun &profiled, const BoardRun &plain,
                      const PackageDescription &package, raw_ostream &os) {
  int64_t allMACs = 0;
  for (const TargetDescription &target : package.targets)
    allMACs += target.macs;
  llvm::StringMap<unsigned> uses;
  for (const auto &[index, layer] : profiled.layers)
    ++uses[layer.name];
  // Several functions of a layer are told apart by what they compute.
  auto getName = [&](uint32_t index, const BoardLayer &layer) {
    std::string name = toPrintable(layer.name);
    if (uses[layer.name] < 2 || index >= package.calls.size())
      return name;
    StringRef function = package.calls[index].function;
    (void)function.consume_front(toCName(layer.name));
    return name + " (" + function.ltrim('_').str() + ")";
  };
  size_t width = StringRef("whole run").size();
  for (const auto &[index, layer] : profiled.layers)
    width = std::max(width, getName(index, layer).size());
  auto print = [&](StringRef name, double instructions, int64_t macs) {
    os << llvm::left_justify(name, width)
       << llvm::formatv("  {0,13}", group(instructions));
    if (macs)
      os << llvm::formatv("  {0,13}  {1,9:f2}", group(double(macs)),
                          instructions / double(macs));
    os << '\n';
  };
  os << llvm::left_justify("layer", width)
     << llvm::formatv("  {0,13}  {1,13}  {2,9}\n", "instructions", "MACs",
                      "per MAC");
  for (const auto &[index, layer] : profiled.layers)
    print(getName(index, layer), layer.instructions,
          index < package.calls.size() ? package.calls[index].macs : 0);
  print("whole run", plain.instructions, allMACs);
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

namespace {
struct Part {
  StringRef name;
  uint64_t bytes;
};
} // namespace

static SmallVector<Part> getFlashParts(const ImageSizes &sizes) {
  return {{"weights", sizes.weights},     {"code", sizes.code},
          {"constants", sizes.constants}, {"models of devices", sizes.devices},
          {"libraries", sizes.libraries}, {"initial values", sizes.initial},
          {"runner of uma", sizes.runner}};
}

static SmallVector<Part> getRAMParts(const ImageSizes &sizes) {
  return {{"workspace", sizes.workspace},
          {"inputs and outputs", sizes.tensors},
          {"variables of the network", sizes.data},
          {"variables of libraries", sizes.libraryData},
          {"reserved stack", sizes.stack},
          {"stack of faults", sizes.runnerData}};
}

static std::string listParts(ArrayRef<Part> parts) {
  SmallVector<std::string> texts;
  for (const Part &part : parts)
    if (part.bytes != 0)
      texts.push_back((part.name + " " + group(double(part.bytes))).str());
  return llvm::join(texts, ", ");
}

static void printMemory(StringRef title, const BoardMemory &memory,
                        uint64_t used, ArrayRef<Part> parts, raw_ostream &os) {
  os << title << group(double(used)) << " of " << group(double(memory.bytes))
     << " bytes: " << listParts(parts) << '\n';
}

void uma::printMemories(const Board &board, const ImageSizes &sizes,
                        raw_ostream &os) {
  printMemory("flash: ", board.flash, sizes.flash, getFlashParts(sizes), os);
  printMemory("RAM: ", board.ram, sizes.ram, getRAMParts(sizes), os);
}

std::string uma::explainOverflow(const Board &board, const ImageSizes &sizes) {
  auto explain = [&](const BoardMemory &memory, uint64_t used,
                     ArrayRef<Part> parts) -> std::string {
    if (used <= memory.bytes)
      return "";
    return "memory '" + memory.name + "' has " + group(double(memory.bytes)) +
           " bytes, " + group(double(used)) +
           " are needed: " + listParts(parts);
  };
  std::string flash = explain(board.flash, sizes.flash, getFlashParts(sizes));
  std::string ram = explain(board.ram, sizes.ram, getRAMParts(sizes));
  return flash.empty() || ram.empty() ? flash + ram : flash + "; " + ram;
}

//===----------------------------------------------------------------------===//
// Stack
//===----------------------------------------------------------------------===//

void uma::printStack(const Board &board, const StackUsage::Worst &worst,
                     const BoardRun &run, raw_ostream &os) {
  os << "stack: " << group(double(worst.bytes)) << " bytes"
     << (worst.isBound() ? " at most" : ", not bounded");
  if (run.instructions != 0)
    os << ", " << group(run.stack) << " in this run";
  os << ": " << llvm::join(worst.path, " > ");
  std::pair<StringRef, const std::set<std::string> &> reasons[] = {
      {"recursion", worst.recursive},
      {"a frame of variable size", worst.dynamic},
      {"calls through pointers", worst.indirect}};
  for (const auto &[reason, functions] : reasons)
    if (!functions.empty())
      os << "; " << reason << " in " << llvm::join(functions, ", ");
  os << '\n';
}
