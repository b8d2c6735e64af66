"""Layers with states, and custom operators, that are wrong or not supported: each gives one message."""
# RUN: %python -B %s %t | FileCheck %s

import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

count = 0


def zeros(*shape: int) -> np.ndarray:
    return np.zeros(shape, "float32")


def refuse(operator: str, shape, operands, **values) -> None:
    """Operands are constants, sizes of variables, or None for an omitted one; the first is an input."""
    global count
    count += 1
    model = Model()
    indices = [model.input("x", shape)]
    for i, operand in enumerate(operands):
        if isinstance(operand, tuple):
            indices.append(model.tensor(f"state{i}", operand, is_variable=True))
        else:
            indices.append(-1 if operand is None else model.constant(f"c{i}", operand))
    y = model.tensor("y", ())
    model.add(operator, indices, [y], **values)
    model.refuse(f"{count:02}", [y])


def lstm(changes, shape=(1, 2, 4), operator: str = "UNIDIRECTIONAL_SEQUENCE_LSTM", **values) -> None:
    operands = [zeros(5, 4)] * 4 + [zeros(5, 5)] * 4 + [None] * 3 + [zeros(5)] * 4 + [None] * 2 + [(1, 5)] * 2 + [None] * 4
    for index, value in changes.items():
        operands[index - 1] = value
    options = {"options": "UnidirectionalSequenceLSTM", "fused_activation_function": "TANH", **values}
    refuse(operator, shape, operands, **options)


# CHECK: 01.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has no UnidirectionalSequenceLSTMOptions
lstm({}, options="")
# CHECK-NEXT: 02.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has the activation RELU6; supported are NONE, RELU and TANH
lstm({}, fused_activation_function="RELU6")
# CHECK-NEXT: 03.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has diagonal recurrent weights, which is not supported
lstm({}, diagonal_recurrent_tensors=True)
# CHECK-NEXT: 04.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has a projection, which is not supported
lstm({16: zeros(3, 5)})
# CHECK-NEXT: 05.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has layer normalization, which is not supported
lstm({21: zeros(5)})
# CHECK-NEXT: 06.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has some inputs of 'input_to_input_weights', 'recurrent_to_input_weights' and 'input_gate_bias', but not all
lstm({1: None})
# CHECK-NEXT: 07.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): has some inputs of 'cell_to_input_weights', 'cell_to_forget_weights' and 'cell_to_output_weights', but not all of its gates
lstm({9: zeros(5), 10: zeros(5)})
# CHECK-NEXT: 08.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): input 'output_state' is tensor 'c17', which is no variable
lstm({18: zeros(1, 5)})
# CHECK-NEXT: 09.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): input 'input' has the shape 2x4; expected 3 dimensions
lstm({}, shape=(2, 4))
# CHECK-NEXT: 10.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): input 'recurrent_to_cell_weights' has the shape 5; expected 2 dimensions
lstm({7: zeros(5)})
# CHECK-NEXT: 11.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): recurrence has shape {{.*}}
lstm({7: zeros(4, 5)})
# CHECK-NEXT: 12.tflite: error: operator 'y' (UNIDIRECTIONAL_SEQUENCE_LSTM): initial_h has shape {{.*}}
lstm({18: (1, 4)})
# CHECK-NEXT: 13.tflite: error: operator 'y' (LSTM): has the kernel BASIC; supported is FULL
lstm({}, operator="LSTM", shape=(2, 4), options="LSTM", kernel_type="BASIC")
# CHECK-NEXT: 14.tflite: error: operator 'y' (RNN): input 'bias' has the shape 1x5; expected 1 dimension
refuse("RNN", (1, 4), [zeros(5, 4), zeros(5, 5), zeros(1, 5), (1, 5)], options="RNN")
# CHECK-NEXT: 15.tflite: error: operator 'y' (SVDF): has the rank 4, which does not divide 6 filters
refuse("SVDF", (1, 4), [zeros(6, 4), zeros(6, 3), None, (1, 18)], options="SVDF", rank=4)
# CHECK-NEXT: 16.tflite: error: operator 'y' (SVDF): has the rank 0, which does not divide 6 filters
refuse("SVDF", (1, 4), [zeros(6, 4), zeros(6, 3), None, (1, 18)], options="SVDF")
# CHECK-NEXT: 17.tflite: error: operator 'y' (SVDF): weights over time of the shape 6x3 and a state of the shape 1x17 do not fit 6 filters and a batch of 1
refuse("SVDF", (1, 4), [zeros(6, 4), zeros(6, 3), None, (1, 17)], options="SVDF", rank=2)

