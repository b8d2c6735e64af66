//===- uma.cpp - The compiler as a C library ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Functions of include/uma-c/uma.h. This file has exceptions, unlike the
// compiler below it: the standard library may throw std::bad_alloc, which must
// not reach C.
//
//===----------------------------------------------------------------------===//

#include "uma-c/uma.h"

#include "uma/Driver/Compiler.h"
#include "uma/Driver/OptionText.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/Version.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>

using namespace uma;

struct umaDiagnostics {
  Messages messages;
};

struct umaOptions {
  ModelOptions options;
};

struct umaModel {
  std::string name;
  /// Null if the model is the file `name`.
  std::shared_ptr<const std::string> contents;
};

static_assert(UMA_SEVERITY_NOTE == static_cast<int>(Severity::Note) &&
              UMA_SEVERITY_ERROR == static_cast<int>(Severity::Error));
static_assert(UMA_BAD_INPUT == static_cast<int>(ExitCode::BadInput) &&
              UMA_NOT_SUPPORTED == static_cast<int>(ExitCode::NotSupported) &&
              UMA_EXECUTION_FAILED ==
                  static_cast<int>(ExitCode::ExecutionFailed));

/// Calls `function`, which returns a status, and turns exceptions into one.
template <typename FunctionT>
static umaStatus guard(FunctionT function) noexcept {
  try {
    return function();
  } catch (...) {
    return UMA_INTERNAL_ERROR;
  }
}

/// Returns a new object, or null if there is no memory.
template <typename T>
static T *create() noexcept {
  try {
    return new T();
  } catch (...) {
    return nullptr;
  }
}

/// Adds an error about the call and returns `status`.
static umaStatus fail(umaDiagnostics *diagnostics, umaStatus status,
                      const std::string &text) {
  if (diagnostics)
    diagnostics->messages.push_back({Severity::Error, "", text});
  return status;
}

/// Returns whether all arguments are set. Reports the first that is NULL.
static bool
areSet(umaDiagnostics *diagnostics, const char *function,
       std::initializer_list<std::pair<const char *, const void *>> arguments) {
  const auto *missing = llvm::find_if(
      arguments, [](const auto &argument) { return !argument.second; });
  if (missing == arguments.end())
    return true;
  (void)fail(diagnostics, UMA_INVALID_ARGUMENT,
             std::string(function) + ": the argument '" + missing->first +
                 "' is NULL");
  return false;
}

