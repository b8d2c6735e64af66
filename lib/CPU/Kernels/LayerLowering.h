//===- LayerLowering.h - What the kernels have in common -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_LAYERLOWERING_H
#define UMA_LIB_CPU_KERNELS_LAYERLOWERING_H

#include "ContractionKernel.h"

#include "uma/CPU/Kernels/BufferProvider.h"
#include "uma/CPU/Model/Problems.h"
#include "uma/Support/HostTensor.h"

#include <memory>

namespace uma {

/// One layer on its way: the arguments of its function and the buffers in it. A
/// kernel derives from it.
class LayerLowering {
public:
  LayerLowering(const CPULayer &layer, BufferProvider &provider)
      : layer(layer), provider(provider), first(layer.anchor) {}
  virtual ~LayerLowering() = default;

  virtual void lower() = 0;

protected:
  /// A tensor as an argument of the function.
  struct Argument {
    unsigned index;
    BufferLayout layout;
  };
  /// Returns a buffer of the caller.
  Argument addBuffer(const PlacedTensor &tensor);
  /// Returns an argument of the layer in the layout that it wants.
  Argument addArgument(mlir::Value inside);
  /// Adds what the elementwise operators read.
  void addOperands();
  /// Adds what the layer writes, where it is stored.
  void addResult();
  /// Returns a constant made at compile time.
  Argument addConstant(mlir::ElementsAttr value, llvm::StringRef name);
  /// Returns a buffer for the time of the layer.
  Argument addWorkspace(llvm::ArrayRef<int64_t> shape, llvm::StringRef label);
  void releaseConstant(mlir::Value inside);
  /// Returns the data of a constant.
  HostTensor getHostTensor(mlir::Value inside) const;

  /// Returns contraction `index` as its schedule says it.
  Contraction getContraction(size_t index = 0) const;
  ScheduleAttr getSchedule(size_t index = 0) const;
  /// Lets sums start with the bias, if there is one.
  void startWithBias(Contraction &contraction);

  /// Creates the function and builds its body.
  void build(llvm::function_ref<void(LayerBuilder &)> body);
  /// Lets the function's result lie `bytes` in front of `data`.
  void allowInPlace(const Argument &data, int64_t bytes);
  /// Returns the buffer of an argument, seen with another shape of as many
  /// elements.
  mlir::Value getBuffer(LayerBuilder &b, const Argument &argument,
                        llvm::ArrayRef<int64_t> shape = {});
  /// Sets the border of the result to zero, if there is one.
  void buildBorder(LayerBuilder &b);

  /// Elements of the result and of operands for places in the result;
  /// `getPoint` gives the place in the tensor, and `isFlat` says that the
  /// spatial dimensions are one.
  using PointFn = std::function<IndexExprs(const ResultPoint &)>;
  ResultOperand getResultOperand(LayerBuilder &b, const LayerOperand &operand,
                                 const Argument &argument,
                                 const PointFn &getPoint, bool isFlat);
  void setResult(LayerBuilder &b, Contraction &contraction,
                 const PointFn &getPoint, bool isFlat);
  /// `buffer` with one spatial dimension instead of two.
  mlir::Value flatten(LayerBuilder &b, mlir::Value buffer,
                      const BufferLayout &layout);
  /// Returns the result's element from that of `first` and those of the
  /// operands.
  mlir::Value finish(LayerBuilder &b, mlir::Value value,
                     mlir::ValueRange elements) const;