bias = {"custom": "Convolution2DTransposeBias"}
operands = [zeros(3, 2, 2, 2), zeros(3)]
# CHECK-NEXT: 18.tflite: error: operator 'y' (custom 'Convolution2DTransposeBias'): has 0 bytes of options; expected at least 12
refuse("CUSTOM", (1, 4, 4, 2), operands, **bias)
# CHECK-NEXT: 19.tflite: error: operator 'y' (custom 'Convolution2DTransposeBias'): has the padding 3; expected 1 (same) or 2 (valid)
refuse("CUSTOM", (1, 4, 4, 2), operands, **bias, custom_options=struct.pack("<iii", 3, 1, 1))
# CHECK-NEXT: 20.tflite: error: operator 'y' (custom 'Convolution2DTransposeBias'): has the stride 0; expected 1 or more
refuse("CUSTOM", (1, 4, 4, 2), operands, **bias, custom_options=struct.pack("<iii", 1, 0, 1))
# CHECK-NEXT: 21.tflite: error: operator 'y' (custom 'Convolution2DTransposeBias'): has the stride -2; expected 1 or more
refuse("CUSTOM", (1, 4, 4, 2), operands, **bias, custom_options=struct.pack("<iii", 2, -2, -2))
# CHECK-NEXT: 22.tflite: error: operator 'y' (custom 'Convolution2DTransposeBias'): the result has the shape 1x3x5x6442450943, more than the supported 2 GiB
refuse("CUSTOM", (1, 4, 4, 2), operands, **bias, custom_options=struct.pack("<iii", 2, 2**31 - 1, 1))


def refuse_variables(build) -> None:
    """`build` adds operators to a model with the input `x` of 1x4 and a handle, and returns the outputs."""
    global count
    count += 1
    model = Model()
    handle = model.tensor("handle", (), "RESOURCE")
    model.add("VAR_HANDLE", [], [handle], "VarHandle", container="", shared_name="state")
    model.refuse(f"{count:02}", build(model, model.input("x", (1, 4)), handle))


def read(model: Model, handle: int, shape=(1, 4), dtype: str = "float32") -> int:
    result = model.tensor("read", shape, dtype)
    model.add("READ_VARIABLE", [handle], [result])
    return result


def read_twice(model: Model, x: int, handle: int) -> list[int]:
    return [read(model, handle), read(model, handle, (4,))]


# CHECK-NEXT: 23.tflite: error: operator 'read' (READ_VARIABLE): variable 'state' is tensor<1x4xf32>, but it is tensor<4xf32> here
refuse_variables(read_twice)


def assign_other(model: Model, x: int, handle: int) -> list[int]:
    model.add("ASSIGN_VARIABLE", [handle, x], [])
    return [read(model, handle, (1, 4), "int32")]


# CHECK-NEXT: 24.tflite: error: operator 'read' (READ_VARIABLE): variable 'state' is tensor<1x4xf32>, but it is tensor<1x4xi32> here
refuse_variables(assign_other)


def read_input(model: Model, x: int, handle: int) -> list[int]:
    return [read(model, x)]


# CHECK-NEXT: 25.tflite: error: operator 'read' (READ_VARIABLE): input 'resource_id' is tensor 'x', which depends on an input of the model; only constants are supported
refuse_variables(read_input)


def add_handle(model: Model, x: int, handle: int) -> list[int]:
    y = model.tensor("y", (1, 4))
    model.add("ADD", [x, handle], [y], "Add")
    return [y]


# CHECK-NEXT: 26.tflite: error: operator 'y' (ADD): input 'b' is tensor 'handle', the handle of a variable
refuse_variables(add_handle)


def start_with_read(model: Model, x: int, handle: int) -> list[int]:
    with model.body() as start:
        inner = model.tensor("inner", (), "RESOURCE")
        model.add("VAR_HANDLE", [], [inner], "VarHandle", container="", shared_name="state")
        model.add("ASSIGN_VARIABLE", [inner, read(model, inner)], [])
    model.add("CALL_ONCE", [], [], "CallOnce", init_subgraph_index=start)
    return [read(model, handle)]


# CHECK-NEXT: 27.tflite: error: operator 'read' (READ_VARIABLE): reads a variable before the first run, which is not supported
refuse_variables(start_with_read)
# CHECK-NEXT: 28.tflite: error: output 'handle' is the handle of a variable, which is not supported
refuse_variables(lambda model, x, handle: [read(model, handle), handle])
