"""Branches and loops that are wrong or not supported: each gives one message."""
# RUN: %python -B %s %t | FileCheck %s

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

count = 0


def refuse(operator: str, operands, make, results: int = 1, **values) -> None:
    """`make` makes a body from its inputs' indices and returns its outputs. Both bodies of the operator are this one."""
    global count
    count += 1
    model = Model()
    indices = [model.input(f"x{i}", o.shape, o.dtype.name) if isinstance(o, np.ndarray) else model.constant(f"c{i}", o[0]) for i, o in enumerate(operands)]
    outputs: list[int] = []
    with model.body(outputs) as body:
        inner = [model.input(f"b{i}", (o if isinstance(o, np.ndarray) else o[0]).shape) for i, o in enumerate(operands[operator == "IF" :])]
        outputs += make(model, *inner)
    names = ("then_subgraph_index", "else_subgraph_index") if operator == "IF" else ("cond_subgraph_index", "body_subgraph_index")
    options = {name: body for name in names}
    y = [model.tensor(f"y{i or ''}", ()) for i in range(results)]
    model.add(operator, indices, y, **{"options": operator.title(), **options, **values})
    model.refuse(f"{count:02}", y)


def relu(model: Model, x: int):
    y = model.tensor("r", (2, 3))
    model.add("RELU", [x], [y])
    return [y]


def true(model: Model, x: int):
    return [model.constant("true", np.array([True]))]


x, yes = np.zeros((2, 3), "float32"), (np.array([True]),)
# CHECK: 01.tflite: error: operator 'y' (IF): has no IfOptions
refuse("IF", [yes, x], relu, options="")
# CHECK-NEXT: 02.tflite: error: operator 'y' (IF): the condition is no single bool
refuse("IF", [x, x], relu)
# CHECK-NEXT: 03.tflite: error: operator 'y' (IF): its body is subgraph 7, but the file has only 2
refuse("IF", [yes, x], relu, then_subgraph_index=7)
# CHECK-NEXT: 04.tflite: error: operator 'y' (IF): its body is subgraph -1, but the file has only 2
refuse("IF", [yes, x], relu, then_subgraph_index=-1)
# CHECK-NEXT: 05.tflite: error: operator 'y' (IF): has 2 results, but its body has 1 outputs
refuse("IF", [yes, x], relu, results=2)
# CHECK-NEXT: 06.tflite: error: operator 'y' (IF): an output of its body is tensor 9, but the file has only 1
refuse("IF", [yes, x], lambda model, x: [9])
# CHECK-NEXT: 07.tflite: error: operator 'y' (IF): output 't' of its body is no result of any operator
refuse("IF", [yes, x], lambda model, x: [model.tensor("t", (2, 3))])
# CHECK-NEXT: 08.tflite: error: operator 'y' (IF): its body has 0 inputs; expected 1
refuse("IF", [yes, x], lambda model, x: [model.graph["inputs"].clear() or x])
# CHECK-NEXT: 09.tflite: error: operator 'y' (IF): the operand has the shape 2x3, but tensor 'b0' is declared with 3x2
refuse("IF", [yes, x], lambda model, x: [model.graph["tensors"][0].update(shape=[3, 2]) or x])
# CHECK-NEXT: 10.tflite: error: operator 'y' (WHILE): the condition is no single bool
refuse("WHILE", [x], relu)
# CHECK-NEXT: 11.tflite: error: operator 'y' (WHILE): its condition has 2 outputs; expected one
refuse("WHILE", [x], lambda model, x: [x, x])
# CHECK-NEXT: 12.tflite: error: operator 'y' (WHILE): the operand has elements of i1, but tensor 'b0' is declared with f32
refuse("WHILE", [x], true)


def endless(model: Model, x: int):
    flag = model.tensor("flag", (1,), "bool")
    model.graph["tensors"][0].update(shape=[1], type="BOOL")
    model.add("LOGICAL_NOT", [model.constant("no", np.array([False]))], [flag])
    return [flag]


# CHECK-NEXT: 13.tflite: error: operator 'y' (WHILE): loops would be unrolled to more than 20000 operators, which is not supported
refuse("WHILE", [yes], endless)
# CHECK-NEXT: 14.tflite: error: operator 'y' (WHILE): its condition depends on an input of the model, or is too large to be computed; only loops whose number of steps is known are supported
refuse("WHILE", [np.array([True])], lambda model, x: [model.graph["tensors"][0].update(shape=[1], type="BOOL") or x])


def itself(model: Model, x: int):
    y = model.tensor("y", (2, 3))
    yes = model.constant("yes", np.array([True]))
    model.add("IF", [yes, x], [y], "If", then_subgraph_index=1, else_subgraph_index=1)
    return [y]


# CHECK-NEXT: 15.tflite: error: operator 'y' (IF): is 2000 subgraphs deep, which is not supported
refuse("IF", [yes, x], itself)
# CHECK-NEXT: 16.tflite: error: 1 operator is not supported: SKIP_GRAM (1 time)
refuse("IF", [yes, x], lambda model, x: [model.add("SKIP_GRAM", [x], [x]) or x])
