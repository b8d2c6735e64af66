# The layers that have schedules with vectors, at every width that this machine has and without vectors, against the
# reference interpreter: channels that are multiples of a vector and not, borders, strides, dilations, epilogues.
# Each layer at the widest; every second one, in turn, at one of the others, and those between in plain loops. With --all,
# ctest's label `long`, all at all. Without --full, in the quick tests, every third layer at the widest alone.
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t && %python %s %t %full

import concurrent.futures
import os
import random
import struct
import subprocess
import sys

FOLDER = sys.argv[1]
ALL = "--all" in sys.argv
FULL = ALL or "--full" in sys.argv


def flags():
    """The widths of vectors that this machine runs, the plain C first."""
    with open("/proc/cpuinfo") as file:
        text = file.read()
    yield "loops", "-DUMA_LANES=1"
    yield "default", ""
    if " avx2 " in text and " fma " in text:
        yield "avx2", "-mavx2 -mfma"
    if " avx512f " in text:
        yield "avx512", "-mavx512f -mfma"
    elif " avx2 " in text and " fma " in text:
        # Vectors of which the compiler makes two.
        yield "avx512 by halves", "-mavx2 -mfma -DUMA_LANES=16 -Wno-psabi"


def constant(name, *shape):
    values = "x".join(str(size) for size in shape)
    count = 1
    for size in shape:
        count *= size
    # The same ones whatever cases there are.
    generator = random.Random(f"{name} {shape}")
    numbers = "".join(struct.pack("<f", generator.uniform(-1, 1)).hex() for _ in range(count))
    return f'%{name} = uma.graph.constant dense<"0x{numbers}"> : tensor<{values}xf32>'


def tensor(*shape):
    return "tensor<" + "x".join(str(size) for size in shape) + "xf32>"


def network(arguments, body, result, type):
    lines = "\n  ".join(body)
    return f'func.func @main({arguments}) -> {type} attributes {{uma.network = "net"}} {{\n  {lines}\n  return %{result} : {type}\n}}\n'


