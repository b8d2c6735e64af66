//===- FunctionConverter.cpp - Convert a uma.tir.func to EmitC ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Converts signatures and calls. See LoopConversion.cpp for loops,
// BufferConversion.cpp for buffers and VectorConversion.cpp for vectors.
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"

#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Conversion/TIRToEmitC/LineDirectives.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/Support/LayerName.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;

static int64_t getWorkspaceAlignment(tir::FuncOp function) {
  auto alignment =
      function->getAttrOfType<IntegerAttr>(kWorkspaceAlignmentAttrName);
  return alignment ? alignment.getInt() : 64;
}

FailureOr<Type> FunctionConverter::convertArgumentType(unsigned index) {
  Type type = function.getArgumentTypes()[index];
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer) {
    if (Type scalar = convertScalarType(type))
      return scalar;
    return function.emitOpError("argument ")
           << index << " has type " << type << ", which C has no type for";
  }
  StringRef element = getCTypeName(buffer.getElementType());
  if (element.empty())
    return function.emitOpError("argument ")
           << index << " is a buffer of " << buffer.getElementType()
           << ", which C has no type for";
  if (buffer.getRank() > 1)
    return function.emitOpError("argument ")
           << index << " is a buffer of rank " << buffer.getRank()
           << "; C gets one-dimensional buffers, run "
              "'uma-tir-storage-flatten' first";
  // The model's type also has the signedness of integers.
  if (auto attr =
          function.getArgAttrOfType<TypeAttr>(index, kTensorTypeAttrName))
    if (auto tensor = dyn_cast<RankedTensorType>(attr.getValue());
        tensor && tensor.getElementType().getIntOrFloatBitWidth() ==
                      buffer.getElementType().getIntOrFloatBitWidth())
      element = getCTypeName(tensor.getElementType());
  return getPointerType(index, element);
}

Type FunctionConverter::getPointerType(unsigned index, StringRef element) {
  std::string text =
      (facts.written.test(index) ? "" : "const ") + element.str() + " *";
  // EmitC uses !emitc.ptr for pointers, but only allows subscripts if it points
  // to exactly the element type. `const` must therefore be part of an opaque
  // type, whose text may not end in '*'.
  bool mayAlias = facts.overlapping.test(index);
  if (mayAlias)
    context.prologue.requireMayAlias();
  text += mayAlias ? "UMA_MAY_ALIAS" : "UMA_RESTRICT";
  return emitc::OpaqueType::get(builder.getContext(), text);
}

/// Prints `Layers a, b, c.` as a comment with line breaks.
static void printLayers(ArrayAttr layers, raw_ostream &os) {
  std::string line = "\n/* Layers";
  for (auto [i, layer] : llvm::enumerate(layers.getAsRange<StringAttr>())) {
    std::string word = toCComment(layer.getValue());
    word += i + 1 < layers.size() ? "," : ".";
    if (line.size() + word.size() > 78) {
      os << line;
      line = "\n *";
    }
    line += " " + word;
  }
  os << line << " */";
}

void FunctionConverter::emitHead() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto layers = function->getAttrOfType<ArrayAttr>(kMergedLayersAttrName))
    printLayers(layers, stream);
  else if (auto layer = function.getLayer())
    stream << "\n/* Layer " << toCComment(*layer) << ". */";
  else if (range == CallRange::Given)
    stream << "\n/* Entry point for a range of layers: from the first one up "
              "to, but without, the last. */";
  else if (function.isPublic())
    stream << "\n/* Entry point. */";
  else
    stream << "\n/* " << toCComment(function.getName()) << ". */";
  unsigned numParameters = 0;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (getWorkspaceOffset(function, i))
      continue;
    ++numParameters;
    auto name = function.getArgAttrOfType<StringAttr>(i, kTensorNameAttrName);
    if (!name)
      continue;
    // The printer names arguments v1, v2, ...
    stream << "\n/* v" << numParameters << ": "
           << (function.getArgAttr(i, kOutputAttrName) ? "output " : "input ")
           << toCComment(name.getValue()) << " */";
  }
  if (takesWorkspace(function)) {
    auto size = function->getAttrOfType<IntegerAttr>(kWorkspaceSizeAttrName);
    auto print = [&](const Twine &name, int64_t bytes) {
      stream << "\n/* v" << ++numParameters << ": " << name;
      if (bytes > 0)
        stream << " of " << bytes << " bytes, aligned to "
               << getWorkspaceAlignment(function) << " */";
      else
        stream << ", unused */";
    };
    for (const WorkspaceMemory &memory : memories)
      print("memory " + memory.name, memory.bytes);
    if (memories.empty())
      print("workspace", size ? size.getInt() : 0);
  }
  if (hasWeights())
    stream << "\n/* v" << numParameters + 1 << ": image of the weights */";
  if (function.isPublic())
    stream << "\n#ifdef __cplusplus\nextern \"C\"\n#endif";
  auto op = emitc::VerbatimOp::create(builder, function.getLoc(), text);
  op->setAttr(kFunctionTextAttrName, builder.getUnitAttr());
}

