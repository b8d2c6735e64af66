//===- PlacementTest.cpp - Placement by cost ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Random graphs, two devices with overlapping patterns and random costs. On
// small graphs the search finds the optimum of an exhaustive search. On large
// ones it is never worse than the greedy policy. computeCost counts exactly the
// transfers and regions of the partitioned module.
//
//===----------------------------------------------------------------------===//

#include "PartitionTestBase.h"

#include "uma/Accel/Partition/Placement.h"

#include "llvm/ADT/DenseSet.h"

#include <random>
#include <set>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {

class PlacementTest : public ::testing::Test {
protected:
  PlacementTest() { context.loadDialect<UMADialect>(); }

  /// Builds a pattern of one or two operators; a name in `kinds` with two
  /// operands is `binary`. `cycles` is its cost.
  static std::string makePattern(ArrayRef<StringRef> kinds, int64_t cycles) {
    auto isBinary = [](StringRef kind) {
      return kind == "add" || kind == "multiply";
    };
    std::string name, body, inputs, last;
    for (auto [index, kind] : llvm::enumerate(kinds)) {
      std::string id = std::to_string(index);
      name += (index ? "_" : "") + kind.str();
      std::string operands = last;
      for (unsigned i = last.empty() ? 0 : 1, e = isBinary(kind) ? 2 : 1; i < e;
           ++i) {
        std::string input = "%i" + id + "_" + std::to_string(i);
        body += input + " = uma.accel.input \"i" + id + "_" +
                std::to_string(i) + "\" f32\n";
        inputs += input + ", ";
        operands += (operands.empty() ? "" : ", ") + input;
      }
      last = "%r" + id;
      body += last + " = uma.accel.op \"" + kind.str() + "\"(" + operands +
              ") as \"r" + id + "\"\n";
    }
    std::string types = "!uma.accel.tensor";
    for (size_t i = 0, e = llvm::count(inputs, ','); i < e; ++i)
      types += ", !uma.accel.tensor";
    return "uma.accel.pattern @" + name + " {\n" + body +
           "%cycles = arith.constant " + std::to_string(cycles) +
           " : index\numa.accel.cost %cycles\numa.accel.call \"f\"(" + inputs +
           last + ") : " + types + "\n}\n";
  }

  static std::string makeAccelerator(StringRef name,
                                     ArrayRef<ArrayRef<StringRef>> patterns,
                                     std::mt19937 &random) {
    std::string text = "uma.accel.accelerator @" + name.str() + " {\n";
    if (random() % 4)
      text += "uma.accel.transfer {\n^bb0(%bytes: index):\n"
              "%c = arith.constant " +
              std::to_string(random() % 20) +
              " : index\n%r = arith.maxsi %c, %c : index\n"
              "uma.accel.yield %r\n}\n";
    if (random() % 4)
      text += "uma.accel.region min_operators " +
              std::to_string(1 + random() % 3) + " {\n%c = arith.constant " +
              std::to_string(random() % 30) +
              " : index\numa.accel.yield %c\n}\n";
    for (ArrayRef<StringRef> kinds : patterns)
      text += makePattern(kinds, random() % 40);
    return text + "}\n";
  }

  static std::string makeAccelerators(std::mt19937 &random) {
    return makeAccelerator("a",
                           {{"add", "relu"}, {"add"}, {"multiply"}, {"relu"}},
                           random) +
           makeAccelerator("b",
                           {{"multiply", "add"},
                            {"relu", "sigmoid"},
                            {"multiply"},
                            {"sigmoid"},
                            {"add"}},
                           random);
  }

