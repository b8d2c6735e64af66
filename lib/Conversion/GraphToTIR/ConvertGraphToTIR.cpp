//===- ConvertGraphToTIR.cpp - Operators become loops on buffers ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The entry function becomes a list of calls of layer functions, one per
// operator, with a workspace buffer for every intermediate tensor; what TVM's
// relay_to_tir and its AOT executor's main function are together.
//
//===----------------------------------------------------------------------===//

#include "AcceleratorCalls.h"
#include "CPULowering.h"
#include "CPURows.h"
#include "CheckGraph.h"

#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Conversion/Passes.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using llvm::map_to_vector;

namespace uma {
#define GEN_PASS_DEF_CONVERTGRAPHTOTIRPASS
#include "uma/Conversion/Passes.h.inc"
} // namespace uma

/// On functions during the pass: the name that they get at its end, when the
/// graph's functions no longer have it.
static constexpr llvm::StringLiteral kFutureNameAttrName = "uma.future_name";

/// The buffer type of a tensor. C tells signedness apart by operation, so
/// buffers hold signless integers.
static MemRefType getBufferType(Type type) {
  auto tensorType = cast<RankedTensorType>(type);
  Type element = tensorType.getElementType();
  if (auto intType = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), intType.getWidth());
  return MemRefType::get(tensorType.getShape(), element);
}

/// The shape of a tensor.
static ArrayRef<int64_t> getTensorShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// What the buffer of a result of `op` is called in the C.
static std::string getLabel(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (call && getLayerName(op->getLoc()).empty())
    return call.getCallee().str();
  if (auto composite = dyn_cast<graph::CompositeOp>(op))
    return getCompositeName(composite);
  return getLayerName(op);
}

namespace {
/// Converts the functions of one module.
class ModuleConverter : public BufferProvider {
public:
  ModuleConverter(ModuleOp module, bool vectorize, const CPUOptions &options)
      : module(module), vectorize(vectorize), options(options), symbols(module),
        builder(module.getContext()) {
    populateContractionStrategies(strategies);
    populateConvStrategies(strategies);
    populateElementwiseStrategies(strategies);
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
    if (vectorize) {
      populateTransposeStrategies(strategies);
      populateVectorNormStrategies(strategies);
      populateVectorReductionStrategies(strategies);
    }
  }

  LogicalResult run();

  PlacedTensor request(Value tensor, const BufferLayout &wanted) override;
  PlacedTensor getCanonical(Value tensor) override;
  Value makeConstant(ElementsAttr value, StringRef name) override;
  void releaseConstant(Value constant) override;
  Value allocateBuffer(MemRefType type, StringRef label) override {
    return allocate(type, label, module.getLoc());
  }
  tir::FuncOp createLayer(Location loc, StringRef name, StringRef layer,
                          ValueRange arguments) override;

private:
  /// An accelerator's function in TIR and what its caller has to pass beside
  /// the operands and results of the call.
  struct AcceleratorFunction {
    tir::FuncOp function;
    SmallVector<graph::ConstantOp> constants;
    SmallVector<Value> intermediates;
    /// Of the arguments that the device asks an alignment of, in bytes.
    llvm::MapVector<unsigned, int64_t> alignments;
  };

  LogicalResult convertEntry(func::FuncOp entry);
  LogicalResult convertLayer(Operation *op);
  LogicalResult convertAcceleratorCall(func::CallOp call);
  FailureOr<AcceleratorFunction> convertAccelerator(func::FuncOp callee,
                                                    StringRef layer);
  LogicalResult beginRegion(OpBuilder &bodyBuilder,
                            accel::AcceleratorOp accelerator,
                            AcceleratorFunction &result);
  void describeMemories(AcceleratorFunction &function,
                        ArrayRef<PlacedBuffer> placed);
  void requireAlignment(Value buffer, int64_t alignment);

  /// Gives the results of the layers that the entry function returns the
  /// buffers that the caller passes for them.
  void assignOutputs(func::ReturnOp returnOp, ValueRange outputs);
  /// The row-major buffer of a tensor.
  Value getBuffer(Value tensor);
  /// The layout that the tensor's layer writes it in.
  BufferLayout getLayout(Value tensor);
  Value makeView(Value buffer, MemRefType type, Location loc);
  Value allocate(MemRefType type, StringRef label, Location loc);
  FlatSymbolRefAttr getGlobal(graph::ConstantOp constant);
  tir::FuncOp createFunction(Location loc, StringRef name, StringRef layer,
                             TypeRange arguments);