FailureOr<emitc::FuncOp> FunctionConverter::convert() {
  scalars.setLoc(function.getLoc());
  SmallVector<Type> types;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    if (getWorkspaceOffset(function, i))
      continue;
    FailureOr<Type> type = convertArgumentType(i);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  addNetworkParameters(types);
  bool hasStatus = facts.fallible || function.isPublic();
  SmallVector<Type> results;
  if (hasStatus)
    results.push_back(builder.getI32Type());

  emitHead();
  std::string name = range == CallRange::Given
                         ? context.prefix + "run_layers"
                         : context.functionNames.lookup(function);
  auto result = emitc::FuncOp::create(builder, function.getLoc(), name,
                                      builder.getFunctionType(types, results));
  if (!function.isPublic()) {
    SmallVector<StringRef> specifiers = {"static"};
    auto isVersioned = [](Operation &op) {
      return isa<tir::MultiversionOp>(op);
    };
    if (function->hasAttr(kLayersAttrName) ||
        llvm::any_of(function.getBody().front(), isVersioned))
      specifiers.push_back("UMA_LAYER");
    result.setSpecifiersAttr(builder.getStrArrayAttr(specifiers));
  }

  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(
      &result.getBody(), {}, types,
      SmallVector<Location>(types.size(), function.getLoc()));
  if (function->hasAttr(kReferencesAttrName)) {
    unsigned numCalls = 0;
    function.walk([&](tir::CallExternOp) { ++numCalls; });
    // UMA_DEVICE_BEGIN suffices to announce a single call.
    calls.setAnnounced(numCalls > 1);
  }
  // Call the hook before parameters are copied, since it may change them.
  callDeviceHook("UMA_DEVICE_BEGIN");
  ValueRange others = body->getArguments();
  auto takeParameter = [&] {
    Value parameter = others.front();
    others = others.drop_front();
    return parameter;
  };
  SmallVector<BlockArgument> placed;
  for (auto [i, from] : llvm::enumerate(function.getArguments())) {
    if (getWorkspaceOffset(function, i)) {
      placed.push_back(from);
      continue;
    }
    Value to = takeParameter();
    if (from.use_empty()) {
      verbatim("(void){};", to);
      continue;
    }
    // Inside the function, buffers are signless, which is signed in C.
    if (auto buffer = dyn_cast<MemRefType>(from.getType()))
      to = scalars.cast(
          to, getPointerType(i, getCTypeName(buffer.getElementType())));
    values.map(from, to);
  }
  if (takesWorkspace(function)) {
    for (size_t i = 0; i < std::max<size_t>(memories.size(), 1); ++i)
      workspaces.push_back(takeParameter());
    bool used = false;
    for (BlockArgument argument : placed) {
      if (argument.use_empty())
        continue;
      used = true;
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kTensorNameAttrName);
      if (failed(placeInWorkspace(
              function, argument,
              *getWorkspaceOffset(function, argument.getArgNumber()),
              name ? name.getValue() : "tensor")))
        return failure();
    }
    function.walk([&](tir::AllocOp alloc) {
      used |= alloc.getScope() == tir::Scope::Workspace;
    });
    // A memory may be empty.
    for (auto [i, workspace] : llvm::enumerate(workspaces))
      if (!used || (!memories.empty() && memories[i].bytes == 0))
        verbatim("(void){};", workspace);
  }
  if (hasWeights()) {
    weights = takeParameter();
    if (function.getOps<memref::GetGlobalOp>().empty())
      verbatim("(void){};", weights);
  }
  if (range == CallRange::Given) {
    first = *std::prev(others.end(), 2);
    last = others.back();
  }
  printCode(kPrologueAttrName);
  if (failed(convertBlock(function.getBody().front())))
    return failure();
  printCode(kEpilogueAttrName);
  callDeviceHook("UMA_DEVICE_END");
  Value status;
  if (hasStatus)
    status = scalars.literal("0", builder.getI32Type());
  emitc::ReturnOp::create(builder, function.getLoc(), status);
  return result;
}

