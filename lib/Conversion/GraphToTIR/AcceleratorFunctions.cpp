//===- AcceleratorFunctions.cpp - Functions that call a device ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Converts outlined functions to functions of extern calls, once per function
// rather than per call.
//
//===----------------------------------------------------------------------===//

#include "DeviceReferences.h"
#include "ModuleConverter.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace uma;

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
    entry = acceleratorFunctions
                .try_emplace(callee.getName(), std::move(*converted))
                .first;
  }
  AcceleratorFunction &function = entry->second;

  SmallVector<Value> arguments;
  for (Value operand : call.getOperands())
    arguments.push_back(getBuffer(operand));
  for (graph::ConstantOp constant : function.constants)
    arguments.push_back(getBuffer(constant));
  for (Value result : call.getResults())
    arguments.push_back(getBuffer(result));
  for (StringRef label : function.intermediates) {
    Type type = function.function.getArgumentTypes()[arguments.size()];
    arguments.push_back(allocate(cast<MemRefType>(type), label, call.getLoc()));
  }
  for (auto [index, alignment] : function.alignments)
    requireAlignment(arguments[index], alignment);
  tir::CallOp::create(builder, call.getLoc(), function.function.getName(),
                      arguments);
  if (function.await) {
    auto await = tir::CallOp::create(builder, call.getLoc(),
                                     function.await.getName(), arguments);
    // It is no layer.
    await->setAttr(kLayersAttrName, builder.getArrayAttr({}));
  }
  return success();
}

void ModuleConverter::requireAlignment(Value buffer, int64_t alignment) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
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

/// Records the device memory of each argument.
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

Value ModuleConverter::AcceleratorFunction::addIntermediate(MemRefType type,
                                                            std::string label,
                                                            Location loc) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, type, /*argAttrs=*/nullptr, loc);
  intermediates.push_back(std::move(label));
  return function.getArgument(index);
}

/// Returns the name of the device memory in which a scratch is placed, or "" if
/// it is not placed.
static StringRef getMemory(accel::ScratchOp scratch) {
  for (Operation *user : scratch->getUsers())
    if (auto place = dyn_cast<accel::PlaceOp>(user))
      return place.getMemory();
  return "";
}

Value ModuleConverter::AcceleratorFunction::getScratch(
    graph::CompositeOp composite, accel::ScratchOp scratch, MemRefType type) {
  // If the device has an `await`, calls may still run when the next match
  // begins, so scratches are not shared.
  auto accelerator = scratch->getParentOfType<accel::AcceleratorOp>();
  bool isShared = accelerator.getOps<accel::AwaitOp>().empty();
  StringRef memory = getMemory(scratch);
  for (Scratch &other : scratches) {
    auto known = cast<MemRefType>(other.argument.getType());
    if (!isShared || other.user == composite || other.memory != memory ||
        known.getElementType() != type.getElementType())
      continue;
    other.user = composite;
    if (known.getNumElements() < type.getNumElements()) {
      other.argument.setType(type);
      SmallVector<Type> types(function.getBody().getArgumentTypes());
      function.setFunctionType(FunctionType::get(function.getContext(), types,
                                                 /*results=*/{}));
    }
    return other.argument;
  }
  Value buffer = addIntermediate(
      type, getCompositeName(composite) + "_" + scratch.getName().str(),
      composite.getLoc());
  scratches.push_back({cast<BlockArgument>(buffer), memory, composite});
  return buffer;
}

LogicalResult ModuleConverter::addArrays(func::FuncOp callee,
                                         AcceleratorFunction &function) {
  OpBuilder bodyBuilder = OpBuilder::atBlockBegin(&callee.getBody().front());
  FailureOr<MappedRegion> mapped = generateCommands(callee);
  if (failed(mapped))
    return failure();
  function.mapped = std::move(*mapped);
  for (auto composite :
       llvm::make_early_inc_range(callee.getOps<graph::CompositeOp>())) {
    auto pattern = SymbolTable::lookupNearestSymbolFrom<accel::PatternOp>(
        composite, composite.getPatternAttr());
    if (!pattern || pattern.getBody().getOps<accel::ArrayOp>().empty())
      continue;
    FailureOr<accel::Match> match = accel::matchComposite(composite);
    if (failed(match))
      return failure();
    for (auto array : pattern.getBody().getOps<accel::ArrayOp>())
      if (ElementsAttr value = accel::getArrayValue(*match, array)) {
        Location loc = NameLoc::get(builder.getStringAttr(
            getCompositeName(composite) + "_" + array.getFunction()));
        function.arrays[{composite, array}] =
            graph::ConstantOp::create(bodyBuilder, loc, value);
      }
  }
  return success();
}

