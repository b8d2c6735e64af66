//===- Example.cpp - Example of an accelerator ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Files of `uma new NAME` without a header: three operators that show the most
// common statements and pass `uma check` and `uma test` unchanged.
//
//===----------------------------------------------------------------------===//

#include "ProjectFiles.h"

using namespace uma::draft;
using llvm::StringRef;

static constexpr llvm::StringLiteral kDescription =
    R"(# @name@: an example to start from. Each pattern is a piece of the graph that the device takes,
# and the call of C that it becomes. Sizes are names: they are the integers of the call.
accelerator @name@ {
  include "@name@.h"
  model "@name@_model.c"

  # One image, NCHW. `s` and `p` are any stride and padding, the same in both dimensions.
  pattern conv2d(x: f32[1, ic, ih, iw], w: const f32[oc, ic, kh, kw]) {
    y = conv2d(x, w, strides=[s, s], padding=[p, p, p, p])
    require ic * ih * iw <= 65536, "the device's buffer holds 65536 elements"
    call @name@_conv2d(x, w, y, ic, ih, iw, oc, kh, kw, s, p)
  }

  # A fully connected layer. Without a bias, `b` is a null pointer.
  pattern dense(x: f32[m, k], w: const f32[n, k], b: const f32[n]) {
    d = dense(x, w)
    y = optional bias_add(d, b)
    call @name@_dense(x, w, b, y, m, n, k)
  }

  # Tensors of any shape.
  pattern add(a: f32, b: f32) {
    y = add(a, b)
    require elements(a) == elements(y) && elements(b) == elements(y), "the device does not broadcast"
    call @name@_add(a, b, y, elements(y))
  }
}
)";

static constexpr llvm::StringLiteral kHeader =
    R"(/* The interface of @name@. Tensors are dense and row-major; each function returns 0, or a
 * status that stops the network's run. */
#ifndef @NAME@_H
#define @NAME@_H

#ifdef __cplusplus
extern "C" {
#endif

/* y[oc][oh][ow] = convolution of x[ic][ih][iw] by w[oc][ic][kh][kw], with `pad` zeros on each
 * side; oh = (ih + 2 * pad - kh) / stride + 1, and ow likewise. */
int @name@_conv2d(const float *x, const float *w, float *y, int ic, int ih, int iw, int oc,
                  int kh, int kw, int stride, int pad);

/* y[m][n] = x[m][k] * w[n][k], transposed, plus b[n] unless b is null. */
int @name@_dense(const float *x, const float *w, const float *b, float *y, int m, int n, int k);

/* y[i] = a[i] + b[i] for i in 0..count-1. */
int @name@_add(const float *a, const float *b, float *y, int count);

#ifdef __cplusplus
}
#endif

#endif /* @NAME@_H */
)";

static constexpr llvm::StringLiteral kModel =
    R"(/* A model of the device in plain C: what 'uma run' and 'uma test' call where there is no device. */
#include "@name@.h"

int @name@_conv2d(const float *x, const float *w, float *y, int ic, int ih, int iw, int oc,
                  int kh, int kw, int stride, int pad) {
  const int oh = (ih + 2 * pad - kh) / stride + 1;
  const int ow = (iw + 2 * pad - kw) / stride + 1;
  for (int o = 0; o < oc; ++o)
    for (int row = 0; row < oh; ++row)
      for (int column = 0; column < ow; ++column) {
        float sum = 0;
        for (int i = 0; i < ic; ++i)
          for (int ky = 0; ky < kh; ++ky)
            for (int kx = 0; kx < kw; ++kx) {
              const int iy = row * stride - pad + ky;
              const int ix = column * stride - pad + kx;
              if (iy >= 0 && iy < ih && ix >= 0 && ix < iw)
                sum += x[(i * ih + iy) * iw + ix] * w[((o * ic + i) * kh + ky) * kw + kx];
            }
        y[(o * oh + row) * ow + column] = sum;
      }
  return 0;
}

int @name@_dense(const float *x, const float *w, const float *b, float *y, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = b ? b[j] : 0;
      for (int p = 0; p < k; ++p)
        sum += x[i * k + p] * w[j * k + p];
      y[i * n + j] = sum;
    }
  return 0;
}

int @name@_add(const float *a, const float *b, float *y, int count) {
  for (int i = 0; i < count; ++i)
    y[i] = a[i] + b[i];
  return 0;
}
)";

std::vector<ProjectFile> uma::draft::makeExample(StringRef name) {
  return {{(name + ".uma").str(), fillIn(kDescription, name)},
          {(name + ".h").str(), fillIn(kHeader, name)},
          {(name + "_model.c").str(), fillIn(kModel, name)}};
}
