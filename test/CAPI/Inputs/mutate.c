/*===- mutate.c - Damaged models in memory --------------------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* mutate MODEL COUNT: imports the first bytes of a model, and the model with
 * changed bytes, COUNT times each. */

#include "tool.h"

static int failures, successes;

static void load(const unsigned char *bytes, size_t size) {
  umaDiagnostics *diagnostics = umaDiagnosticsCreate();
  umaModel *model = NULL;
  char *text = NULL;
  umaStatus status =
      umaModelFromBytes(bytes, size, "model", &model, diagnostics);
  CHECK((status == UMA_SUCCESS) == (model != NULL));
  if (model)
    status = umaImport(model, NULL, &text, diagnostics);
  CHECK(status == UMA_SUCCESS || status == UMA_BAD_INPUT ||
        status == UMA_NOT_SUPPORTED);
  CHECK((status == UMA_SUCCESS) == (text != NULL));
  if (status == UMA_SUCCESS) {
    ++successes;
  } else {
    size_t i, errors = 0;
    for (i = 0; i < umaDiagnosticsGetCount(diagnostics); ++i)
      errors += umaDiagnosticsGetSeverity(diagnostics, i) == UMA_SEVERITY_ERROR;
    if (errors == 0)
      report("an error without a message", status, diagnostics);
    CHECK(errors > 0);
    ++failures;
  }
  umaFreeString(text);
  umaModelDestroy(model);
  umaDiagnosticsDestroy(diagnostics);
}

int main(int argc, char **argv) {
  size_t size, i, k, count;
  unsigned char *bytes;
  unsigned random = 1;
  CHECK(argc == 3);
  count = (size_t)atoi(argv[2]);
  bytes = readFile(argv[1], &size);
  for (i = 0; i < count; ++i)
    load(bytes, size * i / count);
  for (i = 0; i < count; ++i) {
    size_t where[3];
    unsigned char old[3];
    for (k = 0; k < 3; ++k) {
      random = random * 1103515245u + 12345u;
      where[k] = (random >> 8) % size;
      old[k] = bytes[where[k]];
      bytes[where[k]] = (unsigned char)(random >> 16);
    }
    load(bytes, size);
    for (k = 3; k-- > 0;)
      bytes[where[k]] = old[k];
  }
  load(bytes, size);
  printf("%s failures, %s successes\n", failures ? "some" : "no",
         successes ? "some" : "no");
  free(bytes);
  return 0;
}
