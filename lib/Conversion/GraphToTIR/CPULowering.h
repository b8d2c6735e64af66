//===- CPULowering.h - Lowers the layers of the CPU -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOTIR_CPULOWERING_H
#define UMA_LIB_CONVERSION_GRAPHTOTIR_CPULOWERING_H

#include "CPUInterleaving.h"
#include "CPULayers.h"
#include "CPUStrassen.h"
#include "ContractionKernel.h"
#include "ConvGeometry.h"

#include "uma/Support/HostTensor.h"

namespace uma {

/// A buffer and the order of the elements in it.
struct PlacedTensor {
  mlir::Value buffer;
  BufferLayout layout;
};

/// What lowering a layer needs of the function that calls it.
class BufferProvider {
public:
  virtual ~BufferProvider() = default;
  /// The tensor in a layout with these blocks of channels and at least this
  /// halo; copied where it lies in another one.
  virtual PlacedTensor request(mlir::Value tensor,
                               const BufferLayout &wanted) = 0;
  /// The tensor in whatever layout it lies in.
  virtual PlacedTensor getCanonical(mlir::Value tensor) = 0;
  /// A constant made at compile time.
  virtual mlir::Value makeConstant(mlir::ElementsAttr value,
                                   llvm::StringRef name) = 0;
  /// Says that the elements of a constant are not read again by this user.
  virtual void releaseConstant(mlir::Value constant) = 0;
  /// A buffer for the time of the layer.
  virtual mlir::Value allocateBuffer(mlir::MemRefType type,
                                     llvm::StringRef label) = 0;
  /// A function that is called with `arguments`.
  virtual tir::FuncOp createLayer(mlir::Location loc, llvm::StringRef name,
                                  llvm::StringRef layer,
                                  mlir::ValueRange arguments) = 0;

  /// Gives `tensor`, whose layer and reader take turns, a buffer for one turn.
  virtual PlacedTensor interleave(mlir::Value tensor,
                                  const Interleaving &interleaving) = 0;
  /// How the layer of `tensor` and its reader take turns; null if they do not.
  virtual const Interleaving *getInterleaving(mlir::Value tensor) const = 0;
  /// A function that takes turns with the other layer of `tensor`, the one that
  /// writes it first: behind the arguments come the numbers of the pack and of
  /// the slab, where there are several. Both are called from where the second
  /// one is created.
  virtual tir::FuncOp createInterleaved(mlir::Location loc,
                                        llvm::StringRef name,
                                        llvm::StringRef layer,
                                        mlir::ValueRange arguments,
                                        mlir::Value tensor) = 0;
};

/// One layer on its way: the arguments of its function and the buffers in it.
class LayerLowering {
public:
  LayerLowering(const CPULayers &layers, const CPULayer &layer,
                BufferProvider &provider)
      : layers(layers), layer(layer), provider(provider), first(layer.anchor) {}

  void lower();

private:
  void lowerConv();
  void lowerPlanarConv(const ConvGeometry &conv);
  void lowerWinograd(graph::Conv2dOp op, int64_t tile);
  /// A convolution of 1x1 as `product`, by Strassen's algorithm.
  void lowerPixelProduct(graph::Conv2dOp op, QuarterProduct product);
  void lowerDepthwise(graph::Conv2dOp op);
  void lowerMatrix();
  void lowerPool();
  void lowerConcatenate();
  void lowerInterpolate();
  void lowerRecurrent();
  void lowerElementwise();

  /// A tensor as an argument of the function.
  struct Argument {
    unsigned index;
    BufferLayout layout;
  };
  Argument addArgument(const PlacedTensor &tensor);
  /// The data of a convolution, with the halo that it reads.
  PlacedTensor requestConvData(const ConvGeometry &conv);
  /// A part of a convolution: its sizes and weights, and then its loops.
  void lowerConvPart(const ConvGeometry &conv,
                     const std::array<ConvAxis, 2> &part, const Argument &data,
                     llvm::StringRef name, bool isFlat);
  void buildConvPart(LayerBuilder &b, const ConvGeometry &conv, size_t number,
                     const Argument &data, bool isFlat);
  /// Lets sums start with the bias, if there is one.
  void startWithBias(Contraction &contraction);
  /// Adds what the elementwise operators read.
  void addOperands();
  /// What was measured for `workload`, a part of the layer.
  const TuningEntry *lookupTuned(Workload workload);
  /// Decides how `contraction`, whose extents are known, is computed; `op` is
  /// the operator where its label does not tell.
  void chooseSchedule(Contraction &contraction, llvm::StringRef op = "");
  /// Lets the layer and the depthwise convolution that reads its result take
  /// turns, if that pays; `conv` is the layer's only part.
  void interleaveWithReader(const Contraction &conv);
  /// Begins a turn of the layer that writes: the rows that are kept of the one
  /// before, and the border.
  void beginTurn(LayerBuilder &b);
  /// The variables of the loops over turns, and their extents.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> getTurn() const;
  /// Lets `conv` compute one turn.
  void takeTurn(LayerBuilder &b, Contraction &conv) const;
  /// Creates the function and builds its body.
  void build(llvm::function_ref<void(LayerBuilder &)> body);
  /// Says of the function that its result may lie `bytes` in front of `data`.
  void allowInPlace(const Argument &data, int64_t bytes);
  /// The buffer of an argument, seen with another shape of as many elements.
  mlir::Value getBuffer(LayerBuilder &b, const Argument &argument,
                        llvm::ArrayRef<int64_t> shape = {});

