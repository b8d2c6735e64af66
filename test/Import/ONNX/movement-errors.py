"""Moves of elements that are wrong or not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/perm.onnx 2>&1 | FileCheck %s --check-prefix=PERM
# RUN: not uma-translate --import-onnx %t/axis.onnx 2>&1 | FileCheck %s --check-prefix=AXIS
# RUN: not uma-translate --import-onnx %t/concat.onnx 2>&1 | FileCheck %s --check-prefix=CONCAT
# RUN: not uma-translate --import-onnx %t/mode.onnx 2>&1 | FileCheck %s --check-prefix=MODE
# RUN: not uma-translate --import-onnx %t/crop.onnx 2>&1 | FileCheck %s --check-prefix=CROP
# RUN: not uma-translate --import-onnx %t/pads.onnx 2>&1 | FileCheck %s --check-prefix=PADS
# RUN: not uma-translate --import-onnx %t/value.onnx 2>&1 | FileCheck %s --check-prefix=VALUE
# RUN: not uma-translate --import-onnx %t/huge.onnx 2>&1 | FileCheck %s --check-prefix=HUGE
# RUN: not uma-translate --import-onnx %t/string.onnx 2>&1 | FileCheck %s --check-prefix=STRING

from model import np, write


def op(name: str, text: str, opset: int = 10) -> None:
    write(name, f"(float[2,3] x, float[1,4] z) => (float[] y) {{ y = {text} }}", opset=opset)


# PERM: perm.onnx: error: node 'Transpose_0' (Transpose): axes {{.+}}
op("perm", "Transpose<perm=[0,0]>(x)")
# AXIS: error: node 'Concat_0' (Concat): needs the attribute 'axis'
op("axis", "Concat(x, x)")
# CONCAT: error: node 'Concat_0' (Concat): {{.+}}
op("concat", "Concat<axis=0>(x, z)")
# MODE: error: node 'Pad_0' (Pad): attribute 'mode' is 'mirror'; expected 'constant', 'edge', 'reflect' or 'wrap'
op("mode", 'Pad<mode="mirror", pads=[0,1,0,1]>(x)')
# CROP: error: node 'Pad_0' (Pad): crops dimension 1 of size 3 by 4
op("crop", "Pad<pads=[0,-1,0,-3]>(x)")
# PADS: error: node 'Pad_0' (Pad): has 2 pads; expected 4, two for each dimension
op("pads", "Pad<pads=[1,1]>(x)")
# VALUE: error: node 'Pad_0' (Pad): input 'constant_value' has the shape 2; expected one element
write("value", "(float[2,3] x) => (float[] y) { y = Pad(x, p, v) }", opset=13, p=np.array([0, 1, 0, 1]), v=np.zeros(2, "f4"))
# HUGE: error: node 'Pad_0' (Pad): the result has the shape 2000000002x3, more than the supported 2 GiB
op("huge", "Pad<pads=[2000000000,0,0,0]>(x)")
# STRING: error: node 'Cast_0' (Cast): the result has the element type string, which is not supported
op("string", "Cast<to=8>(x)")
