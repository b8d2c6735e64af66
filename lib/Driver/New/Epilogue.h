//===- Epilogue.h - Bias, residual and activation -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_EPILOGUE_H
#define UMA_LIB_DRIVER_NEW_EPILOGUE_H

#include "Draft.h"
#include "ModelText.h"

namespace uma::draft {

/// Operators that a function fuses behind its product or convolution: a bias,
/// the addition of a second tensor, an activation.
class Epilogue {
public:
  Epilogue(Signature &signature, Draft &draft);

  bool isEmpty() const { return !bias && !residual && activation == None; }
  /// Returns the name of the tensor that the epilogue starts from.
  StringRef getFirst() const { return isEmpty() ? "y" : "c"; }
  /// Adds the epilogue's inputs and statements to the pattern, whose result is
  /// `y`, and sets the values of its slots. `axis` is the attribute of
  /// bias_add, empty for its default. An added tensor has `shape`, or, if
  /// given, `type`: a shape and a layout.
  void add(PatternText &pattern, StringRef channels,
           ArrayRef<std::string> shape, StringRef axis, StringRef type = "");
  /// Adds the epilogue in C to the innermost loop, whose local variable `sum`
  /// holds the value.
  void add(ModelText &model, StringRef channel, StringRef position);

private:
  enum Kind { None, Enum, Flag, Bool, Range };
  struct Choice {
    StringRef op;                   ///< in the description
    llvm::StringLiteral expression; ///< in C, of the value {0}
    std::string constant;
  };

  void findActivation();
  /// Returns whether a tensor is optional. Adds the reason to the pattern.
  bool isOptional(PatternText &pattern, const Slot &slot, StringRef flag);

  Signature &signature;
  Draft &draft;
  const Slot *bias, *residual, *flags;
  std::string biasFlag, residualFlag, none;
  Kind activation = None;
  std::vector<Choice> choices;
};

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_EPILOGUE_H
