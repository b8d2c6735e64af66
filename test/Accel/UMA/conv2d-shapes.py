"""What TVM's tests of UMA lower: convolutions of images of 224x224 and 224x320 by kernels of 3, 5 and 7, each one call
with the reference's numbers."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/../../Integration/Inputs %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import sys

from convolution import Convolution, check

for height, width, kernel in [(224, 224, 3), (224, 224, 5), (224, 224, 7), (224, 320, 7), (320, 224, 7)]:
    pad = kernel // 2
    check(Convolution(f"conv_{height}x{width}_{kernel}", (1, 3, height, width), (4, 3, kernel, kernel),
                      padding=(pad, pad, pad, pad)), sys.argv[1])

# CHECK: conv_224x224_3: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 5 419 008
# CHECK: conv_224x224_5: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 15 052 800
# CHECK: conv_224x224_7: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 29 503 488
# CHECK: conv_224x320_7: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 42 147 840
# CHECK: conv_320x224_7: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 42 147 840
