//===- CPUAttributes.cpp - Attributes of CPU layers -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Verifiers check attributes in isolation; uma-cpu-verify checks that they fit
// their layer.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/IR/CPUAssembly.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/IR/UMADialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

#include "uma/CPU/IR/CPUEnums.cpp.inc"

using EmitErrorFn = function_ref<InFlightDiagnostic()>;

/// Maximum of all sizes, so that products of a few of them do not overflow.
static constexpr int64_t kMostSize = 1 << 20;

static LogicalResult checkSize(EmitErrorFn emitError, StringRef what,
                               int64_t size) {
  if (size >= 1 && size <= kMostSize)
    return success();
  return emitError() << what << " is " << size << ", expected 1 to "
                     << kMostSize;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

ParseResult uma::parseLayout(AsmParser &parser, StringAttr &dims,
                             int64_t &block, SmallVector<int64_t> &pad) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  StringRef letters =
      name.take_while([](char c) { return c >= 'A' && c <= 'Z'; });
  StringRef rest = name.drop_front(letters.size());
  block = 0;
  if (!rest.empty() &&
      (!rest.consume_back("c") || rest.getAsInteger(10, block) || block == 0))
    return parser.emitError(loc)
           << "'" << name
           << "' is no layout, expected letters for the dimensions, as in "
              "NCHW or NCHW16c";
  dims = parser.getBuilder().getStringAttr(letters);
  if (failed(parser.parseOptionalComma())) {
    pad.assign(4, 0);
    return success();
  }
  auto parsePad = [&] { return parser.parseInteger(pad.emplace_back()); };
  return failure(
      parser.parseKeyword("pad") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePad));
}

void uma::printLayout(AsmPrinter &printer, StringAttr dims, int64_t block,
                      ArrayRef<int64_t> pad) {
  printer << dims.getValue();
  if (block != 0)
    printer << block << 'c';
  if (llvm::all_of(pad, [](int64_t size) { return size == 0; }))
    return;
  printer << ", pad = [";
  llvm::interleaveComma(pad, printer);
  printer << ']';
}

LogicalResult LayoutAttr::verify(EmitErrorFn emitError, StringAttr dims,
                                 int64_t block, ArrayRef<int64_t> pad) {
  if (dims != "NCHW" && dims != "NHWC")
    return emitError() << "'" << dims.getValue()
                       << "' names the dimensions of no image, expected NCHW "
                          "or NHWC";
  if (block < 0 || block > kMostSize)
    return emitError() << "blocks of " << block << " channels, expected 1 to "
                       << kMostSize;
  if (pad.size() != 4)
    return emitError() << "pad has " << pad.size()
                       << " numbers, expected 4: above, in front, below, "
                          "behind";
  for (int64_t size : pad)
    if (size < 0 || size > kMostSize)
      return emitError() << "pad has " << size << ", expected 0 to "
                         << kMostSize;
  return success();
}

//===----------------------------------------------------------------------===//
// Kernels and their schedules
//===----------------------------------------------------------------------===//

LogicalResult KernelAttr::verify(EmitErrorFn emitError, Algorithm algorithm,
                                 int64_t tile, int64_t channels,
                                 FlatSymbolRefAttr script) {
  if ((algorithm == Algorithm::Script) != bool(script))
    return emitError() << (script ? "a name is for script, not for "
                                  : "expected the name of a script, as in "
                                    "<script, @pointwise>, for ")
                       << stringifyAlgorithm(algorithm);
  if (algorithm == Algorithm::Winograd) {
    if (tile != 2 && tile != 4)
      return emitError() << "tile is " << tile
                         << ", expected the side of a tile of Winograd's "
                            "algorithm, 2 or 4";
  } else if (algorithm == Algorithm::Im2col ||
             algorithm == Algorithm::Im2colPairs) {
    if (tile < 1 || tile > 8)
      return emitError() << "tile is " << tile
                         << ", expected the number of pixels whose sums are "
                            "computed together, 1 to 8";
    if (channels < 0 || channels > 8 ||
        (channels != 0 && algorithm == Algorithm::Im2colPairs))
      return emitError() << "channels is " << channels
                         << ", expected the number of channels whose sums are "
                            "computed together, 1 to 8, for im2col";
    return success();
  } else if (tile != 0) {
    return emitError() << "tile is for winograd and im2col, not for "
                       << stringifyAlgorithm(algorithm);
  }
  if (channels != 0)
    return emitError() << "channels is for im2col, not for "
                       << stringifyAlgorithm(algorithm);
  return success();
}

