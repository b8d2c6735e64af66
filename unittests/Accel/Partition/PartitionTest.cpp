//===- PartitionTest.cpp - Partitioning of random graphs ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For graphs of any shape: the partitioned module verifies (a region that is
// not convex would use a value before its definition), every operator is still
// there once, and the report states its target.
//
//===----------------------------------------------------------------------===//

#include "PartitionTestBase.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

#include <random>

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace {

class PartitionTest : public PartitionTestBase {
protected:
  /// Builds `count` operators, each of one or two earlier values.
  std::string makeGraph(unsigned count, unsigned seed) {
    std::mt19937 random(seed);
    std::string text = "func.func @main(%v0: tensor<8xf32>) -> (";
    std::string body, results, types;
    for (unsigned i = 1; i <= count; ++i) {
      auto pick = [&] {
        unsigned reach = random() % 4 ? 6 : i;
        return " %v" + std::to_string(i - 1 - random() % std::min(i, reach));
      };
      static const char *const unary[] = {"relu", "softmax"};
      static const char *const binary[] = {"add", "multiply", "subtract"};
      body += "%v" + std::to_string(i) + " = uma.graph.";
      if (random() % 2)
        body += unary[random() % 2] + pick() +
                " : (tensor<8xf32>) -> tensor<8xf32>";
      else
        body += binary[random() % 3] + pick() + "," + pick() +
                " : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>";
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

  OwningOpRef<ModuleOp> partition(StringRef source, bool mergeRegions) {
    auto module = parse(source);
    MergeCompilerRegionsPassOptions options;
    options.mergeRegions =
        mergeRegions ? MergeRegions::Always : MergeRegions::Never;
    PassManager manager(&context);
    manager.addPass(createMergeCompositePass());
    manager.addPass(createAnnotateTargetPass());
    manager.addPass(createMergeCompilerRegionsPass(options));
    manager.addPass(createPartitionGraphPass());
    manager.addPass(createVerifyPartitionPass());
    EXPECT_TRUE(succeeded(manager.run(*module)));
    EXPECT_TRUE(succeeded(verify(*module)));
    return module;
  }

  static unsigned countFunctions(ModuleOp module) {
    return llvm::range_size(module.getOps<func::FuncOp>());
  }
};

TEST_F(PartitionTest, RandomGraphs) {
  ScopedDiagnosticHandler ignore(&context, [](Diagnostic &) {});
  for (unsigned seed = 0; seed < 25; ++seed) {
    std::string source = makeGraph(4 + 2 * seed, seed);
    auto before = parse(source);
    SmallVector<AcceleratorOp> accelerators(before->getOps<AcceleratorOp>());
    auto merged = partition(source, true);
    auto apart = partition(source, false);
    EXPECT_LE(countFunctions(*merged), countFunctions(*apart));

    // Dead operators of accelerators are removed; all others are where the
    // report says.
    llvm::StringMap<std::string> targets;
    merged->walk([&](Operation *op) {
      if (!isInFamily<GraphFamily>(op) ||
          isa<graph::CompositeOp, graph::YieldOp>(op))
        return;
      auto target =
          op->getParentOfType<func::FuncOp>()->getAttrOfType<TargetAttr>(
              kTargetAttrName);
      std::string name = describeLayer(op);
      EXPECT_TRUE(targets
                      .try_emplace(name, target ? target.getAccelerator().str()
                                                : kCPUTarget.str())
                      .second)
          << name;
    });
    for (const LayerReport &report : explainPartition(*before, accelerators)) {
      auto it = targets.find(report.kind + " '" + report.layer + "'");
      if (it != targets.end())
        EXPECT_EQ(it->second, report.target) << report.layer;
      else
        EXPECT_NE(report.target, kCPUTarget.str()) << report.layer;
      for (const Reason &reason : report.reasons)
        EXPECT_FALSE(reason.constraint.empty())
            << reason.accelerator << ' ' << report.layer;
    }
  }
}

TEST_F(PartitionTest, SameInputSameBytes) {
  ScopedDiagnosticHandler ignore(&context, [](Diagnostic &) {});
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream stream(text);
    partition(makeGraph(200, 1), true)->print(stream);
    return text;
  };
  EXPECT_EQ(print(), print());
}

} // namespace
