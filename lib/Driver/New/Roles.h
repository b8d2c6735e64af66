//===- Roles.h - The meaning of names in headers -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vendors use the same few names for the parameters of an operator. These
// tables hold everything that is guessed from names: a word added here is known
// to every draft.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_ROLES_H
#define UMA_LIB_DRIVER_NEW_ROLES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace uma::draft {

/// Meaning of a parameter of a function, or of a field of its struct.
enum class Role {
  Unknown,
  // Tensors.
  Input,
  Weight,
  Bias,
  Residual,
  Output,
  Scratch,
  // Sizes.
  Batch,
  M,
  N,
  K,
  Count,
  Channels,
  Filters,
  Height,
  Width,
  OutHeight,
  OutWidth,
  // Attributes of windows.
  Kernel,
  KernelH,
  KernelW,
  Stride,
  StrideH,
  StrideW,
  Pad,
  PadH,
  PadW,
  PadTop,
  PadLeft,
  PadBottom,
  PadRight,
  Dilation,
  DilationH,
  DilationW,
  Groups,
  // Products.
  LeadingA,
  LeadingB,
  LeadingC,
  TransposeA,
  TransposeB,
  Alpha,
  Beta,
  // Epilogue: activation, padding mode, limits.
  Activation,
  PadMode,
  Flags,
  HasRelu,
  HasBias,
  Minimum,
  Maximum,
  // Not part of the operator.
  Version,
  Reserved,
};

/// Operator that a function computes, or its other purpose.
enum class Meaning {
  Unknown,
  Product,
  Dense,
  Convolution,
  Depthwise,
  MaxPool,
  AveragePool,
  GlobalAveragePool,
  Unary,
  Binary,
  Softmax,
  Init,
  Await,
  Query,
};

/// Meaning of a function and, for element-wise operators, the operator's name
/// in uma.graph.
struct FunctionMeaning {
  Meaning meaning = Meaning::Unknown;
  llvm::StringRef op;
};

/// Splits a name at `_` and at capitals into lower-case words.
llvm::SmallVector<std::string> splitName(llvm::StringRef name);

/// Returns the role of a name; Role::Unknown if no table has it.
Role getTensorRole(llvm::StringRef name);
Role getNumberRole(llvm::StringRef name, Meaning meaning);

FunctionMeaning getMeaning(llvm::StringRef function);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_ROLES_H
