//===- Interpreter.cpp - Reference interpreter of uma.graph ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Interpreter/Interpreter.h"

#include "Kernels.h"

#include "uma/Graph/Interpreter/RoundingSides.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

using Results = FailureOr<SmallVector<HostTensor>>;

/// Size limit of a tensor. It is far above the activations and weights of
/// networks for small devices, and low enough that a wrong shape is an error
/// instead of exhausting the memory.
static constexpr int64_t kMaxTensorBytes = int64_t(1) << 32;

/// Emits an error and fails unless the host can hold a tensor of type `type`.
static LogicalResult checkStorage(Type type, EmitErrorFn emitError) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType || !tensorType.hasStaticShape())
    return emitError() << "has a value of type " << type
                       << "; the interpreter needs tensors of static shape";
  int64_t bytes = HostTensor::getElementSize(tensorType.getElementType());
  if (!bytes)
    return emitError() << "has a tensor of " << tensorType.getElementType()
                       << ", which the interpreter has no storage for; it "
                          "takes f32, f64, floats of 8 and 16 bits, and "
                          "integers of 1, 8, 16, 32 or 64 bits";
  for (int64_t size : tensorType.getShape())
    if (size &&
        (llvm::MulOverflow(bytes, size, bytes) || bytes > kMaxTensorBytes))
      return emitError() << "has a tensor of type " << type
                         << ", which is larger than the "
                         << (kMaxTensorBytes >> 30)
                         << " GiB that the interpreter gives to one tensor";
  return success();
}

/// Emits an error and fails unless `tensors` have the types `types`. `what`
/// names them in errors.
static LogicalResult checkTypes(ArrayRef<HostTensor> tensors, TypeRange types,
                                StringRef what, EmitErrorFn emitError) {
  if (tensors.size() != types.size())
    return emitError() << "takes " << types.size() << " " << what << "s, got "
                       << tensors.size();
  for (auto [index, tensor, type] : llvm::enumerate(tensors, types)) {
    if (failed(checkStorage(type, emitError)))
      return failure();
    // Encodings do not change the elements.
    auto expected = cast<RankedTensorType>(type);
    RankedTensorType found = tensor.getType();
    if (!found || found.getShape() != expected.getShape() ||
        found.getElementType() != expected.getElementType()) {
      InFlightDiagnostic diag = emitError();
      diag << "expects " << what << " #" << index << " of type " << expected
           << ", got ";
      if (found)
        diag << found;
      else
        diag << "an empty tensor";
      return diag;
    }
  }
  return success();
}

namespace {
/// Interprets functions and operations. Holds the state common to all calls.
class Interpreter {
public:
  explicit Interpreter(TraceFn trace, RoundingSides *sides = nullptr)
      : trace(trace), sides(sides) {}

  Results runFunction(func::FuncOp func, ArrayRef<HostTensor> inputs);
  Results runOperation(Operation *op, ArrayRef<HostTensor> operands,
                       EmitErrorFn emitError);

private:
  Results runBlock(Block &block, ArrayRef<HostTensor> arguments);
  Results runCall(func::CallOp call, ArrayRef<HostTensor> operands);

  TraceFn trace;
  RoundingSides *sides;
  /// Functions being run, outermost first.
  SmallVector<func::FuncOp> callStack;
};
} // namespace

/// Evaluates an operator that has no region.
static Results runKernel(Operation *op, ArrayRef<HostTensor> operands,
                         EmitErrorFn emitError) {
  auto asResults = [](FailureOr<HostTensor> result) -> Results {
    if (failed(result))
      return failure();
    return SmallVector<HostTensor>{*result};
  };
  if (op->hasTrait<Elementwise>())
    return asResults(kernels::runElementwise(op, operands, emitError));
  auto run = [&](auto kernelOp) {
    return asResults(kernels::run(kernelOp, operands, emitError));
  };
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case<DenseOp, BiasAddOp, BatchNormOp, SoftmaxOp>(run)
      .Case<Conv2dOp, Conv3dOp, Conv2dTransposeOp, Conv3dTransposeOp,
            DeformableConv2dOp, Col2ImOp>(run)
      .Case<QuantizeOp, DequantizeOp, RequantizeOp, QuantizedAddOp,
            StorageCastOp, BitcastOp>(run)
      .Case<MaxPool2dOp, MaxPool3dOp, MaxPoolIndicesOp, AvgPool2dOp,
            AvgPool3dOp, LpPoolOp, GlobalAvgPool2dOp, GlobalMaxPool2dOp>(run)
      .Case<DFTOp>(run)
      .Case<LSTMOp, GRUOp, RNNOp>([&](auto kernelOp) {
        return kernels::runAll(kernelOp, operands, emitError);
      })
      .Case<AttentionOp, BatchMatmulOp, EinsumOp, DetOp>(run)
      .Case<LogSoftmaxOp, LayerNormOp, RMSNormOp, GroupNormOp, LRNOp>(run)
      .Case<SumOp, MeanOp, ProdOp, MaxOp, MinOp, ArgMaxOp, ArgMinOp, TopKOp,
            CumsumOp>(run)
      .Case<ReshapeOp, BatchFlattenOp, TransposeOp, ConcatenateOp, PadOp>(run)
      .Case<StridedSliceOp, BroadcastToOp, TriluOp, ReverseSequenceOp, TakeOp,
            GatherOp, GatherNDOp, ScatterElementsOp, ScatterNDOp, OneHotOp>(run)
      .Case<InterpolateOp, GridSampleOp, RoiAlignOp, NonMaxSuppressionOp>(run)
      .Default([&](Operation *) -> Results {
        return emitError() << "is nothing the interpreter can run; it takes "
                              "uma.graph operators, func.call and func.return";
      });
}

