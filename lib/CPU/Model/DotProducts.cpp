//===- DotProducts.cpp - Layers that are products -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Products of narrow integers with sums in i32 read 2 or 4 channels of data and
// weights as a word of 32 bits. Everything else about them is as for f32 and
// f64.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/AccelOps.h"
#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/Layer.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/Support/QuantizedTypes.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

int64_t uma::getWordSize(Operation *op) {
  if (!isa<graph::Conv2dOp, graph::DenseOp>(op))
    return 1;
  auto getElement = [](Value tensor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    return type && type.getNumElements() > 0 ? type.getElementType() : Type();
  };
  Type data = getElement(op->getOperand(0));
  Type weight = getElement(op->getOperand(1));
  Type sum = getElement(op->getResult(0));
  if (!data || !weight || !sum)
    return 1;
  if (data.isBF16() && weight.isBF16() && sum.isF32())
    return 2;
  if (!sum.isSignlessInteger(32))
    return 1;
  if (data.isSignlessInteger(16) && weight.isSignlessInteger(16))
    return 2;
  return data.isUnsignedInteger(8) && weight.isSignlessInteger(8) ? 4 : 1;
}

bool uma::fitsWords(Operation *op, int64_t wordSize) {
  constexpr int64_t fewest = 4;
  auto weights = cast<RankedTensorType>(op->getOperand(1).getType());
  if (isa<graph::DenseOp>(op))
    return weights.getDimSize(1) % wordSize == 0 &&
           weights.getDimSize(0) >= fewest;
  std::optional<ConvGeometry> conv = ConvGeometry::of(op);
  return conv && conv->getGroupInputs() % wordSize == 0 &&
         conv->getGroupOutputs() >= fewest;
}

std::optional<Kind> CPULayer::getWordKind(Operation *op,
                                          int64_t wordSize) const {
  if (!getConstant(op->getOperand(1)) || !fitsWords(op, wordSize))
    return std::nullopt;
  return isa<graph::DenseOp>(op) ? Kind::Matrix : Kind::Conv;
}

std::optional<Kind>
CPULayer::getProductKind(Operation *op,
                         function_ref<bool(Value)> isElement) const {
  if (!llvm::all_of(op->getOperands(), isElement))
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // A vector of four lanes is the least that pays.
  constexpr int64_t fewest = 4;
  if (std::optional<ConvGeometry> conv = ConvGeometry::of(op)) {
    bool isDirect =
        !conv->isPlanar() && (!conv->isDepthwise() || conv->isTransposed);
    if (!getConstant(op->getOperand(1)) ||
        (type.getElementType().isF64() && !isDirect))
      return std::nullopt;
    if (conv->isPlanar())
      return Kind::Conv;
    if (conv->isDepthwise() && !conv->isTransposed)
      return conv->outChannels < fewest ? std::nullopt
                                        : std::optional(Kind::Depthwise);
    if (conv->getGroupOutputs() < fewest)
      return std::nullopt;
    return Kind::Conv;
  }
  int64_t columns = type.getRank() == 0 ? 1 : type.getShape().back();
  if (auto dense = dyn_cast<graph::DenseOp>(op)) {
    if (getConstant(dense.getWeight()) && columns >= fewest)
      return Kind::Matrix;
    return std::nullopt;
  }
  if (auto matmul = dyn_cast<graph::BatchMatmulOp>(op)) {
    auto left = cast<RankedTensorType>(matmul.getLhs().getType());
    auto right = cast<RankedTensorType>(matmul.getRhs().getType());
    ArrayRef<int64_t> batch = right.getShape().drop_back(2);
    bool isMatrix = llvm::all_of(batch, [](int64_t size) { return size == 1; });
    // Matrices that are not constant are packed at run time.
    bool isBatch = batch == left.getShape().drop_back(2);
    // A row times a transposed matrix is a reduction of each of its rows, for
    // which packing would take longer than the products. Other matrices are
    // read in their order; short rows would wait for the sums.
    constexpr int64_t fewestColumns = 256;
    bool isRow = (matmul.getTransposeB() || columns >= fewestColumns) &&
                 !matmul.getTransposeA() && isMatrix &&
                 left.getNumElements() == left.getShape().back() &&
                 !getConstant(matmul.getRhs());
    if (isRow && type.getElementType().isF32())
      return std::nullopt;
    if ((isMatrix || isBatch) && !matmul.getTransposeA() && columns >= fewest)
      return Kind::Matrix;
    return std::nullopt;
  }
  return std::nullopt;
}

/// Returns a processor by its name; the generic one for a wrong name or none.
static Processor getProcessor(StringRef cpu) {
  if (cpu.empty())
    return Processor::getGeneric();
  llvm::Expected<Processor> named = Processor::get(cpu);
  if (named)
    return *named;
  llvm::consumeError(named.takeError());
  return Processor::getGeneric();
}

unsigned uma::getLookupCost(StringRef cpu) {
  // The widest set is the one that runs where there are several.
  return unsigned(getProcessor(cpu).sets.front().getLookupCost());
}

bool uma::hasPairInstruction(ModuleOp module) {
  for (auto accelerator : module.getOps<accel::AcceleratorOp>())
    for (auto instruction : accelerator.getOps<accel::InstructionOp>())
      if (instruction.getLanes() == 1 && !instruction.hasTile() &&
          instruction.getDot().isPairs && !instruction.getDot().isFloat)
        return true;
  return false;
}

static bool hasQuantizedTensors(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool isFound = llvm::any_of(op->getResultTypes(), [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          return tensor && isQuantized(tensor.getElementType());
        });
        return isFound ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

StringRef uma::getQuantizedArithmetic(StringRef cpu, ModuleOp module) {
  Processor processor = getProcessor(cpu);
  auto has = [&](bool (*test)(const ISA &)) {
    return llvm::any_of(processor.sets, test);
  };
  bool hasInstructions = accel::hasInstructions(module);
  // Words of four bytes would need channels in blocks.
  if (!has([](const ISA &isa) { return isa.lanes > 1; })) {
    if (!hasQuantizedTensors(module))
      return "integer";
    return hasInstructions && !hasPairInstruction(module) ? "dot" : "bytes";
  }
  if (hasInstructions || has([](const ISA &isa) { return isa.hasQuads; }))
    return "dot";
  return has([](const ISA &isa) { return isa.hasDots; }) ? "pairs" : "float";
}
