//===- Server.cpp - Language server for descriptions ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One message after the other. Each change is checked at once; the C compiler
// checks the header when a document is opened or saved, since it takes longer
// than the time between two keys.
//
//===----------------------------------------------------------------------===//

#include "uma/LSP/Server.h"

#include "Document.h"
#include "Messages.h"

#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <map>
#include <optional>

using namespace uma;
using namespace uma::lsp;
namespace json = llvm::json;

namespace {
/// Error codes of JSON-RPC and of the protocol.
enum Code : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  NotInitialized = -32002,
  RequestFailed = -32803,
};

class Server {
public:
  int run();

private:
  void send(json::Object message);
  void reply(const json::Value &id, json::Value result);
  void fail(const json::Value &id, Code code, const llvm::Twine &message);
  void handle(const json::Value &message);
  void handleCall(llvm::StringRef method, const json::Object &params,
                  const json::Value &id);
  void handleNotification(llvm::StringRef method, const json::Object &params);
  void publish(llvm::StringRef uri, bool withHeader);
  void handleDocumentCall(llvm::StringRef method, const json::Object &params,
                          Document &document, const json::Value &id);

  /// Sets the model of hints from the settings of the editor.
  void setModel(const json::Object *settings) {
    model = settings ? settings->getString("model").value_or("").str() : "";
  }

  std::map<std::string, Document> documents;
  std::string model;
  bool isInitialized = false, isShutDown = false, isDone = false;
};
} // namespace

void Server::send(json::Object message) {
  message["jsonrpc"] = "2.0";
  std::string text =
      llvm::formatv("{0}", json::Value(std::move(message))).str();
  llvm::outs() << "Content-Length: " << text.size() << "\r\n\r\n" << text;
  llvm::outs().flush();
}

void Server::reply(const json::Value &id, json::Value result) {
  send(json::Object{{"id", id}, {"result", std::move(result)}});
}

void Server::fail(const json::Value &id, Code code,
                  const llvm::Twine &message) {
  send(json::Object{{"id", id},
                    {"error", json::Object{{"code", static_cast<int>(code)},
                                           {"message", message.str()}}}});
}

int Server::run() {
  std::string text;
  while (!isDone && readMessage(stdin, text)) {
    auto message = parseJSON(text, "message");
    if (message)
      handle(*message);
    else
      fail(nullptr, ParseError, llvm::toString(message.takeError()));
  }
  return isDone && isShutDown ? 0 : 1;
}

void Server::handle(const json::Value &message) {
  const json::Object *object = message.getAsObject();
  const json::Value *id = object ? object->get("id") : nullptr;
  bool hasId = id && (id->getAsString() || id->getAsInteger());
  auto method = object ? object->getString("method") : std::nullopt;
  // A response: the server asks nothing.
  if (object && !method && (object->get("result") || object->get("error")))
    return;
  if (!method || (id && !hasId)) {
    fail(hasId ? *id : json::Value(nullptr), InvalidRequest,
         "expected an object with 'method', and 'id' as string or integer");
    return;
  }
  const json::Object *params = object->getObject("params");
  static const json::Object none;
  if (hasId)
    handleCall(*method, params ? *params : none, *id);
  else
    handleNotification(*method, params ? *params : none);
}

static json::Value getCapabilities() {
  return json::Object{
      {"capabilities",
       json::Object{
           {"textDocumentSync",
            json::Object{{"openClose", true}, {"change", 1}, {"save", true}}},
           {"hoverProvider", true},
           {"completionProvider",
            json::Object{{"triggerCharacters", json::Array{"=", "(", ":"}}}},
           {"definitionProvider", true},
           {"renameProvider", true},
           {"documentSymbolProvider", true},
           {"documentFormattingProvider", true},
           {"inlayHintProvider", true}}},
      {"serverInfo", json::Object{{"name", "uma-lsp-server"}}}};
}

