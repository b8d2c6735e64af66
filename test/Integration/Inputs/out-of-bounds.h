//===- out-of-bounds.h - A hook of one's own for bounds -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TEST_OUT_OF_BOUNDS_H
#define UMA_TEST_OUT_OF_BOUNDS_H

#include <stdio.h>
#define UMA_ON_OUT_OF_BOUNDS(layer, buffer, index, size)                       \
  printf("layer '%s': index %ld is outside of '%s', which has %ld elements\n", \
         (layer), (long)(index), (buffer), (long)(size))

#endif // UMA_TEST_OUT_OF_BOUNDS_H
