"""The methods of an accelerator in Python that the compiler calls; python/Backend.h lists them."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import weakref

import uma
from uma.tvm.ir import IRModule
from uma.tvm.ir.transform import PassContext
from uma.tvm.relay import _graph
from uma.tvm.relay import expr as r
from uma.tvm.relay.dataflow_pattern import PatternText, expand, size_constraints

#: Accelerators by name.
registered: dict[str, object] = {}


_UNMATCHED = re.compile(r"pattern '(\w+)' of accelerator '(\w+)' matched nothing")


def _filter_messages(diagnostics):
    """Of the alternatives of a pattern, one suffices: there is a warning only where none matched. Accelerators in Python have no file."""
    folders = [bridge._folder for bridge in bridges if bridge._folder]
    unmatched, result = {}, []
    for diagnostic in diagnostics:
        if not any(diagnostic.where.startswith(folder) for folder in folders):
            result.append(diagnostic)
            continue
        diagnostic = diagnostic._replace(where="")
        found = _UNMATCHED.match(diagnostic.message)
        bridge = next((each for each in bridges if found and each.name == found[2]), None)
        pattern = bridge.origins.get(found[1]) if bridge else None
        if pattern is None:
            result.append(diagnostic)
            continue
        entry = unmatched.setdefault((bridge.name, pattern), [])
        entry.append(diagnostic)
        if len(entry) == list(bridge.origins.values()).count(pattern):
            message = entry[0].message.replace(f"pattern '{found[1]}'", f"pattern '{pattern}'")
            result.append(entry[0]._replace(message=re.sub(r"^pattern '\w+'", f"pattern '{pattern}'", message)))
    return result


uma.message_filters.append(_filter_messages)
#: The accelerators that there are.
bridges = weakref.WeakSet()


def register(backend):
    bridge = get_bridge(backend)
    bridge.describe()  # mistakes are reported here, not in the first compilation
    other = registered.get(bridge.name)
    if other is not None and type(other) is not type(backend):
        raise uma.Error(f"there is an accelerator '{bridge.name}' already, of the class {type(other).__name__}")
    registered[bridge.name] = backend


def get_bridge(backend):
    if not hasattr(backend, "_bridge"):
        raise uma.Error(f"{type(backend).__name__}.__init__ does not call super().__init__()")
    if backend._bridge is None:
        backend._bridge = Bridge(backend)
    return backend._bridge


class Bridge:
    """One accelerator, as the compiler sees it."""

    def __init__(self, backend):
        self.backend = backend
        name = backend.target_name
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            raise uma.Error(f"the target_name of {type(backend).__name__} is {name!r}, expected letters, digits and '_'")
        self.name = name
        self._folder = None
        self._predicates = {}
        self.is_partitioning = self.is_testing = False
        self.origins = {}  # names of patterns in the description -> of those that were registered
        bridges.add(self)

    # The description.

    def describe(self):
        """Writes the description, `NAME.uma`, and the C of the hooks beside it; gives its path."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="uma-python-")
            self._finalizer = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        path = os.path.join(self._folder, f"{self.name}.uma")
        # Written anew only where something changed: a description is read many times.
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._text())
        return path

    def _text(self):
        backend = self.backend
        lines = [f"accelerator {self.name} {{"]
        text = "".join(hook() for hook in backend._includes)
        if text:
            header = f"{self.name}_includes.h"
            with open(os.path.join(self._folder, header), "w", encoding="utf-8") as file:
                file.write(f"#ifndef UMA_{self.name.upper()}_INCLUDES_H\n#define UMA_{self.name.upper()}_INCLUDES_H\n" + self._relocate(text) + "\n#endif\n")
            lines.append(f'  include "{header}"')
            if self.is_testing:
                # Layers run on a model of the device, which is the text itself.
                with open(os.path.join(self._folder, f"{self.name}_model.c"), "w", encoding="utf-8") as file:
                    file.write(f"/* The header has the functions of the device. */\ntypedef int {self.name}_model;\n")
                lines.append(f'  model "{self.name}_model.c"')
        for name, default in backend._target_attrs.items():
            value = ("true" if default else "false") if isinstance(default, bool) else json.dumps(default)
            lines.append(f"  attribute {name} = {value}")
        # Passes see one match at a time, as each was a function for them in TVM.
        if not backend._merge_compiler_regions or backend._tir_passes and not self.is_partitioning:
            lines.append("  merge_compiler_regions false")
        if not backend._patterns:
            raise uma.Error(f"the accelerator '{self.name}' has no pattern: _register_pattern adds one")
        self._predicates, self.origins = {}, {}
        for name, pattern, predicate in backend._patterns:
            alternatives = expand(pattern)
            for number, alternative in enumerate(alternatives):
                each = name if len(alternatives) == 1 else f"{name}_{number}"
                lines.append(PatternText(each).text(alternative).rstrip("\n"))
                self.origins[each] = name
                _graph.pattern_names[self.name, each] = name
                self._predicates[each] = (predicate, size_constraints(alternative))
        return "\n".join(lines) + "\n}\n"

    def _relocate(self, text):
        """Copies the files that the text includes by absolute paths, or by paths from here, into the folder and includes them by their
        names there: what the compiler writes builds on any machine."""

        def change(match):
            path = match[2]
            if not os.path.isfile(path):
                if os.path.isabs(path):
                    raise uma.Error(f"the accelerator '{self.name}' includes '{path}', which does not exist")
                return match[0]
            name = os.path.basename(path)
            folder = os.path.dirname(path)
            for other in [name, *included_files(path)]:
                target = os.path.join(self._folder, other)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(os.path.join(folder, other), target)
            return f'{match[1]}"{name}"'

        return re.sub(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]*)"', change, text, flags=re.M)

    # Matches.

    def check(self, pattern, inputs, result, ops):
        predicate, sizes = self._predicates[pattern]
        for graph, wanted in sizes:
            for op in ops:
                if op.name == f"uma.graph.{graph}":
                    found = _graph.read_call(op, []).attrs
                    for key, value in wanted.items():
                        have = found[key]
                        value = list(value) if isinstance(value, (list, tuple)) else value
                        if isinstance(value, list) and isinstance(have, list):
                            have = have[-len(value):]
                        if have != value:
                            return f"{key} is {have}, the pattern wants {value}"
        if predicate is None:
            return None
        answer = predicate(read_match(inputs, result, ops))
        if isinstance(answer, str):
            return answer
        name = getattr(predicate, "__name__", "predicate")
        return None if answer else f"the predicate '{name}' of the pattern does not accept it"

    # Passes.

    def passes(self, phase):
        backend = self.backend
        result = []
        for when, each in backend._relay_passes:
            if when.name == phase:
                result.append((each.info.name, lambda op, p=each: self._run_graph_pass(p, op)))
        for when, each in backend._tir_passes:
            if when.name == phase:
                result.append((each.info.name, lambda op, p=each: self._run_tir_pass(p, op)))
        if phase == "TIR_PHASE_3" and backend._replace_call_extern is not None:
            result.append(("replace_call_extern", self._replace_calls))
        return result

    def _run_graph_pass(self, graph_pass, module_op):
        before = _graph.read_module(module_op)
        after = graph_pass(before.shallow_copy())
        _graph.write_module(module_op, after, before)

    def _functions(self, module_op):
        for op in module_op.blocks[0].operations:
            if op.name == "uma.tir.func" and op.target is not None and op.target[0] == self.name:
                yield op

    def _run_tir_pass(self, tir_pass, module_op):
        from uma.tvm.tir._read import Unreadable, read_function, write_function

        ctx = PassContext.current()
        for op in list(self._functions(module_op)):
            try:
                func = read_function(op)
            except Unreadable as problem:
                raise uma.Error(f"the pass '{tir_pass.info.name}' cannot see the function '{op.get_attribute('sym_name')}': it has {problem}, which "
                                "primitive functions of TVM do not have") from None
            mod = IRModule({func.attrs["global_symbol"]: func})
            result = tir_pass.run_function(func, mod, ctx)
            if result.origin is None:
                # A function that the pass made anew has the parameters of the one that it saw.
                result = result._changed(origin=func.origin, order=func.order)
            if result is not func:
                write_function(op, result)

    def _replace_calls(self, module_op):
        """Sets the C of extern calls that the hook changes. Arguments are texts `{0}`, which the C of the arguments replaces."""
        for func in self._functions(module_op):
            for op in func.walk():
                if op.name != "uma.tir.call_extern":
                    continue
                args = [f"{{{number}}}" for number in range(len(op.operands))]
                code = self.backend._replace_call_extern([op.get_attribute("callee"), *args])
                if code is None:
                    continue
                if not isinstance(code, str):
                    raise uma.Error(f"replace_call_extern gave {type(code).__name__} for '{op.get_attribute('callee')}', expected C text or None")
                op.set_attribute("uma.code", code.strip().rstrip(";"))

    # Strategies.

    def strategies(self):
        from uma.tvm.te import _strategy

        return _strategy.collect(self.backend)


