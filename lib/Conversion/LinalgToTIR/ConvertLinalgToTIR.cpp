//===- ConvertLinalgToTIR.cpp - Convert linalg to blocks in loops ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A linalg.generic has the information of a block: kinds of iteration
// variables, index maps, a body. Tensors are bufferized by upstream's one-shot
// bufferization first. Apart from linalg, functions may then contain buffers,
// copies and constants; other operations are reported.
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/Passes.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;

namespace uma {
#define GEN_PASS_DEF_CONVERTLINALGTOTIRPASS
#include "uma/Conversion/Passes.h.inc"
} // namespace uma

//===----------------------------------------------------------------------===//
// Convertible functions
//===----------------------------------------------------------------------===//

static bool hasLinalg(func::FuncOp func) {
  return func.walk([](linalg::LinalgOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Checks the signature of a function before bufferization.
static LogicalResult checkSignature(func::FuncOp func) {
  auto check = [&](StringRef what, unsigned number, Type type,
                   bool isResult) -> LogicalResult {
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      auto buffer = dyn_cast<MemRefType>(type);
      bool isBuffer = buffer && buffer.getLayout().isIdentity();
      if (!isBuffer && !isa<RankedTensorType>(type))
        return func.emitOpError()
               << what << " #" << number << " has type " << type
               << ", expected a ranked tensor or a memref with the identity "
                  "layout";
      if (!shaped.hasStaticShape())
        return func.emitOpError() << what << " #" << number << " has type "
                                  << type << ", expected a static shape";
    }
    if (isResult && !isa<RankedTensorType>(type))
      return func.emitOpError()
             << what << " #" << number << " has type " << type
             << ", expected a tensor: uma.tir.func writes its results into "
                "buffers";
    return success();
  };
  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes()))
    if (failed(check("argument", number, type, /*isResult=*/false)))
      return failure();
  for (auto [number, type] : llvm::enumerate(func.getResultTypes()))
    if (failed(check("result", number, type, /*isResult=*/true)))
      return failure();
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("has ")
           << func.getBody().getBlocks().size() << " blocks, expected one";
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// Converts one bufferized function.
class FunctionConverter {
public:
  FunctionConverter(func::FuncOp func, unsigned numResults)
      : func(func), numResults(numResults), builder(func) {}
  LogicalResult convert();

private:
  LogicalResult convertOp(Operation &op);
  LogicalResult convertGeneric(linalg::GenericOp op, StringRef label,
                               Value start);
  LogicalResult convertCopy(memref::CopyOp op);
  /// Returns the linalg.fill that initialises the output of `op`, if `op` is
  /// its next user, otherwise null.
  linalg::FillOp findStart(linalg::GenericOp op);
  std::string makeLabel(StringRef name);
  /// Builds one loop per extent, and returns the loop variables.
  SmallVector<Value> makeLoops(Location loc, ArrayRef<int64_t> extents);

  func::FuncOp func;
  unsigned numResults;
  OpBuilder builder;
  tir::FuncOp result;
  IRMapping mapping;
  llvm::StringSet<> labels;
  /// Fills that became the init region of a reduction.
  llvm::SmallPtrSet<Operation *, 4> taken;
};
} // namespace

std::string FunctionConverter::makeLabel(StringRef name) {
  std::string label = name.str();
  for (unsigned number = 1; !labels.insert(label).second; ++number)
    label = (name + "_" + Twine(number)).str();
  return label;
}

SmallVector<Value> FunctionConverter::makeLoops(Location loc,
                                                ArrayRef<int64_t> extents) {
  SmallVector<Value> variables;
  for (auto [number, extent] : llvm::enumerate(extents)) {
    auto loop = tir::ForOp::create(builder, loc, builder.getIndexAttr(0),
                                   builder.getIndexAttr(extent));
    loop.setLabel(("d" + Twine(number)).str());
    variables.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(&loop.getBody().front());
  }
  return variables;
}

linalg::FillOp FunctionConverter::findStart(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return nullptr;
  Value buffer = op.getDpsInits()[0];
  // Views could use the buffer without being seen.
  if (buffer.getDefiningOp<ViewLikeOpInterface>() ||
      llvm::any_of(buffer.getUsers(), llvm::IsaPred<ViewLikeOpInterface>))
    return nullptr;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(before);
        fill && fill.getDpsInits()[0] == buffer)
      return fill;
    if (llvm::is_contained(before->getOperands(), buffer))
      return nullptr;
  }
  return nullptr;
}

