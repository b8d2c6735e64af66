/*===- small.c - Versions, texts and names --------------------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "check.h"

#include <string.h>

int main(void) {
  const char *const names[] = {"alpha", "beta"};
  char *text = NULL;
  size_t i;
  printf("uma %s (MLIR %s), interface %d\n", umaGetVersion(),
         umaGetMLIRVersion(), (int)umaGetAPIVersion());
  CHECK(umaGetAPIVersion() == UMA_C_API_VERSION);
  CHECK(umaSuggest("alhpa", names, 2, &text) == UMA_SUCCESS);
  printf("alhpa%s\n", text);
  umaFreeString(text);
  CHECK(umaSuggest("omega", names, 2, &text) == UMA_SUCCESS && !*text);
  umaFreeString(text);
  CHECK(umaSuggest("a", NULL, 0, &text) == UMA_SUCCESS && !*text);
  umaFreeString(text);
  for (i = 0; i < umaOptionsGetCount(); ++i) {
    CHECK(i == 0 || strcmp(umaOptionsGetName(i - 1), umaOptionsGetName(i)) < 0);
    printf("%s: %s\n", umaOptionsGetName(i), umaOptionsGetHelp(i));
  }
  return 0;
}
