"""MobileNet and ResNet through a device in Python: the partition, with regions merged and not, and the phases in their order."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s | FileCheck %s --match-full-lines --implicit-check-not=Error

import numpy as np
import uma.tvm as tvm
from uma.tvm import relay, tir
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, wildcard
from uma.tvm.testing.aot import AOTTestModel, compile_and_run, generate_ref_data

rng = np.random.default_rng(0)


def conv(x, channels, depth, kernel=3, stride=1, groups=1, relu=True):
    """Convolution, batch normalisation and relu."""
    scale = (2.0 / (depth // groups * kernel * kernel)) ** 0.5
    weights = relay.const((rng.standard_normal((channels, depth // groups, kernel, kernel)) * scale).astype("float32"))
    x = relay.nn.conv2d(x, weights, strides=(stride, stride), padding=(kernel // 2, kernel // 2), groups=groups, channels=channels, kernel_size=(kernel, kernel))
    one = relay.const(np.ones(channels, "float32"))
    zero = relay.const(np.zeros(channels, "float32"))
    x = relay.nn.batch_norm(x, one, zero, zero, one)[0]
    return relay.nn.relu(x) if relu else x


def mobilenet():
    """MobileNet v1 for small images, at a quarter of the width."""
    data = relay.var("data", shape=(1, 3, 32, 32))
    x, depth = conv(data, 8, 3, stride=2), 8
    for channels, stride in [(16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2)] + [(128, 1)] * 5 + [(256, 2), (256, 1)]:
        x = conv(x, depth, depth, stride=stride, groups=depth)
        x, depth = conv(x, channels, depth, kernel=1), channels
    return head(data, x, depth)


def resnet():
    """ResNet with 18 layers at a quarter of the width."""
    data = relay.var("data", shape=(1, 3, 32, 32))
    x, depth = conv(data, 16, 3), 16
    for channels, stride in [(16, 1), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1)]:
        y = conv(conv(x, channels, depth, stride=stride), channels, channels, relu=False)
        x = x if depth == channels else conv(x, channels, depth, kernel=1, stride=stride, relu=False)
        x, depth = relay.nn.relu(relay.add(x, y)), channels
    return head(data, x, depth)


def head(data, x, depth):
    x = relay.nn.batch_flatten(relay.nn.global_avg_pool2d(x))
    x = relay.nn.dense(x, relay.const(rng.standard_normal((10, depth)).astype("float32") * 0.1), units=10)
    return tvm.IRModule.from_expr(relay.Function([data], relay.nn.softmax(x)))


phases = []


def graph_pass(phase):
    @tvm.ir.transform.module_pass(opt_level=0, name=f"in_{phase.name}")
    def run(mod, ctx):
        phases.append(phase.name)
        return mod

    return run


def tir_pass(phase):
    @tir.transform.prim_func_pass(opt_level=0)
    class Run:
        def transform_function(self, func, mod, ctx):
            phases.append(phase.name)
            assert func.attrs["target"] == "conv_unit"
            return func

    return Run()


class ConvUnit(UMABackend):
    """Takes convolutions with what follows them."""

    def __init__(self, merge, with_passes=True):
        super().__init__(merge_compiler_regions=merge)
        pattern = is_op("nn.conv2d")(wildcard(), wildcard()).has_attr({"groups": 1})
        pattern = pattern.optional(lambda x: is_op("nn.bias_add")(x, wildcard())).optional(lambda x: is_op("nn.relu")(x))
        self._register_pattern("conv2d", pattern)
        if with_passes:
            for phase in PassPhase:
                if phase < PassPhase.TIR_PHASE_0:
                    self._register_relay_pass(phase, graph_pass(phase))
                else:
                    self._register_tir_pass(phase, tir_pass(phase))

    @property
    def target_name(self):
        return "conv_unit"


def regions(mod):
    """The number of functions of the device, and of matches in them."""
    functions = [f for f in mod.functions.values() if "Compiler" in f.attrs and f.attrs["Compiler"] == "conv_unit"]
    matches = []
    for function in functions:
        relay.analysis.post_order_visit(function.body, lambda n: matches.append(n) if isinstance(n, relay.Call) and isinstance(n.op, relay.Function) else None)
    return len(functions), len(matches)


for name, make in (("mobilenet", mobilenet), ("resnet", resnet)):
    mod = make()
    inputs = {"data": rng.standard_normal((1, 3, 32, 32)).astype("float32")}
    expected = generate_ref_data(mod, inputs)
    for merge in (True, False):
        # CHECK: mobilenet True (14, 14)
        # CHECK: mobilenet False (14, 14)
        # CHECK: resnet True ([[#MERGED:]], [[#MATCHES:]])
        # CHECK: resnet False ([[#MATCHES]], [[#MATCHES]])
        device = ConvUnit(merge)
        phases.clear()
        partitioned = device.partition(mod)
        print(name, merge, regions(partitioned))
        # CHECK-NEXT: ['PRE_PARTITIONING', 'POST_PARTITIONING_0', 'POST_PARTITIONING_1']
        print(phases)
        phases.clear()
        # CHECK-NEXT: True
        print(compile_and_run(AOTTestModel(partitioned, inputs, expected), target="c"))
        # CHECK-NEXT: ['PRE_PARTITIONING', 'POST_PARTITIONING_0', 'POST_PARTITIONING_1', 'TIR_PHASE_0', 'TIR_PHASE_1', 'TIR_PHASE_2', 'TIR_PHASE_3']
        print([phase for index, phase in enumerate(phases) if index == 0 or phases[index - 1] != phase])