  ModuleOp module;
  /// Whether layers get schedules with vectors; else all are plain loops.
  bool vectorize;
  /// The number of constants with the elements of a resource, by its key.
  llvm::StringMap<unsigned> resourceUses;
  CPUOptions options;
  SymbolTable symbols;
  OpBuilder builder;
  StrategyRegistry strategies;
  /// The layers of the entry function that have schedules.
  std::unique_ptr<CPULayers> layers;
  /// The buffers of the entry function's tensors, the first one where its layer
  /// writes it, the others copies in other layouts.
  DenseMap<Value, SmallVector<PlacedTensor, 1>> buffers;
  /// Where the caller wants tensors that lie in another layout.
  DenseMap<Value, Value> outputBuffers;
  DenseMap<Attribute, FlatSymbolRefAttr> globals;
  llvm::StringMap<AcceleratorFunction> acceleratorFunctions;
};
} // namespace

LogicalResult ModuleConverter::run() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions) {
    if (failed(checkGraph(function)))
      return failure();
    if (function->hasAttr(kTargetAttrName))
      continue;
    if (function.isPrivate())
      return function.emitOpError("is private and has no ")
             << kTargetAttrName
             << "; inline it first (pass 'inline') or partition the graph";
    if (failed(convertEntry(function)))
      return failure();
  }
  for (func::FuncOp function : functions)
    symbols.erase(function);
  // Now that the graph's names are free, those who wait for them take them.
  for (auto function : module.getOps<tir::FuncOp>())
    if (auto name = function->getAttrOfType<StringAttr>(kFutureNameAttrName)) {
      function->removeAttr(kFutureNameAttrName);
      if (failed(symbols.rename(function, name)))
        return function.emitOpError("cannot be named '") << name << "'";
    }
  return success();
}

LogicalResult ModuleConverter::convertEntry(func::FuncOp entry) {
  buffers.clear();
  outputBuffers.clear();
  layers.reset();
  if (vectorize)
    layers = std::make_unique<CPULayers>(entry.getBody().front(), options);
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
  for (unsigned i = 0; i < numInputs; ++i)
    if (Attribute name = entry.getArgAttr(i, kTensorNameAttrName))
      function.setArgAttr(i, kTensorNameAttrName, name);
  for (unsigned i = 0, e = entry.getNumResults(); i < e; ++i) {
    if (Attribute name = entry.getResultAttr(i, kTensorNameAttrName))
      function.setArgAttr(numInputs + i, kTensorNameAttrName, name);
    function.setArgAttr(numInputs + i, kOutputAttrName, builder.getUnitAttr());
  }

  for (auto [i, type] : llvm::enumerate(llvm::concat<const Type>(
           entry.getArgumentTypes(), entry.getResultTypes())))
    function.setArgAttr(i, kTensorTypeAttrName, TypeAttr::get(type));

  auto arguments = function.getBody().getArguments();
  for (auto [tensor, buffer] :
       llvm::zip(entry.getArguments(), arguments.take_front(numInputs)))
    buffers[tensor] = {{buffer, BufferLayout()}};
  builder.setInsertionPointToStart(&function.getBody().front());
  auto returnOp = cast<func::ReturnOp>(entry.getBody().front().getTerminator());
  auto outputs = arguments.drop_front(numInputs);
  assignOutputs(returnOp, outputs);

  for (Operation &op : entry.getBody().front().without_terminator()) {
    if (const CPULayer *layer = layers ? layers->lookup(&op) : nullptr) {
      if (layer->ops.back() == &op)
        LayerLowering(*layers, *layer, *this).lower();
      continue;
    }
    LogicalResult converted =
        TypeSwitch<Operation *, LogicalResult>(&op)
            // A constant becomes a global where something uses it.
            .Case([](graph::ConstantOp) { return success(); })
            .Case(
                [&](func::CallOp call) { return convertAcceleratorCall(call); })
            .Default([&](Operation *op) { return convertLayer(op); });
    if (failed(converted))
      return failure();
  }

  // Returned values that no layer writes straight to the caller's buffer:
  // inputs, constants, a value returned twice.
  for (auto [tensor, output] :
       llvm::zip_equal(returnOp.getOperands(), outputs)) {
    Value buffer = getBuffer(tensor);
    Operation *view = buffer.getDefiningOp<memref::ReinterpretCastOp>();
    if (buffer == output || (view && view->getOperand(0) == output))
      continue;
    Location loc = returnOp.getLoc();
    auto copy = createFunction(loc, "copy", "copy",
                               {buffer.getType(), output.getType()});
    OpBuilder body = OpBuilder::atBlockBegin(&copy.getBody().front());
    LayerBuilder layer(body, loc);
    layer.elementwise("copy", copy.getArgument(1),
                      {layer.whole(copy.getArgument(0))}, getElement(buffer),
                      [](ValueRange x) { return x[0]; });
    tir::CallOp::create(builder, loc, copy.getName(),
                        ValueRange{buffer, output});
  }
  return success();
}

