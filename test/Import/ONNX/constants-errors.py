"""Tensors that are damaged, lie elsewhere, or have types that are not supported."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/short.onnx 2>&1 | FileCheck %s --check-prefix=SHORT
# RUN: not uma-translate --import-onnx %t/few.onnx 2>&1 | FileCheck %s --check-prefix=FEW
# RUN: not uma-translate --import-onnx %t/type.onnx 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not uma-translate --import-onnx %t/string.onnx 2>&1 | FileCheck %s --check-prefix=STRING
# RUN: not uma-translate --import-onnx %t/negative.onnx 2>&1 | FileCheck %s --check-prefix=NEGATIVE
# RUN: not uma-translate --import-onnx %t/overflow.onnx 2>&1 | FileCheck %s --check-prefix=OVERFLOW
# RUN: not uma-translate --import-onnx %t/empty.onnx 2>&1 | FileCheck %s --check-prefix=EMPTY
# RUN: not uma-translate --import-onnx %t/missing.onnx 2>&1 | FileCheck %s --check-prefix=MISSING
# RUN: not uma-translate --import-onnx %t/absolute.onnx 2>&1 | FileCheck %s --check-prefix=ABSOLUTE
# RUN: not uma-translate --import-onnx %t/escape.onnx 2>&1 | FileCheck %s --check-prefix=ESCAPE
# RUN: not uma-translate --import-onnx %t/beyond.onnx 2>&1 | FileCheck %s --check-prefix=BEYOND
# RUN: not uma-translate --import-onnx %t/offset.onnx 2>&1 | FileCheck %s --check-prefix=OFFSET
# RUN: not uma-translate --import-onnx %t/sparse.onnx 2>&1 | FileCheck %s --check-prefix=SPARSE
# RUN: not uma-translate --import-onnx %t/list.onnx 2>&1 | FileCheck %s --check-prefix=LIST
# RUN: not uma-translate --import-onnx %t/forms.onnx 2>&1 | FileCheck %s --check-prefix=FORMS

import sys

from model import helper, make, np, numpy_helper, onnx, save, write, zeros


def weight(name: str, external: dict | None = None, **fields) -> None:
    tensor = onnx.TensorProto(name="w", data_location=bool(external), **fields)
    for key, value in (external or {}).items():
        tensor.external_data.add(key=key, value=value)
    write(name, "(float[2] x) => (float[] y) { y = Add(x, w) }", w=tensor)


# SHORT: short.onnx: error: tensor 'w' of the shape 2 needs 8 bytes of data, but the file has 7
weight("short", data_type=1, dims=[2], raw_data=b"1234567")
# FEW: error: tensor 'w' of the shape 2 needs 2 elements of data, but the file has 1
weight("few", data_type=1, dims=[2], float_data=[1])
# TYPE: error: tensor 'w' has the element type complex64, which is not supported; supported are bool, integers and floats
weight("type", data_type=14, dims=[2], raw_data=b"1")
# STRING: error: tensor 'w' has the element type string, which is not supported
weight("string", data_type=8, dims=[2], string_data=[b"a", b"b"])
# NEGATIVE: error: tensor 'w' has the negative size -2 in dimension 0
weight("negative", data_type=1, dims=[-2], raw_data=b"12345678")
# OVERFLOW: error: tensor 'w' has the shape 4294967296x4294967296x4294967296, more than the supported 2 GiB
weight("overflow", data_type=1, dims=[2**32] * 3, raw_data=b"")
# EMPTY: error: tensor 'Add_0' has no elements: dimension 0 of 0x2 is 0
weight("empty", data_type=1, dims=[0, 1], raw_data=b"")
# MISSING: error: tensor 'w': its file 'nowhere.bin' cannot be read: No such file or directory
weight("missing", {"location": "nowhere.bin"}, data_type=1, dims=[2])
# ABSOLUTE: error: tensor 'w' is stored in the file '/etc/passwd'; expected a path below the model's folder, without '..'
weight("absolute", {"location": "/etc/passwd"}, data_type=1, dims=[2])
# ESCAPE: error: tensor 'w' is stored in the file 'a/../../b'; expected a path below
weight("escape", {"location": "a/../../b"}, data_type=1, dims=[2])
# BEYOND: error: tensor 'w' needs 8 bytes from offset 8 of its file 'w.bin', which has only 12
weight("beyond", {"location": "w.bin", "offset": "8"}, data_type=1, dims=[2])
# OFFSET: error: tensor 'w' has the external data offset '-8'; expected a number
weight("offset", {"location": "w.bin", "offset": "-8"}, data_type=1, dims=[2])
zeros(3).tofile(sys.argv[1] + "/w.bin")


# SPARSE: error: tensor 'w' is sparse, and index 1 is outside of its shape 3x2
# LIST: error: tensor 'w' is sparse, with values of the shape 2 and indices of the shape 2x3; expected a list of values and an integer index for each
def write_sparse(name: str, indices: list) -> None:
    model = make("(float[3,2] x) => (float[] y) { y = Add(x, w) }")
    values = helper.make_tensor("w", 1, [2], [1, 2])
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, numpy_helper.from_array(np.int64(indices)), [3, 2]))
    save(name, model)


write_sparse("sparse", [[0, 1], [1, 2]])
write_sparse("list", [[0, 1, 0], [1, 1, 0]])
# FORMS: error: node 'Constant_0' (Constant): attribute 'value_string' is not supported
write("forms", '() => (float[] y) { y = Constant<value_string="a">() }')
