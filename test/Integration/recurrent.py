"""Recurrent layers of each kind and width, on vectors and without: the C's numbers are the interpreter's."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t && %python -B %s > %t/net.mlir
# RUN: uma compile %t/net.mlir -o %t/c && cd %t/c
# RUN: env CFLAGS="-O1 -DUMA_LANES=1" uma run %t/c --compare --seeds 1 --cc %gcc | FileCheck %s
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=16 -Wno-psabi" uma run %t/c --compare --seeds 1 --cc %gcc | FileCheck %s %}
# Packages build with the strict flags of gcc; here clang.
# RUN: %if full %{ cd %t/c && %clang %strict -O1 -c recurrent.c %}
# CHECK-COUNT-150: equal
# CHECK-NOT: DIFFERENT

import random

body: list[str] = []
results: list[str] = []
inputs: dict[str, str] = {}
constants: dict[str, str] = {}
values = random.Random(1)


def get_type(shape: list[int]) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def get_input(shape: list[int]) -> str:
    name = "%x" + "_".join(map(str, shape))
    inputs[name] = get_type(shape)
    return name


def get_weights(shape: list[int]) -> str:
    name = "%w" + "_".join(map(str, shape))
    if name not in constants:
        count = 1
        for extent in shape:
            count *= extent
        data = [values.uniform(-1, 1) / shape[-1] ** 0.5 for _ in range(count)]

        def write(shape: list[int], begin: int) -> str:
            if not shape:
                return f"{data[begin]:.6e}"
            step = 1
            for extent in shape[1:]:
                step *= extent
            return "[" + ", ".join(write(shape[1:], begin + i * step) for i in range(shape[0])) + "]"

        constants[name] = f"{name} = uma.graph.constant dense<{write(shape, 0)}> : {get_type(shape)}"
        body.append(constants[name])
    return name


GATES = {"lstm": 4, "gru": 3, "rnn": 1}


def emit(
    op: str,
    units: int,
    steps: int = 3,
    batch: int = 1,
    data: int = 5,
    directions: int = 1,
    optional: str = "",
    attributes: str = "",
    lens: str = "",
    are_known: bool = True,
) -> None:
    gates = GATES[op]
    get = get_weights if are_known else get_input
    operands = [(get_input, [steps, batch, data]), (get, [directions, gates * units, data])]
    operands.append((get, [directions, gates * units, units]))
    text, types = [], []
    for make, shape in operands:
        text.append(make(shape))
        types.append(get_type(shape))
    line = ", ".join(text)
    state = [directions, batch, units]
    shapes = {"bias": [directions, 2 * gates * units], "initial_h": state, "initial_c": state, "peephole": [directions, 3 * units]}
    for name in "bias sequence_lens initial_h initial_c peephole".split():
        if name == "sequence_lens" and lens:
            constant = f"%lens{len(results)}"
            body.append(f"{constant} = uma.graph.constant dense<{lens}> : tensor<{batch}xi32>")
            line += f" sequence_lens {constant}"
            types.append(f"tensor<{batch}xi32>")
        elif name in optional.split():
            get_operand = get_weights if name in ("bias", "peephole") else get_input
            line += f" {name} {get_operand(shapes[name])}"
            types.append(get_type(shapes[name]))
    if directions == 2:
        attributes = f'direction "bidirectional" {attributes}'
    # Attributes have an order: input_forget and linear_before_reset stand before the direction.
    for first in ("input_forget true", "linear_before_reset true"):
        if first in attributes:
            attributes = first + " " + attributes.replace(first, "")
    outputs = [get_type([steps, *state])] + [get_type(state)] * (2 if op == "lstm" else 1)
    names = ", ".join(f"%r{len(results) + i}" for i in range(len(outputs)))
    body.append(f"{names} = uma.graph.{op} {line} {attributes} : ({', '.join(types)}) -> ({', '.join(outputs)})")
    results.extend(outputs)


STATES = {"lstm": "initial_h initial_c", "gru": "initial_h", "rnn": "initial_h"}
for op in GATES:
    # Widths that fill vectors, that do not, and that are too small for them.
    for units in [3, 5, 13, 16, 31, 64]:
        emit(op, units)
    variants = ["", "linear_before_reset true"] if op == "gru" else [""]
    for variant in variants:
        for units in [6, 21]:
            everything = "bias " + STATES[op] + (" peephole" if op == "lstm" else "")
            emit(op, units, optional=everything, attributes=variant)
            emit(op, units, steps=4, batch=3, data=1, optional=everything, attributes=variant)
            emit(op, units, batch=7, data=16, directions=2, optional=everything, attributes=variant)
            emit(op, units, optional="bias", attributes=f'{variant} direction "reverse" clip 0.25')
            emit(op, units, steps=1, optional=STATES[op], attributes=variant)
    # Lengths that end sequences early, and lengths that do not.
    emit(op, 16, batch=2, lens="[3, 3]")
    emit(op, 16, batch=2, lens="[3, 1]", directions=2)
    emit(op, 8, are_known=False, optional="bias")
emit("lstm", 16, optional="bias peephole", attributes="input_forget true")
emit("lstm", 16, batch=2, directions=2, optional="initial_c", attributes="input_forget true clip 0.5")
for functions in [
    ["affine", "elu", "hard_sigmoid"],
    ["leaky_relu", "relu", "scaled_tanh"],
    ["softplus", "softsign", "thresholded_relu"],
]:
    names = ", ".join(f'"{name}"' for name in functions)
    emit("lstm", 12, attributes=f"activations [{names}] alphas [0.3, 0.5, 0.2] betas [0.1, 0.7, 0.5]")
    for name in functions:
        emit("rnn", 12, attributes=f'activations ["{name}"] alphas [0.3] betas [0.6]')
emit("gru", 12, directions=2, attributes='activations ["sigmoid", "tanh", "hard_sigmoid", "relu"] alphas [0.0, 0.0, 0.2, 0.0] betas [0.0, 0.0, 0.5, 0.0]')

arguments = ", ".join(f"{name}: {type}" for name, type in inputs.items())
print(f'func.func @main({arguments}) -> ({", ".join(results)}) attributes {{uma.network = "recurrent"}} {{')
print("\n".join(body))
print(f"return {', '.join(f'%r{i}' for i in range(len(results)))} : {', '.join(results)}\n}}")
