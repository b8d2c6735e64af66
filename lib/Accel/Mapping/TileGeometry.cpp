//===- TileGeometry.cpp - Parts of tensors that tiles need ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The part of the result that a tile computes determines the parts of all other
// tensors, from the last operator to the first.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Mapping/TileGeometry.h"

#include "uma/Accel/IR/TensorSize.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/QuantizedTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

FailureOr<TileGeometry> TileGeometry::get(const Match &match,
                                          std::string &problem) {
  TileGeometry geometry;
  geometry.match = &match;
  if (failed(geometry.addSteps(problem)))
    return failure();
  geometry.nameTensors();
  if (failed(geometry.addDims(problem)) ||
      failed(geometry.addPaddings(problem)))
    return failure();
  for (Tensor &tensor : geometry.tensors)
    tensor.steps.assign(tensor.deviceShape.size(), 1);
  geometry.addAffineRanges();
  geometry.addDependences();
  if (failed(geometry.checkBlocks(problem)))
    return failure();
  geometry.match = nullptr;
  return geometry;
}

unsigned TileGeometry::addTensor(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, tensors.size());
  if (!isNew)
    return entry->second;
  auto type = cast<RankedTensorType>(value.getType());
  Tensor &tensor = tensors.emplace_back();
  tensor.shape.assign(type.getShape().begin(), type.getShape().end());
  tensor.deviceShape = tensor.shape;
  tensor.element = getStorageElementType(type.getElementType());
  tensor.elementBytes = getNumBytes(RankedTensorType::get({1}, tensor.element));
  return entry->second;
}

LogicalResult TileGeometry::addSteps(std::string &problem) {
  for (Operation *op : match->ops) {
    if (op->hasAttr(kBorderAttrName))
      continue;
    Step step{op, 0, {}};
    for (Value operand : op->getOperands())
      step.operands.push_back(addTensor(operand));
    step.result = addTensor(op->getResult(0));
    root = step.result;
    Box whole;
    for (int64_t size : tensors[root].shape)
      whole.push_back({0, size});
    SmallVector<Box> boxes;
    if (failed(graph::getReadBoxes(op, whole, boxes))) {
      problem = ("its operator " + getOperatorKind(op) +
                 " cannot be computed in parts")
                    .str();
      return failure();
    }
    steps.push_back(std::move(step));
  }
  return success();
}

/// Records which tensor of the pattern each tensor is, and its layout.
static SmallVector<TileGeometry::DeviceAxis, 0>
getDeviceAxes(AffineMap layout) {
  using DeviceAxis = TileGeometry::DeviceAxis;
  return llvm::map_to_vector<0>(layout.getResults(), [](AffineExpr expr) {
    if (isa<AffineConstantExpr>(expr))
      return DeviceAxis{DeviceAxis::One};
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return DeviceAxis{DeviceAxis::Blocks, dim.getPosition()};
    auto binary = cast<AffineBinaryOpExpr>(expr);
    return DeviceAxis{expr.getKind() == AffineExprKind::Mod
                          ? DeviceAxis::Inside
                          : DeviceAxis::Blocks,
                      cast<AffineDimExpr>(binary.getLHS()).getPosition(),
                      cast<AffineConstantExpr>(binary.getRHS()).getValue()};
  });
}

void TileGeometry::nameTensors() {
  auto name = [&](Value pattern, unsigned number) {
    ofPattern[pattern] = number;
    Tensor &tensor = tensors[number];
    if (tensor.pattern && !getTensorTypeOp(pattern))
      return;
    tensor.pattern = pattern;
    TensorTypeOpInterface type = getTensorTypeOp(pattern);
    if (!type)
      return;
    for (auto [axis, size] : llvm::enumerate(type.getSizes()))
      if (size.dim && !size.isPack)
        sizes.try_emplace(size.dim, number, axis);
    tensor.layout = type.getLayout();
    RankedTensorType device = accel::getDeviceType(
        RankedTensorType::get(tensor.shape, tensor.element), tensor.layout);
    tensor.deviceShape.assign(device.getShape().begin(),
                              device.getShape().end());
    if (tensor.layout)
      tensor.deviceAxes = getDeviceAxes(*tensor.layout);
  };
  for (Step &step : steps)
    for (OpOperand &operand : step.op->getOpOperands())
      if (Value pattern = match->operands.lookup(&operand))
        name(match->getChosenTensor(pattern), numbers.lookup(operand.get()));
  PatternOp pattern = match->pattern;
  for (Operation &op : pattern.getBody().getOps()) {
    if (!isa<OperatorOp, ChoiceOp>(op))
      continue;
    Value value = match->tensors.lookup(op.getResult(0));
    if (!value)
      continue;
    auto number = numbers.find(skipBorders(value));
    if (number != numbers.end())
      name(op.getResult(0), number->second);
  }
}

