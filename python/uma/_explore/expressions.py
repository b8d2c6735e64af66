"""Expressions of constraints and objectives: arithmetic on names, in Python's syntax, without anything else of Python."""

from __future__ import annotations

import ast
import math
import operator

from .. import Error, _uma

#: Integers have at most this many bits, so that no expression takes long.
_MAX_BITS = 256
_MAX_LENGTH, _MAX_DEPTH = 2000, 50

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
              ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow}
_COMPARISONS = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
                ast.GtE: operator.ge}
_FUNCTIONS = {"min": min, "max": max}


class Expression:
    """A parsed expression. `names` are those that it uses."""

    def __init__(self, kind: str, text: str, known):
        """`known` are the valid names; `kind` is "constraint" or "objective", for messages."""
        self.kind, self.text, self.known = kind, text, known
        self.names: set[str] = set()
        try:
            if len(text) > _MAX_LENGTH:
                raise ValueError(f"has {len(text)} characters, at most {_MAX_LENGTH} are read")
            tree = ast.parse(text.strip(), mode="eval")
            self._evaluate = self._compile(tree.body, 0)
        except SyntaxError:
            hint = "; write 'and', 'or' and 'not'" if any(sign in text for sign in ("&&", "||", "!")) and "!=" not in text else ""
            raise self._error(f"is no expression{hint}") from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise self._error(str(error) or "is too deep") from None

    def _error(self, problem: str) -> Error:
        return Error(f"{self.kind} '{self.text}' {problem}")

    def evaluate(self, values):
        """Computes the expression. `values` has a value for each name in `names`."""
        try:
            return self._evaluate(values)
        except ZeroDivisionError:
            raise self._error("divides by zero") from None
        except (ValueError, OverflowError) as error:
            raise self._error(str(error)) from None
        except TypeError:
            raise self._error("mixes texts and numbers") from None

    def _compile(self, node, depth: int):
        if depth > _MAX_DEPTH:
            raise ValueError("is too deep")
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
            value = _check(node.value)
            return lambda values: value
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._compile_name(node)

        def compile_all(nodes):
            return [self._compile(each, depth + 1) for each in nodes]

        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            apply, (left, right) = _OPERATORS[type(node.op)], compile_all([node.left, node.right])
            return lambda values: _apply(apply, left(values), right(values))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd, ast.Not)):
            operand, = compile_all([node.operand])
            if isinstance(node.op, ast.Not):
                return lambda values: not operand(values)
            sign = -1 if isinstance(node.op, ast.USub) else 1
            return lambda values: sign * _number(operand(values))
        if isinstance(node, ast.BoolOp):
            operands, find = compile_all(node.values), all if isinstance(node.op, ast.And) else any
            return lambda values: find(operand(values) for operand in operands)
        if isinstance(node, ast.Compare) and all(type(op) in _COMPARISONS for op in node.ops):
            operands, compare = compile_all([node.left, *node.comparators]), [_COMPARISONS[type(op)] for op in node.ops]
            return lambda values: _compare([operand(values) for operand in operands], compare)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS and len(node.args) > 1 and \
                not node.keywords and not any(isinstance(each, ast.Starred) for each in node.args):
            function, arguments = _FUNCTIONS[node.func.id], compile_all(node.args)
            return lambda values: function(_number(argument(values)) for argument in arguments)
        found = ast.get_source_segment(self.text.strip(), node) or type(node).__name__
        raise ValueError(f"holds '{found}'; expected numbers, names, + - * / // % **, comparisons, and, or, not, min(…) and max(…)")

    def _compile_name(self, node):
        name = node.id if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
        if name is None:
            raise ValueError("holds more than one '.' in a name")
        if name not in self.known:
            names = sorted(self.known)
            plain = [each for each in names if "." not in each]
            hint = _uma.suggest(name, names) or f"; known are {', '.join(plain)}"
            raise ValueError(f"names '{name}', which is no attribute and no metric{hint}")
        if isinstance(self.known, dict) and self.known[name]:
            raise ValueError(self.known[name])
        self.names.add(name)
        return lambda values: values[name]


def _check(value):
    """Refuses numbers that nobody needs."""
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise ValueError("is too large a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("is no finite number")
    return value


def _number(value):
    if isinstance(value, str):
        raise TypeError
    return value


def _apply(function, left, right):
    left, right = _number(left), _number(right)
    if function is operator.pow:
        # Before it is computed.
        if isinstance(left, int) and isinstance(right, int) and abs(left) > 1 and abs(right) * abs(left).bit_length() > 2 * _MAX_BITS:
            raise ValueError("is too large a number")
        result = function(left, right)
        if isinstance(result, complex):
            raise ValueError("takes a root of a negative number")
        return _check(result)
    return _check(function(left, right))


def _compare(values, comparisons) -> bool:
    for left, right, compare in zip(values, values[1:], comparisons):
        if isinstance(left, str) != isinstance(right, str):
            raise TypeError
        if not compare(left, right):
            return False
    return True


def split_list(text: str) -> list[str]:
    """Splits a list of expressions at the commas outside of parentheses."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [part.strip() for part in [*parts, text[start:]]]
