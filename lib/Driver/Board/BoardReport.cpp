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
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

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

static void printLibraryCalls(const LibraryCalls &calls, raw_ostream &os) {
  auto join = [](ArrayRef<std::string> names) {
    return names.empty() ? "none" : llvm::join(names, ", ");
  };
  os << "calls to the C library: " << join(calls.functions)
     << "; to the compiler's: " << join(calls.compiler) << '\n';
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static int64_t getMACs(const PackageDescription &package) {
  int64_t macs = 0;
  for (const TargetDescription &target : package.targets)
    macs += target.macs;
  return macs;
}

static int64_t getMACs(const PackageDescription &package, uint32_t call) {
  return call < package.calls.size() ? package.calls[call].macs : 0;
}

/// Returns names of the calls in `layers`. Several functions of a layer are
/// told apart by what they compute.
static std::vector<std::string>
getNames(const std::map<uint32_t, BoardLayer> &layers,
         const PackageDescription &package) {
  llvm::StringMap<unsigned> uses;
  for (const auto &[index, layer] : layers)
    ++uses[layer.name];
  std::vector<std::string> names;
  for (const auto &[index, layer] : layers) {
    std::string &name = names.emplace_back(toPrintable(layer.name));
    if (uses[layer.name] < 2 || index >= package.calls.size())
      continue;
    StringRef function = package.calls[index].function;
    (void)function.consume_front(toCName(layer.name));
    if (StringRef what = function.ltrim('_'); !what.empty())
      name += " (" + what.str() + ")";
  }
  return names;
}

static void printLayers(const BoardReport &report, raw_ostream &os) {
  const auto &layers = report.profiled->layers;
  std::vector<std::string> names = getNames(layers, report.package);
  size_t width = StringRef("whole run").size();
  for (StringRef name : names)
    width = std::max(width, name.size());
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
  for (auto [entry, name] : llvm::zip_equal(layers, names))
    print(name, entry.second.instructions,
          getMACs(report.package, entry.first));
  print("whole run", report.run.instructions, getMACs(report.package));
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
          {"variables of models and libraries", sizes.libraryData},
          {"copies of inputs and outputs", sizes.runnerTensors},
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

/// Bytes of the network without what uma adds to run it.
static uint64_t getNetworkFlash(const ImageSizes &sizes) {
  return sizes.weights + sizes.code + sizes.constants + sizes.devices +
         sizes.libraries + sizes.initial;
}

static uint64_t getNetworkRAM(const ImageSizes &sizes) {
  return sizes.workspace + sizes.tensors + sizes.data + sizes.libraryData;
}

static void printMemories(const Board &board, const ImageSizes &sizes,
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

namespace {
/// A reason why the worst case is no bound.
struct Doubt {
  StringRef key, text;
  const std::set<std::string> &functions;
};
} // namespace

static SmallVector<Doubt> getDoubts(const StackUsage::Worst &worst) {
  return {{"recursion", "recursion", worst.recursive},
          {"variable_frame", "a frame of variable size", worst.dynamic},
          {"pointer", "calls through pointers", worst.indirect}};
}

static void printStack(const StackUsage::Worst &worst, const BoardRun &run,
                       raw_ostream &os) {
  os << "stack: " << group(double(worst.bytes)) << " bytes"
     << (worst.isBound() ? " at most" : ", not bounded");
  if (run.instructions != 0)
    os << ", " << group(run.stack) << " in this run";
  os << ": " << llvm::join(worst.path, " > ");
  for (const Doubt &doubt : getDoubts(worst))
    if (!doubt.functions.empty())
      os << "; " << doubt.text << " in " << llvm::join(doubt.functions, ", ");
  os << '\n';
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

void uma::printReport(const BoardReport &report, raw_ostream &os) {
  const ImageSizes &sizes = report.sizes;
  os << report.board.name << ": " << report.board.summary << '\n';
  if (report.profiled)
    printLayers(report, os);
  printMemories(report.board, sizes, os);
  printStack(report.stack, report.run, os);
  printLibraryCalls(report.calls, os);
  os << "the network alone: " << group(double(getNetworkFlash(sizes)))
     << " bytes of flash, " << group(double(getNetworkRAM(sizes)))
     << " of RAM and " << group(double(report.stack.bytes)) << " of stack\n";
}

std::string uma::toJSON(const BoardReport &report) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array layers;
  if (report.profiled) {
    std::vector<std::string> names =
        getNames(report.profiled->layers, report.package);
    for (auto [entry, name] : llvm::zip_equal(report.profiled->layers, names))
      layers.push_back(
          Object{{"index", entry.first},
                 {"name", llvm::json::fixUTF8(name)},
                 {"instructions", int64_t(entry.second.instructions)},
                 {"macs", getMACs(report.package, entry.first)}});
  }
  auto getMemory = [](const BoardMemory &memory, uint64_t used,
                      uint64_t network, ArrayRef<Part> parts) {
    Object object;
    for (const Part &part : parts) {
      std::string key = part.name.str();
      llvm::replace(key, ' ', '_');
      object[key] = part.bytes;
    }
    return Object{{"bytes", memory.bytes},
                  {"used", used},
                  {"network", network},
                  {"parts", std::move(object)}};
  };
  Object doubts;
  for (const Doubt &doubt : getDoubts(report.stack))
    if (!doubt.functions.empty())
      doubts[doubt.key] = Array(doubt.functions);
  Object object{{"format", "uma-board-report"},
                {"version", 1},
                {"board", llvm::json::fixUTF8(report.board.name)},
                {"network", report.package.name},
                {"flash", getMemory(report.board.flash, report.sizes.flash,
                                    getNetworkFlash(report.sizes),
                                    getFlashParts(report.sizes))},
                {"ram", getMemory(report.board.ram, report.sizes.ram,
                                  getNetworkRAM(report.sizes),
                                  getRAMParts(report.sizes))},
                {"stack", Object{{"bytes", report.stack.bytes},
                                 {"path", Array(report.stack.path)},
                                 {"doubts", std::move(doubts)}}},
                {"calls", Object{{"library", Array(report.calls.functions)},
                                 {"compiler", Array(report.calls.compiler)}}}};
  if (report.profiled) {
    object["layers"] = std::move(layers);
    object["instructions"] = int64_t(report.run.instructions);
    object["macs"] = getMACs(report.package);
    object.getObject("stack")->try_emplace("seen", report.run.stack);
  }
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}
