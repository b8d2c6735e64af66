"""A device for one-dimensional convolutions: an attribute of the target, a strategy, passes on the graph and on functions, and both hooks of
the C."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not=Error

import pathlib
import sys

import numpy as np
import uma.tvm as tvm
from uma.tvm import relay, te, tir
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_constant, is_op, wildcard
from uma.tvm.relay.op import strategy as _strategy
from uma.tvm.testing.aot import AOTTestModel, AOTTestRunner, compile_and_run, generate_ref_data

order = []


@tvm.ir.transform.module_pass(opt_level=0)
class Configure:
    """Reads the layers of the accelerator and leaves their sizes as an attribute of their functions."""

    def transform_module(self, mod, ctx):
        for var, func in mod.functions.items():
            if "Compiler" not in func.attrs or func.attrs["Compiler"] != "row_engine":
                continue
            found = []

            def visit(node):
                if isinstance(node, relay.Call) and isinstance(node.op, tvm.ir.Op) and node.op.name == "nn.conv2d":
                    found.append([int(size) for size in node.args[1].checked_type.shape])

            relay.analysis.post_order_visit(func.body, visit)
            mod[var] = func.with_attr("sizes", [size for sizes in found for size in sizes])
        order.append("Configure")
        return mod


@tvm.ir.transform.module_pass(opt_level=0)
def announce(mod, ctx):
    order.append("announce")
    return mod


@tir.transform.prim_func_pass(opt_level=0)
class CallEngine:
    """Replaces the loops of a convolution by a call, with the pointers and the sizes."""

    def transform_function(self, func, mod, ctx):
        order.append("CallEngine")
        schedule = tir.Schedule(func)
        loops = [schedule.get(loop) for loop in schedule.get_loops(schedule.get_block("rows"))]
        order.append([loop.extent.value for loop in loops])
        order.append([int(size) for size in func.attrs["relay_attrs"]["sizes"]])
        pointers = [func.buffer_map[param].data for param in func.params]
        builder = tir.ir_builder.create()
        builder.emit(tir.call_extern("int32", "row_engine_run", *pointers, *[int(loop.extent) for loop in loops[1:]]))
        call = builder.get()
        first = loops[0]
        return func.with_body(tir.stmt_functor.ir_transform(func.body, None, lambda node: call if node == first else None, ["tir.For"]))


def rows_strategy(attrs, inputs, out_type, target):
    """Named blocks with a split loop."""
    order.append(f"strategy of {target.name} with {dict(target.attrs)}: {attrs.strides} {attrs['padding']} {out_type}")

    def compute(data, kernel, stride, padding, dilation, layout, out_dtype):
        assert stride == 1 and tuple(padding) == (0, 0) and dilation == 1 and layout == "NCW"
        channels = te.reduce_axis((0, data.shape[1]), name="ci")
        taps = te.reduce_axis((0, kernel.shape[2]), name="k")
        width = int(data.shape[2]) - int(kernel.shape[2]) + 1
        return te.compute((1, kernel.shape[0], width),
                          lambda n, c, w: te.sum(data[n, channels, w + taps] * kernel[c, channels, taps], axis=[channels, taps]), name="rows")

    def schedule(outs):
        s = te.create_schedule([out.op for out in outs])
        stage = s[outs[0]]
        outer, inner = stage.split(stage.op.axis[2], factor=2)
        stage.reorder(outer, stage.op.axis[1], inner)
        return s

    result = _strategy.OpStrategy()
    result.add_implementation(_strategy.wrap_compute_conv1d(compute), _strategy.wrap_topi_schedule(schedule if target.attrs["split"] else lambda outs: None),
                              name="rows")
    return result


class RowEngine(UMABackend):
    def __init__(self, call=True):
        super().__init__(merge_compiler_regions=False)
        self._register_target_attr("lanes", default=8)
        self._register_target_attr("split", default=False)
        self._register_target_attr("mode", default="fast")
        self._register_pattern("rows", is_op("nn.conv1d")(wildcard(), is_constant()).has_attr({"strides": [1], "padding": [0]}))
        self._register_operator_strategy("nn.conv1d", rows_strategy, plevel=12)
        self._register_relay_pass(PassPhase.PRE_PARTITIONING, announce)
        self._register_relay_pass(PassPhase.POST_PARTITIONING_0, Configure())
        self._register_relay_pass(PassPhase.POST_PARTITIONING_1, announce)
        if call:
            self._register_tir_pass(PassPhase.TIR_PHASE_0, CallEngine())
        self._register_codegen(format="c", includes=self.includes, replace_call_extern=self.replace)

    @property
    def target_name(self):
        return "row_engine"

    def includes(self):
        return """static int row_engine_calls;
