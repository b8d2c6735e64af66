"""Sparse constants whose description does not fit: each gives one message."""
# RUN: %python -B %s %t | FileCheck %s

import copy
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import numpy as np
from tflite import Model

count = 0
DENSE = {"format": "DENSE", "dense_size": 2}
ROWS = {"values": [0, 1, 3]}
COLUMNS = {"values": [2, 0, 1]}
CSR = {
    "format": "SPARSE_CSR",
    "array_segments_type": "Int32Vector",
    "array_segments": ROWS,
    "array_indices_type": "Uint8Vector",
    "array_indices": COLUMNS,
}


def refuse(dtype: str = "float32", values=3, **changes) -> None:
    """Changes a matrix of 2x3, whose rows have the elements 2, and 0 and 1."""
    global count
    count += 1
    sparsity = {"traversal_order": [0, 1], "block_map": [], "dim_metadata": [copy.deepcopy(DENSE), copy.deepcopy(CSR)]}
    sparsity.update(changes)
    model = Model()
    x, y, w = model.input("x", (2, 3)), model.tensor("y", (2, 3)), model.tensor("w", (2, 3))
    model.add("DENSIFY", [model.constant("s", np.ones(values, "float32"), dtype=dtype, shape=(2, 3), sparsity=sparsity)], [w])
    model.add("ADD", [x, w], [y])
    model.refuse(f"{count:02}", [y])


def changed(**fields):
    return [DENSE, {**CSR, **fields}]


# CHECK: 01.tflite: error: tensor 's' is sparse, but it orders 1 dimensions and has 2 descriptions of them; expected 2
refuse(traversal_order=[0])
# CHECK-NEXT: 02.tflite: error: tensor 's' is sparse, but it orders 2 dimensions and has 0 descriptions of them; expected 2
refuse(dim_metadata=[])
# CHECK-NEXT: 03.tflite: error: tensor 's' is sparse, but its order of dimensions is no permutation
refuse(traversal_order=[1, 1])
# CHECK-NEXT: 04.tflite: error: tensor 's' is sparse, but its order of dimensions is no permutation
refuse(traversal_order=[0, -1])
# CHECK-NEXT: 05.tflite: error: tensor 's' is sparse, but a block divides dimension 2 of 2
refuse(traversal_order=[0, 1, 2], block_map=[2], dim_metadata=[DENSE, CSR, DENSE])
# CHECK-NEXT: 06.tflite: error: tensor 's' is sparse, but two blocks divide dimension 0
refuse(traversal_order=[0, 1, 2, 3], block_map=[0, 0], dim_metadata=[DENSE, CSR, DENSE, DENSE])
# CHECK-NEXT: 07.tflite: error: tensor 's' is sparse, but blocks of the size 2 do not divide dimension 1 of the size 3
refuse(traversal_order=[0, 1, 2], block_map=[1], dim_metadata=[DENSE, CSR, DENSE])
# CHECK-NEXT: 08.tflite: error: tensor 's' is sparse, but blocks of the size 0 do not divide dimension 1 of the size 3
refuse(traversal_order=[0, 1, 2], block_map=[1], dim_metadata=[DENSE, CSR, {"format": "DENSE"}])
# CHECK-NEXT: 09.tflite: error: tensor 's' is sparse, but dimension 0 has the size 1000000000; expected 2
refuse(dim_metadata=[{"format": "DENSE", "dense_size": 10**9}, CSR])
# CHECK-NEXT: 10.tflite: error: tensor 's' is sparse, but dimension 1 has an unknown format
refuse(dim_metadata=changed(format=7))
# CHECK-NEXT: 11.tflite: error: tensor 's' is sparse, but the segments of dimension 1 do not divide its indices
refuse(dim_metadata=changed(array_segments={"values": [0, 1]}))
# CHECK-NEXT: 12.tflite: error: tensor 's' is sparse, but the segments of dimension 1 do not divide its indices
refuse(dim_metadata=changed(array_segments={"values": [0, 4, 3]}))
# CHECK-NEXT: 13.tflite: error: tensor 's' is sparse, but the segments of dimension 1 do not divide its indices
refuse(dim_metadata=changed(array_segments={"values": [0, 1, 2]}))
# CHECK-NEXT: 14.tflite: error: tensor 's' is sparse, but the segments of dimension 1 do not divide its indices
refuse(dim_metadata=changed(array_segments={"values": [-1, 1, 3]}))
# CHECK-NEXT: 15.tflite: error: tensor 's' is sparse, but the indices of dimension 1 are out of range or not in ascending order
refuse(dim_metadata=changed(array_indices={"values": [3, 0, 1]}))
# CHECK-NEXT: 16.tflite: error: tensor 's' is sparse, but the indices of dimension 1 are out of range or not in ascending order
refuse(dim_metadata=changed(array_indices={"values": [2, 1, 1]}))
# CHECK-NEXT: 17.tflite: error: tensor 's' of the shape 2x3 needs 12 bytes of data, but the file has 16
refuse(values=4)
# CHECK-NEXT: 18.tflite: error: tensor 's' is sparse and of INT4, which is not supported
refuse(dtype="INT4")
