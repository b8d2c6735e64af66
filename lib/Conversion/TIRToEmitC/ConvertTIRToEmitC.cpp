//===- ConvertTIRToEmitC.cpp - Convert plain TIR to EmitC -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// EmitC serves only as the printer. Upstream's conversions map memrefs to
// arrays; C for devices needs pointers with `const` and `restrict`, one
// workspace and a status, so functions and buffers are converted here.
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"

#include "uma/Conversion/Passes.h"
#include "uma/Conversion/TIRToEmitC/UsedAccelerators.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_CONVERTTIRTOEMITCPASS
#include "uma/Conversion/Passes.h.inc"
} // namespace uma

/// Erases values without uses and local buffers that are only written, which C
/// compilers warn about. Returns true if it erased any.
static bool eraseUnusedOnce(tir::FuncOp function) {
  SmallVector<Operation *> operations;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      operations.push_back(op);
  });
  llvm::DenseSet<Operation *> erased;
  auto erase = [&](Operation *op) {
    op->walk([&](Operation *nested) { erased.insert(nested); });
    op->erase();
  };
  for (Operation *op : llvm::reverse(operations)) {
    if (erased.contains(op))
      continue;
    if (auto alloc = dyn_cast<tir::AllocOp>(op)) {
      auto isStore = [&](Operation *user) {
        if (auto store = dyn_cast<memref::StoreOp>(user))
          return store.getMemRef() == alloc.getBuffer();
        auto store = dyn_cast<vector::StoreOp>(user);
        return store && store.getBase() == alloc.getBuffer();
      };
      if (llvm::all_of(alloc.getBuffer().getUsers(), isStore)) {
        for (Operation *store : llvm::to_vector(alloc.getBuffer().getUsers()))
          erase(store);
        erase(alloc);
      }
    } else if (isOpTriviallyDead(op)) {
      erase(op);
    }
  }
  return !erased.empty();
}

static void eraseUnused(tir::FuncOp function) {
  // Erasing a store may leave its operands unused.
  while (eraseUnusedOnce(function))
    ;
}

/// Returns true if the value has infinities or NaNs, which need <math.h>.
static bool hasNonFinite(ElementsAttr value) {
  if (!isa<FloatType>(value.getElementType()))
    return false;
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(value);
  return succeeded(tensor) && !tensor->allFinite();
}

/// Returns whether a module has floating-point numbers.
static bool hasFloats(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool isFloat = llvm::any_of(op->getResultTypes(), [](Type type) {
          return isa<FloatType>(getElementTypeOrSelf(type));
        });
        return isFloat ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct ConvertTIRToEmitCPass
    : uma::impl::ConvertTIRToEmitCPassBase<ConvertTIRToEmitCPass> {
  using ConvertTIRToEmitCPassBase::ConvertTIRToEmitCPassBase;

  void runOnOperation() override {
    if (failed(convert()))
      signalPassFailure();
  }

  LogicalResult checkModule();
  LogicalResult expandDivisions();
  void addHeaders();
  LogicalResult convertGlobals(OpBuilder &builder, ModuleContext &context);
  void nameFunctions(ModuleContext &context);
  /// Adds the function that runs a range of the network's calls.
  LogicalResult convertRange(OpBuilder &builder, ModuleContext &context);
  LogicalResult convert();

  Prologue prologue;
  /// Returns the C name of the module's symbol `name`.
  std::string getFullName(StringRef name) const {
    return network ? (networkPrefix + "_" + name).str() : name.str();
  }

  /// Name of the model, if a function has one.
  std::optional<std::string> network;
  /// Prefix of all C names of the network.
  std::string networkPrefix;
};
} // namespace

LogicalResult ConvertTIRToEmitCPass::checkModule() {
  network.reset();
  bool hasPublic = false;
  for (Operation &op : *getOperation().getBody()) {
    if (auto function = dyn_cast<tir::FuncOp>(op)) {
      hasPublic |= function.isPublic();
      auto name = function->getAttrOfType<StringAttr>(kNetworkAttrName);
      if (name && !network)
        network = name.str();
      else if (name)
        return function.emitOpError("is the second network of the module; one "
                                    "C file holds one network");
    } else if (!isa<memref::GlobalOp, accel::AcceleratorOp>(op)) {
      return op.emitOpError("is not plain TIR; run 'uma-lower' first");
    }
  }
  if (!hasPublic)
    return getOperation().emitError(
        "has no public uma.tir.func, so there is nothing that C could call");
  return success();
}

