//===- ForOp.cpp - uma.tir.for --------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

//===----------------------------------------------------------------------===//
// Building, bounds
//===----------------------------------------------------------------------===//

/// Adds a dynamic bound to `operands`. Returns the value of a static bound, or
/// ShapedType::kDynamic.
static int64_t dispatchBound(OpFoldResult bound, SmallVector<Value> &operands) {
  if (auto attribute = dyn_cast<Attribute>(bound))
    return cast<IntegerAttr>(attribute).getInt();
  operands.push_back(cast<Value>(bound));
  return ShapedType::kDynamic;
}

void ForOp::build(OpBuilder &builder, OperationState &state, OpFoldResult lower,
                  OpFoldResult upper, ForKind kind) {
  SmallVector<Value> lowerOperand, upperOperand;
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.static_lower =
      builder.getI64IntegerAttr(dispatchBound(lower, lowerOperand));
  properties.static_upper =
      builder.getI64IntegerAttr(dispatchBound(upper, upperOperand));
  properties.kind = ForKindAttr::get(builder.getContext(), kind);
  properties.operandSegmentSizes = {static_cast<int32_t>(lowerOperand.size()),
                                    static_cast<int32_t>(upperOperand.size())};
  state.addOperands(lowerOperand);
  state.addOperands(upperOperand);

  Region *body = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(body, body->end(), builder.getIndexType(),
                      state.location);
  ensureTerminator(*body, builder, state.location);
}

OpFoldResult ForOp::getLower() {
  if (Value lower = getDynamicLower())
    return lower;
  return Builder(getContext()).getIndexAttr(getStaticLower());
}

OpFoldResult ForOp::getUpper() {
  if (Value upper = getDynamicUpper())
    return upper;
  return Builder(getContext()).getIndexAttr(getStaticUpper());
}

std::optional<int64_t> ForOp::getExtent() {
  if (getDynamicLower() || getDynamicUpper())
    return std::nullopt;
  int64_t extent;
  if (llvm::SubOverflow<int64_t>(getStaticUpper(), getStaticLower(), extent))
    return std::nullopt;
  return std::max<int64_t>(extent, 0);
}

//===----------------------------------------------------------------------===//
// LoopLikeOpInterface, OpAsmOpInterface
//===----------------------------------------------------------------------===//

SmallVector<Region *> ForOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> ForOp::getLoopInductionVars() {
  return SmallVector<Value>{getInductionVar()};
}

std::optional<SmallVector<OpFoldResult>> ForOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>{getLower()};
}

std::optional<SmallVector<OpFoldResult>> ForOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>{getUpper()};
}

std::optional<SmallVector<OpFoldResult>> ForOp::getLoopSteps() {
  return SmallVector<OpFoldResult>{Builder(getContext()).getIndexAttr(1)};
}

