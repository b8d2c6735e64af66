/* The profile hooks of emitted C, for bench/runner.c: how long each layer of a
 * run takes. */
#ifndef BENCH_UMA_PROFILE_H
#define BENCH_UMA_PROFILE_H

void bench_layer_begin(int index, const char *layer);
void bench_layer_end(int index);

#define UMA_PROFILE_BEGIN(index, layer) bench_layer_begin((index), (layer))
#define UMA_PROFILE_END(index, layer) bench_layer_end((index))

#endif /* BENCH_UMA_PROFILE_H */
