/* mydev.h - Driver of the device. */

/* Functions return 0, or a status that ends the run. */
#ifndef MYDEV_H
#define MYDEV_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts to compute y[i] = x[i] * x[i]. */
int32_t mydev_square(const float *x, float *y, int64_t n);

/* Waits until the results are in memory. */
int32_t mydev_fence(void);

#ifdef __cplusplus
}
#endif

#endif /* MYDEV_H */