LogicalResult BlockingAttr::verify(EmitErrorFn emitError, DataOrder,
                                   int64_t loop, int64_t parts, int64_t packs,
                                   bool) {
  if (loop < 0 || loop > kMostSize)
    return emitError() << "loop is " << loop
                       << ", expected the number of a loop of the reduction";
  return success(succeeded(checkSize(emitError, "parts", parts)) &&
                 succeeded(checkSize(emitError, "packs", packs)));
}

ParseResult uma::parseISA(AsmParser &parser, StringAttr &isa) {
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  isa = parser.getBuilder().getStringAttr(name);
  return success();
}

void uma::printISA(AsmPrinter &printer, StringAttr isa) {
  printer << isa.getValue();
}

ParseResult uma::parseSets(AsmParser &parser, SmallVector<StringAttr> &sets) {
  return parser.parseCommaSeparatedList(
      [&] { return parseISA(parser, sets.emplace_back()); });
}

void uma::printSets(AsmPrinter &printer, ArrayRef<StringAttr> sets) {
  llvm::interleaveComma(sets, printer,
                        [&](StringAttr set) { printer << set.getValue(); });
}

ParseResult uma::parseTile(AsmParser &parser, int64_t &rows, int64_t &vectors,
                           int64_t &lanes) {
  SmallVector<int64_t> sizes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(sizes, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (sizes.size() != 3)
    return parser.emitError(loc, "a tile is rows x vectors x lanes, as in "
                                 "14x2x16");
  rows = sizes[0];
  vectors = sizes[1];
  lanes = sizes[2];
  return success();
}

void uma::printTile(AsmPrinter &printer, int64_t rows, int64_t vectors,
                    int64_t lanes) {
  printer << rows << 'x' << vectors << 'x' << lanes;
}

/// Parses a list of `, name = value` with the parsers in `options`, by name.
static ParseResult parseOptions(
    AsmParser &parser,
    ArrayRef<std::pair<StringRef, std::function<ParseResult()>>> options) {
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const auto *option = llvm::find_if(
        options, [&](const auto &option) { return option.first == name; });
    if (option == options.end()) {
      auto names = llvm::map_to_vector(
          options, [](const auto &option) { return option.first; });
      return parser.emitError(loc)
             << "'" << name << "' is none of " << llvm::join(names, ", ");
    }
    if (parser.parseEqual() || option->second())
      return failure();
  }
  return success();
}

template <typename T>
static std::function<ParseResult()> parseInto(AsmParser &parser, T &value) {
  return [&]() -> ParseResult {
    FailureOr<T> parsed = FieldParser<T>::parse(parser);
    if (succeeded(parsed))
      value = *parsed;
    return success(succeeded(parsed));
  };
}

static std::function<ParseResult()> parseInto(AsmParser &parser, bool &value) {
  return [&]() -> ParseResult {
    value = failed(parser.parseOptionalKeyword("false"));
    return value ? parser.parseKeyword("true") : success();
  };
}

ParseResult uma::parseKernelOptions(AsmParser &parser, int64_t &tile,
                                    int64_t &channels,
                                    FlatSymbolRefAttr &script) {
  tile = channels = 0;
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("tile"))) {
      if (parser.parseEqual() || parser.parseInteger(tile))
        return failure();
      continue;
    }
    if (succeeded(parser.parseOptionalKeyword("channels"))) {
      if (parser.parseEqual() || parser.parseInteger(channels))
        return failure();
      continue;
    }
    StringAttr name;
    if (failed(parser.parseOptionalSymbolName(name)))
      return parser.emitError(
          parser.getCurrentLocation(),
          "expected 'tile = 4', 'channels = 4', or the name of a "
          "script, as in '@pointwise'");
    script = FlatSymbolRefAttr::get(name);
  }
  return success();
}

