/*===- threads.c - The C library in several threads -----------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* threads MODEL FOLDER PLUGIN: several threads share a model and its options.
 */

#include "check.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 3 };

static umaModel *model;
static umaOptions *options;
static const char *folder;

static void *compile(void *argument) {
  char path[4096];
  int round;
  CHECK(strlen(folder) + 2 < sizeof(path));
  strcpy(path, folder);
  strcat(path, argument);
  for (round = 0; round < ROUNDS; ++round) {
    umaDiagnostics *diagnostics = umaDiagnosticsCreate();
    umaModel *wrong = NULL;
    char *json = NULL;
    CHECK(diagnostics);
    CHECK(umaCompile(model, options, path, diagnostics) == UMA_SUCCESS);
    CHECK(umaExplain(model, options, &json, diagnostics) == UMA_SUCCESS);
    CHECK(strstr(json, "\"layers\""));
    CHECK(umaDiagnosticsGetCount(diagnostics) == 0);
    /* Errors of one thread are not those of another. */
    CHECK(umaModelFromBytes("wrong", 5, argument, &wrong, NULL) == UMA_SUCCESS);
    CHECK(umaImport(wrong, NULL, &json, diagnostics) == UMA_BAD_INPUT);
    CHECK(umaDiagnosticsGetCount(diagnostics) == 1);
    CHECK(strncmp(umaDiagnosticsGetWhere(diagnostics, 0), argument, 1) == 0);
    umaModelDestroy(wrong);
    umaDiagnosticsDestroy(diagnostics);
  }
  return NULL;
}

int main(int argc, char **argv) {
  static char names[THREADS][2] = {"0", "1", "2", "3"};
  pthread_t threads[THREADS];
  int i;
  CHECK(argc == 4);
  folder = argv[2];
  options = umaOptionsCreate();
  CHECK(options);
  CHECK(umaModelFromFile(argv[1], &model, NULL) == UMA_SUCCESS);
  CHECK(umaOptionsSet(options, "accelerators", argv[3], NULL) == UMA_SUCCESS);
  for (i = 0; i < THREADS; ++i)
    CHECK(pthread_create(&threads[i], NULL, compile, names[i]) == 0);
  for (i = 0; i < THREADS; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  umaModelDestroy(model);
  umaOptionsDestroy(options);
  return 0;
}
