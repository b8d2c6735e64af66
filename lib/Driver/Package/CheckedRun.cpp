//===- CheckedRun.cpp - A package's program under supervision -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A device's model is third-party code. It runs in a separate process, so that
// a crash or an endless loop is reported with the name of the layer.
//
//===----------------------------------------------------------------------===//

#include "CheckedRun.h"

#include "uma/Support/LayerName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace mlir;
using namespace uma;

/// Maximum bytes of a name in a message.
static constexpr uint64_t kMaxText = 1 << 20;

CheckedProgram::~CheckedProgram() { stop(); }

void CheckedProgram::stop() {
  if (connection >= 0)
    close(connection);
  connection = -1;
  if (process <= 0)
    return;
  kill(process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR)
    ;
  process = -1;
}

std::optional<std::string> CheckedProgram::start(StringRef program,
                                                 StringRef log) {
  auto fail = [](StringRef what) {
    return (what + ": " + std::strerror(errno)).str();
  };
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return fail("no connection to the program");
  std::string path = program.str(), logPath = log.str();
  std::string number = std::to_string(sockets[1]);
  char *const arguments[] = {path.data(), number.data(), nullptr};
  process = fork();
  if (process == 0) {
    // Nothing here may allocate: the child shares the parent's heap state.
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    int output = open(logPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int input = open("/dev/null", O_RDONLY);
    if (output < 0 || input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 ||
        dup2(output, 2) < 0)
      _exit(127);
    fcntl(sockets[1], F_SETFD, 0);
    execv(arguments[0], arguments);
    _exit(127);
  }
  if (process < 0) {
    std::string problem = fail("no process for the program");
    close(sockets[0]);
    close(sockets[1]);
    return problem;
  }
  close(sockets[1]);
  connection = sockets[0];
  return std::nullopt;
}

bool CheckedProgram::send(const void *data, size_t bytes) {
  const char *at = static_cast<const char *>(data);
  while (bytes != 0) {
    ssize_t count = ::send(connection, at, bytes, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count;
    bytes -= count;
  }
  return true;
}

bool CheckedProgram::receive(void *data, size_t bytes, unsigned timeout) {
  using Clock = std::chrono::steady_clock;
  char *at = static_cast<char *>(data);
  auto deadline = Clock::now() + std::chrono::seconds(timeout);
  while (bytes != 0) {
    int wait = -1;
    if (timeout != 0)
      wait = std::max<int64_t>(
          0, std::chrono::duration_cast<std::chrono::milliseconds>(deadline -
                                                                   Clock::now())
                     .count() +
                 1);
    pollfd entry = {connection, POLLIN, 0};
    int ready = poll(&entry, 1, wait);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0) {
      isSilent = true;
      return false;
    }
    ssize_t count = recv(connection, at, bytes, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    at += count;
    bytes -= count;
  }
  return true;
}

bool CheckedProgram::receive(std::vector<char> &data, size_t bytes,
                             unsigned timeout) {
  data.resize(bytes);
  return receive(data.data(), bytes, timeout);
}

/// Describes the location of a problem in `call`: the layers, the C call if
/// known, and the patterns.
static std::string describePlace(const DeviceCall &call, StringRef layer,
                                 StringRef function) {
  SmallVector<std::string> layers, calls, positions;
  auto add = [](SmallVectorImpl<std::string> &list, std::string text) {
    if (!text.empty() && !llvm::is_contained(list, text))
      list.push_back(std::move(text));
  };
  for (const DeviceReference &reference : call.references) {
    if (!layer.empty() && reference.layer != layer)
      continue;
    add(layers, "'" + reference.layer + "'");
    add(positions, reference.position);
    for (StringRef text : reference.calls)
      if (function.empty() || text.starts_with((function + "(").str()))
        add(calls, text.str());
  }
  std::string text = "device '" + call.accelerator + "'";
  if (!layers.empty())
    text = (layers.size() == 1 ? "layer " : "layers ") +
           llvm::join(layers, ", ") + " on " + text;
  if (!calls.empty())
    text += ", " + llvm::join(calls, " or ");
  else if (!function.empty())
    text += (", " + function).str();
  if (!positions.empty())
    text += " (" + llvm::join(positions, ", ") + ")";
  return text;
}

std::string CheckedProgram::describeEnd(unsigned timeout) {
  std::string how;
  if (isSilent) {
    how = "did not return within " + std::to_string(timeout) +
          " s (--timeout sets the limit)";
    stop();
  } else {
    close(connection);
    connection = -1;
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
      ;
    process = -1;
    if (WIFSIGNALED(status))
      how = "crashed (" + std::string(strsignal(WTERMSIG(status))) + ")";
    else
      how = "ended the program with status " +
            std::to_string(WEXITSTATUS(status));
  }
  isSilent = false;
  return how;
}

bool CheckedProgram::finishCall(const DeviceCall &call, uint64_t payload,
                                const RunObserver &observer, unsigned timeout) {
  std::vector<std::vector<char>> arguments(call.arguments.size());
  for (auto [argument, bytes] : llvm::zip_equal(call.arguments, arguments)) {
    if (argument.bytes > payload || !receive(bytes, argument.bytes, timeout))
      return false;
    payload -= argument.bytes;
  }
  bool replaces = observer.onCall && observer.onCall(call, arguments);
  CheckMessage answer;
  answer.kind =
      replaces ? CheckMessageKind::Replace : CheckMessageKind::Continue;
  if (!send(&answer, sizeof(answer)))
    return false;
  for (auto [argument, bytes] : llvm::zip_equal(call.arguments, arguments))
    if (replaces && argument.isWritten && !send(bytes.data(), bytes.size()))
      return false;
  return true;
}

RunResult CheckedProgram::run(ArrayRef<HostTensor> inputs,
                              const RunObserver &observer, unsigned timeout) {
  RunResult result;
  const DeviceCall *call = nullptr;
  std::string layer, function;
  auto end = [&] {
    result.action = describeEnd(timeout);
    // A call of a single layer may fail before it names the layer.
    if (call && layer.empty() && !call->references.empty() &&
        call->references.front().layer == call->references.back().layer)
      layer = call->references.front().layer;
    result.layer = layer;
    result.problem = (call ? describePlace(*call, layer, function)
                           : "the C of the network") +
                     ": " + result.action;
    return result;
  };
  CheckMessage message;
  if (!send(&message, sizeof(message)))
    return end();
  for (const HostTensor &input : inputs)
    if (!send(input.getBytes().data(), input.getBytes().size()))
      return end();
  auto find = [&](int32_t index) {
    auto found =
        llvm::find_if(package.deviceCalls, [&](const DeviceCall &call) {
          return call.index == index;
        });
    return found == package.deviceCalls.end() ? nullptr : &*found;
  };
  std::vector<char> text;
  while (receive(&message, sizeof(message), timeout)) {
    switch (message.kind) {
    case CheckMessageKind::Begin:
      call = find(message.call);
      layer.clear();
      function.clear();
      break;
    case CheckMessageKind::Call:
      if (message.payload > kMaxText || message.size > message.payload ||
          !receive(text, message.payload, timeout))
        return end();
      layer.assign(text.begin(), text.begin() + message.size);
      function.assign(text.begin() + message.size, text.end());
      break;
    case CheckMessageKind::Guard:
    case CheckMessageKind::Changed:
      if (observer.onGuard)
        observer.onGuard({find(message.call), message.argument, message.offset,
                          message.size,
                          message.kind == CheckMessageKind::Changed});
      break;
    case CheckMessageKind::End:
      if (!call || !finishCall(*call, message.payload, observer, timeout))
        return end();
      call = nullptr;
      break;
    case CheckMessageKind::Failed:
      if (message.payload > kMaxText ||
          !receive(text, message.payload, timeout))
        return end();
      result.layer.assign(text.begin(), text.end());
      result.action = "failed with status " + std::to_string(message.status);
      result.problem = "layer '" + result.layer + "' " + result.action;
      break;
    case CheckMessageKind::Done:
      for (const TensorDescription &output : package.outputs)
        if (!receive(result.outputs.emplace_back(), output.bytes, timeout))
          return end();
      if (message.status != 0 && result.problem.empty())
        result.problem =
            "the run ended with status " + std::to_string(message.status);
      return result;
    default:
      return end();
    }
  }
  return end();
}
