//===- ImageOps.cpp - Evaluates operators that sample images --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::kernels;

Result kernels::run(InterpolateOp op, Operands operands, EmitErrorFn) {
  RankedTensorType type = getResultType(op);
  int64_t axis = static_cast<int64_t>(op.getAxis());
  std::vector<double> data = load<double>(operands[0]);
  AxisView from(operands[0].getShape(), axis), to(type.getShape(), axis);
  int64_t terms = operands[1].getShape()[1];
  std::vector<double> values(type.getNumElements());
  for (int64_t outer = 0; outer < to.outer; ++outer)
    for (int64_t i = 0; i < to.size; ++i)
      for (int64_t t = 0; t < terms; ++t) {
        int64_t row = std::clamp(operands[1].getInt(i * terms + t), int64_t(0),
                                 from.size - 1);
        double weight = operands[2].getDouble(i * terms + t);
        for (int64_t inner = 0; inner < to.inner; ++inner)
          values[(outer * to.size + i) * to.inner + inner] +=
              weight * data[(outer * from.size + row) * from.inner + inner];
      }
  return store(type, values);
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

namespace {
/// One spatial dimension of the images in a grid_sample.
struct GridAxis {
  int64_t size;
  bool alignCorners;
  StringRef padding;

  double getLow() const { return alignCorners ? 0.0 : -0.5; }
  double getHigh() const { return size - 1 - getLow(); }

  /// Mirrors `position` into the image.
  double reflect(double position) const {
    double range = getHigh() - getLow();
    if (range == 0)
      return 0;
    double distance = std::fmod(std::fabs(position - getLow()), 2 * range);
    return getLow() + std::min(distance, 2 * range - distance);
  }
  /// Converts a coordinate of the grid to a position in the image, in elements.
  double getPosition(double coordinate, StringRef method) const {
    double position = alignCorners ? (coordinate + 1) / 2 * (size - 1)
                                   : ((coordinate + 1) * size - 1) / 2;
    if (method == "nearest")
      position = std::nearbyint(position);
    bool isInside = position >= getLow() && position <= getHigh();
    // A cubic curve reads the border for its outer points, instead of being
    // evaluated at the border.
    if (padding == "border" && !isInside && method != "bicubic")
      position = std::clamp(position, 0.0, double(size - 1));
    else if (padding == "reflection" && !isInside)
      position = reflect(position);
    // Positions farther outside give the same result. NaN becomes -4.
    return position >= -4 ? std::min(position, double(size + 3)) : -4.0;
  }
  /// Returns the index of the element at an integer position, or -1 if its
  /// value is 0.
  int64_t getElement(int64_t position) const {
    if (padding == "zeros")
      return position >= 0 && position < size ? position : -1;
    if (padding == "reflection")
      position = int64_t(reflect(double(position)));
    return std::clamp(position, int64_t(0), size - 1);
  }
};
} // namespace

/// Returns the weights of the elements around a position. `rest` is its
/// distance from the element before it.
static SmallVector<double, 4> getWeights(StringRef method, double rest) {
  if (method == "nearest")
    return {1};
  if (method == "bilinear")
    return {1 - rest, rest};
  constexpr double a = -0.75;
  auto far = [](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  auto near = [](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  return {far(rest + 1), near(rest), near(1 - rest), far(2 - rest)};
}

Result kernels::run(GridSampleOp op, Operands operands, EmitErrorFn) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = operands[0].getShape();
  std::vector<double> data = load<double>(operands[0]);
  SmallVector<int64_t> strides = getStrides(shape);
  GridAxis height{shape[2], op.getAlignCorners(), op.getPaddingMode()};
  GridAxis width{shape[3], op.getAlignCorners(), op.getPaddingMode()};
  int64_t first = op.getMethod() == "bicubic" ? -1 : 0;
  SmallVector<int64_t> gridStrides = getStrides(operands[1].getShape());
  std::vector<double> values;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t point = index[0] * gridStrides[0] + index[2] * gridStrides[1] +
                    index[3] * gridStrides[2];
    double x = width.getPosition(operands[1].getDouble(point), op.getMethod());
    double y =
        height.getPosition(operands[1].getDouble(point + 1), op.getMethod());
    double left = std::floor(x), top = std::floor(y), sum = 0;
    int64_t image = index[0] * strides[0] + index[1] * strides[1];
    for (auto [i, rowWeight] :
         llvm::enumerate(getWeights(op.getMethod(), y - top)))
      for (auto [j, weight] :
           llvm::enumerate(getWeights(op.getMethod(), x - left))) {
        int64_t row = height.getElement(int64_t(top) + first + int64_t(i));
        int64_t column = width.getElement(int64_t(left) + first + int64_t(j));
        if (row >= 0 && column >= 0)
          sum += rowWeight * weight * data[image + row * shape[3] + column];
      }
    values.push_back(sum);
  });
  return store(type, values);
}

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

