//===- Operators.h - Drafts of operators -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each function adds the patterns of one kind of operator to a draft, and the
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
/// Drafts a function whose operator is not known: a pattern as a comment.
void draftUnknown(const Signature &signature, Draft &draft);

/// Returns the pattern of a function, named after it, with `ending` behind.
PatternText makePattern(const Signature &signature, Draft &draft,
                        StringRef ending = "");
/// Returns the element type of a role's tensor. Asks in the pattern if the
/// tensor is missing or the language has no such type, and guesses f32 for
/// `void *`.
std::string getElementType(const Signature &signature, Role role,
                           PatternText &pattern);
/// Returns `out_dtype=i32` if the output's type is not the input's; asks in the
/// pattern if the operator has no such result.
std::string getOutputType(const Signature &signature, PatternText &pattern);
/// Gives workspace, versions and reserved fields their values, adds the call,
/// and asks for the arguments that have none.
void addCall(Signature &signature, PatternText &pattern, Draft &draft);
/// Adds the pattern and its function to the draft; a stub if the pattern lacks
/// an answer.
void finish(const Signature &signature, PatternText pattern,
            const std::string &model, Draft &draft);

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_OPERATORS_H
