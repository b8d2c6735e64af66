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
#include "llvm/ADT/MapVector.h"

namespace uma::accel::language {

using namespace mlir;

/// The element type called `name`; null for any other word.
Type getType(MLIRContext *context, StringRef name);

/// Whether the value stands for a tensor, rather than for a number.
inline bool isTensorValue(Value value) {
  return isa<AccelTensorType>(value.getType());
}

/// What a name of a pattern stands for: a tensor or a dim.
struct Meaning {
  Value value;
  llvm::SMLoc loc;
};

class Translator {
public:
  explicit Translator(const Source &source)
      : source(source), builder(source.getContext()) {}

  OwningOpRef<AcceleratorOp> translate(const Accelerator &accelerator);

private:
  LogicalResult translate(const Pattern &pattern);
  LogicalResult translate(const Input &input);
  LogicalResult translate(const Operator &op);
  LogicalResult translate(const Require &require);
  LogicalResult translate(const language::Call &call);

  Attribute translate(const AttrValue &value);
  FailureOr<Attribute> translate(const Attr &attr, RegisteredOperationName op);
  Value translate(const Expr &expr);
  Value translateUnary(const Expr &expr);
  Value translateBinary(const Expr &expr);
  Value translateOperand(const Expr &expr, const Expr &operand, bool isNumber);

  LogicalResult define(Name name, Value value);
  /// The tensor or dim called `name`; null after an error, which says `what`
  /// was expected.
  Value lookup(Name name, StringRef what, bool isTensor, bool isDim);
  /// The dim called `name`, which is made at its first use.
  Value lookupOrCreateDim(Name name);
  InFlightDiagnostic error(llvm::SMLoc loc) { return source.emitError(loc); }
  Location at(llvm::SMLoc loc) { return source.getLocation(loc); }

  const Source &source;
  OpBuilder builder;
  llvm::MapVector<StringRef, Meaning> names;
};

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_TRANSLATOR_H
