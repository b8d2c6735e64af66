//===- Layer.h - Operators that one kernel computes -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A layer of the CPU is a private function with `uma.primitive` and its only
// call, whose operands are constants, too. Its attributes say how it is
// computed; see CPUAttributes.td.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_LAYER_H
#define UMA_CPU_MODEL_LAYER_H

#include "uma/CPU/IR/BufferLayout.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace uma {

/// Discardable unit attribute on private functions: the operators in it are
/// lowered together (Relay's `Primitive`).
inline constexpr llvm::StringLiteral kPrimitiveAttrName = "uma.primitive";
/// Discardable attributes on such functions, and `uma.layout` on their
/// arguments and results.
inline constexpr llvm::StringLiteral kKernelAttrName = "uma.kernel";
inline constexpr llvm::StringLiteral kSchedulesAttrName = "uma.schedules";
inline constexpr llvm::StringLiteral kTilePairAttrName = "uma.tile_pair";
inline constexpr llvm::StringLiteral kLayoutAttrName = "uma.layout";

/// A tensor from outside that elementwise operators of a layer read, with the
/// dimension of the result for each of its own, -1 if it is broadcast.
struct LayerOperand {
  mlir::Value tensor;
  llvm::SmallVector<int64_t, 4> dims;

  /// Returns true if it has an element for each of the result.
  bool isFull(mlir::RankedTensorType result) const;
  /// Returns true if it varies with the last dimension of the result at most.
  bool isRow(mlir::RankedTensorType result) const;
  /// Returns the dimension of the result that is the only one it varies with,
  /// or -1 for a scalar; std::nullopt if there are several.
  std::optional<int64_t> getOnlyDim(mlir::RankedTensorType result) const;
};

/// Operators that one function computes.
class CPULayer {
public:
  enum class Kind {
    Conv,        ///< conv2d, conv2d_transpose
    Depthwise,   ///< conv2d with a group per channel
    Matrix,      ///< dense, batch_matmul
    Pool,        ///< pools of two dimensions
    Concatenate, ///< of images
    Interpolate, ///< of images, along rows or columns
    Recurrent,   ///< lstm, gru, rnn, alone
    Elementwise, ///< no anchor
  };

  /// Returns the layer that `ops`, in the order of the text, may become;
  /// std::nullopt if no kernel computes them together.
  static std::optional<CPULayer> form(llvm::ArrayRef<mlir::Operation *> ops);
  /// Returns the layer that `function` is; std::nullopt if no kernel computes
  /// it.
  static std::optional<CPULayer> of(mlir::func::CallOp call,
                                    mlir::func::FuncOp function);
  /// Returns whether an operator may be a part of a layer.
  static bool canBeInside(mlir::Operation *op);

  Kind kind = Kind::Elementwise;
  /// In the order of the text. Only the result of the last one is used outside.
  llvm::SmallVector<mlir::Operation *, 4> ops;
  /// The operator that decides the loops; null for elementwise layers.
  mlir::Operation *anchor = nullptr;

  /// Returns the function and its call; null for a layer that is formed only.
  mlir::func::FuncOp getFunction() const { return function; }
  mlir::func::CallOp getCall() const { return call; }
  /// Returns the layer's name in the model.
  std::string getName() const;

  /// Returns true if values only move, in whatever order of channels they lie.
  bool isMove() const {
    return kind == Kind::Concatenate || kind == Kind::Interpolate;
  }
  /// True for layers whose result is one image.
  bool hasImage() const {
    return kind != Kind::Matrix && kind != Kind::Recurrent &&
           getType().getRank() == 4;
  }
  /// Returns the result in the function; the only one, but for recurrent
  /// layers.
  mlir::Value getResult() const { return ops.back()->getResult(0); }
  mlir::RankedTensorType getType() const {
    return mlir::cast<mlir::RankedTensorType>(getResult().getType());
  }
  /// Returns the caller's value for a value of the function: the call's operand
  /// for an argument, the call's result for the function's.
  mlir::Value getOutside(mlir::Value inside) const;
  /// Returns the constant that a value of its operators is; null if it is none,
  /// or its elements are not known: a dense_resource may be missing, where
  /// somebody printed the module without it.
  graph::ConstantOp getConstant(mlir::Value inside) const;
  /// True for constants of one element, which stand in the code.
  bool isScalarConstant(mlir::Value inside) const;

  /// Lists the tensors that elementwise operators read from outside; known
  /// scalars are left out.
  llvm::SmallVector<LayerOperand> getOperands() const;
  /// Returns the addition of a bias right behind the anchor, which sums may
  /// start with; null if there is none.
  mlir::Operation *getBias() const;
  /// Returns the dimension of the result for each of the operand's own, -1 if
  /// it is broadcast.
  static llvm::SmallVector<int64_t, 4>
  getBroadcastDims(mlir::OpOperand &operand, mlir::RankedTensorType result);

  KernelAttr getKernel() const;
  /// Null if it is not computed tile by tile with its reader.
  TilePairAttr getTilePair() const;
  /// Returns whether a kernel computes it, and not each operator by itself.
  bool hasKernel() const;
  /// Returns the layout of an argument or of the result.
  BufferLayout getLayout(mlir::Value inside) const;
  BufferLayout getResultLayout() const { return getLayout(getResult()); }
  /// Sets it, unless there is one.
  void setLayout(mlir::Value inside, const BufferLayout &layout);
  bool hasLayout(mlir::Value inside) const;

  /// Returns the dimension of the result's channels, and how many lie together,
  /// 0 for all.
  int64_t getChannelDim() const;
  int64_t getChannelBlock() const;
  /// Returns whether the spatial dimensions of the result and of all operands
  /// may be one: there is no border between rows, and nothing varies with one
  /// of the two alone.
  bool canFlatten() const;

private:
  mlir::func::CallOp call;
  mlir::func::FuncOp function;

  static std::optional<CPULayer> make(CPULayer layer);
  std::optional<Kind> getAnchorKind(mlir::Operation *op) const;
  mlir::Attribute getLayoutAttr(mlir::Value inside) const;
};

/// The layers of a function, in the order of their calls.
class CPULayers {
public:
  CPULayers(mlir::func::FuncOp function, mlir::SymbolTable &symbols);

  llvm::MutableArrayRef<CPULayer> getLayers() { return layers; }
  llvm::ArrayRef<CPULayer> getLayers() const { return layers; }
  /// Returns the depthwise convolution that alone reads the result of `writer`
  /// as its data; null if there is none.
  CPULayer *getDepthwiseReader(const CPULayer &writer);
  /// Returns the layer that a call computes, or null.
  CPULayer *lookup(mlir::Operation *call);
  const CPULayer *lookup(mlir::Operation *call) const {
    return const_cast<CPULayers *>(this)->lookup(call);
  }
  /// Returns the layout that the layer which computes `tensor`, a value of the
  /// function, writes it in.
  BufferLayout getStoredLayout(mlir::Value tensor) const;
  /// Returns the layout in which the data of a layer, the first operand of its
  /// anchor, is stored; the default one without an anchor.
  BufferLayout getStoredData(const CPULayer &layer) const;

private:
  llvm::SmallVector<CPULayer> layers;
  llvm::DenseMap<mlir::Operation *, size_t> layerOf;
};

/// Returns the data layout of an operator.
llvm::StringRef getDataLayout(mlir::Operation *op);

/// A tensor of f32 with elements.
bool isFloatTensor(mlir::Value tensor);

} // namespace uma

#endif // UMA_CPU_MODEL_LAYER_H
