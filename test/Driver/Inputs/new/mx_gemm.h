/* mx_gemm.h - MX-1 matrix engine: host interface.
 *
 * (c) Matrix Devices. All matrices are dense, row-major and 4-byte aligned.
 */
#ifndef MX_GEMM_H_
#define MX_GEMM_H_

#include <stdint.h>

#define MX_API_VERSION_MAJOR 2
#define MX_API_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/* Status of a command. */
typedef enum mx_status {
  MX_OK = 0,
  MX_ERR_BAD_SIZE = -1,
  MX_ERR_TIMEOUT = -2
} mx_status_t;

/* Powers the engine up. Call once before any other function. */
mx_status_t mx_init(void);

/*
 * C = A * B, with A of M x K, B of K x N and C of M x N elements.
 * lda, ldb and ldc are the distances between two rows.
 */
mx_status_t mx_gemm_f32(const float *a, int lda, const float *b, int ldb,
                        float *c, int ldc, int m, int n, int k);

/* y[i] = max(x[i], 0). */
mx_status_t mx_relu_f32(const float *x, float *y, int n);

/* y = a + b, element by element. */
mx_status_t mx_add_f32(const float *a, const float *b, float *y, int n);

/* Waits until all commands are done. */
mx_status_t mx_wait(void);

uint32_t mx_version(void);
const char *mx_status_string(mx_status_t status);

#ifdef __cplusplus
}
#endif

#endif /* MX_GEMM_H_ */
