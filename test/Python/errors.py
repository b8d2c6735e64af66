"""Wrong uses from Python: each is one exception with one clear message, that of the command line where it has the same."""
# REQUIRES: python, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python %python -W ignore -B %s %source/examples/digits/digits.onnx %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# RUN: not uma compile %source/examples/digits/digits.onnx -a vanila -o %t/out 2>&1 | FileCheck %s --check-prefix=COMMAND

import os
import pathlib
import sys

import numpy as np
import uma

digits, folder = sys.argv[1], pathlib.Path(sys.argv[2])
net = uma.compile(digits, ["vanilla"])
image = np.zeros((1, 1, 8, 8), np.float32)


def check(wrong):
    try:
        wrong()
    except (uma.Error, TypeError) as error:
        print(f"{type(error).__module__}.{type(error).__name__}:", str(error).replace(f"{folder}/", "").replace("\n", " / "))
    else:
        print("no exception")


def write(name, text):
    (folder / name).write_text(text)
    return str(folder / name)


# CHECK: uma.Error: {{.*}}digits.onx: no such file
check(lambda: uma.compile(digits.replace("onnx", "onx")))
# CHECK-NEXT: uma.Error: net.txt: unknown kind of model; expected a file ending in .onnx, .tflite, .mlir or .mlirbc
check(lambda: uma.explain(write("net.txt", "")))
# CHECK-NEXT: uma.Error: {{.*}}digits.onnx: error: unknown accelerator 'vanila'; did you mean 'vanilla'?
# COMMAND: {{^.*}}digits.onnx: error: unknown accelerator 'vanila'; did you mean 'vanilla'?{{$}}
check(lambda: uma.compile(digits, accelerators=["vanila"]))
# A module is a model like any other: what is in it does not run unless it is trusted.
text = """uma.accel.accelerator @npu {
  uma.accel.prologue "evil();"
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "net"} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
stage = uma.Module.parse(text)
# CHECK-NEXT: uma.Error: {{.*}}the model holds 'uma.accel.accelerator'; {{.*}}
check(lambda: uma.compile(stage))
# CHECK-NEXT: uma.Error: {{.*}}the model holds 'uma.accel.accelerator'; {{.*}}
check(lambda: uma.explain(text.encode()))
# CHECK-NEXT: uma.Error: {{.*}}the model holds 'uma.accel.accelerator'; {{.*}}
check(lambda: uma.import_model(stage))
# CHECK-NEXT: no exception
check(lambda: uma.explain(stage, trust_model=True))
# CHECK-NEXT: builtins.TypeError: accelerators is a list; write accelerators=['vanilla']
check(lambda: uma.compile(digits, accelerators="vanilla"))
# CHECK-NEXT: uma.Error: npu.uma:2:11: error: expected the header's name in double quotes, found 'npu'
check(lambda: uma.explain(digits, accelerators=[write("npu.uma", "accelerator npu {\n  include npu.h\n}\n")]))
# CHECK-NEXT: uma.Error: twice.uma:3:11: error: a pattern 'p' exists already; give each its own name, e.g. 'p_2' / twice.uma:2:11: note: the other one is here
pattern = "  pattern p(x: f32) { y = relu(x); call f(x, y) }\n"
check(lambda: uma.explain(digits, accelerators=[write("twice.uma", f"accelerator twice {{\n{pattern}{pattern}}}\n")]))
# CHECK-NEXT: uma.Error: option 'shapes' is 'image=1x0': the shape 'image=1x0' is invalid; expected an input's name and its positive sizes, e.g. image=1x3x32x32
check(lambda: uma.import_onnx(digits, shapes={"image": [1, 0]}))
# CHECK-NEXT: builtins.TypeError: the shape of 'image' is a list of sizes, e.g. [1, 3, 32, 32], found '1x8'
check(lambda: uma.import_onnx(digits, shapes={"image": "1x8"}))
# CHECK-NEXT: uma.Error: option 'policy' is 'cots': expected greedy or cost; did you mean 'cost'?
check(lambda: uma.explain(digits, policy="cots"))
# CHECK-NEXT: builtins.TypeError: unknown option 'acelerator_dirs'; did you mean 'accelerator_dirs'?
check(lambda: uma.explain(digits, acelerator_dirs=["."]))
# CHECK-NEXT: uma.Error: option 'io' is 'insid': expected outside or inside; did you mean 'inside'?
check(lambda: uma.compile(digits, io="insid"))
# CHECK-NEXT: uma.Error: option 'arena' is '64k': expected a number of bytes above 0, such as 32768 or 32K
check(lambda: uma.compile(digits, arena="64k"))
# CHECK-NEXT: uma.Error: option 'memories' is 'tcm=-1': expected a name and a number of bytes, such as dtcm=64K
check(lambda: uma.compile(digits, memories={"tcm": -1}))
# CHECK-NEXT: uma.Error: option 'memories' is 't m=4K': expected a name and a number of bytes, such as dtcm=64K
check(lambda: uma.compile(digits, memories={"t m": "4K"}))
# CHECK-NEXT: uma.Error: the network has no input 'imag', it has 'image'; did you mean 'image'?
check(lambda: net.run({"imag": image}))
# CHECK-NEXT: uma.Error: input 'image' is missing
check(lambda: net.run({}))
# CHECK-NEXT: uma.Error: input 'image' has the shape (8, 8), expected (1, 1, 8, 8)
check(lambda: net.run({"image": image[0, 0]}))
# CHECK-NEXT: uma.Error: input 'image' has the dtype float64, expected float32; array.astype('float32') converts it
check(lambda: net.run({"image": image.astype(float)}))
# CHECK-NEXT: uma.Error: input 'image' is a list, expected a NumPy array
check(lambda: net.run({"image": image.tolist()}))
# CHECK-NEXT: uma.Error: network 'digits' failed: layer 'conv1' failed with status 7
os.environ["VANILLA_FAIL_AT"] = "1:7"
check(lambda: uma.compile(digits, ["vanilla"]).run({"image": image}))
# CHECK-NEXT: uma.Error: the C of 'digits' does not build: / make: no-such-compiler: {{.*}}
check(lambda: uma.compile(digits, cc="no-such-compiler"))
# CHECK-NEXT: uma.Error: {{.*}}: holds files and is no package of uma, so it is not replaced; name another folder or empty it
check(lambda: net.save(folder))
# CHECK-NEXT: uma.Error: <module>:2:3: error: custom op 'retrun' is unknown (tried 'func.retrun' as well)
check(lambda: uma.Module.parse("func.func @f() {\n  retrun\n}"))
# CHECK-NEXT: uma.Error: cannot parse the pipeline 'builtin.module(uma-graph-fold)': 'uma-graph-fold' does not refer to a registered pass or pass pipeline
module = uma.Module.parse("module {}")
check(lambda: module.run_pipeline("builtin.module(uma-graph-fold)"))
# CHECK-NEXT: uma.Error: the pipeline 'func.func(cse)' runs on func.func; write builtin.module(…)
check(lambda: module.run_pipeline("func.func(cse)"))
# CHECK-NEXT: uma.Error: <module>:1:1: error: unknown accelerator 'vanila'; did you mean 'vanilla'?
check(lambda: module.run_pipeline("builtin.module(uma-partition{accelerators=vanila})"))

# An error keeps everything that was said, with its place.
# CHECK-NEXT: [('error', 'twice.uma:3:11'), ('note', 'twice.uma:2:11')]
try:
    uma.explain(digits, accelerators=[str(folder / "twice.uma")])
except uma.Error as error:
    print([(said.severity, pathlib.Path(said.where).name) for said in error.diagnostics])
