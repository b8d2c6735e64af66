"""Convolutions that Vanilla cannot run: each runs on the CPU, for the right reason and with the right numbers."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import sys

from convolution import Convolution, check

folder = sys.argv[1]
same = (1, 1, 1, 1)

check(Convolution("stride_2", (1, 8, 14, 14), (8, 8, 3, 3), strides=(2, 2), padding=same), folder)
check(Convolution("pad_0", (1, 8, 14, 14), (8, 8, 3, 3)), folder)
check(Convolution("pad_2", (1, 8, 14, 14), (8, 8, 3, 3), padding=(2, 2, 2, 2)), folder)
check(Convolution("dilation_2", (1, 8, 14, 14), (8, 8, 3, 3), dilations=(2, 2), padding=(2, 2, 2, 2)), folder)
check(Convolution("groups_2", (1, 8, 14, 14), (8, 4, 3, 3), padding=same, groups=2), folder)
check(Convolution("depthwise", (1, 8, 14, 14), (8, 1, 3, 3), padding=same, groups=8), folder)
check(Convolution("kernel_2x2", (1, 8, 14, 14), (8, 8, 2, 2), padding=(0, 0, 1, 1)), folder)
check(Convolution("batch_2", (2, 8, 14, 14), (8, 8, 3, 3), padding=same), folder)
check(Convolution("half", (1, 8, 14, 14), (8, 8, 3, 3), padding=same, dtype="float16"), folder)
check(Convolution("int8", (1, 8, 14, 14), (8, 8, 3, 3), padding=same, dtype="int8"), folder, mlir=True)
check(Convolution("nhwc", (1, 14, 14, 8), (3, 3, 8, 8), padding=same, layout="NHWC", kernel_layout="HWIO"), folder,
      mlir=True)
check(Convolution("asymmetric", (1, 8, 14, 14), (8, 8, 3, 3), padding=(2, 0, 0, 2)), folder)

# CHECK: stride_2: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 28 224 conv2d 'conv': strides is [2, 2], the pattern wants [1, 1]
# CHECK: pad_0: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 82 944 conv2d 'conv': padding is [0, 0, 0, 0], the pattern wants same, which is [1, 1, 1, 1] here
# CHECK: pad_2: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 147 456 conv2d 'conv': padding is [2, 2, 2, 2], the pattern wants same, which is [1, 1, 1, 1] here
# CHECK: dilation_2: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 112 896 conv2d 'conv': dilations is [2, 2], the pattern wants [1, 1]
# CHECK: groups_2: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 56 448 conv2d 'conv': groups is 2, the pattern wants 1
# CHECK: depthwise: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 14 112 conv2d 'conv': groups is 8, the pattern wants 1
# CHECK: kernel_2x2: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 50 176 conv2d 'conv': same padding needs an odd kernel (kh % 2 == 1 && kw % 2 == 1 with kh = 2, kw = 2)
# CHECK: batch_2: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 225 792 conv2d 'conv': ifmap has size 2 in dimension 0, the pattern wants 1
# CHECK: half: 0 calls, targets ['cpu', 'cpu', 'cpu'], interpreter equal, numpy equal; explain: cpu 112 896 conv2d 'conv': ifmap is f16, the pattern wants f32
# CHECK: int8: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 112 896 conv2d 'conv': ifmap is i8, the pattern wants f32
# CHECK: nhwc: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 112 896 conv2d 'conv': data_layout is NHWC, the pattern wants its default NCHW; layout conv2d "NCHW" "OIHW" in the accelerator would convert the graph
# CHECK: asymmetric: 0 calls, targets ['cpu'], interpreter equal, numpy equal; explain: cpu 112 896 conv2d 'conv': padding is [2, 0, 0, 2], the pattern wants same, which is [1, 1, 1, 1] here