void ModuleConverter::assignOutputs(func::ReturnOp returnOp,
                                    ValueRange outputs) {
  for (auto [tensor, output] :
       llvm::zip_equal(returnOp.getOperands(), outputs)) {
    Value source = tensor;
    while (source.getDefiningOp() && isView(source.getDefiningOp()))
      source = source.getDefiningOp()->getOperand(0);
    Operation *layer = source.getDefiningOp();
    if (!layer || isa<graph::ConstantOp>(layer) || buffers.contains(source))
      continue;
    BufferLayout layout = getLayout(source);
    if (!layout.isLikeRowMajor(getTensorShape(source))) {
      outputBuffers[source] =
          makeView(output, getBufferType(source.getType()), layer->getLoc());
      continue;
    }
    Value own = makeView(
        output, layout.getType(cast<RankedTensorType>(source.getType())),
        layer->getLoc());
    buffers[source] = {{own, layout}};
    if (tensor != source)
      buffers[tensor] = {{output, BufferLayout()}};
  }
}

BufferLayout ModuleConverter::getLayout(Value tensor) {
  return layers ? layers->getLayout(tensor) : BufferLayout();
}

PlacedTensor ModuleConverter::getCanonical(Value tensor) {
  SmallVector<PlacedTensor, 1> &placed = buffers[tensor];
  if (!placed.empty())
    return placed.front();
  Operation *op = tensor.getDefiningOp();
  auto type = cast<RankedTensorType>(tensor.getType());
  PlacedTensor result{Value(), getLayout(tensor)};
  if (auto constant = dyn_cast<graph::ConstantOp>(op))
    result.buffer =
        memref::GetGlobalOp::create(builder, op->getLoc(), getBufferType(type),
                                    getGlobal(constant).getAttr());
  else if (isView(op))
    result.buffer = makeView(getBuffer(op->getOperand(0)), getBufferType(type),
                             op->getLoc());
  else
    result.buffer =
        allocate(result.layout.getType(type), getLabel(op), op->getLoc());
  // The map may have grown since.
  buffers[tensor].push_back(result);
  return result;
}

PlacedTensor ModuleConverter::request(Value tensor,
                                      const BufferLayout &wanted) {
  PlacedTensor canonical = getCanonical(tensor);
  auto fits = [&](const PlacedTensor &placed) {
    const BufferLayout &layout = placed.layout;
    if (layout.block != wanted.block)
      return false;
    if (wanted.block == 0 && !wanted.hasHalo())
      return !layout.hasHalo();
    for (size_t i = 0; i < wanted.padBegin.size(); ++i)
      if (layout.padBegin[i] < wanted.padBegin[i] ||
          layout.padEnd[i] < wanted.padEnd[i])
        return false;
    return layout.spatialDims == wanted.spatialDims;
  };
  for (const PlacedTensor &placed : buffers[tensor])
    if (fits(placed))
      return placed;
  Location loc = tensor.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  PlacedTensor copy{Value(), wanted};
  bool isSame = wanted.isLikeRowMajor(type.getShape()) &&
                canonical.layout.isLikeRowMajor(type.getShape());
  if (isSame) {
    copy.buffer = makeView(canonical.buffer, wanted.getType(type), loc);
    buffers[tensor].push_back(copy);
    return copy;
  }
  Operation *op = tensor.getDefiningOp();
  std::string label = op ? getLabel(op) : "input";
  Value output = outputBuffers.lookup(tensor);
  copy.buffer = output && wanted.isRowMajor()
                    ? output
                    : allocate(wanted.getType(type), label, loc);
  // A layer of its own.
  SmallVector<Value> arguments = {canonical.buffer, copy.buffer};
  auto function = createLayer(loc, label + "_layout", "", arguments);
  function->setAttr(kLayersAttrName, builder.getArrayAttr({}));
  OpBuilder body = OpBuilder::atBlockBegin(&function.getBody().front());
  LayerBuilder layer(body, loc);
  buildLayoutCopy(layer, type.getShape(),
                  {function.getArgument(0), canonical.layout},
                  {function.getArgument(1), wanted});
  buffers[tensor].push_back(copy);
  return copy;
}

