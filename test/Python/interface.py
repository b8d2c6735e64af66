"""The calls beside compile and explain: run, lower, tune and test; models as bytes; the table of explain; what dir shows."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %source/examples/digits/digits.onnx %t.json | FileCheck %s --match-full-lines --implicit-check-not=Error

import pathlib
import sys

import numpy as np
import uma
from uma.tvm.relay.backend.contrib.uma.backend import UMABackend
from uma.tvm.relay.dataflow_pattern import is_op, wildcard

digits, database = sys.argv[1:]
image = {"image": np.linspace(0, 1, 64, dtype=np.float32).reshape(1, 1, 8, 8)}

# CHECK: True
print({name for name in dir(uma) if not name.startswith("__")} == set(uma.__all__))
expected = uma.run(digits, image)["probabilities"]
data = pathlib.Path(digits).read_bytes()


class Proto:
    """Stands for onnx.ModelProto, which has this method."""

    def SerializeToString(self):
        return data


for model in (data, Proto(), pathlib.Path(digits), uma.import_model(data)):
    # CHECK-NEXT: True
    # CHECK-NEXT: True
    # CHECK-NEXT: True
    # CHECK-NEXT: True
    print(np.array_equal(uma.run(model, image)["probabilities"], expected))

# CHECK-NEXT: 3 calls of vanilla
print(str(uma.lower(digits, ["vanilla"])).count('call_extern "vanilla_conv2dnchw"'), "calls of vanilla")
# CHECK-NEXT: 0 vectors
print(str(uma.lower(digits, lower="vectorize=false")).count("vector.load"), "vectors")

# CHECK-NEXT: layer{{ +}}analytic{{ +}}us{{ +}}tuned{{ +}}us{{ +}}loss
print(uma.tune(digits, database, candidates=2, rounds=2).splitlines()[0])
# CHECK-NEXT: True
print(np.allclose(uma.run(digits, image, tuning=database)["probabilities"], expected, rtol=1e-5))

result = uma.test("vanilla", cases=3, seed=5)
# CHECK-NEXT: True {'conv2d'} {'equal'} []
print(bool(result), {layer.pattern for layer in result}, {layer.status for layer in result}, result.failures)

# A device whose C is wrong for some layers.
C = """static int relu_all(const float *x, float *y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] > 0 || n > 50 ? x[i] : 0;
  return 0;
}
"""


class Relu(UMABackend):
    def __init__(self):
        super().__init__()
        from uma.tvm import tir
        from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase

        @tir.transform.prim_func_pass(opt_level=0)
        def call(func, mod, ctx):
            x, y = func.buffer_map.values()
            size = int(np.prod([int(extent) for extent in x.shape]))
            return func.with_body(tir.Evaluate(tir.call_extern("int32", "relu_all", x, y, size)))

        self._register_pattern("relu", is_op("nn.relu")(wildcard().has_dtype("float32")))
        self._register_tir_pass(PassPhase.TIR_PHASE_0, call)
        self._register_codegen(includes=lambda: "#include <stdint.h>\n" + C)

    @property
    def target_name(self):
        return "relu_unit"


result = uma.test(Relu(), cases=12)
# CHECK-NEXT: False {{.*}}'equal', 'failed'{{.*}}
print(bool(result), "{" + ", ".join(sorted({repr(layer.status) for layer in result})) + "}")
# CHECK-NEXT: relu y0[{{.*}}] is -{{.*}}, expected 0 ({{.*}} elements differ)
print(result.failures[0].pattern, result.failures[0].message)

rows = uma.explain(digits, ["vanilla"])
# CHECK-NEXT: layer    operator           result        runs on  why not on a device
# CHECK-NEXT: conv1    conv2d             1x12x8x8 f32  vanilla
print(*str(rows).splitlines()[:2], sep="\n")
# CHECK-NEXT: 18 rows, 1 strides is [2, 2], the pattern wants [1, 1]
print(rows._repr_html_().count("<tr>") - 1, "rows,", rows._repr_html_().count("strides is [2, 2]"), rows[10]["reasons"][0]["constraint"])
