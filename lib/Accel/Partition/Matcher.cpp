//===- Matcher.cpp - Match accelerator patterns against a graph -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern is walked backwards from its root, so that each operator is bound
// before its operands are looked at; nothing recurses, whatever a description
// holds. The order of a commutative operator's operands is a decision; attempts
// run through the decisions depth first until one attempt succeeds.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Matcher.h"

#include "AttributeText.h"
#include "Evaluator.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// Where a value comes from, for a message that says that it should come from
/// an operator.
static std::string describeProducer(Value value) {
  if (Operation *op = value.getDefiningOp())
    return isa<graph::ConstantOp>(op) ? "a constant" : describeLayer(op);
  return "an input of the graph";
}

static std::string getTypeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

namespace {

/// One try to match, with the operand orders given by `decisions`.
class Attempt {
public:
  Attempt(PatternOp pattern, Operation *root, Mismatch *why,
          SmallVectorImpl<bool> &decisions)
      : pattern(pattern), root(root), why(why), decisions(decisions) {
    match.pattern = pattern;
    llvm::append_range(operators, pattern.getBody().getOps<OpOp>());
  }

  LogicalResult run() {
    if (failed(bindOperators()) || failed(checkAttributes()) ||
        failed(checkInputs()) || failed(checkNumbers()) || failed(checkUses()))
      return failure();
    return success(failures == 0);
  }

  Match takeMatch() { return std::move(match); }
  unsigned getNumDecisions() const { return nextDecision; }

private:
  /// Notes a constraint that does not hold. Matching goes on where a reason is
  /// wanted, in order to count what else does not hold.
  LogicalResult fail(Operation *where, const Twine &reason,
                     unsigned weight = 1) {
    if (!why) {
      ++failures;
      return failure();
    }
    if (failures == 0) {
      why->reason = reason.str();
      why->where = where;
    }
    failures += weight;
    why->distance = failures;
    return success();
  }

  LogicalResult bindOperators();
  LogicalResult bindOperands(OpOp opOp, Operation *op);
  LogicalResult checkAttributes();
  LogicalResult checkUnwritten(Operation *op, StringRef name, Attribute actual,
                               Attribute byDefault);
  LogicalResult checkWritten(Operation *op, StringRef name, Attribute actual,
                             Attribute wanted);
  LogicalResult checkInputs();
  LogicalResult checkInput(InputOp input, Value value);
  LogicalResult checkNumbers();
  LogicalResult checkRequire(RequireOp require, const Evaluator &evaluator);
  LogicalResult checkUses();
  LogicalResult bindDim(DimOp dim, int64_t size, Operation *where,
                        StringRef place);
  std::string describeNumbers(Value value) const;

