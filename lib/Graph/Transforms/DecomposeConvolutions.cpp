//===- DecomposeConvolutions.cpp - Convolutions as conv2d -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The CPU has fast kernels for conv2d only. The planes under the window of a
// three-dimensional convolution become channels: copying them costs little,
// since each element of the copy takes part in as many products as there are
// outputs and places in a plane. A transposed convolution that would be many
// convolutions of few places each becomes one, whose channels are interleaved.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_DECOMPOSECONVOLUTIONSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

using Sizes = SmallVector<int64_t, 8>;

static bool areAll(ArrayRef<int64_t> numbers, int64_t wanted) {
  return llvm::all_of(numbers, [&](int64_t n) { return n == wanted; });
}

static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<int64_t> shape) {
  if (getTensorType(value).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, value, shape);
}

//===----------------------------------------------------------------------===//
// The operators after a convolution
//===----------------------------------------------------------------------===//

/// Returns whether `op` computes each element from one element of `value` and
/// constants of one element.
static bool isUnary(Operation *op, Value value) {
  return op->hasTrait<Elementwise>() && op->getNumResults() == 1 &&
         getTensorType(op->getResult(0)).getShape() ==
             getTensorType(value).getShape() &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand == value ||
                  (isConstant(operand) &&
                   getTensorType(operand).getNumElements() == 1);
         });
}

/// Copies the bias_add and the unary operators after `conv` to `result`, which
/// holds its elements in another order, with `repeats` channels for each one.
/// Returns the last of these operators and moves `result` behind its copy.
static Operation *copyEpilogue(OpBuilder &builder, Operation *conv,
                               int64_t repeats, Value &result) {
  Operation *last = conv;
  while (last->hasOneUse()) {
    Operation *next = *last->user_begin();
    Value value = last->getResult(0);
    auto bias = dyn_cast<BiasAddOp>(next);
    std::optional<HostTensor> values;
    if (bias && bias.getData() == value && bias.getAxis() == 1)
      values = graph::getConstant(bias.getBias());
    if (values) {
      int64_t channels = values->getNumElements();
      HostTensor repeated(RankedTensorType::get({channels * repeats},
                                                values->getElementType()));
      for (int64_t i = 0; i < channels * repeats; ++i)
        repeated.setDouble(i, values->getDouble(i / repeats));
      result = BiasAddOp::create(
          builder, next->getLoc(), result,
          createConstant(builder, next, "repeated", repeated), /*axis=*/1);
    } else if (isUnary(next, value)) {
      IRMapping mapping;
      mapping.map(value, result);
      // Constants of the operator may follow the convolution.
      for (Value operand : next->getOperands())
        if (operand != value && !mapping.contains(operand))
          mapping.map(operand,
                      builder.clone(*operand.getDefiningOp())->getResult(0));
      Operation *copy = builder.clone(*next, mapping);
      auto type = getTensorType(next->getResult(0));
      copy->getResult(0).setType(type.clone(getTensorType(result).getShape()));
      result = copy->getResult(0);
    } else {
      break;
    }
    last = next;
  }
  return last;
}

/// Replaces `last` and all operators before it that have no other use.
static void replace(Operation *last, Operation *conv, Value result) {
  last->getResult(0).replaceAllUsesWith(result);
  for (Operation *op = last; op;) {
    Operation *before =
        op == conv ? nullptr : op->getOperand(0).getDefiningOp();
    op->erase();
    op = before;
  }
}

//===----------------------------------------------------------------------===//
// Three dimensions
//===----------------------------------------------------------------------===//

