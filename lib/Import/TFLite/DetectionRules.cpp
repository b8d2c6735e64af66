//===- DetectionRules.cpp - Rules for object detection --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <flatbuffers/flexbuffers.h>

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using schema::BuiltinOperator;

namespace {

/// Options of TFLite_Detection_PostProcess.
struct DetectionOptions {
  int64_t maxDetections, classesPerDetection, detectionsPerClass, classes;
  bool isRegular;
  double scoreThreshold, iouThreshold;
  double scales[4]; ///< of y, x, height, width
};

/// The postprocessing of SSD networks. A box is a centre and a size relative to
/// its anchor; `N` boxes have scores of classes, maybe behind one of the
/// background.
class Detection {
public:
  explicit Detection(Node &node) : node(node) {}
  LogicalResult import();

private:
  LogicalResult readOptions();
  LogicalResult checkShapes();
  /// Takes columns [begin, begin + size) of a matrix.
  Value takeColumns(Value matrix, int64_t begin, int64_t size);
  /// Returns the boxes as corners: [N, 4].
  Value decodeBoxes();
  /// Returns indices of boxes by class, [classes, k], and of `scores`
  /// [classes, N].
  Value suppress(Value boxes, Value scores, int64_t k);
  /// Takes rows of `data` by indices of i64; a negative one gives zeros.
  Value takeRows(Value data, Value indices);
  LogicalResult importFast(Value boxes, Value scores);
  LogicalResult importRegular(Value boxes, Value scores);
  /// Yields the four results, of `count` detections; indices of boxes below 0
  /// stand for none.
  LogicalResult yield(Value boxes, Value indices, Value classes, Value scores,
                      int64_t repeats);

  Node &node;
  DetectionOptions options;
  int64_t numBoxes = 0;
};

} // namespace

LogicalResult Detection::readOptions() {
  ArrayRef<uint8_t> bytes = node.getCustomOptions();
  // The buffer is not part of the flatbuffer, whose verifier has seen the rest.
  std::vector<uint8_t> reused;
  if (bytes.size() < 3 ||
      !flexbuffers::VerifyBuffer(bytes.data(), bytes.size(), &reused) ||
      !flexbuffers::GetRoot(bytes.data(), bytes.size()).IsMap())
    return node.badInput("has options that are no map of FlexBuffers");
  flexbuffers::Map map =
      flexbuffers::GetRoot(bytes.data(), bytes.size()).AsMap();
  bool isBad = false;
  auto getInt = [&](const char *name, int64_t byDefault, int64_t least) {
    flexbuffers::Reference entry = map[name];
    int64_t value = entry.IsIntOrUint() ? entry.AsInt64() : byDefault;
    if (!isBad &&
        (value < least || value > std::numeric_limits<int32_t>::max())) {
      isBad = true;
      (void)node.badInput("option " + quote(name) + " is " + Twine(value) +
                          "; expected at least " + Twine(least));
    }
    return value;
  };
  auto getNumber = [&](const char *name, double least, double most) {
    flexbuffers::Reference entry = map[name];
    double value = entry.IsNumeric() ? entry.AsDouble() : 0;
    bool isInRange = value > least && value <= most; // false for NaN
    if (!isBad && !isInRange) {
      isBad = true;
      std::string expected = "a number";
      if (least == 0)
        expected = "more than 0";
      if (most == 1)
        expected += " and at most 1";
      (void)node.badInput("option " + quote(name) + " is " +
                          formatNumber(value) + "; expected " + expected);
    }
    return value;
  };
  double infinity = std::numeric_limits<double>::max();
  options.maxDetections = getInt("max_detections", 0, 1);
  options.classesPerDetection = getInt("max_classes_per_detection", 0, 1);
  options.detectionsPerClass = getInt("detections_per_class", 100, 1);
  options.classes = getInt("num_classes", 0, 1);
  flexbuffers::Reference isRegular = map["use_regular_nms"];
  options.isRegular =
      (isRegular.IsBool() || isRegular.IsNumeric()) && isRegular.AsBool();
  options.scoreThreshold =
      getNumber("nms_score_threshold", -infinity, infinity);
  options.iouThreshold = getNumber("nms_iou_threshold", 0, 1);
  static constexpr const char *names[] = {"y_scale", "x_scale", "h_scale",
                                          "w_scale"};
  for (auto [name, scale] : llvm::zip_equal(names, options.scales))
    scale = getNumber(name, 0, infinity);
  return success(!isBad);
}

