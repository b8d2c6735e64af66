/*===- uma.h - The compiler as a C library -*- C -*-----------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Compiles networks to C packages from any language that calls C. The guide  *|
|* is docs/c-api.md. The header is C99 and C++.                               *|
|*                                                                            *|
|* Rules for all functions:                                                   *|
|* - Errors: the status says what kind of problem there is; messages go to    *|
|*   `diagnostics`, which may be NULL. After an error, results are NULL. A    *|
|*   NULL argument that must not be NULL is UMA_INVALID_ARGUMENT. No function *|
|*   throws, and none ends the process for wrong input.                       *|
|* - Ownership: whoever calls umaXCreate or gets an object through a pointer  *|
|*   to a pointer destroys it, a text with umaFreeString. Destroying NULL has *|
|*   no effect. Arguments stay the caller's and may be destroyed after the    *|
|*   call. Texts returned as `const char *` belong to the object, or to the   *|
|*   library if there is none, and must not be freed.                         *|
|* - Threads: functions may run at the same time on different objects, and on *|
|*   one object that all of them take as `const`.                             *|
|* - Texts are UTF-8 and end with a zero byte.                                *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef UMA_C_UMA_H
#define UMA_C_UMA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Symbols of the library's interface. */
#if defined(__GNUC__)
#define UMA_C_EXPORT __attribute__((visibility("default")))
#else
#define UMA_C_EXPORT
#endif

/* Version of the functions in this header. Functions are added without a change
 * of it; it changes with the library's SONAME if one is changed or removed. */
#define UMA_C_API_VERSION 0

/* Result of a function; 0 to 4 are the exit codes of the command `uma`. */
typedef enum umaStatus {
  UMA_SUCCESS = 0,
  /* An option, a description or a file is wrong, or a file is missing. */
  UMA_BAD_INPUT = 2,
  /* The model is valid, but the compiler cannot compile it. */
  UMA_NOT_SUPPORTED = 3,
  /* The C compiler or a device failed. */
  UMA_EXECUTION_FAILED = 4,
  /* An argument is NULL, or an index is too large. */
  UMA_INVALID_ARGUMENT = 5,
  /* The library has no more memory, or failed in a way that is a bug. */
  UMA_INTERNAL_ERROR = 6
} umaStatus;

/* Kind of a message. */
typedef enum umaSeverity {
  /* There is no such message. */
  UMA_SEVERITY_NONE = -1,
  /* Explains the message before it. */
  UMA_SEVERITY_NOTE = 0,
  UMA_SEVERITY_REMARK = 1,
  UMA_SEVERITY_WARNING = 2,
  UMA_SEVERITY_ERROR = 3
} umaSeverity;

typedef struct umaDiagnostics umaDiagnostics;
typedef struct umaOptions umaOptions;
typedef struct umaModel umaModel;

/*===--- Version ---------------------------------------------------------===*/

/* Returns the version of the library, such as "0.1.0". */
UMA_C_EXPORT const char *umaGetVersion(void);

/* Returns the version of MLIR that the library is built with, such as
 * "22.1.8". */
UMA_C_EXPORT const char *umaGetMLIRVersion(void);

/* Returns UMA_C_API_VERSION of the library, which may differ from the one of
 * the header that a program was compiled with. */
UMA_C_EXPORT uint32_t umaGetAPIVersion(void);

/*===--- Texts -----------------------------------------------------------===*/

/* Frees a text that a function returned through `char **`. */
UMA_C_EXPORT void umaFreeString(char *text);

/* Sets `*suggestion` to "; did you mean 'NAME'?" with the name that is closest
 * to `name`, or to "" if none is close. `names` has `count` elements and may be
 * NULL if there are none. Free the text with umaFreeString. */
UMA_C_EXPORT umaStatus umaSuggest(const char *name, const char *const *names,
                                  size_t count, char **suggestion);

/*===--- Diagnostics -----------------------------------------------------===*/

/* Returns an empty list of messages, or NULL if there is no memory. */
UMA_C_EXPORT umaDiagnostics *umaDiagnosticsCreate(void);
UMA_C_EXPORT void umaDiagnosticsDestroy(umaDiagnostics *diagnostics);

/* Removes all messages. Functions add theirs at the end of the list. */
UMA_C_EXPORT void umaDiagnosticsClear(umaDiagnostics *diagnostics);

