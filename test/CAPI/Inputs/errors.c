/*===- errors.c - Wrong calls of the C library ----------------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* errors MODEL FOLDER */

#include "tool.h"

#include <limits.h>
#include <string.h>

int main(int argc, char **argv) {
  umaDiagnostics *d = umaDiagnosticsCreate();
  umaOptions *o = umaOptionsCreate();
  umaModel *model = NULL, *other = NULL;
  char *text = NULL, path[4096];
  size_t size, i;
  unsigned char *bytes;
  const char *const names[] = {"alpha", NULL};
  CHECK(argc == 3 && d && o);
  bytes = readFile(argv[1], &size);
  CHECK(umaModelFromBytes(bytes, size, "digits", &model, d) == UMA_SUCCESS);

#define SET(name, value)                                                       \
  report(name "=" value, umaOptionsSet(o, name, value, d), d)
  SET("cpus", "cortex-m4");
  SET("", "cortex-m4");
  SET("x\x1b[31m", "1");
  SET("cpu", "cortex-m5");
  SET("kernels", "vectors");
  SET("math", "");
  SET("arena", "12Q");
  SET("arena", "-1");
  SET("memory", "dtcm");
  SET("shape", "x");
  SET("const", "x");
  SET("accelerators", "vanilla,");
  SET("policy", "Cost");
  SET("cpu-cycles-per-mac", "nan");
  SET("cpu-cycles-per-mac", "0");
  SET("project", "make,bazel");
  SET("source-size", "0");
  SET("debug-bounds", "yes");

#define NONE(call) report(#call, call, d)
  NONE(umaOptionsSet(NULL, "cpu", "native", d));
  NONE(umaOptionsSet(o, NULL, "native", d));
  NONE(umaOptionsSet(o, "cpu", NULL, d));
  NONE(umaModelFromFile(NULL, &other, d));
  NONE(umaModelFromFile("a", NULL, d));
  NONE(umaModelFromBytes(NULL, 0, "a", &other, d));
  NONE(umaModelFromBytes("a", 1, "a", NULL, d));
  NONE(umaImport(NULL, o, &text, d));
  NONE(umaImport(model, o, NULL, d));
  NONE(umaExplain(NULL, o, &text, d));
  NONE(umaExplain(model, o, NULL, d));
  NONE(umaCompile(NULL, o, "folder", d));
  NONE(umaCompile(model, o, NULL, d));
  NONE(umaCompile(model, o, "", d));
  CHECK(umaOptionsSet(NULL, NULL, NULL, NULL) == UMA_INVALID_ARGUMENT);
  CHECK(umaModelFromFile(NULL, NULL, NULL) == UMA_INVALID_ARGUMENT);
  CHECK(umaModelFromBytes(NULL, 0, NULL, NULL, NULL) == UMA_INVALID_ARGUMENT);
  CHECK(umaImport(NULL, NULL, NULL, NULL) == UMA_INVALID_ARGUMENT);
  CHECK(umaExplain(NULL, NULL, NULL, NULL) == UMA_INVALID_ARGUMENT);
  CHECK(umaCompile(NULL, NULL, NULL, NULL) == UMA_INVALID_ARGUMENT);
  CHECK(umaSuggest(NULL, names, 1, &text) == UMA_INVALID_ARGUMENT && !text);
  CHECK(umaSuggest("a", NULL, 1, &text) == UMA_INVALID_ARGUMENT);
  CHECK(umaSuggest("a", names, 2, &text) == UMA_INVALID_ARGUMENT);
  CHECK(umaSuggest("a", names, 1, NULL) == UMA_INVALID_ARGUMENT);
  umaDiagnosticsDestroy(NULL);
  umaDiagnosticsClear(NULL);
  umaOptionsDestroy(NULL);
  umaModelDestroy(NULL);
  umaFreeString(NULL);
  CHECK(umaDiagnosticsGetCount(NULL) == 0);
  for (i = 0; i < 2; ++i) {
    const umaDiagnostics *list = i ? d : NULL;
    CHECK(umaDiagnosticsGetSeverity(list, SIZE_MAX) == UMA_SEVERITY_NONE);
    CHECK(*umaDiagnosticsGetWhere(list, SIZE_MAX) == '\0');
    CHECK(*umaDiagnosticsGetMessage(list, SIZE_MAX) == '\0');
  }
  CHECK(*umaGetSeverityName((umaSeverity)INT_MAX) == '\0');
  CHECK(*umaGetSeverityName(UMA_SEVERITY_NONE) == '\0');
  CHECK(!umaOptionsGetName(umaOptionsGetCount()));
  CHECK(!umaOptionsGetHelp(SIZE_MAX));

  report("no such file", umaModelFromFile("none.onnx", &other, d), d);
  report("no model", umaModelFromFile(argv[0], &other, d), d);
  report("no bytes", umaModelFromBytes("", 0, NULL, &other, d), d);
  report("archive", umaModelFromBytes("PK\3\4", 4, "a\nb", &other, d), d);
  CHECK(!other);

  CHECK(umaModelFromBytes(bytes, size / 2, "half.onnx", &other, d) ==
        UMA_SUCCESS);
  text = argv[0];
  report("truncated", umaImport(other, NULL, &text, d), d);
  CHECK(!text);
  umaModelDestroy(other);
  CHECK(umaModelFromBytes("\x1c\0\0\0TFL3....", 12, "half.tflite", &other, d) ==
        UMA_SUCCESS);
  report("truncated", umaExplain(other, NULL, &text, d), d);
  umaModelDestroy(other);
  CHECK(umaModelFromBytes("ML\xefR\6", 5, "half.mlirbc", &other, d) ==
        UMA_SUCCESS);
  report("truncated", umaCompile(other, NULL, argv[2], d), d);
  umaModelDestroy(other);
  CHECK(umaModelFromBytes("hello\n", 6, NULL, &other, d) == UMA_SUCCESS);
  report("text", umaCompile(other, NULL, argv[2], d), d);
  umaModelDestroy(other);
  CHECK(umaModelFromBytes("module {}", 9, NULL, &other, d) == UMA_SUCCESS);
  report("empty module", umaCompile(other, NULL, argv[2], d), d);
  umaModelDestroy(other);

  CHECK(umaOptionsSet(o, "accelerators", "vanila", d) == UMA_SUCCESS);
  report("accelerator", umaCompile(model, o, argv[2], d), d);
  report("accelerator", umaExplain(model, o, &text, d), d);
  CHECK(umaOptionsSet(o, "accelerators", "", d) == UMA_SUCCESS);
  CHECK(umaOptionsSet(o, "accelerators", argv[1], d) == UMA_SUCCESS);
  report("no description", umaCompile(model, o, argv[2], d), d);
  CHECK(umaOptionsSet(o, "accelerators", "", d) == UMA_SUCCESS);
  CHECK(umaOptionsSet(o, "lower", "disabled=x", d) == UMA_SUCCESS);
  report("lower", umaCompile(model, o, argv[2], d), d);
  CHECK(umaOptionsSet(o, "lower", "", d) == UMA_SUCCESS);
  CHECK(umaOptionsSet(o, "tuning", "none.json", d) == UMA_SUCCESS);
  report("tuning", umaCompile(model, o, argv[2], d), d);
  CHECK(umaOptionsSet(o, "tuning", "", d) == UMA_SUCCESS);
  CHECK(umaOptionsSet(o, "shape", "y=1x2", d) == UMA_SUCCESS);
  report("shape", umaCompile(model, o, argv[2], d), d);
  CHECK(umaOptionsSet(o, "shape", "", d) == UMA_SUCCESS);
  CHECK(umaOptionsSet(o, "rounding", "tflite", d) == UMA_SUCCESS);
  report("rounding", umaCompile(model, o, argv[2], d), d);
  CHECK(umaOptionsSet(o, "rounding", "float", d) == UMA_SUCCESS);

  CHECK(strlen(argv[1]) + 3 < sizeof(path));
  strcpy(path, argv[1]);
  strcat(path, "/x");
  report("folder in a file", umaCompile(model, o, path, d), d);

  /* What was wrong is forgotten. */
  report("right", umaCompile(model, o, argv[2], d), d);
  umaModelDestroy(model);
  umaOptionsDestroy(o);
  umaDiagnosticsDestroy(d);
  free(bytes);
  return 0;
}
