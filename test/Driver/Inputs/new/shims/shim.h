/* shim.h - Functions of plain numbers that fill the structs of tc.h and
 * fz_npu.h. */
#ifndef SHIM_H
#define SHIM_H
int tc_shim(const float *x, const float *w, const float *b, float *y, int ic,
            int ih, int iw, int oc, int kh, int kw, int sh, int sw, int pad,
            int act);
int fz_shim(const float *x, const float *w, const float *b, const float *r,
            float *y, int n, int ic, int ih, int iw, int oc, int oh, int ow,
            int kh, int kw, int sh, int sw, int top, int left, int dh, int dw,
            int groups, int relu);
#endif
