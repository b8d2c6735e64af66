//===- TIRTransformOps.cpp - Schedule primitives in scripts ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Maps handles to operations, calls `uma::tir::Schedule`, and returns its
// results as handles. Its errors become silenceable failures: nothing was
// changed, and a script may continue.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/TransformOps/TIRTransformOps.h"

#include "uma/Support/DidYouMean.h"
#include "uma/TIR/Schedule/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;
using namespace uma::tir::transform_ops;

using transform::TransformOpInterface;
using transform::TransformResults;
using transform::TransformRewriter;
using transform::TransformState;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses nothing: the number of results gives the number of handles.
static ParseResult parseHandles(OpAsmParser &parser,
                                SmallVectorImpl<Type> &types) {
  types.assign(parser.getNumResults(),
               transform::AnyOpType::get(parser.getContext()));
  return success();
}

static void printHandles(OpAsmPrinter &, Operation *, TypeRange) {}

/// factors ::= `[` (integer | `?`) (`,` (integer | `?`))* `]`
static ParseResult parseFactors(OpAsmParser &parser,
                                DenseI64ArrayAttr &factors) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Square, [&]() -> ParseResult {
            if (succeeded(parser.parseOptionalQuestion())) {
              values.push_back(Schedule::kInferred);
              return success();
            }
            return parser.parseInteger(values.emplace_back());
          }))
    return failure();
  factors = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

static void printFactors(OpAsmPrinter &printer, Operation *,
                         DenseI64ArrayAttr factors) {
  printer << '[';
  llvm::interleaveComma(factors.asArrayRef(), printer, [&](int64_t factor) {
    if (factor == Schedule::kInferred)
      printer << '?';
    else
      printer << factor;
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// Returns the only operation of a handle, of type `OpType`. Emits an error and
/// returns null if there is not exactly one or its type differs.
template <typename OpType>
static OpType getPayload(TransformOpInterface op, const TransformState &state,
                         Value handle, StringRef what) {
  SmallVector<Operation *> payload =
      llvm::to_vector(state.getPayloadOps(handle));
  if (payload.size() != 1) {
    InFlightDiagnostic error = op->emitOpError()
                               << "takes a handle of one " << what
                               << ", this holds " << payload.size();
    if (payload.empty())
      error << ": another operation has replaced it";
    return nullptr;
  }
  if constexpr (std::is_same_v<OpType, Operation *>)
    return payload.front();
  else if (auto result = dyn_cast<OpType>(payload.front()))
    return result;
  InFlightDiagnostic error = op->emitOpError()
                             << "takes a handle of a " << what;
  error.attachNote(payload.front()->getLoc())
      << "this is a '" << payload.front()->getName() << "'";
  return nullptr;
}

static BlockOp findBlock(TransformOpInterface op, const TransformState &state,
                         Value handle) {
  return getPayload<BlockOp>(op, state, handle, "uma.tir.block");
}

static ForOp findLoop(TransformOpInterface op, const TransformState &state,
                      Value handle) {
  return getPayload<ForOp>(op, state, handle, "uma.tir.for");
}

/// Returns the loops of the handles, or std::nullopt after an error.
static std::optional<SmallVector<ForOp>> findLoops(TransformOpInterface op,
                                                   const TransformState &state,
                                                   ValueRange handles) {
  SmallVector<ForOp> loops;
  for (Value handle : handles) {
    ForOp loop = findLoop(op, state, handle);
    if (!loop)
      return std::nullopt;
    loops.push_back(loop);
  }
  return loops;
}

/// Runs `action` and turns its errors into a silenceable failure.
static DiagnosedSilenceableFailure
silence(Operation *op, function_ref<LogicalResult()> action) {
  SmallVector<Diagnostic> errors;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &error) {
      errors.push_back(std::move(error));
      return success();
    });
    result = action();
  }
  if (succeeded(result))
    return DiagnosedSilenceableFailure::success();
  if (!errors.empty())
    errors.back().attachNote(op->getLoc()) << "wanted by the script";
  return DiagnosedSilenceableFailure::silenceableFailure(std::move(errors));
}

