"""Predicates, optional operators and alternatives: which layers a device takes, and why not others."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s | FileCheck %s --match-full-lines --implicit-check-not=Error

import numpy as np
import uma
import uma.tvm as tvm
from uma.tvm import relay
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import has_dtype, is_constant, is_op, wildcard
from uma.tvm.testing.aot import AOTTestModel, compile_and_run, generate_ref_data


def convolution():
    """conv2d, then a bias if there is one, then relu or clip if there is one."""
    conv = is_op("nn.conv2d")(wildcard(), is_constant()).has_attr({"groups": 1, "kernel_size": [3, 3]})
    biased = conv.optional(lambda x: is_op("nn.bias_add")(x, is_constant()))
    return biased.optional(lambda x: is_op("nn.relu")(x) | is_op("clip")(x))


seen = []


def few_channels(extract):
    """The device has 8 channels."""
    call = extract
    names = []
    while isinstance(call, relay.Call):
        names.append(call.op.name)
        if call.op.name == "nn.conv2d":
            conv = call
        call = call.args[0]
    seen.append((names, type(call).__name__, tuple(map(int, conv.checked_type.shape))))
    if not np.isfinite(np.asarray(conv.args[1].data)).all():
        return "its weights are not finite"
    return int(conv.attrs.channels) <= 8


def is_wide(extract):
    return int(extract.args[1].checked_type.shape[0]) % 4 == 0


class Filters(UMABackend):
    def __init__(self):
        super().__init__()
        self._register_pattern("convolution", convolution(), few_channels)
        self._register_pattern("dense", is_op("nn.dense")(has_dtype("float32"), is_constant()), is_wide)
        self._register_pattern("sum", is_op("add")(wildcard(), wildcard()).has_shape((1, 12)))

    @property
    def target_name(self):
        return "filters"


rng = np.random.default_rng(3)


def weights(*shape):
    return relay.const(rng.standard_normal(shape).astype("float32"))


x = relay.var("x", shape=(1, 3, 9, 9))
y = relay.nn.conv2d(x, weights(8, 3, 3, 3), padding=(1, 1), kernel_size=(3, 3), channels=8)  # with bias and relu
y = relay.nn.relu(relay.nn.bias_add(y, weights(8)))
y = relay.clip(relay.nn.conv2d(y, weights(4, 8, 3, 3), strides=(2, 2)), 0.0, 6.0)  # without a bias, with clip
y = relay.nn.conv2d(y, weights(16, 4, 3, 3), padding=(1, 1))  # too many channels
bad = weights(6, 16, 3, 3)
bad.data.__array__()[0, 0, 0, 0] = np.inf
y = relay.nn.conv2d(y, bad, padding=(1, 1))  # not finite
y = relay.nn.conv2d(y, weights(6, 6, 1, 1))  # another kernel
y = relay.nn.batch_flatten(relay.nn.global_avg_pool2d(y))
y = relay.minimum(relay.maximum(y, relay.const(-1.0)), relay.const(1.0))
y = relay.nn.dense(relay.nn.dense(y, weights(10, 6)), weights(12, 10))  # the first one is not wide
y = relay.add(y, y)
mod = tvm.IRModule.from_expr(y)

device = Filters()
partitioned = device.partition(mod)
composites = []


def visit(node):
    if isinstance(node, relay.Call) and isinstance(node.op, relay.Function):
        operators = []
        relay.analysis.post_order_visit(node.op.body, lambda n: operators.append(n.op.name) if isinstance(n, relay.Call) else None)
        composites.append((node.op.attrs["Composite"], operators))


for function in partitioned.functions.values():
    relay.analysis.post_order_visit(function.body, visit)
# Alternatives are tried in their order: what is registered as optional, present first.
# CHECK: filters.convolution ['nn.conv2d', 'clip']
# CHECK-NEXT: filters.convolution ['nn.conv2d', 'nn.bias_add', 'nn.relu']
# CHECK-NEXT: filters.dense ['nn.dense']
# CHECK-NEXT: filters.sum ['add']
for name, operators in sorted(composites):
    print(name, operators)
# A predicate sees the match with its inputs.
# CHECK-NEXT: (['nn.relu', 'nn.bias_add', 'nn.conv2d'], 'Var', (1, 8, 9, 9))
print(seen[0])

# The reasons of predicates are those of `explain`.
rows = uma.explain(partitioned.source, [device])
# CHECK-NEXT: conv2d (1, 16, {{.*}}): the predicate 'few_channels' of the pattern does not accept it
# CHECK-NEXT: conv2d (1, 6, {{.*}}): its weights are not finite
# CHECK-NEXT: conv2d (1, 6, {{.*}}): {{.*}}kernel_size is [1, 1], the pattern wants [3, 3]
# CHECK-NEXT: dense (1, 10): the predicate 'is_wide' of the pattern does not accept it
for row in rows:
    if row["target"] == "cpu" and row["operator"] in ("conv2d", "dense"):
        print(row["operator"], f"{tuple(row['results'][0]['shape'])}:", row["reasons"][0]["constraint"])

# With finite weights, the loops of the device compute the right results.
finite = relay.const(rng.standard_normal((6, 16, 3, 3)).astype("float32"))


class Repair(relay.ExprMutator):
    def visit_constant(self, const):
        return finite if const is bad else const


mod = tvm.IRModule.from_expr(Repair().visit(y))
inputs = {"x": rng.standard_normal((1, 3, 9, 9)).astype("float32")}
expected = generate_ref_data(mod, inputs)
device.register()
# CHECK-NEXT: True
print(compile_and_run(AOTTestModel(device.partition(mod), inputs, expected), target=tvm.target.Target("filters")))
