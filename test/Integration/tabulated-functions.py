"""Functions between ONNX's dequantize and quantize on a processor without vectors: tables, whose numbers are those of the interpreter."""
# REQUIRES: gcc
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs %python -B %s %t
# RUN: env CFLAGS=-O1 uma run %t/functions.onnx --cpu=cortex-m0 --compare | FileCheck %s
# RUN: env CFLAGS=-O1 uma run %t/functions.onnx --compare | FileCheck %s
# RUN: rm -rf %t/package && uma compile %t/functions.onnx --cpu=cortex-m0 -o %t/package
# RUN: not grep -E '\b(expf|tanhf|erff|exp|tanh|erf) *\(' %t/package/functions.c

# CHECK-COUNT-5: equal to the reference interpreter, max error 0
# CHECK-NOT: DIFFERENT

from model import np, write

SCALAR = {"s": np.float32(0.05), "t": np.float32(1 / 128), "z": np.int8(5), "o": np.int8(0)}
write(
    "functions",
    """(int8[1,7,3] x) => (int8[] a, int8[] b, int8[] c, int8[] d, int8[] e) {
      f = DequantizeLinear(x, s, z)
      fa = Sigmoid(f)
      a = QuantizeLinear(fa, t, o)
      fb = Tanh(f)
      b = QuantizeLinear(fb, t, o)
      g = DequantizeLinear(a, t, o)
      fc = Mul(f, g)
      c = QuantizeLinear(fc, s, z)
      fd = Elu(f)
      d = QuantizeLinear(fd, s, z)
      h = Erf(f)
      fe = Mul(h, f)
      e = QuantizeLinear(fe, s, z)
    }""",
    **{name: np.asarray(value) for name, value in SCALAR.items()},
)