/// Returns a convolution [n, o, d, h * w] of windows with one row and column,
/// whose planes are rows.
static Value convolveDepth(OpBuilder &builder, Conv3dOp conv,
                           Operation *&last) {
  Location loc = conv.getLoc();
  ConvDims dims = conv.getDims();
  const Window &window = dims.window;
  ArrayRef<int64_t> weight = getTensorType(conv.getWeight()).getShape();
  int64_t pixels = window.input[1] * window.input[2];
  Value data = reshape(builder, loc, conv.getData(),
                       {dims.batch, dims.inChannels, window.input[0], pixels});
  Value weights = reshape(builder, loc, conv.getWeight(),
                          {weight[0], weight[1], weight[2], 1});
  Value result = Conv2dOp::create(
      builder, loc, data, weights, ArrayRef<int64_t>{window.strides[0], 1},
      ArrayRef<int64_t>{window.padBegin[0], 0, window.padEnd[0], 0},
      ArrayRef<int64_t>{window.dilations[0], 1}, dims.groups, "NCHW", "OIHW",
      conv.getOutDtypeAttr());
  last = copyEpilogue(builder, conv, /*repeats=*/1, result);
  return reshape(builder, loc, result,
                 getTensorType(last->getResult(0)).getShape());
}

/// Returns the planes [n * od, kd * c, h, w] under the windows of `conv`.
static Value gatherPlanes(OpBuilder &builder, Conv3dOp conv) {
  Location loc = conv.getLoc();
  ConvDims dims = conv.getDims();
  const Window &window = dims.window;
  Value data = TransposeOp::create(builder, loc, conv.getData(),
                                   ArrayRef<int64_t>{0, 2, 1, 3, 4});
  if (window.padBegin[0] != 0 || window.padEnd[0] != 0)
    data = PadOp::create(builder, loc, data,
                         ArrayRef<int64_t>{0, window.padBegin[0], 0, 0, 0},
                         ArrayRef<int64_t>{0, window.padEnd[0], 0, 0, 0},
                         llvm::APFloat(0.0), "constant");
  int64_t planes = window.getOutput(0), taps = window.kernel[0];
  if (taps != 1 || window.strides[0] != 1) {
    HostTensor indices(
        RankedTensorType::get({planes * taps}, builder.getI64Type()));
    for (int64_t i = 0; i < planes * taps; ++i)
      indices.setInt(i, i / taps * window.strides[0] +
                            i % taps * window.dilations[0]);
    data = TakeOp::create(builder, loc, data,
                          createConstant(builder, conv, "planes", indices),
                          /*axis=*/1);
  }
  return reshape(builder, loc, data,
                 {dims.batch * planes, taps * dims.inChannels, window.input[1],
                  window.input[2]});
}

/// Returns the convolution of planes, in the order of dimensions of `conv`.
static Value convolvePlanes(OpBuilder &builder, Conv3dOp conv,
                            Operation *&last) {
  Location loc = conv.getLoc();
  ConvDims dims = conv.getDims();
  const Window &window = dims.window;
  Value data = gatherPlanes(builder, conv);
  // [o, i, kd, kh, kw] -> [o, kd * i, kh, kw]
  ArrayRef<int64_t> shape = getTensorType(conv.getWeight()).getShape();
  Value weights = conv.getWeight();
  if (shape[2] != 1)
    weights = TransposeOp::create(builder, loc, weights,
                                  ArrayRef<int64_t>{0, 2, 1, 3, 4});
  weights = reshape(builder, loc, weights,
                    {shape[0], shape[2] * shape[1], shape[3], shape[4]});
  auto take = [](const SpatialVector &all) {
    return ArrayRef(all).drop_front();
  };
  SmallVector<int64_t> padding(take(window.padBegin));
  llvm::append_range(padding, take(window.padEnd));
  Value result =
      Conv2dOp::create(builder, loc, data, weights, take(window.strides),
                       padding, take(window.dilations), dims.groups, "NCHW",
                       "OIHW", conv.getOutDtypeAttr());
  last = copyEpilogue(builder, conv, /*repeats=*/1, result);
  result = reshape(builder, loc, result,
                   {dims.batch, window.getOutput(0), dims.outChannels,
                    window.getOutput(1), window.getOutput(2)});
  return TransposeOp::create(builder, loc, result,
                             ArrayRef<int64_t>{0, 2, 1, 3, 4});
}