  PatternOp pattern;
  Operation *root;
  Mismatch *why;
  SmallVectorImpl<bool> &decisions;
  unsigned nextDecision = 0;
  unsigned failures = 0;
  SmallVector<OpOp> operators;
  /// The operation that each operator of the pattern stands for.
  llvm::DenseMap<Operation *, Operation *> bound;
  /// The graph operation that uses a tensor first: where a message about the
  /// tensor points.
  llvm::DenseMap<Value, Operation *> firstUser;
  /// Where each dim got its value.
  llvm::DenseMap<Value, std::string> places;
  Match match;
};

LogicalResult Attempt::bindOperators() {
  OpOp last = operators.back();
  match.tensors[last.getResult()] = root->getResult(0);
  match.result = root->getResult(0);
  firstUser[last.getResult()] = root;
  for (OpOp opOp : llvm::reverse(operators)) {
    Value value = match.tensors.lookup(opOp.getResult());
    if (!value) {
      // Its user is missing as well, which has been said.
      (void)fail(root, "", Mismatch::kMissingOperator);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op && getOperatorKind(op) == opOp.getKind() &&
        op->getNumResults() == 1) {
      bound[opOp] = op;
      if (failed(bindOperands(opOp, op)))
        return failure();
      continue;
    }
    if (op == root) {
      if (failed(fail(root,
                      Twine("is a ") + getOperatorKind(root) +
                          ", the pattern wants a " + opOp.getKind(),
                      Mismatch::kMissingOperator)))
        return failure();
      continue;
    }
    Operation *user = firstUser.lookup(opOp.getResult());
    auto operand = llvm::find(user->getOperands(), value);
    if (failed(fail(user,
                    "operand " +
                        Twine(std::distance(user->operand_begin(), operand)) +
                        " is " + describeProducer(value) +
                        ", the pattern wants the result of a " + opOp.getKind(),
                    Mismatch::kMissingOperator)))
      return failure();
  }
  // The pattern's order is topological, and so is that of the operations that
  // it is bound to.
  llvm::SmallSetVector<Operation *, 4> ops;
  for (OpOp opOp : operators)
    if (Operation *op = bound.lookup(opOp))
      ops.insert(op);
  match.ops = ops.takeVector();
  return success();
}

LogicalResult Attempt::bindOperands(OpOp opOp, Operation *op) {
  OperandRange wanted = opOp.getOperands_();
  if (wanted.size() != op->getNumOperands())
    return fail(op, "has " + Twine(op->getNumOperands()) +
                        " operands, the pattern wants " + Twine(wanted.size()));
  SmallVector<Value, 4> actual(op->getOperands());
  if (actual.size() == 2 && wanted[0] != wanted[1] &&
      op->hasTrait<OpTrait::IsCommutative>()) {
    if (nextDecision == decisions.size())
      decisions.push_back(false);
    if (decisions[nextDecision++])
      std::swap(actual[0], actual[1]);
  }
  for (auto [index, pair] : llvm::enumerate(llvm::zip(wanted, actual))) {
    auto [tensor, value] = pair;
    auto [it, inserted] = match.tensors.try_emplace(tensor, value);
    if (inserted) {
      firstUser[tensor] = op;
      continue;
    }
    if (it->second == value)
      continue;
    std::string name = "the tensor that an earlier operand is";
    if (auto input = tensor.getDefiningOp<InputOp>())
      name = ("'" + input.getName() + "' again").str();
    if (failed(fail(op, "operand " + Twine(index) + " is " +
                            describeProducer(value) + ", the pattern wants " +
                            name)))
      return failure();
  }
  return success();
}

LogicalResult Attempt::checkAttributes() {
  for (OpOp opOp : operators) {
    Operation *op = bound.lookup(opOp);
    if (!op)
      continue;
    // A fresh operation tells the defaults that ODS gives.
    OperationState state(op->getLoc(), op->getName());
    Operation *fresh = Operation::create(state);
    llvm::scope_exit destroyFresh([&] { fresh->destroy(); });
    DictionaryAttr written = opOp.getMatchedAttributesAttr();
    for (StringAttr name : op->getName().getAttributeNames()) {
      Attribute byDefault = fresh->getInherentAttr(name).value_or(Attribute());
      Attribute actual = op->getInherentAttr(name).value_or(Attribute());
      if (!actual)
        actual = byDefault;
      Attribute wanted = written ? written.get(name) : Attribute();
      LogicalResult result = wanted
                                 ? checkWritten(op, name, actual, wanted)
                                 : checkUnwritten(op, name, actual, byDefault);
      if (failed(result))
        return failure();
    }
  }
  return success();
}

LogicalResult Attempt::checkUnwritten(Operation *op, StringRef name,
                                      Attribute actual, Attribute byDefault) {
  if (actual == byDefault)
    return success();
  if (byDefault)
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants its default " +
                        getAttributeText(byDefault));
  return fail(op, name + " is " + getAttributeText(actual) +
                      ", the pattern does not say that it takes any " + name);
}

