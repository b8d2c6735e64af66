#!/usr/bin/env python3
"""Checks the overlaps that uma-tir-plan-memory proves, on random code.

  utils/fuzz-overlap.py UMA_OPT [--seed N] [--count N]

Each network fills a buffer x and calls layers that read x and write y: random nests of loops, conditions and accesses, also to
parts of the buffers. The accesses are simulated here, in the memory as planned: what is read from x must not have been overwritten,
and at the end y must hold what was written. Prints how many plans overlap, and how many bytes the best overlap would take.
"""
import argparse
import random
import re
import subprocess
import sys

WIDTHS = {"i8": 1, "i32": 4}


class Function:
    """A random layer. Its parameters are x and y, with `extents` elements of `types`."""

    def __init__(self, generator: random.Random, name: str):
        self.generator, self.name = generator, name
        self.types = [generator.choice(list(WIDTHS)) for _ in range(2)]
        self.names, self.lines, self.constants = 0, [], {}
        self.body = self.make_body(0, [])
        self.trace = []
        self.run(self.body, {})
        # Indices begin at 0.
        self.extents, self.starts = [], []
        for buffer in range(2):
            indices = [index for what, which, index in self.trace if which == buffer] or [0]
            self.starts.append(-min(indices))
            self.extents.append(max(indices) - min(indices) + 1)
        self.trace = [(what, which, index + self.starts[which]) for what, which, index in self.trace]

    def make_body(self, depth: int, variables: list[str]) -> list:
        body = []
        for _ in range(self.generator.randint(1, 3)):
            kind = self.generator.random()
            if depth < 3 and kind < 0.45:
                lower = self.make_index(variables, small=True) if variables and self.generator.random() < 0.2 else self.generator.randint(0, 2)
                upper = self.make_index(variables, small=True) if variables and self.generator.random() < 0.2 else self.generator.randint(1, 7)
                variable = f"%i{self.get_number()}"
                body.append(("for", variable, lower, upper, self.make_body(depth + 1, [*variables, variable])))
            elif depth < 3 and variables and kind < 0.6:
                condition = (self.generator.choice(["slt", "eq", "sge"]), self.make_index(variables, small=True), self.generator.randint(0, 4))
                other = self.make_body(depth + 1, variables) if self.generator.random() < 0.5 else []
                body.append(("if", condition, self.make_body(depth + 1, variables), other))
            else:
                what = self.generator.choice(["read", "read", "write"])
                buffer = 0 if what == "read" else self.generator.choice([1, 1, 1, 0])
                body.append((what, buffer, self.make_index(variables)))
        return body

    def get_number(self) -> int:
        self.names += 1
        return self.names

    def make_index(self, variables: list[str], small: bool = False):
        """An expression: a number, a variable, or an operation on two of them."""
        depth = self.generator.randint(0, 1 if small else 3)
        return self.make_expression(variables, depth)

    def make_expression(self, variables: list[str], depth: int):
        if depth == 0 or not variables:
            return self.generator.choice(variables) if variables and self.generator.random() < 0.8 else self.generator.randint(0, 6)
        kind = self.generator.choice(["add", "add", "add", "mul", "mul", "sub", "max", "min", "div", "rem", "select"])
        left = self.make_expression(variables, depth - 1)
        if kind in ("mul", "div", "rem"):
            return (kind, left, self.generator.randint(1, 8))
        return (kind, left, self.make_expression(variables, depth - 1))

    def evaluate(self, expression, values: dict[str, int]) -> int:
        if isinstance(expression, int):
            return expression
        if isinstance(expression, str):
            return values[expression]
        kind, left, right = expression[0], self.evaluate(expression[1], values), self.evaluate(expression[2], values)
        return {"add": lambda: left + right, "sub": lambda: left - right, "mul": lambda: left * right, "max": lambda: max(left, right),
                "min": lambda: min(left, right), "div": lambda: left // right, "rem": lambda: abs(left) % right * (1 if left >= 0 else -1),
                "select": lambda: left if left < right else 2 * right}[kind]()

    def run(self, body: list, values: dict[str, int]) -> None:
        for statement in body:
            if statement[0] == "for":
                _, variable, lower, upper, inner = statement
                for i in range(self.evaluate(lower, values), self.evaluate(upper, values)):
                    self.run(inner, {**values, variable: i})
            elif statement[0] == "if":
                (compare, left, right), then, other = statement[1:]
                value = self.evaluate(left, values)
                self.run(then if {"slt": value < right, "eq": value == right, "sge": value >= right}[compare] else other, values)
            else:
                self.trace.append((statement[0], statement[1], self.evaluate(statement[2], values)))

    # Text

    def print_index(self, expression, indent: str) -> str:
        if isinstance(expression, str):
            return expression
        result = f"%v{self.get_number()}"
        if isinstance(expression, int):
            self.lines.append(f"{indent}{result} = arith.constant {expression} : index")
            return result
        left, right = self.print_index(expression[1], indent), self.print_index(expression[2], indent)
        if expression[0] == "select":
            double, condition = f"%v{self.get_number()}", f"%v{self.get_number()}"
            self.lines += [f"{indent}{double} = arith.addi {right}, {right} : index",
                           f"{indent}{condition} = arith.cmpi slt, {left}, {right} : index",
                           f"{indent}{result} = arith.select {condition}, {left}, {double} : index"]
            return result
        name = {"add": "addi", "sub": "subi", "mul": "muli", "max": "maxsi", "min": "minsi", "div": "floordivsi", "rem": "remsi"}
        self.lines.append(f"{indent}{result} = arith.{name[expression[0]]} {left}, {right} : index")
        return result

    def print_body(self, body: list, indent: str) -> None:
        for statement in body:
            if statement[0] == "for":
                _, variable, lower, upper, inner = statement
                bounds = [str(bound) if isinstance(bound, int) else self.print_index(bound, indent) for bound in (lower, upper)]
                self.lines.append(f"{indent}uma.tir.for {variable} = {bounds[0]} to {bounds[1]} {{")
                self.print_body(inner, indent + "  ")
                self.lines.append(indent + "}")
            elif statement[0] == "if":
                (compare, left, right), then, other = statement[1:]
                operands = self.print_index(left, indent), self.print_index(right, indent)
                condition = f"%v{self.get_number()}"
                self.lines += [f"{indent}{condition} = arith.cmpi {compare}, {operands[0]}, {operands[1]} : index", f"{indent}scf.if {condition} {{"]
                self.print_body(then, indent + "  ")
                if other:
                    self.lines.append(indent + "} else {")
                    self.print_body(other, indent + "  ")
                self.lines.append(indent + "}")
            else:
                what, buffer, index = statement
                at = self.print_index(("add", index, self.starts[buffer]), indent)
                name, kind = ["%x", "%y"][buffer], self.get_type(buffer)
                if what == "read":
                    self.lines.append(f"{indent}%v{self.get_number()} = memref.load {name}[{at}] : {kind}")
                else:
                    self.lines.append(f"{indent}memref.store %c{self.types[buffer]}, {name}[{at}] : {kind}")

    def get_type(self, buffer: int) -> str:
        return f"memref<{self.extents[buffer]}x{self.types[buffer]}>"

    def get_text(self) -> str:
        self.lines = [f"uma.tir.func private @{self.name}(%x: {self.get_type(0)}, %y: {self.get_type(1)}) {{"]
        self.lines += [f"  %c{kind} = arith.constant 1 : {kind}" for kind in WIDTHS]
        self.print_body(self.body, "  ")
        return "\n".join([*self.lines, "}"])

    def get_bytes(self, buffer: int) -> int:
        return self.extents[buffer] * WIDTHS[self.types[buffer]]

    def get_accesses(self, starts: list[int]) -> list[tuple[str, int, int, int]]:
        """What is done, with which buffer, from which byte on and to how many."""
        return [(what, which, starts[which] + index * WIDTHS[self.types[which]], WIDTHS[self.types[which]])
                for what, which, index in self.trace]