LogicalResult TileGeometry::addDims(std::string &problem) {
  PatternOp pattern = match->pattern;
  for (TileOp tile : pattern.getBody().getOps<TileOp>()) {
    auto op = tile.getDim().getDefiningOp<DimOp>();
    auto number = dyn_cast_or_null<IntegerAttr>(match->getNumber(op));
    auto found = sizes.find(op);
    if (!number || found == sizes.end()) {
      problem = ("nothing gives '" + op.getName() + "' a size").str();
      return failure();
    }
    Dim dim{op, number.getInt(), static_cast<int64_t>(tile.getStep()),
            /*isReduction=*/true, 0};
    Value result = tensors[root].pattern;
    if (std::optional<unsigned> axis = findAxis(result, op)) {
      dim.isReduction = false;
      dim.axis = *axis;
    } else if (failed(checkReduction(dim, problem))) {
      return failure();
    }
    dims.push_back(dim);
  }
  return success();
}

/// Checks that each operator that reads a tensor with the dim sums over it.
LogicalResult TileGeometry::checkReduction(const Dim &dim,
                                           std::string &problem) {
  for (const Step &step : steps)
    for (auto [index, number] : llvm::enumerate(step.operands)) {
      Value pattern = tensors[number].pattern;
      std::optional<unsigned> axis =
          pattern ? findAxis(pattern, DimOp(dim.op)) : std::nullopt;
      if (!axis || graph::isSumAlong(step.op, index, *axis))
        continue;
      problem = ("'" + DimOp(dim.op).getName() +
                 "' is neither a size of the result nor one that " +
                 getOperatorKind(step.op) + " sums over")
                    .str();
      return failure();
    }
  return success();
}

LogicalResult TileGeometry::addPaddings(std::string &problem) {
  for (const Step &step : steps) {
    auto window = dyn_cast<graph::WindowOpInterface>(step.op);
    auto op = tensors[step.result].pattern
                  ? tensors[step.result].pattern.getDefiningOp<OperatorOp>()
                  : OperatorOp();
    DictionaryAttr attributes = op ? op.getMatchedAttributesAttr() : nullptr;
    auto padding = attributes
                       ? dyn_cast_or_null<ArrayAttr>(attributes.get("padding"))
                       : nullptr;
    if (!window || !padding)
      continue;
    StringRef layout = "NCHW";
    if (auto attribute = step.op->getAttrOfType<StringAttr>("data_layout"))
      layout = attribute.getValue();
    SmallVector<unsigned> spatial;
    for (auto [axis, letter] : llvm::enumerate(layout))
      if (letter != 'N' && letter != 'C')
        spatial.push_back(axis);
    for (auto [index, element] : llvm::enumerate(padding)) {
      auto name = dyn_cast<FlatSymbolRefAttr>(element);
      if (!name || index >= 2 * spatial.size())
        continue;
      DimOp dim = PatternOp(match->pattern).getDim(name.getValue());
      Padding entry{step.operands[0], spatial[index % spatial.size()],
                    index >= spatial.size()};
      if (!paddings.try_emplace(dim, entry).second) {
        problem = ("'" + dim.getName() +
                   "' is the padding of several sides, which differ from tile "
                   "to tile; give each side its own name")
                      .str();
        return failure();
      }
    }
  }
  return success();
}

void TileGeometry::addDependences() {
  SmallVector<IndexRange> ranges = getWholeRanges();
  Tile whole, part;
  computeTile(ranges, whole);
  for (auto [index, dim] : llvm::enumerate(dims)) {
    SmallVector<IndexRange> smaller = ranges;
    smaller[index].size = 1;
    computeTile(smaller, part);
    for (auto [number, tensor] : llvm::enumerate(tensors))
      tensor.dependsOn.push_back(dim.size > 1 &&
                                 part.padded[number] != whole.padded[number]);
  }
}

