"""Tensors, graphs and files that are wrong or not supported: each gives one message."""
# RUN: %python -B %s %t | FileCheck %s

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

count = 0


def graph(shape=(1, 4), dtype: str = "float32", operator: str = "RELU", options: str = "", **fields):
    """A model of one operator, with fields for its input."""
    model = Model()
    model.x = model.input("x", shape, dtype, **fields)
    model.y = model.tensor("y", shape, "float32")
    model.add(operator, [model.x], [model.y], options)
    return model


def write(model: Model, outputs=None) -> None:
    global count
    count += 1
    model.refuse(f"{count:02}", [model.y] if outputs is None else outputs)


# CHECK: 01.tflite: error: tensor 'x' has the negative size -1 in dimension 0
write(graph((-1, 4)))
# CHECK-NEXT: 02.tflite: error: tensor 'x' has the shape 65536x65536, more than the supported 2 GiB
write(graph((65536, 65536)))
# CHECK-NEXT: 03.tflite: error: tensor 'x' has the shape 1x1073741824, more than the supported 2 GiB
write(graph((1, 1 << 30)))
# CHECK-NEXT: 04.tflite: error: input 'x' of the shape 0x4 has no elements, which is not supported
write(graph((0, 4)))
# CHECK-NEXT: 05.tflite: error: tensor 'x' has 33 dimensions, more than the supported 32
write(graph((1,) * 33))
# CHECK-NEXT: 06.tflite: error: tensor 'x' has the element type STRING, which is not supported; supported are BOOL, FLOAT16, BFLOAT16, FLOAT32, FLOAT64, the integers of 8 to 64 bits, and INT4 for constants
write(graph(dtype="STRING"))
# CHECK-NEXT: 07.tflite: error: tensor 'x' has the element type INT4, which
write(graph(dtype="INT4"))
# CHECK-NEXT: 08.tflite: error: tensor 'x' has the element type number 77, which
write(graph(dtype=77))
# CHECK-NEXT: 09.tflite: error: tensor 'x' is stored in buffer 7, but the file has only 1
write(graph(buffer=7))
# CHECK-NEXT: 10.tflite: error: tensor 'x' has the scale 0; expected a positive number
write(graph(dtype="int8", scale=0))
# CHECK-NEXT: 11.tflite: error: tensor 'x' has the scale -0.5; expected a positive number
write(graph(dtype="int8", scale=-0.5))
# CHECK-NEXT: 12.tflite: error: tensor 'x' has a zero point outside of its element type INT8
write(graph(dtype="int8", scale=0.5, zero=128))
# CHECK-NEXT: 13.tflite: error: tensor 'x' of the shape 1x4 has 3 scales along dimension 1; expected one for each index there
write(graph(dtype="int8", scale=[1, 2, 3], axis=1))
# CHECK-NEXT: 14.tflite: error: tensor 'x' of the shape 1x4 has 4 scales along dimension 2; expected one for each index there
write(graph(dtype="int8", scale=[1, 2, 3, 4], axis=2))
# CHECK-NEXT: 15.tflite: error: tensor 'x' has 4 scales and 2 zero points; expected as many
write(graph(dtype="int8", scale=[1, 2, 3, 4], zero=[0, 0], axis=1))
# CHECK-NEXT: 16.tflite: error: operator 'y' (RELU): input 'x' is tensor 'x' of INT8 without a scale; expected floats or quantized integers
write(graph(dtype="int8"))
# CHECK-NEXT: 17.tflite: error: tensor 'x' has a quantization other than scales and zero points, which is not supported; blocks are, for constants
model = graph(dtype="int8", scale=1)
model.graph["tensors"][0]["quantization"] |= {"details_type": "CustomQuantization", "details": {"custom": [1]}}
write(model)
# CHECK-NEXT: 18.tflite: error: tensor 'x' is sparse, which is supported for constants
write(graph(sparsity={}))

# Constants.
# CHECK-NEXT: 19.tflite: error: tensor 'w' of the shape 1x4 needs 16 bytes of data, but the file has 12
model = graph(operator="ADD")
model.graph["operators"][0]["inputs"].append(model.constant("w", np.zeros(3, "float32"), shape=(1, 4)))
write(model)
# CHECK-NEXT: 20.tflite: error: tensor 'w' is stored behind the flatbuffer, which is not supported
model = graph(operator="ADD")
model.graph["operators"][0]["inputs"].append(model.constant("w", np.zeros(4, "float32")))
model.json["buffers"][1] = {"offset": 1000, "size": 16}
write(model)