LogicalResult Detection::checkShapes() {
  if (failed(node.checkRank(0, 3)) || failed(node.checkRank(1, 3)) ||
      failed(node.checkRank(2, 2)))
    return failure();
  ArrayRef<int64_t> boxes = getShape(node.getOperand(0)),
                    scores = getShape(node.getOperand(1)),
                    anchors = getShape(node.getOperand(2));
  numBoxes = boxes[1];
  int64_t background = scores[2] - options.classes;
  if (boxes[0] != 1 || boxes[2] < 4 || scores[0] != 1 ||
      scores[1] != numBoxes || anchors[0] != numBoxes || anchors[1] != 4 ||
      (background != 0 && background != 1))
    return node.badInput(
        "boxes of the shape " + formatShape(boxes) + ", scores of " +
        formatShape(scores) + " and anchors of " + formatShape(anchors) +
        " do not fit each other or " + Twine(options.classes) + " classes");
  if (node.getNumResults() != 4)
    return node.badInput("has " + Twine(node.getNumResults()) +
                         " results; expected 4");
  return success();
}

Value Detection::takeColumns(Value matrix, int64_t begin, int64_t size) {
  if (!matrix)
    return {};
  int64_t rows = getShape(matrix)[0];
  return node.createSlice(matrix, {0, begin}, {rows, size}, {1, 1});
}

Value Detection::decodeBoxes() {
  Value encoded = node.getOperand(0), anchors = node.getOperand(2);
  encoded = node.createReshape(encoded, getShape(encoded).drop_front());
  Type type = getElementType(encoded);
  SmallVector<Value> begins, ends;
  for (int64_t dim : {0, 1}) {
    Value size = takeColumns(anchors, 2 + dim, 1);
    auto scale = [&](int64_t column) {
      return node.create<graph::DivideOp>(
          {takeColumns(encoded, column, 1),
           node.createScalar(type, options.scales[column])});
    };
    Value center = node.create<graph::MultiplyOp>({scale(dim), size});
    center = node.create<graph::AddOp>({center, takeColumns(anchors, dim, 1)});
    Value half = node.create<graph::ExpOp>({scale(2 + dim)});
    half = node.create<graph::MultiplyOp>({half, node.createScalar(type, 0.5)});
    half = node.create<graph::MultiplyOp>({half, size});
    begins.push_back(node.create<graph::SubtractOp>({center, half}));
    ends.push_back(node.create<graph::AddOp>({center, half}));
  }
  return node.createConcat({begins[0], begins[1], ends[0], ends[1]}, 1);
}

Value Detection::suppress(Value boxes, Value scores, int64_t k) {
  OpBuilder &builder = node.getBuilder();
  graph::NonMaxSuppressionOp::Properties properties;
  properties.k = builder.getI64IntegerAttr(std::min(k, numBoxes));
  properties.iou_threshold = builder.getF64FloatAttr(options.iouThreshold);
  properties.score_threshold = builder.getF64FloatAttr(options.scoreThreshold);
  return node.create<graph::NonMaxSuppressionOp>({boxes, scores}, properties);
}

Value Detection::takeRows(Value data, Value indices) {
  if (!data || !indices)
    return {};
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(0);
  Value rows = node.create<graph::TakeOp>({data, indices}, properties);
  if (!rows)
    return {};
  SmallVector<int64_t> shape(getShape(rows).size(), 1);
  shape[0] = getShape(indices)[0];
  Value isNone = node.create<graph::LessOp>(
      {indices, node.createScalar(getElementType(indices), 0)});
  return node.create<graph::WhereOp>(
      {node.createReshape(isNone, shape),
       node.createScalar(getElementType(rows), 0), rows});
}

LogicalResult Detection::yield(Value boxes, Value indices, Value classes,
                               Value scores, int64_t repeats) {
  Value corners = takeRows(boxes, indices);
  if (!corners || !classes || !scores)
    return failure();
  Type type = getElementType(boxes), indexType = getElementType(indices);
  int64_t found = getShape(indices)[0], count = options.maxDetections * repeats;
  Value isFound = node.create<graph::GreaterEqualOp>(
      {indices, node.createScalar(indexType, 0)});
  Value total = node.createReduction<graph::SumOp>(
      node.createCast(isFound, type), {0}, /*keepdims=*/true);
  if (repeats > 1) // each box once
    total = node.create<graph::DivideOp>(
        {total, node.createScalar(type, double(repeats))});
  // Zeros fill the rows without a detection.
  auto finish = [&](Value values, ArrayRef<int64_t> inner) {
    SmallVector<int64_t> begin(1 + inner.size(), 0), rest = begin;
    rest[0] = count - found;
    values = node.createPad(values, begin, rest, 0);
    SmallVector<int64_t> shape = {1, count};
    llvm::append_range(shape, inner);
    return values ? node.createReshape(values, shape) : Value();
  };
  if (failed(node.yield(finish(corners, {4}), 0)) ||
      failed(node.yield(finish(node.createCast(classes, type), {}), 1)) ||
      failed(node.yield(finish(scores, {}), 2)))
    return failure();
  return node.yield(total, 3);
}

