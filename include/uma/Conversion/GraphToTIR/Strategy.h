//===- Strategy.h - Operator strategies -*- C++ -*-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_GRAPHTOTIR_STRATEGY_H
#define UMA_CONVERSION_GRAPHTOTIR_STRATEGY_H

#include "uma/TIR/Builder/LayerBuilder.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace uma {

/// One way to compute an operator: builds its loops in the body of a layer's
/// function. Source: TVM's `OpStrategy`, where `plevel` is the priority and the
/// highest one wins.
struct Strategy {
  /// Priority of built-in strategies. Strategies of devices default to 11.
  static constexpr int kBuiltinLevel = 10;

  /// Builds TIR that reads `inputs` (a buffer per operand) and writes `outputs`
  /// (a buffer per result). Emits an error on `op` and fails if `op` is not
  /// supported.
  using LowerFn = std::function<mlir::LogicalResult(
      LayerBuilder &, mlir::Operation *op, mlir::ValueRange inputs,
      mlir::ValueRange outputs)>;

  LowerFn lower;
  int plevel = kBuiltinLevel;
};

/// Registry of strategies, keyed by operator name.
class StrategyRegistry {
public:
  /// Adds a strategy for `OpT`. `lower` has the signature of Strategy::LowerFn,
  /// but takes the typed operator. If two strategies have the same level, the
  /// later one wins.
  template <typename OpT, typename Fn>
  void add(Fn lower, int plevel = Strategy::kBuiltinLevel) {
    add(OpT::getOperationName(),
        {[lower](LayerBuilder &builder, mlir::Operation *op,
                 mlir::ValueRange inputs, mlir::ValueRange outputs) {
           return lower(builder, mlir::cast<OpT>(op), inputs, outputs);
         },
         plevel});
  }
  void add(llvm::StringRef opName, Strategy strategy) {
    auto [entry, inserted] = strategies.try_emplace(opName, strategy);
    if (!inserted && entry->second.plevel <= strategy.plevel)
      entry->second = std::move(strategy);
  }
  /// Returns the strategy with the highest level, or null if there is none.
  const Strategy *lookup(mlir::Operation *op) const {
    return lookup(op->getName().getStringRef());
  }
  const Strategy *lookup(llvm::StringRef opName) const {
    auto entry = strategies.find(opName);
    return entry == strategies.end() ? nullptr : &entry->second;
  }

private:
  llvm::StringMap<Strategy> strategies;
};

/// Register the built-in strategies, one function per group of operators.
void populateContractionStrategies(StrategyRegistry &registry);
void populateConvStrategies(StrategyRegistry &registry);
void populateElementwiseStrategies(StrategyRegistry &registry);
void populateDetectionStrategies(StrategyRegistry &registry);
void populateImageStrategies(StrategyRegistry &registry);
void populateIndexStrategies(StrategyRegistry &registry);
void populateMatrixStrategies(StrategyRegistry &registry);
void populateMovementStrategies(StrategyRegistry &registry);
void populateNormalizationStrategies(StrategyRegistry &registry);
void populatePoolStrategies(StrategyRegistry &registry);
void populateRecurrentStrategies(StrategyRegistry &registry);
void populateReduceStrategies(StrategyRegistry &registry);
void populateShapeStrategies(StrategyRegistry &registry);
void populateSignalStrategies(StrategyRegistry &registry);

} // namespace uma

#endif // UMA_CONVERSION_GRAPHTOTIR_STRATEGY_H