/// Returns the schedule of the function around `op`.
template <typename OpType>
static Schedule getSchedule(OpType op, TransformRewriter &rewriter) {
  return Schedule(op->template getParentOfType<FuncOp>(), rewriter);
}

/// Runs `action` with the schedule of the function around the operands'
/// payload. Fails definitely if one of them is null, i.e. after an error.
template <typename ActionT, typename FirstT, typename... RestT>
static DiagnosedSilenceableFailure
withSchedule(Operation *op, TransformRewriter &rewriter, ActionT action,
             FirstT first, RestT... rest) {
  if (!first || !(true && ... && rest))
    return DiagnosedSilenceableFailure::definiteFailure();
  return silence(op, [&] {
    Schedule schedule = getSchedule(first, rewriter);
    return action(schedule, first, rest...);
  });
}

/// Runs `action` with the schedule and the loop operand of `op`.
template <typename OpType>
static DiagnosedSilenceableFailure
onLoop(OpType op, TransformRewriter &rewriter, const TransformState &state,
       function_ref<LogicalResult(Schedule &, ForOp)> action) {
  return withSchedule(op, rewriter, action, findLoop(op, state, op.getLoop()));
}

/// Runs `action` with the schedule and the block operand of `op`.
template <typename OpType>
static DiagnosedSilenceableFailure
onBlock(OpType op, TransformRewriter &rewriter, const TransformState &state,
        function_ref<LogicalResult(Schedule &, BlockOp)> action) {
  return withSchedule(op, rewriter, action,
                      findBlock(op, state, op.getBlock()));
}

/// Runs `action` with the schedule and the block and loop operands of `op`.
template <typename OpType>
static DiagnosedSilenceableFailure
onBlockAndLoop(OpType op, TransformRewriter &rewriter,
               const TransformState &state,
               function_ref<LogicalResult(Schedule &, BlockOp, ForOp)> action) {
  BlockOp block = findBlock(op, state, op.getBlock());
  ForOp loop = block ? findLoop(op, state, op.getLoop()) : nullptr;
  return withSchedule(op, rewriter, action, block, loop);
}

/// Maps the handle `result` to the operation that a primitive returned. Fails
/// if the primitive failed.
template <typename OpType>
static LogicalResult setResult(TransformResults &results, Value result,
                               FailureOr<OpType> made) {
  if (failed(made))
    return failure();
  results.set(cast<OpResult>(result), {*made});
  return success();
}

/// Maps each of `handles` to its loop.
static void setResults(TransformResults &results, ValueRange handles,
                       ArrayRef<ForOp> loops) {
  for (auto [handle, loop] : llvm::zip_equal(handles, loops))
    results.set(cast<OpResult>(handle), {loop});
}

//===----------------------------------------------------------------------===//
// Operations that forward to one primitive (called by generated code)
//===----------------------------------------------------------------------===//

template <typename OpType>
static DiagnosedSilenceableFailure
setKind(OpType op, TransformRewriter &rewriter, TransformState &state,
        LogicalResult (Schedule::*primitive)(ForOp)) {
  return onLoop(op, rewriter, state, [&](Schedule &schedule, ForOp loop) {
    return (schedule.*primitive)(loop);
  });
}

template <typename OpType>
static DiagnosedSilenceableFailure
cache(OpType op, TransformRewriter &rewriter, TransformResults &results,
      TransformState &state,
      FailureOr<BlockOp> (Schedule::*primitive)(BlockOp, unsigned, Scope)) {
  return onBlock(op, rewriter, state, [&](Schedule &schedule, BlockOp block) {
    return setResult(
        results, op.getCopy(),
        (schedule.*primitive)(block, op.getIndex(), op.getScope()));
  });
}

template <typename OpType>
static DiagnosedSilenceableFailure
moveBlock(OpType op, TransformRewriter &rewriter, TransformState &state,
          LogicalResult (Schedule::*primitive)(BlockOp, ForOp)) {
  return onBlockAndLoop(op, rewriter, state,
                        [&](Schedule &schedule, BlockOp block, ForOp loop) {
                          return (schedule.*primitive)(block, loop);
                        });
}

