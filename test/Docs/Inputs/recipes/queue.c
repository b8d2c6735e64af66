#include "queue.h"

static struct {
  const float *x;
  float *y;
  int n;
} queue[16];
static int queued;

int npu_relu(const float *x, float *y, int n) {
  if (queued == 16)
    return 1;
  queue[queued].x = x;
  queue[queued].y = y;
  queue[queued++].n = n;
  return 0;
}

int npu_wait(void) {
  for (int job = 0; job < queued; ++job)
    for (int i = 0; i < queue[job].n; ++i)
      queue[job].y[i] = queue[job].x[i] > 0.0f ? queue[job].x[i] : 0.0f;
  queued = 0;
  return 0;
}