LogicalResult Attempt::checkWritten(Operation *op, StringRef name,
                                    Attribute actual, Attribute wanted) {
  if (auto keyword = dyn_cast<StringAttr>(wanted)) {
    if (keyword.getValue() == kAnyValue)
      return success();
    auto window = dyn_cast<graph::WindowOpInterface>(op);
    if (window && name == "padding" && keyword.getValue() == kSameValue) {
      if (window.isSamePadding())
        return success();
      return fail(op, "padding is " + getAttributeText(actual) +
                          ", the pattern wants same, which is " +
                          getListText(window.getWindow().getSamePadding()) +
                          " here");
    }
  }

  auto mismatch = [&] {
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants " + getAttributeText(wanted));
  };
  std::string place = (name + " of " + getOperatorKind(op)).str();
  auto matchElement = [&](Attribute element, Attribute value) {
    auto dim = dyn_cast<FlatSymbolRefAttr>(value);
    if (!dim)
      return haveEqualValue(element, value) ? success() : mismatch();
    auto integer = dyn_cast_or_null<IntegerAttr>(element);
    DimOp dimOp = pattern.getDim(dim.getValue());
    if (!integer || !dimOp)
      return mismatch();
    return bindDim(dimOp, integer.getInt(), op, place);
  };

  auto list = dyn_cast<ArrayAttr>(wanted);
  if (!list)
    return matchElement(actual, wanted);
  if (llvm::none_of(list, llvm::IsaPred<FlatSymbolRefAttr>))
    return haveEqualValue(actual, wanted) ? success() : mismatch();
  std::optional<SmallVector<int64_t>> integers = getIntegers(actual);
  if (!integers || integers->size() != list.size())
    return mismatch();
  Builder builder(op->getContext());
  for (auto [integer, value] : llvm::zip_equal(*integers, list))
    if (failed(matchElement(builder.getI64IntegerAttr(integer), value)))
      return failure();
  return success();
}

LogicalResult Attempt::bindDim(DimOp dim, int64_t size, Operation *where,
                               StringRef place) {
  Builder builder(dim.getContext());
  auto [it, inserted] =
      match.numbers.try_emplace(dim.getResult(), builder.getIndexAttr(size));
  if (inserted) {
    places[dim.getResult()] = place.str();
    return success();
  }
  int64_t known = cast<IntegerAttr>(it->second).getInt();
  if (known == size)
    return success();
  StringRef knownPlace = places[dim.getResult()];
  if (knownPlace == place)
    return fail(where, dim.getName() + " is both " + Twine(known) + " and " +
                           Twine(size) + " in " + place);
  return fail(where, dim.getName() + " is " + Twine(known) + " in " +
                         knownPlace + " but " + Twine(size) + " in " + place);
}

LogicalResult Attempt::checkInputs() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    // What uses it is missing, which has been said.
    if (!value)
      continue;
    if (failed(checkInput(input, value)))
      return failure();
    if (!llvm::is_contained(match.inputs, value))
      match.inputs.push_back(value);
  }
  return success();
}

