//===- uma_profile.h - The profile hooks of bench/runner.c ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Generated C includes this file if it is compiled with -DUMA_PROFILE.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_UMA_PROFILE_H
#define BENCH_UMA_PROFILE_H

void bench_layer_begin(int index, const char *layer);
void bench_layer_end(int index);

#define UMA_PROFILE_BEGIN(index, layer) bench_layer_begin((index), (layer))
#define UMA_PROFILE_END(index, layer) bench_layer_end((index))

#endif // BENCH_UMA_PROFILE_H
