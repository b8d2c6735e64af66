//===- Products.cpp - Drafts of matrix products ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A BLAS-like function becomes two patterns: fully connected layers, whose
// weights are n x k in the graph, and products of two matrices.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Operators.h"

#include "llvm/ADT/STLExtras.h"

using namespace uma::draft;

namespace {
/// Memory layout of B.
enum class Weights {
  KByN,   ///< row-major, as in BLAS
  NByK,   ///< as in the graph
  Either, ///< selected by an argument
};

class ProductDraft {
public:
  ProductDraft(Signature &signature, Draft &draft)
      : signature(signature), draft(draft) {}
  void write();

private:
  /// Returns whether the function's name ends with `matmul`, which
  /// distinguishes the names of its patterns.
  bool isNamedMatmul() const {
    return llvm::StringRef(signature.function.name).ends_with("matmul");
  }
  /// Returns whether the function also computes products of two matrices.
  bool isMatrixProduct() const {
    return signature.meaning.meaning == Meaning::Product &&
           Epilogue(signature, draft).isEmpty() && signature.has(Role::M) &&
           weights != Weights::NByK;
  }
  void readSizes();
  Weights readWeights();
  void addPattern(bool isDense);
  /// Sets the values of sizes, leading dimensions and factors.
  void setNumbers(PatternText &pattern, bool isTransposed);
  std::string printModel();

  Signature &signature;
  Draft &draft;
  Weights weights = Weights::NByK;
  bool isWeightsGuess = false;
  std::vector<std::string> guesses;
};
} // namespace

/// Guesses which of two sizes are the inputs and the outputs of a layer with
/// one row, if no name says so: `n, m` of y[m] = w[m][n] x[n].
void ProductDraft::readSizes() {
  auto rename = [&](Role from, Role to) {
    for (Slot &slot : signature.slots)
      if (slot.role == from)
        slot.role = to;
  };
  if (signature.has(Role::K) && signature.has(Role::N)) {
    if (!signature.has(Role::M))
      rename(Role::Batch, Role::M);
    return;
  }
  auto guess = [&](Role inputs, Role outputs) {
    const Slot *in = signature.find(inputs), *out = signature.find(outputs);
    if (!in || !out)
      return false;
    guesses.push_back("'" + in->name + "' counts the inputs and '" + out->name +
                      "' the outputs");
    return true;
  };
  if (guess(Role::N, Role::M)) {
    rename(Role::N, Role::K);
    rename(Role::M, Role::N);
  } else if (guess(Role::K, Role::M)) {
    rename(Role::M, Role::N);
  } else if (guess(Role::Channels, Role::Filters)) {
    rename(Role::Channels, Role::K);
    rename(Role::Filters, Role::N);
  }
  if (!signature.has(Role::M))
    rename(Role::Batch, Role::M);
}

Weights ProductDraft::readWeights() {
  if (signature.has(Role::TransposeB))
    return Weights::Either;
  StringRef comment = signature.function.comment;
  auto says = [&](ArrayRef<StringRef> words) {
    return llvm::any_of(words,
                        [&](StringRef word) { return comment.contains(word); });
  };
  if (says({"kxn", "[k][n]", "kbyn", "[k,n]", "(k,n)"}))
    return Weights::KByN;
  if (says({"nxk", "[n][k]", "nbyk", "[n,k]", "(n,k)"}))
    return Weights::NByK;
  isWeightsGuess = true;
  return signature.meaning.meaning == Meaning::Product ? Weights::KByN
                                                       : Weights::NByK;
}

void ProductDraft::setNumbers(PatternText &pattern, bool isTransposed) {
  signature.set(Role::Input, "x");
  signature.set(Role::Weight, "w");
  signature.set(Role::Output, "y");
  signature.set(Role::M, "m");
  signature.set(Role::N, "n");
  signature.set(Role::K, "k");
  signature.set(Role::LeadingA, "k");
  signature.set(Role::LeadingB, isTransposed ? "k" : "n");
  signature.set(Role::LeadingC, "n");
  for (auto [role, isSet] : {std::pair(Role::TransposeA, false),
                             std::pair(Role::TransposeB, isTransposed)})
    if (const Slot *slot = signature.find(role)) {
      std::string value = isSet ? "1" : "0";
      if (slot->type.kind == CType::Integer && slot->type.bits == 8) {
        // Characters of BLAS.
        value = std::to_string(int(isSet ? 'T' : 'N'));
        pattern.guess("'" + slot->name +
                      "' is 'N' (78) or 'T' (84), as in "
                      "BLAS");
      }
      if (slot->type.kind == CType::Enum) {
        auto constants = signature.getConstants(*slot);
        std::string none = Signature::match(constants, "no");
        std::string name =
            isSet ? Signature::match(constants, "trans", "no") : none;
        if (isSet && name.empty())
          name = Signature::match(constants, "t");
        if (!isSet && name.empty())
          name = Signature::match(constants, "n");
        if (name.empty())
          pattern.ask("which constant is '" + slot->name + "'?");
        else
          draft.useConstant(value = name);
      }
      signature.set(role, value);
    }
  for (auto [role, value] :
       {std::pair(Role::Alpha, "1"), std::pair(Role::Beta, "0")})
    if (const Slot *slot = signature.find(role))
      signature.set(role, slot->type.kind == CType::Float
                              ? std::string(value) + ".0"
                              : std::string(value));
}

