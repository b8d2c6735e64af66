"""Passes in Python on 10,000 operators take at most 3 s; 100 compilations in one process do not grow; a crash in a pass is a traceback."""
# REQUIRES: full, python
# RUN: env PYTHONPATH=%build/python %python -B %s | FileCheck %s --match-full-lines --implicit-check-not=Traceback

import gc
import resource
import sys
import time
import traceback
import warnings

import numpy as np
import uma
import uma.tvm as tvm
from uma.tvm import relay, tir
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, wildcard


def chain(count):
    """`count` operators, one after the other."""
    x = relay.var("x", shape=(4,))
    y = x
    for number in range(count // 2):
        y = relay.add(relay.nn.relu(y), x)
    return tvm.IRModule.from_expr(relay.Function([x], y))


class Count(relay.ExprMutator):
    """Replaces relu by clip."""

    def visit_call(self, call):
        call = super().visit_call(call)
        return relay.clip(call.args[0], 0.0, 1e30) if call.op.name == "nn.relu" else call


@tvm.ir.transform.module_pass(opt_level=0)
def look(mod, ctx):
    count = [0]
    relay.analysis.post_order_visit(mod["main"].body, lambda node: count.__setitem__(0, count[0] + isinstance(node, relay.Call)))
    counts.append(count[0])
    return mod


@tvm.ir.transform.module_pass(opt_level=0)
def rewrite(mod, ctx):
    main = mod["main"]
    body = Count().visit(main.body)
    result = mod.shallow_copy()
    result["main"] = relay.Function(main.params, body, attrs=main.attrs)
    return result


counts = []


class Adder(UMABackend):
    def __init__(self, *passes):
        super().__init__()
        self._register_pattern("never", is_op("nn.dense")(wildcard(), wildcard()))
        for each in passes:
            self._register_relay_pass(PassPhase.PRE_PARTITIONING, each)

    @property
    def target_name(self):
        return "adder"


def pass_time(module, *passes):
    """Seconds of processor time that the passes take: those of a partition with them over those without, the least of three."""
    times = []
    for chosen in ((), passes):
        best = 1e9
        for _ in range(3):
            copy = module.copy()
            device = Adder(*chosen)
            start = time.process_time()
            copy.partition([device])
            best = min(best, time.process_time() - start)
        times.append(best)
    return times[1] - times[0], copy


warnings.simplefilter("ignore", uma.CompilerWarning)
native = relay.transform._graph.build_module(chain(10000))
for passes in ((look,), (rewrite, look)):
    seconds, result = pass_time(native, *passes)
    # CHECK: 10000 operators: in time
    # CHECK: 10000 operators: in time
    print(f"{counts[-1]} operators:", "in time" if seconds <= 3 else f"too slow, {seconds:.1f} s")
    print(f"{seconds:.2f} s", file=sys.stderr)
# CHECK-NEXT: 5000 uma.graph.clip
print(str(result).count("uma.graph.clip"), "uma.graph.clip")


def walk(module):
    """The same with operations."""
    for op in module.walk():
        if op.name == "uma.graph.clip":
            new = uma.ir.Builder.before(op).create("uma.graph.relu", op.operands)
            op.replace([new.result])


start = time.process_time()
result.edit(walk)
seconds = time.process_time() - start
print(f"{seconds:.2f} s", file=sys.stderr)
# CHECK-NEXT: 5000 uma.graph.relu, in time
print(str(result).count("uma.graph.relu"), "uma.graph.relu,", "in time" if seconds <= 3 else f"too slow, {seconds:.1f} s")


# Compilations in one process.
@tir.transform.prim_func_pass(opt_level=0)
class Nothing:
    def transform_function(self, func, mod, ctx):
        return func.with_body(tir.stmt_functor.ir_transform(func.body, None, lambda node: None))


class Dense(UMABackend):
    def __init__(self):
        super().__init__()
        self._register_pattern("dense", is_op("nn.dense")(wildcard(), wildcard()), lambda match: match.op.name == "nn.dense")
        self._register_tir_pass(PassPhase.TIR_PHASE_0, Nothing())

    @property
    def target_name(self):
        return "dense_unit"


x = relay.var("x", shape=(1, 64))
weights = relay.const(np.random.default_rng(0).standard_normal((64, 64)).astype("float32"))
small = relay.transform._graph.build_module(tvm.IRModule.from_expr(relay.nn.dense(relay.nn.relu(x), weights)))
sizes = []
for number in range(100):
    result = small.copy()
    result.partition([Dense()])
    gc.collect()  # the module keeps the accelerator
    result.run_pipeline("builtin.module(uma-lower,uma-emit-c)")
    if number in (19, 99):
        gc.collect()
        sizes.append(int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize())
# CHECK-NEXT: 80 more compilations: no growth
print("80 more compilations:", "no growth" if sizes[1] - sizes[0] < 8 << 20 else f"{sizes[1] - sizes[0]} bytes more")
print(f"{sizes} bytes", file=sys.stderr)


# A mistake in a pass.
@tir.transform.prim_func_pass(opt_level=0)
class Mistaken:
    def transform_function(self, func, mod, ctx):
        return func.no_such_method()


class Broken(Dense):
    def __init__(self):
        super().__init__()
        self._register_tir_pass(PassPhase.TIR_PHASE_1, Mistaken())


try:
    uma.compile(small, [Broken()])
except AttributeError as error:
    lines = traceback.format_exception(error)
    # CHECK-NEXT: 'PrimFunc' object has no attribute 'no_such_method'
    print(error)
    # CHECK-NEXT: in scale.py, transform_function
    print(*[f"in scale.py, {frame.name}" for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__][-1:])
# The compiler works afterwards.
# CHECK-NEXT: (1, 64)
print(uma.compile(small, [Dense()]).run({"x": np.ones((1, 64), "float32")})["output0"].shape)
