/* The mistakes that compare-faults.py looks for: each a plausible bug of a
 * device, or of its model. */
#include "faulty.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int is(const char *fault) {
  const char *wanted = getenv("FAULT");
  return wanted != NULL && strcmp(wanted, fault) == 0;
}

static int recurse(volatile int *depth) {
  volatile char frame[4096];
  frame[0] = (char)++*depth;
  return recurse(depth) + frame[0];
}

/* What goes wrong before a result is computed; 0 if nothing does. */
static int begin(const float *x, const float *w, float *y, int size,
                 int inputs) {
  volatile int zero = 0;
  if (is("crash"))
    *(volatile int *)(intptr_t)zero = 1;
  if (is("abort"))
    abort();
  if (is("exit"))
    exit(0);
  if (is("division"))
    zero = size / zero;
  if (is("recursion"))
    return recurse(&zero);
  while (is("hang"))
    zero = 0;
  if (is("status"))
    return 7;
  if (is("writes-input"))
    ((float *)(uintptr_t)x)[inputs - 1] = 0.5f;
  if (is("writes-weights"))
    ((float *)(uintptr_t)w)[0] = 0.5f;
  if (is("behind-by-a-byte"))
    ((char *)(y + size))[0] = 1;
  if (is("in-front"))
    y[-1] = 0.0f;
  if (is("clears-too-much"))
    memset(y, 0, ((size_t)size + 8) * sizeof(float));
  return 0;
}

/* What goes wrong afterwards. */
static void end(float *y, int size) {
  static int calls = 0;
  static float kept = 0.0f;
  ++calls;
  if (is("first-element"))
    y[0] = 0.0f;
  if (is("one-element"))
    y[size / 2] += 0.01f;
  if (is("nan"))
    y[size - 1] = NAN;
  if (is("infinity"))
    y[size / 3] = INFINITY;
  if (is("zeros"))
    memset(y, 0, (size_t)size * sizeof(float));
  if (is("fifth-call") && calls == 5)
    y[1] = 3.0f;
  if (is("kept-sum"))
    y[2] += kept;
  kept = y[2];
  for (int i = 0; i < size; ++i) {
    if (is("scale"))
      y[i] *= 1.001f;
    if (is("relu") && y[i] < 0.0f)
      y[i] = 0.0f;
    if (is("saturates") && y[i] > 0.9f)
      y[i] = 0.9f;
    if (is("brain-float")) {
      uint32_t bits;
      memcpy(&bits, &y[i], sizeof(bits));
      bits &= 0xffff0000u;
      memcpy(&y[i], &bits, sizeof(bits));
    }
  }
}

int faulty_conv2d(const float *x, const float *w, float *y, int oc, int ic,
                  int ih, int iw, int kh, int kw) {
  const int size = oc * ih * iw;
  static float first_weight = 0.0f;
  int status = begin(x, w, y, size, ic * ih * iw);
  if (status != 0)
    return status;
  if (is("swapped-sizes")) {
    int swapped = ih;
    ih = iw;
    iw = swapped;
  }
  for (int o = 0; o < oc; ++o) {
    if (is("skipped-channel") && o == oc - 1)
      break;
    for (int r = 0; r < ih; ++r) {
      for (int c = 0; c < iw; ++c) {
        float sum = 0.0f;
        for (int k = 0; k < ic; ++k) {
          if (is("skipped-input-channel") && k == ic - 1)
            continue;
          for (int i = 0; i < kh; ++i) {
            for (int j = 0; j < kw; ++j) {
              /* The odd element of the border belongs behind the data. */
              int row = r + i - (is("wrong-side") ? kh / 2 + 1 : kh / 2);
              int column = c + j - kw / 2;
              int at = is("flipped-kernel") ? kh - 1 - i : i;
              if (is("transposed-kernel") && kh == kw) {
                at = j;
              }
              if (is("wraps-around") && column >= iw)
                column -= iw;
              else if (is("reads-behind") && row == ih && k == ic - 1)
                row = ih;
              else if (row < 0 || row >= ih || column < 0 || column >= iw)
                continue;
              if (is("transposed-kernel") && kh == kw)
                sum += x[(k * ih + row) * iw + column] *
                       w[((o * ic + k) * kh + at) * kw + i];
              else
                sum += x[(k * ih + row) * iw + column] *
                       w[((o * ic + k) * kh + at) * kw + j];
            }
          }
        }
        if (is("row-behind") && r == ih - 1 && o == oc - 1)
          y[(o * ih + r + 1) * iw + c] = sum;
        if (is("accumulates"))
          y[(o * ih + r) * iw + c] += sum;
        else if (is("channels-last"))
          y[(r * iw + c) * oc + o] = sum;
        else if (!(is("skipped-corner") && r == 0 && c == iw - 1 && o == 0))
          y[(o * ih + r) * iw + c] = sum;
      }
    }
  }
  if (is("kept-weights") && first_weight != 0.0f)
    y[0] += first_weight - w[0];
  first_weight = w[0];
  end(y, size);
  return 0;
}

int faulty_dense(const float *x, const float *w, float *y, int n, int k) {
  if (is("dense-crash"))
    *(volatile int *)(intptr_t)0 = 1;
  for (int i = 0; i < n; ++i) {
    float sum = 0.0f;
    for (int j = 0; j < k - (is("short-sum") ? 1 : 0); ++j)
      sum += x[j] * w[i * k + j];
    y[i] = sum;
  }
  return 0;
}

int faulty_bias(const float *x, const float *b, float *y, int n) {
  while (is("bias-hang")) {
  }
  for (int i = 0; i < n; ++i)
    y[i] = x[i] + (is("no-bias") ? 0.0f : b[i]);
  if (is("bias-behind"))
    y[n] = 1.0f;
  return is("bias-status") ? -4 : 0;
}