class Network:
    """Calls of layers on parts of x and y, of elements of one type."""

    def __init__(self, generator: random.Random, name: str):
        self.name, self.calls, ends = name, [], [0, 0]
        layers = []
        for number in range(generator.choice([1, 1, 2, 3])):
            layer = Function(generator, f"{name}_{number}")
            if layers and layer.types != layers[0].types:
                continue
            layers.append(layer)
            starts = []
            for buffer in range(2):
                width = WIDTHS[layer.types[buffer]]
                # Behind the last part, or over any of them.
                start = ends[buffer] if generator.random() < 0.7 else generator.randint(0, ends[buffer] // width) * width
                starts.append(start)
                ends[buffer] = max(ends[buffer], start + layer.get_bytes(buffer))
            self.calls.append((layer, starts))
        self.types, self.sizes = layers[0].types, ends
        self.trace = [access for layer, starts in self.calls for access in layer.get_accesses(starts)]

    def get_text(self) -> str:
        widths = [WIDTHS[kind] for kind in self.types]
        types = [f"memref<{self.sizes[i] // widths[i]}x{self.types[i]}>" for i in range(2)]
        lines = [layer.get_text() for layer, _ in self.calls]
        lines += [f"uma.tir.func @{self.name}() {{", f'  %x = uma.tir.alloc workspace label "x" : {types[0]}',
                  f'  %y = uma.tir.alloc workspace label "y" : {types[1]}', f'  uma.tir.call_extern "fill"(%x) writes [0] : {types[0]}']
        for number, (layer, starts) in enumerate(self.calls):
            for i, name in enumerate("xy"):
                lines.append(f"  %{name}{number} = uma.tir.view %{name}[{starts[i] // widths[i]}] : {types[i]} as {layer.get_type(i)}")
            lines.append(f"  uma.tir.call @{layer.name}(%x{number}, %y{number}) : {layer.get_type(0)}, {layer.get_type(1)}")
        return "\n".join([*lines, f'  uma.tir.call_extern "use"(%y) : {types[1]}', "}"])

    def find_fault(self, offsets: list[int]) -> str:
        """What goes wrong in memory with these offsets of x and y; empty if nothing does."""
        memory = {offsets[0] + i: (0, i) for i in range(self.sizes[0])}
        written = set()
        for what, which, start, count in self.trace:
            for i in range(start, start + count):
                if what == "write":
                    memory[offsets[which] + i] = (which, i)
                    if which == 1:
                        written.add(i)
                elif memory[offsets[which] + i] != (which, i):
                    return f"byte {i} of {'xy'[which]} is read as byte {memory[offsets[which] + i][1]} of {'xy'[memory[offsets[which] + i][0]]}"
        for i in written:
            if memory[offsets[1] + i] != (1, i):
                return f"byte {i} of y is lost"
        return ""

    def get_best(self) -> int:
        """Bytes of the smallest arena in which y begins at or before x, in steps of 64."""
        for distance in range(0, self.sizes[1], 64):
            if not self.find_fault([distance, 0]):
                return max(self.sizes[1], distance + self.sizes[0])
        return sum(self.sizes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("uma_opt")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    networks = [Network(generator, f"n{number}") for number in range(arguments.count)]
    text = "\n".join(network.get_text() for network in networks)
    result = subprocess.run([arguments.uma_opt, "-", "-uma-tir-plan-memory"], input=text, capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stderr, file=sys.stderr)
        return 1
    overlapping = planned = best = faults = 0
    for network in networks:
        body = re.search(rf"uma\.tir\.func @{network.name}\(\)(.*?)\n  }}", result.stdout, re.S).group(1)
        size = int(re.search(r"workspace_size = (\d+)", body).group(1))
        offsets = [int(re.search(rf'offset (\d+) label "{name}"', body).group(1)) for name in "xy"]
        overlapping += offsets[0] < offsets[1] + network.sizes[1] and offsets[1] < offsets[0] + network.sizes[0]
        planned, best = planned + size, best + network.get_best()
        if fault := network.find_fault(offsets):
            faults += 1
            print(f"{network.name}: {fault}, x at {offsets[0]}, y at {offsets[1]}\n{network.get_text()}")
    print(f"{len(networks)} networks, {overlapping} of them overlap, {faults} faults; {planned} bytes, {best} with the best distance")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