def included_files(path):
    """The files beside a file of C that it includes with quotes, by their names there."""
    found, todo = [], [os.path.basename(path)]
    folder = os.path.dirname(path)
    while todo:
        with open(os.path.join(folder, todo.pop()), encoding="utf-8", errors="replace") as file:
            for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"', file.read(), flags=re.M):
                if ".." not in name.split("/") and not os.path.isabs(name) and name not in found and os.path.isfile(os.path.join(folder, name)):
                    found.append(name)
                    todo.append(name)
    return found


def read_match(inputs, result, ops):
    """The matched operators as an expression of Relay; inputs are variables or constants."""
    reader = _graph.Reader()
    for number, value in enumerate(inputs):
        array = value.array()
        expr = r.Constant(array) if array is not None else r.Var(f"p{number}", _graph.tensor_type(value.type))
        expr._type = _graph.tensor_type(value.type)
        reader.values[value] = expr
    for op in ops:
        for value in op.operands:
            if value not in reader.values:
                array = value.array()
                reader.values[value] = r.Constant(array) if array is not None else r.Var("p", _graph.tensor_type(value.type))
        reader.read(op)
    return reader.values[result]


def partition(backend, mod, params):
    if params:
        mod = bind_params(mod, params)
    native = _graph.build_module(mod)
    return PartitionedModule(native, backend)


def bind_params(mod, params):
    """The module with these parameters as constants."""
    result = mod.shallow_copy()
    result["main"] = bind_params_by_name(mod["main"], params)
    return result


def bind_params_by_name(function, params):
    """The function with these parameters as constants."""
    names = {param.name_hint for param in function.params}
    for name in params:
        if name not in names:
            raise uma.Error(f"'main' has no parameter '{name}'{uma._uma.suggest(str(name), sorted(names))}")
    constants = {id(param): r.const(params[param.name_hint]) for param in function.params if param.name_hint in params}
    from uma.tvm.relay.expr_functor import replace

    body = replace(function.body, constants)
    return r.Function([param for param in function.params if id(param) not in constants], body, attrs=function.attrs)


class PartitionedModule(IRModule):
    """A module after partitioning: the functions as Relay's, and `native`, what the compiler goes on with."""

    def __init__(self, native, backend):
        super().__init__()
        self.source = native.copy()
        bridge = get_bridge(backend)
        bridge.is_partitioning = True
        try:
            native.partition([backend])
        finally:
            bridge.is_partitioning = False
        self.native = native
        self.backend = backend
        native.edit(lambda op: self.update(_graph.read_module(op)))