Results Interpreter::runOperation(Operation *op, ArrayRef<HostTensor> operands,
                                  EmitErrorFn emitError) {
  if (failed(checkTypes(operands, op->getOperandTypes(), "operand", emitError)))
    return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkStorage(type, emitError)))
      return failure();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    FailureOr<HostTensor> value =
        HostTensor::fromAttribute(constant.getValue());
    if (failed(value))
      return emitError() << "has a value that cannot be read: a dense_resource "
                            "whose data are missing or have another size, or "
                            "an attribute other than dense and dense_resource";
    return SmallVector<HostTensor>{*value};
  }
  if (auto composite = dyn_cast<CompositeOp>(op))
    return runBlock(composite.getBody().front(), operands);
  if (sides && isa<RoundOp>(op))
    return SmallVector<HostTensor>{sides->round(operands.front(), op)};
  if (auto quantize = dyn_cast<QuantizeOp>(op); quantize && sides)
    return SmallVector<HostTensor>{kernels::finishQuantize(
        quantize,
        sides->round(kernels::startQuantize(quantize, operands.front()), op))};
  return runKernel(op, operands, emitError);
}

Results Interpreter::runBlock(Block &block, ArrayRef<HostTensor> arguments) {
  // Looked up only, never iterated.
  DenseMap<Value, HostTensor> values;
  for (auto [argument, tensor] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = tensor;
  for (Operation &op : block) {
    auto emitError = [&] { return op.emitOpError(); };
    SmallVector<HostTensor> operands;
    for (Value operand : op.getOperands()) {
      auto it = values.find(operand);
      if (it == values.end())
        return emitError() << "uses a value from outside of the region that "
                              "the interpreter runs";
      operands.push_back(it->second);
    }
    if (isa<func::ReturnOp, YieldOp>(op))
      return operands;
    auto call = dyn_cast<func::CallOp>(op);
    Results results =
        call ? runCall(call, operands) : runOperation(&op, operands, emitError);
    if (failed(results))
      return failure();
    if (trace && !isa<ConstantOp>(op))
      trace(&op, *results);
    for (auto [value, tensor] : llvm::zip_equal(op.getResults(), *results))
      values[value] = std::move(tensor);
  }
  return block.getParentOp()->emitOpError()
         << "has a body without a return, which the interpreter cannot run";
}

Results Interpreter::runCall(func::CallOp call, ArrayRef<HostTensor> operands) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee)
    return call.emitOpError()
           << "calls @" << call.getCallee() << ", which is no function";
  return runFunction(callee, operands);
}

Results Interpreter::runFunction(func::FuncOp func,
                                 ArrayRef<HostTensor> inputs) {
  auto emitError = [&] { return func.emitOpError(); };
  if (func.isExternal())
    return emitError() << "is a declaration, which the interpreter cannot run";
  if (!func.getBody().hasOneBlock())
    return emitError() << "has " << func.getBody().getBlocks().size()
                       << " blocks; the interpreter runs functions of one";
  if (llvm::is_contained(callStack, func))
    return emitError() << "calls itself, which a graph cannot";
  if (failed(
          checkTypes(inputs, func.getArgumentTypes(), "argument", emitError)))
    return failure();
  callStack.push_back(func);
  Results results = runBlock(func.getBody().front(), inputs);
  callStack.pop_back();
  return results;
}

Results uma::graph::evaluate(Operation *op, ArrayRef<HostTensor> operands) {
  return evaluate(op, operands, [&] { return op->emitOpError(); });
}

Results uma::graph::evaluate(Operation *op, ArrayRef<HostTensor> operands,
                             EmitErrorFn emitError) {
  return Interpreter(nullptr).runOperation(op, operands, emitError);
}

Results uma::graph::interpret(func::FuncOp entry, ArrayRef<HostTensor> inputs,
                              TraceFn trace, RoundingSides *sides) {
  return Interpreter(trace, sides).runFunction(entry, inputs);
}
