//===- DetectionStrategies.cpp - Non-maximum suppression as loops ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Builder/IndexMath.h"
#include "uma/TIR/Builder/RecurrentMath.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uma;
using Predicate = arith::CmpIPredicate;

namespace {

/// Builds the selection of the boxes of one class. The boxes are tried in the
/// order of their scores; the next one is searched for each time, so that no
/// memory is needed.
class Suppression {
public:
  Suppression(LayerBuilder &b, graph::NonMaxSuppressionOp op, Value boxes,
              Value scores, Value result)
      : b(b), f{b, LayerBuilder::getComputeType(getElement(boxes))}, math(b),
        op(op), boxes(boxes), scores(scores), result(result),
        count(b.local("count", i64())), last(b.local("last", f.type)),
        lastBox(b.local("last_box", i64())), best(b.local("best", f.type)),
        bestBox(b.local("best_box", i64())),
        overlaps(b.local("overlaps", i64())) {}

  /// Local variables, which the block writes.
  SmallVector<LayerBuilder::Access> getLocals() const {
    SmallVector<LayerBuilder::Access> accesses;
    for (Value buffer : {count, last, lastBox, best, bestBox, overlaps})
      accesses.push_back({buffer, {}});
    return accesses;
  }
  void build(Value number);

private:
  Type i64() const { return b.builder.getI64Type(); }
  Value constant(int64_t value) { return b.constant(i64(), double(value)); }
  Value compare(Predicate how, Value lhs, int64_t rhs) {
    return math.compare(how, lhs, constant(rhs));
  }
  Value both(Value lhs, Value rhs) {
    return arith::AndIOp::create(b.builder, b.loc, lhs, rhs);
  }
  Value either(Value lhs, Value rhs) {
    return arith::OrIOp::create(b.builder, b.loc, lhs, rhs);
  }
  Value load(Value buffer) { return b.load(buffer, {}); }
  void store(Value value, Value buffer) { b.store(value, buffer, {}); }

  void findNext(Value number);
  void findOverlaps(Value number);
  Value getOverlap(Value lhs, Value rhs);

  /// States of `lastBox` before the first box, and if no box is left.
  enum : int64_t { kNone = -1, kDone = -2 };

  LayerBuilder &b;
  FloatMath f;
  IndexMath math;
  graph::NonMaxSuppressionOp op;
  Value boxes, scores, result;
  Value count, last, lastBox, best, bestBox, overlaps;
};

} // namespace

/// Sets `best` and `bestBox` to the first box behind the last one, by score and
/// index; `bestBox` is kNone if there is none.
void Suppression::findNext(Value number) {
  store(constant(kNone), bestBox);
  store(f.constant(0.0), best);
  Value lowest = f.constant(op.getScoreThreshold().convertToDouble());
  b.loops({getShape(boxes)[0]}, [&](ValueRange vars) {
    Value score = b.loadAs(f.type, scores, {number, vars[0]});
    Value box = arith::IndexCastOp::create(b.builder, b.loc, i64(), vars[0]);
    Value isCandidate = arith::CmpFOp::create(
        b.builder, b.loc, arith::CmpFPredicate::OGE, score, lowest);
    Value before = load(last);
    Value isEqual = arith::CmpFOp::create(
        b.builder, b.loc, arith::CmpFPredicate::OEQ, score, before);
    Value isRight = math.compare(Predicate::sgt, box, load(lastBox));
    Value isLower = b.lessThan(score, before);
    Value follows = either(isLower, both(isEqual, isRight));
    Value isFirst = compare(Predicate::eq, load(lastBox), kNone);
    Value isNew = compare(Predicate::eq, load(bestBox), kNone);
    Value isBetter = either(isNew, b.lessThan(load(best), score));
    Value wins = both(both(isCandidate, either(isFirst, follows)), isBetter);
    store(f.select(wins, score, load(best)), best);
    store(f.select(wins, box, load(bestBox)), bestBox);
  });
}

