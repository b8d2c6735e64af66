"""Products, recurrent layers, attention, spectra."""

import math

import numpy as np

from .builder import FLOATS, Model, onnx_type
from .registry import operator


@operator("MatMul", share=5)
def matmul(m: Model) -> None:
    types = FLOATS + ("int32", "int64", "uint32", "uint64") * (m.opset >= 9)
    a = m.data(types, (1, 4))
    depth, columns = a.shape[-1], m.size()
    rank = m.choice([1, 2, 2, 2, 3, 3, 4])
    if rank == 1:
        shape = (depth,)
    else:
        batch = list(a.shape[:-2])[-(rank - 2) :] if rank > 2 else []
        batch = [m.size() for _ in range(rank - 2 - len(batch))] + batch
        batch = [1 if m.chance(0.3) else size if size != 1 or m.chance(0.6) else m.size() for size in batch]
        shape = (*batch, depth, columns)
    result = np.matmul(np.zeros(a.shape), np.zeros(shape)).shape
    if math.prod(shape) > 2000 or math.prod(result) > m.most_elements:
        return
    b = m.other(shape, a.type, constant=0.5)
    m.add("MatMul", [a, b], [(a.type, result)])


@operator("Gemm", share=4)
def gemm(m: Model) -> None:
    types = FLOATS + ("int32", "int64") * (m.opset >= 9)
    a = m.data(types, (2, 2))
    transposed = [m.choice([None, 0, 1]), m.choice([None, 0, 1])]
    rows, depth = a.shape[::-1] if transposed[0] else a.shape
    columns = m.size()
    b = m.other((columns, depth) if transposed[1] else (depth, columns), a.type, constant=0.6)
    operands = [a, b]
    attributes = {"transA": transposed[0], "transB": transposed[1]}
    if m.opset < 11 or m.chance(0.7):
        shapes = [(rows, columns), (columns,), (1, columns), (rows, 1), (1,), (), (1, 1)]
        shape = m.choice(shapes if m.opset >= 7 else [(rows, columns), (columns,)])
        operands.append(m.other(shape, a.type, constant=0.6))
        if m.opset < 7:
            attributes["broadcast"] = 1 if shape != (rows, columns) else m.choice([None, 0, 1])
    if a.is_float:
        attributes.update(alpha=m.choice([None, 0.5, 2.0]), beta=m.choice([None, 0.0, 0.25, 3.0]))
    m.add("Gemm", operands, [(a.type, (rows, columns))], attributes)


@operator("Det")
def det(m: Model) -> None:
    side = m.integer(1, 5)
    x = m.data(("float32", "float64"), shape=(*m.shape(0, 2), side, side))
    m.add("Det", [x], [(x.type, x.shape[:-2])])


EQUATIONS = ["ij,jk->ik", "ij,jk", "bij,bjk->bik", "ij->ji", "ii->i", "ij->", "ij->j", "i,j->ij", "...ij,...jk->...ik", "bhid,bhjd->bhij",
             "ij,ij->ij", "ij, ij -> i", "ii", "bij,jk->bik", "bi,bj->bij", "i,i->", "...ij->...ji", "abc,cd,de->abe", "ijk,jil->kl"]


@operator("Einsum", share=2)
def einsum(m: Model) -> None:
    equation = m.choice(EQUATIONS)
    types = ("float32", "float64", "int32", "int64")
    type = m.type(types)
    sizes = {letter: m.integer(1, 4) for letter in "abcdehijkl"}
    extra = m.shape(0, 2)
    operands = []
    for term in equation.replace(" ", "").split("->")[0].split(","):
        shape = extra if "..." in term else ()
        shape = (*shape, *[sizes[letter] for letter in term.replace("...", "")])
        operands.append(m.other(shape, type))
    shape = np.einsum(equation.replace(" ", ""), *[np.zeros(operand.shape) for operand in operands]).shape
    m.add("Einsum", operands, [(type, shape)], {"equation": equation})


# Recurrent layers --------------------------------------------------------

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
# Activation: its parameters alpha and beta.
ACTIVATIONS = {"Relu": (), "Tanh": (), "Sigmoid": (), "Softsign": (), "Softplus": (), "LeakyRelu": (0.1,), "ThresholdedRelu": (0.3,),
               "ScaledTanh": (1.2, 0.7), "HardSigmoid": (0.3, 0.4), "Elu": (0.8,), "Affine": (0.5, 0.1)}


