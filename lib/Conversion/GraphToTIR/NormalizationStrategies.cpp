//===- NormalizationStrategies.cpp - Softmax and norms as loops -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AxisLoops.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

//===----------------------------------------------------------------------===//
// Per-channel operators
//===----------------------------------------------------------------------===//

/// Returns an access to a vector along `axis`.
static Access alongAxis(LayerBuilder &b, Value vector, int64_t axis,
                        int64_t rank) {
  return {vector, {b.dim(axis < 0 ? axis + rank : axis)}};
}

static LogicalResult lowerBiasAdd(LayerBuilder &b, graph::BiasAddOp op,
                                  ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  int64_t rank = getShape(result).size();
  b.elementwise(
      "bias_add", result,
      {b.whole(inputs[0]), alongAxis(b, inputs[1], op.getAxis(), rank)},
      LayerBuilder::getComputeType(getElement(result)),
      [&](ValueRange x) { return b.add(x[0], x[1]); });
  return success();
}

static LogicalResult lowerBatchNorm(LayerBuilder &b, graph::BatchNormOp op,
                                    ValueRange inputs, ValueRange outputs) {
  Value result = outputs[0];
  int64_t rank = getShape(result).size();
  Type type = LayerBuilder::getComputeType(getElement(result));
  SmallVector<Access> operands{b.whole(inputs[0])};
  for (Value statistic : inputs.drop_front())
    operands.push_back(alongAxis(b, statistic, op.getAxis(), rank));
  Value epsilon = b.constant(type, op.getEpsilon().convertToDouble());
  b.elementwise("batch_norm", result, operands, type, [&](ValueRange x) {
    Value deviation =
        math::SqrtOp::create(b.builder, b.loc, b.add(x[4], epsilon));
    Value normal =
        arith::DivFOp::create(b.builder, b.loc, b.sub(x[0], x[3]), deviation);
    return b.add(b.mul(normal, x[1]), x[2]);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Builds a block that replaces the value of a scalar buffer by `fn` of it.
static void update(LayerBuilder &b, StringRef label, ValueRange outer,
                   ArrayRef<int64_t> outerExtents, Value scalar,
                   function_ref<Value(Value)> fn) {
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t size : outerExtents)
    dims.push_back({size});
  b.block(label, dims, outer, {{scalar, {}}}, {{scalar, {}}},
          [&](ValueRange) { b.store(fn(b.load(scalar, {})), scalar, {}); });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// Builds softmax, or its logarithm if `isLog`.
static LogicalResult lowerSoftmax(LayerBuilder &b, int64_t axis, bool isLog,
                                  ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  ArrayRef<int64_t> shape = getShape(result);
  if (llvm::is_contained(shape, 0))
    return success();
  Type type = LayerBuilder::getComputeType(getElement(result));
  AxisLoops loops(b, shape, axis);
  Access dataAccess = loops.at(data), resultAccess = loops.at(result);
  auto shifted = [&](ValueRange vars, Value maximum) {
    return b.sub(b.loadAt(type, dataAccess, vars), b.load(maximum, {}));
  };
  auto getExp = [&](ValueRange vars, Value maximum) -> Value {
    return math::ExpOp::create(b.builder, b.loc, shifted(vars, maximum));
  };
  bool keepsExp = !isLog && getElement(result) == type;

  Value lowest = arith::ConstantOp::create(
      b.builder, b.loc,
      b.builder.getFloatAttr(
          type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                /*Negative=*/true)));
  Value zero = b.constant(type, 0.0);
  b.loops(loops.outer, [&](ValueRange outer) {
    // Subtracting the maximum avoids overflow in exp and does not change the
    // quotient.
    Value maximum =
        b.reduce("softmax_max", outer, loops.outer, {loops.size}, type, lowest,
                 {dataAccess}, [&](ValueRange vars, Value acc) -> Value {
                   Value x = b.loadAt(type, dataAccess, vars);
                   return arith::SelectOp::create(b.builder, b.loc,
                                                  b.lessThan(acc, x), x, acc);
                 });
    // The result keeps the exponentials if it does not round them: each takes
    // as long as all else.
    if (keepsExp)
      b.loops({loops.size}, [&](ValueRange inner) {
        b.block("softmax_exp", loops.getDims(tir::IterKind::Spatial),
                append(outer, inner), {dataAccess, {maximum, {}}},
                {resultAccess}, [&](ValueRange vars) {
                  b.storeAt(getExp(vars, maximum), resultAccess, vars);
                });
      });
    Value sum = b.reduce(
        "softmax_sum", outer, loops.outer, {loops.size}, type, zero,
        keepsExp ? SmallVector<Access>{resultAccess}
                 : SmallVector<Access>{dataAccess, {maximum, {}}},
        [&](ValueRange vars, Value acc) {
          return b.add(acc, keepsExp ? b.loadAt(type, resultAccess, vars)
                                     : getExp(vars, maximum));
        });
    if (isLog)
      update(b, "log_sum", outer, loops.outer, sum, [&](Value value) -> Value {
        return math::LogOp::create(b.builder, b.loc, value);
      });
    b.loops({loops.size}, [&](ValueRange inner) {
      b.block(isLog ? "log_softmax" : "softmax",
              loops.getDims(tir::IterKind::Spatial), append(outer, inner),
              keepsExp
                  ? SmallVector<Access>{resultAccess, {sum, {}}}
                  : SmallVector<Access>{dataAccess, {maximum, {}}, {sum, {}}},
              {resultAccess}, [&](ValueRange vars) {
                Value x = keepsExp ? b.loadAt(type, resultAccess, vars)
                          : isLog  ? shifted(vars, maximum)
                                   : getExp(vars, maximum);
                Value total = b.load(sum, {});
                b.storeAt(isLog ? b.sub(x, total) : b.div(x, total),
                          resultAccess, vars);
              });
    });
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Normalisation by mean and variance
//===----------------------------------------------------------------------===//

namespace {
/// Groups of elements that are normalised separately. Iteration variables:
/// `outer` for the groups, then `inner` for the elements of a group.
struct Groups {
  SmallVector<int64_t> outer, inner;
  Access data, result, gamma;
  std::optional<Access> beta;
  /// Whether the mean is subtracted first.
  bool isCentered;
  double epsilon;
};
} // namespace

static void lowerGroups(LayerBuilder &b, StringRef label, const Groups &groups,
                        Type type) {
  double count = 1;
  for (int64_t size : groups.inner)
    count *= size;
  Value zero = b.constant(type, 0.0), divisor = b.constant(type, count);
  Value epsilon = b.constant(type, groups.epsilon);
  auto name = [&](const char *part) { return label.str() + part; };

  b.loops(groups.outer, [&](ValueRange outer) {
    SmallVector<Access> reads = {groups.data};
    Value mean;
    if (groups.isCentered) {
      mean = b.reduce(name("_mean"), outer, groups.outer, groups.inner, type,
                      zero, reads, [&](ValueRange vars, Value acc) {
                        return b.add(acc, b.loadAt(type, groups.data, vars));
                      });
      update(b, name("_mean"), outer, groups.outer, mean,
             [&](Value sum) { return b.div(sum, divisor); });
      reads.push_back({mean, {}});
    }
    auto loadCentered = [&](ValueRange vars) {
      Value x = b.loadAt(type, groups.data, vars);
      return mean ? b.sub(x, b.load(mean, {})) : x;
    };
    // Use the centred elements: the mean square minus the squared mean suffers
    // from cancellation.
    Value scale = b.reduce(name("_scale"), outer, groups.outer, groups.inner,
                           type, zero, reads, [&](ValueRange vars, Value acc) {
                             Value x = loadCentered(vars);
                             return b.add(acc, b.mul(x, x));
                           });
    update(b, name("_scale"), outer, groups.outer, scale, [&](Value sum) {
      Value root = math::SqrtOp::create(b.builder, b.loc,
                                        b.add(b.div(sum, divisor), epsilon));
      return b.div(b.constant(type, 1.0), root);
    });
    reads.push_back({scale, {}});
    reads.push_back(groups.gamma);
    if (groups.beta)
      reads.push_back(*groups.beta);
    b.loops(groups.inner, [&](ValueRange inner) {
      SmallVector<LayerBuilder::Dim> dims;
      for (int64_t size :
           llvm::concat<const int64_t>(groups.outer, groups.inner))
        dims.push_back({size});
      b.block(label, dims, append(outer, inner), reads, {groups.result},
              [&](ValueRange vars) {
                Value x = b.mul(loadCentered(vars), b.load(scale, {}));
                x = b.mul(x, b.loadAt(type, groups.gamma, vars));
                if (groups.beta)
                  x = b.add(x, b.loadAt(type, *groups.beta, vars));
                b.storeAt(x, groups.result, vars);
              });
    });
  });
}

/// Builds a normalisation over the dimensions from `axis` on.
template <typename OpT>
static LogicalResult lowerSuffixNorm(LayerBuilder &b, OpT op, StringRef label,
                                     bool isCentered, ValueRange inputs,
                                     ValueRange outputs) {
  ArrayRef<int64_t> shape = getShape(outputs[0]);
  if (llvm::is_contained(shape, 0))
    return success();
  int64_t axis = op.getAxis();
  if (axis < 0)
    axis += shape.size();
  auto suffix = [&](Value buffer) {
    Access access{buffer, {}};
    for (unsigned i = axis; i < shape.size(); ++i)
      access.first.push_back(b.dim(i));
    return access;
  };
  Groups groups{SmallVector<int64_t>(shape.take_front(axis)),
                SmallVector<int64_t>(shape.drop_front(axis)),
                b.whole(inputs[0]),
                b.whole(outputs[0]),
                suffix(inputs[1]),
                std::nullopt,
                isCentered,
                op.getEpsilon().convertToDouble()};
  if (inputs.size() > 2)
    groups.beta = suffix(inputs[2]);
  lowerGroups(b, label, groups,
              LayerBuilder::getComputeType(getElement(outputs[0])));
  return success();
}

static LogicalResult lowerLayerNorm(LayerBuilder &b, graph::LayerNormOp op,
                                    ValueRange inputs, ValueRange outputs) {
  return lowerSuffixNorm(b, op, "layer_norm", /*isCentered=*/true, inputs,
                         outputs);
}

static LogicalResult lowerRMSNorm(LayerBuilder &b, graph::RMSNormOp op,
                                  ValueRange inputs, ValueRange outputs) {
  return lowerSuffixNorm(b, op, "rms_norm", /*isCentered=*/false, inputs,
                         outputs);
}

static LogicalResult lowerGroupNorm(LayerBuilder &b, graph::GroupNormOp op,
                                    ValueRange inputs, ValueRange outputs) {
  ArrayRef<int64_t> shape = getShape(outputs[0]);
  if (llvm::is_contained(shape, 0))
    return success();
  // Iteration variables: image, group, channel in the group, then the spatial
  // dimensions.
  int64_t numGroups = op.getNumGroups(), perGroup = shape[1] / numGroups;
  AffineExpr channel = b.dim(1) * perGroup + b.dim(2);
  auto whole = [&](Value buffer) {
    Access access{buffer, {b.dim(0), channel}};
    for (unsigned i = 2; i < shape.size(); ++i)
      access.first.push_back(b.dim(i + 1));
    return access;
  };
  Groups groups{{shape[0], numGroups},  {perGroup},
                whole(inputs[0]),       whole(outputs[0]),
                {inputs[1], {channel}}, Access{inputs[2], {channel}},
                /*isCentered=*/true,    op.getEpsilon().convertToDouble()};
  llvm::append_range(groups.inner, shape.drop_front(2));
  lowerGroups(b, "group_norm", groups,
              LayerBuilder::getComputeType(getElement(outputs[0])));
  return success();
}

//===----------------------------------------------------------------------===//
// Local response normalisation
//===----------------------------------------------------------------------===//

static LogicalResult lowerLRN(LayerBuilder &b, graph::LRNOp op,
                              ValueRange inputs, ValueRange outputs) {
  Value data = inputs[0], result = outputs[0];
  ArrayRef<int64_t> shape = getShape(result);
  if (llvm::is_contained(shape, 0))
    return success();
  Type type = LayerBuilder::getComputeType(getElement(result));
  int64_t size = op.getSize(), channels = shape[1];
  // Limit the window to the number of channels.
  int64_t before = std::min((size - 1) / 2, channels - 1);
  int64_t behind = std::min(size / 2, channels - 1);
  // Iteration variables: those of the result, then the neighbour.
  AffineExpr channel = b.dim(1) + b.dim(shape.size()) - before;
  Access access = b.whole(result);
  access.buffer = data;
  access.first[1] = channel;
  Value zero = b.constant(type, 0.0);
  Value bias = b.constant(type, op.getBias().convertToDouble());
  Value alpha = b.constant(type, op.getAlpha().convertToDouble() / size);
  Value beta = b.constant(type, op.getBeta().convertToDouble());
  b.loops(shape, [&](ValueRange outer) {
    Value sum = b.reduce("lrn_sum", outer, shape, {before + behind + 1}, type,
                         zero, {access}, [&](ValueRange vars, Value acc) {
                           Value position = b.apply(channel, vars);
                           SmallVector<Value> inside;
                           if (before)
                             inside.push_back(arith::CmpIOp::create(
                                 b.builder, b.loc, arith::CmpIPredicate::sge,
                                 position, b.index(0)));
                           if (behind)
                             inside.push_back(arith::CmpIOp::create(
                                 b.builder, b.loc, arith::CmpIPredicate::slt,
                                 position, b.index(channels)));
                           return b.guarded(inside, acc, [&] {
                             Value x = b.loadAt(type, access, vars);
                             return b.add(acc, b.mul(x, x));
                           });
                         });
    SmallVector<LayerBuilder::Dim> dims;
    for (int64_t extent : shape)
      dims.push_back({extent});
    b.block("lrn", dims, outer, {b.whole(data), {sum, {}}}, {b.whole(result)},
            [&](ValueRange vars) {
              Value base = b.add(bias, b.mul(alpha, b.load(sum, {})));
              Value power = math::PowFOp::create(b.builder, b.loc, base, beta);
              Value x = b.loadAs(type, data, vars);
              b.store(b.div(x, power), result, vars);
            });
  });
  return success();
}

void uma::populateNormalizationStrategies(StrategyRegistry &registry) {
  registry.add<graph::BiasAddOp>(lowerBiasAdd);
  registry.add<graph::BatchNormOp>(lowerBatchNorm);
  registry.add<graph::SoftmaxOp>([](LayerBuilder &b, graph::SoftmaxOp op,
                                    ValueRange inputs, ValueRange outputs) {
    return lowerSoftmax(b, op.getAxis(), /*isLog=*/false, inputs, outputs);
  });
  registry.add<graph::LogSoftmaxOp>([](LayerBuilder &b, graph::LogSoftmaxOp op,
                                       ValueRange inputs, ValueRange outputs) {
    return lowerSoftmax(b, op.getAxis(), /*isLog=*/true, inputs, outputs);
  });
  registry.add<graph::LayerNormOp>(lowerLayerNorm);
  registry.add<graph::RMSNormOp>(lowerRMSNorm);
  registry.add<graph::GroupNormOp>(lowerGroupNorm);
  registry.add<graph::LRNOp>(lowerLRN);
}
