"""The regions of buffers that a block reads and writes, from its loads, stores and calls."""

from __future__ import annotations

from uma.tvm.ir import Range
from uma.tvm.tir import expr as e
from uma.tvm.tir.stmt import Block, BufferRegion, BufferStore
from uma.tvm.tir.stmt_functor import post_order_visit


def affine(index, positions):
    """An index as the text of an affine expression of variables, whose numbers `positions` has by id; None if it is none."""
    if isinstance(index, e.IntImm):
        return str(index.value)
    if isinstance(index, e.Var):
        position = positions.get(id(index))
        return None if position is None else f"d{position}"
    if isinstance(index, e.Cast):
        return affine(index.value, positions)
    symbols = {e.Add: "+", e.Sub: "-", e.Mul: "*", e.FloorDiv: "floordiv", e.FloorMod: "mod"}
    symbol = symbols.get(type(index))
    if symbol is None:
        return None
    a, b = affine(index.a, positions), affine(index.b, positions)
    if a is None or b is None:
        return None
    is_number = [isinstance(side, e.IntImm) for side in (index.a, index.b)]
    if symbol == "*" and not any(is_number) or symbol in ("floordiv", "mod") and not (is_number[1] and index.b.value > 0):
        return None
    return f"({a} {symbol} {b})"


def accesses(body):
    """Triples of a buffer, the indices or None for all of it, and whether it is written."""
    found = []

    def visit(node):
        if isinstance(node, BufferStore):
            found.append((node.buffer, node.indices, True))
        elif isinstance(node, e.BufferLoad):
            found.append((node.buffer, node.indices, False))
        elif isinstance(node, e.Call):
            for arg in node.args:
                buffer = getattr(arg, "buffer_of_data", None)
                if buffer is not None:
                    found.extend([(buffer, None, False), (buffer, None, True)])
        elif isinstance(node, Block):
            pass

    post_order_visit(body, visit)
    return found


def regions(body, iter_vars, init=None):
    """The regions that a block with this body reads and writes: two lists of (buffer, texts of the first indices, extents). The first access by
    equal indices counts; of a buffer with several different ones, the whole is named."""
    positions = {id(axis.var): number for number, axis in enumerate(iter_vars)}
    result = ({}, {})
    init_writes = {id(buffer.data) for buffer, _, is_written in accesses(init) if is_written} if init is not None else set()
    for buffer, indices, is_written in accesses(body) + (accesses(init) if init is not None else []):
        # An update reads what it writes; the region written says so.
        if not is_written and id(buffer.data) in init_writes:
            continue
        is_whole = indices is None or len(indices) != len(buffer.shape)
        texts = None if is_whole else [affine(index, positions) for index in indices]
        shape = [int(size) for size in buffer.shape]
        if texts is None or None in texts:
            texts, extents = ["0"] * len(shape), shape
        else:
            extents = [1] * len(shape)
        entry = result[is_written].setdefault(id(buffer.data), (buffer, texts, extents))
        if entry[1:] != (texts, extents):
            result[is_written][id(buffer.data)] = (buffer, ["0"] * len(shape), shape)
    return list(result[False].values()), list(result[True].values())


def as_buffer_regions(body, iter_vars, init=None):
    """The same as `reads` and `writes` of a block."""
    lists = ([], [])
    seen = set()
    for buffer, indices, is_written in accesses(body):
        key = (id(buffer.data), is_written)
        if key in seen:
            continue
        seen.add(key)
        shape = [int(size) for size in buffer.shape]
        if indices is None or len(indices) != len(shape):
            region = [Range(size) for size in shape]
        else:
            region = [Range.from_min_extent(index, 1) for index in indices]
        lists[is_written].append(BufferRegion(buffer, region))
    return lists
