//===- ByteLayer.h - Layers of bytes in row-major order -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CPU_KERNELS_BYTELAYER_H
#define UMA_LIB_CPU_KERNELS_BYTELAYER_H

#include "IntegerRounding.h"
#include "LayerLowering.h"

#include "uma/CPU/Model/Processor.h"

namespace uma {

/// Base class of the kernels of CPULayer::isOfBytes(). Data and result are
/// [pixels, channels]; the pixels of a dense layer are its rows.
class ByteLayer : public LayerLowering {
public:
  using LayerLowering::LayerLowering;

protected:
  /// Adds the data, the operands and the result. With sums, the bias becomes a
  /// part of their initial values.
  void addArguments();
  /// Adds the initial values of the sums: the bias minus, if
  /// `subtractsZeroPoint`, the zero point times the sum of the weights. There
  /// are `count` channels, at least those of the layer. The kernel adds
  /// `offset` to the data.
  Argument addStart(int64_t count, bool subtractsZeroPoint, int64_t offset = 0);
  /// Builds the function. Before `body`, makes the views `dataBuffer`,
  /// `operandBuffers` and `resultBuffer`.
  void buildBytes(llvm::function_ref<void(LayerBuilder &)> body);
  /// Returns a buffer as a vector of its elements.
  mlir::Value getFlat(LayerBuilder &b, const Argument &argument);
  /// Returns the zero point of the bytes: what the prologue subtracts.
  int64_t getZeroPoint() const;
  /// Returns the type of the data: of bytes, or i16 without a prologue.
  mlir::Type getDataElement() const {
    return mlir::cast<mlir::RankedTensorType>(layer.getData().getType())
        .getElementType();
  }
  bool isDataUnsigned() const { return getDataElement().isUnsignedInteger(); }
  /// Emits the prologue of an element of the data.
  mlir::Value convertData(LayerBuilder &b, mlir::Value element) const;
  /// Emits the epilogue of a sum and stores the result at `pixel` and
  /// `channel`, index values.
  void storeResult(LayerBuilder &b, mlir::Value sum, mlir::Value pixel,
                   mlir::Value channel);
  /// Emits `body` under a condition, and `otherwise` if it is false. Emits
  /// `body` alone if `condition` is null.
  static void buildIf(LayerBuilder &b, mlir::Value condition,
                      llvm::function_ref<void()> body,
                      llvm::function_ref<void()> otherwise = nullptr);
  /// Builds a loop from `begin` to `end` around `body`.
  static void buildRange(LayerBuilder &b, mlir::OpFoldResult begin,
                         mlir::OpFoldResult end,
                         llvm::function_ref<void(mlir::Value)> body);
  /// Emits a block whose iteration variables are `bindings`, with `extents`. It
  /// reads any elements of `reads` and writes any of `writes`.
  static void buildBlock(LayerBuilder &b, llvm::StringRef label,
                         llvm::ArrayRef<int64_t> extents,
                         mlir::ValueRange bindings, mlir::ValueRange reads,
                         mlir::ValueRange writes, LayerBuilder::BodyFn body);

  mlir::Value roundInIntegers(LayerBuilder &b, mlir::Value number, int32_t low,
                              int32_t high) const override;

  Processor processor =
      Processor::of(layer.getFunction()->getParentOfType<mlir::ModuleOp>());
  Argument data;
  /// Buffers as vectors of their elements.
  mlir::Value dataBuffer, resultBuffer;
  llvm::SmallVector<mlir::Value> operandBuffers;

private:
  /// Returns the distance of the weights of two channels, if the others between
  /// them are of the first channel.
  int64_t getWeightsPerChannel() const;
  /// Returns bounds on the sums of each channel.
  std::vector<FixedProduct::Sums> getSums() const;
  /// Returns whether `roundInIntegers` is called for the product, and its
  /// limits are in FixedProduct's range.
  bool isRounded(graph::MultiplyOp multiply) const;
  /// Chooses how sums are multiplied with the scale that follows, if one does.
  void chooseProduct();

  std::optional<FixedProduct> product;
  /// Multipliers of the channels; the only one is a literal.
  Argument multipliers;
  mlir::Value multiplierBuffer;
  /// The sum whose epilogue is emitted, and its channel.
  mlir::Value currentSum, currentChannel;
};

} // namespace uma

#endif // UMA_LIB_CPU_KERNELS_BYTELAYER_H