void uma::printKernelOptions(AsmPrinter &printer, int64_t tile,
                             int64_t channels, FlatSymbolRefAttr script) {
  if (tile != 0)
    printer << ", tile = " << tile;
  if (channels != 0)
    printer << ", channels = " << channels;
  if (script)
    printer << ", " << script;
}

ParseResult uma::parseCoreOptions(AsmParser &parser, int64_t &coreRegisters,
                                  bool &floatUnit, bool &signedLoads) {
  coreRegisters = kUsualCoreRegisters;
  floatUnit = signedLoads = true;
  return parseOptions(parser,
                      {{"core_registers", parseInto(parser, coreRegisters)},
                       {"float_unit", parseInto(parser, floatUnit)},
                       {"signed_loads", parseInto(parser, signedLoads)}});
}

void uma::printCoreOptions(AsmPrinter &printer, int64_t coreRegisters,
                           bool floatUnit, bool signedLoads) {
  if (coreRegisters != kUsualCoreRegisters)
    printer << ", core_registers = " << coreRegisters;
  if (!floatUnit)
    printer << ", float_unit = false";
  if (!signedLoads)
    printer << ", signed_loads = false";
}

ParseResult uma::parseVersionOptions(AsmParser &parser, int64_t &slices,
                                     int64_t &sums, bool &byLane,
                                     Prefetch &prefetch,
                                     BlockingAttr &blocking) {
  slices = sums = 1;
  byLane = false;
  prefetch = Prefetch::None;
  return parseOptions(parser, {{"slices", parseInto(parser, slices)},
                               {"sums", parseInto(parser, sums)},
                               {"by_lane", parseInto(parser, byLane)},
                               {"prefetch", parseInto(parser, prefetch)},
                               {"blocking", parseInto(parser, blocking)}});
}

void uma::printVersionOptions(AsmPrinter &printer, int64_t slices, int64_t sums,
                              bool byLane, Prefetch prefetch,
                              BlockingAttr blocking) {
  if (slices != 1)
    printer << ", slices = " << slices;
  if (sums != 1)
    printer << ", sums = " << sums;
  if (byLane)
    printer << ", by_lane = true";
  if (prefetch != Prefetch::None)
    printer << ", prefetch = " << stringifyPrefetch(prefetch);
  if (blocking) {
    printer << ", blocking = ";
    printer.printStrippedAttrOrType(blocking);
  }
}

ParseResult uma::parseBlockingOptions(AsmParser &parser, int64_t &loop,
                                      int64_t &parts, int64_t &packs,
                                      bool &joinRows) {
  loop = 0;
  parts = packs = 1;
  joinRows = false;
  return parseOptions(parser, {{"loop", parseInto(parser, loop)},
                               {"parts", parseInto(parser, parts)},
                               {"packs", parseInto(parser, packs)},
                               {"join_rows", parseInto(parser, joinRows)}});
}

void uma::printBlockingOptions(AsmPrinter &printer, int64_t loop, int64_t parts,
                               int64_t packs, bool joinRows) {
  if (loop != 0)
    printer << ", loop = " << loop;
  if (parts != 1)
    printer << ", parts = " << parts;
  if (packs != 1)
    printer << ", packs = " << packs;
  if (joinRows)
    printer << ", join_rows = true";
}

/// Checks that `sets` are known, unique and in the order of ISA::getAll(), with
/// scalar at the end.
static LogicalResult checkSets(EmitErrorFn emitError,
                               ArrayRef<StringAttr> sets) {
  for (StringAttr set : sets)
    if (!ISA::lookup(set.getValue()))
      return emitError() << "'" << set.getValue()
                         << "' names no instructions, expected one of "
                         << llvm::join(ISA::getNames(), ", ");
  for (size_t i = 1; i < sets.size(); ++i)
    if (*ISA::getIndex(sets[i - 1]) >= *ISA::getIndex(sets[i]))
      return emitError() << "'" << sets[i].getValue() << "' comes behind '"
                         << sets[i - 1].getValue()
                         << "', expected each version once, in the order "
                         << llvm::join(ISA::getNames(), ", ");
  if (sets.empty() || sets.back().getValue() != ISA::getScalar().name)
    return emitError() << "the last version is not '" << ISA::getScalar().name
                       << "', which every processor has";
  return success();
}

