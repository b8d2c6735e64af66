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

/// Operators that a fused function appends to its product or convolution: a
/// bias, a second tensor that is added, an activation.
class Epilogue {
public:
  Epilogue(Signature &signature, Draft &draft);

  bool isEmpty() const { return !bias && !residual && activation == None; }
  /// Returns the name of the tensor that the epilogue starts from.
  StringRef getFirst() const { return isEmpty() ? "y" : "c"; }
  /// Adds its inputs and statements to the pattern, in which the result is `y`,
  /// and gives the slots their values. `axis` is the attribute of bias_add,
  /// empty for its default. An added tensor has `shape`, or `type` if that is
  /// given: a shape and a layout.
  void add(PatternText &pattern, StringRef channels,
           ArrayRef<std::string> shape, StringRef axis, StringRef type = "");
  /// Adds the same in C to the innermost loop, where the local variable `sum`
  /// is the value.
  void add(ModelText &model, StringRef channel, StringRef position);

private:
  enum Kind { None, Enum, Flag, Bool, Range };
  struct Choice {
    StringRef op;                   ///< in the description
    llvm::StringLiteral expression; ///< in C, of the value {0}
    std::string constant;
  };

  void findActivation();
  /// Says in the pattern why a tensor is taken as optional or not, and returns
  /// which it is.
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
