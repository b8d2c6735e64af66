//===- Matcher.cpp - Match accelerator patterns against a graph -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Backtracking: each point with several ways to match is a decision. Attempts
// enumerate the decisions depth first until one succeeds.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Matcher.h"

#include "Borders.h"
#include "MatchAttempt.h"
#include "MatchedKinds.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Accel/IR/TensorSize.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Maximum number of attempts, so that matching is linear in the graph. The
/// kinds of operators leave few decisions. The reason comes from the closest
/// attempt.
static constexpr unsigned kMaxAttempts = 64;
static constexpr unsigned kMaxAttemptsForReason = 8;

Value Match::getChosenTensor(Value tensor) const {
  while (auto choice = tensor.getDefiningOp<ChoiceOp>()) {
    unsigned way = choices.lookup(choice);
    tensor = way < choice.getAlternatives().size()
                 ? choice.getAlternatives()[way]
                 : choice.getOtherwise();
  }
  return tensor;
}

std::optional<AffineMap> Match::getOutputLayout(Value result) const {
  for (Value output : PatternOp(pattern).getOutputs())
    if (TensorTypeOpInterface type = getTensorTypeOp(output);
        type && tensors.lookup(output) == result)
      return type.getLayout();
  return std::nullopt;
}

const Match::Padding *Match::getPadding(Value input) const {
  for (const Padding &padding : paddings)
    if (padding.input == input)
      return &padding;
  return nullptr;
}

RankedTensorType Match::addPadding(Value input, RankedTensorType type) const {
  const Padding *padding = getPadding(input);
  if (!padding)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [index, size] : llvm::enumerate(shape))
    size += padding->before[index] + padding->after[index];
  return RankedTensorType::get(shape, type.getElementType());
}

RankedTensorType Match::getGraphType(Value tensor) const {
  Value value = tensors.lookup(tensor);
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  return type ? addPadding(tensor, type) : nullptr;
}

RankedTensorType Match::getDeviceType(Value tensor) const {
  if (auto scratch = tensor.getDefiningOp<ScratchOp>()) {
    auto size =
        dyn_cast_or_null<IntegerAttr>(numbers.lookup(scratch.getSize()));
    if (!size || size.getInt() < 0 || size.getInt() >= kMaxTensorSize)
      return nullptr;
    return RankedTensorType::get({size.getInt()}, scratch.getElementType());
  }
  if (auto array = tensor.getDefiningOp<ArrayOp>()) {
    auto values = arrays.find(array);
    if (values == arrays.end())
      return nullptr;
    return RankedTensorType::get({int64_t(values->second.size())},
                                 array.getElementType());
  }
  RankedTensorType type = getGraphType(tensor);
  TensorTypeOpInterface written = getTensorTypeOp(tensor);
  if (!type || !written)
    return type;
  return uma::accel::getDeviceType(type, written.getLayout());
}

StringRef uma::accel::getOperatorKind(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name.starts_with("uma.graph.")
             ? name.drop_front(StringRef("uma.graph.").size())
             : name;
}

/// Returns whether no finite number exceeds the upper bound of a clip whose
/// lower bound is 0.
static bool isRelu(graph::ClipOp clip) {
  Type element = getElementTypeOrSelf(clip.getType());
  if (!clip.getAMin().isZero())
    return false;
  double most = clip.getAMax().convertToDouble();
  if (auto number = dyn_cast<FloatType>(element)) {
    APFloat largest = APFloat::getLargest(number.getFloatSemantics());
    bool losesInfo;
    largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    return most >= largest.convertToDouble();
  }
  auto integer = dyn_cast<IntegerType>(element);
  return integer && most >= std::ldexp(1.0, int(integer.getWidth()) -
                                                !integer.isUnsigned()) -
                                1;
}

SmallVector<StringRef, 2> uma::accel::getMatchedKinds(Operation *op) {
  SmallVector<StringRef, 2> kinds = {getOperatorKind(op)};
  if (auto clip = dyn_cast<graph::ClipOp>(op); clip && isRelu(clip))
    kinds.push_back("relu");
  return kinds;
}

std::string uma::accel::describeLayer(Operation *op) {
  StringRef layer = getLayerName(op->getLoc());
  StringRef kind = getOperatorKind(op);
  return layer.empty() ? kind.str() : (kind + " '" + layer + "'").str();
}

/// Advances to the next combination of decisions after the last attempt, which
/// made `numTaken`. Returns false if all were tried.
static bool advance(SmallVectorImpl<Decision> &decisions, unsigned numTaken) {
  decisions.truncate(numTaken);
  while (!decisions.empty() &&
         decisions.back().taken + 1 == decisions.back().count)
    decisions.pop_back();
  if (decisions.empty())
    return false;
  ++decisions.back().taken;
  return true;
}

