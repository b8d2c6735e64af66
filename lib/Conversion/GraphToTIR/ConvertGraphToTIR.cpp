//===- ConvertGraphToTIR.cpp - Convert operators to loops -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The entry function becomes a list of calls to layer functions, one per
// operator, with a workspace buffer for every intermediate tensor. This
// combines TVM's relay_to_tir and the main function of its AOT executor.
//
//===----------------------------------------------------------------------===//

#include "CheckGraph.h"
#include "ModuleConverter.h"
#include "OperatorLoops.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/CPU/Kernels/Strategies.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/Conversion/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/ArgumentAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/IR/StateAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_CONVERTGRAPHTOTIRPASS
#include "uma/Conversion/Passes.h.inc"
} // namespace uma

/// Registers strategies without vectors for every operator.
static void populatePlainStrategies(StrategyRegistry &strategies) {
  populateContractionStrategies(strategies);
  populateConvStrategies(strategies);
  populateElementwiseStrategies(strategies);
  populateDetectionStrategies(strategies);
  populateImageStrategies(strategies);
  populateIndexStrategies(strategies);
  populateMatrixStrategies(strategies);
  populateMovementStrategies(strategies);
  populateNormalizationStrategies(strategies);
  populatePoolStrategies(strategies);
  populateRecurrentStrategies(strategies);
  populateReduceStrategies(strategies);
  populateShapeStrategies(strategies);
  populateSignalStrategies(strategies);
}

ModuleConverter::ModuleConverter(ModuleOp module,
                                 const ConversionOptions &options)
    : BufferProvider(OpBuilder(module.getContext())), module(module),
      options(options), symbols(module) {
  populatePlainStrategies(strategies);
  populatePlainStrategies(plainStrategies);
  if (options.vectorize) {
    populateTransposeStrategies(strategies);
    populateVectorNormStrategies(strategies);
    populateVectorReductionStrategies(strategies);
    populateVectorArgReductionStrategies(strategies);
    populateVectorTopKStrategies(strategies);
    populateVectorInterpolationStrategies(strategies);
  }
}

LogicalResult ModuleConverter::run() {
  if (failed(cpu::verifyLayers(module)))
    return failure();
  cpu::inlineLayers(module, symbols, [](func::FuncOp layer) {
    return layer->getAttrOfType<KernelAttr>(kKernelAttrName).getAlgorithm() ==
           Algorithm::Plain;
  });
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  llvm::DenseMap<Operation *, std::unique_ptr<CPULayers>> layersOf;
  for (func::FuncOp entry : cpu::getEntryFunctions(module))
    layersOf[entry] = std::make_unique<CPULayers>(entry, symbols);
  // Free the names of layers for the functions that they become.
  for (func::FuncOp function : functions)
    if (function->hasAttr(kPrimitiveAttrName)) {
      layerFunctions[function.getName()] = function;
      symbols.remove(function);
    }
  for (func::FuncOp function : functions) {
    if (failed(checkGraph(function)))
      return failure();
    if (function->hasAttr(kTargetAttrName) ||
        function->hasAttr(kPrimitiveAttrName))
      continue;
    if (function.isPrivate())
      return function.emitOpError("is private and has no ")
             << kTargetAttrName
             << "; inline it first (pass 'inline') or partition the graph";
    layers = std::move(layersOf[function]);
    if (failed(convertEntry(function)))
      return failure();
  }
  for (func::FuncOp function : functions)
    symbols.erase(function);
  // The graph's names are free now: apply the final names, to all calls at
  // once, since `rename` would search the whole module for each name.
  llvm::DenseMap<StringAttr, StringAttr> names;
  for (auto function : module.getOps<tir::FuncOp>())
    if (auto name = function->getAttrOfType<StringAttr>(kFutureNameAttrName)) {
      function->removeAttr(kFutureNameAttrName);
      if (symbols.lookup(name))
        return function.emitOpError("cannot be named '") << name << "'";
      names[function.getSymNameAttr()] = name;
      symbols.remove(function);
      function.setSymNameAttr(name);
      symbols.insert(function);
    }
  module.walk([&](tir::CallOp call) {
    if (StringAttr name = names.lookup(call.getCalleeAttr().getAttr()))
      call.setCallee(name);
  });
  return success();
}