LogicalResult FunctionConverter::convertGeneric(linalg::GenericOp op,
                                                StringRef label, Value start) {
  Location loc = op.getLoc();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<tir::IterVar> variables;
  for (auto [number, extent] : llvm::enumerate(extents))
    if (ShapedType::isDynamic(extent) || extent < 1)
      return op.emitOpError() << "iterates over dimension #" << number
                              << " whose extent is not a positive number";
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> loops = makeLoops(loc, extents);
  for (auto [kind, loop, extent] :
       llvm::zip_equal(op.getIteratorTypesArray(), loops, extents))
    variables.push_back({kind == utils::IteratorType::parallel
                             ? tir::IterKind::Spatial
                             : tir::IterKind::Reduce,
                         loop, extent});

  // The output of a reduction need not be listed as read.
  SmallVector<tir::BufferRegion> reads, writes;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    tir::BufferRegion region{mapping.lookup(operand.get()), map,
                             SmallVector<int64_t>(map.getNumResults(), 1)};
    bool isInit = op.isDpsInit(&operand);
    if (op.payloadUsesValueFromOperand(&operand) &&
        (!isInit || op.getNumReductionLoops() == 0))
      reads.push_back(region);
    if (isInit)
      writes.push_back(region);
  }
  auto block = tir::BlockOp::create(builder, loc, makeLabel(label), variables,
                                    reads, writes, bool(start));

  auto getIndices = [&](OpOperand &operand, ValueRange dims) {
    SmallVector<Value> indices;
    for (AffineExpr index : op.getMatchingIndexingMap(&operand).getResults())
      indices.push_back(
          affine::expandAffineExpr(builder, loc, index, dims, {}));
    return indices;
  };
  if (start) {
    builder.setInsertionPointToStart(&block.getInit().front());
    SmallVector<Value> dims(block.getInitVars());
    OpOperand &init = op.getDpsInitsMutable()[0];
    memref::StoreOp::create(builder, loc, mapping.lookupOrDefault(start),
                            mapping.lookup(init.get()), getIndices(init, dims));
  }
  builder.setInsertionPointToStart(&block.getBody().front());
  SmallVector<Value> dims(block.getBodyVars());
  IRMapping payload = mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!op.payloadUsesValueFromOperand(&operand))
      continue;
    Value value = mapping.lookupOrDefault(operand.get());
    if (isa<MemRefType>(value.getType())) {
      SmallVector<Value> indices = getIndices(operand, dims);
      value = memref::LoadOp::create(builder, loc, value, indices);
    }
    payload.map(op.getMatchingBlockArgument(&operand), value);
  }
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      payload.map(index.getResult(), dims[index.getDim()]);
    else
      builder.clone(inner, payload);
  }
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [init, value] :
       llvm::zip_equal(op.getDpsInitsMutable(), yield->getOperands())) {
    SmallVector<Value> indices = getIndices(init, dims);
    memref::StoreOp::create(builder, loc, payload.lookupOrDefault(value),
                            mapping.lookup(init.get()), indices);
  }
  return success();
}

LogicalResult FunctionConverter::convertCopy(memref::CopyOp op) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape =
      cast<MemRefType>(op.getTarget().getType()).getShape();
  SmallVector<Value> loops = makeLoops(loc, shape);
  SmallVector<tir::IterVar> variables;
  for (auto [loop, extent] : llvm::zip_equal(loops, shape))
    variables.push_back({tir::IterKind::Spatial, loop, extent});
  AffineMap map = builder.getMultiDimIdentityMap(shape.size());
  SmallVector<int64_t> ones(shape.size(), 1);
  Value from = mapping.lookup(op.getSource());
  Value to = mapping.lookup(op.getTarget());
  auto block = tir::BlockOp::create(builder, loc, makeLabel("copy"), variables,
                                    tir::BufferRegion{from, map, ones},
                                    tir::BufferRegion{to, map, ones});
  builder.setInsertionPointToStart(&block.getBody().front());
  Value element =
      memref::LoadOp::create(builder, loc, from, block.getBodyVars());
  memref::StoreOp::create(builder, loc, element, to, block.getBodyVars());
  return success();
}

LogicalResult FunctionConverter::convertOp(Operation &op) {
  for (Type type : op.getResultTypes())
    if (auto buffer = dyn_cast<MemRefType>(type);
        buffer &&
        (!buffer.hasStaticShape() || !buffer.getLayout().isIdentity()))
      return op.emitOpError() << "makes a buffer of type " << type
                              << ", expected a static shape and the identity "
                                 "layout";
  if (isa<func::ReturnOp>(op) || taken.contains(&op))
    return success();
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    // Workspace is only planned for public functions.
    tir::Scope scope =
        func.isPrivate() ? tir::Scope::Local : tir::Scope::Workspace;
    mapping.map(alloc.getResult(),
                tir::AllocOp::create(builder, op.getLoc(), alloc.getType(),
                                     scope, /*offset=*/nullptr,
                                     /*label=*/nullptr)
                    .getResult());
    return success();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return convertCopy(copy);
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    linalg::FillOp fill = findStart(generic);
    StringRef label = "generic";
    if (auto name = generic->getAttrOfType<StringAttr>("uma.label"))
      label = name;
    return convertGeneric(generic, label,
                          fill ? fill.getDpsInputs()[0] : Value());
  }
  if (isa<memref::DeallocOp>(op))
    return success();
  if (isa<memref::GetGlobalOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
          op) ||
      (isPure(&op) && op.getNumRegions() == 0 &&
       llvm::none_of(op.getResultTypes(),
                     [](Type type) { return isa<ShapedType>(type); }))) {
    builder.clone(op, mapping);
    return success();
  }
  return op.emitOpError("has no counterpart in uma.tir: expected operations of "
                        "linalg that have a linalg.generic form, constants, "
                        "memref.alloc, memref.copy and reshapes");
}

