//===- LoopConversion.cpp - Loops and conditions in C ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Threads share loops by OpenMP's directives. Without OpenMP, C compilers
// ignore them.
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"

#include "uma/Conversion/TIRToEmitC/CText.h"

using namespace mlir;
using namespace uma;

/// Moves copies of the vectors of constants that a loop uses into it. Threads
/// would get them in memory, so that C compilers keep a register for each.
static void sinkConstantsInto(tir::ForOp loop) {
  llvm::MapVector<Operation *, SmallVector<OpOperand *>> uses;
  loop->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
      if (constant && isa<VectorType>(constant.getType()) &&
          !loop->isAncestor(constant))
        uses[constant].push_back(&operand);
    }
  });
  auto builder = OpBuilder::atBlockBegin(&loop.getBody().front());
  for (auto &[constant, operands] : uses) {
    Operation *copy = builder.clone(*constant);
    for (OpOperand *operand : operands)
      operand->set(copy->getResult(0));
    if (constant->use_empty())
      constant->erase();
  }
}

void uma::sinkConstants(tir::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([](tir::ForOp loop) {
    if (loop.getKind() != tir::ForKind::Parallel)
      return WalkResult::advance();
    sinkConstantsInto(loop);
    return WalkResult::skip();
  });
}

/// Returns whether threads share parallel loops inside of a loop.
static bool startsTeam(tir::ForOp op) {
  return op.getKind() == tir::ForKind::Serial &&
         op->hasAttr(tir::kTeamAttrName) &&
         op->walk([](tir::ForOp inner) {
             return inner.getKind() == tir::ForKind::Parallel
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           }).wasInterrupted();
}

StringRef FunctionConverter::getThreadDirective(tir::ForOp op) const {
  bool isParallel = op.getKind() == tir::ForKind::Parallel;
  if (context.threads != Threads::OpenMP || facts.hasThreadConflicts ||
      !(isParallel || startsTeam(op)))
    return {};
  bool isInTeam = false;
  for (auto outer = op->getParentOfType<tir::ForOp>(); outer;
       outer = outer->getParentOfType<tir::ForOp>()) {
    if (outer.getKind() == tir::ForKind::Parallel)
      return {};
    isInTeam |= startsTeam(outer);
  }
  if (!isParallel)
    return isInTeam ? "" : "parallel";
  // The schedule gives each thread the same iterations of all loops.
  return isInTeam ? "for schedule(static) nowait"
                  : "parallel for schedule(static)";
}

LogicalResult FunctionConverter::convertFor(tir::ForOp op) {
  Type type = emitc::PtrDiffTType::get(op.getContext());
  auto getBound = [&](OpFoldResult bound) -> Value {
    if (auto value = dyn_cast<Value>(bound))
      return lookup(value);
    return scalars.literal(
        toCLiteral(cast<IntegerAttr>(cast<Attribute>(bound)).getValue()), type);
  };
  // The other kinds are only printed as comments: C compilers mostly find
  // independent or short loops by themselves.
  StringRef directive = getThreadDirective(op);
  if (!directive.empty())
    verbatim("#ifdef _OPENMP\n#pragma omp " + directive + "\n#endif");
  else if (op.getKind() != tir::ForKind::Serial)
    verbatim("/* " + tir::stringifyForKind(op.getKind()) + " */");
  if (op->hasAttr(tir::kUnrollAttrName)) {
    context.prologue.requireLanes();
    verbatim("UMA_UNROLL");
  }
  Value lower = getBound(op.getLower());
  Value upper = getBound(op.getUpper());
  auto loop = emitc::ForOp::create(builder, op.getLoc(), lower, upper,
                                   scalars.literal("1", type));
  values.map(op.getInductionVar(), loop.getInductionVar());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  return convertBlock(op.getBody().front());
}

LogicalResult FunctionConverter::convertIf(scf::IfOp op) {
  SmallVector<Value> variables;
  for (Value result : op.getResults()) {
    Type type = convertScalarType(result.getType());
    if (!type)
      return op.emitOpError("has a result of type ")
             << result.getType() << "; conditions give scalars in C";
    variables.push_back(emitc::VariableOp::create(
        builder, op.getLoc(), emitc::LValueType::get(type),
        emitc::OpaqueAttr::get(op.getContext(), "")));
  }
  auto condition =
      emitc::IfOp::create(builder, op.getLoc(), lookup(op.getCondition()),
                          /*withElseRegion=*/!op.getElseRegion().empty());
  auto convertBranch = [&](Region &from, Region &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(builder);
    // The builder above creates blocks without terminators.
    builder.setInsertionPointToEnd(&to.front());
    if (failed(convertBlock(from.front())))
      return failure();
    for (auto [variable, value] :
         llvm::zip(variables, from.front().getTerminator()->getOperands()))
      emitc::AssignOp::create(builder, op.getLoc(), variable, lookup(value));
    emitc::YieldOp::create(builder, op.getLoc());
    return success();
  };
  if (failed(convertBranch(op.getThenRegion(), condition.getThenRegion())))
    return failure();
  if (!op.getElseRegion().empty() &&
      failed(convertBranch(op.getElseRegion(), condition.getElseRegion())))
    return failure();
  for (auto [variable, result] : llvm::zip(variables, op.getResults()))
    values.map(result, emitc::LoadOp::create(
                           builder, op.getLoc(),
                           convertScalarType(result.getType()), variable)
                           .getResult());
  return success();
}