tir::FuncOp ModuleConverter::createEntry(func::FuncOp entry) {
  SmallVector<Type> types;
  for (Type type : llvm::concat<const Type>(entry.getArgumentTypes(),
                                            entry.getResultTypes()))
    types.push_back(getBufferType(type));
  builder.setInsertionPoint(entry);
  auto function =
      createFunction(entry.getLoc(), entry.getName(), /*layer=*/"", types);
  function.setPublic();
  function->setAttr(kFutureNameAttrName, entry.getNameAttr());
  if (Attribute network = entry->getAttr(kNetworkAttrName))
    function->setAttr(kNetworkAttrName, network);

  unsigned numInputs = entry.getNumArguments();
  ArgumentAttributes attributes(function);
  for (unsigned i = 0; i < numInputs; ++i)
    for (StringRef key : {kTensorNameAttrName, kStartAttrName})
      if (Attribute value = entry.getArgAttr(i, key))
        attributes.set(i, key, value);
  for (unsigned i = 0, e = entry.getNumResults(); i < e; ++i) {
    if (Attribute name = entry.getResultAttr(i, kTensorNameAttrName))
      attributes.set(numInputs + i, kTensorNameAttrName, name);
    attributes.set(numInputs + i, kOutputAttrName, builder.getUnitAttr());
  }

  for (auto [i, type] : llvm::enumerate(llvm::concat<const Type>(
           entry.getArgumentTypes(), entry.getResultTypes())))
    attributes.set(i, kTensorTypeAttrName, TypeAttr::get(type));
  attributes.apply();
  return function;
}

void ModuleConverter::recordMACs(Operation *op) {
  int64_t macs = accel::getMACs(op);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    func::FuncOp callee = layerFunctions.lookup(call.getCallee());
    if (!callee)
      callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee)
      callee.walk([&](Operation *inner) { macs += accel::getMACs(inner); });
  }
  if (macs == 0)
    return;
  // Other functions of the layer move data.
  for (tir::FuncOp function : llvm::reverse(createdFunctions)) {
    auto layers = function->getAttrOfType<ArrayAttr>(kLayersAttrName);
    if (layers && layers.empty())
      continue;
    function->setAttr(kMACsAttrName, builder.getI64IntegerAttr(macs));
    return;
  }
}

LogicalResult ModuleConverter::convertEntry(func::FuncOp entry) {
  buffers.clear();
  outputBuffers.clear();
  tir::FuncOp function = createEntry(entry);
  auto arguments = function.getBody().getArguments();
  unsigned numInputs = entry.getNumArguments();
  for (auto [tensor, buffer] :
       llvm::zip(entry.getArguments(), arguments.take_front(numInputs)))
    buffers[tensor] = {{buffer, BufferLayout()}};
  builder.setInsertionPointToStart(&function.getBody().front());
  auto returnOp = cast<func::ReturnOp>(entry.getBody().front().getTerminator());
  auto outputs = arguments.drop_front(numInputs);
  assignOutputs(returnOp, outputs);
  // Copies cost a processor with vectors more than a little memory.
  constexpr double littleMemory = 1.0 / 32;
  parts = TensorParts::find(entry, *layers, getViewAlignment(),
                            hasVectors() ? littleMemory : 0, [&](Value tensor) {
                              return !buffers.contains(tensor) &&
                                     !outputBuffers.contains(tensor);
                            });

  for (Operation &op : entry.getBody().front().without_terminator()) {
    createdFunctions.clear();
    LogicalResult converted =
        TypeSwitch<Operation *, LogicalResult>(&op)
            // Constants become globals when they are used.
            .Case([](graph::ConstantOp) { return success(); })
            .Case([&](func::CallOp call) { return convertCall(call); })
            .Default([&](Operation *op) { return convertLayer(op); });
    if (failed(converted))
      return failure();
    recordMACs(&op);
  }

  // Copy returned values that no layer writes directly to the caller's buffer:
  // inputs, constants, values returned twice.
  for (auto [tensor, output] :
       llvm::zip_equal(returnOp.getOperands(), outputs)) {
    Value buffer = getBuffer(tensor), whole = buffer;
    while (auto view = whole.getDefiningOp<ViewLikeOpInterface>())
      whole = view.getViewSource();
    if (whole != output)
      copyBuffer(buffer, output, returnOp.getLoc());
  }
  return success();
}

