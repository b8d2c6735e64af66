//===- ResizeRules.cpp - Resize, Upsample ---------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Resampling is separable, and all positions are known. Each axis in turn
// becomes a slice, a repetition, a take or an interpolate with tables.
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

namespace {
/// Resampling parameters of a node, for all axes.
struct Resampling {
  StringRef mode = "nearest";
  StringRef coordinates = "asymmetric";
  StringRef nearest = "simple";
  double cubicA = -0.75;
  double extrapolation = 0;
  bool excludesOutside = false;
  bool antialiases = false;
};

/// A resized axis of a node.
struct ResizedAxis {
  int64_t axis, from, to;
  double scale;
  /// Resized part of the axis, from 0 to 1; for tf_crop_and_resize.
  double start = 0, end = 1;

  /// Returns whether the axis keeps its elements, whatever the coordinates:
  /// "tf_half_pixel_for_nn" would shift them by half an element.
  bool isKept() const {
    return from == to && scale == 1 && start == 0 && end == 1;
  }
  double getPosition(StringRef coordinates, double index) const;
};
} // namespace

/// Returns the position in the data of element `index` of the result, by
/// ONNX's formulas. Computes in f32 as ONNX Runtime, where 0.5 divided by a
/// third is 1.5, so that positions that should be whole numbers are.
double ResizedAxis::getPosition(StringRef coordinates, double index) const {
  auto i = float(index), scale = float(this->scale);
  auto start = float(this->start), end = float(this->end);
  // As in the specification, the length is not rounded to a whole size.
  float length = scale * float(from), last = float(from - 1);
  if (coordinates == "asymmetric")
    return i / scale;
  if (coordinates == "align_corners")
    return to == 1 ? 0 : i * last / (length - 1);
  if (coordinates == "tf_half_pixel_for_nn")
    return (i + 0.5f) / scale;
  if (coordinates == "tf_crop_and_resize")
    return to == 1 ? (start + end) * last / 2
                   : start * last + i * (end - start) * last / float(to - 1);
  if (coordinates == "pytorch_half_pixel" && to == 1)
    return 0;
  float position = (i + 0.5f) / scale - 0.5f;
  if (coordinates == "half_pixel_symmetric")
    position += float(from) / 2 * (1 - float(to) / length);
  return position;
}

/// Returns the index of the element nearest to a position of an axis that is
/// resized by `scale`.
static int64_t getNearest(StringRef mode, double scale, double position) {
  // Before opset 11, ONNX Runtime and ONNX's tests round away from the start of
  // the data if it shrinks.
  if (mode == "simple")
    mode = scale < 1 ? "ceil" : "floor";
  if (mode == "floor")
    return int64_t(std::floor(position));
  if (mode == "ceil")
    return int64_t(std::ceil(position));
  if (mode == "round_prefer_ceil")
    return int64_t(std::floor(position + 0.5));
  return int64_t(std::ceil(position - 0.5));
}