@operator(*GATES, share=4)
def recurrent(m: Model, name: str) -> None:
    type = m.choice(["float32", "float32", "float32", "float64"])
    length, batch, inputs, hidden = m.integer(1, 4), m.integer(1, 3), m.integer(1, 5), m.integer(1, 5)
    layout = m.choice([None, 0, 1]) if m.opset >= 14 else None
    direction = m.choice([None, "forward", "reverse", "bidirectional"])
    directions = 2 if direction == "bidirectional" else 1
    gates = GATES[name]
    x = m.data((type,), shape=(batch, length, inputs) if layout else (length, batch, inputs))
    weight = lambda *shape: m.new((directions, *shape), type, (-1, 1), constant=0.8)  # noqa: E731
    operands = [x, weight(gates * hidden, inputs), weight(gates * hidden, hidden)]
    operands.append(weight(2 * gates * hidden) if m.chance(0.6) else None)
    if m.chance(0.3):
        lengths = m.array((batch,), "int32", (1, length))
        operands.append(m.input(lengths) if m.chance(0.4) else m.constant(lengths))
    else:
        operands.append(None)
    state = (batch, directions, hidden) if layout else (directions, batch, hidden)
    for _ in range(2 if name == "LSTM" else 1):
        operands.append(m.new(state, type, (-1, 1), constant=0.2) if m.chance(0.4) else None)
    if name == "LSTM":
        operands.append(weight(3 * hidden) if m.chance(0.25) else None)
    attributes = {"direction": direction, "hidden_size": hidden, "layout": layout, "clip": m.choice([None, None, 0.7])}
    if m.opset < 7:
        attributes["output_sequence"] = 1
    if name == "LSTM":
        attributes["input_forget"] = m.choice([None, None, 0, 1])
    if name == "GRU":
        attributes["linear_before_reset"] = m.choice([None, 0, 1])
    if m.chance(0.3):
        count = {"RNN": 1, "GRU": 2, "LSTM": 3}[name] * directions
        chosen = [m.choice(list(ACTIVATIONS)) for _ in range(count)]
        attributes["activations"] = chosen
        alphas = [ACTIVATIONS[each][0] for each in chosen if len(ACTIVATIONS[each]) > 0]
        betas = [ACTIVATIONS[each][1] for each in chosen if len(ACTIVATIONS[each]) > 1]
        attributes.update(activation_alpha=alphas or None, activation_beta=betas or None)
    sequence = (batch, length, directions, hidden) if layout else (length, directions, batch, hidden)
    results = [(type, sequence) if m.chance(0.8) else None] + [(type, state) if m.chance(0.7) else None for _ in range(2 if name == "LSTM" else 1)]
    if any(results):
        m.add(name, operands, results, attributes)


# Attention ---------------------------------------------------------------


@operator("Attention", share=4)
def attention(m: Model) -> None:
    type = m.choice(["float32", "float32", "float16"])
    batch, groups, repeats = m.integer(1, 2), m.integer(1, 2), m.choice([1, 1, 2])
    heads = groups * repeats
    queries, keys, size, value_size = m.integer(1, 4), m.integer(1, 5), m.choice([2, 4, 6]), m.choice([2, 4, 3])
    attributes = {"is_causal": m.choice([None, 0, 1]), "scale": m.choice([None, 0.3]), "softcap": m.choice([None, None, 2.0])}
    if m.chance(0.4):
        attributes.update(q_num_heads=heads, kv_num_heads=groups)
        shapes = [(batch, queries, heads * size), (batch, keys, groups * size), (batch, keys, groups * value_size)]
        result = (batch, queries, heads * value_size)
    else:
        shapes = [(batch, heads, queries, size), (batch, groups, keys, size), (batch, groups, keys, value_size)]
        result = (batch, heads, queries, value_size)
    operands = [m.other(shape, type, constant=0.1) for shape in shapes]
    past = m.integer(1, 3) if m.chance(0.3) else 0
    mask = None
    if m.chance(0.5):
        kind = m.choice([type, "bool"])
        prefix = m.choice([(), (heads,), (batch, heads), (batch, 1), (1, heads)])
        array = m.array((*prefix, queries, past + keys), kind)
        if kind == "bool":
            array[..., 0] = True
        mask = m.input(array)
    operands.append(mask)
    results = [(type, result)]
    if past:
        operands += [m.new((batch, groups, past, size), type), m.new((batch, groups, past, value_size), type)]
        results += [(type, (batch, groups, past + keys, size)), (type, (batch, groups, past + keys, value_size))]
    if m.chance(0.3):
        results += [None] * (3 - len(results)) + [(type, (batch, heads, queries, past + keys))]
        attributes["qk_matmul_output_mode"] = m.choice([None, 0, 1, 2, 3])
    elif m.opset >= 24 and len(shapes[0]) == 4 and m.chance(0.4):
        # The number of keys of each item that are not padding.
        operands += [None, None, m.new((batch,), "int64", (1, keys))]
    if attributes["softcap"] is None and m.chance(0.2):
        attributes["softmax_precision"] = onnx_type("float32")
    m.add("Attention", operands, results, attributes)


