//===- TileGeometry.h - Parts of tensors that tiles need -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_TILEGEOMETRY_H
#define UMA_ACCEL_MAPPING_TILEGEOMETRY_H

#include "uma/Accel/Partition/Matcher.h"
#include "uma/Graph/IR/ReadBoxes.h"

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace uma::accel {

using graph::Box;
using graph::IndexRange;

/// Geometry of a match that is computed tile by tile: the dims that tiles
/// divide, and the part of each tensor that a tile needs.
class TileGeometry {
public:
  /// A dim of the pattern that tiles divide.
  struct Dim {
    DimOp op;
    int64_t size, step;
    /// Whether the match sums over the dim; otherwise it is a size of the
    /// result.
    bool isReduction;
    unsigned axis; ///< axis of the result; unused for reductions
  };
  /// An axis of the device's layout: blocks of an axis of the tensor, which may
  /// have one element, the inside of its blocks, or one element for all.
  struct DeviceAxis {
    enum Kind { Blocks, Inside, One } kind;
    unsigned axis = 0;
    int64_t block = 1;
  };
  /// A tensor of the match.
  struct Tensor {
    mlir::Value pattern; ///< tensor of the pattern; null for others
    llvm::SmallVector<int64_t> shape;
    std::optional<mlir::AffineMap> layout;
    llvm::SmallVector<int64_t> deviceShape;
    llvm::SmallVector<DeviceAxis, 0> deviceAxes; ///< if there is a layout
    mlir::Type element; ///< element type as it is stored
    int64_t elementBytes;
    /// For each axis of the device's layout, the distance in main memory
    /// between elements that are neighbours in a buffer.
    llvm::SmallVector<int64_t> steps;
    /// Dims on which the tensor's part depends, by index.
    llvm::SmallVector<bool> dependsOn;
  };
  /// Parts of all tensors that a tile needs.
  struct Tile {
    /// Parts including the padding of windows.
    llvm::SmallVector<Box> padded;
    /// Parts that exist.
    llvm::SmallVector<Box> boxes;
  };

  /// Analyses a match of a pattern with tiles. On failure, sets `problem` to a
  /// reason such as "its operator softmax cannot be computed in parts".
  static mlir::FailureOr<TileGeometry> get(const Match &match,
                                           std::string &problem);

  llvm::ArrayRef<Dim> getDims() const { return dims; }
  llvm::ArrayRef<Tensor> getTensors() const { return tensors; }
  /// Returns the index of a tensor of the pattern, or std::nullopt if it is not
  /// part of the match.
  std::optional<unsigned> findTensor(mlir::Value pattern) const;
  /// Returns the index of the dim called `name`, or std::nullopt.
  std::optional<unsigned> findDim(llvm::StringRef name) const;
  /// Returns the dim that divides an axis of a tensor, or std::nullopt if none
  /// does.
  std::optional<unsigned> findDim(unsigned tensor, unsigned axis) const;

  /// Returns the range of each dim in the whole match.
  llvm::SmallVector<IndexRange> getWholeRanges() const;
  /// Computes the parts of all tensors for a range of each dim.
  void computeTile(llvm::ArrayRef<IndexRange> ranges, Tile &tile) const;
  /// Returns the sizes in the device's layout of the part of a tensor that a
  /// tile needs at most, for tiles with these numbers of elements of each dim.
  llvm::SmallVector<int64_t> getMostSizes(unsigned number,
                                          llvm::ArrayRef<int64_t> tiles) const;
  /// Returns the number of elements of such a part.
  int64_t getMostElements(unsigned number, llvm::ArrayRef<int64_t> tiles) const;
  /// Returns the value of a dim of the pattern in a tile, or std::nullopt if it
  /// is the same in all tiles.
  std::optional<int64_t> getNumber(DimOp dim, const Tile &tile) const;

  /// Converts a part of a tensor to the device's layout. Blocks are whole.
  Box getDeviceBox(unsigned number, const Box &box) const;
  /// Converts a part of a tensor in the device's layout to elements that are in
  /// a buffer.
  Box getBufferBox(unsigned number, Box device) const;
  /// Leaves rows along an axis of a tensor that no window reads out of buffers.
  void skipRows(unsigned number, unsigned axis);

private:
  struct Step {
    mlir::Operation *op;
    unsigned result;
    llvm::SmallVector<unsigned> operands;
  };
  /// Padding of a window operator, as a dim of the pattern.
  struct Padding {
    unsigned tensor, axis;
    bool isEnd;
  };
  unsigned addTensor(mlir::Value value);
  mlir::LogicalResult addSteps(std::string &problem);
  void nameTensors();
  mlir::LogicalResult addDims(std::string &problem);
  mlir::LogicalResult checkReduction(const Dim &dim, std::string &problem);
  mlir::LogicalResult addPaddings(std::string &problem);
  void addDependences();
  mlir::LogicalResult checkBlocks(std::string &problem) const;
  /// Finds ranges that are affine in the range of one dim, which computeTile
  /// computes without the operators.
  void addAffineRanges();
  void computeOperators(llvm::ArrayRef<IndexRange> ranges, Tile &tile) const;
  void clip(unsigned number, Tile &tile) const;

  const Match *match = nullptr;
  llvm::SmallVector<Dim> dims;
  llvm::SmallVector<Tensor, 4> tensors;
  /// Index of each value of the graph.
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Value, unsigned> ofPattern;
  /// Operators in topological order.
  llvm::SmallVector<Step> steps;
  unsigned root = 0;
  llvm::DenseMap<mlir::Value, Padding> paddings;
  /// IndexRange `begin + scale * b` of `size + scale * (n - 1)` elements for
  /// the range of `n` elements from `b` of a dim.
  struct AffineRange {
    int dim = -1; ///< -1 if the range is always the same
    int64_t begin, size, scale = 0;
  };
  llvm::SmallVector<llvm::SmallVector<AffineRange>> affine;
  bool isAffine = false;
  /// Axis of each tensor that a reduction divides, by dim; -1 if none.
  llvm::SmallVector<llvm::SmallVector<int>> reductionAxes;
  /// Tensor and axis that give a dim of the pattern its value.
  llvm::DenseMap<mlir::Value, std::pair<unsigned, unsigned>> sizes;
};

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_TILEGEOMETRY_H