Value ModuleConverter::getBuffer(Value tensor) {
  return request(tensor, BufferLayout()).buffer;
}

Value ModuleConverter::makeConstant(ElementsAttr value, StringRef name) {
  auto type = cast<RankedTensorType>(value.getShapedType());
  OpBuilder::InsertionGuard guard(builder);
  auto bufferType = getBufferType(type);
  Location loc = builder.getInsertionPoint()->getLoc();
  memref::GlobalOp op;
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(module.getBody());
    op = memref::GlobalOp::create(builder, loc, toCIdentifier(name),
                                  builder.getStringAttr("private"), bufferType,
                                  value, /*constant=*/true,
                                  /*alignment=*/builder.getI64IntegerAttr(64));
    symbols.insert(op);
  }
  return memref::GetGlobalOp::create(builder, loc, bufferType, op.getSymName());
}

void ModuleConverter::releaseConstant(Value constant) {
  auto op = constant.getDefiningOp<graph::ConstantOp>();
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  if (!options.releaseConstants || !resource || !op->hasOneUse())
    return;
  // Other constants may have the same elements.
  StringRef key = resource.getRawHandle().getKey();
  if (resourceUses.empty())
    module.walk([&](graph::ConstantOp other) {
      if (auto attr = dyn_cast<DenseResourceElementsAttr>(other.getValue()))
        ++resourceUses[attr.getRawHandle().getKey()];
    });
  if (resourceUses.lookup(key) == 1)
    resource.getRawHandle().getResource()->setBlob({});
}

tir::FuncOp ModuleConverter::createLayer(Location loc, StringRef name,
                                         StringRef layer,
                                         ValueRange arguments) {
  tir::FuncOp function = createFunction(loc, name, layer, arguments.getTypes());
  tir::CallOp::create(builder, loc, function.getName(), arguments);
  return function;
}

Value ModuleConverter::makeView(Value buffer, MemRefType type, Location loc) {
  if (buffer.getType() == type)
    return buffer;
  auto [strides, offset] = type.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(builder, loc, type, buffer, offset,
                                           type.getShape(), strides);
}

Value ModuleConverter::allocate(MemRefType type, StringRef label,
                                Location loc) {
  return tir::AllocOp::create(builder, loc, type, tir::Scope::Workspace,
                              /*offset=*/nullptr, builder.getStringAttr(label));
}

FlatSymbolRefAttr ModuleConverter::getGlobal(graph::ConstantOp constant) {
  FlatSymbolRefAttr &global = globals[constant.getValue()];
  if (global)
    return global;
  StringRef name = getLayerName(constant.getLoc());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  MemRefType type = getBufferType(constant.getType());
  // Buffers are signless, and so must be the value that fills them.
  auto value = constant.getValue();
  auto valueType =
      RankedTensorType::get(type.getShape(), type.getElementType());
  if (value.getShapedType() != valueType) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
      value =
          DenseResourceElementsAttr::get(valueType, resource.getRawHandle());
    else
      value =
          cast<DenseElementsAttr>(value).bitcast(valueType.getElementType());
  }
  auto op = memref::GlobalOp::create(
      builder, constant.getLoc(),
      toCIdentifier(name.empty() ? "constant" : name),
      builder.getStringAttr("private"), type, value, /*constant=*/true,
      /*alignment=*/nullptr);
  global = FlatSymbolRefAttr::get(symbols.insert(op));
  return global;
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
  return function;
}

