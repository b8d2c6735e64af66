# Where the tensors of a network are: in one arena with its inputs and outputs, in several memories, on hosts and boards.
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t && %python %s %t/net.onnx
# RUN: uma run %t/net.onnx --cpu=cortex-m4 --io=inside --compare --seeds=3 | FileCheck %s --check-prefix=EQUAL
# RUN: uma run %t/net.onnx --cpu=cortex-m4 --memory=tcm=3K --memory=sram=16K --compare --seeds=3 | FileCheck %s --check-prefix=EQUAL
# RUN: uma run %t/net.onnx --memory=tcm=3K --memory=sram=64K --io=inside --compare --seeds=3 | FileCheck %s --check-prefix=EQUAL
# EQUAL: out: equal to the reference interpreter

# The arena holds more than without inputs and outputs, and the C has no parameters for them.
# RUN: uma compile %t/net.onnx --cpu=cortex-m4 --io=inside --project=make,arduino -o %t/inside
# RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/inside/src/net.h
# RUN: FileCheck %s --check-prefix=SKETCH --input-file=%t/inside/examples/net/net.ino
# HEADER:      #define NET_WORKSPACE_SIZE [[#SIZE:]]
# HEADER:      #define NET_INPUT_IMAGE_OFFSET [[#%d,OFFSET:]]{{$}}
# HEADER-NEXT: #define NET_INPUT_IMAGE(workspace) ((float *)(void *)((unsigned char *)(workspace) + NET_INPUT_IMAGE_OFFSET))
# HEADER:      which also hold the inputs and outputs. Write every
# HEADER:      int32_t net_run(void *UMA_RESTRICT workspace);
# SKETCH:      net_run(workspace);

# RUN: uma compile %t/net.onnx --cpu=cortex-m4 --memory=tcm=3K --memory=sram=16K --io=inside --weights=image -o %t/memories
# RUN: FileCheck %s --check-prefix=MEMORIES --input-file=%t/memories/net.h
# RUN: FileCheck %s --check-prefix=METADATA --input-file=%t/memories/metadata.json
# MEMORIES: #define NET_MEMORY_TCM_SIZE {{[1-9][0-9]*$}}
# MEMORIES: #define NET_MEMORY_SRAM_SIZE {{[1-9][0-9]*$}}
# MEMORIES: int32_t net_run(void *UMA_RESTRICT tcm, void *UMA_RESTRICT sram);
# MEMORIES: int32_t net_run_with_weights(void *UMA_RESTRICT tcm, void *UMA_RESTRICT sram, const void *weights);
# METADATA: "memories": [
# METADATA: "parameter": "tcm"

# Tensors in the workspace count once.
# RUN: uma compile %t/net.onnx --cpu=cortex-m4 --io=inside --format=mlf -o %t/mlf
# RUN: FileCheck %s --check-prefix=MLF --input-file=%t/mlf/metadata.json
# MLF: "io_size_bytes": 0,

# An arena that nothing fits into, in NCHW, where no chain can be split.
# RUN: not uma compile %t/net.onnx --arena=1K -o %t/no 2>&1 | FileCheck %s --check-prefix=ARENA
# ARENA:      error: network 'net' needs {{[0-9]+}} bytes of workspace, {{[0-9]+}} more than the capacity of 1024
# ARENA-NEXT: note: {{.*}}the peak of {{[0-9]+}} live bytes is at layer '{{.*}}'; live are

# Both build as C and C++, and run with sanitizers: the example fills made-up inputs in the arena.
# RUN: make -s -C %t/inside CFLAGS="-O1 -g -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined -fno-sanitize-recover" LDFLAGS="-fsanitize=address,undefined"
# RUN: %t/inside/build/net | FileCheck %s --check-prefix=OUT
# RUN: make -s -C %t/memories CFLAGS="-O1 -g -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined -fno-sanitize-recover" LDFLAGS="-fsanitize=address,undefined"
# RUN: %t/memories/build/net | FileCheck %s --check-prefix=OUT
# OUT: out:

# Wrong numbers and names.
# RUN: not uma compile %t/net.onnx --arena=0 -o %t/no 2>&1 | FileCheck %s --check-prefix=ZERO
# RUN: not uma compile %t/net.onnx --arena=12KB -o %t/no 2>&1 | FileCheck %s --check-prefix=UNIT
# RUN: not uma compile %t/net.onnx --memory=sram -o %t/no 2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not uma compile %t/net.onnx --memory=sram=1K --arena=1K -o %t/no 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: not uma compile %t/net.onnx --cpu=cortex-m4 --memory=sram=1K -o %t/no 2>&1 | FileCheck %s --check-prefix=FIT
# RUN: not ls %t/no
# ZERO: uma: error: --arena=0: expected a number of bytes above 0, such as 32768 or 32K
# UNIT: uma: error: --arena=12KB: expected a number of bytes above 0
# NAME: uma: error: --memory=sram: expected a name and a number of bytes, such as dtcm=64K
# BOTH: expected either memories or one capacity (an arena)
# FIT:  error: network 'net' does not fit: memory 'sram' needs {{[0-9]+}} bytes more than its 1024
# FIT:  note: the largest buffers are
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

generator = np.random.default_rng(1)
weights = [generator.standard_normal(shape).astype(np.float32) / 4 for shape in [(8, 3, 3, 3), (8, 8, 3, 3), (4, 8, 1, 1)]]
nodes = [helper.make_node("Conv", ["image", "w0"], ["a"], "conv0", pads=[1, 1, 1, 1]),
         helper.make_node("Relu", ["a"], ["b"], "relu"),
         helper.make_node("Conv", ["b", "w1"], ["c"], "conv1", pads=[1, 1, 1, 1]),
         helper.make_node("Add", ["b", "c"], ["d"], "add"),
         helper.make_node("Conv", ["d", "w2"], ["out"], "conv2")]
graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 10, 10])],
                          [helper.make_tensor_value_info("out", TensorProto.FLOAT, [1, 4, 10, 10])],
                          [numpy_helper.from_array(weight, f"w{i}") for i, weight in enumerate(weights)])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), sys.argv[1])