bool FunctionConverter::hasWeights() const {
  return context.weightsParameter && function->hasAttr(kNetworkAttrName);
}

void FunctionConverter::addNetworkParameters(
    SmallVectorImpl<Type> &types) const {
  auto add = [&](StringRef type) {
    types.push_back(emitc::OpaqueType::get(builder.getContext(), type));
  };
  if (takesWorkspace(function))
    for (size_t i = 0; i < std::max<size_t>(memories.size(), 1); ++i)
      add("void *UMA_RESTRICT");
  if (hasWeights())
    add("const void *");
  if (range == CallRange::Given)
    types.append(2, builder.getI32Type());
}

LogicalResult FunctionConverter::convertBlock(Block &block) {
  int64_t numCalls = 0;
  bool isRange = range == CallRange::Given && block.getParentOp() == function;
  if (isRange)
    function.walk([&](tir::CallOp) { ++numCalls; });
  for (Operation &op : block.without_terminator())
    if (failed(isRange ? convertInRange(&op, numCalls) : convertOp(&op)))
      return failure();
  return success();
}

LogicalResult FunctionConverter::convertInRange(Operation *op,
                                                int64_t numCalls) {
  // Pointers and numbers are there for all calls.
  bool isStatement =
      op->use_empty() && !isa<tir::AllocOp>(op) && !isMemoryEffectFree(op);
  if (!isStatement)
    return convertOp(op);
  // A loop with several calls runs with its first one; what is behind the last
  // call runs with that.
  int64_t index = std::clamp<int64_t>(calls.getNumProfiled(), 0,
                                      std::max<int64_t>(numCalls - 1, 0));
  Value number = scalars.literal(std::to_string(index), builder.getI32Type());
  auto compare = [&](Value lhs, Value rhs, emitc::CmpPredicate predicate) {
    return emitc::CmpOp::create(builder, op->getLoc(), builder.getI1Type(),
                                predicate, lhs, rhs)
        .getResult();
  };
  Value isInRange = emitc::LogicalAndOp::create(
      builder, op->getLoc(), builder.getI1Type(),
      compare(first, number, emitc::CmpPredicate::le),
      compare(number, last, emitc::CmpPredicate::lt));
  auto condition = emitc::IfOp::create(builder, op->getLoc(), isInRange,
                                       /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&condition.getThenRegion().front());
  if (failed(convertOp(op)))
    return failure();
  emitc::YieldOp::create(builder, op->getLoc());
  return success();
}

