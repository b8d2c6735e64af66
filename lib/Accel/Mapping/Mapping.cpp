//===- Mapping.cpp - How a device computes a match tile by tile -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/Mapping.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

int64_t Mapping::getNumSteps() const {
  int64_t steps = 1;
  for (const Loop &loop : loops)
    steps *= loop.trips;
  return steps;
}

void Mapping::decode(int64_t step, SmallVectorImpl<int64_t> &positions,
                     SmallVectorImpl<int64_t> &tiles) const {
  positions.resize(loops.size());
  tiles.resize(loops.size());
  for (size_t i = loops.size(); i-- > 0;) {
    int64_t trips = loops[i].trips;
    positions[i] = step % trips;
    step /= trips;
    // `step` is now the number of the sweep.
    bool isBackwards = isSerpentine && step % 2 == 1;
    tiles[i] = isBackwards ? trips - 1 - positions[i] : positions[i];
  }
}

SmallVector<int64_t, 4> Mapping::getTiles(const TileGeometry &geometry,
                                          unsigned level) const {
  SmallVector<int64_t, 4> sizes;
  for (const TileGeometry::Dim &dim : geometry.getDims())
    sizes.push_back(dim.size);
  for (const Loop &loop : ArrayRef(loops).take_front(level))
    sizes[loop.dim] = std::min(loop.tile, sizes[loop.dim]);
  return sizes;
}

void Mapping::getRanges(const TileGeometry &geometry, ArrayRef<int64_t> tiles,
                        unsigned level,
                        SmallVectorImpl<IndexRange> &ranges) const {
  ranges = geometry.getWholeRanges();
  for (auto [index, loop] :
       llvm::enumerate(ArrayRef(loops).take_front(level))) {
    int64_t begin = tiles[index] * loop.tile;
    IndexRange &range = ranges[loop.dim];
    range = {begin, std::min(loop.tile, range.size - begin)};
  }
}

MappingAttr Mapping::toAttribute(MLIRContext *context,
                                 const TileGeometry &geometry) const {
  Builder builder(context);
  SmallVector<Attribute> dims, buffers;
  SmallVector<int64_t> tiles, levels, counts;
  for (const Loop &loop : loops) {
    dims.push_back(builder.getStringAttr(
        DimOp(geometry.getDims()[loop.dim].op).getName()));
    tiles.push_back(loop.tile);
  }
  for (const Residence &residence : residences) {
    buffers.push_back(builder.getStringAttr(
        getTensorName(geometry.getTensors()[residence.tensor].pattern)));
    levels.push_back(residence.level);
    counts.push_back(residence.isKept ? 0 : residence.isDouble ? 2 : 1);
  }
  return MappingAttr::get(context, builder.getArrayAttr(dims), tiles,
                          builder.getArrayAttr(buffers), levels, counts,
                          !isSerpentine, isInterleaved);
}

FailureOr<Mapping> Mapping::fromAttribute(MappingAttr attribute,
                                          const TileGeometry &geometry,
                                          std::string &problem) {
  Mapping mapping;
  mapping.isSerpentine = !attribute.getRows();
  mapping.isInterleaved = attribute.getInterleaved();
  SmallVector<bool> seen(geometry.getDims().size());
  for (auto [name, tile] :
       llvm::zip_equal(attribute.getDims().getAsValueRange<StringAttr>(),
                       attribute.getTiles())) {
    std::optional<unsigned> dim = geometry.findDim(name);
    if (!dim || seen[*dim]) {
      problem = ("the loop over '" + name + "' is " +
                 (dim ? "written twice" : "along no size with a tile"))
                    .str();
      return failure();
    }
    seen[*dim] = true;
    const TileGeometry::Dim &info = geometry.getDims()[*dim];
    if (tile % info.step != 0) {
      problem = ("the tile of '" + name + "' has " + Twine(tile) +
                 " elements, expected a multiple of " + Twine(info.step))
                    .str();
      return failure();
    }
    mapping.loops.push_back(
        {*dim, tile, static_cast<int64_t>(llvm::divideCeil(info.size, tile))});
  }
  for (auto [name, level, count] :
       llvm::zip_equal(attribute.getBuffers().getAsValueRange<StringAttr>(),
                       attribute.getLevels(), attribute.getCounts())) {
    std::optional<unsigned> tensor;
    for (auto [index, known] : llvm::enumerate(geometry.getTensors()))
      if (known.pattern && getTensorName(known.pattern) == name)
        tensor = index;
    if (!tensor) {
      problem = ("the pattern has no tensor '" + name + "'").str();
      return failure();
    }
    mapping.residences.push_back(
        {*tensor, static_cast<unsigned>(level), count == 2, count == 0});
  }
  return mapping;
}
