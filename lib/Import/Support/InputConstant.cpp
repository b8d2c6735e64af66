//===- InputConstant.cpp - Inputs that become constants -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/Support/InputConstant.h"

#include "uma/Import/Support/ImportErrors.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

llvm::Expected<InputConstant> uma::parseInputConstant(StringRef text) {
  auto [name, path] = text.split('=');
  if (!name.empty() && !path.empty())
    return InputConstant{name.str(), path.str()};
  return llvm::createStringError("the constant " + quote(text) +
                                 " is invalid; expected an input's name and a "
                                 "file, e.g. shape=shape.npy");
}

LogicalResult importer::checkInputNames(ImportErrors &errors, StringRef what,
                                        ArrayRef<StringRef> inputs,
                                        ArrayRef<StringRef> given) {
  llvm::StringSet<> seen;
  for (StringRef name : given) {
    if (!llvm::is_contained(inputs, name))
      return errors.badInput("a " + what + " is given for " + quote(name) +
                             ", which is no input of the model" +
                             didYouMean(name, inputs));
    if (!seen.insert(name).second)
      return errors.badInput("two " + what + "s are given for the input " +
                             quote(name));
  }
  return success();
}