void Server::handleCall(llvm::StringRef method, const json::Object &params,
                        const json::Value &id) {
  if (method == "initialize") {
    isInitialized = true;
    setModel(params.getObject("initializationOptions"));
    return reply(id, getCapabilities());
  }
  if (!isInitialized)
    return fail(id, NotInitialized, "'initialize' must come first");
  if (isShutDown)
    return fail(id, InvalidRequest, "'" + method + "' came after 'shutdown'");
  if (method == "shutdown") {
    isShutDown = true;
    return reply(id, nullptr);
  }
  static constexpr llvm::StringLiteral known[] = {
      "hover",          "completion", "definition", "rename",
      "documentSymbol", "formatting", "inlayHint"};
  llvm::StringRef name = method;
  if (!name.consume_front("textDocument/") || !llvm::is_contained(known, name))
    return fail(id, MethodNotFound, "unknown method '" + method + "'");
  const json::Object *identifier = params.getObject("textDocument");
  auto uri = identifier ? identifier->getString("uri") : std::nullopt;
  auto found = uri ? documents.find(uri->str()) : documents.end();
  if (found == documents.end())
    return fail(id, InvalidParams, "no such document is open");
  handleDocumentCall(name, params, found->second, id);
}

void Server::handleDocumentCall(llvm::StringRef method,
                                const json::Object &params, Document &document,
                                const json::Value &id) {
  if (method == "documentSymbol")
    return reply(id, document.getSymbols());
  if (method == "formatting") {
    json::Value edits = document.format();
    return edits.getAsNull()
               ? fail(id, RequestFailed, "fix the errors before formatting")
               : reply(id, std::move(edits));
  }
  if (method == "inlayHint")
    return reply(id, document.getHints(model, params.get("range")));
  std::optional<size_t> offset = document.getOffset(params.get("position"));
  if (!offset)
    return fail(id, InvalidParams, "no such position in the document");
  if (method == "hover")
    return reply(id, document.getHover(*offset));
  if (method == "completion")
    return reply(id, document.getCompletions(*offset));
  if (method == "definition")
    return reply(id, document.getDefinition(*offset));
  auto newName = params.getString("newName");
  auto edit = document.rename(*offset, newName.value_or(""));
  if (!edit)
    return fail(id, RequestFailed, llvm::toString(edit.takeError()));
  reply(id, std::move(*edit));
}

void Server::publish(llvm::StringRef uri, bool withHeader) {
  json::Value diagnostics = documents.at(uri.str()).check(withHeader);
  send(json::Object{
      {"method", "textDocument/publishDiagnostics"},
      {"params",
       json::Object{{"uri", uri}, {"diagnostics", std::move(diagnostics)}}}});
}

void Server::handleNotification(llvm::StringRef method,
                                const json::Object &params) {
  if (method == "exit") {
    isDone = true;
    return;
  }
  if (method == "workspace/didChangeConfiguration") {
    const json::Object *settings = params.getObject("settings");
    return setModel(settings ? settings->getObject("uma") : nullptr);
  }
  const json::Object *item = params.getObject("textDocument");
  auto uri = item ? item->getString("uri") : std::nullopt;
  if (!isInitialized || isShutDown || !uri)
    return;
  std::string key = uri->str();
  if (method == "textDocument/didOpen") {
    documents[key] = Document(key, item->getString("text").value_or("").str());
    return publish(key, /*withHeader=*/true);
  }
  auto found = documents.find(key);
  if (found == documents.end())
    return;
  if (method == "textDocument/didChange") {
    const json::Array *changes = params.getArray("contentChanges");
    const json::Object *last =
        changes && !changes->empty() ? changes->back().getAsObject() : nullptr;
    auto text = last ? last->getString("text") : std::nullopt;
    if (!text)
      return;
    found->second = Document(key, text->str());
    publish(key, /*withHeader=*/false);
  } else if (method == "textDocument/didSave") {
    publish(key, /*withHeader=*/true);
  } else if (method == "textDocument/didClose") {
    documents.erase(found);
    send(
        json::Object{{"method", "textDocument/publishDiagnostics"},
                     {"params", json::Object{{"uri", key},
                                             {"diagnostics", json::Array()}}}});
  }
}

int uma::runDescriptionServer() { return Server().run(); }
