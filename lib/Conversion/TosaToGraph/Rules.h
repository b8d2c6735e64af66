//===- Rules.h - How TOSA's operators become those of the graph -*- C++ -*-===//
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

/// Builds what one TOSA operation becomes. Everything that returns a value
/// returns null after an error, and for operands that are null: a rule is
/// written without checks in between.
class TosaRewriter {
public:
  TosaRewriter(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder(builder), op(op) {}

  /// Reports why the operation has no equivalent, once.
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
  /// Returns a constant of rank 0.
  mlir::Value createScalar(mlir::Type elementType, double value);

  /// Returns the elements of a tosa.const_shape.
  std::optional<llvm::SmallVector<int64_t>> getSizes(mlir::Value shape,
                                                     llvm::StringRef name);
  /// Returns the only element of a constant, as a double; nothing without an
  /// error if it is no constant.
  std::optional<double> getScalar(mlir::Value value);
  /// Requires zero points, which only quantised data have, to be 0: graph
  /// operators have none.
  void requireZero(
      llvm::ArrayRef<std::pair<llvm::StringRef, mlir::Value>> zeroPoints);
  /// Requires NaN to win, as in every graph operator.
  void requirePropagatedNaN(mlir::tosa::NanPropagationMode mode,
                            mlir::Type type);

  mlir::OpBuilder &builder;

private:
  mlir::Value finish(mlir::OperationState &state,
                     llvm::function_ref<mlir::LogicalResult()> infer);

  mlir::Operation *op;
  bool failed = false;
};

/// The rules by operation.
class TosaRules {
public:
  /// Returns what takes the place of the operation's result.
  using Fn = std::function<mlir::Value(TosaRewriter &, mlir::Operation *)>;

  template <typename OpT, typename FnT>
  void add(FnT rule) {
    rules[OpT::getOperationName()] = [rule](TosaRewriter &rewriter,
                                            mlir::Operation *op) {
      return rule(rewriter, mlir::cast<OpT>(op));
    };
  }
  /// An operation that is an operator with the same operands.
  template <typename OpT, typename GraphOpT>
  void add() {
    add<OpT>([](TosaRewriter &rewriter, OpT op) {
      return rewriter.create<GraphOpT>(op->getOperands());
    });
  }
  /// An operation that cannot be converted, and why.
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
