"""Operators whose operands or options are wrong or not supported: each gives one message."""
# RUN: %python -B %s %t | FileCheck %s

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

count = 0


def ints(*values) -> np.ndarray:
    return np.array(values, "int32")


def zeros(*shape) -> np.ndarray:
    return np.zeros(shape, "float32")


def refuse(operator: str, shape, *constants, options: str = "", results: int = 1, dtype: str = "float32", **values) -> None:
    """Writes a model of one operator on an input of this shape and these constants. None stands for the input."""
    global count
    count += 1
    model = Model()
    x = model.input("x", shape, dtype)
    operands = [model.constant(f"c{i}", c) if c is not None else x for i, c in enumerate(constants)]
    y = [model.tensor(f"y{i or ''}", ()) for i in range(results)]
    model.add(operator, operands if None in [c if c is None else 0 for c in constants] else [x, *operands], y, options, **values)
    model.refuse(f"{count:02}", y)


same = {"options": "Conv2D", "padding": "SAME", "stride_w": 1, "stride_h": 1}
# CHECK: 01.tflite: error: operator 'y' (CONV_2D): has no Conv2DOptions
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2))
# CHECK-NEXT: 02.tflite: error: operator 'y' (CONV_2D): input 'input' has the shape 4x4x2; expected 4 dimensions
refuse("CONV_2D", (4, 4, 2), zeros(3, 3, 3, 2), **same)
# CHECK-NEXT: 03.tflite: error: operator 'y' (CONV_2D): a filter for 3 channels does not fit data of 2 channels
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 3), **same)
# CHECK-NEXT: 04.tflite: error: operator 'y' (CONV_2D): has the stride 0 and the dilation 1; expected 1 or more
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2), **{**same, "stride_w": 0})
# CHECK-NEXT: 05.tflite: error: operator 'y' (CONV_2D): has the padding number 7; expected 0 (SAME) or 1 (VALID)
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2), **{**same, "padding": 7})
# CHECK-NEXT: 06.tflite: error: operator 'y' (CONV_2D): has the fused activation number 9, which the format does not have
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2), **same, fused_activation_function=9)
# CHECK-NEXT: 07.tflite: error: operator 'y' (CONV_2D): has the fused activation SIGN_BIT, which is not supported
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2), **same, fused_activation_function="SIGN_BIT")
# CHECK-NEXT: 08.tflite: error: operator 'y' (CONV_2D): bias has shape 4, expected 3
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2), zeros(4), **same)
# CHECK-NEXT: 09.tflite: error: operator 'y' (CONV_2D): has 4 inputs; expected at most 3
refuse("CONV_2D", (1, 4, 4, 2), zeros(3, 3, 3, 2), zeros(3), zeros(3), **same)
# CHECK-NEXT: 10.tflite: error: operator 'y' (DEPTHWISE_CONV_2D): a filter of the shape 1x3x3x5 does not fit data of 2 channels
refuse("DEPTHWISE_CONV_2D", (1, 4, 4, 2), zeros(1, 3, 3, 5), **{**same, "options": "DepthwiseConv2D"})
# CHECK-NEXT: 11.tflite: error: operator 'y' (MAX_POOL_2D): has a window of size 0; expected 1 or more
refuse("MAX_POOL_2D", (1, 4, 4, 2), options="Pool2D", stride_w=1, stride_h=1, filter_width=2)
# CHECK-NEXT: 12.tflite: error: operator 'y' (TRANSPOSE_CONV): a result of the size 9 does not fit data of the size 4 in dimension 1
refuse("TRANSPOSE_CONV", (1, 4, 4, 2), ints(1, 9, 8, 3), zeros(3, 2, 2, 2), None, **{**same, "options": "TransposeConv", "stride_w": 2, "stride_h": 2})
# CHECK-NEXT: 13.tflite: error: operator 'y' (FULLY_CONNECTED): data of the shape 2x3 have no rows of 4 elements, the size that the weights need
refuse("FULLY_CONNECTED", (2, 3), zeros(5, 4), options="FullyConnected")
# CHECK-NEXT: 14.tflite: error: operator 'y' (FULLY_CONNECTED): has shuffled weights, which are not supported
refuse("FULLY_CONNECTED", (2, 4), zeros(5, 4), options="FullyConnected", weights_format="SHUFFLED4x16INT8")
# CHECK-NEXT: 15.tflite: error: operator 'y' (ADD): {{.*}}2x3{{.*}}
refuse("ADD", (2, 3), zeros(4))
# CHECK-NEXT: 16.tflite: error: operator 'y' (RESHAPE): {{.*}}
refuse("RESHAPE", (2, 3), ints(4, 2))
# CHECK-NEXT: 17.tflite: error: operator 'y' (RESHAPE): has no ReshapeOptions
refuse("RESHAPE", (2, 3))
# CHECK-NEXT: 18.tflite: error: operator 'y' (RESHAPE): input 'shape' is tensor 'x', which depends on an input of the model; only constants are supported
refuse("RESHAPE", (2,), zeros(6), None, dtype="int32")
# CHECK-NEXT: 19.tflite: error: operator 'y' (RESHAPE): input 'shape' is no list of integers
refuse("RESHAPE", (2, 3), zeros(2))
# CHECK-NEXT: 20.tflite: error: operator 'y' (SQUEEZE): drops dimension 0 of 2x3, which is not 1
refuse("SQUEEZE", (2, 3), options="Squeeze", squeeze_dims=[0])
# CHECK-NEXT: 21.tflite: error: operator 'y' (EXPAND_DIMS): axis 3 is out of range; expected -3 to 2
refuse("EXPAND_DIMS", (2, 3), ints(3))
# CHECK-NEXT: 22.tflite: error: operator 'y' (MEAN): axis 2 is out of range; expected -2 to 1
refuse("MEAN", (2, 3), ints(2), options="Reducer")
# CHECK-NEXT: 23.tflite: error: operator 'y' (ARG_MAX): input 'axis' has 2 elements; expected one
refuse("ARG_MAX", (2, 3), ints(0, 1))
# CHECK-NEXT: 24.tflite: error: operator 'y' (SPLIT): has 2 results, which do not divide dimension 1 of 2x3
refuse("SPLIT", (2, 3), ints(1), None, results=2)
# CHECK-NEXT: 25.tflite: error: operator 'y' (SPLIT_V): has 2 results and 2 sizes, which do not make up dimension 1 of 2x3
refuse("SPLIT_V", (2, 3), ints(1, 1), ints(1), results=2)
# CHECK-NEXT: 26.tflite: error: operator 'y' (UNPACK): has 2 results; expected 3, the size of dimension 1
refuse("UNPACK", (2, 3), options="Unpack", axis=1, results=2)
# CHECK-NEXT: 27.tflite: error: operator 'y' (PACK): packs tensors of the shapes 2x3 and 3x2; expected equal shapes
refuse("PACK", (2, 3), zeros(3, 2), options="Pack")
# CHECK-NEXT: 28.tflite: error: operator 'y' (PAD): has 2 paddings; expected two for each dimension of 2x3
refuse("PAD", (2, 3), ints([1, 1]))
# CHECK-NEXT: 29.tflite: error: operator 'y' (PAD): has the negative padding -1
refuse("PAD", (2, 3), ints([0, 0], [0, -1]))
# CHECK-NEXT: 30.tflite: error: operator 'y' (MIRROR_PAD): pads dimension 1 of 2x3 by 3 and 0 elements, more than there are to mirror
refuse("MIRROR_PAD", (2, 3), ints([0, 0], [3, 0]), options="MirrorPad")
# CHECK-NEXT: 31.tflite: error: operator 'y' (TILE): has 1 multiples, or negative ones; expected one for each dimension of 2x3
refuse("TILE", (2, 3), ints(2))
# CHECK-NEXT: 32.tflite: error: operator 'y' (TILE): the result has the shape 2000000000x3, more than the supported 2 GiB
refuse("TILE", (2, 3), ints(1000000000, 1))
# CHECK-NEXT: 33.tflite: error: operator 'y' (SLICE): takes 2 elements from 2 on, beyond dimension 1 of 2x3
refuse("SLICE", (2, 3), ints(0, 2), ints(2, 2))
# CHECK-NEXT: 34.tflite: error: operator 'y' (STRIDED_SLICE): has a stride of 0
refuse("STRIDED_SLICE", (2, 3), ints(0), ints(1), ints(0), options="StridedSlice")
# CHECK-NEXT: 35.tflite: error: operator 'y' (STRIDED_SLICE): takes element 2 of dimension 0 of 2x3, which is out of range
refuse("STRIDED_SLICE", (2, 3), ints(2), ints(3), ints(1), options="StridedSlice", shrink_axis_mask=1)
# CHECK-NEXT: 36.tflite: error: operator 'y' (STRIDED_SLICE): slices more dimensions than 2x3 has
refuse("STRIDED_SLICE", (2, 3), ints(0, 0, 0), ints(1, 1, 1), ints(1, 1, 1), options="StridedSlice")
# CHECK-NEXT: 37.tflite: error: operator 'y' (GATHER): has 1 batch dimensions and takes along axis 0; supported are as many as are in front of it
refuse("GATHER", (2, 3), ints(0, 1), options="Gather", batch_dims=1)
# CHECK-NEXT: 38.tflite: error: operator 'y' (SPACE_TO_DEPTH): blocks of size 2 do not fit data of the shape 1x3x4x2
refuse("SPACE_TO_DEPTH", (1, 3, 4, 2), options="SpaceToDepth", block_size=2)
# CHECK-NEXT: 39.tflite: error: operator 'y' (SPACE_TO_BATCH_ND): blocks of size 2 do not divide the padded size 3 of dimension 1
refuse("SPACE_TO_BATCH_ND", (1, 3, 4, 2), ints(2, 2), ints([0, 0], [0, 0]))
# CHECK-NEXT: 40.tflite: error: operator 'y' (BATCH_TO_SPACE_ND): crops more than dimension 1 has
refuse("BATCH_TO_SPACE_ND", (4, 1, 1, 1), ints(2, 2), ints([2, 1], [0, 0]))
# CHECK-NEXT: 41.tflite: error: operator 'y' (RESIZE_BILINEAR): input 'size' does not hold two sizes of 1 or more
refuse("RESIZE_BILINEAR", (1, 4, 4, 2), ints(0, 3), options="ResizeBilinear")
# CHECK-NEXT: 42.tflite: error: operator 'y' (RESIZE_BILINEAR): needs a constant of the shape 100000000x2; more than 64 MiB of constants that are computed at compile time are not supported
refuse("RESIZE_BILINEAR", (1, 4, 4, 2), ints(100000000, 3), options="ResizeBilinear")
# CHECK-NEXT: 43.tflite: error: operator 'y' (LEAKY_RELU): has no LeakyReluOptions
refuse("LEAKY_RELU", (2, 3))
# CHECK-NEXT: 44.tflite: error: operator 'y' (QUANTIZE): the result has no scale
refuse("QUANTIZE", (2, 3))
# CHECK-NEXT: 45.tflite: error: operator 'y': the result has no elements: dimension 0 of 0x2 is 0
refuse("FILL", (), ints(0, 2), None)