/// Suppresses boxes by their best class, then yields the best classes of each
/// box.
LogicalResult Detection::importFast(Value boxes, Value scores) {
  OpBuilder &builder = node.getBuilder();
  int64_t repeats = std::min(options.classesPerDetection, options.classes);
  if (repeats != options.classesPerDetection)
    return node.notSupported("option 'max_classes_per_detection' is " +
                             Twine(options.classesPerDetection) +
                             ", more than the " + Twine(options.classes) +
                             " classes, which is not supported");
  Value best = node.createReduction<graph::MaxOp>(scores, {1},
                                                  /*keepdims=*/false);
  best = best ? node.createReshape(best, {1, numBoxes}) : Value();
  Value indices = suppress(boxes, best, options.maxDetections);
  if (!indices)
    return failure();
  int64_t found = getShape(indices)[1];
  indices = node.createReshape(indices, {found});
  graph::TopKOp::Properties ranks;
  ranks.k = builder.getI64IntegerAttr(repeats);
  ranks.axis = builder.getI64IntegerAttr(1);
  Value classes = node.create<graph::TopKOp>({scores}, ranks);
  graph::GatherOp::Properties along;
  along.axis = builder.getI64IntegerAttr(1);
  Value values = classes
                     ? node.create<graph::GatherOp>({scores, classes}, along)
                     : Value();
  classes = takeRows(classes, indices);
  values = takeRows(values, indices);
  if (!classes || !values)
    return failure();
  Value repeated = node.createBroadcast(node.createReshape(indices, {found, 1}),
                                        {found, repeats});
  if (!repeated)
    return failure();
  return yield(boxes, node.createReshape(repeated, {found * repeats}),
               node.createReshape(classes, {found * repeats}),
               node.createReshape(values, {found * repeats}), repeats);
}

/// Suppresses the boxes of each class, then yields the best of all classes.
LogicalResult Detection::importRegular(Value boxes, Value scores) {
  OpBuilder &builder = node.getBuilder();
  Value byClass = node.createTranspose(scores, {1, 0});
  Value indices = suppress(boxes, byClass, options.detectionsPerClass);
  if (!indices)
    return failure();
  int64_t perClass = getShape(indices)[1], all = options.classes * perClass;
  Type type = getElementType(scores), indexType = getElementType(indices);
  graph::GatherOp::Properties along;
  along.axis = builder.getI64IntegerAttr(1);
  Value values = node.create<graph::GatherOp>({byClass, indices}, along);
  Value isNone =
      node.create<graph::LessOp>({indices, node.createScalar(indexType, 0)});
  values = node.create<graph::WhereOp>(
      {isNone, node.createScalar(type, -std::numeric_limits<float>::infinity()),
       values});
  if (!values)
    return failure();
  graph::TopKOp::Properties ranks;
  int64_t count = std::min(options.maxDetections, all);
  ranks.k = builder.getI64IntegerAttr(count);
  ranks.axis = builder.getI64IntegerAttr(0);
  values = node.createReshape(values, {all});
  Value places = node.create<graph::TopKOp>({values}, ranks);
  if (!places)
    return failure();
  Value chosen = takeRows(node.createReshape(indices, {all}), places);
  Value classes = node.create<graph::DivideOp>(
      {places, node.createScalar(indexType, double(perClass))});
  // Places behind the last detection hold no box; their numbers are 0.
  Value isEmpty =
      node.create<graph::LessOp>({chosen, node.createScalar(indexType, 0)});
  auto drop = [&](Value data) {
    return data ? node.create<graph::WhereOp>(
                      {isEmpty, node.createScalar(getElementType(data), 0),
                       data})
                : Value();
  };
  return yield(boxes, chosen, drop(classes), drop(takeRows(values, places)), 1);
}

LogicalResult Detection::import() {
  if (failed(readOptions()) || failed(checkShapes()))
    return failure();
  Value boxes = decodeBoxes(), scores = node.getOperand(1);
  if (!boxes)
    return failure();
  int64_t columns = getShape(scores)[2];
  scores = node.createReshape(scores, {numBoxes, columns});
  scores = takeColumns(scores, columns - options.classes, options.classes);
  return options.isRegular ? importRegular(boxes, scores)
                           : importFast(boxes, scores);
}

static LogicalResult importDetection(Node &node) {
  return Detection(node).import();
}

ArrayRef<Rule> tflite::getDetectionRules() {
  static constexpr Rule rules[] = {
      {BuiltinOperator::CUSTOM, "box_encodings! class_predictions! anchors!",
       importDetection, "TFLite_Detection_PostProcess"},
  };
  return rules;
}
