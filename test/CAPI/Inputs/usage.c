/*===- usage.c - A program with the compiler ------------------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* usage MODEL FOLDER [NAME=VALUE...]
 *
 * Explains MODEL in FOLDER.json, imports it to FOLDER.mlir and compiles it to
 * FOLDER: once from the file and once from its bytes, which must agree. */

#include "tool.h"

#include <string.h>

static void writeText(const char *folder, const char *extension,
                      const char *text) {
  char path[4096];
  FILE *file;
  CHECK(strlen(folder) + strlen(extension) < sizeof(path));
  strcpy(path, folder);
  strcat(path, extension);
  file = fopen(path, "wb");
  CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

int main(int argc, char **argv) {
  umaDiagnostics *diagnostics = umaDiagnosticsCreate();
  umaOptions *options = umaOptionsCreate();
  umaModel *file = NULL, *memory = NULL;
  char *json = NULL, *text = NULL, *again = NULL;
  size_t size;
  unsigned char *bytes;
  int i;
  CHECK(argc > 2 && diagnostics && options);
  for (i = 3; i < argc; ++i) {
    char *value = strchr(argv[i], '=');
    CHECK(value);
    *value++ = '\0';
    CHECK(umaOptionsSet(options, argv[i], value, diagnostics) == UMA_SUCCESS);
  }
  CHECK(umaModelFromFile(argv[1], &file, diagnostics) == UMA_SUCCESS);
  bytes = readFile(argv[1], &size);
  CHECK(umaModelFromBytes(bytes, size, argv[1], &memory, diagnostics) ==
        UMA_SUCCESS);
  /* The library has a copy. */
  memset(bytes, 0, size);
  free(bytes);

  CHECK(umaImport(file, options, &text, diagnostics) == UMA_SUCCESS);
  CHECK(umaImport(memory, options, &again, diagnostics) == UMA_SUCCESS);
  CHECK(strcmp(text, again) == 0);
  writeText(argv[2], ".mlir", text);
  umaFreeString(again);

  CHECK(umaExplain(file, options, &json, diagnostics) == UMA_SUCCESS);
  CHECK(umaExplain(memory, options, &again, NULL) == UMA_SUCCESS);
  CHECK(strcmp(json, again) == 0);
  writeText(argv[2], ".json", json);

  report(argv[1], umaCompile(memory, options, argv[2], diagnostics),
         diagnostics);
  umaFreeString(json);
  umaFreeString(text);
  umaFreeString(again);
  umaModelDestroy(file);
  umaModelDestroy(memory);
  umaOptionsDestroy(options);
  umaDiagnosticsDestroy(diagnostics);
  return 0;
}
