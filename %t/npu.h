int npu_conv(const float *x, const float *w, const float *b, float *y, int oc, int ic, int ih, int iw, int k, int s, int act, double top);
int npu_pool(const float *x, float *y, int c, int n);
