//===- New.h - uma new -*- C++ -*------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_NEW_H
#define UMA_DRIVER_NEW_H

#include "uma/Driver/Driver.h"

namespace uma {

struct NewOptions {
  /// Name of the accelerator, of its description and of the folder.
  std::string name;
  /// The C header of the device; an example is written if empty.
  std::string header;
  /// Whether the accelerator is a class of Python, in TVM's interface.
  bool isPython = false;
};

/// `uma new`: writes the first draft of an accelerator into a new folder.
ExitCode runNew(const NewOptions &options);

} // namespace uma

#endif // UMA_DRIVER_NEW_H
