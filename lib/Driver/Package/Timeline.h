//===- Timeline.h - Timelines of devices -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_TIMELINE_H
#define UMA_LIB_DRIVER_PACKAGE_TIMELINE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace uma {

/// A file of events in the Chrome trace format, which Perfetto reads, too: a
/// process for each device, a thread for each engine, 1 us for each cycle.
class Timeline {
public:
  /// Names a process or a thread; `kind` is "process_name" or "thread_name".
  void addName(llvm::StringRef kind, int64_t process, int64_t thread,
               llvm::StringRef name);
  void addEvent(llvm::json::Object event) {
    events.push_back(std::move(event));
  }
  /// Writes the file whole or not at all.
  llvm::Error write(llvm::StringRef path) &&;

private:
  llvm::json::Array events;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_TIMELINE_H