def conv(channels, results, size, kernel, stride, dilation, pad, epilogue, groups=1, is_transposed=False, activation="relu %2", behind=None, batch=1):
    height, width = size
    extent = dilation * (kernel - 1) + 1
    weights = (results, channels // groups, kernel, kernel)
    out = [(size + 2 * pad - extent) // stride + 1 for size in size]
    if is_transposed:
        weights = (channels, results // groups, kernel, kernel)
        out = [(size - 1) * stride + extent - 2 * pad for size in size]
    kind = "conv2d_transpose" if is_transposed else "conv2d"
    x, w, y = tensor(batch, channels, height, width), tensor(*weights), tensor(batch, results, *out)
    # A layer in front, so that the data lies in blocks.
    body = [constant("p", channels, 3, 1, 1), f"%d = uma.graph.conv2d %x, %p : ({tensor(batch, 3, height, width)}, {tensor(channels, 3, 1, 1)}) -> {x}",
            constant("w", *weights),
            f"%0 = uma.graph.{kind} %d, %w strides [{stride}, {stride}] padding [{pad}, {pad}, {pad}, {pad}] "
            f"dilations [{dilation}, {dilation}] groups {groups} : ({x}, {w}) -> {y}"]
    arguments, last = f"%x: {tensor(batch, 3, height, width)}", 0
    if epilogue:
        body += [constant("b", results), f"%1 = uma.graph.bias_add %0, %b : ({y}, {tensor(results)}) -> {y}",
                 f"%2 = uma.graph.add %1, %r : ({y}, {y}) -> {y}", f"%3 = uma.graph.{activation} : ({y}) -> {y}",
                 constant("s", 1, 1, 1, 1), f"%4 = uma.graph.multiply %3, %s : ({y}, {tensor(1, 1, 1, 1)}) -> {y}",
                 f"%t = uma.graph.constant dense<0.5> : tensor<f32>", f"%5 = uma.graph.add %4, %t : ({y}, tensor<f32>) -> {y}"]
        arguments, last = f"{arguments}, %r: {y}", 5
    if behind:
        # A layer that needs a border around the results.
        v, z = tensor(behind, results, 3, 3), tensor(batch, behind, *out)
        body += [constant("v", behind, results, 3, 3), f"%z = uma.graph.conv2d %{last}, %v padding [1, 1, 1, 1] : ({y}, {v}) -> {z}"]
        return network(arguments, body, "z", z)
    return network(arguments, body, last, y)


def conv_nhwc(channels, results, size, kernel):
    x, w, y = tensor(1, *size, channels), (*kernel, channels, results), tensor(1, *size, results)
    pads = [extent // 2 for extent in kernel]
    return network(f"%x: {x}", [constant("w", *w), f'%0 = uma.graph.conv2d %x, %w padding {pads * 2} layout "NHWC" kernel_layout "HWIO" '
                                f": ({x}, {tensor(*w)}) -> {y}"], 0, y)


def turns(channels, size, kernel, depthwise, stride, pads, epilogue=True):
    """A convolution and the depthwise one behind it, which take turns: by packs, by slabs of rows where a pack and its data are more than 256 kB."""
    height, width = size
    x, between = tensor(1, 3, height, width), tensor(1, channels, height, width)
    out = [(extent + pads[i] + pads[i + 2] - depthwise) // stride[i] + 1 for i, extent in enumerate(size)]
    y, weights = tensor(1, channels, *out), (channels, 1, depthwise, depthwise)
    body = [constant("w", channels, 3, kernel, kernel), constant("b", channels), constant("d", *weights),
            f"%0 = uma.graph.conv2d %x, %w padding {[kernel // 2] * 4} : ({x}, {tensor(channels, 3, kernel, kernel)}) -> {between}",
            f"%1 = uma.graph.bias_add %0, %b : ({between}, {tensor(channels)}) -> {between}",
            f"%2 = uma.graph.clip %1 min 0.0 max 1.5 : ({between}) -> {between}",
            f"%3 = uma.graph.conv2d %2, %d strides {list(stride)} padding {list(pads)} groups {channels} : ({between}, {tensor(*weights)}) -> {y}"]
    arguments, last = f"%x: {x}", 3
    if epilogue:
        body += [f"%4 = uma.graph.bias_add %3, %b : ({y}, {tensor(channels)}) -> {y}", f"%5 = uma.graph.add %4, %r : ({y}, {y}) -> {y}"]
        arguments, last = f"{arguments}, %r: {y}", 5
    return network(arguments, body, last, y)


def depthwise(channels, size, *layers):
    """Depthwise convolutions, of (kernel, padding), one behind the other and between two others: each may write over its data."""
    x, y = tensor(1, 3, *size), tensor(1, channels, *size)
    body = [constant("p", channels, 3, 1, 1), f"%0 = uma.graph.conv2d %x, %p : ({x}, {tensor(channels, 3, 1, 1)}) -> {y}"]
    for number, (kernel, pads) in enumerate(layers):
        size = [extent + pads[i] + pads[i + 2] - kernel[i] + 1 for i, extent in enumerate(size)]
        data, y, weights = y, tensor(1, channels, *size), (channels, 1, *kernel)
        body += [constant(f"w{number}", *weights), f"%{number + 1} = uma.graph.conv2d %{number}, %w{number} padding {list(pads)} "
                                                   f"groups {channels} : ({data}, {tensor(*weights)}) -> {y}"]
    z = tensor(1, 8, *size)
    body += [constant("q", 8, channels, 1, 1), f"%z = uma.graph.conv2d %{len(layers)}, %q : ({y}, {tensor(8, channels, 1, 1)}) -> {z}"]
    return network(f"%x: {x}", body, "z", z)


def pool(kind, channels, size, kernel, stride, pad):
    out = [(extent + 2 * pad - kernel) // stride + 1 for extent in size]
    x, y = tensor(1, channels, *size), tensor(1, channels, *out)
    return network(f"%x: {tensor(1, 3, *size)}", [
        constant("p", channels, 3, 1, 1), f"%d = uma.graph.conv2d %x, %p : ({tensor(1, 3, *size)}, {tensor(channels, 3, 1, 1)}) -> {x}",
        f"%0 = uma.graph.{kind} %d size [{kernel}, {kernel}] strides [{stride}, {stride}] "
        f"padding [{pad}, {pad}, {pad}, {pad}] : ({x}) -> {y}"], 0, y)


def moves(channels, size, axis, layout="NCHW"):
    """Two convolutions, the second's result twice as large by interpolation, side by side, and a third with a border."""
    def shape(count, height, width):
        return tensor(*((1, count, height, width) if layout == "NCHW" else (1, height, width, count)))

    def conv_of(name, data, inputs, results, height, width, kernel):
        weight = (results, inputs, kernel, kernel) if layout == "NCHW" else (kernel, kernel, inputs, results)
        layouts = "" if layout == "NCHW" else ' layout "NHWC" kernel_layout "HWIO"'
        return [constant(f"{name}_w", *weight),
                f"%{name} = uma.graph.conv2d %{data}, %{name}_w padding {[kernel // 2] * 4}{layouts} : "
                f"({shape(inputs, height, width)}, {tensor(*weight)}) -> {shape(results, height, width)}"]
    (first, second), (height, width) = channels, size
    rows, columns = (2, 3) if layout == "NCHW" else (1, 2)
    large = [2 * height, 2 * width]
    taps = {rows: "r", columns: "c"}
    body = conv_of("a", "x", 3, first, *large, 1) + conv_of("b", "y", 3, second, height, width, 1)
    for dim, extent in ((rows, height), (columns, width)):
        # Between neighbours, and once beyond the border, which is as far as indices go.
        indices = [[max(0, (i - 1) // 2), min(extent - 1, (i + 1) // 2)] for i in range(2 * extent)]
        body += [f"%{taps[dim]}i = uma.graph.constant dense<{indices}> : tensor<{2 * extent}x2xi64>", constant(f"{taps[dim]}w", 2 * extent, 2)]
    tall, whole = shape(second, 2 * height, width), shape(second, *large)
    body += [f"%tall = uma.graph.interpolate %b, %ri, %rw axis {rows} : ({shape(second, height, width)}, tensor<{2 * height}x2xi64>, "
             f"tensor<{2 * height}x2xf32>) -> {tall}",
             f"%whole = uma.graph.interpolate %tall, %ci, %cw axis {columns} : ({tall}, tensor<{2 * width}x2xi64>, tensor<{2 * width}x2xf32>) -> {whole}"]
    joined, extents = first, list(large)
    if axis == "channels":
        joined, dim = first + second, 1 if layout == "NCHW" else 3
    else:
        extents[0], dim = 2 * extents[0], rows
    y = shape(joined, *extents)
    body.append(f"%j = uma.graph.concatenate %a, %whole axis {dim} : ({shape(first, *large)}, {whole}) -> {y}")
    body += conv_of("last", "j", joined, 16, *extents, 3)
    return network(f"%x: {shape(3, *large)}, %y: {shape(3, height, width)}", body, "last", shape(16, *extents))


def channels(parts, size, split=None, layout="NCHW", groups=1, relu=False, batch=1, behind=16, kernel=3, slices=()):
    """Convolutions side by side, whose channels are split as `split` says and transposed, and a convolution behind them or, if there
    are `slices` of (first, count, stride), behind each of these."""
    is_first = layout == "NCHW"
    dim, layouts = (1, "") if is_first else (3, ' layout "NHWC" kernel_layout "HWIO"')

    def shape(*count):
        return tensor(batch, *count, *size) if is_first else tensor(batch, *size, *count)

    def conv_of(name, data, inputs, results, extent, groups=1):
        weight = (results, inputs // groups, extent, extent) if is_first else (extent, extent, inputs // groups, results)
        return [constant(f"{name}_w", *weight),
                f"%{name} = uma.graph.conv2d %{data}, %{name}_w padding {[extent // 2] * 4} groups {groups}{layouts} : "
                f"({shape(inputs)}, {tensor(*weight)}) -> {shape(results)}"]
    body, all, last = [], sum(parts), "p0"
    for number, count in enumerate(parts):
        body += conv_of(f"p{number}", "x", 4, count, 1, groups)
    if len(parts) > 1:
        operands, types = (", ".join(names) for names in ([f"%p{i}" for i in range(len(parts))], map(shape, parts)))
        body.append(f"%j = uma.graph.concatenate {operands} axis {dim} : ({types}) -> {shape(all)}")
        last = "j"
    if relu:
        body.append(f"%relu = uma.graph.relu %{last} : ({shape(all)}) -> {shape(all)}")
        last = "relu"
    if split:
        axes = list(range(3 + len(split)))
        axes[dim:dim + len(split)] = reversed(axes[dim:dim + len(split)])
        before, after = ([batch, *extents, *size] if is_first else [batch, *size, *extents] for extents in (split, split[::-1]))
        whole = [batch, all, *size] if is_first else [batch, *size, all]
        body += [f"%s0 = uma.graph.reshape %{last} {before} : ({shape(all)}) -> {tensor(*before)}",
                 f"%s1 = uma.graph.transpose %s0 {axes} : ({tensor(*before)}) -> {tensor(*after)}",
                 f"%s2 = uma.graph.reshape %s1 {whole} : ({tensor(*after)}) -> {shape(all)}"]
        last = "s2"
    for number, (first, count, stride) in enumerate(slices):
        begin, extents, strides = [0] * 4, [batch, all, *size] if is_first else [batch, *size, all], [1] * 4
        begin[dim], extents[dim], strides[dim] = first, count, stride
        body.append(f"%c{number} = uma.graph.strided_slice %{last} {begin} size {extents} strides {strides} : "
                    f"({shape(all)}) -> {shape(count)}")
        body += conv_of(f"r{number}", f"c{number}", count, behind, kernel)
        if number:
            body.append(f"%a{number} = uma.graph.add %{'r0' if number == 1 else f'a{number - 1}'}, %r{number} : "
                        f"({shape(behind)}, {shape(behind)}) -> {shape(behind)}")
    if slices:
        return network(f"%x: {shape(4)}", body, f"a{len(slices) - 1}", shape(behind))
    body += conv_of("last", last, all, behind, kernel, all if behind == all else 1)
    return network(f"%x: {shape(4)}", body, "last", shape(behind))


def matrix(batch, rows, depth, columns, is_constant):
    x, w, y = tensor(batch, rows, depth), tensor(batch, depth, columns), tensor(batch, rows, columns)
    body = [constant("w", batch, depth, columns)] if is_constant else []
    body += [f"%0 = uma.graph.batch_matmul %x, %w : ({x}, {w}) -> {y}", constant("b", columns),
             f"%1 = uma.graph.add %0, %b : ({y}, {tensor(columns)}) -> {y}", f"%2 = uma.graph.gelu %1 : ({y}) -> {y}"]
    return network(f"%x: {x}" if is_constant else f"%x: {x}, %w: {w}", body, 2, y)


GRAPHS = {
    "conv_16_32": conv(16, 32, (14, 14), 3, 1, 1, 1, True),
    "conv_24_40": conv(24, 40, (9, 11), 3, 2, 1, 1, True),
    "conv_5_7": conv(5, 7, (8, 5), 5, 1, 1, 2, False),
    "conv_20_21": conv(20, 21, (7, 7), 1, 1, 1, 0, True),
    # One column, or one row: the pixels of all rows are together, also of a tensor that is added.
    "conv_column": conv(16, 32, (9, 1), 1, 1, 1, 0, True),
    "conv_row": conv(16, 20, (1, 9), 1, 1, 1, 0, True, batch=2),
    "depthwise_column": conv(24, 24, (9, 1), 3, 1, 1, 1, True, groups=24),
    "conv_dilated": conv(16, 16, (13, 12), 3, 1, 2, 2, True),
    # Windows of which a part sees padding alone: for all results, or for some.
    "conv_far": conv(16, 32, (5, 6), 3, 1, 8, 8, True),
    "conv_wide": conv(20, 16, (11, 9), 3, 2, 4, 5, True),
    "conv_64_48": conv(64, 48, (20, 22), 3, 1, 1, 1, True),
    # Sums in slices of the depth, which wait in the result, at every width.
    "conv_deep": conv(320, 32, (80, 8), 1, 2, 1, 0, True, activation="clip %2 min -4.0 max 12.0"),
    "conv_deep_padded": conv(256, 32, (9, 4), 3, 1, 1, 1, False),
    "groups_deep": conv(640, 64, (40, 16), 1, 2, 1, 0, True, groups=2),
    # Data is copied to panels, broadcast ones without FMA: rows that go on in the next line, slices of the sums, groups of
    # packs and what is left of each, and prefetches that end with the weights.
    "panels": conv(192, 96, (7, 7), 3, 1, 1, 1, True),
    "panels_stride": conv(96, 72, (9, 13), 3, 2, 1, 1, True),
    "panels_pixel": conv(80, 640, (7, 5), 1, 1, 1, 0, True),
    "panels_ragged": conv(48, 56, (6, 10), 3, 1, 2, 1, True),
    "panels_groups": conv(192, 96, (7, 9), 3, 1, 1, 1, True, groups=2),
    "panels_transposed": conv(40, 48, (5, 7), 4, 2, 1, 1, True, is_transposed=True),
    # Channels that no vector copies, or a single one, and a stride that leaves gaps in many rows.
    "panels_20": conv(20, 64, (7, 9), 3, 1, 1, 1, True),
    "panels_72": conv(72, 64, (6, 5), 3, 1, 1, 1, False),
    "panels_gaps": conv(64, 64, (46, 44), 1, 2, 1, 0, True),
    # Data that is read where it is, on from one line to the next, in a slice and in two.
    "panels_lines": conv(64, 64, (7, 5), 1, 1, 1, 0, True, behind=16),
    "panels_lines_2": conv(512, 256, (5, 7), 1, 1, 1, 0, True, behind=16),
    # All channels together: a window in one dimension is a loop around them.
    "panels_nhwc_row": conv_nhwc(32, 64, (1, 20), (1, 3)),
    "panels_nhwc_column": conv_nhwc(24, 64, (20, 1), (5, 1)),
    "panels_nhwc_pixels": conv_nhwc(512, 64, (5, 5), (1, 1)),
    # As many groups as threads share.
    "panels_shared": conv(128, 512, (7, 5), 3, 1, 1, 1, True),
    # Products of quarters, where there are few weights for each: halves of the pixels, even and odd, halves of the rows in
    # front of a border, even and odd, and of several images.
    "strassen_lines": conv(384, 192, (6, 5), 1, 1, 1, 0, True),
    "strassen_odd": conv(384, 320, (7, 7), 1, 1, 1, 0, True, activation="clip %2 min -4.0 max 12.0"),
    "strassen_rows": conv(384, 192, (8, 6), 1, 1, 1, 0, True, behind=16),
    "strassen_odd_rows": conv(768, 384, (21, 2), 1, 1, 1, 0, False, behind=8),
    "strassen_images": conv(320, 256, (5, 6), 1, 1, 1, 0, True, batch=2),
    "strassen_matrix": matrix(1, 65, 328, 312, True),
    "depthwise_16": conv(16, 16, (15, 17), 3, 1, 1, 1, True, groups=16),
    "depthwise_12": conv(12, 12, (9, 9), 5, 2, 1, 2, False, groups=12),
    "depthwise_32": conv(32, 32, (17, 20), 3, 2, 1, 1, True, groups=32),
    "depthwise_24": conv(24, 24, (8, 15), 3, 1, 1, 0, False, groups=24),
    # Padding that is no border but left out, at each side, in tiles that are a row, several and none.
    "depthwise_sides": depthwise(32, (13, 14), ((3, 3), (1, 1, 1, 1)), ((3, 3), (2, 0, 0, 2)), ((2, 3), (0, 2, 1, 0)), ((3, 1), (1, 0, 1, 0))),
    # Results with more rows or columns than their data do not fit over it.
    "depthwise_grows": depthwise(32, (9, 10), ((3, 3), (1, 2, 1, 1)), ((3, 3), (2, 1, 1, 1)), ((3, 3), (1, 1, 1, 1))),
    "depthwise_wide": depthwise(16, (3, 28), ((3, 3), (1, 1, 1, 1)), ((2, 2), (1, 1, 0, 0)), ((3, 3), (1, 1, 1, 1))),
    "depthwise_pixel": depthwise(24, (1, 2), ((3, 3), (1, 1, 1, 1)), ((3, 3), (1, 2, 1, 1)), ((3, 3), (1, 1, 1, 1))),
    # With a border where the image is larger, or the padding, which some windows see alone.
    "depthwise_border": depthwise(16, (6, 29), ((3, 3), (1, 1, 1, 1)), ((3, 3), (1, 0, 1, 0)), ((2, 2), (2, 0, 2, 0)), ((3, 3), (1, 1, 1, 1))),
    "turns_packs": turns(96, (14, 18), 3, 3, (2, 2), (1, 1, 1, 1)),
    "turns_slabs": turns(96, (66, 52), 1, 3, (2, 2), (1, 1, 1, 1)),
    # A row of the slab before is no border here, so that there are packs alone.
    "turns_same": turns(64, (50, 46), 1, 3, (2, 2), (0, 0, 1, 1)),
    "turns_8": turns(24, (54, 56), 1, 3, (2, 2), (1, 1, 0, 0), epilogue=False),
    "turns_5": turns(48, (48, 60), 1, 5, (3, 2), (2, 2, 2, 2)),
    "turns_2": turns(96, (10, 12), 1, 2, (2, 2), (0, 0, 0, 0)),
    # Rows of which none is left, though there is a stride in a row.
    "turns_columns": turns(80, (45, 70), 1, 3, (1, 3), (2, 1, 0, 1)),
    "groups_of_4": conv(16, 32, (9, 8), 3, 1, 1, 1, True, groups=4),
    "groups_of_16": conv(32, 64, (7, 9), 3, 2, 1, 1, True, groups=2),
    "groups_of_5": conv(15, 18, (8, 8), 3, 1, 1, 1, False, groups=3),
    "groups_of_1": conv(6, 24, (8, 8), 3, 1, 1, 1, True, groups=6),
    "few_channels": conv(16, 3, (11, 21), 3, 1, 1, 1, True),
    "one_channel": conv(5, 1, (9, 40), 5, 2, 1, 2, False),
    "one_channel_dilated": conv(8, 1, (9, 40), 3, 1, 2, 2, True),
    "transposed_2": conv(24, 24, (9, 10), 2, 2, 1, 0, True, is_transposed=True),
    "transposed_3": conv(16, 20, (6, 7), 3, 2, 1, 1, True, is_transposed=True),
    "transposed_4": conv(12, 32, (7, 6), 4, 2, 1, 1, True, groups=2, is_transposed=True),
    "transposed_dilated": conv(10, 16, (5, 6), 3, 3, 2, 2, False, is_transposed=True),
    "transposed_1": conv(16, 8, (6, 5), 3, 1, 1, 1, True, is_transposed=True),
    "transposed_few": conv(24, 1, (8, 20), 2, 2, 1, 0, True, is_transposed=True),
    "max_pool_16": pool("max_pool2d", 16, (11, 11), 3, 2, 1),
    "avg_pool_20": pool("avg_pool2d", 20, (10, 9), 3, 1, 1),
    "moves_16_32": moves((16, 32), (5, 6), "channels"),
    "moves_8_24": moves((8, 24), (4, 4), "channels"),
    "moves_12_20": moves((12, 20), (4, 3), "channels"),
    "moves_rows": moves((20, 20), (3, 4), "rows"),
    "moves_nhwc": moves((16, 16), (4, 5), "channels", "NHWC"),
    # Blocks that differ, channels at any place in a block, and an activation behind.
    "concat_16_5_27": channels((16, 5, 27), (5, 6)),
    "concat_24_40": channels((24, 40), (9, 4), relu=True),
    "concat_1_2_61": channels((1, 2, 61), (3, 5), relu=True, batch=2),
    "concat_groups": channels((24, 72), (8, 9), groups=2, relu=True),
    "concat_nhwc": channels((20, 12), (4, 5), layout="NHWC", relu=True),
    "concat_blocks_relu": channels((32, 32), (7, 3), relu=True),
    # Shuffles: in whole blocks, with loops over vectors; in blocks that no vector divides; in three dimensions.
    "shuffle_96": channels((96,), (5, 7), (3, 32)),
    "shuffle_60": channels((60,), (12, 9), (3, 20), groups=2, behind=60),
    "shuffle_68": channels((68,), (9, 9), (4, 17), groups=4, behind=68),
    "shuffle_120": channels((120,), (7, 7), (8, 15), behind=120, batch=2),
    "shuffle_parts": channels((48,), (9, 8), (2, 4, 6), kernel=1),
    "shuffle_few": channels((6,), (9, 8), (2, 3), behind=6),
    "shuffle_concat": channels((58, 58), (8, 9), (2, 58)),
    "shuffle_concat_3": channels((16, 24, 8), (3, 4), (6, 8), kernel=1, batch=3),
    "shuffle_nhwc": channels((40,), (6, 13), (2, 20), layout="NHWC", relu=True),
    # Slices of shuffles and of data, at any offset and with strides.
    "shuffle_slices": channels((58, 58), (9, 8), (2, 58), slices=((0, 58, 1), (58, 58, 1))),
    "shuffle_slices_nhwc": channels((48,), (4, 5), (4, 12), layout="NHWC", slices=((5, 20, 2), (40, 11, -3), (47, 1, 1))),
    "slices": channels((16, 40), (3, 9), slices=((3, 32, 1), (55, 28, -2)), batch=2, kernel=1),
    "matmul_constant": matrix(1, 13, 24, 70, True),
    "matmul_batch": matrix(3, 9, 16, 20, False),
    "panels_matmul": matrix(1, 14, 1300, 160, True),
    "panels_batches": matrix(2, 8, 700, 64, True),
    # Rows that are asked for in advance.
    "panels_rows": matrix(1, 130, 1040, 96, True),
}
# One of each schedule on threads.
THREADED = ("conv_64_48", "panels", "panels_groups", "panels_lines_2", "panels_shared", "depthwise_16", "depthwise_32", "turns_slabs", "few_channels", "max_pool_16", "matmul_constant",
            "matmul_batch", "concat_24_40", "shuffle_60")
# The same with Winograd's and Strassen's algorithms.
THREADED_PRODUCTS = ("conv_64_48", "strassen_odd", "strassen_rows")



def read_sources(package):
    """What a compiler reads of a package."""
    names = sorted(name for name in os.listdir(package) if name.endswith((".c", ".h", ".inc", ".bin")))
    sources = []
    for name in names:
        with open(f"{package}/{name}", "rb") as file:
            sources.append((name, file.read()))
    return sources


def check(name):
    model = f"{FOLDER}/{name}.mlir"
    with open(model, "w") as file:
        file.write(GRAPHS[name])
    problems = []
    number = list(GRAPHS).index(name)
    versions = [("vector", False), ("winograd", False)] + [("loops", False)] * (ALL or number % 2 == 1)
    if not FULL:
        versions = [("vector", False)]
    versions += [("vector", True)] * (FULL and name in THREADED) + [("winograd", True)] * (FULL and name in THREADED_PRODUCTS)
    seen = []
    for kernels, threads in versions:
        package = f"{FOLDER}/{name}_{kernels}{'_threads' if threads else ''}"
        choice = ["--kernels", kernels] + (["--threads", "openmp", "--lower=shared-work=0"] if threads else [])
        made = subprocess.run(["uma", "compile", model, *choice, "-o", package], capture_output=True, text=True)
        if made.returncode:
            problems.append(f"{kernels}: {made.stderr.strip()}")
            continue
        # Most layers have no product for Winograd's algorithm: the same C was compared before, more strictly.
        sources = (threads, read_sources(package))
        if kernels == "winograd" and sources in seen:
            continue
        seen.append(sources)
        widths = list(flags())
        # Every second layer has a turn, of the widths in order; the others have plain loops.
        turn = widths[number // 2 % (len(widths) - 1)][0] if len(widths) > 1 and number % 2 == 0 else ""
        for label, options in widths:
            if (kernels == "loops" or threads) and label != "default":
                continue
            if not ALL and not (kernels == "loops" or threads) and label not in (turn * FULL, widths[-1][0]):
                continue
            # Optimisation shows what the C leaves undefined; once for each package, since it takes twice the time.
            is_optimised = FULL and label == ("default" if kernels == "loops" or threads else widths[-1][0])
            ran = subprocess.run(["uma", "run", package, "--compare", "--tolerance", "2e-6" if kernels != "winograd" else "2e-5"],
                                 capture_output=True, text=True,
                                 env={**os.environ, "OMP_NUM_THREADS": "4",
                                      "CFLAGS": f"-O{int(is_optimised)} {options} {'-fopenmp' if threads else ''}"})
            if ran.returncode:
                problems.append(f"{kernels}{' threads' if threads else ''} {label}: {(ran.stdout + ran.stderr).strip()[:300]}")
    return f"{name}: {'; '.join(problems) or 'equal'}"


with concurrent.futures.ThreadPoolExecutor(os.cpu_count() if ALL else 1) as pool:
    lines = list(pool.map(check, list(GRAPHS)[:: 1 if FULL else 3]))
print("\n".join(lines))
sys.exit(not all(line.endswith(": equal") for line in lines))
