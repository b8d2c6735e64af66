//===- InferType.cpp - Type inference -------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Callees are visited before callers because a call has the result types of its
// function. Within a function, each operator is visited once in program order,
// so that the types of its operands are known.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_INFERTYPEPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns whether `written` contradicts `inferred`. Dynamic sizes and ranks do
/// not contradict anything.
static bool contradicts(Type written, Type inferred) {
  auto tensor = dyn_cast<TensorType>(written);
  auto known = dyn_cast<RankedTensorType>(inferred);
  if (!tensor || !known)
    return written != inferred;
  if (tensor.getElementType() != known.getElementType())
    return true;
  return tensor.hasRank() &&
         failed(verifyCompatibleShape(tensor.getShape(), known.getShape()));
}

namespace {
class TypeInference {
public:
  TypeInference(ModuleOp module, bool strict) : strict(strict) {
    for (auto func : module.getOps<func::FuncOp>())
      funcs[func.getSymNameAttr()] = func;
  }

  /// Infers the types in `func`, after the functions that it calls. Visits each
  /// function once.
  LogicalResult inferFunction(func::FuncOp func);

  unsigned numChanged = 0;

private:
  LogicalResult inferBody(func::FuncOp func);
  LogicalResult inferBlock(Block &block);
  LogicalResult inferOperation(Operation *op);
  LogicalResult inferComposite(CompositeOp composite);
  LogicalResult inferCall(func::CallOp call);

  /// Sets the type of `value` to `inferred`. With `strict`, emits an error of
  /// `op` and fails if the written type contradicts it. `what` names `value` in
  /// errors.
  LogicalResult setType(Operation *op, const Twine &what, Value value,
                        Type inferred);
  LogicalResult setResultTypes(Operation *op, TypeRange types);

  enum class State { Started, Done, Failed };
  bool strict;
  llvm::DenseMap<StringAttr, func::FuncOp> funcs;
  llvm::DenseMap<Operation *, State> states;
};

struct InferTypePass : uma::graph::impl::InferTypePassBase<InferTypePass> {
  using InferTypePassBase::InferTypePassBase;

  void runOnOperation() override {
    TypeInference inference(getOperation(), strict);
    bool ok = true;
    for (auto func : getOperation().getOps<func::FuncOp>())
      ok &= succeeded(inference.inferFunction(func));
    numChanged += inference.numChanged;
    if (!ok)
      signalPassFailure();
  }
};
} // namespace

LogicalResult TypeInference::setType(Operation *op, const Twine &what,
                                     Value value, Type inferred) {
  Type written = value.getType();
  if (written == inferred)
    return success();
  if (strict && contradicts(written, inferred))
    return op->emitOpError() << "of layer '" << getLayerName(op) << "' has "
                             << what << " of type " << written << ", expected "
                             << inferred << " as its operands say";
  value.setType(inferred);
  ++numChanged;
  return success();
}

LogicalResult TypeInference::setResultTypes(Operation *op, TypeRange types) {
  if (types.size() != op->getNumResults())
    return op->emitOpError() << "has " << op->getNumResults()
                             << " results, expected " << types.size();
  for (auto [index, result, type] : llvm::enumerate(op->getResults(), types))
    if (failed(setType(op, "result #" + Twine(index), result, type)))
      return failure();
  return success();
}

LogicalResult TypeInference::inferComposite(CompositeOp composite) {
  Block &body = composite.getBody().front();
  if (body.getNumArguments() != composite.getInputs().size())
    return composite.emitOpError()
           << "body has " << body.getNumArguments() << " arguments, expected "
           << composite.getInputs().size() << ", one for each input";
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), composite.getInputs()))
    if (failed(setType(composite, "argument #" + Twine(argument.getArgNumber()),
                       argument, input.getType())))
      return failure();
  if (failed(inferBlock(body)))
    return failure();
  return setResultTypes(composite, body.getTerminator()->getOperandTypes());
}

LogicalResult TypeInference::inferCall(func::CallOp call) {
  func::FuncOp callee = funcs.lookup(call.getCalleeAttr().getAttr());
  if (!callee)
    return call.emitOpError() << "calls '@" << call.getCallee()
                              << "', which is no function of the module";
  if (failed(inferFunction(callee)))
    return failure();
  FunctionType type = callee.getFunctionType();
  if (call.getNumOperands() != type.getNumInputs())
    return call.emitOpError()
           << "has " << call.getNumOperands() << " operands, expected "
           << type.getNumInputs() << " as '@" << call.getCallee() << "' takes";
  for (auto [index, operand, expected] :
       llvm::enumerate(call.getOperandTypes(), type.getInputs()))
    if (operand != expected)
      return call.emitOpError()
             << "of layer '" << getLayerName(call) << "' has operand #" << index
             << " of type " << operand << ", expected " << expected << " as '@"
             << call.getCallee()
             << "' takes; change the function's argument if the operand is "
                "right";
  return setResultTypes(call, type.getResults());
}

LogicalResult TypeInference::inferOperation(Operation *op) {
  if (auto composite = dyn_cast<CompositeOp>(op))
    return inferComposite(composite);
  if (auto call = dyn_cast<func::CallOp>(op))
    return inferCall(call);
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferable || !isInFamily<GraphFamily>(op))
    return success();
  SmallVector<Type> types;
  if (failed(inferable.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  return setResultTypes(op, types);
}

LogicalResult TypeInference::inferBlock(Block &block) {
  for (Operation &op : block)
    if (failed(inferOperation(&op)))
      return failure();
  return success();
}

LogicalResult TypeInference::inferBody(func::FuncOp func) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError()
           << "has " << func.getBody().getBlocks().size()
           << " blocks; a graph has no control flow, expected one block";
  Block &body = func.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return func.emitOpError()
             << "has argument #" << argument.getArgNumber() << " of type "
             << argument.getType()
             << ", expected a tensor of static shape: nothing in the module "
                "says what it is";
  }
  if (failed(inferBlock(body)))
    return failure();
  TypeRange returned = body.getTerminator()->getOperandTypes();
  TypeRange written = func.getFunctionType().getResults();
  if (written.size() != returned.size())
    return func.emitOpError() << "returns " << returned.size()
                              << " values, expected " << written.size();
  if (strict)
    for (auto [index, type, inferred] : llvm::enumerate(written, returned))
      if (contradicts(type, inferred))
        return func.emitOpError()
               << "has result #" << index << " of type " << type
               << ", expected " << inferred << " as it returns";
  func.setFunctionType(
      FunctionType::get(func.getContext(), body.getArgumentTypes(), returned));
  return success();
}

LogicalResult TypeInference::inferFunction(func::FuncOp func) {
  auto [entry, isNew] = states.try_emplace(func, State::Started);
  if (!isNew) {
    if (entry->second == State::Started)
      return func.emitOpError() << "calls itself, directly or through others; "
                                   "a graph has no recursion";
    return success(entry->second == State::Done);
  }
  bool ok = func.isExternal() || succeeded(inferBody(func));
  states[func] = ok ? State::Done : State::Failed;
  return success(ok);
}