LogicalResult ModuleConverter::convertScripted(func::CallOp call,
                                               func::FuncOp callee) {
  Operation *end = callee.getBody().front().getTerminator();
  SmallVector<Value> arguments;
  for (Value tensor :
       llvm::concat<Value>(call.getOperands(), call.getResults()))
    arguments.push_back(getBuffer(tensor));
  const CPULayer *layer = layers->lookup(call);
  Operation *first = &callee.getBody().front().front();
  std::string name = layer          ? layer->getName()
                     : first == end ? callee.getName().str()
                                    : getLayerName(first);
  tir::FuncOp function = createFunction(call.getLoc(), callee.getName(), name,
                                        ValueRange(arguments).getTypes());
  auto kernel = callee->getAttrOfType<KernelAttr>(kKernelAttrName);
  function->setAttr(kScriptAttrName, kernel.getScript());
  tir::CallOp::create(builder, call.getLoc(), function.getName(), arguments);

  auto parameters = function.getBody().getArguments();
  IRMapping buffers;
  buffers.map(callee.getArguments(),
              parameters.take_front(callee.getNumArguments()));
  for (auto [tensor, buffer] :
       llvm::zip_equal(end->getOperands(),
                       parameters.drop_front(callee.getNumArguments()))) {
    if (!tensor.getDefiningOp() || buffers.contains(tensor))
      return callee.emitOpError("of layer '")
             << name << "' is computed by a script, expected results that an "
             << "operator in it computes, each for itself";
    buffers.map(tensor, buffer);
  }
  OpBuilder body = OpBuilder::atBlockBegin(&function.getBody().front());
  auto getInside = [&](Value tensor) {
    if (Value known = buffers.lookupOrNull(tensor))
      return known;
    MemRefType type = getBufferType(tensor.getType());
    Operation *op = tensor.getDefiningOp();
    Value buffer;
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      buffer = memref::GetGlobalOp::create(body, op->getLoc(), type,
                                           getGlobal(constant).getValue());
    else
      buffer = tir::AllocOp::create(body, op->getLoc(), type,
                                    tir::Scope::Workspace, /*offset=*/nullptr,
                                    body.getStringAttr(getBufferLabel(op)));
    buffers.map(tensor, buffer);
    return buffer;
  };
  SmallVector<Attribute> names;
  for (Operation &op : callee.getBody().front().without_terminator()) {
    if (isa<graph::ConstantOp>(op))
      continue;
    const Strategy *strategy = plainStrategies.lookup(&op);
    if (!strategy && !isView(&op))
      return op.emitOpError(
          "cannot run on the CPU: it has no operator strategy");
    names.push_back(body.getStringAttr(getLayerName(&op)));
    if (failed(buildOperatorLoops(body, &op, strategy, getInside)))
      return failure();
  }
  function->setAttr(kLayersAttrName, body.getArrayAttr(names));
  // Make labels unique, since scripts find blocks by label.
  llvm::StringMap<unsigned> seen;
  function.walk([&](tir::BlockOp block) {
    if (unsigned number = seen[block.getLabel()]++)
      block.setLabel((block.getLabel() + "_" + Twine(number)).str());
  });
  return success();
}

LogicalResult ModuleConverter::convertCall(func::CallOp call) {
  if (func::FuncOp callee = layerFunctions.lookup(call.getCallee()))
    if (auto kernel = callee->getAttrOfType<KernelAttr>(kKernelAttrName);
        kernel && kernel.getScript())
      return convertScripted(call, callee);
  const CPULayer *layer = layers->lookup(call);
  if (!layer)
    return convertAcceleratorCall(call);
  if (parts.isInPlace(call)) {
    convertConcatenate(*layer);
    return success();
  }
  if (!layers->isTileProducer(*layer))
    lowerLayer(
        *layer,
        {layers->getDepthwiseReader(*layer), layers->getTileProducer(*layer)},
        *this);
  return success();
}

void ModuleConverter::convertConcatenate(graph::ConcatenateOp op) {
  Value whole = getBuffer(op);
  int64_t offset = 0;
  for (auto [index, operand] : llvm::enumerate(op.getInputs())) {
    MemRefType part = getBufferType(operand.getType());
    if (part.getNumElements() > 0 && !parts.isInPlace(op, index))
      copyBuffer(getBuffer(operand), makeView(whole, part, op.getLoc(), offset),
                 op.getLoc(), getLayerName(op));
    offset += part.getNumElements();
  }
}