  /// Builds `count` operators, each of one or two earlier values.
  static std::string makeGraph(unsigned count, std::mt19937 &random) {
    std::string text = "func.func @main(%v0: tensor<8xf32>) -> (";
    std::string body, results, types;
    unsigned far = 1 + random() % 8;
    for (unsigned i = 1; i <= count; ++i) {
      auto pick = [&] {
        unsigned reach = random() % 8 ? far : i;
        return " %v" + std::to_string(i - 1 - random() % std::min(i, reach));
      };
      // Add one constant, which both sides may share.
      if (i == 2)
        body += "%k = uma.graph.constant dense<1.0> : tensor<8xf32>\n";
      static const char *const unary[] = {"relu", "sigmoid", "softmax"};
      static const char *const binary[] = {"add", "multiply", "subtract"};
      body += "%v" + std::to_string(i) + " = uma.graph.";
      if (random() % 2) {
        body += unary[random() % 3] + pick() +
                " : (tensor<8xf32>) -> tensor<8xf32>";
      } else {
        std::string lhs = pick();
        std::string rhs = i > 2 && random() % 6 == 0 ? " %k" : pick();
        body += binary[random() % 3] + lhs + "," + rhs +
                " : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>";
      }
      body += " loc(\"n" + std::to_string(i) + "\")\n";
      if (i == count || random() % 8 == 0) {
        StringRef comma = results.empty() ? "" : ", ";
        results += (comma + "%v" + std::to_string(i)).str();
        types += (comma + "tensor<8xf32>").str();
      }
    }
    return text + types + ") {\n" + body + "return " + results + " : " + types +
           "\n}\n";
  }

  OwningOpRef<ModuleOp> parse(const std::string &source) {
    return parseSourceString<ModuleOp>(source, &context);
  }

  static PlacementOptions makeOptions(std::mt19937 &random) {
    PlacementOptions options;
    options.policy = Policy::Cost;
    options.cpuCyclesPerElement = 1 + int(random() % 4);
    options.mergeRegions =
        random() % 8 != 0 ? MergeRegions::Always : MergeRegions::Never;
    return options;
  }

  static PlacementProblem makeProblem(ModuleOp module,
                                      const PlacementOptions &options) {
    SmallVector<AcceleratorOp> accelerators(module.getOps<AcceleratorOp>());
    FailureOr<PlacementProblem> problem = PlacementProblem::create(
        *module.getOps<func::FuncOp>().begin(), accelerators, options);
    EXPECT_TRUE(succeeded(problem));
    return std::move(*problem);
  }

  MLIRContext context;
};

/// Tries every set of candidates without shared operators, up to `limit` sets.
class Exhaustive {
public:
  Exhaustive(const PlacementProblem &problem, unsigned limit)
      : problem(problem), limit(limit) {
    search(0);
  }
  bool isComplete() const { return count <= limit; }

  std::optional<PlacementCost> best;

private:
  void search(unsigned next) {
    if (count > limit)
      return;
    if (next == problem.candidates.size()) {
      ++count;
      PlacementCost cost = computeCost(problem, chosen);
      if (!best || cost < *best)
        best = cost;
      return;
    }
    search(next + 1);
    ArrayRef<unsigned> operators = problem.candidates[next].operators;
    if (llvm::any_of(operators, [&](unsigned op) { return taken.count(op); }))
      return;
    taken.insert(operators.begin(), operators.end());
    chosen.push_back(next);
    search(next + 1);
    chosen.pop_back();
    for (unsigned op : operators)
      taken.erase(op);
  }

  const PlacementProblem &problem;
  unsigned limit, count = 0;
  std::vector<unsigned> chosen;
  llvm::DenseSet<unsigned> taken;
};

} // namespace

/// Counts the transfers and regions that the passes created.
static std::pair<unsigned, unsigned> countInModule(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto getDevice = [&](Operation *op) {
    auto call = dyn_cast_or_null<func::CallOp>(op);
    if (!call)
      return std::string();
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    return callee->getAttrOfType<TargetAttr>(kTargetAttrName)
        .getAccelerator()
        .str();
  };
  unsigned transfers = 0, regions = 0;
  auto countValue = [&](Value value) {
    std::string home = getDevice(value.getDefiningOp());
    std::set<std::string> others;
    for (Operation *user : value.getUsers())
      if (getDevice(user) != home)
        others.insert(getDevice(user));
    transfers += !others.empty() && !home.empty();
    for (const std::string &device : others)
      transfers += !device.empty();
  };
  for (Value argument : main.getArguments())
    countValue(argument);
  for (Operation &op : main.getBody().front()) {
    regions += isa<func::CallOp>(op);
    if (!op.hasTrait<OpTrait::ConstantLike>())
      for (Value result : op.getResults())
        countValue(result);
  }
  return {transfers, regions};
}

/// Whether a result is unused: outlining removes its operator, so that the
/// count above excludes it.
static bool hasDeadOperators(ModuleOp module) {
  bool isDead = false;
  module.walk([&](Operation *op) {
    isDead |= isInFamily<GraphFamily>(op) && op->use_empty();
  });
  return isDead;
}