/// Builds the intersection of two boxes divided by their union.
Value Suppression::getOverlap(Value lhs, Value rhs) {
  SmallVector<Value> a, c;
  for (int64_t corner = 0; corner < 4; ++corner) {
    a.push_back(b.loadAs(f.type, boxes, {lhs, b.index(corner)}));
    c.push_back(b.loadAs(f.type, boxes, {rhs, b.index(corner)}));
  }
  Value zero = f.constant(0.0), common, areas[2];
  for (int64_t dim : {0, 1}) {
    Value begin = f.select(b.lessThan(a[dim], c[dim]), c[dim], a[dim]);
    Value end =
        f.select(b.lessThan(a[2 + dim], c[2 + dim]), a[2 + dim], c[2 + dim]);
    Value size = f.sub(end, begin);
    size = f.select(b.lessThan(zero, size), size, zero);
    common = common ? b.mul(common, size) : size;
    Value sizeA = f.sub(a[2 + dim], a[dim]);
    Value sizeC = f.sub(c[2 + dim], c[dim]);
    areas[0] = dim == 0 ? sizeA : b.mul(areas[0], sizeA);
    areas[1] = dim == 0 ? sizeC : b.mul(areas[1], sizeC);
  }
  Value sum = b.add(areas[0], areas[1]);
  Value ratio = f.div(common, f.sub(sum, common));
  Value hasArea = b.lessThan(zero, areas[0]);
  hasArea = both(hasArea, b.lessThan(zero, areas[1]));
  return f.select(hasArea, ratio, zero);
}

/// Sets `overlaps` to 1 if the best box overlaps with one that is selected.
void Suppression::findOverlaps(Value number) {
  Value limit = f.constant(op.getIouThreshold().convertToDouble());
  int64_t last = getShape(boxes)[0] - 1;
  Value none = constant(0), one = constant(1);
  store(none, overlaps);
  b.loops({int64_t(op.getK())}, [&](ValueRange vars) {
    Value rank = arith::IndexCastOp::create(b.builder, b.loc, i64(), vars[0]);
    Value isSelected = math.compare(Predicate::slt, rank, load(count));
    Value box = math.clamp(math.cast(load(bestBox)), 0, last);
    Value other =
        math.clamp(math.cast(b.load(result, {number, vars[0]})), 0, last);
    // Ranks behind the count hold -1; what is computed for them is not used.
    Value isAbove = b.lessThan(limit, getOverlap(other, box));
    Value isHit = both(isSelected, isAbove);
    store(f.select(isHit, one, load(overlaps)), overlaps);
  });
}

void Suppression::build(Value number) {
  int64_t k = op.getK();
  Value one = constant(1), none = constant(-1), done = constant(kDone);
  store(constant(0), count);
  store(constant(kNone), lastBox);
  store(f.constant(0.0), last);
  b.loops({k},
          [&](ValueRange vars) { b.store(none, result, {number, vars[0]}); });
  b.loops({getShape(boxes)[0]}, [&](ValueRange) {
    Value hasPlace = compare(Predicate::slt, load(count), k);
    Value isOpen = both(hasPlace, compare(Predicate::ne, load(lastBox), kDone));
    auto branch =
        scf::IfOp::create(b.builder, b.loc, isOpen, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b.builder);
    b.builder.setInsertionPointToStart(branch.thenBlock());
    findNext(number);
    findOverlaps(number);
    Value isFound = compare(Predicate::ne, load(bestBox), kNone);
    Value isKept = both(isFound, compare(Predicate::eq, load(overlaps), 0));
    Value place = math.clamp(math.cast(load(count)), 0, k - 1);
    Value old = b.load(result, {number, place});
    b.store(f.select(isKept, load(bestBox), old), result, {number, place});
    Value next = math.add(load(count), one);
    store(f.select(isKept, next, load(count)), count);
    store(load(best), last);
    store(f.select(isFound, load(bestBox), done), lastBox);
  });
}

static LogicalResult lowerNonMaxSuppression(LayerBuilder &b,
                                            graph::NonMaxSuppressionOp op,
                                            ValueRange inputs,
                                            ValueRange outputs) {
  Value result = outputs[0];
  int64_t classes = getShape(result)[0];
  b.loops({classes}, [&](ValueRange outer) {
    Suppression suppression(b, op, inputs[0], inputs[1], result);
    SmallVector<LayerBuilder::Access> writes = {b.anywhere(result)};
    llvm::append_range(writes, suppression.getLocals());
    b.block("non_max_suppression", {{classes}}, outer,
            {b.anywhere(inputs[0]), b.anywhere(inputs[1])}, writes,
            [&](ValueRange vars) { suppression.build(vars[0]); });
  });
  return success();
}

void uma::populateDetectionStrategies(StrategyRegistry &registry) {
  registry.add<graph::NonMaxSuppressionOp>(lowerNonMaxSuppression);
}