void ModuleConverter::convertConcatenate(const CPULayer &layer) {
  Value whole = getStored(layer.getOutside(layer.getResult())).buffer;
  for (auto [index, inside, offset] :
       llvm::enumerate(layer.anchor->getOperands(), *getOperandOffsets(layer)))
    if (!parts.isInPlace(layer.getCall(), index)) {
      Value from = getStored(layer.getOutside(inside)).buffer;
      auto type = cast<MemRefType>(from.getType());
      Location loc = layer.anchor->getLoc();
      copyBuffer(from, makeView(whole, type, loc, offset), loc,
                 layer.getName());
    }
}

void ModuleConverter::copyBuffer(Value from, Value to, Location loc,
                                 StringRef name) {
  SmallVector<Value> arguments = {from, to};
  tir::FuncOp function = createLayer(loc, name, name, arguments);
  OpBuilder body = OpBuilder::atBlockBegin(&function.getBody().front());
  LayerBuilder layer(body, loc);
  layer.elementwise("copy", function.getArgument(1),
                    {layer.whole(function.getArgument(0))}, getElement(from),
                    [](ValueRange x) { return x[0]; });
}

tir::FuncOp ModuleConverter::createFunction(Location loc, StringRef name,
                                            StringRef layer,
                                            TypeRange arguments) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      tir::FuncOp::create(builder, loc, toCIdentifier(name), arguments);
  function.setPrivate();
  if (!layer.empty())
    function.setLayer(layer);
  symbols.insert(function);
  createdFunctions.push_back(function);
  return function;
}

LogicalResult ModuleConverter::convertLayer(Operation *op) {
  if (isView(op))
    return success(); // getBuffer creates the view on demand
  if (auto slice = dyn_cast<graph::StridedSliceOp>(op);
      slice && parts.isInPlace(slice))
    return success();
  if (auto concatenate = dyn_cast<graph::ConcatenateOp>(op);
      concatenate && parts.isInPlace(concatenate)) {
    convertConcatenate(concatenate);
    return success();
  }
  const Strategy *strategy = strategies.lookup(op);
  if (isa<graph::CompositeOp>(op))
    return op->emitOpError("is not outlined to its accelerator; run "
                           "'uma-accel-partition-graph' first");
  if (!strategy)
    return op->emitOpError(
        "cannot run on the CPU: it has no operator strategy");
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (cast<RankedTensorType>(type).getNumElements() == 0)
      return op->emitOpError("has a tensor without elements, ")
             << type << ", and cannot run on the CPU";

  SmallVector<Value> arguments;
  for (Value tensor : llvm::concat<Value>(op->getOperands(), op->getResults()))
    arguments.push_back(getBuffer(tensor));
  std::string layer = getLayerName(op);
  StringRef kind = op->getName().stripDialect().rsplit('.').second;
  std::string name = layer == kind ? layer : layer + "_" + kind.str();
  auto function = createFunction(op->getLoc(), name, layer,
                                 ValueRange(arguments).getTypes());
  OpBuilder body = OpBuilder::atBlockBegin(&function.getBody().front());
  LayerBuilder layerBuilder(body, op->getLoc());
  auto parameters = function.getBody().getArguments();
  for (auto [tensor, buffer] :
       llvm::zip(llvm::concat<Value>(op->getOperands(), op->getResults()),
                 parameters))
    if (Type element = getElementTypeOrSelf(tensor.getType());
        element.isUnsignedInteger() || element.isInteger(1))
      layerBuilder.setUnsigned(buffer);
  if (failed(strategy->lower(layerBuilder, op,
                             parameters.take_front(op->getNumOperands()),
                             parameters.drop_front(op->getNumOperands()))))
    return failure();
  tir::CallOp::create(builder, op->getLoc(), function.getName(), arguments);
  return success();
}

namespace {
struct ConvertGraphToTIRPass
    : uma::impl::ConvertGraphToTIRPassBase<ConvertGraphToTIRPass> {
  using ConvertGraphToTIRPassBase::ConvertGraphToTIRPassBase;

  void runOnOperation() override {
    ConversionOptions options;
    options.vectorize = vectorize;
    options.releaseConstants = releaseConstants;
    options.deviceReferences = deviceReferences;
    if (failed(ModuleConverter(getOperation(), options).run()))
      signalPassFailure();
  }
};
} // namespace