# Graphs.
# CHECK-NEXT: 21.tflite: error: operator 'y' (RELU): input 'x' is tensor 9, but the file has only 2
model = graph()
model.graph["operators"][0]["inputs"] = [9]
write(model)
# CHECK-NEXT: 22.tflite: error: operator 'y' (RELU): has no input 'x'
model = graph()
model.graph["operators"][0]["inputs"] = [-1]
write(model)
# CHECK-NEXT: 23.tflite: error: operator 'RELU_0' (RELU): a result is tensor 9, but the file has only 2
model = graph()
model.graph["operators"][0]["outputs"] = [9]
write(model)
# CHECK-NEXT: 24.tflite: error: operator 'RELU_0' (RELU): has no results
model = graph()
model.graph["operators"][0]["outputs"] = []
write(model)
# A cycle: the operators of a file are in the order in which they run.
# CHECK-NEXT: 25.tflite: error: operator 'y' (RELU): input 'x' is tensor 'y', which is no constant, no input of the model and no result of an operator before this one
model = graph()
model.graph["operators"][0]["inputs"] = [model.y]
write(model)
# CHECK-NEXT: 26.tflite: error: operator 'y' (RELU): its result tensor 'y' is also a constant, an input of the model or the result of an operator before this one
model = graph()
model.add("RELU", [model.x], [model.y])
write(model)
# CHECK-NEXT: 27.tflite: error: tensor 'x' is an input of the graph, and also a constant or another input
model = graph()
model.graph["inputs"].append(model.x)
write(model)
# CHECK-NEXT: 28.tflite: error: an input of the graph is tensor -5, but the file has only 2
model = graph()
model.graph["inputs"].append(-5)
write(model)
# CHECK-NEXT: 29.tflite: error: an output of the graph is tensor 2, but the file has only 2
write(graph(), [2])
# CHECK-NEXT: 30.tflite: error: has no outputs
write(graph(), [])
# CHECK-NEXT: 31.tflite: error: output 'z' is no result of any operator
model = graph()
write(model, [model.tensor("z", (1,))])
# CHECK-NEXT: 32.tflite: error: operator 0 has the code 3, but the file has only 1
model = graph()
model.graph["operators"][0]["opcode_index"] = 3
write(model)
# CHECK-NEXT: 33.tflite: error: operator 'y' (RELU): the result has the shape 1x4, but tensor 'y' is declared with 4x1
model = graph()
model.graph["tensors"][1]["shape"] = [4, 1]
write(model)
# CHECK-NEXT: 34.tflite: error: operator 'y' (RELU): the result has elements of f32, but tensor 'y' is declared with i32
model = graph()
model.graph["tensors"][1]["type"] = "INT32"
write(model)
# CHECK-NEXT: 35.tflite: error: operator 'y' (RELU): has 2 results; expected 1
model = graph()
model.graph["operators"][0]["outputs"].append(model.tensor("z", (1, 4)))
write(model)
# CHECK-NEXT: 36.tflite: error: operator 'y' (RELU): has 2 inputs; expected at most 1
model = graph()
model.graph["operators"][0]["inputs"] = [model.x, model.x]
write(model)

# Files.
# CHECK-NEXT: 37.tflite: error: has version 2 of the TensorFlow Lite format; supported is 3
model = graph()
model.json["version"] = 2
write(model)
# CHECK-NEXT: 38.tflite: error: has no graph
model = graph()
model.json["subgraphs"] = []
write(model, [])
# Every operator without a rule, in one message.
# CHECK-NEXT: 39.tflite: error: 3 operators are not supported: SKIP_GRAM (2 times), custom 'Mine' (1 time), number 300 (1 time)
model = graph()
for operator in "SKIP_GRAM", "CUSTOM", 300, "SKIP_GRAM":
    model.add(operator, [], [model.y], custom="Mine" if operator == "CUSTOM" else "")
write(model)


# Scales of blocks.
def blocks(size: int, numbers, **fields) -> Model:
    model = graph(operator="ADD")
    scale = model.constant("s", numbers)
    details = {"scales": scale, "zero_points": -1, "block_size": size, **fields}
    quantization = {"details_type": "BlockwiseQuantization", "details": details}
    model.graph["operators"][0]["inputs"].append(model.constant("w", np.ones((1, 4), "int8"), quantization=quantization))
    return model


# CHECK-NEXT: 40.tflite: error: tensor 'w' of the shape 1x4 has scales for blocks of 3 elements; expected a divisor of the last size
write(blocks(3, np.ones(1, "float32")))
# CHECK-NEXT: 41.tflite: error: tensor 'w' has 2 blocks, but tensor 's' has 3 scales
write(blocks(2, np.ones(3, "float32")))
# CHECK-NEXT: 42.tflite: error: tensor 'w' has blocks, but tensor 9 with their scales is no constant without blocks
write(blocks(2, np.ones(2, "float32"), scales=9))
# CHECK-NEXT: 43.tflite: error: tensor 'w' has blocks, but tensor 0 with their zero points is no constant without blocks
write(blocks(2, np.ones(2, "float32"), zero_points=0))
# CHECK-NEXT: 44.tflite: error: tensor 'w' has blocks whose scales, tensor 's', are no floats
write(blocks(2, np.ones(2, "int32")))
