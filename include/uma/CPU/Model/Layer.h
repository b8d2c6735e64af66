//===- Layer.h - Fused layers of the CPU -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A layer of the CPU is a private function with `uma.primitive` and the only
// call to it. Constants are operands of the call. Attributes of the function
// say how the layer is computed; see CPUAttributes.td.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_LAYER_H
#define UMA_CPU_MODEL_LAYER_H

#include "uma/CPU/IR/BufferLayout.h"
#include "uma/CPU/Model/ChannelMap.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace uma {

/// Discardable attributes on functions with `uma.primitive`; `uma.layout` is on
/// their arguments and results.
inline constexpr llvm::StringLiteral kKernelAttrName = "uma.kernel";
inline constexpr llvm::StringLiteral kSchedulesAttrName = "uma.schedules";
inline constexpr llvm::StringLiteral kTilePairAttrName = "uma.tile_pair";
inline constexpr llvm::StringLiteral kTileProducerAttrName =
    "uma.tile_producer";
inline constexpr llvm::StringLiteral kLayoutAttrName = "uma.layout";

/// A tensor from outside of the layer that its elementwise operators read.
/// `dims` maps each of its dimensions to one of the result, or to -1 if it is
/// broadcast.
struct LayerOperand {
  mlir::Value tensor;
  llvm::SmallVector<int64_t, 4> dims;

  /// Returns whether it has an element for each element of the result.
  bool isFull(mlir::RankedTensorType result) const;
  /// Returns whether it varies at most along the last dimension of the result.
  bool isRow(mlir::RankedTensorType result) const;
  /// Returns the only dimension of the result along which it varies, -1 for a
  /// scalar, or std::nullopt if there are several.
  std::optional<int64_t> getOnlyDim(mlir::RankedTensorType result) const;
};

/// Returns the number of integers in a word of 32 bits if `op` is a product of
/// i16 and i16 or of ui8 and i8, with sums in i32; otherwise 1.
int64_t getWordSize(mlir::Operation *op);
/// Returns whether a conv2d or dense layer has as many channels as a kernel of
/// words of `wordSize` elements needs.
bool fitsWords(mlir::Operation *op, int64_t wordSize);

/// Returns whether `op` may be the anchor of a layer of bytes: a conv2d without
/// groups or of one channel each, or a dense layer, of i16 and i8 with sums in
/// i32, or an average, with the channels in the last dimension.
bool isByteAnchor(mlir::Operation *op);
/// Returns the operators that convert bytes to the data of `op`, in program
/// order: a cast, and operators with scalar constants. Each result has one use.
/// Returns none if the data does not come from bytes.
llvm::SmallVector<mlir::Operation *, 2>
getBytePrologue(mlir::Operation *op,
                llvm::function_ref<bool(mlir::Value)> isScalarConstant);

/// A group of operators that one function computes.
class CPULayer {
public:
  enum class Kind {
    Conv,        ///< conv2d, conv2d_transpose
    Depthwise,   ///< conv2d with a group per channel
    Matrix,      ///< dense, batch_matmul
    Pool,        ///< pools of two dimensions
    Concatenate, ///< of images
    Shuffle, ///< shuffle and slice of images' channels, or concatenated ones
    Interpolate, ///< of images, along rows or columns
    Recurrent,   ///< lstm, gru, rnn, never fused
    Elementwise, ///< no anchor
    ByteSum,     ///< a cast of bytes to i32 and their sum, never fused
    ByteProduct, ///< conv2d, dense with sums of products of bytes, row-major
    ByteWindow,  ///< depthwise conv2d and averages of bytes, row-major
  };

  /// Returns the layer that consists of `ops`, in program order; std::nullopt
  /// if no kernel computes them together.
  static std::optional<CPULayer> form(llvm::ArrayRef<mlir::Operation *> ops);
  /// Returns the layer of a conversion of bytes and the only use of the result,
  /// a sum; std::nullopt if `op` is something else.
  static std::optional<CPULayer> formByteSum(mlir::Operation *op);
  /// Returns the layer of `function`; std::nullopt if no kernel computes it.
  static std::optional<CPULayer> of(mlir::func::CallOp call,
                                    mlir::func::FuncOp function);
  /// Returns whether an operator may be part of a layer.
  static bool canBeInside(mlir::Operation *op);