/// Returns a copy of a text for umaFreeString, or null if there is no memory.
static char *copyText(const std::string &text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// Sets `*result` to a copy of a text.
static umaStatus returnText(const std::string &text, char **result) {
  *result = copyText(text);
  return *result ? UMA_SUCCESS : UMA_INTERNAL_ERROR;
}

/// Calls `function(options, messages)`, which returns an exit code, with the
/// options and the model.
template <typename FunctionT>
static umaStatus runOnModel(const umaModel &model, const umaOptions *options,
                            umaDiagnostics *diagnostics, FunctionT function) {
  initializeEmbedding();
  ModelOptions all = options ? options->options : ModelOptions();
  all.model = model.name;
  all.contents = model.contents;
  umaDiagnostics dropped;
  return static_cast<umaStatus>(
      function(all, (diagnostics ? diagnostics : &dropped)->messages));
}

//===----------------------------------------------------------------------===//
// Version and texts
//===----------------------------------------------------------------------===//

// These texts end with a zero byte: they are literals.
const char *umaGetVersion() { return getVersion().data(); }

const char *umaGetMLIRVersion() { return getMLIRVersion().data(); }

uint32_t umaGetAPIVersion() { return UMA_C_API_VERSION; }

void umaFreeString(char *text) { std::free(text); }

umaStatus umaSuggest(const char *name, const char *const *names, size_t count,
                     char **suggestion) {
  if (suggestion)
    *suggestion = nullptr;
  if (!name || !suggestion || (!names && count > 0))
    return UMA_INVALID_ARGUMENT;
  return guard([&] {
    std::vector<std::string> known;
    for (size_t i = 0; i < count; ++i) {
      if (!names[i])
        return UMA_INVALID_ARGUMENT;
      known.emplace_back(names[i]);
    }
    return returnText(suggest(name, known), suggestion);
  });
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

umaDiagnostics *umaDiagnosticsCreate() { return create<umaDiagnostics>(); }

void umaDiagnosticsDestroy(umaDiagnostics *diagnostics) { delete diagnostics; }

void umaDiagnosticsClear(umaDiagnostics *diagnostics) {
  if (diagnostics)
    diagnostics->messages.clear();
}

size_t umaDiagnosticsGetCount(const umaDiagnostics *diagnostics) {
  return diagnostics ? diagnostics->messages.size() : 0;
}

/// Returns a message, or null if there is none.
static const Message *getMessage(const umaDiagnostics *diagnostics,
                                 size_t index) {
  return index < umaDiagnosticsGetCount(diagnostics)
             ? &diagnostics->messages[index]
             : nullptr;
}

umaSeverity umaDiagnosticsGetSeverity(const umaDiagnostics *diagnostics,
                                      size_t index) {
  const Message *message = getMessage(diagnostics, index);
  return message ? static_cast<umaSeverity>(message->severity)
                 : UMA_SEVERITY_NONE;
}

const char *umaDiagnosticsGetWhere(const umaDiagnostics *diagnostics,
                                   size_t index) {
  const Message *message = getMessage(diagnostics, index);
  return message ? message->where.c_str() : "";
}

const char *umaDiagnosticsGetMessage(const umaDiagnostics *diagnostics,
                                     size_t index) {
  const Message *message = getMessage(diagnostics, index);
  return message ? message->text.c_str() : "";
}

const char *umaGetSeverityName(umaSeverity severity) {
  // C passes any number.
  if (severity < UMA_SEVERITY_NOTE || severity > UMA_SEVERITY_ERROR)
    return "";
  return getSeverityName(static_cast<Severity>(severity));
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

umaOptions *umaOptionsCreate() { return create<umaOptions>(); }

void umaOptionsDestroy(umaOptions *options) { delete options; }

umaStatus umaOptionsSet(umaOptions *options, const char *name,
                        const char *value, umaDiagnostics *diagnostics) {
  return guard([&] {
    if (!areSet(diagnostics, "umaOptionsSet",
                {{"options", options}, {"name", name}, {"value", value}}))
      return UMA_INVALID_ARGUMENT;
    std::string problem = setOption(options->options, name, value);
    return problem.empty() ? UMA_SUCCESS
                           : fail(diagnostics, UMA_BAD_INPUT, problem);
  });
}

size_t umaOptionsGetCount() { return listOptions().size(); }

const char *umaOptionsGetName(size_t index) {
  return index < listOptions().size() ? listOptions()[index].name : nullptr;
}

const char *umaOptionsGetHelp(size_t index) {
  return index < listOptions().size() ? listOptions()[index].values : nullptr;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// Sets `*result` to a model if there is a file `model.name`, or bytes of a
/// known format.
static umaStatus returnModel(const umaModel &model, umaModel **result,
                             umaDiagnostics *diagnostics) {
  umaStatus status = runOnModel(model, nullptr, diagnostics, checkModel);
  if (status == UMA_SUCCESS)
    *result = new umaModel(model);
  return status;
}

umaStatus umaModelFromFile(const char *path, umaModel **model,
                           umaDiagnostics *diagnostics) {
  if (model)
    *model = nullptr;
  return guard([&] {
    if (!areSet(diagnostics, "umaModelFromFile",
                {{"path", path}, {"model", model}}))
      return UMA_INVALID_ARGUMENT;
    return returnModel({path, nullptr}, model, diagnostics);
  });
}

umaStatus umaModelFromBytes(const void *bytes, size_t size, const char *name,
                            umaModel **model, umaDiagnostics *diagnostics) {
  if (model)
    *model = nullptr;
  return guard([&] {
    if (!areSet(diagnostics, "umaModelFromBytes",
                {{"bytes", bytes}, {"model", model}}))
      return UMA_INVALID_ARGUMENT;
    auto contents = std::make_shared<const std::string>(
        static_cast<const char *>(bytes), size);
    return returnModel({name ? toPrintable(name) : "<bytes>", contents}, model,
                       diagnostics);
  });
}

void umaModelDestroy(umaModel *model) { delete model; }

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

umaStatus umaImport(const umaModel *model, const umaOptions *options,
                    char **text, umaDiagnostics *diagnostics) {
  if (text)
    *text = nullptr;
  return guard([&] {
    if (!areSet(diagnostics, "umaImport", {{"model", model}, {"text", text}}))
      return UMA_INVALID_ARGUMENT;
    std::string result;
    umaStatus status =
        runOnModel(*model, options, diagnostics,
                   [&](const ModelOptions &all, Messages &messages) {
                     return importAsText(all, result, messages);
                   });
    return status == UMA_SUCCESS ? returnText(result, text) : status;
  });
}

umaStatus umaExplain(const umaModel *model, const umaOptions *options,
                     char **json, umaDiagnostics *diagnostics) {
  if (json)
    *json = nullptr;
  return guard([&] {
    if (!areSet(diagnostics, "umaExplain", {{"model", model}, {"json", json}}))
      return UMA_INVALID_ARGUMENT;
    std::string result;
    umaStatus status =
        runOnModel(*model, options, diagnostics,
                   [&](const ModelOptions &all, Messages &messages) {
                     return explainAsJSON(all, result, messages);
                   });
    return status == UMA_SUCCESS ? returnText(result, json) : status;
  });
}

umaStatus umaCompile(const umaModel *model, const umaOptions *options,
                     const char *folder, umaDiagnostics *diagnostics) {
  return guard([&] {
    if (!areSet(diagnostics, "umaCompile",
                {{"model", model}, {"folder", folder}}))
      return UMA_INVALID_ARGUMENT;
    if (!*folder)
      return fail(diagnostics, UMA_BAD_INPUT,
                  "umaCompile: the argument 'folder' is empty: expected the "
                  "folder where the package goes");
    return runOnModel(*model, options, diagnostics,
                      [&](const ModelOptions &all, Messages &messages) {
                        return compileToFolder(all, folder, messages);
                      });
  });
}
