"""Convolutions that Vanilla runs: one call of the device each, with the right numbers."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import sys

from convolution import Convolution, check

folder = sys.argv[1]
check(Convolution("tutorial", (1, 32, 14, 14), (32, 32, 3, 3), padding=(1, 1, 1, 1)), folder)
check(Convolution("kernel_1x1", (1, 5, 6, 7), (3, 5, 1, 1)), folder)
check(Convolution("kernel_5x5", (1, 4, 12, 12), (6, 4, 5, 5), padding=(2, 2, 2, 2)), folder)
check(Convolution("kernel_3x5", (1, 2, 9, 6), (4, 2, 3, 5), padding=(1, 2, 1, 2)), folder)
check(Convolution("wide", (1, 3, 5, 17), (7, 3, 3, 3), padding=(1, 1, 1, 1)), folder)
check(Convolution("tall", (1, 3, 17, 5), (7, 3, 3, 3), padding=(1, 1, 1, 1)), folder)
check(Convolution("one_channel", (1, 1, 4, 4), (1, 1, 3, 3), padding=(1, 1, 1, 1)), folder)
check(Convolution("one_pixel", (1, 4, 1, 1), (2, 4, 3, 3), padding=(1, 1, 1, 1)), folder)
check(Convolution("weights_given", (1, 3, 8, 8), (5, 3, 3, 3), padding=(1, 1, 1, 1)), folder, mlir=True)

# CHECK: tutorial: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 1 806 336
# CHECK: kernel_1x1: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 630
# CHECK: kernel_5x5: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 86 400
# CHECK: kernel_3x5: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 6 480
# CHECK: wide: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 16 065
# CHECK: tall: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 16 065
# CHECK: one_channel: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 144
# CHECK: one_pixel: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 72
# CHECK: weights_given: 1 calls, targets ['vanilla'], interpreter equal, numpy equal; explain: vanilla 8 640