LogicalResult ModuleConverter::convertLayer(Operation *op) {
  if (isView(op))
    return success(); // getBuffer makes the view where it is used
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

LogicalResult ModuleConverter::convertAcceleratorCall(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || !callee->hasAttr(kTargetAttrName))
    return call.emitOpError("calls '@")
           << call.getCallee() << "', which is no function with a "
           << kTargetAttrName << "; inline it first (pass 'inline')";
  auto entry = acceleratorFunctions.find(callee.getName());
  if (entry == acceleratorFunctions.end()) {
    FailureOr<AcceleratorFunction> converted =
        convertAccelerator(callee, getLayerName(call.getLoc()));
    if (failed(converted))
      return failure();
    entry =
        acceleratorFunctions.try_emplace(callee.getName(), *converted).first;
  }
  AcceleratorFunction &function = entry->second;

  SmallVector<Value> arguments;
  for (Value operand : call.getOperands())
    arguments.push_back(getBuffer(operand));
  for (graph::ConstantOp constant : function.constants)
    arguments.push_back(getBuffer(constant));
  for (Value result : call.getResults())
    arguments.push_back(getBuffer(result));
  for (Value tensor : function.intermediates)
    arguments.push_back(allocate(getBufferType(tensor.getType()),
                                 getLabel(tensor.getDefiningOp()),
                                 call.getLoc()));
  for (auto [index, alignment] : function.alignments)
    requireAlignment(arguments[index], alignment);
  tir::CallOp::create(builder, call.getLoc(), function.function.getName(),
                      arguments);
  return success();
}

void ModuleConverter::requireAlignment(Value buffer, int64_t alignment) {
  while (auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>())
    buffer = view.getSource();
  if (auto alloc = buffer.getDefiningOp<tir::AllocOp>()) {
    if (auto known = alloc->getAttrOfType<IntegerAttr>(kAlignmentAttrName))
      alignment = std::max(alignment, known.getInt());
    alloc->setAttr(kAlignmentAttrName, builder.getI64IntegerAttr(alignment));
  } else if (auto get = buffer.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = symbols.lookup<memref::GlobalOp>(get.getName());
    global.setAlignment(
        std::max<int64_t>(alignment, global.getAlignment().value_or(1)));
  } else if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    auto function = cast<tir::FuncOp>(argument.getOwner()->getParentOp());
    unsigned index = argument.getArgNumber();
    if (auto known =
            function.getArgAttrOfType<IntegerAttr>(index, kAlignmentAttrName))
      alignment = std::max(alignment, known.getInt());
    function.setArgAttr(index, kAlignmentAttrName,
                        builder.getI64IntegerAttr(alignment));
  }
}

/// Notes which arguments live in which memory of the device.
void ModuleConverter::describeMemories(AcceleratorFunction &function,
                                       ArrayRef<PlacedBuffer> placed) {
  llvm::MapVector<StringRef, SmallVector<int64_t>> memories;
  for (PlacedBuffer entry : placed) {
    auto argument = dyn_cast<BlockArgument>(entry.buffer);
    if (!argument)
      continue;
    unsigned index = argument.getArgNumber();
    SmallVector<int64_t> &positions = memories[entry.memory.getName()];
    if (!llvm::is_contained(positions, index))
      positions.push_back(index);
    int64_t &alignment = function.alignments[index];
    alignment =
        std::max<int64_t>(alignment, entry.memory.getAlignment().value_or(1));
  }
  NamedAttrList attributes;
  for (auto &[name, positions] : memories)
    attributes.append(name, builder.getDenseI64ArrayAttr(positions));
  if (!attributes.empty())
    function.function->setAttr(kMemoriesAttrName,
                               attributes.getDictionary(builder.getContext()));
}