template <typename OpType>
static DiagnosedSilenceableFailure
inlineBlock(OpType op, TransformRewriter &rewriter, TransformState &state,
            LogicalResult (Schedule::*primitive)(BlockOp)) {
  return onBlock(op, rewriter, state, [&](Schedule &schedule, BlockOp block) {
    return (schedule.*primitive)(block);
  });
}

/// Applies a primitive that splits a reduction at a loop; `made` is the handle
/// of the new block.
template <typename OpType>
static DiagnosedSilenceableFailure
splitReduction(OpType op, Value made, TransformRewriter &rewriter,
               TransformResults &results, TransformState &state,
               FailureOr<BlockOp> (Schedule::*primitive)(BlockOp, ForOp)) {
  return onBlockAndLoop(
      op, rewriter, state, [&](Schedule &schedule, BlockOp block, ForOp loop) {
        return setResult(results, made, (schedule.*primitive)(block, loop));
      });
}

#define GET_OP_CLASSES
#include "uma/TIR/TransformOps/TIRTransformOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Block and loop lookup
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure GetBlockOp::apply(TransformRewriter &rewriter,
                                              TransformResults &results,
                                              TransformState &state) {
  SmallVector<FuncOp> funcs;
  for (Operation *root : state.getPayloadOps(getRoot()))
    root->walk([&](FuncOp func) { funcs.push_back(func); });
  std::optional<Schedule::Version> version;
  if (getLanes() || getGuard())
    version = {int64_t(getLanes().value_or(1)), getGuard().value_or("")};
  return silence(*this, [&]() -> LogicalResult {
    if (funcs.empty())
      return emitOpError("finds no uma.tir.func");
    // Functions that contain the block; all of them if none does, so that the
    // error names the function.
    SmallVector<FuncOp> holding;
    for (FuncOp func : funcs) {
      bool found = false;
      func.walk(
          [&](BlockOp block) { found |= block.getLabel() == getLabel(); });
      if (found)
        holding.push_back(func);
    }
    if (holding.size() > 1) {
      InFlightDiagnostic error = emitOpError() << "finds block \"" << getLabel()
                                               << "\" in " << holding.size()
                                               << " functions, expected one";
      for (FuncOp func : holding)
        error.attachNote(func.getLoc()) << "one of them";
      return failure();
    }
    FailureOr<BlockOp> block = failure();
    for (FuncOp func : holding.empty() ? funcs : holding)
      block = Schedule(func, rewriter).getBlock(getLabel(), version);
    return setResult(results, getBlock(), block);
  });
}

DiagnosedSilenceableFailure GetLoopsOp::apply(TransformRewriter &,
                                              TransformResults &results,
                                              TransformState &state) {
  BlockOp block = findBlock(*this, state, getBlock());
  if (!block)
    return DiagnosedSilenceableFailure::definiteFailure();
  return silence(*this, [&]() -> LogicalResult {
    SmallVector<ForOp> loops = Schedule::getLoops(block);
    if (loops.size() != getLoops().size())
      return block.emitOpError()
             << "is in " << loops.size() << " loops, the script names "
             << getLoops().size();
    setResults(results, getLoops(), loops);
    return success();
  });
}

