"""Images, signals and recurrent layers."""

from fuzzing.graph import EPSILON, FLOATS, SIGNED, Graph, Value
from fuzzing.operators.values import any_value, computed, generates, small, steady
from fuzzing.operators.indexing import indices


@generates(0.7)
def interpolate(g: Graph):
    data = g.pick(lambda v: steady(v) and v.size, FLOATS, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    elements, terms = g.random.randint(1, 6), g.random.randint(1, 4)
    index = indices(g, (elements, terms), data.shape[axis])
    weights = g.pick(small(4), [g.random.choice([data.type, "f32"])], shape=(elements, terms))
    shape = list(data.shape)
    shape[axis] = elements
    result = computed(shape, data.type, data.bound * weights.bound * terms, [data, weights], 8, terms)
    g.emit(f"interpolate {{0}}, {{1}}, {{2}} axis {axis - data.rank * g.chance(0.3)}", [data, index, weights], result)


@generates(0.7)
def grid_sample(g: Graph):
    data = g.pick(lambda v: steady(v) and v.size, FLOATS[:2], rank=4)
    method = g.random.choice(["bilinear", "bicubic", "nearest"])
    shape = (data.shape[0], g.random.randint(1, 4), g.random.randint(1, 4), 2)
    # Nearest neighbours are discontinuous at halves, which random positions rarely hit.
    grid = g.pick(lambda v: v.exact and small(2)(v) and not (method == "nearest" and v.whole), [data.type], shape=shape)
    padding = g.random.choice(["zeros", "border", "reflection"])
    result = computed((data.shape[0], data.shape[1], *shape[1:3]), data.type, data.bound * 3, [data], 32)
    g.emit(f'grid_sample {{0}}, {{1}} method "{method}" padding "{padding}"'
           f'{" align_corners true" if g.chance(0.5) else ""}', [data, grid], result)


@generates(0.5)
def roi_align(g: Graph):
    data = g.pick(lambda v: steady(v) and v.size, FLOATS[:2], rank=4)
    regions = g.random.randint(1, 3)
    corners = [g.random.randint(0, 16) / 4 + (k >= 2) * 2 for _ in range(regions) for k in range(4)]
    rois = g.constant((regions, 4), data.type, values=corners)
    batch = indices(g, (regions,), data.shape[0])
    size = [g.random.randint(1, 3) for _ in range(2)]
    g.emit(f"roi_align {{0}}, {{1}}, {{2}} pooled_size {size} spatial_scale {g.random.choice(['1.0', '0.5', '0.3'])} "
           f'sample_ratio {g.random.randint(1, 3)} mode "{g.random.choice(["avg", "max"])}" '
           f"aligned {str(g.chance(0.5)).lower()}", [data, rois, batch],
           computed((regions, data.shape[1], *size), data.type, data.bound, [data], 32, 36))


@generates(0.5)
def dft(g: Graph):
    type = g.random.choice(FLOATS)
    shape = g.shape(g.random.randint(1, 3)) + (g.random.randint(1, 2),)
    data = g.pick(steady, [type], shape=shape)
    axis = g.random.randrange(len(shape) - 1)
    length = g.random.randint(1, 6)
    twiddle = g.pick(small(2), [type], shape=(length, 2))
    is_onesided = g.chance(0.4)
    result_shape = list(shape[:-1]) + [2]
    result_shape[axis] = length // 2 + 1 if is_onesided else length
    g.emit(f"dft {{0}}, {{1}} axis {axis}{' onesided true' if is_onesided else ''}", [data, twiddle],
           computed(result_shape, type, data.bound * twiddle.bound * 2 * length, [data, twiddle], 8, length))


GATES = {"lstm": 4, "gru": 3, "rnn": 1}
FUNCTIONS = {"lstm": 3, "gru": 2, "rnn": 1}
SQUASHING = ["sigmoid", "tanh", "hard_sigmoid", "softsign"]
UNBOUNDED = ["affine", "elu", "leaky_relu", "relu", "scaled_tanh", "softplus", "thresholded_relu"]


@generates(1.5)
def recurrent(g: Graph):
    op = g.random.choice(["lstm", "gru", "rnn"])
    type = g.random.choice(FLOATS)
    steps, batch, inputs, units = (g.random.randint(1, 4) for _ in range(4))
    direction = g.random.choice(["forward", "reverse", "bidirectional"])
    directions = 2 if direction == "bidirectional" else 1
    rows = GATES[op] * units
    state = (directions, batch, units)
    operands = [g.pick(small(2), [type], shape=(steps, batch, inputs))]
    operands += [g.constant((directions, rows, columns), type, -1, 1) for columns in (inputs, units)]
    text = f"{op} {{0}}, {{1}}, {{2}}"

    def optional(name: str, value: Value) -> None:
        nonlocal text
        text += f" {name} {{{len(operands)}}}"
        operands.append(value)

    if g.chance(0.6):
        optional("bias", g.constant((directions, 2 * rows), type, -1, 1))
    if g.chance(0.3):
        optional("sequence_lens", g.pick(any_value, SIGNED, shape=(batch,)))
    if g.chance(0.4):
        optional("initial_h", g.pick(small(2), [type], shape=state))
    if op == "lstm" and g.chance(0.4):
        optional("initial_c", g.pick(small(2), [type], shape=state))
    if op == "lstm" and g.chance(0.3):
        optional("peephole", g.constant((directions, 3 * units), type, -1, 1))
    if op == "lstm" and g.chance(0.2):
        text += " input_forget true"
    if op == "gru" and g.chance(0.5):
        text += " linear_before_reset true"
    if direction != "forward":
        text += f' direction "{direction}"'
    if g.chance(0.4):
        count = FUNCTIONS[op] * directions
        names = [g.random.choice(SQUASHING if steps > 2 else SQUASHING + UNBOUNDED) for _ in range(count)]
        text += " activations [" + ", ".join(f'"{name}"' for name in names) + "]"
        if g.chance(0.4):
            for attribute in ("alphas", "betas"):
                text += f" {attribute} [" + ", ".join(f"{g.random.choice([0.5, 0.25, 1.0])}" for _ in names) + "]"
    if g.chance(0.2):
        text += " clip 2.5"
    # The type rounds the states in every step.
    shapes = [(steps, *state), state, state][: 3 if op == "lstm" else 2]
    results = [computed(shape, type, 4.0**steps * 4, operands[:1], 4, 16 * steps) for shape in shapes]
    for result in results:
        result.rel = result.rel + steps * 2 * EPSILON[type] * (1 if type in ("f32", "f64") else 0.25)
    g.emit_all(text, operands, results)
