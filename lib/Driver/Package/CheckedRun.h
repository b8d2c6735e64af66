//===- CheckedRun.h - A package's program under supervision -----*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_CHECKEDRUN_H
#define UMA_LIB_DRIVER_PACKAGE_CHECKEDRUN_H

#include "CheckProgram.h"

#include "uma/Support/HostTensor.h"

#include <functional>
#include <optional>

namespace uma {

/// An invalid write in a call to a device.
struct GuardReport {
  const DeviceCall *call = nullptr; ///< null outside of devices
  int64_t argument = 0; ///< index in the call or, outside, in NET_run
  int64_t offset = 0;   ///< first byte, from the start of the argument
  uint64_t size = 0;    ///< bytes up to the last written one
  bool isInput = false; ///< inside an input, which devices must not change
};

/// Observer of a run. Each member may be empty.
struct RunObserver {
  std::function<void(const GuardReport &)> onGuard;
  /// Called after a call with the bytes of all its arguments, inputs as before
  /// the call. May overwrite those of outputs and return true: the network
  /// continues with these.
  std::function<bool(const DeviceCall &call,
                     llvm::MutableArrayRef<std::vector<char>> arguments)>
      onCall;
};

/// Result of a run.
struct RunResult {
  /// Reason for a failure, empty on success. Names the layer and the call if a
  /// device failed, crashed or did not return.
  std::string problem;
  /// Failing layer on a device, and its failure: "crashed (Aborted)". Empty if
  /// the layer is not known.
  std::string layer, action;
  /// Bytes of the network's outputs.
  std::vector<std::vector<char>> outputs;
};

/// Process that runs a program of writeCheckProgram.
class CheckedProgram {
public:
  explicit CheckedProgram(const PackageDescription &package)
      : package(package) {}
  ~CheckedProgram();
  CheckedProgram(const CheckedProgram &) = delete;
  void operator=(const CheckedProgram &) = delete;

  /// Starts `program` with its output in the file `log`. Returns the reason if
  /// it cannot be started.
  std::optional<std::string> start(llvm::StringRef program,
                                   llvm::StringRef log);

  /// Runs the network once. Ends the program if it is silent for `timeout`
  /// seconds; 0 waits forever. The program has ended after any problem other
  /// than a status that a device reported.
  RunResult run(llvm::ArrayRef<HostTensor> inputs, const RunObserver &observer,
                unsigned timeout);

private:
  /// Return false if the program has ended or, for receive, is silent.
  bool send(const void *data, size_t bytes);
  bool receive(void *data, size_t bytes, unsigned timeout);
  bool receive(std::vector<char> &data, size_t bytes, unsigned timeout);
  /// Receives the bytes of a call and answers.
  bool finishCall(const DeviceCall &call, uint64_t payload,
                  const RunObserver &observer, unsigned timeout);
  /// Ends the program. Returns how it ended, or that it was silent.
  std::string describeEnd(unsigned timeout);
  void stop();

  const PackageDescription &package;
  int connection = -1;
  int process = -1;
  bool isSilent = false;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_CHECKEDRUN_H
