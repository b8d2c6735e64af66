//===- Operators.h - Drafts of operators -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each function adds to a draft the patterns of one kind of operator and the
// function of the model that computes it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_OPERATORS_H
#define UMA_LIB_DRIVER_NEW_OPERATORS_H

#include "Draft.h"

namespace uma::draft {

void draftProduct(Signature signature, Draft &draft);
void draftConvolution(Signature signature, Draft &draft);
void draftPool(Signature signature, Draft &draft);
void draftElementwise(Signature signature, Draft &draft);
void draftSoftmax(Signature signature, Draft &draft);
/// Drafts a function for an unknown operator: a pattern as a comment.
void draftUnknown(const Signature &signature, Draft &draft);

/// Returns a pattern named after the function, followed by `ending`.
PatternText makePattern(const Signature &signature, Draft &draft,
                        StringRef ending = "");
/// Returns the element type of a role's tensor. Adds a question to the pattern
/// if the tensor is missing or the language has no such type. Guesses f32 for
/// `void *`.
std::string getElementType(const Signature &signature, Role role,
                           PatternText &pattern);
/// Returns `out_dtype=i32` if the output's type is not the input's. Adds a
/// question to the pattern if the operator has no such result.
std::string getOutputType(const Signature &signature, PatternText &pattern);
/// Sets the values of workspace, versions and reserved fields, adds the call,
/// and adds questions for the arguments without a value.
void addCall(Signature &signature, PatternText &pattern, Draft &draft);
/// Adds the pattern and its model function to the draft; a stub if the pattern
/// has an open question.
void finish(const Signature &signature, PatternText pattern,
            const std::string &model, Draft &draft);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_OPERATORS_H
