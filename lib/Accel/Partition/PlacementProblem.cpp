//===- PlacementProblem.cpp - Candidates of a placement and their costs ---===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Evaluates all costs once, so that the search only uses numbers.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Evaluator.h"
#include "RegionGraph.h"

#include "uma/Accel/IR/TensorSize.h"
#include "uma/Accel/Mapping/MappingCache.h"
#include "uma/Accel/Mapping/MappingSearch.h"
#include "uma/Accel/Partition/Assignment.h"
#include "uma/Accel/Partition/Placement.h"
#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Default speed of a device: this many multiply-accumulate operations per
/// cycle, and the CPU's speed for all other operations.
static constexpr int64_t kDefaultMACsPerCycle = 8;

static int64_t clampCycles(double cycles) {
  if (!(cycles < double(PlacementProblem::kMaxCycles)))
    return PlacementProblem::kMaxCycles;
  return std::max<int64_t>(0, static_cast<int64_t>(std::ceil(cycles)));
}

static bool isConstantLike(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isConstantOp(op);
}

/// Returns the number of elements of the largest operand or result, excluding
/// constants.
static int64_t getWork(ValueRange inputs, ValueRange results) {
  int64_t elements = 0;
  for (Value input : inputs)
    if (!isConstantLike(input))
      elements = std::max(elements, getNumElements(input.getType()));
  for (Value result : results)
    elements = std::max(elements, getNumElements(result.getType()));
  return elements;
}

/// Returns the cycles of an operator on the CPU.
static int64_t getCPUCycles(Operation *op, const PlacementOptions &options) {
  if (!isInFamily<GraphFamily>(op) || isConstantOp(op))
    return 0;
  int64_t work = getWork(op->getOperands(), op->getResults());
  return clampCycles(double(getMACs(op)) * options.cpuCyclesPerMAC +
                     double(work) * options.cpuCyclesPerElement);
}

namespace {
/// Builder of a placement problem.
class ProblemBuilder {
public:
  ProblemBuilder(PlacementProblem &problem, func::FuncOp function,
                 const PlacementOptions &options)
      : problem(problem), function(function), options(options) {}

  LogicalResult addDevices(ArrayRef<AcceleratorOp> accelerators);
  void addOperators();
  LogicalResult addCandidates(ArrayRef<AcceleratorOp> accelerators);

private:
  LogicalResult addTransferCycles(PlacementProblem::Device &device);
  FailureOr<int64_t> getCost(PlacementProblem::Device &device, CostOp cost,
                             const llvm::DenseMap<Value, TypedAttr> &numbers);
  FailureOr<int64_t> getCycles(PlacementProblem::Device &device,
                               const Match &match);
  int64_t getMappedCycles(const Match &match);
  FailureOr<int64_t> getTransferCycles(PlacementProblem::Device &device,
                                       int64_t bytes);
  void use(Value value, int user);

  PlacementProblem &problem;
  func::FuncOp function;
  const PlacementOptions &options;
  llvm::DenseMap<Operation *, unsigned> operatorOf;
  llvm::DenseMap<Value, unsigned> tensorOf;
  llvm::StringMap<int64_t> mappedCycles;
};
} // namespace

/// Computes the value of a cost statement's body for `argument`.
static FailureOr<int64_t> evaluateBody(Operation *statement, StringRef what,
                                       std::optional<int64_t> argument = {}) {
  Block &body = statement->getRegion(0).front();
  Evaluator::Numbers numbers;
  std::string details;
  if (argument) {
    numbers[body.getArgument(0)] =
        Builder(statement->getContext()).getIndexAttr(*argument);
    details = " with bytes = " + std::to_string(*argument);
  }
  Evaluator evaluator(numbers);
  evaluator.evaluate(body);
  Value result = body.getTerminator()->getOperand(0);
  auto number = dyn_cast_or_null<IntegerAttr>(numbers.lookup(result));
  if (!number)
    return mlir::emitError(statement->getLoc())
           << what << " " << evaluator.getProblem(result) << details;
  int64_t cycles = number.getInt();
  if (cycles < 0)
    return mlir::emitError(statement->getLoc())
           << what << " is " << cycles << details << ", expected 0 or more";
  return std::min(cycles, PlacementProblem::kMaxCycles);
}

