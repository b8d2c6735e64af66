//===- npu.h - Functions of a device --------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

int npu_dense(const float *x, const float *w, float *y, int n, int m, int k);
int npu_relu(const float *x, float *y, int n);
