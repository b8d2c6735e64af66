//===- OptionText.h - Options by name and text -*- C++ -*----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The options of `uma compile` for front ends that have no command line. Names
// and values are the same as there.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_OPTIONTEXT_H
#define UMA_DRIVER_OPTIONTEXT_H

#include "uma/Driver/Driver.h"

#include <string>
#include <vector>

namespace uma {

/// Sets the option `name` to the value that `value` describes. Options that
/// hold a list get another element; an empty value empties the list. Returns an
/// error message and changes nothing if there is no such option or value;
/// otherwise an empty string.
std::string setOption(ModelOptions &options, const std::string &name,
                      const std::string &value);

/// Name of an option and a line about its values.
struct OptionDescription {
  const char *name;
  const char *values;
};

/// Returns all options that setOption accepts, sorted by name.
const std::vector<OptionDescription> &listOptions();

} // namespace uma

#endif // UMA_DRIVER_OPTIONTEXT_H