LogicalResult ProblemBuilder::addDevices(ArrayRef<AcceleratorOp> accelerators) {
  problem.devices.emplace_back();
  // The search stores the devices of a tensor in a 64-bit mask.
  if (accelerators.size() > 63)
    return function.emitError()
           << "placement by cost knows up to 63 accelerators, found "
           << accelerators.size();
  for (AcceleratorOp accelerator : accelerators) {
    PlacementProblem::Device &device = problem.devices.emplace_back();
    device.accelerator = accelerator;
    device.mergesRegions = mergesRegions(accelerator, options.mergeRegions);
    for (RegionOp region : accelerator.getOps<RegionOp>()) {
      FailureOr<int64_t> overhead = evaluateBody(region, "overhead");
      if (failed(overhead))
        return failure();
      device.overhead = *overhead;
      device.minOperators = region.getMinOperators();
    }
  }
  return success();
}

FailureOr<int64_t>
ProblemBuilder::getTransferCycles(PlacementProblem::Device &device,
                                  int64_t bytes) {
  auto known = device.transferCycles.find(bytes);
  if (known != device.transferCycles.end())
    return known->second;
  int64_t total = 0;
  for (TransferOp transfer : device.accelerator.getOps<TransferOp>()) {
    FailureOr<int64_t> cycles = evaluateBody(transfer, "cycles", bytes);
    if (failed(cycles))
      return failure();
    total = *cycles;
  }
  device.transferCycles[bytes] = total;
  return total;
}

/// Records that operator `user`, or a terminator (-1), uses `value`.
void ProblemBuilder::use(Value value, int user) {
  auto it = tensorOf.find(value);
  if (it == tensorOf.end())
    return;
  PlacementProblem::Tensor &tensor = problem.tensors[it->second];
  if (user < 0) {
    tensor.isNeededOnCPU = true;
    return;
  }
  if (!tensor.users.empty() && tensor.users.back() == unsigned(user))
    return;
  tensor.users.push_back(user);
  problem.operators[user].operands.push_back(it->second);
}

void ProblemBuilder::addOperators() {
  auto addTensor = [&](Value value, int producer) {
    tensorOf[value] = problem.tensors.size();
    PlacementProblem::Tensor &tensor = problem.tensors.emplace_back();
    tensor.value = value;
    tensor.bytes = getNumBytes(value.getType());
    tensor.producer = producer;
    if (producer >= 0)
      problem.operators[producer].results.push_back(problem.tensors.size() - 1);
  };
  for (Block &block : function.getBody()) {
    for (Value argument : block.getArguments())
      addTensor(argument, -1);
    BlockGraph graph(block);
    unsigned first = problem.operators.size();
    for (auto [op, successors] : llvm::zip_equal(graph.ops, graph.successors)) {
      unsigned index = problem.operators.size();
      operatorOf[op] = index;
      PlacementProblem::Operator &added = problem.operators.emplace_back();
      added.op = op;
      added.cycles = getCPUCycles(op, options);
      for (unsigned successor : successors)
        added.successors.push_back(first + successor);
      if (!isConstantOp(op))
        for (Value result : op->getResults())
          addTensor(result, index);
    }
  }
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      auto it = operatorOf.find(&op);
      int user = it == operatorOf.end() ? -1 : int(it->second);
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          use(operand, user);
      });
    }
}

/// Returns an upper bound on the number of elements that the CPU converts for a
/// match. Other matches may already provide some tensors in the layout, which
/// only the final graph shows.
static double getBorderElements(const Match &match) {
  PatternOp pattern = match.pattern;
  double elements = 0;
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input);
    bool isSliced = llvm::any_of(match.splits, [&](Match::Split split) {
      return llvm::is_contained(input.getDims(), split.dim.getResult());
    });
    if (value && !isConstantLike(value) &&
        (isSliced || input.getLayout() || match.getPadding(input.getResult())))
      elements +=
          double(getNumElements(match.getDeviceType(input.getResult())));
  }
  for (Value output : pattern.getOutputs()) {
    TensorTypeOpInterface type = getTensorTypeOp(output);
    RankedTensorType result = match.getDeviceType(output);
    if (result && (!match.splits.empty() || (type && type.getLayout())))
      elements += double(getNumElements(result));
  }
  return elements;
}

FailureOr<int64_t>
ProblemBuilder::getCost(PlacementProblem::Device &device, CostOp cost,
                        const llvm::DenseMap<Value, TypedAttr> &numbers) {
  // The matcher ensures that the numbers can be computed.
  int64_t cycles = cast<IntegerAttr>(numbers.lookup(cost.getCycles())).getInt();
  cycles = std::min(cycles, PlacementProblem::kMaxCycles);
  if (!cost.getBytes())
    return cycles;
  int64_t bytes = cast<IntegerAttr>(numbers.lookup(cost.getBytes())).getInt();
  FailureOr<int64_t> moved = getTransferCycles(device, bytes);
  if (failed(moved))
    return failure();
  return std::min(cycles + *moved, PlacementProblem::kMaxCycles);
}