FailureOr<ModuleConverter::AcceleratorFunction>
ModuleConverter::convertAccelerator(func::FuncOp callee, StringRef layer) {
  AcceleratorFunction result;
  Block &body = callee.getBody().front();
  auto returnOp = cast<func::ReturnOp>(body.getTerminator());

  SmallVector<Type> types;
  for (Type type : callee.getArgumentTypes())
    types.push_back(getBufferType(type));
  for (auto constant : body.getOps<graph::ConstantOp>()) {
    result.constants.push_back(constant);
    types.push_back(getBufferType(constant.getType()));
  }
  for (Type type : callee.getResultTypes())
    types.push_back(getBufferType(type));
  auto target = callee->getAttrOfType<TargetAttr>(kTargetAttrName);
  if (!target)
    return callee.emitOpError("has a '")
           << kTargetAttrName << "' that is no #uma.target";
  result.function = createFunction(
      callee.getLoc(), layer.str() + "_" + target.getAccelerator().str(), layer,
      types);
  // Without names in the model, the outlined function's is the best there is.
  if (layer.empty())
    result.function->setAttr(kFutureNameAttrName, callee.getNameAttr());
  result.function->setAttr(kTargetAttrName, target);

  DenseMap<Value, Value> parameters;
  unsigned next = 0;
  auto take = [&](Value tensor) {
    return parameters.try_emplace(tensor, result.function.getArgument(next++))
        .second;
  };
  for (Value tensor : callee.getArguments())
    take(tensor);
  for (graph::ConstantOp constant : result.constants)
    take(constant);
  for (Value tensor : returnOp.getOperands())
    if (!take(tensor))
      return callee.emitOpError("returns one of its inputs or one value twice; "
                                "an accelerator's function returns what its "
                                "composites compute, each once");

  OpBuilder bodyBuilder =
      OpBuilder::atBlockBegin(&result.function.getBody().front());
  auto accelerator =
      symbols.lookup<accel::AcceleratorOp>(target.getAccelerator());
  if (accelerator && failed(beginRegion(bodyBuilder, accelerator, result)))
    return failure();
  SmallVector<PlacedBuffer> placed;
  auto getParameter = [&](Value tensor) -> Value {
    Value &parameter = parameters[tensor];
    if (!parameter) {
      result.intermediates.push_back(tensor);
      unsigned index = result.function.getNumArguments();
      (void)result.function.insertArgument(
          index, getBufferType(tensor.getType()), /*argAttrs=*/nullptr,
          tensor.getLoc());
      parameter = result.function.getArgument(index);
    }
    return parameter;
  };
  for (Operation &op : body.without_terminator()) {
    if (isa<graph::ConstantOp>(op))
      continue;
    auto composite = dyn_cast<graph::CompositeOp>(op);
    if (!composite)
      return op.emitOpError("is in a function with a ")
             << kTargetAttrName
             << ", which holds composites and constants only";
    if (failed(buildComposite(bodyBuilder, composite, strategies, getParameter,
                              placed)))
      return failure();
  }
  if (accelerator)
    for (auto await : accelerator.getOps<accel::AwaitOp>())
      if (failed(buildRegionCalls(bodyBuilder, callee.getLoc(),
                                  await.getBody().front())))
        return failure();
  describeMemories(result, placed);
  return result;
}

LogicalResult ModuleConverter::beginRegion(OpBuilder &bodyBuilder,
                                           accel::AcceleratorOp accelerator,
                                           AcceleratorFunction &result) {
  SmallVector<Attribute> prologue, epilogue;
  for (auto code : accelerator.getOps<accel::PrologueOp>())
    prologue.push_back(code.getCodeAttr());
  for (auto code : accelerator.getOps<accel::EpilogueOp>())
    epilogue.push_back(code.getCodeAttr());
  if (!prologue.empty())
    result.function->setAttr(kPrologueAttrName, builder.getArrayAttr(prologue));
  if (!epilogue.empty())
    result.function->setAttr(kEpilogueAttrName, builder.getArrayAttr(epilogue));
  for (auto init : accelerator.getOps<accel::InitOp>())
    if (failed(buildRegionCalls(bodyBuilder, result.function.getLoc(),
                                init.getBody().front())))
      return failure();
  return success();
}

namespace {
struct ConvertGraphToTIRPass
    : uma::impl::ConvertGraphToTIRPassBase<ConvertGraphToTIRPass> {
  using ConvertGraphToTIRPassBase::ConvertGraphToTIRPassBase;

  void runOnOperation() override {
    CPUOptions options;
    options.winograd = winograd;
    options.nameWorkloads = nameWorkloads;
    std::optional<TuningDatabase> database;
    if (!tuning.empty()) {
      llvm::Expected<TuningDatabase> file = TuningDatabase::read(tuning);
      if (!file) {
        mlir::emitError(UnknownLoc::get(&getContext()))
            << llvm::toString(file.takeError());
        return signalPassFailure();
      }
      database = std::move(*file);
      options.tuning = &*database;
    }
    options.releaseConstants = releaseConstants;
    if (failed(ModuleConverter(getOperation(), vectorize, options).run()))
      signalPassFailure();
  }
};
} // namespace
