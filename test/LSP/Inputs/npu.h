int npu_dense(const float *x, const float *w, float *y, int n, int m, int k);
int npu_relu(const float *x, float *y, int n);
