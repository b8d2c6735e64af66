//===- Translator.h - The description language to uma.accel -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_TRANSLATOR_H
#define UMA_LIB_ACCEL_LANGUAGE_TRANSLATOR_H

#include "AST.h"
#include "Lexer.h"

#include "uma/Accel/Language/Language.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace uma::accel::language {

using namespace mlir;

/// Returns the element type called `name`, or null for any other word.
Type getType(MLIRContext *context, StringRef name);

/// Whether the value is a tensor rather than a number.
inline bool isTensorValue(Value value) {
  return isa<AccelTensorType>(value.getType());
}

/// Whether the value is a condition that counts as 1 or 0 as a number: a
/// boolean attribute or the presence of an operator, not the result of a
/// comparison.
inline bool isFlag(Value value) {
  Operation *op = value.getDefiningOp();
  return value.getType().isInteger(1) && op && isInFamily<AccelFamily>(op) &&
         !isa<AttributeIsOp>(op);
}

/// Tensor or dim that a name of a pattern refers to. The value is null if the
/// statement that defines it has an error: uses of it are no errors.
struct Meaning {
  Value value;
  llvm::SMLoc loc;
  unsigned numUses = 0; ///< uses of a dim, including the first
};

class Translator {
public:
  explicit Translator(const Source &source)
      : source(source), builder(source.getContext()) {}

  /// Reports all errors and returns null if there are any. `isWhole` is false
  /// if the text has syntax errors.
  OwningOpRef<AcceleratorOp> translate(const Accelerator &accelerator,
                                       bool isWhole);

private:
  LogicalResult translate(const Item &item);
  LogicalResult translate(const Include &include);
  LogicalResult translate(const Model &model);
  LogicalResult translate(const Link &link);
  LogicalResult translate(const Pipeline &pipeline);
  /// Fails without a message: the error has been reported.
  LogicalResult translate(const Broken &broken);
  /// Defines unknown names of an invalid statement, so that their uses are no
  /// errors.
  void excuse(Name name);
  void excuse(const AttrValue &value);
  void excuse(const Definition &definition);
  void excuse(const Input &input);
  void excuse(const Broken &broken);
  void excuse(const Statement &statement);
  LogicalResult translate(const Pattern &pattern);
  LogicalResult translate(const Input &input);
  LogicalResult translate(const Definition &definition);
  /// Builds one operator. Returns null on error.
  Value translate(const Operator &op, StringAttr name);
  Value translate(const Operand &operand);
  LogicalResult translate(const Require &require);
  LogicalResult translate(const language::Call &call);
  LogicalResult translate(const Return &returned);
  void warnOfUnused();
  LogicalResult translateArguments(const language::Call &call,
                                   SmallVectorImpl<Value> &arguments);
  /// Returns the fused location of a call and its arguments.
  Location getCallLocation(const language::Call &call);

  // Device items: TranslateDevice.cpp.
  LogicalResult translate(const DeviceItem &item);
  LogicalResult translate(const TargetAttribute &attribute);
  LogicalResult translate(const language::Version &version);
  LogicalResult translate(const MergeRegions &merge);
  LogicalResult translate(const LayerGlob &glob);
  LogicalResult translate(const Script &script);
  LogicalResult translate(const Layout &layout);
  LogicalResult translate(const Replace &replace);
  LogicalResult translate(const Code &code);
  LogicalResult translate(const RegionCall &call);
  LogicalResult translate(const language::Memory &memory);
  LogicalResult translate(const Strategy &strategy);
  LogicalResult translate(const Configure &configure);
  LogicalResult translate(const Lower &lower);
  LogicalResult translate(const Place &place);
  /// Collects the target attributes, which may be read before their definition.
  LogicalResult collectAttributes(const Accelerator &accelerator);
  void warnOfUnreadAttributes();
  Value readAttribute(Name name);
  Value translateTextComparison(const Expr &expr);
  // Costs: TranslateCost.cpp.
  LogicalResult translate(const Cost &cost);
  LogicalResult translate(const Transfer &transfer);
  LogicalResult translate(const RegionCost &region);
  Value translateCost(const Expr &expr, StringRef what);

  Attribute translate(const AttrValue &value);
  FailureOr<Attribute> translate(const Attr &attr, RegisteredOperationName op);
  Value translate(const Expr &expr);
  Value translateUnary(const Expr &expr);
  Value translateBinary(const Expr &expr);
  Value translateFunction(const Expr &expr);
  /// Translates an operand of `expr` that must be a number or a condition.
  Value translateNumber(const Expr &expr, const Expr &operand);
  Value translateCondition(const Expr &expr, const Expr &operand);
  /// Converts a number of the match to `f64`.
  Value toFloat(Value number);

  LogicalResult define(Name name, Value value);
  LogicalResult reportTwice(Name name, const Meaning &first);
  /// Returns the tensor or dim called `name`. On error returns null; the
  /// message says that `what` was expected.
  Value lookup(Name name, StringRef what, bool isTensor, bool isDim);
  /// Returns the dim called `name` of this type; creates it at its first use.
  Value lookupOrCreateDim(Name name, Type type);
  InFlightDiagnostic error(llvm::SMLoc loc) { return source.emitError(loc); }
  Location at(llvm::SMLoc loc) { return source.getLocation(loc); }

  const Source &source;
  OpBuilder builder;
  llvm::MapVector<StringRef, Meaning> names;
  /// Patterns translated so far.
  llvm::MapVector<StringRef, llvm::SMLoc> patterns;
  /// Invalid text outside of patterns, which may define any name in it.
  SmallVector<Broken> broken;
  llvm::MapVector<StringRef, const TargetAttribute *> targetAttributes;
  llvm::DenseSet<StringRef> readAttributes;
};

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_TRANSLATOR_H