namespace {
/// Neighbours of a sample in one dimension.
struct Neighbours {
  /// Also false for NaN.
  bool isInside;
  int64_t low = 0, high = 0;
  double rest = 0;

  Neighbours(double position, int64_t size)
      : isInside(position >= -1 && position <= double(size)) {
    if (!isInside)
      return;
    position = std::clamp(position, 0.0, double(size - 1));
    low = int64_t(position);
    high = std::min(low + 1, size - 1);
    rest = position - double(low);
  }
};
} // namespace

Result kernels::run(RoiAlignOp op, Operands operands, EmitErrorFn) {
  RankedTensorType type = getResultType(op);
  ArrayRef<int64_t> shape = operands[0].getShape();
  std::vector<double> data = load<double>(operands[0]);
  double scale = op.getSpatialScale().convertToDouble();
  double offset = op.getAligned() ? 0.5 : 0.0;
  int64_t ratio = static_cast<int64_t>(op.getSampleRatio());
  bool isMax = op.getMode() == "max";
  std::vector<double> values;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    int64_t batch =
        std::clamp(operands[2].getInt(index[0]), int64_t(0), shape[0] - 1);
    const double *image =
        data.data() + (batch * shape[1] + index[1]) * shape[2] * shape[3];
    auto getPosition = [&](int dim, int64_t sample) {
      // x is before y in a region, and height before width in the data.
      int64_t at = index[0] * 4 + 1 - dim;
      double start = operands[1].getDouble(at) * scale - offset;
      double extent = operands[1].getDouble(at + 2) * scale - offset - start;
      if (!op.getAligned())
        extent = std::max(extent, 1.0);
      double bin = extent / double(op.getPooledSize()[dim]);
      return start + double(index[2 + dim]) * bin +
             (double(sample) + 0.5) * bin / double(ratio);
    };
    double sum = 0, largest = -INFINITY;
    for (int64_t i = 0; i < ratio; ++i)
      for (int64_t j = 0; j < ratio; ++j) {
        Neighbours y(getPosition(0, i), shape[2]);
        Neighbours x(getPosition(1, j), shape[3]);
        if (!y.isInside || !x.isInside) {
          largest = std::max(largest, 0.0);
          continue;
        }
        double terms[] = {
            (1 - y.rest) * (1 - x.rest) * image[y.low * shape[3] + x.low],
            (1 - y.rest) * x.rest * image[y.low * shape[3] + x.high],
            y.rest * (1 - x.rest) * image[y.high * shape[3] + x.low],
            y.rest * x.rest * image[y.high * shape[3] + x.high]};
        for (double term : terms) {
          sum += term;
          largest = std::max(largest, term);
        }
      }
    values.push_back(isMax ? largest : sum / double(ratio * ratio));
  });
  return store(type, values);
}

//===----------------------------------------------------------------------===//
// NonMaxSuppression
//===----------------------------------------------------------------------===//

/// Returns the intersection of two boxes divided by their union.
template <typename T>
static T getOverlap(const T *a, const T *b) {
  T areaA = (a[2] - a[0]) * (a[3] - a[1]),
    areaB = (b[2] - b[0]) * (b[3] - b[1]);
  if (!(areaA > 0 && areaB > 0))
    return 0;
  T height = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  T width = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  T common = std::max<T>(height, 0) * std::max<T>(width, 0);
  return common / (areaA + areaB - common);
}

/// Returns the boxes of one class, in the order of selection.
template <typename T>
static std::vector<int64_t> selectBoxes(ArrayRef<T> boxes, ArrayRef<T> scores,
                                        NonMaxSuppressionOp op) {
  T lowest = static_cast<T>(op.getScoreThreshold().convertToDouble());
  T limit = static_cast<T>(op.getIouThreshold().convertToDouble());
  std::vector<int64_t> order, selected;
  for (size_t box = 0; box < scores.size(); ++box)
    if (scores[box] >= lowest)
      order.push_back(box);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  for (int64_t box : order) {
    if (selected.size() == op.getK())
      break;
    if (llvm::none_of(selected, [&](int64_t other) {
          return getOverlap(&boxes[4 * other], &boxes[4 * box]) > limit;
        }))
      selected.push_back(box);
  }
  return selected;
}

Result kernels::run(NonMaxSuppressionOp op, Operands operands, EmitErrorFn) {
  HostTensor result(getResultType(op));
  ArrayRef<int64_t> shape = operands[1].getShape();
  withComputeType(operands[0].getElementType(), [&](auto zero) {
    auto boxes = load<decltype(zero)>(operands[0]);
    auto scores = load<decltype(zero)>(operands[1]);
    for (int64_t number = 0; number < shape[0]; ++number) {
      std::vector<int64_t> selected = selectBoxes<decltype(zero)>(
          boxes, ArrayRef(scores).slice(number * shape[1], shape[1]), op);
      selected.resize(op.getK(), -1);
      for (auto [rank, box] : llvm::enumerate(selected))
        result.setInt(number * op.getK() + rank, box);
    }
  });
  return result;
}
