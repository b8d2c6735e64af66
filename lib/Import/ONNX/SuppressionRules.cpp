//===- SuppressionRules.cpp - NonMaxSuppression ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The shape of the result depends on the boxes and scores, so that they have to
// be constants. uma.graph.non_max_suppression has a fixed shape instead.
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

namespace {
struct Box {
  float y1, x1, y2, x2;

  float getArea() const { return (y2 - y1) * (x2 - x1); }
};

class BoxSelector {
public:
  BoxSelector(const HostTensor &boxes, const HostTensor &scores,
              bool isCentered)
      : boxes(boxes), scores(scores), isCentered(isCentered) {}

  int64_t mostBoxes = 0;
  double overlap = 0;
  std::optional<double> lowestScore;

  /// Appends the batch, class and box of each selected box.
  void select(int64_t batch, int64_t group, SmallVector<int64_t> &selected);

private:
  Box getBox(int64_t batch, int64_t index) const;

  const HostTensor &boxes, &scores;
  bool isCentered;
};
} // namespace

/// Returns the intersection divided by the union; 0 if a box has no area.
static float getOverlap(const Box &a, const Box &b) {
  float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  if (height <= 0 || width <= 0 || a.getArea() <= 0 || b.getArea() <= 0)
    return 0;
  return height * width / (a.getArea() + b.getArea() - height * width);
}

Box BoxSelector::getBox(int64_t batch, int64_t index) const {
  int64_t first = (batch * boxes.getShape()[1] + index) * 4;
  auto get = [&](int64_t i) { return float(boxes.getDouble(first + i)); };
  if (isCentered) {
    float x = get(0), y = get(1), width = get(2) / 2, height = get(3) / 2;
    return {y - height, x - width, y + height, x + width};
  }
  // Any two opposite corners.
  auto [y1, y2] = std::minmax({get(0), get(2)});
  auto [x1, x2] = std::minmax({get(1), get(3)});
  return {y1, x1, y2, x2};
}

void BoxSelector::select(int64_t batch, int64_t group,
                         SmallVector<int64_t> &selected) {
  int64_t count = scores.getShape()[2];
  int64_t first = (batch * scores.getShape()[1] + group) * count;
  auto getScore = [&](int64_t index) {
    return scores.getDouble(first + index);
  };
  SmallVector<int64_t> order;
  for (int64_t index = 0; index < count; ++index)
    if (!std::isnan(getScore(index)) &&
        (!lowestScore || getScore(index) > *lowestScore))
      order.push_back(index);
  // The first of equal scores wins.
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::make_tuple(-getScore(a), a) < std::make_tuple(-getScore(b), b);
  });
  SmallVector<Box> kept;
  for (int64_t index : order) {
    if (int64_t(kept.size()) >= mostBoxes)
      return;
    Box box = getBox(batch, index);
    if (llvm::any_of(kept, [&](const Box &other) {
          return getOverlap(box, other) > float(overlap);
        }))
      continue;
    kept.push_back(box);
    selected.append({batch, group, index});
  }
}

static LogicalResult importNonMaxSuppression(Node &node) {
  const HostTensor &boxes = *node.getConstant(0),
                   &scores = *node.getConstant(1);
  ArrayRef<int64_t> shape = scores.getShape();
  if (shape.size() != 3 || !boxes.isFloat() || !scores.isFloat() ||
      boxes.getShape() != ArrayRef<int64_t>{shape[0], shape[2], 4})
    return node.badInput("has boxes of the shape " +
                         formatShape(boxes.getShape()) +
                         " and scores of the shape " + formatShape(shape) +
                         "; expected BxNx4 and BxCxN floats");
  BoxSelector selector(boxes, scores, node.getFlagAttr("center_point_box"));
  selector.mostBoxes = int64_t(node.getScalar(2).value_or(0));
  selector.overlap = node.getScalar(3).value_or(0);
  selector.lowestScore = node.getScalar(4);
  SmallVector<int64_t> selected;
  for (int64_t batch = 0; batch < shape[0]; ++batch)
    for (int64_t group = 0; group < shape[1]; ++group)
      selector.select(batch, group, selected);
  return node.yield(node.createConstant(
      makeInts(node, {int64_t(selected.size()) / 3, 3}, selected)));
}

ArrayRef<Rule> importer::getSuppressionRules() {
  static constexpr Rule rules[] = {
      {"NonMaxSuppression", 10,
       "boxes=! scores=! max_output_boxes_per_class=? iou_threshold=? "
       "score_threshold=?",
       importNonMaxSuppression},
  };
  return rules;
}