/* Returns the number of messages; 0 if `diagnostics` is NULL. */
UMA_C_EXPORT size_t umaDiagnosticsGetCount(const umaDiagnostics *diagnostics);

/* Returns a property of a message: its kind, its position as FILE:LINE:COL or
 * FILE ("" if it is about the call), its text. If there is no message `index`,
 * returns UMA_SEVERITY_NONE or "". Texts are valid until the next call that
 * takes `diagnostics` as non-const. */
UMA_C_EXPORT umaSeverity
umaDiagnosticsGetSeverity(const umaDiagnostics *diagnostics, size_t index);
UMA_C_EXPORT const char *
umaDiagnosticsGetWhere(const umaDiagnostics *diagnostics, size_t index);
UMA_C_EXPORT const char *
umaDiagnosticsGetMessage(const umaDiagnostics *diagnostics, size_t index);

/* Returns "note", "remark", "warning" or "error", otherwise "". */
UMA_C_EXPORT const char *umaGetSeverityName(umaSeverity severity);

/*===--- Options ---------------------------------------------------------===*/

/* Returns options with their defaults, or NULL if there is no memory. */
UMA_C_EXPORT umaOptions *umaOptionsCreate(void);
UMA_C_EXPORT void umaOptionsDestroy(umaOptions *options);

/* Sets an option of `uma compile` to the value of a text, e.g. "cpu" to
 * "cortex-m4". Options that hold a list get another element, as if the option
 * was repeated on the command line; "" empties the list. An unknown name or
 * value is UMA_BAD_INPUT, and the options stay as they were. */
UMA_C_EXPORT umaStatus umaOptionsSet(umaOptions *options, const char *name,
                                     const char *value,
                                     umaDiagnostics *diagnostics);

/* Returns the number of options. */
UMA_C_EXPORT size_t umaOptionsGetCount(void);

/* Returns the name of an option, or a line about its values; NULL if there is
 * no option `index`. Names are sorted. */
UMA_C_EXPORT const char *umaOptionsGetName(size_t index);
UMA_C_EXPORT const char *umaOptionsGetHelp(size_t index);

/*===--- Models ----------------------------------------------------------===*/

/* Sets `*model` to the model in a file: .onnx, .tflite, .mlir or .mlirbc. The
 * file must exist whenever the model is used, and is read then. A missing file
 * is UMA_BAD_INPUT. Destroy the model with umaModelDestroy. */
UMA_C_EXPORT umaStatus umaModelFromFile(const char *path, umaModel **model,
                                        umaDiagnostics *diagnostics);

/* Sets `*model` to the model in `size` bytes, which are copied: ONNX,
 * TensorFlow Lite, or MLIR as text or bytecode; their content decides.
 * Positions in messages start with `name`, which may be NULL. Files with
 * weights of an ONNX model are looked for in the folder of `name`. Bytes of no
 * such format are UMA_BAD_INPUT; damaged ones are reported by the function that
 * uses the model. Destroy the model with umaModelDestroy. */
UMA_C_EXPORT umaStatus umaModelFromBytes(const void *bytes, size_t size,
                                         const char *name, umaModel **model,
                                         umaDiagnostics *diagnostics);
UMA_C_EXPORT void umaModelDestroy(umaModel *model);

/*===--- Compilation -----------------------------------------------------===*/

/* The functions below take `options` of umaOptionsCreate, or NULL for
 * defaults. */

/* Sets `*text` to the graph of the model in MLIR's syntax, as imported. Free it
 * with umaFreeString. */
UMA_C_EXPORT umaStatus umaImport(const umaModel *model,
                                 const umaOptions *options, char **text,
                                 umaDiagnostics *diagnostics);

/* Sets `*json` to the output of `uma explain --json`: the target of each layer
 * and the reasons. Free it with umaFreeString. */
UMA_C_EXPORT umaStatus umaExplain(const umaModel *model,
                                  const umaOptions *options, char **json,
                                  umaDiagnostics *diagnostics);

/* Writes the package of `uma compile` to a folder, which is created if it does
 * not exist. After an error, an older package in the folder is unchanged. */
UMA_C_EXPORT umaStatus umaCompile(const umaModel *model,
                                  const umaOptions *options, const char *folder,
                                  umaDiagnostics *diagnostics);

#ifdef __cplusplus
}
#endif

#endif /* UMA_C_UMA_H */