  Kind kind = Kind::Elementwise;
  /// Operators in program order. Only the result of the last one is used
  /// outside.
  llvm::SmallVector<mlir::Operation *, 4> ops;
  /// Operators in front of them that convert the bytes which the anchor reads,
  /// in program order: each has the result of the one before as an operand, and
  /// scalars. Only layers of bytes have any.
  llvm::SmallVector<mlir::Operation *, 2> prologue;
  /// The operator that determines the loops; null for elementwise layers.
  mlir::Operation *anchor = nullptr;

  /// Return the function and its call; null if the layer was made by form().
  mlir::func::FuncOp getFunction() const { return function; }
  mlir::func::CallOp getCall() const { return call; }
  /// Returns the layer's name in the model.
  std::string getName() const;

  /// Returns the data of the anchor as the layer reads it.
  mlir::Value getData() const {
    return prologue.empty() ? anchor->getOperand(0)
                            : prologue.front()->getOperand(0);
  }
  /// Returns whether it computes on bytes in row-major order.
  bool isOfBytes() const {
    return kind == Kind::ByteProduct || kind == Kind::ByteWindow;
  }
  /// Returns whether the layer only moves values, in any order of channels.
  bool isMove() const {
    return kind == Kind::Concatenate || kind == Kind::Shuffle ||
           kind == Kind::Interpolate;
  }
  /// Returns whether the layer looks bytes up in a constant table; it is
  /// elementwise.
  bool isLookup() const;
  /// Returns the sources of the channels of a move other than an interpolation;
  /// std::nullopt for other layers, and if it moves other dimensions than
  /// `channelDim`.
  std::optional<ChannelMap> getChannelMap(int64_t channelDim) const;
  /// Returns whether the result is a batch of images.
  bool hasImage() const {
    return kind != Kind::Matrix && kind != Kind::Recurrent &&
           kind != Kind::ByteSum && getType().getRank() == 4;
  }
  /// Returns the result in the function; the first one for recurrent layers.
  mlir::Value getResult() const { return ops.back()->getResult(0); }
  mlir::RankedTensorType getType() const {
    return mlir::cast<mlir::RankedTensorType>(getResult().getType());
  }
  /// Returns the caller's value for a value of the function: the call's operand
  /// for an argument, the call's result for a returned value.
  mlir::Value getOutside(mlir::Value inside) const;
  /// Returns the constant operation of an operand. Returns null if it is not
  /// constant or its elements are unknown, as for a dense_resource that was not
  /// printed with the module.
  graph::ConstantOp getConstant(mlir::Value inside) const;
  /// Returns whether a value is a constant of one element, which becomes a
  /// literal in the code.
  bool isScalarConstant(mlir::Value inside) const;

  /// Returns the tensors that elementwise operators read from outside, except
  /// for known scalars.
  llvm::SmallVector<LayerOperand> getOperands() const;
  /// Returns the bias addition that consumes the anchor's result, so that sums
  /// may start with the bias; null if there is none.
  mlir::Operation *getBias() const;
  /// Maps each dimension of the operand to one of the result, or to -1 if it is
  /// broadcast.
  static llvm::SmallVector<int64_t, 4>
  getBroadcastDims(mlir::OpOperand &operand, mlir::RankedTensorType result);