  /// The dimension of the result's channels, and how many lie together.
  int64_t getChannelDim() const;
  int64_t getChannelBlock() const;
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
  bool canFlatten() const;
  /// A product of matrices by Strassen's algorithm, in front of which the
  /// arguments of data, operands and result are known. The weight of an input
  /// and an output is at their sum times the strides.
  void lowerStrassen(const QuarterProduct &product, mlir::Value weights,
                     int64_t inStride, int64_t outStride,
                     llvm::function_ref<PixelOperand(LayerBuilder &)> getData,
                     const PointFn &getPoint);
  mlir::Value finish(LayerBuilder &b, mlir::Value anchor,
                     mlir::ValueRange elements) const;

  const CPULayers &layers;
  const CPULayer &layer;
  BufferProvider &provider;
  llvm::SmallVector<mlir::Value> arguments;
  tir::FuncOp function;
  llvm::SmallVector<mlir::Value> parameters;
  /// How the layer takes turns with another one, the tensor between the two,
  /// and the present turn's numbers.
  const Interleaving *interleaving = nullptr;
  mlir::Value between, pack, slab;
  llvm::SmallVector<LayerOperand> operands;
  llvm::SmallVector<Argument> operandArguments;
  Argument result;
  /// What schedules are chosen for.
  llvm::SmallVector<Workload, 1> workloads;
  /// The operator whose result `finish` gets.
  mlir::Operation *first = nullptr;
  /// Of a convolution, its parts and their weights.
  llvm::SmallVector<Contraction, 1> parts;
  llvm::SmallVector<Argument, 1> partWeights;
  /// Of a product, the rows of one matrix.
  int64_t matrixRows = 1;
};

/// A loop over `extent` in steps of `step`, the last of which may overlap the
/// one before; `body` gets the first element of one.
void buildSteps(LayerBuilder &builder, int64_t extent, int64_t step,
                llvm::function_ref<void(mlir::Value)> body);

/// `extent` neighbours as vectors; the last one may overlap the one before.
struct VectorLoop {
  VectorLoop(int64_t extent, const SIMDTarget &target);
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

/// The place of a pixel in a tensor of images, with 0 for the channel.
IndexExprs getImagePlace(const graph::WindowLayout &names,
                         mlir::AffineExpr image, mlir::AffineExpr row,
                         mlir::AffineExpr column);

/// The first element of `operand` at `point`, and `lanes` of them along the
/// channels.
LayerBuilder::Access getVectorRegion(const ResultOperand &operand,
                                     ResultPoint point, int64_t lanes);

/// Inside a loop over the lanes of a vector: the iteration variables `vars` and
/// the lane.
void buildLanes(LayerBuilder &builder, mlir::ValueRange vars, int64_t lanes,
                llvm::function_ref<void(mlir::ValueRange)> body);

/// The side of the tiles that Winograd's algorithm computes a convolution by,
/// or 0 where it does not pay or does not apply.
int64_t chooseWinogradTile(const graph::ConvDims &dims);

/// The sum of `values` times `factors`, null where all of these are 0.
mlir::Value combine(LayerBuilder &builder, llvm::ArrayRef<double> factors,
                    mlir::ValueRange values);

/// The data of a constant of graph.
mlir::FailureOr<HostTensor> getHostTensor(mlir::Value constant);

/// Where the weights of a contraction stand in a tensor: the one of a channel
/// of a group at a place in `extents` at the sum of these times their strides.
struct WeightOrder {
  int64_t offset = 0;
  int64_t groups = 1, groupStride = 0;
  int64_t channels = 1, channelStride = 1;
  llvm::SmallVector<int64_t> extents, strides;
};

/// Weights as a contraction reads them: [panels, steps, channels of a panel],
/// behind the group where there are several.
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

/// Copies a tensor of `shape` from one layout to another one.
void buildLayoutCopy(LayerBuilder &builder, llvm::ArrayRef<int64_t> shape,
                     const PlacedTensor &from, const PlacedTensor &to);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOTIR_CPULOWERING_H