LogicalResult FunctionConverter::convertOp(Operation *op) {
  scalars.setLoc(op->getLoc());
  if (isPartOfAccumulation(op))
    return success();
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "arith" || dialect == "math") {
    if (isPartOfMulAdd(op) || isPartOfMinMax(op) || convertMinMax(op))
      return success();
    if (auto add = dyn_cast<arith::AddFOp>(op);
        add && isPartOfMulAdd(getProduct(add)))
      return convertMulAdd(add);
    if (isPartOfRounding(op)) {
      values.map(op->getResult(0), lookup(op->getOperand(0)));
      return success();
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(lookup(operand));
    if (isa<arith::SelectOp>(op) && isa<MemRefType>(op->getResult(0).getType()))
      return op->emitOpError("chooses between buffers; choose between the "
                             "values loaded from them");
    FailureOr<Value> result = scalars.convert(op, operands);
    if (failed(result))
      return failure();
    values.map(op->getResult(0), *result);
    return success();
  }
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tir::ForOp op) { return convertFor(op); })
      .Case([&](scf::IfOp op) { return convertIf(op); })
      .Case([&](tir::AllocOp op) { return convertAlloc(op); })
      .Case([&](memref::LoadOp op) { return convertLoad(op); })
      .Case([&](memref::StoreOp op) {
        return convertAccumulation(op) ? success() : convertStore(op);
      })
      .Case([&](memref::CopyOp op) { return convertCopy(op); })
      .Case([&](memref::GetGlobalOp op) { return convertGetGlobal(op); })
      .Case<memref::CastOp, memref::ReinterpretCastOp, memref::CollapseShapeOp,
            memref::ExpandShapeOp>(
          [&](Operation *op) { return convertWholeView(op); })
      .Case([&](tir::ViewOp op) { return convertView(op); })
      .Case([&](tir::WordsOp op) {
        // The same pointer: only loads differ.
        values.map(op.getWords(), getPointer(op.getSource()));
        return success();
      })
      .Case([&](tir::DotOp op) {
        values.map(op.getResult(), scalars.convertDot(op, lookup(op.getLhs()),
                                                      lookup(op.getRhs()),
                                                      lookup(op.getSum())));
        return success();
      })
      .Case([&](tir::UnpackOp op) {
        values.map(op.getResult(),
                   scalars.convertUnpack(op, lookup(op.getWord())));
        return success();
      })
      .Case([&](tir::RoundClampedOp op) {
        values.map(op.getResult(),
                   scalars.convertRoundClamped(op, lookup(op.getData())));
        return success();
      })
      .Case([&](tir::HasInstructionOp op) -> LogicalResult {
        StringRef name = op.getInstruction();
        if (!context.prologue.requireTileInstruction(name))
          return op.emitOpError("names '")
                 << name
                 << "', which no accelerator of the module describes as an "
                    "instruction with a tile";
        values.map(
            op.getResult(),
            scalars.call(("uma_instruction_" + name + "_available").str(),
                         builder.getI1Type(), {}));
        return success();
      })
      .Case([&](tir::FixedPointMultiplyOp op) {
        SmallVector<Value> operands;
        for (Value operand : op->getOperands())
          operands.push_back(lookup(operand));
        values.map(op.getResult(),
                   scalars.convertFixedPointMultiply(op, operands));
        return success();
      })
      .Case([&](tir::MultiversionOp op) { return convertMultiversion(op); })
      .Case([&](vector::BroadcastOp op) { return convertBroadcast(op); })
      .Case([&](vector::ExtractOp op) { return convertExtract(op); })
      .Case([&](vector::LoadOp op) { return convertVectorLoad(op); })
      .Case([&](vector::StoreOp op) { return convertVectorStore(op); })
      .Case([&](tir::PrefetchOp op) { return convertPrefetch(op); })
      .Case([&](tir::TransposeOp op) { return convertTranspose(op); })
      .Case([&](tir::LookupOp op) { return convertLookup(op); })
      .Case([&](tir::CheckBoundsOp op) { return convertCheckBounds(op); })
      .Case([&](vector::ReductionOp op) { return convertReduction(op); })
      .Case([&](vector::ShuffleOp op) { return convertShuffle(op); })
      .Case([&](tir::CallOp op) {
        return calls.convert(op, getPointers(op.getArguments()));
      })
      .Case([&](tir::CallExternOp op) {
        return calls.convert(op, getPointers(op.getArguments()));
      })
      .Case([&](tir::NullOp op) {
        Type type = emitc::PointerType::get(convertElementType(
            cast<MemRefType>(op.getType()).getElementType()));
        values.map(op.getResult(), scalars.literal("NULL", type));
        return success();
      })
      .Case([&](tir::BlockOp op) {
        return op.emitOpError("belongs to schedulable TIR; run "
                              "'uma-tir-lower-block' first");
      })
      .Default([&](Operation *op) {
        return op->emitOpError(
            "has no counterpart in C; plain TIR holds loops, "
            "conditions, loads, stores, calls and scalar "
            "operations of arith and math");
      });
}

LogicalResult FunctionConverter::convertCheckBounds(tir::CheckBoundsOp op) {
  context.prologue.requireBoundsHook();
  auto getString = [](StringRef text) {
    return escape(toCString(toCComment(text)));
  };
  std::string last =
      std::to_string(static_cast<int64_t>(op.getSize() - op.getCount()));
  std::string layer =
      getString(function.getLayer().value_or(function.getName()));
  Value index = lookup(op.getIndex());
  verbatim("if ({} < 0 || {} > " + last + ") {{\n  UMA_ON_OUT_OF_BOUNDS(" +
               layer + ", " + getString(op.getName()) + ", {}, " +
               std::to_string(op.getSize()) + ");\n" + getEpilogue("  ") +
               "  return UMA_OUT_OF_BOUNDS;\n}",
           {index, index, index});
  return success();
}

SmallVector<Value> FunctionConverter::getPointers(ValueRange arguments) {
  SmallVector<Value> pointers;
  for (Value argument : arguments)
    pointers.push_back(getPointer(argument));
  return pointers;
}
