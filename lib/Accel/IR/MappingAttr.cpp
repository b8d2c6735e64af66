//===- MappingAttr.cpp - Mappings of matches to devices -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/MappingAssembly.h"
#include "uma/IR/UMADialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;

ParseResult uma::parseMapping(AsmParser &parser, ArrayAttr &dims,
                              SmallVector<int64_t> &tiles, ArrayAttr &buffers,
                              SmallVector<int64_t> &levels,
                              SmallVector<int64_t> &counts, bool &rows,
                              bool &interleaved) {
  SmallVector<StringRef> dimNames, bufferNames;
  auto parseLoop = [&] {
    return failure(parser.parseKeyword(&dimNames.emplace_back()) ||
                   parser.parseKeyword("by") ||
                   parser.parseInteger(tiles.emplace_back()));
  };
  auto parseBuffer = [&]() -> ParseResult {
    if (parser.parseKeyword(&bufferNames.emplace_back()) ||
        parser.parseKeyword("at") || parser.parseInteger(levels.emplace_back()))
      return failure();
    bool isKept = succeeded(parser.parseOptionalKeyword("kept"));
    bool isDouble = !isKept && succeeded(parser.parseOptionalKeyword("double"));
    counts.push_back(isKept ? 0 : isDouble ? 2 : 1);
    return success();
  };
  using Delimiter = AsmParser::Delimiter;
  if (parser.parseKeyword("loops") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(Delimiter::Square, parseLoop) ||
      parser.parseComma() || parser.parseKeyword("buffers") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(Delimiter::Square, parseBuffer))
    return failure();
  rows = interleaved = false;
  if (succeeded(parser.parseOptionalComma())) {
    rows = succeeded(parser.parseOptionalKeyword("rows"));
    interleaved = !rows || succeeded(parser.parseOptionalComma());
    if (interleaved && failed(parser.parseOptionalKeyword("interleaved")))
      return parser.emitError(parser.getCurrentLocation())
             << "expected " << (rows ? "" : "'rows' or ") << "'interleaved'";
  }
  dims = parser.getBuilder().getStrArrayAttr(dimNames);
  buffers = parser.getBuilder().getStrArrayAttr(bufferNames);
  return success();
}

void uma::printMapping(AsmPrinter &printer, ArrayAttr dims,
                       ArrayRef<int64_t> tiles, ArrayAttr buffers,
                       ArrayRef<int64_t> levels, ArrayRef<int64_t> counts,
                       bool rows, bool interleaved) {
  auto names = [](ArrayAttr array) {
    return array.getAsValueRange<StringAttr>();
  };
  printer << "loops = [";
  llvm::interleaveComma(llvm::zip_equal(names(dims), tiles), printer,
                        [&](auto loop) {
                          auto [name, tile] = loop;
                          printer << name << " by " << tile;
                        });
  printer << "], buffers = [";
  llvm::interleaveComma(llvm::zip_equal(names(buffers), levels, counts),
                        printer, [&](auto buffer) {
                          auto [name, level, count] = buffer;
                          printer << name << " at " << level
                                  << (count == 0   ? " kept"
                                      : count == 2 ? " double"
                                                   : "");
                        });
  printer << "]" << (rows ? ", rows" : "")
          << (interleaved ? ", interleaved" : "");
}

LogicalResult MappingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayAttr dims, ArrayRef<int64_t> tiles,
                                  ArrayAttr buffers, ArrayRef<int64_t> levels,
                                  ArrayRef<int64_t> counts, bool /*rows*/,
                                  bool /*interleaved*/) {
  if (dims.size() != tiles.size() || buffers.size() != levels.size() ||
      buffers.size() != counts.size() ||
      !llvm::all_of(dims, llvm::IsaPred<StringAttr>) ||
      !llvm::all_of(buffers, llvm::IsaPred<StringAttr>))
    return emitError() << "each loop of a mapping has a dim and a tile, each "
                          "buffer a tensor, a level and a count";
  for (int64_t tile : tiles)
    if (tile < 1)
      return emitError() << "a tile has " << tile
                         << " elements, expected 1 or more";
  for (auto [name, level] :
       llvm::zip_equal(buffers.getAsValueRange<StringAttr>(), levels))
    if (level < 0 || level > static_cast<int64_t>(dims.size()))
      return emitError() << "buffer '" << name << "' is at level " << level
                         << ", but there are " << dims.size() << " loops";
  for (auto [name, level, count] :
       llvm::zip_equal(buffers.getAsValueRange<StringAttr>(), levels, counts)) {
    if (count < 0 || count > 2)
      return emitError() << "a tensor has 1 or 2 buffers, or 0 if it is kept, "
                            "found "
                         << count;
    if (count == 0 && level != 0)
      return emitError() << "tensor '" << name << "' is kept whole, so it is "
                         << "at level 0, found " << level;
  }
  return success();
}