/// Checks that tiles begin at blocks of the layouts. A block that two tiles
/// share would be overwritten.
LogicalResult TileGeometry::checkBlocks(std::string &problem) const {
  for (auto [number, tensor] : llvm::enumerate(tensors)) {
    for (auto [kind, axis, block] : tensor.deviceAxes) {
      if (kind != DeviceAxis::Blocks || block == 1)
        continue;
      for (auto [index, dim] : llvm::enumerate(dims)) {
        if (dim.size <= dim.step || !tensor.dependsOn[index])
          continue;
        const AffineRange &entry = affine[number][axis];
        bool isThisDim = entry.dim == static_cast<int>(index);
        if (isAffine && (!isThisDim || (entry.begin % block == 0 &&
                                        entry.scale * dim.step % block == 0)))
          continue;
        problem = ("tiles of '" + DimOp(dim.op).getName() + "' by " +
                   Twine(dim.step) + " do not begin at the blocks of " +
                   Twine(block) + " in which '" +
                   getTensorName(tensor.pattern) + "' is stored")
                      .str();
        return failure();
      }
    }
  }
  return success();
}

std::optional<unsigned> TileGeometry::findTensor(Value pattern) const {
  auto found = ofPattern.find(pattern);
  return found == ofPattern.end() ? std::nullopt
                                  : std::optional<unsigned>(found->second);
}

std::optional<unsigned> TileGeometry::findDim(StringRef name) const {
  for (auto [index, dim] : llvm::enumerate(dims))
    if (DimOp(dim.op).getName() == name)
      return index;
  return std::nullopt;
}

std::optional<unsigned> TileGeometry::findDim(unsigned tensor,
                                              unsigned axis) const {
  int dim = isAffine ? affine[tensor][axis].dim : -1;
  return dim < 0 ? std::nullopt : std::optional<unsigned>(dim);
}

SmallVector<IndexRange> TileGeometry::getWholeRanges() const {
  return llvm::map_to_vector(
      dims, [](const Dim &dim) { return IndexRange{0, dim.size}; });
}

void TileGeometry::clip(unsigned number, Tile &tile) const {
  Box &box = tile.boxes[number];
  box.clear();
  for (auto [range, size] :
       llvm::zip_equal(tile.padded[number], tensors[number].shape)) {
    int64_t begin = std::clamp<int64_t>(range.begin, 0, size);
    int64_t end = std::clamp<int64_t>(range.getEnd(), begin, size);
    box.push_back({begin, end - begin});
  }
}

void TileGeometry::computeOperators(ArrayRef<IndexRange> ranges,
                                    Tile &tile) const {
  tile.padded.assign(tensors.size(), Box());
  tile.boxes.assign(tensors.size(), Box());
  Box &result = tile.padded[root];
  for (int64_t size : tensors[root].shape)
    result.push_back({0, size});
  for (auto [dim, range] : llvm::zip_equal(dims, ranges))
    if (!dim.isReduction)
      result[dim.axis] = range;
  clip(root, tile);
  SmallVector<Box> operands;
  for (const Step &step : llvm::reverse(steps)) {
    (void)graph::getReadBoxes(step.op, tile.boxes[step.result], operands);
    for (auto [number, box] : llvm::zip_equal(step.operands, operands)) {
      for (auto [index, range] : llvm::enumerate(ranges))
        if (int axis = reductionAxes[index][number]; axis >= 0)
          box[axis] = range;
      // Several operators may read parts of one tensor.
      Box &known = tile.padded[number];
      if (known.empty()) {
        known = box;
      } else {
        for (auto [range, other] : llvm::zip_equal(known, box)) {
          int64_t end = std::max(range.getEnd(), other.getEnd());
          range.begin = std::min(range.begin, other.begin);
          range.size = end - range.begin;
        }
      }
      clip(number, tile);
    }
  }
}

void TileGeometry::addAffineRanges() {
  for (const Dim &dim : dims) {
    SmallVector<int> &axes = reductionAxes.emplace_back(tensors.size(), -1);
    for (auto [number, tensor] : llvm::enumerate(tensors))
      if (std::optional<unsigned> axis =
              dim.isReduction && tensor.pattern
                  ? findAxis(tensor.pattern, DimOp(dim.op))
                  : std::nullopt)
        axes[number] = *axis;
  }
  SmallVector<IndexRange> ranges = getWholeRanges();
  Tile whole, first, second;
  computeOperators(ranges, whole);
  for (const Box &box : whole.padded) {
    SmallVector<AffineRange> &axes = affine.emplace_back();
    for (IndexRange range : box)
      axes.push_back({-1, range.begin, range.size});
  }
  isAffine = true;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim.size == 1)
      continue;
    SmallVector<IndexRange> probe = ranges;
    probe[index] = {0, 1};
    computeOperators(probe, first);
    probe[index] = {1, 1};
    computeOperators(probe, second);
    for (auto [number, box] : llvm::enumerate(whole.padded))
      for (auto [axis, range] : llvm::enumerate(box)) {
        IndexRange one = first.padded[number][axis],
                   two = second.padded[number][axis];
        if (one == range && two == range)
          continue;
        AffineRange &entry = affine[number][axis];
        isAffine &=
            entry.dim < 0 && one.size == two.size && one.begin == range.begin &&
            range.size == one.size + (two.begin - one.begin) * (dim.size - 1);
        entry = {static_cast<int>(index), one.begin, one.size,
                 two.begin - one.begin};
      }
  }
}

