"""The tutorial's accelerator as a Python class: a convolution becomes one call of C, which pads by itself."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not=Error

import pathlib
import sys

import numpy as np
import uma.tvm as tvm
from uma.tvm import relay
from uma.tvm.contrib import utils
from uma.tvm.micro.testing.aot_test_utils import AOT_DEFAULT_RUNNER
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, wildcard
from uma.tvm.testing.aot import AOTTestModel, compile_and_run, generate_ref_data


@tvm.tir.transform.prim_func_pass(opt_level=2)
class CallDevice:
    """The loops of a convolution as a call of the device."""

    def transform_function(self, func, mod, ctx):
        blocks = []
        tvm.tir.stmt_functor.post_order_visit(func.body, lambda node: blocks.append(node.name_hint) if isinstance(node, tvm.tir.Block) else None)
        if "conv2d_nchw" not in blocks:
            return func
        schedule = tvm.tir.Schedule(func)
        rvs = schedule.get_loops(schedule.get_block("conv2d_nchw"))
        assert len(rvs) == 7
        loops = dict(zip(["n", "co", "h", "w", "ci", "kh", "kw"], map(schedule.get, rvs)))
        assert all(loop.min.value == 0 for loop in loops.values())
        pointers = [buffer.data for _, buffer in func.buffer_map.items()]
        sizes = [loops[name].extent.value for name in ("co", "w", "h", "ci", "kh", "kw")]

        def replace(node):
            if node == loops["co"]:
                builder = tvm.tir.ir_builder.create()
                builder.emit(tvm.tir.call_extern("int32", "device_conv2d", *pointers, *sizes))
                return builder.get()
            # The device pads: what TOPI pads before is left out.
            return node.seq[1] if isinstance(node, tvm.tir.SeqStmt) else node

        body = tvm.tir.stmt_functor.ir_transform(func.body, None, replace, ["tir.For", "tir.SeqStmt"])
        return func.with_body(body)


def same_padding(extract):
    """The device pads such that the result has the size of the data; an even kernel would be off the centre."""
    kernel = [int(size) for size in extract.attrs.kernel_size]
    top, left, bottom, right = [int(size) for size in extract.attrs.padding]
    return all(size % 2 for size in kernel) and [top, left, bottom, right] == [kernel[0] // 2, kernel[1] // 2] * 2


class Device(UMABackend):
    """The accelerator."""

    def __init__(self):
        super().__init__()
        pattern = is_op("nn.conv2d")(wildcard(), wildcard()).has_attr({"strides": [1, 1], "groups": 1})
        self._register_pattern("conv2d", pattern, same_padding)
        self._register_tir_pass(PassPhase.TIR_PHASE_0, CallDevice())
        self._register_codegen(fmt="c", includes=lambda: f'#include "{pathlib.Path(__file__).parent}/Inputs/device.c"\n')

    @property
    def target_name(self):
        return "device"


def network():
    """Convolutions with weights that are an input and that are constant, with and without the padding of the device."""
    data = relay.var("data", shape=(1, 3, 8, 8))
    first = relay.var("first", shape=(4, 3, 3, 3))
    rng = np.random.default_rng(0)
    x = relay.nn.relu(relay.nn.conv2d(data, first, padding=(1, 1), channels=4, kernel_size=(3, 3)))
    x = relay.nn.conv2d(x, relay.const(rng.standard_normal((6, 4, 5, 3)).astype("float32")), padding=(2, 1), kernel_size=(5, 3), channels=6)
    x = relay.nn.conv2d(x, relay.const(rng.standard_normal((2, 6, 3, 3)).astype("float32")), kernel_size=(3, 3), channels=2)
    return tvm.IRModule.from_expr(relay.Function([data, first], x))


def main():
    mod = network()
    rng = np.random.default_rng(1)
    inputs = {"data": rng.standard_normal((1, 3, 8, 8)).astype("float32"), "first": rng.standard_normal((4, 3, 3, 3)).astype("float32")}
    expected = generate_ref_data(mod, inputs)
    device = Device()
    device.register()
    mod = device.partition(mod)
    # CHECK: ['main', 'main_device_0', 'main_device_1']
    print([var.name_hint for var in mod.get_global_vars()])
    target = tvm.target.Target("device", host=tvm.target.Target("c"))
    folder = utils.tempdir(sys.argv[1])
    model = AOTTestModel(module=mod, inputs=inputs, outputs=expected, params=None, name="tutorial")
    # CHECK-NEXT: tutorial: 1 outputs are equal to what is expected
    compile_and_run(model, AOT_DEFAULT_RUNNER, interface_api="c", use_unpacked_api=True, target=target, test_dir=str(folder.path), verbose=True)
    text = pathlib.Path(folder.relpath("tutorial/net_main.c")).read_text()
    # A status of the device ends the run.
    # CHECK-NEXT: 2
    print(text.count("= device_conv2d("))
    # The C has no path of this machine, and its C is in the package.
    # CHECK-NEXT: 0 device.c, device_includes.h
    files = [path for path in pathlib.Path(folder.path).rglob("*") if path.is_file()]
    foreign = [path for path in files if str(pathlib.Path(__file__).parent).encode() in path.read_bytes()]
    print(len(foreign), ", ".join(sorted(path.name for path in files if path.parent.name == "device")))


main()


@tvm.tir.transform.prim_func_pass(opt_level=0)
def make_anew(func, mod, ctx):
    """A function that is built of the parts of another one."""
    return tvm.tir.PrimFunc(func.params, func.body, func.ret_type, func.buffer_map, func.attrs)


class ConstantData(Device):
    """Takes a convolution of constant data, whose parameters the compiler has in another order."""

    def __init__(self):
        super().__init__()
        self._register_tir_pass(PassPhase.TIR_PHASE_0, make_anew)


rng = np.random.default_rng(2)
weights = relay.var("weights", shape=(4, 3, 3, 3))
data = relay.var("data", shape=(1, 3, 8, 8))
mod = tvm.IRModule.from_expr(relay.Function([data, weights], relay.nn.conv2d(data, weights, padding=(1, 1))))
mod["main"] = relay.build_module.bind_params_by_name(mod["main"], {"data": rng.standard_normal((1, 3, 8, 8)).astype("float32")})
inputs = {"weights": rng.standard_normal((4, 3, 3, 3)).astype("float32")}
partitioned = ConstantData().partition(mod)
# CHECK-NEXT: True
print(compile_and_run(AOTTestModel(partitioned, inputs, generate_ref_data(mod, inputs)), target="c"))
