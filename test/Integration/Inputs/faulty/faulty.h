//===- faulty.h - A device whose model is wrong -------------------*- C -*-===//

#ifndef FAULTY_H
#define FAULTY_H
int faulty_conv2d(const float *x, const float *w, float *y, int oc, int ic,
                  int ih, int iw, int kh, int kw);
int faulty_dense(const float *x, const float *w, float *y, int n, int k);
int faulty_bias(const float *x, const float *b, float *y, int n);
#endif
