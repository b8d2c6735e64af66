"""Passes on the functions of matches."""

from uma.tvm import tir


@tir.transform.prim_func_pass(opt_level=2)
class CallConv2d:
    """Replaces the loops of a convolution by a call of the accelerator's C."""

    def transform_function(self, func, mod, ctx):
        blocks = []
        tir.stmt_functor.post_order_visit(func.body, lambda node: blocks.append(node.name_hint) if isinstance(node, tir.Block) else None)
        if "conv2d_nchw" not in blocks:
            return func
        schedule = tir.Schedule(func)
        loops = [schedule.get(loop) for loop in schedule.get_loops(schedule.get_block("conv2d_nchw"))]
        n, co, h, w, ci, kh, kw = loops
        data, weights, result = (buffer.data for buffer in func.buffer_map.values())
        sizes = [loop.extent.value for loop in (co, w, h, ci, kh, kw)]

        def replace(node):
            if node == n:
                builder = tir.ir_builder.create()
                builder.emit(tir.call_extern("int32", "@name@_conv2dnchw", data, weights, result, *sizes))
                return builder.get()
            if isinstance(node, tir.SeqStmt):
                # The accelerator pads: the loops that pad before the convolution are left out.
                return tir.stmt_seq(*[part for part in node.seq if not writes_padding(part)])
            return node

        return func.with_body(tir.stmt_functor.ir_transform(func.body, None, replace, ["tir.For", "tir.SeqStmt"]))


def writes_padding(statement):
    """Whether a statement is the loops of the block `pad_temp`."""
    names = []
    tir.stmt_functor.post_order_visit(statement, lambda node: names.append(node.name_hint) if isinstance(node, tir.Block) else None)
    return names == ["pad_temp"]
