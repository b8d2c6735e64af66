//===- MLIRSession.cpp - Supervision of upstream's server -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Upstream's server parses any text that an editor sends, and some texts crash
// it. The editor's session goes on here: one thread passes messages to the
// server, the other one those of the server to the editor.
//
//===----------------------------------------------------------------------===//

#include "uma/LSP/MLIRSession.h"

#include "Messages.h"

#include "uma/Support/Nesting.h"
#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace uma;
using namespace uma::lsp;
using llvm::StringRef;
namespace json = llvm::json;

/// Nesting that every stack has room for. Files of people have less than 50.
static constexpr unsigned kMaxNesting = 256;
/// Code of JSON-RPC.
static constexpr int kParseError = -32700;
/// Identifier of the `initialize` of a server that was started again.
static constexpr llvm::StringLiteral kRestartID = "uma-restart";

static std::string print(const json::Value &value) {
  return llvm::formatv("{0}", value).str();
}

namespace {
class Session {
public:
  explicit Session(const std::vector<std::string> &command)
      : command(command) {}

  int run();

private:
  bool start();
  /// Passes the messages of the editor on until they end.
  void passToServer();
  void handle(const std::string &message);
  /// Keeps the text of a document that was opened or changed. Returns false,
  /// after an error to the editor, if it is nested too deep for the server.
  bool keepDocument(const json::Object &params);
  /// Starts the server again after it died.
  bool restart();
  /// Opens the documents in a server that was started again. The caller holds
  /// `inputMutex`, and reads what the server writes on another thread: it may
  /// write before it has read everything.
  void replay();
  void publish(StringRef uri, StringRef text);
  void send(const json::Value &message) {
    std::lock_guard<std::mutex> lock(outputMutex);
    writeMessage(stdout, print(message));
  }

  std::vector<std::string> command;
  pid_t server = -1;
  std::FILE *toServer = nullptr, *fromServer = nullptr;

  /// Protects the input of the server and what it has to know after a restart:
  /// the text of each open document, and the one that changed last.
  std::mutex inputMutex;
  std::string initialize, lastChanged;
  std::map<std::string, std::string> documents;
  bool isReplayed = true;
  /// Protects the requests without an answer.
  std::mutex pendingMutex;
  std::map<std::string, json::Value> pending;
  std::mutex outputMutex;
};
} // namespace