/// Returns the filter weight of an element at `distance` elements.
static double getWeight(const Resampling &how, double distance) {
  double x = std::fabs(distance), a = how.cubicA;
  if (how.mode == "linear")
    return std::max(0.0, 1 - x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Resamples one axis by weighted sums.
static Value interpolate(Node &node, Value data, const ResizedAxis &axis,
                         const Resampling &how, ArrayRef<double> positions) {
  // Shrinking with antialiasing widens the filter.
  double stretch = how.antialiases && axis.scale < 1 ? 1 / axis.scale : 1;
  int64_t reach = int64_t(std::ceil((how.mode == "linear" ? 1 : 2) * stretch));
  int64_t terms = 2 * reach, count = positions.size();
  // Size of indices and weights, at most 8 bytes each.
  if (failed(node.checkComputedSize(RankedTensorType::get(
          {count, terms, 2}, node.getBuilder().getI64Type()))))
    return {};
  SmallVector<int64_t> indices;
  SmallVector<double> weights;
  for (double position : positions) {
    int64_t base = int64_t(std::floor(position));
    size_t row = weights.size();
    double sum = 0;
    for (int64_t i = base - reach + 1; i <= base + reach; ++i) {
      bool isInside = i >= 0 && i < axis.from;
      double weight = how.excludesOutside && !isInside
                          ? 0
                          : getWeight(how, (double(i) - position) / stretch);
      indices.push_back(std::clamp(i, int64_t(0), axis.from - 1));
      weights.push_back(weight);
      sum += weight;
    }
    // The position is outside of the filter's reach; any element would do.
    if (sum == 0)
      weights[row] = sum = 1;
    for (double &weight : MutableArrayRef(weights).drop_front(row))
      weight /= sum;
  }
  // If every position is an element, no interpolation is needed.
  SmallVector<int64_t> chosen;
  for (size_t i = 0; i < weights.size(); ++i)
    if (weights[i] == 1)
      chosen.push_back(indices[i]);
  if (int64_t(chosen.size()) == count)
    return createTake(node, data, chosen, axis.axis);

  Type type = getElementType(data);
  if (!type.isF64())
    type = node.getBuilder().getF32Type();
  HostTensor table(RankedTensorType::get({count, terms}, type));
  for (auto [i, weight] : llvm::enumerate(weights))
    table.setDouble(i, weight);
  Value indexTable =
      node.createConstant(makeInts(node, {count, terms}, indices));
  Value weightTable = node.createConstant(table);
  graph::InterpolateOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis.axis);
  return node.create<graph::InterpolateOp>({data, indexTable, weightTable},
                                           properties);
}

/// Resamples one axis.
static Value resizeAxis(Node &node, Value data, const ResizedAxis &axis,
                        const Resampling &how) {
  // Size of the positions; interpolate() checks its larger tables.
  if (!data || failed(node.checkComputedSize(RankedTensorType::get(
                   {axis.to}, node.getBuilder().getI64Type()))))
    return {};
  // Elements of a crop outside of the data have a constant value. Positions are
  // monotonic, so that they form a padding.
  bool isCrop = how.coordinates == "tf_crop_and_resize";
  SmallVector<double> positions;
  int64_t before = 0, after = 0;
  for (int64_t i = 0; i < axis.to; ++i) {
    double position = axis.getPosition(how.coordinates, double(i));
    bool isInside = position >= 0 && position <= double(axis.from - 1);
    if (isCrop && !isInside) {
      ++(positions.empty() ? before : after);
      continue;
    }
    // Farther outside, every mode gives the last element.
    positions.push_back(std::clamp(position, -4.0, double(axis.from + 3)));
  }
  if (positions.empty()) {
    (void)node.notSupported("the region of interest is outside of the data in "
                            "dimension " +
                            Twine(axis.axis));
    return {};
  }
  if (how.mode == "nearest") {
    SmallVector<int64_t> indices;
    for (double position : positions)
      indices.push_back(
          std::clamp(getNearest(how.nearest, axis.scale, position), int64_t(0),
                     axis.from - 1));
    data = createTake(node, data, indices, axis.axis);
  } else {
    data = interpolate(node, data, axis, how, positions);
  }
  if (!data || before + after == 0)
    return data;
  SmallVector<int64_t> padBefore(getShape(data).size(), 0);
  SmallVector<int64_t> padAfter(padBefore);
  padBefore[axis.axis] = before;
  padAfter[axis.axis] = after;
  return createConstantPad(node, data, padBefore, padAfter, how.extrapolation);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Returns the elements of a constant list; std::nullopt if it is omitted or
/// empty.
static std::optional<SmallVector<double>> getList(Node &node,
                                                  unsigned operand) {
  const HostTensor *tensor = node.getConstant(operand);
  if (!tensor || tensor->getNumElements() == 0)
    return std::nullopt;
  SmallVector<double> list;
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    list.push_back(tensor->getDouble(i));
  return list;
}

static LogicalResult checkCount(Node &node, StringRef name, size_t count,
                                size_t expected) {
  if (count == expected)
    return success();
  return node.badInput(name + " has " + Twine(count) + " elements; expected " +
                       Twine(expected));
}

/// Sets the sizes of the result from scales.
static LogicalResult setScales(Node &node, ArrayRef<double> scales,
                               MutableArrayRef<ResizedAxis> axes) {
  if (failed(checkCount(node, "input 'scales'", scales.size(), axes.size())))
    return failure();
  for (auto [axis, scale] : llvm::zip_equal(axes, scales)) {
    // In f32, as ONNX's shape inference: 0.7 of 10 elements are 7.
    double size = std::floor(float(scale) * float(axis.from));
    if (!(scale > 0) || size > double(1 << 30))
      return node.badInput("has the scale " + std::to_string(scale) +
                           "; expected a number above 0 that keeps sizes "
                           "below 2^30");
    if (size < 1)
      return node.notSupported("the result has no elements in dimension " +
                               Twine(axis.axis));
    axis.scale = scale;
    axis.to = int64_t(size);
  }
  return success();
}

/// Sets sizes and scales of the result from its sizes.
static LogicalResult setSizes(Node &node, ArrayRef<double> sizes,
                              StringRef policy,
                              MutableArrayRef<ResizedAxis> axes) {
  if (failed(checkCount(node, "input 'sizes'", sizes.size(), axes.size())))
    return failure();
  std::optional<double> common;
  for (auto [axis, size] : llvm::zip_equal(axes, sizes)) {
    if (size < 1 || size > double(1 << 30))
      return node.badInput("has the size " + std::to_string(size) +
                           "; expected 1 to 2^30");
    axis.scale = size / double(axis.from);
    axis.to = int64_t(size);
    if (!common ||
        (policy == "not_larger" ? axis.scale < *common : axis.scale > *common))
      common = axis.scale;
  }
  if (policy == "stretch")
    return success();
  if (policy != "not_larger" && policy != "not_smaller")
    return node.badInput("attribute 'keep_aspect_ratio_policy' is " +
                         quote(policy) +
                         "; expected 'stretch', 'not_larger' "
                         "or 'not_smaller'");
  for (ResizedAxis &axis : axes) {
    axis.scale = *common;
    axis.to = int64_t(std::max(1.0, std::floor(*common * axis.from + 0.5)));
  }
  return success();
}

/// Returns all axes of the data, or those of the attribute `axes`.
static std::optional<SmallVector<ResizedAxis>> makeAxes(Node &node) {
  Value data = node.getOperand(0);
  std::optional<SmallVector<int64_t>> written;
  if (node.getOpset() >= 18)
    written = node.getIntsAttr("axes");
  auto axes = readAxes(node, written, getShape(data).size());
  if (!axes)
    return std::nullopt;
  SmallVector<ResizedAxis> result;
  for (int64_t axis : *axes) {
    int64_t size = getShape(data)[axis];
    if (size == 0) {
      (void)node.notSupported("the data have no elements");
      return std::nullopt;
    }
    result.push_back({axis, size, size, 1.0});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static LogicalResult checkKeyword(Node &node, StringRef name, StringRef value,
                                  ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, value))
    return success();
  return node.badInput("attribute '" + name + "' is " + quote(value) +
                       "; expected " + llvm::join(known, ", "));
}

static LogicalResult resize(Node &node, ArrayRef<ResizedAxis> axes,
                            const Resampling &how) {
  Value data = node.getOperand(0);
  if (how.mode != "nearest" && !isa<FloatType>(getElementType(data)))
    return node.notSupported("interpolates integers, which is not supported");
  // The last dimension is not interpolated in vectors, so that it comes before
  // others that enlarge the data, and after those that shrink them.
  SmallVector<ResizedAxis> order(axes);
  llvm::sort(order, [](const ResizedAxis &left, const ResizedAxis &right) {
    auto getKey = [](const ResizedAxis &axis) {
      bool grows = axis.to > axis.from;
      return std::pair(grows, grows ? -axis.axis : axis.axis);
    };
    return getKey(left) < getKey(right);
  });
  for (const ResizedAxis &axis : order)
    if (!axis.isKept())
      data = resizeAxis(node, data, axis, how);
  return node.yield(data);
}

/// Imports Upsample and Resize of opset 10, which are the same.
static LogicalResult importUpsample(Node &node) {
  Resampling how;
  how.mode = node.getStringAttr("mode", "nearest");
  // Some old models name the number of dimensions, which the rank gives as
  // well.
  if (how.mode == "bilinear" || how.mode == "trilinear")
    how.mode = "linear";
  if (failed(checkKeyword(node, "mode", how.mode, {"nearest", "linear"})))
    return failure();
  auto axes = makeAxes(node);
  if (!axes)
    return failure();
  std::optional<SmallVector<double>> scales;
  if (node.getOpset() >= 9)
    scales = getList(node, 1);
  else if (const auto *attr =
               node.getAttr("scales", onnx::AttributeProto::FLOATS))
    scales.emplace(attr->floats().begin(), attr->floats().end());
  if (!scales)
    return node.badInput("has no scales");
  if (failed(setScales(node, *scales, *axes)))
    return failure();
  return resize(node, *axes, how);
}

static LogicalResult importResize(Node &node) {
  int64_t opset = node.getOpset();
  Resampling how;
  how.mode = node.getStringAttr("mode", "nearest");
  how.coordinates =
      node.getStringAttr("coordinate_transformation_mode", "half_pixel");
  how.nearest = node.getStringAttr("nearest_mode", "round_prefer_floor");
  how.cubicA = node.getFloatAttr("cubic_coeff_a", -0.75);
  how.extrapolation = node.getFloatAttr("extrapolation_value", 0);
  how.excludesOutside = node.getFlagAttr("exclude_outside");
  how.antialiases = opset >= 18 && node.getFlagAttr("antialias");
  StringRef policy =
      opset < 18 ? "stretch"
                 : node.getStringAttr("keep_aspect_ratio_policy", "stretch");
  if (failed(checkKeyword(node, "mode", how.mode,
                          {"nearest", "linear", "cubic"})) ||
      failed(checkKeyword(node, "coordinate_transformation_mode",
                          how.coordinates,
                          {"half_pixel", "half_pixel_symmetric",
                           "pytorch_half_pixel", "align_corners", "asymmetric",
                           "tf_half_pixel_for_nn", "tf_crop_and_resize"})) ||
      failed(checkKeyword(
          node, "nearest_mode", how.nearest,
          {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})))
    return failure();
  auto axes = makeAxes(node);
  if (!axes)
    return failure();
  auto roi = getList(node, 1), scales = getList(node, 2),
       sizes = getList(node, 3);
  if (scales.has_value() == sizes.has_value())
    return node.badInput(scales ? "has both scales and sizes"
                                : "has neither scales nor sizes");
  if (failed(scales ? setScales(node, *scales, *axes)
                    : setSizes(node, *sizes, policy, *axes)))
    return failure();
  if (how.coordinates == "tf_crop_and_resize") {
    if (failed(checkCount(node, "input 'roi'", roi ? roi->size() : 0,
                          2 * axes->size())))
      return failure();
    for (auto [i, axis] : llvm::enumerate(*axes)) {
      axis.start = (*roi)[i];
      axis.end = (*roi)[i + axes->size()];
    }
  }
  return resize(node, *axes, how);
}

ArrayRef<Rule> importer::getResizeRules() {
  static constexpr Rule rules[] = {
      {"Resize", 10, "X scales=", importUpsample},
      {"Resize", 11, "X roi=? scales=? sizes=?", importResize},
      {"Upsample", 7, "X", importUpsample},
      {"Upsample", 9, "X scales=", importUpsample},
  };
  return rules;
}