LogicalResult ConvertTIRToEmitCPass::expandDivisions() {
  // C's division truncates; upstream expands the other divisions to it.
  RewritePatternSet patterns(&getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  return applyPatternsGreedily(getOperation(), std::move(patterns));
}

void ConvertTIRToEmitCPass::addHeaders() {
  SmallVector<accel::AcceleratorOp> used = getUsedAccelerators(getOperation());
  for (accel::AcceleratorOp accelerator : used)
    for (auto include : accelerator.getOps<accel::IncludeOp>())
      prologue.addHeader(include.getHeader());
  if (prologue.hasHeaders())
    return;
  getOperation().walk([&](tir::CallExternOp call) {
    if (call->hasAttr(kInstructionAttrName))
      return WalkResult::advance();
    call.emitWarning("calls '")
        << call.getCallee()
        << "', which no header declares; name one in the accelerator's "
           "description: include \"...\"";
    return WalkResult::interrupt();
  });
}

LogicalResult ConvertTIRToEmitCPass::convertGlobals(OpBuilder &builder,
                                                    ModuleContext &context) {
  llvm::StringSet<> used;
  int64_t imageAlignment = kImageHeaderBytes, imageEnd = kImageHeaderBytes;
  for (auto global : getOperation().getOps<memref::GlobalOp>())
    imageAlignment =
        std::max<int64_t>(imageAlignment, global.getAlignment().value_or(1));
  for (tir::FuncOp function : context.analysis.getFunctions())
    function.walk([&](memref::GetGlobalOp op) { used.insert(op.getName()); });
  for (auto global : getOperation().getOps<memref::GlobalOp>()) {
    if (!used.contains(global.getSymName()))
      continue;
    auto value = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
    if (!global.getConstant() || !value)
      return global.emitOpError("is not a constant with a value; emitted C is "
                                "re-entrant and keeps no state between runs");
    Type element = convertElementType(global.getType().getElementType());
    int64_t count = global.getType().getNumElements();
    if (!element || count == 0)
      return global.emitOpError("of type ")
             << global.getType() << " has no counterpart in C";
    auto type = RankedTensorType::get({count}, element);
    ElementsAttr flat;
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
      flat = DenseResourceElementsAttr::get(type, resource.getRawHandle());
    } else {
      FailureOr<HostTensor> tensor = HostTensor::fromAttribute(value);
      if (failed(tensor))
        return global.emitOpError("has a value that cannot be read: ") << value;
      flat =
          HostTensor(type, tensor->getBytes()).toAttribute(global.getSymName());
    }
    if (hasNonFinite(flat))
      prologue.requireMath();
    std::string name = context.names.unique(getFullName(global.getSymName()));
    auto converted = emitc::GlobalOp::create(
        builder, global.getLoc(), name, emitc::ArrayType::get({count}, element),
        flat, /*extern_specifier=*/false, /*static_specifier=*/true,
        /*const_specifier=*/true);
    if (std::optional<uint64_t> alignment = global.getAlignment())
      converted->setAttr(kAlignmentAttrName,
                         builder.getI64IntegerAttr(*alignment));
    if (weightsParameter) {
      imageEnd = llvm::alignTo(imageEnd, imageAlignment);
      converted->setAttr(kImageOffsetAttrName,
                         builder.getI64IntegerAttr(imageEnd));
      imageEnd += count * HostTensor::getElementSize(
                              flat.getShapedType().getElementType());
    }
    context.globals[global.getSymName()] = converted;
  }
  return success();
}

