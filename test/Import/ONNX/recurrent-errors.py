"""Recurrent layers that are wrong."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: not uma-translate --import-onnx %t/direction.onnx 2>&1 | FileCheck %s --check-prefix=DIRECTION
# RUN: not uma-translate --import-onnx %t/size.onnx 2>&1 | FileCheck %s --check-prefix=SIZE
# RUN: not uma-translate --import-onnx %t/function.onnx 2>&1 | FileCheck %s --check-prefix=FUNCTION
# RUN: not uma-translate --import-onnx %t/alpha.onnx 2>&1 | FileCheck %s --check-prefix=ALPHA
# RUN: not uma-translate --import-onnx %t/rank.onnx 2>&1 | FileCheck %s --check-prefix=RANK
# RUN: not uma-translate --import-onnx %t/count.onnx 2>&1 | FileCheck %s --check-prefix=COUNT
# RUN: not uma-translate --import-onnx %t/outputs.onnx 2>&1 | FileCheck %s --check-prefix=OUTPUTS

from model import write, zeros


def rnn(name: str, attributes: str, x: str = "5,2,4", outputs: str = "y") -> None:
    write(
        name,
        f"(float[{x}] x) => (float[] y) {{ {outputs} = RNN{attributes}(x, w, r) }}",
        w=zeros(1, 3, 4),
        r=zeros(1, 3, 3),
    )


# DIRECTION: error: node 'RNN_0' (RNN): attribute 'direction' is 'back'; expected forward, reverse or bidirectional
rnn("direction", '<direction="back">')
# SIZE: error: node 'RNN_0' (RNN): attribute 'hidden_size' is 4, but input 'R' has the shape 1x3x3
rnn("size", "<hidden_size=4>")
# FUNCTION: error: node 'RNN_0' (RNN): attribute 'activations' has the entry 'Sine', which is no activation of ONNX
rnn("function", '<activations=["Sine"]>')
# ALPHA: error: node 'RNN_0' (RNN): has more parameters of activations than its activations take
rnn("alpha", '<activations=["Tanh"], activation_alpha=[0.5]>')
# RANK: error: node 'RNN_0' (RNN): input 'X' has the shape 5x4; expected 3 dimensions
rnn("rank", "", x="5,4")
# COUNT: error: node 'RNN_0' (RNN): activations has 2 elements, expected 1
rnn("count", '<activations=["Tanh", "Tanh"]>')
# OUTPUTS: error: output 'z' is output 3 of node 'RNN_0' (RNN), which is not supported
write(
    "outputs",
    "(float[5,2,4] x) => (float[] z) { y, h, z = RNN(x, w, r) }",
    w=zeros(1, 3, 4),
    r=zeros(1, 3, 3),
)
