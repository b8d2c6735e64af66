//===- uma_profile.h - The profile hooks of bench/runner.c ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Generated C includes this file if it is compiled with -DUMA_PROFILE. With
// -DBENCH_REPEAT, the end of a layer jumps back to its beginning as often as
// bench_layer_again() says, to measure the layer alone and warm.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_UMA_PROFILE_H
#define BENCH_UMA_PROFILE_H

void bench_layer_begin(int index, const char *layer);
void bench_layer_end(int index);
int bench_layer_again(int index);

#ifdef BENCH_REPEAT
#define UMA_PROFILE_BEGIN(index, layer)                                        \
  bench_begin_##index : bench_layer_begin((index), (layer))
#define UMA_PROFILE_END(index, layer)                                          \
  do {                                                                         \
    if (bench_layer_again((index))) {                                          \
      goto bench_begin_##index;                                                \
    }                                                                          \
  } while (0)
#else
#define UMA_PROFILE_BEGIN(index, layer) bench_layer_begin((index), (layer))
#define UMA_PROFILE_END(index, layer) bench_layer_end((index))
#endif

#endif // BENCH_UMA_PROFILE_H