@operator("RotaryEmbedding", share=2)
def rotary_embedding(m: Model) -> None:
    type = m.choice(["float32", "float32", "float16"])
    batch, heads, length, size = m.integer(1, 2), m.integer(1, 3), m.integer(1, 4), m.choice([4, 6, 8])
    rotated = m.choice([None, size, size - 2 if size > 4 else size])
    if rotated == size - 2:
        rotated = 4
    attributes = {"interleaved": m.choice([None, 0, 1]), "rotary_embedding_dim": rotated}
    shape = (batch, heads, length, size)
    if m.chance(0.4) or rotated and rotated < size:
        attributes["num_heads"] = heads
        shape = m.choice([(batch, length, heads * size), shape])
    half = (rotated or size) // 2
    x = m.other(shape, type)
    if m.chance(0.5):
        longest = length + m.integer(0, 3)
        caches = [m.new((longest, half), type, (-1, 1)) for _ in range(2)]
        operands = [x, *caches, m.new((batch, length), "int64", (0, longest - 1))]
    else:
        operands = [x, *[m.new((batch, length, half), type, (-1, 1)) for _ in range(2)]]
    m.add("RotaryEmbedding", operands, [(type, shape)], attributes)


# Spectra -----------------------------------------------------------------


@operator("DFT", share=2)
def dft(m: Model) -> None:
    type = m.choice(["float32", "float64"])
    if m.opset >= 20 and m.chance(0.2):
        inverse_real(m, type)
        return
    parts = m.choice([1, 2])
    shape = (*m.shape(2, 3), parts)
    x = m.other(shape, type)
    axis = m.integer(0, len(shape) - 2)
    written = axis - len(shape) if m.chance(0.3) else axis
    inverse = m.choice([None, 0, 1])
    onesided = 1 if parts == 1 and not inverse and m.chance(0.5) else m.choice([None, 0])
    length = m.integer(1, 9) if m.chance(0.4) else None
    count = length or shape[axis]
    result = list(shape[:-1]) + [2]
    result[axis] = count // 2 + 1 if onesided else count
    operands = [x, m.constant(np.asarray(length, "int64")) if length else None]
    attributes = {"inverse": inverse, "onesided": onesided}
    if m.opset < 20:
        attributes["axis"] = None if axis == 1 and m.chance(0.5) else written
    elif axis != len(shape) - 2 or m.chance(0.5):
        operands.append(m.constant(np.asarray(written, "int64")))
    m.add("DFT", operands, [(type, result)], attributes)


def inverse_real(m: Model, type: str) -> None:
    """Adds a DFT from one half of a spectrum to a real signal."""
    shape = (*m.shape(2, 3), 2)
    axis = m.integer(0, len(shape) - 2)
    length = 2 * (shape[axis] - 1) + m.choice([0, 1]) or 1
    result = [length if at == axis else size for at, size in enumerate(shape[:-1])] + [1]
    operands = [m.other(shape, type), m.constant(np.asarray(length, "int64")), m.constant(np.asarray(axis, "int64"))]
    m.add("DFT", operands, [(type, result)], {"inverse": 1, "onesided": 1})


@operator("STFT")
def stft(m: Model) -> None:
    type = m.choice(["float32", "float64"])
    samples = m.integer(8, 24)
    length, step = m.integer(2, 8), m.integer(1, 5)
    x = m.other((m.integer(1, 2), samples, 1), type)
    window = m.new((length,), type, (0, 1), constant=0.8) if m.chance(0.6) else None
    operands = [x, m.constant(np.asarray(step, "int64")), window]
    if window is None or m.chance(0.5):
        operands.append(m.constant(np.asarray(length, "int64")))
    onesided = m.choice([None, 0, 1])
    bins = length if onesided == 0 else length // 2 + 1
    m.add("STFT", operands, [(type, (x.shape[0], (samples - length) // step + 1, bins, 2))], {"onesided": onesided})


@operator("BlackmanWindow", "HammingWindow", "HannWindow")
def window(m: Model, name: str) -> None:
    size, to = m.integer(2, 20), m.choice([None, "float32", "float64"])
    kind = m.choice(["int64", "int32"])
    (y,) = m.add(name, [m.constant(np.asarray(size, kind))], [(to or "float32", (size,))],
                 {"periodic": m.choice([None, 0, 1]), "output_datatype": to and onnx_type(to)})
    m.add("Mul", [m.input(m.array((size,), y.type)), y], [(y.type, (size,))])


@operator("MelWeightMatrix")
def mel_weight_matrix(m: Model) -> None:
    bins, length, rate = m.integer(2, 8), m.choice([16, 32, 64]), m.choice([8000, 16000])
    low, high = m.choice([0, 60, 300]), rate // 2 - m.choice([0, 100])
    to = m.choice([None, "float32", "float64"])
    operands = [m.constant(np.asarray(value, "int64")) for value in (bins, length, rate)]
    operands += [m.constant(np.asarray(value, "float32")) for value in (low, high)]
    m.add("MelWeightMatrix", operands, [(to or "float32", (length // 2 + 1, bins))], {"output_datatype": to and onnx_type(to)})