LogicalResult ProcessorAttr::verify(EmitErrorFn emitError, StringAttr name,
                                    ArrayRef<StringAttr> sets, int64_t ports,
                                    int64_t portLanes, int64_t issue,
                                    int64_t latency, int64_t l1, int64_t l2,
                                    int64_t l2LineCycles,
                                    int64_t memoryLineCycles,
                                    int64_t coreRegisters, bool, bool) {
  if (failed(checkSets(emitError, sets)))
    return failure();
  std::pair<StringRef, int64_t> numbers[] = {
      {"ports", ports},
      {"port_lanes", portLanes},
      {"issue", issue},
      {"latency", latency},
      {"l2_line_cycles", l2LineCycles},
      {"memory_line_cycles", memoryLineCycles},
      {"core_registers", coreRegisters}};
  for (auto [what, number] : numbers)
    if (number < 1 || number > 1000)
      return emitError() << what << " is " << number << ", expected 1 to 1000";
  for (auto [what, bytes] :
       {std::pair<StringRef, int64_t>("l1", l1), {"l2", l2}})
    if (bytes < 0 || bytes > int64_t(1) << 30)
      return emitError() << what << " is " << bytes
                         << ", expected the bytes of a cache, 0 for none";
  return success();
}

LogicalResult VersionAttr::verify(EmitErrorFn emitError, StringAttr isa,
                                  int64_t rows, int64_t vectors, int64_t lanes,
                                  int64_t slices, int64_t sums, bool byLane,
                                  Prefetch, BlockingAttr blocking) {
  if (!ISA::lookup(isa.getValue()))
    return emitError() << "'" << isa.getValue()
                       << "' names no instructions, expected one of "
                       << llvm::join(ISA::getNames(), ", ");
  for (int64_t size : {rows, vectors, lanes})
    if (failed(checkSize(emitError, "a size of the tile", size)))
      return failure();
  if (failed(checkSize(emitError, "slices", slices)))
    return failure();
  if (blocking && slices != 1)
    return emitError() << "slices and blocking both slice the reduction, "
                          "expected one of the two";
  if (byLane && !ISA::lookup(isa.getValue())->hasLaneProducts)
    return emitError() << "'" << isa.getValue()
                       << "' has no products with one lane of a vector, which "
                          "by_lane asks for";
  if (byLane && blocking)
    return emitError() << "by_lane and blocking both say how data is read, "
                          "expected one of the two";
  if (sums != 1 && sums != 2)
    return emitError() << "sums is " << sums << ", expected 1 or 2";
  return success();
}

LogicalResult TileInstructionAttr::verify(EmitErrorFn emitError, StringAttr,
                                          int64_t lanes, int64_t rows,
                                          int64_t columns, int64_t words,
                                          int64_t lines) {
  for (int64_t size : {lanes, rows, columns, words, lines})
    if (failed(checkSize(emitError, "a size of the tile", size)))
      return failure();
  if (columns % lanes != 0)
    return emitError() << columns << " columns are no whole vectors of "
                       << lanes << " lanes";
  return success();
}

LogicalResult ScheduleAttr::verify(EmitErrorFn emitError, int64_t pack,
                                   ArrayRef<VersionAttr> versions,
                                   TileInstructionAttr instruction) {
  if (failed(checkSize(emitError, "pack", pack)))
    return failure();
  auto sets = llvm::map_to_vector(
      versions, [](VersionAttr version) { return version.getIsa(); });
  return checkSets(emitError, sets);
}

LogicalResult TilePairAttr::verify(EmitErrorFn emitError, int64_t packs,
                                   int64_t slabs) {
  return success(succeeded(checkSize(emitError, "packs", packs)) &&
                 succeeded(checkSize(emitError, "slabs", slabs)));
}
