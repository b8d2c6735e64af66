"""A plan of the CPU's layers that is printed and parsed gives the same C; edited by hand it gives other C and right numbers."""
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python -B %s > net.mlir
# RUN: uma compile net.mlir --kernels=winograd -o direct > /dev/null
# RUN: uma-opt net.mlir --uma-graph-default --uma-cpu-plan=winograd --mlir-print-debuginfo -o planned.mlir
# RUN: uma compile planned.mlir -o planned > /dev/null
# RUN: diff direct/net.c planned/net.c
# RUN: diff direct/net_weights.bin planned/net_weights.bin
# RUN: uma run planned.mlir --compare --cc %gcc --seed 3

# One layer directly instead of by Winograd's algorithm, with another tile; its schedule follows.
# RUN: grep -c 'winograd, tile = 4' planned.mlir
# RUN: sed '/@three_conv2d/ { s/#uma.cpu.kernel<winograd, tile = 4>/#uma.cpu.kernel<direct>/; s/, uma.schedules = .*>\]>\]/, uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 3x2x8>, <scalar, tile = 1x4x1>]>]/ }' planned.mlir > edited.mlir
# RUN: uma compile edited.mlir -o edited > /dev/null
# RUN: not diff planned/net.c edited/net.c > /dev/null
# RUN: grep -c three_winograd planned/net.c
# RUN: not grep three_winograd edited/net.c
# RUN: uma run edited.mlir --compare --cc %gcc --seed 3

# A pair of layers by hand, in other tiles; whole instead of tile by tile.
# RUN: grep -c 'tile_pair<packs = 3, slabs = 2>' planned.mlir
# RUN: sed 's|tile_pair<packs = 3, slabs = 2>|tile_pair<packs = 3, slabs = 7>|' planned.mlir > slabs.mlir
# RUN: uma run slabs.mlir --compare --cc %gcc --seed 3
# RUN: sed 's/, uma.tile_pair = #uma.cpu.tile_pair<packs = 3, slabs = 2>//' planned.mlir > whole.mlir
# RUN: uma run whole.mlir --compare --cc %gcc --seed 3

# Blocks of 8 channels instead of 16 between two layers.
# RUN: sed 's/\(@first_conv2d(.*-> (.*\)NCHW16c/\1NCHW8c/' planned.mlir > blocks.mlir
# RUN: not diff planned.mlir blocks.mlir > /dev/null
# RUN: not uma run blocks.mlir 2>&1 | FileCheck %s --check-prefix=BLOCKS
# BLOCKS: error: {{.*}}of layer 'first' has version 'avx512' in uma.schedules: a tile of 2 x 16 channels does not fit the channels' blocks of 8
# RUN: sed '/@first_conv2d(/ s/, uma.schedules = .*>\]>\]//' blocks.mlir > again.mlir
# RUN: uma run again.mlir --compare --cc %gcc --seed 3
# REQUIRES: full, gcc

import random

random.seed(0)


def weight(name: str, *shape: int) -> str:
    size = "x".join(map(str, shape))
    count = 1
    for extent in shape:
        count *= extent
    data = b"".join(__import__("struct").pack("<f", random.uniform(-0.1, 0.1)) for _ in range(count))
    return f'  %{name} = uma.graph.constant dense<"0x{data.hex().upper()}"> : tensor<{size}xf32>'


print(f"""func.func @main(%x: tensor<1x16x28x28xf32> {{uma.name = "x"}}) -> (tensor<1x96x14x14xf32> {{uma.name = "y"}}) attributes {{uma.network = "net"}} {{
{weight("w0", 64, 16, 1, 1)}
{weight("w1", 64, 64, 3, 3)}
{weight("w2", 96, 64, 1, 1)}
{weight("w3", 96, 1, 3, 3)}
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x16x28x28xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x28x28xf32> loc("first")
  %1 = uma.graph.conv2d %0, %w1 padding [1, 1, 1, 1] : (tensor<1x64x28x28xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x28x28xf32> loc("three")
  %2 = uma.graph.conv2d %1, %w2 : (tensor<1x64x28x28xf32>, tensor<96x64x1x1xf32>) -> tensor<1x96x28x28xf32> loc("wide")
  %3 = uma.graph.conv2d %2, %w3 strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x28x28xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x14x14xf32> loc("deep")
  return %3 : tensor<1x96x14x14xf32>
}}""")
