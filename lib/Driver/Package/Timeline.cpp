//===- Timeline.cpp - Timelines of devices --------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

#include "uma/Support/OutputFile.h"

using namespace uma;
using llvm::json::Object;

void Timeline::addName(llvm::StringRef kind, int64_t process, int64_t thread,
                       llvm::StringRef name) {
  events.push_back(Object{{"name", kind},
                          {"ph", "M"},
                          {"pid", process},
                          {"tid", thread},
                          {"args", Object{{"name", name}}}});
}

llvm::Error Timeline::write(llvm::StringRef path) && {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(Object{{"traceEvents", std::move(events)}}) << '\n';
  return writeFileAtomically(path, text);
}
