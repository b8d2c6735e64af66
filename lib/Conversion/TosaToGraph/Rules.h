//===- Rules.h - Utilities of TOSA conversion rules -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TOSATOGRAPH_RULES_H
#define UMA_LIB_CONVERSION_TOSATOGRAPH_RULES_H

#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <optional>

namespace uma {

/// Builds the replacement of one TOSA operation. Functions that return a value
/// return null after an error or if an operand is null, so that rules need no
/// checks in between.
class TosaRewriter {
public:
  TosaRewriter(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder(builder), op(op) {}

  /// Emits an error, once per operation, with the reason why it has no
  /// equivalent, and returns null.
  mlir::Value fail(const llvm::Twine &reason);
  bool hasFailed() const { return failed; }

  mlir::Location getLoc() const { return op->getLoc(); }

  /// Creates an operator whose result type is inferred.
  template <typename OpT>
  mlir::Value create(mlir::ValueRange operands,
                     typename OpT::Properties properties = {}) {
    mlir::OperationState state(getLoc(), OpT::getOperationName());
    state.addOperands(operands);
    state.name.populateDefaultProperties(mlir::OpaqueProperties(&properties));
    state.getOrAddProperties<typename OpT::Properties>() = properties;
    return finish(state, [&] {
      return OpT::inferReturnTypes(builder.getContext(), getLoc(), operands,
                                   builder.getDictionaryAttr({}),
                                   mlir::OpaqueProperties(&properties), {},
                                   state.types);
    });
  }
  mlir::Value createReshape(mlir::Value data, llvm::ArrayRef<int64_t> shape);
  mlir::Value createTranspose(mlir::Value data, llvm::ArrayRef<int64_t> axes);
  mlir::Value createCast(mlir::Value data, mlir::Type elementType);
  mlir::Value createConstant(mlir::ElementsAttr value);
  /// Creates a constant of rank 0.
  mlir::Value createScalar(mlir::Type elementType, double value);

  /// Returns the elements of a tosa.const_shape, or std::nullopt after an
  /// error.
  std::optional<llvm::SmallVector<int64_t>> getSizes(mlir::Value shape,
                                                     llvm::StringRef name);
  /// Returns the only element of a constant as a double, or std::nullopt,
  /// without an error, if `value` is not constant.
  std::optional<double> getScalar(mlir::Value value);
  /// Emits an error unless all zero points are 0: operators of the graph have
  /// none.
  void requireZero(
      llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Value>> zeroPoints);
  /// Emits an error unless NaN propagates, as in every operator of the graph.
  void requirePropagatedNaN(mlir::tosa::NanPropagationMode mode,
                            mlir::Type type);

  mlir::OpBuilder &builder;

private:
  mlir::Value finish(mlir::OperationState &state,
                     llvm::function_ref<mlir::LogicalResult()> infer);

  mlir::Operation *op;
  bool failed = false;
};

/// Registry of conversion rules, keyed by operation name.
class TosaRules {
public:
  /// Builds the replacement of the operation's result.
  using Fn = std::function<mlir::Value(TosaRewriter &, mlir::Operation *)>;

  template <typename OpT, typename FnT>
  void add(FnT rule) {
    rules[OpT::getOperationName()] = [rule](TosaRewriter &rewriter,
                                            mlir::Operation *op) {
      return rule(rewriter, mlir::cast<OpT>(op));
    };
  }
  /// Adds a rule for an operation that equals an operator with the same
  /// operands.
  template <typename OpT, typename GraphOpT>
  void add() {
    add<OpT>([](TosaRewriter &rewriter, OpT op) {
      return rewriter.create<GraphOpT>(op->getOperands());
    });
  }
  /// Adds a rule that rejects an operation with a reason.
  template <typename OpT>
  void refuse(llvm::StringRef reason) {
    add<OpT>([reason](TosaRewriter &rewriter, OpT) {
      return rewriter.fail(reason);
    });
  }
  const Fn *lookup(mlir::Operation *op) const {
    auto entry = rules.find(op->getName().getStringRef());
    return entry == rules.end() ? nullptr : &entry->second;
  }

private:
  llvm::StringMap<Fn> rules;
};

void populateTosaDataRules(TosaRules &rules);
void populateTosaElementwiseRules(TosaRules &rules);
void populateTosaMovementRules(TosaRules &rules);
void populateTosaWindowRules(TosaRules &rules);

/// Returns the element type of a tensor.
inline mlir::Type getElementType(mlir::Value tensor) {
  return mlir::getElementTypeOrSelf(tensor.getType());
}
/// Returns the shape of a tensor.
inline llvm::ArrayRef<int64_t> getTensorShape(mlir::Value tensor) {
  return mlir::cast<mlir::RankedTensorType>(tensor.getType()).getShape();
}

} // namespace uma

#endif // UMA_LIB_CONVERSION_TOSATOGRAPH_RULES_H
