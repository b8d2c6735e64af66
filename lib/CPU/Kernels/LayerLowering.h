//===- LayerLowering.h - Base class of kernels -*- C++ -*------------------===//
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

/// Lowering of one layer: its function, arguments and buffers. Kernels derive
/// from it.
class LayerLowering {
public:
  LayerLowering(const CPULayer &layer, BufferProvider &provider)
      : layer(layer), provider(provider), first(layer.anchor) {}
  virtual ~LayerLowering() = default;

  virtual void lower() = 0;

protected:
  /// A tensor passed as an argument of the function.
  struct Argument {
    unsigned index;
    BufferLayout layout;
  };
  /// Adds a buffer of the caller to the arguments.
  Argument addBuffer(const PlacedTensor &tensor);
  /// Adds an argument of the layer, in the layout that the layer requires.
  Argument addArgument(mlir::Value inside);
  /// Adds the operands of elementwise operators.
  void addOperands();
  /// Adds the buffer in which the layer's result is stored.
  void addResult();
  /// Adds a constant made at compile time.
  Argument addConstant(mlir::ElementsAttr value, llvm::StringRef name);
  /// Adds a buffer that is live during the layer, of the elements that its
  /// anchor computes.
  Argument addWorkspace(llvm::ArrayRef<int64_t> shape, llvm::StringRef label);
  void releaseConstant(mlir::Value inside);
  /// Returns the elements of a constant.
  HostTensor getHostTensor(mlir::Value inside) const;

  /// Returns contraction `index` of the layer with its schedule.
  Contraction getContraction(size_t index = 0) const;
  ScheduleAttr getSchedule(size_t index = 0) const;
  /// Initialises sums with the bias, if there is one.
  void startWithBias(Contraction &contraction);

  /// Creates the function and builds its body.
  void build(llvm::function_ref<void(LayerBuilder &)> body);
  /// Allows the result to overlap `data` if it begins at least `bytes` before
  /// it.
  void allowInPlace(const Argument &data, int64_t bytes);
  /// Returns the buffer of an argument, reshaped to `shape` if given.
  mlir::Value getBuffer(LayerBuilder &b, const Argument &argument,
                        llvm::ArrayRef<int64_t> shape = {});
  /// Emits stores of zeros to the halo of the result, if it has one.
  void buildBorder(LayerBuilder &b);

  /// Return and set the operands of a contraction's result. `getPoint` maps a
  /// place in the contraction to indices of the tensor. If `isFlat`, the
  /// spatial dimensions are merged.
  using PointFn = std::function<IndexExprs(const ResultPoint &)>;
  ResultOperand getResultOperand(LayerBuilder &b, const LayerOperand &operand,
                                 const Argument &argument,
                                 const PointFn &getPoint, bool isFlat);
  void setResult(LayerBuilder &b, Contraction &contraction,
                 const PointFn &getPoint, bool isFlat);
  /// Returns `buffer` with its spatial dimensions merged into one.
  mlir::Value flatten(LayerBuilder &b, mlir::Value buffer,
                      const BufferLayout &layout);
  /// Emits the epilogue: returns the result's element for the result `value` of
  /// `first` and the elements of the operands.
  mlir::Value finish(LayerBuilder &b, mlir::Value value,
                     mlir::ValueRange elements) const;

  /// Returns a literal for a constant tensor of one element.
  static mlir::Value makeScalar(LayerBuilder &b, graph::ConstantOp constant);
  /// Returns the element of a cast of a number that was limited and rounded, or
  /// null if `op` casts something else. `computed` has the layer's elements.
  mlir::Value
  castRounded(LayerBuilder &b, graph::CastOp op,
              const llvm::DenseMap<mlir::Value, mlir::Value> &computed) const;
  /// Emits the integer that `number`, an f32, rounds to, limited to [low,
  /// high], without floats. Returns null if the kernel cannot.
  virtual mlir::Value roundInIntegers(LayerBuilder &b, mlir::Value number,
                                      int32_t low, int32_t high) const {
    return {};
  }
  /// Converts an element as uma.graph.cast does.
  static mlir::Value convertElement(LayerBuilder &b, graph::CastOp op,
                                    mlir::Value value);

  const CPULayer &layer;
  BufferProvider &provider;
  llvm::SmallVector<mlir::Value> arguments;
  tir::FuncOp function;
  llvm::SmallVector<mlir::Value> parameters;
  /// The tiling with another layer, the tensor between the two, and the indices
  /// of the current tile.
  const TilePair *pair = nullptr;
  mlir::Value between;
  TileVars tileVars;
  llvm::SmallVector<LayerOperand> operands;
  llvm::SmallVector<Argument> operandArguments;
  Argument result;
  /// The operator whose result `finish` receives.
  mlir::Operation *first = nullptr;
  /// Whether the epilogue rounds to integers, not to floats.
  bool roundsToIntegers = false;
};