static int row_engine(const float *x, const float *w, float *y, int oc, int width, int ic, int k) {
  for (int o = 0; o < oc; ++o)
    for (int c = 0; c < width; ++c) {
      float sum = 0;
      for (int i = 0; i < ic; ++i)
        for (int t = 0; t < k; ++t)
          sum += x[i * (width + k - 1) + c + t] * w[(o * ic + i) * k + t];
      y[o * width + c] = sum;
    }
  ++row_engine_calls;
  return 0;
}
"""

    def replace(self, args):
        assert args[0] == "row_engine_run", args
        return f"row_engine({', '.join(args[1:])});"


def network():
    rng = np.random.default_rng(0)
    x = relay.var("x", shape=(1, 4, 18))
    first = relay.const(rng.standard_normal((6, 4, 3)).astype("float32"))
    second = relay.const(rng.standard_normal((5, 6, 1)).astype("float32"))
    wide = relay.const(rng.standard_normal((2, 5, 3)).astype("float32"))
    bias = relay.const(rng.standard_normal(6).astype("float32"))
    y = relay.nn.relu(relay.nn.bias_add(relay.nn.conv1d(x, first), bias))
    y = relay.nn.conv1d(y, second, channels=5, kernel_size=(1,))
    # The device has no padding: this one stays on the CPU.
    return tvm.IRModule.from_expr(relay.Function([x], relay.nn.conv1d(y, wide, padding=(1, 1))))


mod = network()
inputs = {"x": np.random.default_rng(1).standard_normal((1, 4, 18)).astype("float32")}
expected = generate_ref_data(mod, inputs)
device = RowEngine()
device.register()

partitioned = device.partition(mod)
# CHECK: ['announce', 'Configure', 'announce']
print(order)
# CHECK-NEXT: main ['row_engine', 'row_engine']
print("main", [func.attrs["Compiler"] for func in partitioned.functions.values() if "Compiler" in func.attrs])
# CHECK-NEXT: [6, 4, 1, 3] [5, 6, 1, 1]
print(*[list(func.attrs["sizes"]) for func in partitioned.functions.values() if "Compiler" in func.attrs])

order.clear()
folder = pathlib.Path(sys.argv[1])
model = AOTTestModel(module=partitioned, inputs=inputs, outputs=expected, name="rows")
compile_and_run(model, AOTTestRunner(), interface_api="c", use_unpacked_api=True, target=tvm.target.Target("row_engine -lanes=16"), test_dir=str(folder))
# The strategy sees the operator in one dimension and the target's attributes.
# CHECK-NEXT: announce
# CHECK-NEXT: Configure
# CHECK-NEXT: announce
# CHECK-NEXT: strategy of row_engine with {'lanes': 16, 'mode': 'fast', 'split': False}: [1] [0, 0] Tensor[(1, 6, 16), float32]
# CHECK-NEXT: strategy of row_engine with {'lanes': 16, 'mode': 'fast', 'split': False}: [1] [0, 0] Tensor[(1, 5, 16), float32]
# CHECK-NEXT: CallEngine
# CHECK-NEXT: [1, 6, 16, 4, 3]
# CHECK-NEXT: [6, 4, 1, 3]
# CHECK-NEXT: CallEngine
# CHECK-NEXT: [1, 5, 16, 6, 1]
# CHECK-NEXT: [5, 6, 1, 1]
print(*order, sep="\n")
text = (folder / "rows" / "net_main.c").read_text()
# CHECK-NEXT: 2 calls of row_engine, 0 of row_engine_run
print(text.count("= row_engine("), "calls of row_engine,", text.count("row_engine_run("), "of row_engine_run")

# Without the pass, the strategy's loops compute, also split and in another order.
for options in ({}, {"split": True}):
    loops = RowEngine(call=False)
    target = tvm.target.Target({"kind": "row_engine", **options})
    assert compile_and_run(AOTTestModel(loops.partition(mod), inputs, expected), target=target)
# CHECK-NEXT: done
print("done")