  KernelAttr getKernel() const;
  /// Returns the tiling with the consumer; null if they are not tiled together.
  TilePairAttr getTilePair() const;
  /// Returns whether the kernel computes the producer of its data, tile by
  /// tile.
  bool hasTileProducer() const;
  /// Returns whether the sums of products are exact integers, so that only
  /// algorithms that add the products themselves compute the layer.
  bool hasExactSums() const {
    return getWordSize() != 1 ||
           (anchor && anchor->hasAttr(graph::kExactSumsAttrName));
  }
  /// Returns the number of integers in a word of 32 bits if the layer's
  /// products are dot products of words, otherwise 1.
  int64_t getWordSize() const { return anchor ? uma::getWordSize(anchor) : 1; }
  /// Returns whether one kernel computes the layer, instead of each operator by
  /// itself.
  bool hasKernel() const;
  /// Returns the layout of an argument or of the result.
  BufferLayout getLayout(mlir::Value inside) const;
  BufferLayout getResultLayout() const { return getLayout(getResult()); }
  /// Sets the layout, unless it is set already or is the default.
  void setLayout(mlir::Value inside, const BufferLayout &layout);
  bool hasLayout(mlir::Value inside) const;

  /// Return the channel dimension of the result and its channels per block, 0
  /// if all channels are contiguous.
  int64_t getChannelDim() const;
  int64_t getChannelBlock() const;
  /// Returns whether the spatial dimensions of the result and of all operands
  /// can be merged: there is no halo, and no operand varies along only one of
  /// them.
  bool canFlatten() const;

private:
  mlir::func::CallOp call;
  mlir::func::FuncOp function;

  static std::optional<CPULayer> make(CPULayer layer);
  /// Moves the operators that convert bytes for an anchor to the prologue.
  void takePrologue();
  /// Returns whether two operators are a conversion of bytes to i32 and a sum
  /// along adjacent dimensions that cannot overflow.
  static bool isByteSum(llvm::ArrayRef<mlir::Operation *> ops);
  std::optional<Kind> getAnchorKind(mlir::Operation *op) const;
  /// Returns the kind of a product whose operands `isElement` accepts.
  std::optional<Kind>
  getProductKind(mlir::Operation *op,
                 llvm::function_ref<bool(mlir::Value)> isElement) const;
  std::optional<Kind> getByteKind(mlir::Operation *op) const;
  std::optional<Kind> getWordKind(mlir::Operation *op, int64_t wordSize) const;
  mlir::Attribute getLayoutAttr(mlir::Value inside) const;
};

/// The layers that a function calls, in call order.
class CPULayers {
public:
  CPULayers(mlir::func::FuncOp function, mlir::SymbolTable &symbols);

  llvm::MutableArrayRef<CPULayer> getLayers() { return layers; }
  llvm::ArrayRef<CPULayer> getLayers() const { return layers; }
  /// Returns the depthwise convolution that reads the result of `writer` as its
  /// data, if it is the only user; otherwise null.
  CPULayer *getDepthwiseReader(const CPULayer &writer);
  /// Returns the elementwise layer that the kernel of `reader` computes in its
  /// tiles, or null.
  const CPULayer *getTileProducer(const CPULayer &reader) const;
  /// Returns whether the kernel of its only reader computes `layer`.
  bool isTileProducer(const CPULayer &layer) const;
  /// Returns the layer that a call computes, or null.
  CPULayer *lookup(mlir::Operation *call);
  const CPULayer *lookup(mlir::Operation *call) const {
    return const_cast<CPULayers *>(this)->lookup(call);
  }
  /// Returns the layout in which `tensor`, a value of the function, is written;
  /// the default layout if no layer computes it.
  BufferLayout getStoredLayout(mlir::Value tensor) const;
  /// Returns the layout in which the data of a layer, the first operand of its
  /// anchor, is stored; the default layout without an anchor.
  BufferLayout getStoredData(const CPULayer &layer) const;

private:
  llvm::SmallVector<CPULayer> layers;
  llvm::DenseMap<mlir::Operation *, size_t> layerOf;
};

/// Returns the data layout of an operator.
llvm::StringRef getDataLayout(mlir::Operation *op);

/// Returns whether a tensor has type f32 and is not empty.
bool isFloatTensor(mlir::Value tensor);

} // namespace uma

#endif // UMA_CPU_MODEL_LAYER_H
