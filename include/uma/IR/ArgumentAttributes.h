//===- ArgumentAttributes.h - Attributes of many arguments -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_ARGUMENTATTRIBUTES_H
#define UMA_IR_ARGUMENTATTRIBUTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace uma {

/// Attributes of a function's arguments that are set at once. A context keeps
/// the list of all arguments forever each time that one of them is set, which
/// takes gigabytes for functions with thousands of arguments.
class ArgumentAttributes {
public:
  explicit ArgumentAttributes(mlir::FunctionOpInterface function)
      : function(function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      attributes.emplace_back(function.getArgAttrDict(i));
  }

  void set(unsigned argument, llvm::StringRef name, mlir::Attribute value) {
    attributes[argument].set(name, value);
  }

  /// Writes the attributes to the function.
  void apply() {
    llvm::SmallVector<mlir::DictionaryAttr> all;
    for (mlir::NamedAttrList &list : attributes)
      all.push_back(list.getDictionary(function->getContext()));
    function.setAllArgAttrs(all);
  }

private:
  mlir::FunctionOpInterface function;
  llvm::SmallVector<mlir::NamedAttrList, 0> attributes;
};

} // namespace uma

#endif // UMA_IR_ARGUMENTATTRIBUTES_H
