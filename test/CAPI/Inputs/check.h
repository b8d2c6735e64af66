/*===- check.h - Assertions of tests in C -*- C
-*--------------------------===*\
|*                                                                            *|
|* Part of the uma project, under the Apache License v2.0.                    *|
|* SPDX-License-Identifier: Apache-2.0                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef UMA_TEST_CAPI_CHECK_H
#define UMA_TEST_CAPI_CHECK_H

#include "uma-c/uma.h"

#include <stdio.h>
#include <stdlib.h>

/* Ends the program unless `condition` holds. */
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#endif /* UMA_TEST_CAPI_CHECK_H */
