/* A hook of one's own, for -include. */
#include <stdio.h>
#define UMA_ON_OUT_OF_BOUNDS(layer, buffer, index, size)                       \
  printf("layer '%s': index %ld is outside of '%s', which has %ld elements\n", \
         (layer), (long)(index), (buffer), (long)(size))