using LayerLoweringPtr = std::unique_ptr<LayerLowering>;

/// Create the kernels, each implemented in a file of its name.
LayerLoweringPtr createConvolution(const CPULayer &layer,
                                   const LayerNeighbours &neighbours,
                                   BufferProvider &provider);
using CreateKernelFn = LayerLoweringPtr(const CPULayer &, BufferProvider &);
CreateKernelFn createPlanarConvolution, createWinograd, createStrassen,
    createDepthwise, createMatrixProduct, createPool, createConcatenate,
    createChannelMoves, createInterpolate, createRecurrent, createElementwise,
    createLookup, createByteSum, createIm2col, createByteWindow;

/// Builds a loop over `extent` in steps of `step`; the last step may overlap
/// the previous one. `body` receives the first element of a step.
void buildSteps(LayerBuilder &builder, int64_t extent, int64_t step,
                llvm::function_ref<void(mlir::Value)> body);

/// A loop over `extent` neighbours in vectors; the last vector may overlap the
/// previous one.
struct VectorLoop {
  VectorLoop(int64_t extent, const ISA &isa)
      : VectorLoop(extent, chooseLanes(extent, isa)) {}
  VectorLoop(int64_t extent, int64_t lanes) : extent(extent), lanes(lanes) {}
  /// Builds the loop; `body` receives the first element of a vector.
  void build(LayerBuilder &b,
             llvm::function_ref<void(mlir::Value)> body) const {
    buildSteps(b, extent, lanes, body);
  }
  /// Builds a block for each vector, inside of loops over `extents`. Threads
  /// share loop `parallel` of these, by default one that is long enough. The
  /// block's iteration variables are those of the loops and the first element.
  void buildBlocks(LayerBuilder &b, llvm::StringRef label,
                   llvm::ArrayRef<int64_t> extents,
                   llvm::ArrayRef<LayerBuilder::Access> reads,
                   llvm::ArrayRef<LayerBuilder::Access> writes,
                   llvm::function_ref<void(mlir::ValueRange)> body,
                   std::optional<size_t> parallel = std::nullopt) const;

  int64_t extent, lanes;
};

/// Returns the region of `lanes` channels of `operand` that starts at `point`.
LayerBuilder::Access getVectorRegion(const ResultOperand &operand,
                                     ResultPoint point, int64_t lanes);

/// Builds a loop over the lanes of a vector; `body` receives `vars` and the
/// lane.
void buildLanes(LayerBuilder &builder, mlir::ValueRange vars, int64_t lanes,
                llvm::function_ref<void(mlir::ValueRange)> body);

/// Emits the sum of `values` times `factors`. Returns null if all factors are
/// 0.
mlir::Value combine(LayerBuilder &builder, llvm::ArrayRef<double> factors,
                    mlir::ValueRange values);

/// The layout of a contraction's weights in a tensor. The weight of a channel
/// in a group at a place in `extents` is at `offset` plus the dot product of
/// these indices and their strides.
struct WeightOrder {
  int64_t offset = 0;
  int64_t groups = 1, groupStride = 0;
  int64_t channels = 1, channelStride = 1;
  llvm::SmallVector<int64_t> extents, strides;
  /// Integers in a word; the innermost extent and stride are in words. Their
  /// distance in the tensor.
  int64_t wordSize = 1, wordStride = 1;
};

/// Returns the strides of the dimensions of a convolution's weights.
llvm::SmallVector<int64_t> getWeightStrides(mlir::Operation *op);

/// Packs weights (packed B) as [panels, steps, channels of a panel], with the
/// group in front if there are several. The integers of a word are adjacent.
mlir::ElementsAttr packWeights(const HostTensor &weights,
                               const WeightOrder &order,
                               const PackLayout &layout, llvm::StringRef name);

/// Emits packing of the matrices [batch, depth, channels], or [batch, channels,
/// depth] if `isTransposed`, at run time, by `width` channels.
void buildPackedMatrix(LayerBuilder &builder, mlir::Value matrix,
                       bool isTransposed, int64_t width, mlir::Value packed);

/// Emits stores of zeros to the halo of a buffer.
void buildZeroHalo(LayerBuilder &builder, mlir::Value buffer,
                   const BufferLayout &layout);

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_LAYERLOWERING_H
