"""Recurrent layers: optional inputs, outputs, layouts, activations."""
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t
# RUN: uma-translate --import-onnx %t/lstm.onnx | FileCheck %s --check-prefix=LSTM
# RUN: uma-translate --import-onnx %t/gru.onnx | FileCheck %s --check-prefix=GRU
# RUN: uma-translate --import-onnx %t/rnn.onnx | FileCheck %s --check-prefix=RNN

from model import write, zeros

# Omitted outputs are not made; omitted inputs leave no trace.
# LSTM: %[[Y:.*]], %[[H:.*]], %[[C:.*]] = uma.graph.lstm %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} initial_h %[[I:.*]] initial_c %[[I]] peephole %{{.*}} input_forget true direction "bidirectional" clip 2.{{.*}} :
# LSTM: return %[[Y]], %[[C]]
write(
    "lstm",
    """(float[5,2,4] x, float[2,2,3] i) => (float[] y, float[] c) {
      y, _, c = LSTM<hidden_size=3, direction="bidirectional", input_forget=1, clip=2.0>(x, w, r, b, _, i, i, p)
    }""",
    w=zeros(2, 12, 4),
    r=zeros(2, 12, 3),
    b=zeros(2, 24),
    p=zeros(2, 9),
)

# The batch comes first, in data and states.
# GRU: %[[X:.*]] = uma.graph.transpose %{{.*}} [1, 0, 2] : (tensor<2x5x4xf32>) -> tensor<5x2x4xf32>
# GRU: %[[I:.*]] = uma.graph.transpose %{{.*}} [1, 0, 2] : (tensor<2x1x3xf32>) -> tensor<1x2x3xf32>
# GRU: %[[Y:.*]], %[[H:.*]] = uma.graph.gru %[[X]], %{{.*}}, %{{.*}} sequence_lens %{{.*}} initial_h %[[I]] linear_before_reset true :
# GRU: uma.graph.transpose %[[Y]] [2, 0, 1, 3] : {{.*}} -> tensor<2x5x1x3xf32>
# GRU: uma.graph.transpose %[[H]] [1, 0, 2] : {{.*}} -> tensor<2x1x3xf32>
write(
    "gru",
    """(float[2,5,4] x, int32[2] lens, float[2,1,3] i) => (float[] y, float[] h) {
      y, h = GRU<hidden_size=3, linear_before_reset=1, layout=1>(x, w, r, _, lens, i)
    }""",
    opset=14,
    w=zeros(1, 9, 4),
    r=zeros(1, 9, 3),
)

# RNN: uma.graph.rnn {{.*}} direction "bidirectional" activations ["leaky_relu", "hard_sigmoid"] alphas [5.000000e-01, 2.000000e-01] betas [0.000000e+00, 7.500000e-01]
write(
    "rnn",
    """(float[5,2,4] x) => (float[] h) {
      _, h = RNN<activations=["LeakyRelu", "HardSigmoid"], activation_alpha=[0.5], activation_beta=[0.75],
                direction="bidirectional">(x, w, r)
    }""",
    w=zeros(2, 3, 4),
    r=zeros(2, 3, 3),
)
