/*===- tool.h - Helpers of the tests in C -*- C -*-------------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef UMA_TEST_CAPI_TOOL_H
#define UMA_TEST_CAPI_TOOL_H

#include "check.h"

/* Prints the status and all messages, and removes these. */
static void report(const char *title, umaStatus status,
                   umaDiagnostics *diagnostics) {
  size_t i;
  printf("%s: status %d, %d messages\n", title, (int)status,
         (int)umaDiagnosticsGetCount(diagnostics));
  for (i = 0; i < umaDiagnosticsGetCount(diagnostics); ++i)
    printf("%s[%s]: %s\n",
           umaGetSeverityName(umaDiagnosticsGetSeverity(diagnostics, i)),
           umaDiagnosticsGetWhere(diagnostics, i),
           umaDiagnosticsGetMessage(diagnostics, i));
  umaDiagnosticsClear(diagnostics);
}

/* Reads a file. */
static unsigned char *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes;
  CHECK(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*size + 1);
  CHECK(bytes && fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

#endif /* UMA_TEST_CAPI_TOOL_H */