/// Returns the cycles that the mapper predicts for a match of a pattern with
/// tiles. Equal layers are searched once.
int64_t ProblemBuilder::getMappedCycles(const Match &match) {
  std::string layer;
  llvm::raw_string_ostream os(layer);
  // Patterns differ by their address.
  os << PatternOp(match.pattern).getOperation();
  for (Operation *op : match.ops)
    printLayer(os, op);
  auto [known, isNew] = mappedCycles.try_emplace(layer, 0);
  if (isNew) {
    FailureOr<int64_t> cycles = predictCycles(match);
    known->second = succeeded(cycles) ? *cycles : PlacementProblem::kMaxCycles;
  }
  return known->second;
}

FailureOr<int64_t> ProblemBuilder::getCycles(PlacementProblem::Device &device,
                                             const Match &match) {
  PatternOp pattern = match.pattern;
  double borders = getBorderElements(match) * options.cpuCyclesPerElement;
  if (pattern.isTiled())
    return clampCycles(double(getMappedCycles(match)) + borders);
  for (CostOp cost : pattern.getBody().getOps<CostOp>()) {
    if (match.pieces.empty()) {
      FailureOr<int64_t> cycles = getCost(device, cost, match.numbers);
      if (failed(cycles))
        return failure();
      return clampCycles(double(*cycles) + borders);
    }
    double total = borders;
    for (const auto &[numbers, count] : match.pieces) {
      FailureOr<int64_t> cycles = getCost(device, cost, numbers);
      if (failed(cycles))
        return failure();
      total += double(*cycles) * double(count);
    }
    return clampCycles(total);
  }
  int64_t macs = 0;
  for (Operation *op : match.ops)
    macs += getMACs(op);
  return clampCycles(double(macs) / kDefaultMACsPerCycle +
                     double(getWork(match.inputs, match.result)) + borders);
}

LogicalResult
ProblemBuilder::addCandidates(ArrayRef<AcceleratorOp> accelerators) {
  LogicalResult result = success();
  Restrictions restrictions(function, accelerators);
  // Force pinned operations onto their device, regardless of the cost there.
  for (const auto &[op, pin] : restrictions.pins)
    problem.operators[operatorOf.lookup(op)].cycles =
        PlacementProblem::kMaxCycles;
  restrictions.forEachMatch(
      function, accelerators, [](Operation *) { return false; },
      [&](Match match) {
        PlacementProblem::Candidate candidate;
        AcceleratorOp accelerator = getAccelerator(match.pattern);
        candidate.device =
            llvm::find(accelerators, accelerator) - accelerators.begin() + 1;
        FailureOr<int64_t> cycles =
            getCycles(problem.devices[candidate.device], match);
        if (failed(cycles)) {
          result = failure();
          return;
        }
        candidate.cycles = *cycles;
        for (Operation *op : match.ops)
          candidate.operators.push_back(operatorOf.lookup(op));
        llvm::sort(candidate.operators);
        for (unsigned index : candidate.operators)
          problem.operators[index].candidates.push_back(
              problem.candidates.size());
        candidate.match = std::move(match);
        problem.candidates.push_back(std::move(candidate));
      });
  llvm::SetVector<int64_t> sizes;
  for (const PlacementProblem::Tensor &tensor : problem.tensors)
    sizes.insert(tensor.bytes);
  for (PlacementProblem::Device &device :
       MutableArrayRef(problem.devices).drop_front())
    for (int64_t bytes : sizes)
      if (failed(result) || failed(getTransferCycles(device, bytes)))
        return failure();
  return result;
}

FailureOr<PlacementProblem>
PlacementProblem::create(func::FuncOp function,
                         ArrayRef<AcceleratorOp> accelerators,
                         const PlacementOptions &options) {
  PlacementProblem problem;
  ProblemBuilder builder(problem, function, options);
  if (failed(builder.addDevices(accelerators)))
    return failure();
  builder.addOperators();
  if (failed(builder.addCandidates(accelerators)))
    return failure();
  return problem;
}

std::vector<unsigned> PlacementProblem::chooseGreedily() const {
  std::vector<unsigned> chosen;
  std::vector<bool> isTaken(operators.size(), false);
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    if (llvm::any_of(candidate.operators,
                     [&](unsigned op) { return isTaken[op]; }))
      continue;
    for (unsigned op : candidate.operators)
      isTaken[op] = true;
    chosen.push_back(index);
  }
  return chosen;
}
