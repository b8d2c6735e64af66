#include "dma.h"
#include <string.h>

static unsigned char sram[2048];

int npu_load(int to, const void *from, int bytes) {
  if (to < 0 || bytes < 0 || to + bytes > 2048)
    return 1;
  memcpy(sram + to, from, (size_t)bytes);
  return 0;
}

int npu_store(void *to, int from, int bytes) {
  if (from < 0 || bytes < 0 || from + bytes > 2048)
    return 1;
  memcpy(to, sram + from, (size_t)bytes);
  return 0;
}

static float at(int address, int index) {
  float value;
  memcpy(&value, sram + address + 4 * index, 4);
  return value;
}

int npu_dense(int x, int w, int y, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < k; ++l)
        sum += at(x, i * k + l) * at(w, j * k + l);
      memcpy(sram + y + 4 * (i * n + j), &sum, 4);
    }
  return 0;
}
