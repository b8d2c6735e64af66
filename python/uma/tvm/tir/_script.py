"""Functions and statements as text for readers."""

from __future__ import annotations

from uma.tvm.tir import stmt as s


def script(node) -> str:
    lines = []
    _write(node, 0, lines)
    return "\n".join(lines)


def _write(node, depth, lines):
    def line(text):
        lines.append("  " * depth + text)

    kind = type(node).__name__
    if kind == "PrimFunc":
        params = ", ".join(str(node.buffer_map.get(param, param)) for param in node.params)
        line(f"def {node.attrs.get_str('global_symbol') if 'global_symbol' in node.attrs else 'main'}({params}):")
        _write(node.body, depth + 1, lines)
    elif kind == "SeqStmt":
        for part in node.seq:
            _write(part, depth, lines)
    elif kind == "For":
        name = {0: "range", 1: "parallel", 2: "vectorized", 3: "unroll", 4: "thread_binding"}[int(node.kind)]
        line(f"for {node.loop_var} in {name}({node.min}, {node.min + node.extent}):")
        _write(node.body, depth + 1, lines)
    elif kind == "BlockRealize":
        block = node.block
        axes = ", ".join(f"{axis.var} = {value}" for axis, value in zip(block.iter_vars, node.iter_values))
        line(f"block {block.name_hint!r} ({axes}):")
        if block.init is not None:
            line("  init:")
            _write(block.init, depth + 2, lines)
        _write(block.body, depth + 1, lines)
    elif kind == "Block":
        _write(s.BlockRealize([axis.var for axis in node.iter_vars], True, node), depth, lines)
    elif kind == "Allocate":
        line(f"{node.buffer_var} = allocate({[int(size) for size in node.extents]}, {node.dtype!r})")
        _write(node.body, depth, lines)
    elif kind == "BufferStore":
        line(f"{node.buffer.name}[{', '.join(map(str, node.indices))}] = {node.value}")
    elif kind == "Evaluate":
        line(str(node.value))
    elif kind == "LetStmt":
        line(f"{node.var} = {node.value}")
        _write(node.body, depth, lines)
    elif kind == "IfThenElse":
        line(f"if {node.condition}:")
        _write(node.then_case, depth + 1, lines)
        if node.else_case is not None:
            line("else:")
            _write(node.else_case, depth + 1, lines)
    elif kind in ("AttrStmt", "DeclBuffer", "AssertStmt"):
        _write(node.body, depth, lines)
    else:
        line(f"<{kind}>")