static bool decompose(Conv3dOp conv) {
  if (conv.getDataLayout() != "NCDHW" || conv.getKernelLayout() != "OIDHW")
    return false;
  const Window window = conv.getWindow();
  auto isTrivial = [&](int64_t dim) {
    return window.kernel[dim] == 1 && window.strides[dim] == 1 &&
           window.padBegin[dim] == 0 && window.padEnd[dim] == 0;
  };
  bool isDeep = isTrivial(1) && isTrivial(2);
  // The channels of a group would not stay together.
  if (!isDeep && conv.getGroups() != 1 && window.kernel[0] != 1)
    return false;
  OpBuilder builder(conv);
  Operation *last = nullptr;
  Value result = isDeep ? convolveDepth(builder, conv, last)
                        : convolvePlanes(builder, conv, last);
  replace(last, conv, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Transposed convolutions
//===----------------------------------------------------------------------===//

/// Returns the weights [o * phases, i, taps...] of the convolution that
/// computes all phases of a transposed one, where `weight` is [c, o / groups,
/// window...].
static HostTensor interleaveWeights(const HostTensor &weight, int64_t groups,
                                    ArrayRef<int64_t> strides,
                                    ArrayRef<int64_t> taps) {
  ArrayRef<int64_t> shape = weight.getShape();
  ArrayRef<int64_t> window = shape.drop_front(2);
  int64_t groupInputs = shape[0] / groups, groupOutputs = shape[1];
  int64_t phases = std::accumulate(strides.begin(), strides.end(), int64_t(1),
                                   std::multiplies<>());
  Sizes newShape = {groups * groupOutputs * phases, groupInputs};
  newShape.append(taps.begin(), taps.end());
  HostTensor result(RankedTensorType::get(newShape, weight.getElementType()));
  for (int64_t i = 0, e = weight.getNumElements(); i < e; ++i) {
    // Split the index into those of the dimensions, the last one first.
    int64_t rest = i, phase = 0, tap = 0, phaseStride = 1, tapStride = 1;
    for (int64_t dim = int64_t(window.size()) - 1; dim >= 0; --dim) {
      int64_t place = rest % window[dim];
      rest /= window[dim];
      phase += place % strides[dim] * phaseStride;
      tap += (taps[dim] - 1 - place / strides[dim]) * tapStride;
      phaseStride *= strides[dim];
      tapStride *= taps[dim];
    }
    int64_t output = rest % groupOutputs, input = rest / groupOutputs;
    int64_t channel = input / groupInputs * groupOutputs + output;
    int64_t row = channel * phases + phase;
    result.setDouble((row * groupInputs + input % groupInputs) * tapStride +
                         tap,
                     weight.getDouble(i));
  }
  return result;
}

/// Returns [n, o, d * s...] of a tensor [n, o * s..., d...].
static Value interleave(OpBuilder &builder, Location loc, Value value,
                        int64_t channels, ArrayRef<int64_t> strides) {
  ArrayRef<int64_t> shape = getTensorType(value).getShape();
  Sizes split = {shape[0], channels}, joined = split, axes = {0, 1};
  split.append(strides.begin(), strides.end());
  auto rank = int64_t(strides.size());
  for (int64_t dim = 0; dim < rank; ++dim) {
    split.push_back(shape[dim + 2]);
    joined.push_back(shape[dim + 2] * strides[dim]);
    axes.append({2 + rank + dim, 2 + dim});
  }
  value = reshape(builder, loc, value, split);
  value = TransposeOp::create(builder, loc, value, axes);
  return reshape(builder, loc, value, joined);
}

/// Rewrites a transposed convolution to one of stride 1 with `phases` times as
/// many channels, which are the elements between two elements of the data.
template <typename OpT>
static bool decomposeTransposed(OpT conv) {
  std::optional<HostTensor> weight = graph::getConstant(conv.getWeight());
  if (!weight || !areAll(conv.getDilations(), 1))
    return false;
  ArrayRef<int64_t> strides = conv.getStrides();
  ArrayRef<int64_t> input = getTensorType(conv.getData()).getShape();
  ArrayRef<int64_t> output = conv.getType().getShape();
  size_t rank = strides.size();
  Sizes taps, begin = {0, 0}, size(output), steps(output.size(), 1), padding;
  for (size_t dim = 0; dim < rank; ++dim) {
    taps.push_back(llvm::divideCeil(weight->getShape()[dim + 2], strides[dim]));
    int64_t whole = (input[dim + 2] + taps.back() - 1) * strides[dim];
    begin.push_back(conv.getPadding()[dim]);
    // Additional elements at the end that no tap reaches.
    if (begin.back() < 0 || begin.back() + size[dim + 2] > whole)
      return false;
    padding.push_back(taps.back() - 1);
  }
  padding.append(padding.begin(), padding.begin() + int64_t(rank));
  OpBuilder builder(conv);
  Location loc = conv.getLoc();
  auto groups = int64_t(conv.getGroups());
  Value weights =
      createConstant(builder, conv, "interleaved",
                     interleaveWeights(*weight, groups, strides, taps));
  Sizes ones(rank, 1);
  Value result;
  if constexpr (std::is_same_v<OpT, Conv3dTransposeOp>)
    result =
        Conv3dOp::create(builder, loc, conv.getData(), weights, ones, padding,
                         ones, groups, "NCDHW", "OIDHW", TypeAttr());
  else
    result =
        Conv2dOp::create(builder, loc, conv.getData(), weights, ones, padding,
                         ones, groups, "NCHW", "OIHW", TypeAttr());
  Operation *whole = result.getDefiningOp();
  int64_t phases = getTensorType(weights).getDimSize(0) / output[1];
  Operation *last = copyEpilogue(builder, conv, phases, result);
  result = interleave(builder, loc, result, output[1], strides);
  if (ArrayRef(getTensorType(result).getShape()) != ArrayRef(size))
    result = StridedSliceOp::create(builder, loc, result, begin, size, steps);
  replace(last, conv, result);
  if (auto planes = dyn_cast<Conv3dOp>(whole))
    decompose(planes);
  return true;
}

/// Returns whether the kernels of the CPU compute a transposed convolution
/// well: one convolution for each of few phases, with whole vectors.
static bool hasKernel(Conv2dTransposeOp conv) {
  constexpr int64_t mostPhases = 16, leastChannels = 4;
  int64_t phases = conv.getStrides()[0] * conv.getStrides()[1];
  int64_t channels = conv.getType().getDimSize(1) / int64_t(conv.getGroups());
  return phases <= mostPhases &&
         (conv.getGroups() == 1 || channels >= leastChannels);
}

namespace {
struct DecomposeConvolutionsPass
    : uma::graph::impl::DecomposeConvolutionsPassBase<
          DecomposeConvolutionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> convolutions;
    for (Operation *op : getOpenGraphOps(getOperation()))
      if (isa<Conv3dOp, Conv3dTransposeOp, Conv2dTransposeOp>(op))
        convolutions.push_back(op);
    unsigned count = 0;
    for (Operation *op : convolutions) {
      bool isRewritten = false;
      if (auto conv = dyn_cast<Conv3dOp>(op))
        isRewritten = decompose(conv);
      else if (auto transposed = dyn_cast<Conv3dTransposeOp>(op))
        isRewritten = decomposeTransposed(transposed);
      else if (auto plane = cast<Conv2dTransposeOp>(op); !hasKernel(plane))
        isRewritten = decomposeTransposed(plane);
      count += isRewritten;
    }
    numDecomposed += count;
    if (count == 0)
      return;
    // Reorder weights now, and drop transposes between two convolutions.
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(createFoldConstantPass());
    manager.addPass(createCanonicalizerPass());
    if (failed(runPipeline(manager, getOperation())))
      signalPassFailure();
  }
};
} // namespace