void ProductDraft::addPattern(bool isDense) {
  PatternText pattern = makePattern(
      signature, draft,
      isDense == isNamedMatmul() ? (isDense ? "_dense" : "_matmul") : "");
  bool isTransposed =
      weights == Weights::NByK || (isDense && weights == Weights::Either);
  std::string x = getElementType(signature, Role::Input, pattern);
  std::string w = getElementType(signature, Role::Weight, pattern);
  for (Role role : {Role::K, Role::N})
    if (!signature.has(role))
      pattern.ask(llvm::Twine("which parameter is ") +
                  (role == Role::K ? "k, the inputs" : "n, the outputs") +
                  " of a row?");
  for (const std::string &guess : guesses)
    pattern.guess(guess);
  setNumbers(pattern, isTransposed);
  // A layer has any number of leading dimensions, a product of two matrices
  // none.
  std::string rows = signature.has(Role::M) ? (isDense ? "...m" : "m") : "1";
  std::vector<std::string> shape = {rows, "n"};
  pattern.addInput("x", x, {rows, "k"});
  if (isDense)
    pattern.addInput("w", w, {"n", "k"}, /*isConst=*/true,
                     weights == Weights::KByN ? "[k, n]" : "");
  else
    pattern.addInput("w", w, {"k", "n"});
  if (isWeightsGuess)
    pattern.guess(weights == Weights::KByN
                      ? "the second matrix is k x n, as in BLAS"
                      : "the weights are n x k, the outputs' rows");
  std::string type = getOutputType(signature, pattern);
  Epilogue epilogue(signature, draft);
  pattern.add(epilogue.getFirst() +
              (isDense ? " = dense(x, w" : " = batch_matmul(x, w") +
              (type.empty() ? "" : ", " + type) + ")");
  epilogue.add(pattern, "n", shape, isDense ? "axis=-1" : "");
  if (signature.has(Role::Beta))
    pattern.guess("with '" + signature.find(Role::Beta)->name +
                  "' 0, the result's old contents are not read");
  addCall(signature, pattern, draft);
  // Both patterns share one function of the model.
  bool hasModel = isDense == (weights != Weights::KByN || !isMatrixProduct());
  finish(signature, std::move(pattern), hasModel ? printModel() : "", draft);
}

std::string ProductDraft::printModel() {
  ModelText model(signature);
  std::string rows = model.declare("rows", signature.access(Role::M, "1"));
  std::string columns = model.declare("columns", signature.access(Role::N));
  std::string depth = model.declare("depth", signature.access(Role::K));
  std::string a =
      model.declare("step_a", signature.access(Role::LeadingA, depth));
  // If a flag transposes B and there is no leading dimension, the row size of B
  // depends on the flag.
  bool isDense =
      signature.has(Role::TransposeB) && !signature.has(Role::LeadingB);
  std::string b =
      isDense ? ""
              : model.declare("step_b",
                              signature.access(
                                  Role::LeadingB,
                                  weights == Weights::KByN ? columns : depth));
  std::string c =
      model.declare("step_c", signature.access(Role::LeadingC, columns));
  std::string i = model.local("i"), j = model.local("j"), p = model.local("p");
  std::string type = model.getSumType().str(), sum = model.local("sum");
  if (const Slot *slot = signature.find(Role::TransposeA)) {
    model.add("if (" + slot->access +
              " != " + (slot->value.empty() ? "0" : slot->value) + ")");
    model.add("  " + model.fail());
  }
  model.loop(i, rows);
  model.loop(j, columns);
  model.add(type + " " + sum + " = 0;");
  model.add("for (ptrdiff_t " + p + " = 0; " + p + " < " + depth + "; ++" + p +
            ")");
  std::string byRow = j + " * " + b + " + " + p;
  std::string byColumn = p + " * " + b + " + " + j;
  std::string position = weights == Weights::NByK   ? byRow
                         : weights == Weights::KByN ? byColumn
                                                    : "";
  if (const Slot *slot = signature.find(Role::TransposeB))
    position =
        slot->access + " == " + slot->value + " ? " +
        (signature.has(Role::LeadingB) ? byRow
                                       : j + " * " + depth + " + " + p) +
        " : " +
        (signature.has(Role::LeadingB) ? byColumn
                                       : p + " * " + columns + " + " + j);
  std::string cast =
      type == "int32_t" || type == "int64_t" ? "(" + type + ")" : "";
  model.add("  " + sum + " += " + cast + model.tensor(Role::Input) + "[" + i +
            " * " + a + " + " + p + "] * " + model.tensor(Role::Weight) + "[" +
            position + "];");
  std::string at = i + " * " + c + " + " + j;
  std::string result = model.tensor(Role::Output) + "[" + at + "]";
  if (signature.has(Role::Alpha))
    model.add(sum + " *= " + signature.access(Role::Alpha) + ";");
  if (const Slot *beta = signature.find(Role::Beta)) {
    model.add("if (" + beta->access + " != 0)");
    model.add("  " + sum + " += " + beta->access + " * " + result + ";");
  }
  Epilogue(signature, draft).add(model, j, at);
  model.add(result + " = " + sum + ";");
  return model.print();
}

void ProductDraft::write() {
  readSizes();
  weights = readWeights();
  addPattern(/*isDense=*/true);
  if (isMatrixProduct())
    addPattern(/*isDense=*/false);
}

void uma::draft::draftProduct(Signature signature, Draft &draft) {
  ProductDraft(signature, draft).write();
}
