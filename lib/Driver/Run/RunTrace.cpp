//===- RunTrace.cpp - uma run --trace -------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A model of a device writes a timeline in the Chrome trace format if an
// environment variable names a file. The timelines of all devices become one
// file, with a process for each device.
//
//===----------------------------------------------------------------------===//

#include "../Package/Timeline.h"
#include "PackageRunner.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <cstdlib>

using namespace uma;

/// Returns the name of the variable, e.g. MY_NPU_TRACE.
static std::string getVariable(llvm::StringRef device) {
  return device.upper() + "_TRACE";
}

ExitCode PackageRunner::requestTimelines() {
  if (options.compare != CompareMode::Off)
    return context.fail(ExitCode::BadInput,
                        "--trace shows one run of the devices; with --compare, "
                        "there are several");
  for (const TargetDescription &target : description.targets)
    if (target.layers > 0 && target.name != accel::kCPUTarget)
      ::setenv(getVariable(target.name).c_str(),
               scratch.getPath(target.name + ".trace").c_str(),
               /*replace=*/1);
  return ExitCode::Success;
}

ExitCode PackageRunner::writeTimelines() {
  Timeline timeline;
  int64_t device = 0;
  llvm::SmallVector<std::string> variables;
  for (const TargetDescription &target : description.targets) {
    if (target.layers == 0 || target.name == accel::kCPUTarget)
      continue;
    std::string path = scratch.getPath(target.name + ".trace");
    variables.push_back(getVariable(target.name));
    if (!llvm::sys::fs::exists(path))
      continue;
    auto parsed = parseJSON(readText(path), path);
    llvm::json::Array *array = parsed ? parsed->getAsArray() : nullptr;
    if (!array || !llvm::all_of(*array, [](const llvm::json::Value &event) {
          return event.getAsObject();
        })) {
      llvm::consumeError(parsed.takeError());
      return context.fail(ExitCode::ExecutionFailed,
                          "the model of device '" + target.name +
                              "' wrote to " + variables.back() +
                              " something else than an array of events in "
                              "JSON, the Chrome trace format");
    }
    ++device;
    timeline.addName("process_name", device, /*thread=*/0, target.name);
    for (llvm::json::Value &event : *array) {
      (*event.getAsObject())["pid"] = device;
      timeline.addEvent(std::move(*event.getAsObject()));
    }
  }
  if (variables.empty())
    return context.fail(ExitCode::NotSupported, "--trace: no layer of '" +
                                                    network +
                                                    "' runs on a device");
  if (device == 0)
    return context.fail(
        ExitCode::NotSupported,
        "--trace: no model of a device wrote a timeline; a model writes one "
        "if " +
            llvm::join(variables, " or ") +
            " names a file. For devices with memories, 'uma explain --mapping "
            "--trace=FILE' writes the timeline that the mapper expects");
  if (llvm::Error error = std::move(timeline).write(options.trace))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}
