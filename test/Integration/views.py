"""Slices and concatenations that are views of buffers give the interpreter's numbers, with and without kernels."""
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python -B %s > net.mlir
# RUN: uma run net.mlir --compare --cc "%gcc -fsanitize=address,undefined -fno-sanitize-recover" --cpu=cortex-m4
# RUN: uma run net.mlir --compare --cc "%gcc -fsanitize=address,undefined -fno-sanitize-recover" --kernels=loops
# RUN: uma run net.mlir --compare --cc %gcc --seed 2
# RUN: uma run net.mlir --compare --cc %gcc --debug-bounds
# RUN: uma run net.mlir --compare --cc %gcc -a vanilla
# REQUIRES: gcc


def rows(data: str, first: int, count: int, name: str, all_rows: int) -> str:
    return f"""
  %{name} = uma.graph.strided_slice %{data} [{first}, 0] size [{count}, 64] strides [1, 1]
      : (tensor<{all_rows}x64xf32>) -> tensor<{count}x64xf32>"""


def main():
    body = ""
    # Overlapping parts of an input, each of which becomes two parts of other tensors.
    names, types = [], []
    for part, first in enumerate([0, 8, 12]):
        body += rows("x", first, 16, f"s{part}", 28)
        body += f"""
  %e{part} = uma.graph.tanh %s{part} : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %m{part} = uma.graph.multiply %e{part}, %s{part} : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>"""
        names += [f"%e{part}", f"%m{part}"]
        types += ["tensor<16x64xf32>"] * 2
    body += f"""
  %all = uma.graph.concatenate {", ".join(names)} axis 0 : ({", ".join(types)}) -> tensor<96x64xf32>"""
    # The parts are read again, in other sizes, beside an input and a part that is in two places.
    body += rows("all", 40, 20, "t", 96) + rows("t", 4, 16, "u", 20)
    body += """
  %v = uma.graph.add %u, %e1 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %image = uma.graph.reshape %v [1, 8, 16, 8] : (tensor<16x64xf32>) -> tensor<1x8x16x8xf32>
  %c = uma.graph.conv2d %image, %w padding [1, 1, 1, 1] : (tensor<1x8x16x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x16x8xf32>
  %p = uma.graph.max_pool2d %c size [3, 3] strides [1, 1] padding [1, 1, 1, 1] : (tensor<1x8x16x8xf32>) -> tensor<1x8x16x8xf32>
  %both = uma.graph.concatenate %c, %p, %c axis 1 : (tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>) -> tensor<1x24x16x8xf32>
  %flat = uma.graph.reshape %both [48, 64] : (tensor<1x24x16x8xf32>) -> tensor<48x64xf32>
  %z = uma.graph.concatenate %x, %flat, %v axis 0 : (tensor<28x64xf32>, tensor<48x64xf32>, tensor<16x64xf32>) -> tensor<92x64xf32>"""
    body += rows("z", 20, 30, "end", 92)
    weights = ", ".join(str((i * 7 % 11 - 5) / 8) for i in range(8 * 8 * 9))
    print(f"""func.func @main(%x: tensor<28x64xf32> {{uma.name = "x"}}) -> (tensor<92x64xf32> {{uma.name = "z"}},
    tensor<96x64xf32> {{uma.name = "all"}}, tensor<30x64xf32> {{uma.name = "end"}}, tensor<16x64xf32> {{uma.name = "v"}})
    attributes {{uma.network = "net"}} {{
  %f = uma.graph.constant dense<[{weights}]> : tensor<576xf32>
  %w = uma.graph.reshape %f [8, 8, 3, 3] : (tensor<576xf32>) -> tensor<8x8x3x3xf32>{body}
  return %z, %all, %end, %v : tensor<92x64xf32>, tensor<96x64xf32>, tensor<30x64xf32>, tensor<16x64xf32>
}}""")


main()