bool Session::start() {
  int input[2], output[2];
  // The child inherits only its own ends.
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::vector<char *> arguments;
  for (std::string &word : command)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int problem = posix_spawn(&server, "/proc/self/exe", &actions, nullptr,
                            arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  if (problem != 0)
    return false;
  if (toServer)
    std::fclose(toServer);
  if (fromServer)
    std::fclose(fromServer);
  toServer = fdopen(input[1], "wb");
  fromServer = fdopen(output[0], "rb");
  return toServer && fromServer;
}

void Session::publish(StringRef uri, StringRef text) {
  json::Object start{{"line", 0}, {"character", 0}};
  json::Object end{{"line", 0}, {"character", 1}};
  json::Object diagnostic{{"range", json::Object{{"start", std::move(start)},
                                                 {"end", std::move(end)}}},
                          {"severity", 1},
                          {"source", "uma-lsp-server"},
                          {"message", text}};
  send(json::Object{
      {"jsonrpc", "2.0"},
      {"method", "textDocument/publishDiagnostics"},
      {"params", json::Object{{"uri", uri},
                              {"diagnostics", json::Array{json::Value(
                                                  std::move(diagnostic))}}}}});
}

bool Session::keepDocument(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  auto uri = document ? document->getString("uri") : std::nullopt;
  auto text = document ? document->getString("text") : std::nullopt;
  if (const json::Array *changes = params.getArray("contentChanges"))
    if (!changes->empty())
      if (const json::Object *last = changes->back().getAsObject())
        text = last->getString("text");
  if (!uri || !text)
    return true;
  size_t offset = findTooDeep(*text, "([{<", ")]}>", kMaxNesting);
  if (offset != StringRef::npos) {
    publish(*uri, "brackets are nested deeper than " +
                      std::to_string(kMaxNesting) + " levels at " +
                      getLineAndColumn(*text, offset));
    return false;
  }
  documents[uri->str()] = text->str();
  lastChanged = uri->str();
  return true;
}

void Session::handle(const std::string &message) {
  std::lock_guard<std::mutex> lock(inputMutex);
  replay();
  auto parsed = parseJSON(message, "message");
  if (!parsed) {
    // Upstream's parser would recurse as deep as the message is nested.
    return send(json::Object{
        {"jsonrpc", "2.0"},
        {"id", nullptr},
        {"error",
         json::Object{{"code", kParseError},
                      {"message", llvm::toString(parsed.takeError())}}}});
  }
  if (json::Object *object = parsed->getAsObject()) {
    StringRef method = object->getString("method").value_or("");
    const json::Object *params = object->getObject("params");
    if (method == "initialize")
      initialize = message;
    if (params &&
        (method == "textDocument/didOpen" ||
         method == "textDocument/didChange") &&
        !keepDocument(*params))
      return;
    if (params && method == "textDocument/didClose")
      if (const json::Object *document = params->getObject("textDocument"))
        documents.erase(document->getString("uri").value_or("").str());
    if (const json::Value *id = object->get("id"); id && !method.empty()) {
      std::lock_guard<std::mutex> pendingLock(pendingMutex);
      pending.insert({print(*id), *id});
    }
  }
  // If the server is dead, the other thread notices.
  writeMessage(toServer, message);
}

void Session::passToServer() {
  std::string message;
  while (readMessage(stdin, message))
    handle(message);
  std::lock_guard<std::mutex> lock(inputMutex);
  // The server ends with its input.
  std::fclose(toServer);
  toServer = nullptr;
}

bool Session::restart() {
  std::lock_guard<std::mutex> lock(inputMutex);
  if (!toServer || initialize.empty() || !start())
    return false;
  if (lastChanged.empty()) {
    // It died again without a change: of one of the others.
    documents.clear();
  } else {
    publish(lastChanged, "MLIR's parser crashed on this text");
    documents.erase(lastChanged);
    lastChanged.clear();
  }
  std::lock_guard<std::mutex> pendingLock(pendingMutex);
  for (auto &[text, id] : pending)
    send(json::Object{
        {"jsonrpc", "2.0"},
        {"id", id},
        {"error", json::Object{{"code", -32803},
                               {"message", "the server for MLIR crashed and "
                                           "was started again"}}}});
  pending.clear();
  isReplayed = false;
  return true;
}

void Session::replay() {
  if (isReplayed || !toServer)
    return;
  isReplayed = true;
  auto first = json::parse(initialize);
  if (!first)
    return llvm::consumeError(first.takeError());
  (*first->getAsObject())["id"] = kRestartID;
  writeMessage(toServer, print(*first));
  auto notify = [&](StringRef method, json::Object params) {
    writeMessage(toServer, print(json::Object{{"jsonrpc", "2.0"},
                                              {"method", method},
                                              {"params", std::move(params)}}));
  };
  notify("initialized", json::Object());
  for (const auto &[uri, text] : documents)
    notify("textDocument/didOpen",
           json::Object{{"textDocument", json::Object{{"uri", uri},
                                                      {"languageId", "mlir"},
                                                      {"version", 0},
                                                      {"text", text}}}});
}

int Session::run() {
  // A server that died is noticed by the end of its output.
  std::signal(SIGPIPE, SIG_IGN);
  if (!start()) {
    llvm::errs() << "uma-lsp-server: error: no process can be started\n";
    return 1;
  }
  // The thread may wait for the editor when the session ends.
  std::thread([this] { passToServer(); }).detach();
  for (;;) {
    std::string message;
    while (readMessage(fromServer, message)) {
      auto parsed = json::parse(message);
      const json::Object *object = parsed ? parsed->getAsObject() : nullptr;
      if (!parsed)
        llvm::consumeError(parsed.takeError());
      const json::Value *id =
          object && !object->get("method") ? object->get("id") : nullptr;
      if (id && id->getAsString() == kRestartID)
        continue;
      if (id) {
        std::lock_guard<std::mutex> lock(pendingMutex);
        pending.erase(print(*id));
      }
      std::lock_guard<std::mutex> lock(outputMutex);
      writeMessage(stdout, message);
    }
    int status = 0;
    waitpid(server, &status, 0);
    if (WIFEXITED(status) || !restart())
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    std::thread([this] {
      std::lock_guard<std::mutex> lock(inputMutex);
      replay();
    }).detach();
  }
}

int uma::superviseMLIRServer(const std::vector<std::string> &command) {
  // The session lives until the process ends: a thread uses it.
  return (new Session(command))->run();
}