FailureOr<ModuleConverter::AcceleratorFunction>
ModuleConverter::createAcceleratorFunction(func::FuncOp callee,
                                           StringRef layer) {
  AcceleratorFunction result;
  if (failed(addArrays(callee, result)))
    return failure();
  SmallVector<Type> types;
  for (Type type : callee.getArgumentTypes())
    types.push_back(getBufferType(type));
  for (auto constant : callee.getOps<graph::ConstantOp>()) {
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
  // If the model has no layer names, use the name of the outlined function.
  if (layer.empty())
    result.function->setAttr(kFutureNameAttrName, callee.getNameAttr());
  result.function->setAttr(kTargetAttrName, target);
  // Passes of the graph leave notes for those of TIR.
  if (Attribute notes = callee->getAttr(kNotesAttrName))
    result.function->setAttr(kNotesAttrName, notes);
  if (DictionaryAttr bytes = getMemoryBytes(result.mapped))
    result.function->setAttr(kMemoryBytesAttrName, bytes);
  return result;
}

/// Returns the tensor whose buffer holds the bits of `tensor`.
static Value skipStorageCast(Value tensor) {
  while (auto cast = tensor.getDefiningOp<graph::StorageCastOp>())
    tensor = cast.getData();
  return tensor;
}

FailureOr<ModuleConverter::AcceleratorFunction>
ModuleConverter::convertAccelerator(func::FuncOp callee, StringRef layer) {
  FailureOr<AcceleratorFunction> created =
      createAcceleratorFunction(callee, layer);
  if (failed(created))
    return failure();
  AcceleratorFunction &result = *created;
  Block &body = callee.getBody().front();
  auto returnOp = cast<func::ReturnOp>(body.getTerminator());
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
    if (!take(skipStorageCast(tensor)))
      return callee.emitOpError("returns one of its inputs or one value twice; "
                                "an accelerator's function returns what its "
                                "composites compute, each once");

  // Passes in Python see the parameters of a match in the order of its
  // operands.
  auto composites = callee.getOps<graph::CompositeOp>();
  if (llvm::hasSingleElement(composites)) {
    SmallVector<int64_t> order;
    for (Value operand : (*composites.begin()).getInputs())
      if (auto argument = dyn_cast_or_null<BlockArgument>(
              parameters.lookup(skipStorageCast(operand))))
        order.push_back(argument.getArgNumber());
    if (!llvm::is_sorted(order))
      result.function->setAttr(kOperandsAttrName,
                               builder.getDenseI64ArrayAttr(order));
  }

  OpBuilder bodyBuilder =
      OpBuilder::atBlockBegin(&result.function.getBody().front());
  auto target = callee->getAttrOfType<TargetAttr>(kTargetAttrName);
  auto accelerator =
      symbols.lookup<accel::AcceleratorOp>(target.getAccelerator());
  if (accelerator && failed(beginRegion(bodyBuilder, accelerator, result)))
    return failure();
  SmallVector<PlacedBuffer> placed;
  graph::ConstantOp hidden;
  auto getParameter = [&](Value tensor) -> Value {
    tensor = skipStorageCast(tensor);
    Value &parameter = parameters[tensor];
    if (!parameter) {
      if (auto constant = tensor.getDefiningOp<graph::ConstantOp>())
        hidden = constant;
      parameter = result.addIntermediate(getBufferType(tensor.getType()),
                                         getBufferLabel(tensor.getDefiningOp()),
                                         tensor.getLoc());
    }
    return parameter;
  };
  auto getArrayParameter = [&](graph::CompositeOp composite,
                               accel::ArrayOp array) {
    graph::ConstantOp constant = result.arrays.lookup({composite, array});
    return constant ? getParameter(constant) : Value();
  };
  auto buildRun = [&](const MappedRun &run) {
    graph::ConstantOp table = result.mapped.calls[run.program].table;
    buildMappedRun(bodyBuilder, result.mapped, run,
                   table ? getParameter(table.getResult()) : Value(),
                   [&](graph::CompositeOp composite, Value inner) {
                     if (auto array = inner.getDefiningOp<accel::ArrayOp>())
                       return getArrayParameter(composite, array);
                     return getParameter(composite.getOuterTensor(inner));
                   });
  };
  size_t nextRun = 0;
  for (Operation &op : body.without_terminator()) {
    if (isa<graph::ConstantOp, graph::StorageCastOp>(op))
      continue;
    auto composite = dyn_cast<graph::CompositeOp>(op);
    if (!composite)
      return op.emitOpError("is in a function with a ")
             << kTargetAttrName
             << ", which holds composites and constants only";
    auto getScratch = [&](accel::ScratchOp scratch, MemRefType type) {
      return result.getScratch(composite, scratch, type);
    };
    auto getArray = [&](accel::ArrayOp array) {
      return getArrayParameter(composite, array);
    };
    size_t end = result.mapped.getEndOfRuns(composite);
    for (; nextRun < end; ++nextRun)
      buildRun(result.mapped.runs[nextRun]);
    if (!end &&
        failed(buildComposite(bodyBuilder, composite, strategies, getParameter,
                              getScratch, getArray, placed))) {
      return failure();
    }
    if (hidden)
      return hidden.emitOpError(
          "is inside of a composite whose device takes it as an input; make it "
          "an operand of the composite");
  }
  if (accelerator && failed(endRegion(bodyBuilder, accelerator, result)))
    return failure();
  describeMemories(result, placed);
  if (options.deviceReferences) {
    auto references = buildDeviceReferences(callee, [&](Value tensor) {
      return cast<BlockArgument>(getParameter(tensor)).getArgNumber();
    });
    if (failed(references))
      return failure();
    result.function->setAttr(kReferencesAttrName, *references);
  }
  return std::move(*created);
}

/// Builds the calls that wait for the device, and says which layers they wait
/// for.
LogicalResult ModuleConverter::buildAwait(OpBuilder &bodyBuilder,
                                          accel::AcceleratorOp accelerator,
                                          const MappedRegion &mapped,
                                          StringRef condition) {
  Location loc = accelerator.getLoc();
  SmallVector<tir::CallExternOp> calls;
  for (auto await : accelerator.getOps<accel::AwaitOp>())
    if (failed(buildRegionCalls(bodyBuilder, loc, await.getBody().front(),
                                &calls)))
      return failure();
  SmallVector<Attribute> names;
  for (const auto &layer : mapped.schedule.getLayers())
    names.push_back(builder.getStringAttr(getCompositeName(layer->composite)));
  for (tir::CallExternOp call : calls) {
    if (!condition.empty())
      call->setAttr(kConditionAttrName, builder.getStringAttr(condition));
    auto layers = accelerator.getOps<accel::LayersOp>();
    if (layers.empty() || names.empty())
      continue;
    call->setAttr(kFailedLayerAttrName,
                  (*layers.begin()).getFailed().getCalleeAttr());
    call->setAttr(kWaitedLayersAttrName, builder.getArrayAttr(names));
  }
  return success();
}

LogicalResult ModuleConverter::endRegion(OpBuilder &bodyBuilder,
                                         accel::AcceleratorOp accelerator,
                                         AcceleratorFunction &result) {
  Location loc = result.function.getLoc();
  auto launches = accelerator.getOps<accel::LaunchOp>();
  if (launches.empty())
    return buildAwait(bodyBuilder, accelerator, result.mapped);
  for (auto launch : launches)
    if (failed(buildRegionCalls(bodyBuilder, loc, launch.getBody().front())))
      return failure();
  // The host does other work in the meantime. Where hooks look at what the
  // device did, it waits.
  if (failed(buildAwait(bodyBuilder, accelerator, result.mapped,
                        "#ifdef UMA_SYNCHRONOUS")))
    return failure();
  result.await =
      createFunction(loc, result.function.getName().str() + "_await",
                     result.function.getLayer().value_or(""),
                     SmallVector<Type>(result.function.getArgumentTypes()));
  for (StringRef name : {kTargetAttrName, kPrologueAttrName, kEpilogueAttrName})
    if (Attribute value = result.function->getAttr(name))
      result.await->setAttr(name, value);
  OpBuilder awaitBuilder =
      OpBuilder::atBlockBegin(&result.await.getBody().front());
  if (failed(buildAwait(awaitBuilder, accelerator, result.mapped,
                        "#ifndef UMA_SYNCHRONOUS")))
    return failure();
  setCleanup(result.await);
  return success();
}

void ModuleConverter::setCleanup(tir::FuncOp await) {
  std::string cleanup;
  for (auto call : await.getBody().getOps<tir::CallExternOp>()) {
    bool isKnown = !call->hasAttr(kCodeAttrName);
    std::string arguments;
    for (Value argument : call.getArguments()) {
      IntegerAttr number;
      isKnown &= matchPattern(argument, m_Constant(&number));
      if (isKnown)
        arguments +=
            (arguments.empty() ? "" : ", ") + std::to_string(number.getInt());
    }
    if (!isKnown) {
      await->setAttr(kAwaitAttrName, builder.getUnitAttr());
      return;
    }
    cleanup += (cleanup.empty() ? "(void)" : " (void)") +
               call.getCallee().str() + "(" + arguments + ");";
  }
  await->setAttr(kAwaitAttrName, builder.getStringAttr(cleanup));
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