LogicalResult FunctionConverter::convert() {
  SmallVector<NamedAttribute> attributes;
  if (auto network = func->getAttr(kNetworkAttrName))
    attributes.push_back(builder.getNamedAttr(kNetworkAttrName, network));
  result = tir::FuncOp::create(builder, func.getLoc(), func.getSymName(),
                               func.getArgumentTypes(), attributes);
  if (func.isPrivate())
    result.setPrivate();
  unsigned numArguments = func.getNumArguments();
  for (unsigned number = 0; number < numArguments; ++number) {
    if (Attribute name = func.getArgAttr(number, kTensorNameAttrName))
      result.setArgAttr(number, kTensorNameAttrName, name);
    if (number + numResults >= numArguments)
      result.setArgAttr(number, kOutputAttrName, builder.getUnitAttr());
  }
  Block &body = result.getBody().front();
  mapping.map(func.getArguments(), body.getArguments());
  builder.setInsertionPoint(body.getTerminator());
  // Blocks are named after named operations. Fills that start a reduction
  // become part of it.
  IRRewriter rewriter(func.getContext());
  for (Operation &op :
       llvm::make_early_inc_range(func.getBody().front().getOperations())) {
    auto named = dyn_cast<linalg::LinalgOp>(op);
    if (!named || isa<linalg::GenericOp, linalg::FillOp>(op))
      continue;
    StringAttr name = builder.getStringAttr(op.getName().stripDialect());
    rewriter.setInsertionPoint(&op);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, named);
    if (succeeded(generic))
      (*generic)->setAttr("uma.label", name);
  }
  for (auto op : func.getBody().front().getOps<linalg::GenericOp>())
    if (linalg::FillOp fill = findStart(op))
      taken.insert(fill);
  for (Operation &op : func.getBody().front()) {
    if (auto fill = dyn_cast<linalg::FillOp>(op);
        fill && !taken.contains(fill)) {
      // Clone the fill, since later reductions look for it.
      rewriter.setInsertionPoint(fill);
      auto copy = cast<linalg::LinalgOp>(rewriter.clone(*fill));
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, copy);
      if (failed(generic) ||
          failed(convertGeneric(*generic, "fill", /*start=*/nullptr)))
        return failure();
      rewriter.eraseOp(*generic);
      continue;
    }
    if (failed(convertOp(op)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertLinalgToTIRPass
    : uma::impl::ConvertLinalgToTIRPassBase<ConvertLinalgToTIRPass> {
  /// Turns tensors into buffers, and results into arguments.
  LogicalResult bufferize();
  LogicalResult convert();

  void runOnOperation() override {
    if (failed(convert()))
      signalPassFailure();
  }
};
} // namespace

LogicalResult ConvertLinalgToTIRPass::bufferize() {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  bufferization::BufferizationState state;
  if (failed(bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                      state)))
    return failure();
  bufferization::BufferResultsToOutParamsOpts outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  return bufferization::promoteBufferResultsToOutParams(getOperation(),
                                                        outParams);
}

LogicalResult ConvertLinalgToTIRPass::convert() {
  ModuleOp module = getOperation();
  SmallVector<func::FuncOp> funcs;
  SmallVector<unsigned> numResults;
  bool hasTensors = false;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !hasLinalg(func))
      continue;
    if (failed(checkSignature(func)))
      return failure();
    funcs.push_back(func);
    numResults.push_back(func.getNumResults());
    func.walk([&](Operation *op) {
      hasTensors |=
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
      hasTensors |=
          llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    });
    if (std::optional<SymbolTable::UseRange> uses =
            SymbolTable::getSymbolUses(func, module))
      for (const SymbolTable::SymbolUse &use : *uses)
        return use.getUser()->emitOpError("refers to '@")
               << func.getSymName()
               << "', which becomes a uma.tir.func; inline it first";
  }
  if (hasTensors && failed(bufferize()))
    return failure();
  for (auto [func, count] : llvm::zip_equal(funcs, numResults)) {
    if (failed(FunctionConverter(func, count).convert()))
      return failure();
    func.erase();
  }
  return success();
}
