"""Walks over nodes that share parts and may be deeper than Python's stack."""

from __future__ import annotations


def post_order(roots, get_parts) -> list:
    """All nodes below `roots`, each once, after its parts."""
    result, seen, stack = [], set(), [(root, False) for root in reversed(roots)]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            result.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((part, False) for part in reversed(get_parts(node)))
    return result
