/* Calls the functions of unsigned.mlir with elements above 127. */
#include <stdint.h>
#include <stdio.h>

int32_t conv2d(const uint8_t *, const int8_t *, int32_t *, void *);
int32_t dense(const uint8_t *, const uint8_t *, uint32_t *, void *);
int32_t clip(const uint8_t *, uint8_t *, void *);
int32_t clip_none(const uint8_t *, uint8_t *, void *);
int32_t relu(const uint8_t *, uint8_t *, void *);
int32_t max_pool2d(const uint8_t *, uint8_t *, void *);
int32_t divide(const uint8_t *, const uint8_t *, uint8_t *, void *);
int32_t widen(const uint8_t *, float *, void *);
int32_t narrow(const float *, uint8_t *, void *);

int main(void) {
  const uint8_t pixels[2] = {200, 255}, weights[2] = {1, 255};
  const int8_t kernel[2] = {-1, 2};
  const uint8_t limits[2] = {0, 255}, data[2] = {200, 3}, divisors[2] = {3, 2};
  const float floats[2] = {200.7f, 3.0f};
  int32_t sum;
  uint32_t product;
  uint8_t bytes[2];
  float result[2];

  conv2d(pixels, kernel, &sum, NULL);
  printf("conv2d %d\n", (int)sum);
  dense(pixels, weights, &product, NULL);
  printf("dense %u\n", (unsigned)product);
  clip(limits, bytes, NULL);
  printf("clip %d %d\n", bytes[0], bytes[1]);
  clip_none(limits, bytes, NULL);
  printf("clip_none %d %d\n", bytes[0], bytes[1]);
  relu(data, bytes, NULL);
  printf("relu %d %d\n", bytes[0], bytes[1]);
  max_pool2d(data, bytes, NULL);
  printf("max_pool2d %d\n", bytes[0]);
  divide(data, divisors, bytes, NULL);
  printf("divide %d %d\n", bytes[0], bytes[1]);
  widen(data, result, NULL);
  printf("widen %.1f %.1f\n", result[0], result[1]);
  narrow(floats, bytes, NULL);
  printf("narrow %d %d\n", bytes[0], bytes[1]);
  return 0;
}
