//===- ChocolateToText.h - Print Chocolate's commands as text ---*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef CHOCOLATE_TRANSLATE_CHOCOLATETOTEXT_H
#define CHOCOLATE_TRANSLATE_CHOCOLATETOTEXT_H

namespace uma {

/// Registers `uma-translate --chocolate-to-text`.
void registerChocolateToTextTranslation();

} // namespace uma

#endif // CHOCOLATE_TRANSLATE_CHOCOLATETOTEXT_H