  const CPULayer &layer;
  BufferProvider &provider;
  llvm::SmallVector<mlir::Value> arguments;
  tir::FuncOp function;
  llvm::SmallVector<mlir::Value> parameters;
  /// The tiling with another layer, the tensor between the two, and the numbers
  /// of the present tile.
  const TilePair *pair = nullptr;
  mlir::Value between;
  TileVars tileVars;
  llvm::SmallVector<LayerOperand> operands;
  llvm::SmallVector<Argument> operandArguments;
  Argument result;
  /// The operator whose result `finish` gets.
  mlir::Operation *first = nullptr;
};

using LayerLoweringPtr = std::unique_ptr<LayerLowering>;

/// Create the kernels, each in a file of its name. A convolution may be
/// computed tile by tile with `reader`, or null.
LayerLoweringPtr createConvolution(const CPULayer &layer,
                                   const CPULayer *reader,
                                   BufferProvider &provider);
using CreateKernelFn = LayerLoweringPtr(const CPULayer &, BufferProvider &);
CreateKernelFn createPlanarConvolution, createWinograd, createStrassen,
    createDepthwise, createMatrixProduct, createPool, createConcatenate,
    createInterpolate, createRecurrent, createElementwise;

/// A loop over `extent` in steps of `step`, the last of which may overlap the
/// one before; `body` gets the first element of one.
void buildSteps(LayerBuilder &builder, int64_t extent, int64_t step,
                llvm::function_ref<void(mlir::Value)> body);

/// `extent` neighbours as vectors; the last one may overlap the one before.
struct VectorLoop {
  VectorLoop(int64_t extent, const ISA &isa)
      : VectorLoop(extent, chooseLanes(extent, isa)) {}
  VectorLoop(int64_t extent, int64_t lanes) : extent(extent), lanes(lanes) {}
  /// A loop over the vectors; `body` gets the first element of one.
  void build(LayerBuilder &b,
             llvm::function_ref<void(mlir::Value)> body) const {
    buildSteps(b, extent, lanes, body);
  }
  /// A block for each vector in loops over `extents`, which threads may share;
  /// its iteration variables are theirs and the first element.
  void buildBlocks(LayerBuilder &b, llvm::StringRef label,
                   llvm::ArrayRef<int64_t> extents,
                   llvm::ArrayRef<LayerBuilder::Access> reads,
                   llvm::ArrayRef<LayerBuilder::Access> writes,
                   llvm::function_ref<void(mlir::ValueRange)> body) const;

  int64_t extent, lanes;
};

/// Returns the first element of `operand` at `point`, and `lanes` of them along
/// the channels.
LayerBuilder::Access getVectorRegion(const ResultOperand &operand,
                                     ResultPoint point, int64_t lanes);

/// Inside a loop over the lanes of a vector: the iteration variables `vars` and
/// the lane.
void buildLanes(LayerBuilder &builder, mlir::ValueRange vars, int64_t lanes,
                llvm::function_ref<void(mlir::ValueRange)> body);

/// Returns the sum of `values` times `factors`, null if all of these are 0.
mlir::Value combine(LayerBuilder &builder, llvm::ArrayRef<double> factors,
                    mlir::ValueRange values);

/// The order of a contraction's weights in a tensor: the weight of a channel of
/// a group at a place in `extents` stands at the sum of these times their
/// strides.
struct WeightOrder {
  int64_t offset = 0;
  int64_t groups = 1, groupStride = 0;
  int64_t channels = 1, channelStride = 1;
  llvm::SmallVector<int64_t> extents, strides;
};

/// Returns the strides of the dimensions of a convolution's weights.
llvm::SmallVector<int64_t> getWeightStrides(mlir::Operation *op);

/// Weights as a contraction reads them: [panels, steps, channels of a panel],
/// behind the group if there are several.
mlir::ElementsAttr packWeights(const HostTensor &weights,
                               const WeightOrder &order,
                               const PackLayout &layout, llvm::StringRef name);

/// Packs the matrices [batch, depth, channels], or with the last two dimensions
/// the other way round, in the same order at run time, by `width` channels.
void buildPackedMatrix(LayerBuilder &builder, mlir::Value matrix,
                       bool isTransposed, int64_t width, mlir::Value packed);

/// Sets the border of a buffer to zero.
void buildZeroHalo(LayerBuilder &builder, mlir::Value buffer,
                   const BufferLayout &layout);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_LAYERLOWERING_H