void ForOp::getAsmBlockArgumentNames(Region &region,
                                     OpAsmSetValueNameFn setName) {
  if (!region.empty() && region.getNumArguments() == 1)
    setName(region.getArgument(0), getLabel().value_or("i"));
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// bound ::= integer | ssa-use
static ParseResult
parseBound(OpAsmParser &parser,
           SmallVector<OpAsmParser::UnresolvedOperand> &operands,
           int64_t &constant) {
  OptionalParseResult parsed = parser.parseOptionalInteger(constant);
  if (parsed.has_value())
    return *parsed;
  constant = ShapedType::kDynamic;
  return parser.parseOperand(operands.emplace_back());
}

/// for ::= kind? ssa-id `=` bound `to` bound (`label` string)? region attr-dict
ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Properties &properties = result.getOrAddProperties<Properties>();

  ForKind kind = ForKind::Serial;
  StringRef keyword;
  SMLoc kindLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    std::optional<ForKind> symbol = symbolizeForKind(keyword);
    if (!symbol)
      return parser.emitError(kindLoc)
             << "unknown loop kind '" << keyword
             << "', expected serial, parallel, vectorized or unrolled";
    kind = *symbol;
  }
  properties.kind = ForKindAttr::get(builder.getContext(), kind);

  OpAsmParser::Argument inductionVar;
  inductionVar.type = builder.getIndexType();
  SmallVector<OpAsmParser::UnresolvedOperand> lower, upper;
  int64_t staticLower, staticUpper;
  if (parser.parseArgument(inductionVar) || parser.parseEqual() ||
      parseBound(parser, lower, staticLower) || parser.parseKeyword("to") ||
      parseBound(parser, upper, staticUpper) ||
      parser.resolveOperands(lower, inductionVar.type, result.operands) ||
      parser.resolveOperands(upper, inductionVar.type, result.operands))
    return failure();
  properties.static_lower = builder.getI64IntegerAttr(staticLower);
  properties.static_upper = builder.getI64IntegerAttr(staticUpper);
  properties.operandSegmentSizes = {static_cast<int32_t>(lower.size()),
                                    static_cast<int32_t>(upper.size())};
  if (succeeded(parser.parseOptionalKeyword("label")) &&
      parser.parseAttribute(properties.label))
    return failure();

  Region *body = result.addRegion();
  if (parser.parseRegion(*body, inductionVar))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return parser.parseOptionalAttrDict(result.attributes);
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  if (getKind() != ForKind::Serial)
    printer << stringifyForKind(getKind()) << ' ';
  auto printBound = [&](Value dynamic, int64_t constant) {
    if (dynamic)
      printer << dynamic;
    else
      printer << constant;
  };
  printer << getInductionVar() << " = ";
  printBound(getDynamicLower(), getStaticLower());
  printer << " to ";
  printBound(getDynamicUpper(), getStaticUpper());
  if (StringAttr label = getLabelAttr())
    printer << " label " << label;
  printer << ' ';
  Operation *terminator = getBody().front().getTerminator();
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/
                      !terminator->getDiscardableAttrs().empty());
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getKindAttrName(), getLabelAttrName(), getStaticLowerAttrName(),
       getStaticUpperAttrName(), getOperandSegmentSizesAttrName()});
}

LogicalResult ForOp::verify() {
  if (getBody().getNumArguments() != 1 ||
      !getInductionVar().getType().isIndex())
    return emitOpError() << "has " << getBody().getNumArguments()
                         << " region arguments, expected one of type index: "
                            "the loop variable";
  auto checkBound = [&](StringRef name, Value dynamic,
                        int64_t constant) -> LogicalResult {
    if (static_cast<bool>(dynamic) != ShapedType::isDynamic(constant))
      return emitOpError() << name << " bound needs an integer or a value, got "
                           << (dynamic ? "both" : "neither");
    return success();
  };
  if (failed(checkBound("lower", getDynamicLower(), getStaticLower())) ||
      failed(checkBound("upper", getDynamicUpper(), getStaticUpper())))
    return failure();
  if (!getDynamicLower() && !getDynamicUpper() && !getExtent())
    return emitOpError() << "runs from "
                         << static_cast<int64_t>(getStaticLower()) << " to "
                         << static_cast<int64_t>(getStaticUpper())
                         << ", more iterations than fit 64 bits";
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// Folds constant bounds into attributes.
struct FoldConstantBounds : OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ForOp op,
                                PatternRewriter &rewriter) const override {
    APInt lower, upper;
    bool foldLower = op.getDynamicLower() &&
                     matchPattern(op.getDynamicLower(), m_ConstantInt(&lower));
    bool foldUpper = op.getDynamicUpper() &&
                     matchPattern(op.getDynamicUpper(), m_ConstantInt(&upper));
    if (!foldLower && !foldUpper)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if (foldLower) {
        op.getDynamicLowerMutable().clear();
        op.setStaticLower(lower.getSExtValue());
      }
      if (foldUpper) {
        op.getDynamicUpperMutable().clear();
        op.setStaticUpper(upper.getSExtValue());
      }
    });
    return success();
  }
};

/// Erases loops without iterations, and inlines loops with one.
struct FoldTrivialLoop : OpRewritePattern<ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ForOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> extent = op.getExtent();
    if (!extent || *extent > 1)
      return failure();
    if (*extent == 1) {
      Value only = arith::ConstantIndexOp::create(rewriter, op.getLoc(),
                                                  op.getStaticLower());
      Block &block = op.getBody().front();
      rewriter.eraseOp(block.getTerminator());
      rewriter.inlineBlockBefore(&block, op, only);
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void ForOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<FoldConstantBounds, FoldTrivialLoop>(context);
}
