//===- Matcher.cpp - Match accelerator patterns against a graph -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The order of a commutative operator's operands is a decision; attempts run
// through the decisions depth first until one succeeds.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Matcher.h"

#include "MatchAttempt.h"

#include "uma/Accel/IR/Backend.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// A limit on the operand orders to try: patterns with more than this many
/// combinations of commutative operators are not written by anybody.
static constexpr unsigned kMaxAttempts = 256;

StringRef uma::accel::getOperatorKind(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name.starts_with("uma.graph.")
             ? name.drop_front(StringRef("uma.graph.").size())
             : name;
}

std::string uma::accel::describeLayer(Operation *op) {
  StringRef layer = getLayerName(op->getLoc());
  StringRef kind = getOperatorKind(op);
  return layer.empty() ? kind.str() : (kind + " '" + layer + "'").str();
}

/// Moves on to the next combination of the decisions that the last attempt
/// took; false when there is none.
static bool advance(SmallVectorImpl<bool> &decisions, unsigned numTaken) {
  decisions.truncate(numTaken);
  while (!decisions.empty() && decisions.back())
    decisions.pop_back();
  if (decisions.empty())
    return false;
  decisions.back() = true;
  return true;
}

/// Whether the backend behind the pattern takes what the pattern matches.
static LogicalResult askBackend(const Match &match, Mismatch &why) {
  const Backend *backend =
      BackendRegistry::get(match.pattern->getContext()).lookup(match.pattern);
  std::string reason;
  if (!backend || succeeded(backend->checkMatch(match, reason)))
    return success();
  why.reason = reason.empty() ? "its backend declines it" : reason;
  why.where = match.ops.back();
  why.distance = 1;
  return failure();
}

/// `decides` where the match is not certain yet: then the backend is asked, who
/// may look at the values of constants. The body of a composite has none.
static FailureOr<Match> matchPattern(PatternOp pattern, Operation *root,
                                     Mismatch *why, bool decides) {
  OpOp patternRoot = pattern.getRoot();
  if (!patternRoot || root->getNumResults() != 1) {
    if (why)
      *why = {"does not have one result", Mismatch::kMissingOperator, root};
    return failure();
  }
  // Nearly all attempts end here.
  if (!why && getOperatorKind(root) != patternRoot.getKind())
    return failure();
  SmallVector<bool> decisions;
  std::optional<Mismatch> closest;
  for (unsigned count = 0; count < kMaxAttempts; ++count) {
    Mismatch mismatch;
    MatchAttempt attempt(pattern, root, why ? &mismatch : nullptr, decisions);
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

FailureOr<Match> uma::accel::matchComposite(graph::CompositeOp composite) {
  auto pattern = SymbolTable::lookupNearestSymbolFrom<PatternOp>(
      composite, composite.getPatternAttr());
  if (!pattern)
    return composite.emitOpError()
           << "names the pattern " << composite.getPattern()
           << ", but the module has none of that name; load the description "
              "of accelerator '"
           << composite.getAccelerator().getValue() << "'";
  Operation *terminator = composite.getBody().front().getTerminator();
  Operation *root = terminator->getNumOperands() == 1
                        ? terminator->getOperand(0).getDefiningOp()
                        : nullptr;
  if (!root)
    return composite.emitOpError()
           << "has a body that is no match: it does not yield one operator's "
              "result";
  FailureOr<Match> match =
      ::matchPattern(pattern, root, /*why=*/nullptr, /*decides=*/false);
  if (succeeded(match))
    return match;
  Mismatch why;
  (void)::matchPattern(pattern, root, &why, /*decides=*/false);
  return composite.emitOpError()
         << "has a body that is not what pattern '" << pattern.getSymName()
         << "' matches: " << describeLayer(why.where) << ": " << why.reason;
}