namespace {

TEST_F(PlacementTest, FindsTheOptimumOfSmallGraphs) {
  unsigned graphs = 0, better = 0;
  for (unsigned seed = 0; graphs < 200; ++seed) {
    ASSERT_LT(seed, 2000u);
    std::mt19937 random(seed);
    std::string source = makeAccelerators(random);
    source += makeGraph(2 + random() % 13, random);
    auto module = parse(source);
    ASSERT_TRUE(module) << "seed " << seed;
    PlacementProblem problem = makeProblem(*module, makeOptions(random));
    Exhaustive all(problem, /*limit=*/1000);
    if (!all.isComplete())
      continue;
    ++graphs;
    Placement placement = findPlacement(problem);
    EXPECT_TRUE(placement.isOptimal) << "seed " << seed;
    EXPECT_EQ(placement.cost.numForbidden, all.best->numForbidden)
        << "seed " << seed;
    EXPECT_EQ(placement.cost.getTotal(), all.best->getTotal())
        << "seed " << seed << '\n'
        << source;
    better += placement.cost < placement.greedyCost;
  }
  // Otherwise the graphs would not need the search.
  EXPECT_GT(better, 50u);
}

TEST_F(PlacementTest, NeverDearerThanGreedy) {
  unsigned better = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::string source = makeAccelerators(random);
    source += makeGraph(50 + random() % 26 * (random() % 11), random);
    auto module = parse(source);
    ASSERT_TRUE(module) << "seed " << seed;
    PlacementProblem problem = makeProblem(*module, makeOptions(random));
    Placement placement = findPlacement(problem);
    PlacementCost greedy = computeCost(problem, problem.chooseGreedily());
    EXPECT_FALSE(greedy < placement.cost) << "seed " << seed;
    EXPECT_EQ(greedy.getTotal(), placement.greedyCost.getTotal())
        << "seed " << seed;
    better += placement.cost < greedy;
    // A placement takes an operator at most once.
    llvm::DenseSet<unsigned> taken;
    for (unsigned chosen : placement.chosen)
      for (unsigned op : problem.candidates[chosen].operators)
        EXPECT_TRUE(taken.insert(op).second) << "seed " << seed;
  }
  EXPECT_GT(better, 500u);
}

TEST_F(PlacementTest, CountsWhatTheModuleHas) {
  ScopedDiagnosticHandler ignore(&context, [](Diagnostic &) {});
  unsigned checked = 0, fewer = 0;
  // Most random graphs have unused operators, which the two count differently.
  for (unsigned seed = 0; checked < 60 && seed < 4000; ++seed) {
    for (Policy policy : {Policy::Greedy, Policy::Cost}) {
      std::mt19937 random(seed);
      std::string source = makeAccelerators(random);
      source += makeGraph(5 + random() % 60, random);
      auto module = parse(source);
      ASSERT_TRUE(module) << "seed " << seed;
      if (hasDeadOperators(*module))
        continue;
      PlacementOptions options = makeOptions(random);
      PlacementProblem problem = makeProblem(*module, options);
      Placement placement = findPlacement(problem);
      PlacementCost cost =
          policy == Policy::Cost ? placement.cost : placement.greedyCost;

      MergeCompositePassOptions match;
      match.policy = policy;
      match.cpuCyclesPerElement = options.cpuCyclesPerElement;
      match.mergeRegions = options.mergeRegions;
      MergeCompilerRegionsPassOptions merge;
      merge.mergeRegions = options.mergeRegions;
      PassManager manager(&context);
      manager.addPass(createMergeCompositePass(match));
      manager.addPass(createAnnotateTargetPass());
      manager.addPass(createMergeCompilerRegionsPass(merge));
      manager.addPass(createPartitionGraphPass());
      manager.addPass(createVerifyPartitionPass());
      ASSERT_TRUE(succeeded(manager.run(*module))) << "seed " << seed;
      ASSERT_TRUE(succeeded(verify(*module))) << "seed " << seed;
      auto [transfers, regions] = countInModule(*module);
      EXPECT_EQ(transfers, cost.numTransfers) << "seed " << seed;
      // The module also merges regions that only read the same tensor.
      EXPECT_LE(regions, cost.numRegions) << "seed " << seed;
      fewer += regions < cost.numRegions;
      ++checked;
    }
  }
  EXPECT_GE(checked, 60u);
  EXPECT_LT(fewer, checked / 2);
}

} // namespace
