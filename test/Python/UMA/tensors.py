"""Tensor expressions and schedules: strategies of a device with splits, vectors, an intrinsic, an inlined stage and extern statements compute
what the CPU computes."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s | FileCheck %s --match-full-lines --implicit-check-not=Error

import numpy as np
import uma
import uma.tvm as tvm
from uma.tvm import relay, te, tir
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, wildcard
from uma.tvm.relay.op.strategy import OpStrategy, wrap_compute_dense, wrap_topi_schedule
from uma.tvm.testing.aot import AOTTestModel, compile_and_run, generate_ref_data

rng = np.random.default_rng(0)


def weights(*shape):
    return relay.const(rng.standard_normal(shape).astype("float32"))


def check(name, body, op, args, compute, schedule=None, includes=None):
    """Compiles `body` with a strategy for one operator, and compares with the CPU. Gives the text of the lowered functions."""
    class Unit(UMABackend):
        def __init__(self):
            super().__init__()
            self._register_pattern("only", is_op(op)(*[wildcard() for _ in range(args)]))
            self._register_operator_strategy(op, self.strategy)
            if includes:
                self._register_codegen(includes=lambda: includes)

        def strategy(self, attrs, inputs, out_type, target):
            result = OpStrategy()
            result.add_implementation(compute, schedule or (lambda attrs, outs, target: te.create_schedule(outs[0].op)), name=name, plevel=20)
            return result

        @property
        def target_name(self):
            return "unit"

    mod = tvm.IRModule.from_expr(body)
    inputs = {var.name_hint: rng.standard_normal(var.type_annotation.concrete_shape).astype("float32") for var in mod["main"].params}
    device = Unit()
    partitioned = device.partition(mod)
    assert any("Compiler" in function.attrs for function in partitioned.functions.values())
    compile_and_run(AOTTestModel(partitioned, inputs, generate_ref_data(mod, inputs)), target="c")
    native = partitioned.source.copy()
    native.partition([device])
    native.run_pipeline("builtin.module(convert-uma-graph-to-uma-tir)")
    print(name)
    return str(native)


x = relay.var("x", shape=(8, 24))
dense = relay.nn.dense(x, weights(16, 24))


# A matrix product in tiles, whose inner loop is a vector.
def matmul(tensor_a, tensor_b, bias, out_dtype):
    k = te.reduce_axis((0, tensor_a.shape[1]), name="k")
    return te.compute((tensor_a.shape[0], tensor_b.shape[0]), lambda i, j: te.sum(tensor_a[i, k] * tensor_b[j, k], axis=k), name="matmul")


def tiles(outs):
    s = te.create_schedule([out.op for out in outs])
    stage = s[outs[0]]
    i, j = stage.op.axis
    (k,) = stage.op.reduce_axis
    i_outer, j_outer, i_inner, j_inner = stage.tile(i, j, 4, 8)
    k_outer, k_inner = stage.split(k, factor=6)
    stage.reorder(i_outer, j_outer, k_outer, i_inner, k_inner, j_inner)
    stage.vectorize(j_inner)
    stage.unroll(k_inner)
    stage.parallel(i_outer)
    return s


# CHECK: tiles
text = check("tiles", dense, "nn.dense", 2, wrap_compute_dense(matmul), wrap_topi_schedule(tiles))
# CHECK-NEXT: 1 parallel, 1 vectorized, 1 unrolled
print(", ".join(f"{text.count(f'uma.tir.for {kind} ')} {kind}" for kind in ("parallel", "vectorized", "unrolled")))


# A sum of products by an intrinsic, with the strides of its buffers.
def gemv(rows, depth):
    a = te.placeholder((depth,), name="a")
    b = te.placeholder((rows, depth), name="b")
    k = te.reduce_axis((0, depth), name="k")
    c = te.compute((rows,), lambda i: te.sum(a[k] * b[i, k], axis=k), name="c")
    B = tir.decl_buffer(b.shape, b.dtype, name="B", strides=[te.Var("s"), 1])

    def call(ins, outs):
        builder = tir.ir_builder.create()
        builder.emit(tir.call_extern("int32", "gemv", outs[0].access_ptr("w"), ins[0].access_ptr("r"), ins[1].access_ptr("r"), rows, depth, B.strides[0]))
        return builder.get()

    return te.decl_tensor_intrin(c.op, call, binds={b: B}, name="gemv")


def by_intrinsic(outs):
    s = te.create_schedule(outs[0].op)
    stage = s[outs[0]]
    outer, inner = stage.split(stage.op.axis[1], factor=4)
    stage.tensorize(inner, gemv(4, 24))
    return s


GEMV = """static int gemv(float *c, const float *a, const float *b, int rows, int depth, int stride) {
  for (int i = 0; i < rows; ++i) {
    c[i] = 0;
    for (int k = 0; k < depth; ++k) c[i] += a[k] * b[i * stride + k];
  }
  return 0;
}
"""
# CHECK-NEXT: intrinsic
text = check("intrinsic", dense, "nn.dense", 2, wrap_compute_dense(matmul), wrap_topi_schedule(by_intrinsic), GEMV)
# CHECK-NEXT: {{.*}}uma.tir.call_extern "gemv"({{.*}}uma.code = "gemv({{.*}}, 4, 24, {{.*}})"{{.*}}
print(next(line.strip() for line in text.splitlines() if "call_extern" in line))


# Two stages, one of which is inlined or computed inside the other.
def two_stages(attrs, inputs, out_type):
    half = te.compute(inputs[0].shape, lambda *i: inputs[0](*i) * 0.5, name="half")
    return [te.compute(inputs[0].shape, lambda *i: half(*i) + tir.if_then_else(inputs[0](*i) > 0, half(*i), te.const(0.0, "float32") - half(*i)), name="whole")]


relu = relay.nn.relu(x)


def inlined(attrs, outs, target):
    s = te.create_schedule(outs[0].op)
    s[outs[0].op.input_tensors[1] if outs[0].op.input_tensors[0].op.name != "half" else outs[0].op.input_tensors[0]].compute_inline()
    return s


def inside(attrs, outs, target):
    s = te.create_schedule(outs[0].op)
    half = next(tensor for tensor in outs[0].op.input_tensors if tensor.op.name == "half")
    s[half].compute_at(s[outs[0]], s[outs[0]].op.axis[0])
    return s


for name, schedule in (("separate", None), ("inlined", inlined), ("inside", inside)):
    # CHECK-NEXT: separate
    # CHECK-NEXT: 2 blocks
    # CHECK-NEXT: inlined
    # CHECK-NEXT: 1 blocks
    # CHECK-NEXT: inside
    # CHECK-NEXT: 2 blocks
    text = check(name, relu, "nn.relu", 1, two_stages, schedule)
    print(text.count("uma.tir.block"), "blocks")


# Statements of one's own: loops, conditions, a local buffer, a variable.
def statements(attrs, inputs, out_type):
    def body(ins, outs):
        ib = tir.ir_builder.create()
        source, result = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
        best = ib.allocate("float32", (1,), name="best", scope="local")
        with ib.for_range(0, 8, name="i") as i:
            with ib.for_range(0, 24, name="j") as j:
                best[0] = te.const(0.0, "float32")
                value = ib.let("value", source[i, j])
                with ib.if_scope(value > best[0]):
                    best[0] = value
                with ib.else_scope():
                    best[0] = best[0] * 1.0
                result[i, j] = best[0]
        return ib.get()

    return [te.extern((8, 24), inputs, body, name="own")]


# CHECK-NEXT: statements
check("statements", relu, "nn.relu", 1, statements)

# An element of a pointer is that of C: over the rows.
def flat(attrs, inputs, out_type):
    def body(ins, outs):
        ib = tir.ir_builder.create()
        source, result = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
        with ib.for_range(0, 8 * 24, name="i", kind="unroll") as i:
            result[i] = tir.Max(source[i], te.const(0, "float32"))
        return ib.get()

    return [te.extern((8, 24), inputs, body, name="flat")]


# CHECK-NEXT: flat
check("flat", relu, "nn.relu", 1, flat)


# Functions of numbers, against NumPy's.
def through(function, array):
    """The values of `function` for the elements of an array, computed by a strategy."""
    data = relay.var("data", shape=array.shape)

    class Unit(UMABackend):
        def __init__(self):
            super().__init__()
            self._register_pattern("only", is_op("nn.relu")(wildcard()))
            self._register_operator_strategy("nn.relu", self.strategy)

        def strategy(self, attrs, inputs, out_type, target):
            result = OpStrategy()
            result.add_implementation(lambda attrs, inputs, out_type: [te.compute(array.shape, lambda *i: function(inputs[0](*i)), name="f")],
                                      lambda attrs, outs, target: te.create_schedule(outs[0].op))
            return result

        @property
        def target_name(self):
            return "unit"

    native = Unit().partition(tvm.IRModule.from_expr(relay.nn.relu(data))).source
    device = Unit()
    return uma.compile(native, [device]).run({"data": array})["output0"]


numbers = np.array([-3.5, -2.0, -0.5, 0.0, 0.25, 1.0, 2.5, 7.0], np.float32)
cases = {
    "exp": (te.exp, np.exp), "tanh": (te.tanh, np.tanh), "sigmoid": (te.sigmoid, lambda x: 1 / (1 + np.exp(-x))), "floor": (te.floor, np.floor),
    "ceil": (te.ceil, np.ceil), "abs": (te.abs, np.abs), "nearbyint": (te.nearbyint, np.rint), "trunc": (te.trunc, np.trunc),
    "floordiv": (lambda x: te.floordiv(x.astype("int32"), 3).astype("float32"), lambda x: (x.astype(np.int32) // 3).astype(np.float32)),
    "floormod": (lambda x: te.floormod(x.astype("int32"), 3).astype("float32"), lambda x: (x.astype(np.int32) % 3).astype(np.float32)),
    "truncdiv": (lambda x: te.truncdiv(x.astype("int32"), 3).astype("float32"), lambda x: np.trunc(x.astype(np.int32) / 3).astype(np.float32)),
    "select": (lambda x: tir.Select(tir.all(x > -1, x < 2), x * 2, x - 1), lambda x: np.where((x > -1) & (x < 2), x * 2, x - 1)),
    "minmax": (lambda x: tir.max(te.min(x, 2.0), te.const(-1.0, "float32")), lambda x: np.clip(x, -1, 2)),
    "pow": (lambda x: te.power(te.abs(x), 1.5), lambda x: np.abs(x) ** 1.5),
    "expf": (lambda x: tir.call_pure_extern("float32", "expf", x), np.exp),
    "uint8": (lambda x: (te.abs(x) * 40.0).astype("uint8").astype("float32"), lambda x: (np.abs(x) * 40).astype(np.uint8).astype(np.float32)),
}
wrong = [name for name, (ours, numpys) in cases.items() if not np.allclose(through(ours, numbers), numpys(numbers), rtol=1e-6, atol=1e-6)]
# CHECK-NEXT: 16 functions, wrong: []
print(len(cases), "functions, wrong:", wrong)