LogicalResult Attempt::checkInput(InputOp input, Value value) {
  Operation *user = firstUser.lookup(input.getResult());
  StringRef name = input.getName();
  if (Operation *producer = value.getDefiningOp();
      producer && llvm::is_contained(match.ops, producer))
    return fail(user, name + " is the result of " + describeLayer(producer) +
                          ", which the pattern computes inside");
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return fail(user, name + " is not a ranked tensor");
  if (std::optional<Type> wanted = input.getElementType();
      wanted && *wanted != type.getElementType())
    if (failed(fail(user, name + " is " + getTypeText(type.getElementType()) +
                              ", the pattern wants " + getTypeText(*wanted))))
      return failure();
  if (input.getAnyShape())
    return success();
  ArrayRef<int64_t> sizes = input.getStaticDims();
  if (type.getRank() != static_cast<int64_t>(sizes.size()))
    return fail(user, name + " has the shape " + getListText(type.getShape()) +
                          ", the pattern wants " + Twine(sizes.size()) +
                          (sizes.size() == 1 ? " dimension" : " dimensions"));
  auto dims = input.getDims().begin();
  for (auto [index, size] : llvm::enumerate(type.getShape())) {
    LogicalResult result = success();
    if (ShapedType::isDynamic(sizes[index]))
      result = bindDim((*dims++).getDefiningOp<DimOp>(), size, user, name);
    else if (size != sizes[index])
      result = fail(user, name + " has size " + Twine(size) + " in dimension " +
                              Twine(index) + ", the pattern wants " +
                              Twine(sizes[index]));
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult Attempt::checkNumbers() {
  Evaluator evaluator(match.numbers);
  evaluator.evaluate(pattern);
  auto canCompute = [&](Value value) {
    return llvm::all_of(getDimsOf(value), [&](DimOp dim) {
      return match.numbers.contains(dim.getResult());
    });
  };
  for (RequireOp require : pattern.getBody().getOps<RequireOp>()) {
    // A dim without a value is in what is missing, which has been said.
    if (!match.numbers.lookup(require.getCondition()) &&
        !canCompute(require.getCondition()))
      continue;
    if (failed(checkRequire(require, evaluator)))
      return failure();
  }
  for (CallOp call : pattern.getBody().getOps<CallOp>())
    for (auto [index, argument] : llvm::enumerate(call.getArguments())) {
      if (isa<AccelTensorType>(argument.getType()) ||
          match.numbers.contains(argument) || !canCompute(argument))
        continue;
      if (failed(fail(root, "argument " + Twine(index + 1) + " of " +
                                call.getCallee() + " " +
                                evaluator.getProblem(argument) +
                                describeNumbers(argument))))
        return failure();
    }
  return success();
}

LogicalResult Attempt::checkRequire(RequireOp require,
                                    const Evaluator &evaluator) {
  auto holds =
      dyn_cast_or_null<BoolAttr>(match.numbers.lookup(require.getCondition()));
  if (holds && holds.getValue())
    return success();
  std::string details = require.getSource().value_or("").str();
  if (!holds)
    details += (details.empty() ? "the condition " : " ") +
               evaluator.getProblem(require.getCondition()).str();
  details += describeNumbers(require.getCondition());
  StringRef text = StringRef(details).trim();
  if (text.empty())
    return fail(root, require.getReason());
  return fail(root, require.getReason() + " (" + text + ")");
}

std::string Attempt::describeNumbers(Value value) const {
  std::string text;
  for (DimOp dim : getDimsOf(value)) {
    auto number =
        dyn_cast_or_null<IntegerAttr>(match.numbers.lookup(dim.getResult()));
    if (!number)
      continue;
    text += text.empty() ? " with " : ", ";
    text += (dim.getName() + " = " + Twine(number.getInt())).str();
  }
  return text;
}

LogicalResult Attempt::checkUses() {
  llvm::SmallPtrSet<Operation *, 4> inside(match.ops.begin(), match.ops.end());
  for (Operation *op : match.ops) {
    if (op == root)
      continue;
    for (Operation *user : op->getUsers()) {
      if (inside.contains(user))
        continue;
      if (failed(fail(op, "its result is used elsewhere, by " +
                              (user->hasTrait<OpTrait::IsTerminator>()
                                   ? "the graph's results"
                                   : describeLayer(user)))))
        return failure();
      break;
    }
  }
  return success();
}

} // namespace

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

FailureOr<Match> uma::accel::matchPattern(PatternOp pattern, Operation *root,
                                          Mismatch *why) {
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
    Attempt attempt(pattern, root, why ? &mismatch : nullptr, decisions);
    if (succeeded(attempt.run()))
      return attempt.takeMatch();
    if (why && (!closest || mismatch.distance < closest->distance))
      closest = std::move(mismatch);
    if (!advance(decisions, attempt.getNumDecisions()))
      break;
  }
  if (why)
    *why = std::move(*closest);
  return failure();
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
    return composite.emitOpError() << "has a body that is no match: it yields "
                                   << terminator->getNumOperands()
                                   << " values and no operator's result";
  FailureOr<Match> match = matchPattern(pattern, root);
  if (succeeded(match))
    return match;
  Mismatch why;
  (void)matchPattern(pattern, root, &why);
  return composite.emitOpError()
         << "has a body that is not what pattern '" << pattern.getSymName()
         << "' matches: " << describeLayer(why.where) << ": " << why.reason;
}