void ConvertTIRToEmitCPass::nameFunctions(ModuleContext &context) {
  for (StringRef name : reserved)
    context.names.reserve(name);
  for (tir::FuncOp function : context.analysis.getFunctions())
    function.walk([&](tir::CallExternOp call) {
      context.names.reserve(call.getCallee());
    });
  // Name public functions first, so that their names are not taken.
  for (bool isPublic : {true, false}) {
    for (tir::FuncOp function : context.analysis.getFunctions()) {
      if (function.isPublic() != isPublic)
        continue;
      bool isNetwork = function->hasAttr(kNetworkAttrName);
      context.functionNames[function] = context.names.unique(
          getFullName(!isNetwork         ? function.getName()
                      : weightsParameter ? "run_with_weights"
                                         : "run"));
      // Names that only a package declares: functions and tables.
      if (isNetwork)
        for (StringRef name : {"run", "run_with_weights", "run_layers",
                               "layers", "weights", "check_weights"})
          context.names.reserve(getFullName(name));
      if (isNetwork)
        for (StringRef kind : {"input", "output"}) {
          context.names.reserve(getFullName((kind + "s").str()));
          for (unsigned i = 0; i < function.getNumArguments(); ++i)
            context.names.reserve(
                getFullName((kind + "_shape" + Twine(i)).str()));
        }
    }
  }
}

LogicalResult ConvertTIRToEmitCPass::convertRange(OpBuilder &builder,
                                                  ModuleContext &context) {
  auto text = [&](StringRef value) {
    emitc::VerbatimOp::create(builder, getOperation().getLoc(), value)
        ->setAttr(kFunctionTextAttrName, builder.getUnitAttr());
  };
  for (tir::FuncOp function : context.analysis.getFunctions()) {
    if (!function->hasAttr(kNetworkAttrName))
      continue;
    text("\n#ifdef UMA_RUN_LAYERS");
    FailureOr<emitc::FuncOp> converted =
        FunctionConverter(builder, function, context, CallRange::Given)
            .convert();
    if (failed(converted) || failed(formExpressions(*converted)))
      return failure();
    text("#endif");
  }
  return success();
}

/// Returns true if the module is already converted.
static bool isConverted(ModuleOp module) {
  return !module.getBody()->empty() &&
         llvm::all_of(*module.getBody(), [](Operation &op) {
           return isa<emitc::EmitCDialect>(op.getDialect());
         });
}

LogicalResult ConvertTIRToEmitCPass::convert() {
  prologue = Prologue();
  ModuleOp module = getOperation();
  if (isConverted(module))
    return success();
  if (failed(checkModule()) || failed(expandDivisions()))
    return failure();
  if (network)
    networkPrefix = prefix.empty() ? toCNetworkName(*network) : prefix;
  for (auto function : module.getOps<tir::FuncOp>()) {
    eraseUnused(function);
    if (threads == Threads::OpenMP)
      sinkConstants(function);
  }
  FailureOr<BufferAnalysis> analysis = BufferAnalysis::compute(module);
  if (failed(analysis))
    return failure();
  addHeaders();
  for (auto accelerator : module.getOps<accel::AcceleratorOp>())
    for (auto instruction : accelerator.getOps<accel::InstructionOp>())
      prologue.addInstruction(instruction);

  SmallVector<Operation *> old(llvm::make_pointer_range(*module.getBody()));
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  ModuleContext context(*analysis, prologue, threads, lineDirectives);
  context.weightsParameter = weightsParameter && network;
  context.prefix = network ? networkPrefix + "_" : "";
  if (hasFloats(module))
    prologue.requireFloats();
  if (context.weightsParameter)
    prologue.requireImage();
  nameFunctions(context);
  if (failed(convertGlobals(builder, context)))
    return failure();
  for (tir::FuncOp function : analysis->getFunctions()) {
    FailureOr<emitc::FuncOp> converted =
        FunctionConverter(builder, function, context).convert();
    if (failed(converted) || failed(formExpressions(*converted)))
      return failure();
  }
  if (layerRange && failed(convertRange(builder, context)))
    return failure();
  // Emit the prologue last, when all requests of functions are known.
  builder.setInsertionPointToStart(module.getBody());
  prologue.emit(builder, module.getLoc(), network);
  for (Operation *op : old)
    op->erase();
  return success();
}