DiagnosedSilenceableFailure transform_ops::MultiversionOp::apply(
    TransformRewriter &rewriter, TransformResults &, TransformState &state) {
  SmallVector<FuncOp> funcs;
  for (Operation *root : state.getPayloadOps(getRoot()))
    root->walk([&](FuncOp func) { funcs.push_back(func); });
  return silence(*this, [&]() -> LogicalResult {
    if (funcs.size() != 1)
      return emitOpError("finds ")
             << funcs.size() << " uma.tir.funcs, expected one";
    return Schedule(funcs.front(), rewriter).multiversion(getLanes());
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure SplitOp::apply(TransformRewriter &rewriter,
                                           TransformResults &results,
                                           TransformState &state) {
  return onLoop(*this, rewriter, state,
                [&](Schedule &schedule, ForOp loop) -> LogicalResult {
                  if (getParts().size() != getFactors().size())
                    return emitOpError()
                           << "has " << getFactors().size() << " factors and "
                           << getParts().size() << " results, expected as many";
                  FailureOr<SmallVector<ForOp>> parts =
                      schedule.split(loop, getFactors());
                  if (failed(parts))
                    return failure();
                  setResults(results, getParts(), *parts);
                  return success();
                });
}

DiagnosedSilenceableFailure FuseOp::apply(TransformRewriter &rewriter,
                                          TransformResults &results,
                                          TransformState &state) {
  std::optional<SmallVector<ForOp>> loops = findLoops(*this, state, getLoops());
  if (!loops)
    return DiagnosedSilenceableFailure::definiteFailure();
  return silence(*this, [&]() -> LogicalResult {
    if (loops->empty())
      return emitOpError("has no loops to fuse");
    return setResult(results, getFused(),
                     getSchedule(loops->front(), rewriter).fuse(*loops));
  });
}

DiagnosedSilenceableFailure ReorderOp::apply(TransformRewriter &rewriter,
                                             TransformResults &,
                                             TransformState &state) {
  std::optional<SmallVector<ForOp>> loops = findLoops(*this, state, getLoops());
  if (!loops)
    return DiagnosedSilenceableFailure::definiteFailure();
  return silence(*this, [&]() -> LogicalResult {
    if (loops->empty())
      return emitOpError("has no loops to reorder");
    return getSchedule(loops->front(), rewriter).reorder(*loops);
  });
}

//===----------------------------------------------------------------------===//
// Blocks and buffers
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure TensorizeOp::apply(TransformRewriter &rewriter,
                                               TransformResults &results,
                                               TransformState &state) {
  auto *root = getPayload<Operation *>(*this, state, getRoot(),
                                       "uma.tir.for or uma.tir.block");
  if (!root)
    return DiagnosedSilenceableFailure::definiteFailure();
  return silence(*this, [&]() -> LogicalResult {
    auto func = root->getParentOfType<FuncOp>();
    if (!func)
      return emitOpError("takes a handle of a loop or block in a uma.tir.func");
    auto intrinsic =
        SymbolTable::lookupNearestSymbolFrom<FuncOp>(func, getIntrinsicAttr());
    if (!intrinsic) {
      SmallVector<StringRef> names;
      if (auto module = func->getParentOfType<ModuleOp>())
        for (auto other : module.getOps<FuncOp>())
          names.push_back(other.getSymName());
      return emitOpError() << "finds no uma.tir.func '@" << getIntrinsic()
                           << "'" << didYouMean(getIntrinsic(), names);
    }
    FailureOr<CallExternOp> call =
        Schedule(func, rewriter).tensorize(root, intrinsic);
    if (failed(call))
      return failure();
    results.set(cast<OpResult>(getCall()), {*call});
    return success();
  });
}

DiagnosedSilenceableFailure SetScopeOp::apply(TransformRewriter &rewriter,
                                              TransformResults &,
                                              TransformState &state) {
  return onBlock(*this, rewriter, state,
                 [&](Schedule &schedule, BlockOp block) {
                   return schedule.setScope(block, getIndex(), getScope());
                 });
}

DiagnosedSilenceableFailure AnnotateOp::apply(TransformRewriter &rewriter,
                                              TransformResults &,
                                              TransformState &state) {
  auto *target = getPayload<Operation *>(*this, state, getTarget(),
                                         "operation of a uma.tir.func");
  if (!target)
    return DiagnosedSilenceableFailure::definiteFailure();
  return silence(*this, [&]() -> LogicalResult {
    auto func = target->getParentOfType<FuncOp>();
    if (!func)
      return emitOpError("takes a handle of an operation in a uma.tir.func");
    return Schedule(func, rewriter).annotate(target, getName(), getValue());
  });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class TIRTransformExtension
    : public transform::TransformDialectExtension<TIRTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TIRTransformExtension)

  using Base::Base;

  void init() {
    declareGeneratedDialect<UMADialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "uma/TIR/TransformOps/TIRTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void uma::tir::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<TIRTransformExtension>();
}
