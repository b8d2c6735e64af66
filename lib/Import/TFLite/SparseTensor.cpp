//===- SparseTensor.cpp - Elements of sparse tensors ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SparseTensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

namespace {

/// One level of the tree of dimensions.
struct Level {
  int64_t size;
  /// Distance of neighbours along the dimension in the dense tensor.
  int64_t stride;
  bool isCompressed = false;
  SmallVector<int64_t> segments, indices;
};

class SparseReader {
public:
  SparseReader(const schema::SparsityParameters &parameters,
               ArrayRef<int64_t> shape, importer::ImportErrors &errors,
               const Twine &what)
      : parameters(parameters), shape(shape), errors(errors), what(what.str()) {
  }

  LogicalResult run(std::vector<int64_t> &positions);

private:
  LogicalResult bad(const Twine &message) {
    return errors.badInput(what + " is sparse, but " + message);
  }
  LogicalResult readOrder();
  LogicalResult readBlocks();
  LogicalResult readLevel(unsigned number, int64_t parents);

  const schema::SparsityParameters &parameters;
  ArrayRef<int64_t> shape;
  importer::ImportErrors &errors;
  std::string what;
  ArrayRef<int32_t> order, blockMap;
  SmallVector<const schema::DimensionMetadata *> metadata;
  /// The sizes and distances of the dimensions, then of those inside of blocks.
  SmallVector<int64_t> sizes, strides;
  std::vector<Level> levels;
};

} // namespace

LogicalResult SparseReader::readOrder() {
  order = getArray(parameters.traversal_order());
  blockMap = getArray(parameters.block_map());
  size_t count = shape.size() + blockMap.size();
  if (parameters.dim_metadata())
    llvm::append_range(metadata, *parameters.dim_metadata());
  if (order.size() != count || metadata.size() != count)
    return bad("it orders " + Twine(order.size()) + " dimensions and has " +
               Twine(metadata.size()) + " descriptions of them; expected " +
               Twine(count));
  llvm::SmallBitVector seen(count);
  for (int32_t dim : order) {
    if (dim < 0 || size_t(dim) >= count || seen.test(dim))
      return bad("its order of dimensions is no permutation");
    seen.set(dim);
  }
  return success();
}

LogicalResult SparseReader::readBlocks() {
  int64_t rank = shape.size();
  sizes.assign(shape.begin(), shape.end());
  strides.assign(rank, 1);
  for (int64_t dim = rank - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  for (auto [block, dim] : llvm::enumerate(blockMap)) {
    if (dim < 0 || dim >= rank)
      return bad("a block divides dimension " + Twine(dim) + " of " +
                 Twine(rank));
    if (llvm::is_contained(blockMap.take_front(block), dim))
      return bad("two blocks divide dimension " + Twine(dim));
    const auto *position = llvm::find(order, int32_t(rank + block));
    int64_t size = metadata[position - order.begin()]->dense_size();
    if (size < 1 || shape[dim] % size != 0)
      return bad("blocks of the size " + Twine(size) +
                 " do not divide dimension " + Twine(dim) + " of the size " +
                 Twine(shape[dim]));
    sizes[dim] /= size;
    sizes.push_back(size);
    strides.push_back(strides[dim]);
    strides[dim] *= size;
  }
  return success();
}

/// Returns the numbers of a vector of any of the three widths.
static SmallVector<int64_t> readIndices(schema::SparseIndexVector kind,
                                        const void *table) {
  SmallVector<int64_t> result;
  auto append = [&](const auto *typed) {
    if (typed)
      llvm::append_range(result, getArray(typed->values()));
  };
  switch (kind) {
  case schema::SparseIndexVector::Int32Vector:
    append(static_cast<const schema::Int32Vector *>(table));
    break;
  case schema::SparseIndexVector::Uint16Vector:
    append(static_cast<const schema::Uint16Vector *>(table));
    break;
  case schema::SparseIndexVector::Uint8Vector:
    append(static_cast<const schema::Uint8Vector *>(table));
    break;
  default:
    break;
  }
  return result;
}

/// Reads a level below `parents` nodes. What it checks bounds the number of
/// nodes of each level by the elements of the dense tensor.
LogicalResult SparseReader::readLevel(unsigned number, int64_t parents) {
  const schema::DimensionMetadata &from = *metadata[number];
  Level &level = levels.emplace_back();
  int32_t dim = order[number];
  level.size = sizes[dim];
  level.stride = strides[dim];
  if (from.format() == schema::DimensionType::DENSE) {
    if (from.dense_size() != level.size)
      return bad("dimension " + Twine(dim) + " has the size " +
                 Twine(from.dense_size()) + "; expected " + Twine(level.size));
    return success();
  }
  if (from.format() != schema::DimensionType::SPARSE_CSR)
    return bad("dimension " + Twine(dim) + " has an unknown format");
  level.isCompressed = true;
  level.segments =
      readIndices(from.array_segments_type(), from.array_segments());
  level.indices = readIndices(from.array_indices_type(), from.array_indices());
  ArrayRef<int64_t> segments = level.segments;
  if (int64_t(segments.size()) != parents + 1 || segments.front() != 0 ||
      !llvm::is_sorted(segments) ||
      segments.back() != int64_t(level.indices.size()))
    return bad("the segments of dimension " + Twine(dim) +
               " do not divide its indices");
  for (int64_t parent = 0; parent < parents; ++parent) {
    int64_t previous = -1;
    for (int64_t i = segments[parent]; i < segments[parent + 1]; ++i) {
      if (level.indices[i] <= previous || level.indices[i] >= level.size)
        return bad("the indices of dimension " + Twine(dim) +
                   " are out of range or not in ascending order");
      previous = level.indices[i];
    }
  }
  return success();
}

LogicalResult SparseReader::run(std::vector<int64_t> &positions) {
  if (failed(readOrder()) || failed(readBlocks()))
    return failure();
  // The nodes of a level by their number, as positions in the dense tensor.
  positions.assign(1, 0);
  for (unsigned number = 0; number < order.size(); ++number) {
    if (failed(readLevel(number, positions.size())))
      return failure();
    const Level &level = levels.back();
    std::vector<int64_t> next;
    for (auto [parent, position] : llvm::enumerate(positions)) {
      int64_t begin = level.isCompressed ? level.segments[parent] : 0;
      int64_t end =
          level.isCompressed ? level.segments[parent + 1] : level.size;
      for (int64_t i = begin; i < end; ++i)
        next.push_back(position + (level.isCompressed ? level.indices[i] : i) *
                                      level.stride);
    }
    positions = std::move(next);
  }
  return success();
}

LogicalResult
tflite::findSparsePositions(const schema::SparsityParameters &parameters,
                            ArrayRef<int64_t> shape,
                            importer::ImportErrors &errors, const Twine &what,
                            std::vector<int64_t> &positions) {
  return SparseReader(parameters, shape, errors, what).run(positions);
}
