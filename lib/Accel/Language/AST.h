//===- AST.h - Syntax tree of a description -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_LANGUAGE_AST_H
#define UMA_LIB_ACCEL_LANGUAGE_AST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace uma::accel::language {

struct Name {
  llvm::StringRef text;
  llvm::SMLoc loc;
};

struct Text {
  std::string value;
  llvm::SMLoc loc;
};

/// An expression over dims, in a `require` or an argument of a call.
struct Expr {
  enum Kind { Integer, Float, String, Name, Unary, Binary, Function };

  Kind kind = Integer;
  llvm::SMLoc loc; ///< position of the operator for unary and binary ones
  int64_t integer = 0;
  double number = 0;
  llvm::StringRef spelling; ///< name, operator or function
  std::string text;         ///< contents of a string
  llvm::SmallVector<Expr *, 2> operands;
  unsigned depth = 1; ///< bounds all recursion over the tree
};

/// The required value of an operator's attribute.
struct AttrValue {
  enum Kind { Integer, Float, String, Word, List };

  Kind kind = Integer;
  llvm::SMLoc loc;
  int64_t integer = 0;
  double number = 0;
  std::string text;                ///< string or word
  llvm::StringRef word;            ///< a word in the source
  std::vector<AttrValue> elements; // allows the incomplete type
};

struct Attr {
  Name name;
  AttrValue value;
};

/// One size of a shape: an integer, the name of a dim, or `any`.
struct Size {
  llvm::SMLoc loc;
  int64_t integer = 0;
  llvm::StringRef name; ///< empty if it is an integer
};

struct Input {
  Name name;
  bool isConstant = false;
  llvm::SmallVector<Name> types; ///< empty if any is allowed
  std::optional<llvm::SmallVector<Size>> shape;
};

/// An operand of an operator: a tensor, or the number that all elements of a
/// constant have.
struct Operand {
  Name name;
  std::optional<double> number;
};

/// `kind(operands, attributes)`
struct Operator {
  Name kind;
  llvm::SmallVector<Operand> operands;
  llvm::SmallVector<Attr> attributes;
};

/// `result = [optional] operator {| operator}`
struct Definition {
  Name result;
  bool isOptional = false;
  llvm::SmallVector<Operator, 1> alternatives;
};

/// `return tensor {, tensor}`
struct Return {
  llvm::SMLoc loc;
  llvm::SmallVector<Name> tensors;
};

struct Require {
  Expr *condition;
  std::string source;
  Text reason;
  llvm::SMLoc loc;
};

struct Call {
  Name callee;
  llvm::SmallVector<Expr *> arguments;
  llvm::SmallVector<llvm::SMLoc> locs; ///< start of each argument
};

/// `cost cycles = …, bytes = …`; `bytes` may be null.
struct Cost {
  Expr *cycles;
  Expr *bytes;
  llvm::SMLoc loc;
};

/// A call that configures the device.
struct Configure {
  Call call;
};

struct Lower {
  llvm::SMLoc loc;
};

/// `place x, y in memory`
struct Place {
  llvm::SMLoc loc;
  llvm::SmallVector<Name> tensors;
  Name memory;
};

/// A piece of text with a syntax error that was reported.
struct Broken {
  llvm::StringRef text;
};

using Statement = std::variant<Definition, Require, Call, Return, Cost,
                               Configure, Lower, Place, Broken>;

struct Pattern {
  Name name;
  llvm::SmallVector<Input> inputs;
  llvm::SmallVector<Statement, 0> statements;
};

struct Include {
  Text header;
};

struct Model {
  Text file;
};

struct Link {
  Text library;
};

struct Pipeline {
  Name phase;
  Text passes;
};

/// `transfer { cycles = … }`
struct Transfer {
  Expr *cycles;
  llvm::SMLoc loc;
};

/// `region { overhead = …; min_operators = … }`; either may be null.
struct RegionCost {
  Expr *overhead;
  Expr *minOperators;
  llvm::SMLoc loc;
};

// Statements of ParseDevice.cpp.

struct TargetAttribute {
  Name name;
  std::variant<int64_t, bool, std::string> value;
};

struct Version {
  llvm::SMLoc loc;
  int64_t number = 0;
};

struct MergeRegions {
  llvm::SMLoc loc;
  bool merge = true;
};

/// `keep_off` and `pin`
struct LayerGlob {
  bool isPin = false;
  Text layers;
};

struct Script {
  Name phase;
  Text file;
};

struct Layout {
  Name kind;
  Text data;
  std::optional<Text> weights;
};

struct Replace {
  Name callee;
  Text text;
};

/// `prologue` and `epilogue`
struct Code {
  bool isEpilogue = false;
  Text text;
};

/// `init` and `await`
struct RegionCall {
  bool isAwait = false;
  Call call;
};

struct Memory {
  Name name;
  Expr *size = nullptr;
  std::optional<int64_t> alignment;
  std::optional<double> cost;
};

struct Strategy {
  int64_t level = 0;
  Pattern pattern;
};

using DeviceItem =
    std::variant<TargetAttribute, Version, MergeRegions, LayerGlob, Script,
                 Layout, Replace, Code, RegionCall, Memory, Strategy>;

using Item = std::variant<Include, Model, Link, Pipeline, Pattern, Transfer,
                          RegionCost, DeviceItem, Broken>;

struct Accelerator {
  Name name;
  llvm::SmallVector<Item, 0> items;
  std::deque<Expr> expressions; ///< owns all at stable addresses
};

} // namespace uma::accel::language

#endif // UMA_LIB_ACCEL_LANGUAGE_AST_H