void TileGeometry::computeTile(ArrayRef<IndexRange> ranges, Tile &tile) const {
  if (!isAffine)
    return computeOperators(ranges, tile);
  tile.padded.resize(tensors.size());
  tile.boxes.resize(tensors.size());
  for (auto [number, axes] : llvm::enumerate(affine)) {
    Box &box = tile.padded[number];
    box.clear();
    for (const AffineRange &entry : axes) {
      IndexRange range{entry.begin, entry.size};
      if (entry.dim >= 0) {
        range.begin += entry.scale * ranges[entry.dim].begin;
        range.size += entry.scale * (ranges[entry.dim].size - 1);
      }
      box.push_back(range);
    }
    clip(number, tile);
  }
}

SmallVector<int64_t> TileGeometry::getMostSizes(unsigned number,
                                                ArrayRef<int64_t> tiles) const {
  // Parts at the edges are not larger than those in the middle.
  const Tensor &tensor = tensors[number];
  Box box;
  if (isAffine) {
    for (auto [entry, size] : llvm::zip_equal(affine[number], tensor.shape)) {
      int64_t needed = entry.size;
      if (entry.dim >= 0)
        needed += entry.scale * (tiles[entry.dim] - 1);
      box.push_back({0, std::min(needed, size)});
    }
  } else {
    SmallVector<IndexRange> ranges;
    for (int64_t size : tiles)
      ranges.push_back({0, size});
    Tile tile;
    computeTile(ranges, tile);
    for (auto [range, size] :
         llvm::zip_equal(tile.padded[number], tensor.shape))
      box.push_back({0, std::min(range.size, size)});
  }
  return llvm::map_to_vector(getBufferBox(number, getDeviceBox(number, box)),
                             [](IndexRange range) { return range.size; });
}

int64_t TileGeometry::getMostElements(unsigned number,
                                      ArrayRef<int64_t> tiles) const {
  int64_t elements = 1;
  for (int64_t size : getMostSizes(number, tiles))
    elements *= size;
  return elements;
}

std::optional<int64_t> TileGeometry::getNumber(DimOp dim,
                                               const Tile &tile) const {
  if (auto found = sizes.find(dim); found != sizes.end())
    return tile.boxes[found->second.first][found->second.second].size;
  auto padding = paddings.find(dim);
  if (padding == paddings.end())
    return std::nullopt;
  auto [tensor, axis, isEnd] = padding->second;
  IndexRange padded = tile.padded[tensor][axis], box = tile.boxes[tensor][axis];
  return isEnd ? padded.getEnd() - box.getEnd() : box.begin - padded.begin;
}

Box TileGeometry::getDeviceBox(unsigned number, const Box &box) const {
  const Tensor &tensor = tensors[number];
  if (!tensor.layout)
    return box;
  Box device;
  for (DeviceAxis axis : tensor.deviceAxes) {
    if (axis.kind == DeviceAxis::One) {
      device.push_back({0, 1});
      continue;
    }
    IndexRange range = box[axis.axis];
    if (axis.kind == DeviceAxis::Inside) {
      device.push_back({0, axis.block});
      continue;
    }
    int64_t begin = range.begin / axis.block;
    int64_t end = llvm::divideCeil(range.getEnd(), axis.block);
    device.push_back({begin, end - begin});
  }
  return device;
}

Box TileGeometry::getBufferBox(unsigned number, Box device) const {
  for (auto [range, step] : llvm::zip_equal(device, tensors[number].steps))
    range = {range.begin / step, int64_t(llvm::divideCeil(range.size, step))};
  return device;
}

void TileGeometry::skipRows(unsigned number, unsigned axis) {
  if (!isAffine)
    return;
  Tensor &tensor = tensors[number];
  const AffineRange &entry = affine[number][axis];
  // A window of one row reads the first one of each `scale` rows.
  if (entry.dim < 0 || entry.begin != 0 || entry.size != 1)
    return;
  for (auto [i, step] : llvm::enumerate(tensor.steps)) {
    DeviceAxis device{DeviceAxis::Blocks, static_cast<unsigned>(i)};
    if (tensor.layout)
      device = tensor.deviceAxes[i];
    if (device.kind == DeviceAxis::Blocks && device.block == 1 &&
        device.axis == axis)
      step = entry.scale;
  }
}