/// Checks whether the pattern's backend accepts the match. On failure, sets
/// `why`.
static LogicalResult askBackend(const Match &match, Mismatch &why) {
  const Backend *backend =
      BackendRegistry::get(match.pattern->getContext()).lookup(match.pattern);
  std::string reason;
  if (!backend || succeeded(backend->checkMatch(match, reason)))
    return success();
  why.reason = reason.empty() ? "its backend declines it" : reason;
  why.where = match.result.getDefiningOp();
  why.distance = 1;
  return failure();
}

/// Matches `pattern` at `root`. `decides` is false for the body of a composite,
/// whose match is final: the backend is not asked again, since it may inspect
/// constants that the body does not contain.
static FailureOr<Match> matchPattern(PatternOp pattern, Operation *root,
                                     Mismatch *why, bool decides) {
  Value patternRoot = pattern.getRoot();
  if (!patternRoot || root->getNumResults() != 1) {
    if (why)
      *why = {"does not have one result", Mismatch::kMissingOperator, root};
    return failure();
  }
  // Fast path: most roots have another kind.
  if (!why && !isOfKinds(root, getOperatorKinds(patternRoot)))
    return failure();
  if (why) {
    FailureOr<Match> match =
        ::matchPattern(pattern, root, /*why=*/nullptr, decides);
    if (succeeded(match))
      return match;
  }
  SmallVector<Decision> decisions;
  std::optional<Mismatch> closest;
  unsigned maxAttempts = why ? kMaxAttemptsForReason : kMaxAttempts;
  for (unsigned count = 0; count < maxAttempts; ++count) {
    Mismatch mismatch;
    MatchAttempt attempt(pattern, root, why ? &mismatch : nullptr,
                         closest ? closest->distance : ~0U,
                         /*isInside=*/!decides, decisions);
    if (succeeded(attempt.run())) {
      Match match = attempt.takeMatch();
      if (!decides || succeeded(askBackend(match, mismatch)))
        return match;
    }
    if (why && (!closest || mismatch.distance < closest->distance))
      closest = std::move(mismatch);
    if (!advance(decisions, attempt.getNumDecisions()))
      break;
  }
  if (why)
    *why = std::move(*closest);
  return failure();
}

FailureOr<Match> uma::accel::matchPattern(PatternOp pattern, Operation *root,
                                          Mismatch *why) {
  return ::matchPattern(pattern, root, why, /*decides=*/true);
}

/// Returns whether the match covers all operations and results of the
/// composite.
static bool isWhole(const Match &match, graph::CompositeOp composite) {
  Block &body = composite.getBody().front();
  auto numOps = llvm::count_if(body.without_terminator(), [](Operation &op) {
    return !op.hasTrait<OpTrait::ConstantLike>() && !isBorder(&op);
  });
  return static_cast<size_t>(numOps) == match.ops.size() &&
         llvm::equal(match.results,
                     llvm::map_range(
                         body.getTerminator()->getOperands(),
                         [](Value yielded) { return skipBorders(yielded); }));
}

/// Matches the body of a composite.
static FailureOr<Match> matchBody(PatternOp pattern,
                                  graph::CompositeOp composite,
                                  std::optional<Mismatch> &closest) {
  // Try each result as the root.
  for (Value result :
       composite.getBody().front().getTerminator()->getOperands()) {
    Operation *root = skipBorders(result).getDefiningOp();
    if (!root)
      continue;
    FailureOr<Match> match =
        ::matchPattern(pattern, root, /*why=*/nullptr, /*decides=*/false);
    if (succeeded(match) && isWhole(*match, composite))
      return match;
    Mismatch why;
    if (succeeded(::matchPattern(pattern, root, &why, /*decides=*/false)))
      why = {"it is not all that the composite holds or gives", 0, root};
    if (!closest || why.distance < closest->distance)
      closest = std::move(why);
  }
  return failure();
}

FailureOr<Match> uma::accel::matchTrial(PatternOp pattern,
                                        graph::CompositeOp composite,
                                        std::string &reason) {
  std::optional<Mismatch> closest;
  FailureOr<Match> match = matchBody(pattern, composite, closest);
  if (failed(match) && closest)
    reason = closest->reason;
  return match;
}

FailureOr<Match> uma::accel::matchComposite(graph::CompositeOp composite) {
  auto pattern = SymbolTable::lookupNearestSymbolFrom<PatternOp>(
      composite, composite.getPatternAttr());
  if (!pattern)
    return composite.emitOpError()
           << "names the pattern " << composite.getPattern()
           << ", but the module has none of that name; load the description "
              "of accelerator '"
           << composite.getAccelerator().getValue() << "'";
  std::optional<Mismatch> closest;
  FailureOr<Match> match = matchBody(pattern, composite, closest);
  if (succeeded(match)) {
    if (succeeded(skipBorders(*match)))
      return match;
    return composite.emitOpError()
           << "converts tensors in another way than the layouts of pattern '"
           << pattern.getSymName() << "' say";
  }
  if (!closest)
    return composite.emitOpError()
           << "has a body that is no match: it does not yield the results of "
              "operators";
  return composite.emitOpError()
         << "has a body that is not what pattern '" << pattern.getSymName()
         << "' matches: " << describeLayer(closest->where) << ": "
         << closest->reason;
}
