//===- GraphMathOps.td - Elementwise operators -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHMATHOPS_TD
#define UMA_GRAPH_IR_GRAPHMATHOPS_TD

include "uma/Graph/IR/GraphBase.td"

/// Operators that compute each element of the result from the operands' elements at its position. Operands broadcast.
def Graph_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::uma::graph";
}

/// `kind` is a member of ElementKind: the element types that the operator accepts. A predicate returns i1.
class Graph_ElementwiseOp<string name, string formula, string origin, string kind, bit isPredicate, string notes,
                          string names, string example, list<Trait> traits = []>
    : Graph_InferredOp<name, !listconcat(traits, [Graph_Elementwise])> {
  let summary = "`" # formula # "`, element by element";
  let description = !if(!empty(notes), "", notes # " ") # "Source: " # origin #
      ".\n\n```mlir\n%0 = uma.graph." # name # " " # example # "\n```\n";
  let extraClassDefinition = verifyDefinition # [{
    ::mlir::FailureOr<::mlir::RankedTensorType> $cppClass::inferType(
        ::uma::graph::EmitErrorFn emitError, Adaptor adaptor) {
      return ::uma::graph::detail::inferElementwise(emitError, adaptor.getOperands(),
          {}] # names # [{}, ::uma::graph::ElementKind::}] # kind # ", " # isPredicate # [{);
    }
  }];
}

/// Element type of an example.
class Graph_Sample<string kind> {
  string type = !cond(!eq(kind, "Bool"): "i1", !eq(kind, "Integer"): "ui8", true: "f32");
}

class Graph_UnaryOp<string name, string formula, string origin, string kind = "Float", string notes = "",
                    bit isPredicate = 0, string attributes = "">
    : Graph_ElementwiseOp<name, formula, origin, kind, isPredicate, notes, "\"data\"",
        "%x " # attributes # ": (tensor<1x8x" # Graph_Sample<kind>.type # ">) -> tensor<1x8x" #
        !if(isPredicate, "i1", Graph_Sample<kind>.type) # ">"> {
  let arguments = (ins Graph_Tensor:$data);
  let assemblyFormat = "$data attr-dict `:` functional-type(operands, results)";
}

class Graph_BinaryOp<string name, string formula, string origin, string kind = "Any", string notes = "",
                     list<Trait> traits = [], bit isPredicate = 0>
    : Graph_ElementwiseOp<name, formula, origin, kind, isPredicate,
        !if(!empty(notes), "", notes # " ") # "Shapes broadcast as in NumPy (ONNX multidirectional).",
        "\"lhs\", \"rhs\"",
        "%a, %b : (tensor<1x8x4x4x" # Graph_Sample<kind>.type # ">, tensor<8x1x1x" # Graph_Sample<kind>.type #
        ">) -> tensor<1x8x4x4x" # !if(isPredicate, "i1", Graph_Sample<kind>.type) # ">", traits> {
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

class Graph_PredicateOp<string name, string formula, string origin, string kind = "Any", list<Trait> traits = []>
    : Graph_BinaryOp<name, formula, origin, kind, "The result has type i1; comparisons with NaN are false, except `!=`.",
        traits, 1>;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Graph_AddOp : Graph_BinaryOp<"add", "lhs + rhs", "Relay `add`, ONNX `Add`", "Any", "Integers wrap around.", [Commutative]>;
def Graph_SubtractOp : Graph_BinaryOp<"subtract", "lhs - rhs", "Relay `subtract`, ONNX `Sub`", "Any", "Integers wrap around.">;
def Graph_MultiplyOp : Graph_BinaryOp<"multiply", "lhs * rhs", "Relay `multiply`, ONNX `Mul`", "Any", "Integers wrap around.", [Commutative]>;
def Graph_DivideOp : Graph_BinaryOp<"divide", "lhs / rhs", "Relay `divide`, ONNX `Div`", "Any",
    "Integers round towards zero; an integer division by 0 returns `lhs` in C and is an error in the interpreter.">;
def Graph_ModOp : Graph_BinaryOp<"mod", "lhs - trunc(lhs / rhs) * rhs", "Relay `mod`, ONNX `Mod` with `fmod = 1`", "Number",
    "The remainder has the sign of `lhs`; an integer remainder by 0 is 0 in C and an error in the interpreter.">;
def Graph_FloorModOp : Graph_BinaryOp<"floor_mod", "lhs - floor(lhs / rhs) * rhs", "Relay `floor_mod`, ONNX `Mod` with `fmod = 0`", "Number",
    "The remainder has the sign of `rhs`; an integer remainder by 0 is 0 in C and an error in the interpreter.">;
def Graph_PowerOp : Graph_BinaryOp<"power", "pow(lhs, rhs)", "Relay `power`, ONNX `Pow`", "Number",
    "Integers wrap around. For a negative exponent, the real result is truncated towards zero; 0 to a negative power is 0.">;
def Graph_MaximumOp : Graph_BinaryOp<"maximum", "max(lhs, rhs)", "Relay `maximum`, ONNX `Max`", "Any", "NaN wins.", [Commutative]>;
def Graph_MinimumOp : Graph_BinaryOp<"minimum", "min(lhs, rhs)", "Relay `minimum`, ONNX `Min`", "Any", "NaN wins.", [Commutative]>;

def Graph_AbsOp : Graph_UnaryOp<"abs", "|data|", "Relay `abs`, ONNX `Abs`", "Number", "The smallest signed integer is unchanged.">;
def Graph_NegativeOp : Graph_UnaryOp<"negative", "-data", "Relay `negative`, ONNX `Neg`", "Number", "Integers wrap around.">;
def Graph_SignOp : Graph_UnaryOp<"sign", "sign(data)", "Relay `sign`, ONNX `Sign`", "Number", "-1, 0 or 1; NaN stays NaN.">;
def Graph_CeilOp : Graph_UnaryOp<"ceil", "ceil(data)", "Relay `ceil`, ONNX `Ceil`">;
def Graph_FloorOp : Graph_UnaryOp<"floor", "floor(data)", "Relay `floor`, ONNX `Floor`">;
def Graph_RoundOp : Graph_UnaryOp<"round", "round(data)", "Relay `round`, ONNX `Round`", "Float", "Halves go to the even neighbour.">;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def Graph_ExpOp : Graph_UnaryOp<"exp", "exp(data)", "Relay `exp`, ONNX `Exp`">;
def Graph_LogOp : Graph_UnaryOp<"log", "log(data)", "Relay `log`, ONNX `Log`">;
def Graph_SqrtOp : Graph_UnaryOp<"sqrt", "sqrt(data)", "Relay `sqrt`, ONNX `Sqrt`">;
def Graph_ErfOp : Graph_UnaryOp<"erf", "erf(data)", "Relay `erf`, ONNX `Erf`">;
def Graph_SinOp : Graph_UnaryOp<"sin", "sin(data)", "Relay `sin`, ONNX `Sin`">;
def Graph_CosOp : Graph_UnaryOp<"cos", "cos(data)", "Relay `cos`, ONNX `Cos`">;
def Graph_TanOp : Graph_UnaryOp<"tan", "tan(data)", "Relay `tan`, ONNX `Tan`">;
def Graph_AsinOp : Graph_UnaryOp<"asin", "asin(data)", "Relay `asin`, ONNX `Asin`">;
def Graph_AcosOp : Graph_UnaryOp<"acos", "acos(data)", "Relay `acos`, ONNX `Acos`">;
def Graph_AtanOp : Graph_UnaryOp<"atan", "atan(data)", "Relay `atan`, ONNX `Atan`">;
def Graph_SinhOp : Graph_UnaryOp<"sinh", "sinh(data)", "Relay `sinh`, ONNX `Sinh`">;
def Graph_CoshOp : Graph_UnaryOp<"cosh", "cosh(data)", "Relay `cosh`, ONNX `Cosh`">;
def Graph_TanhOp : Graph_UnaryOp<"tanh", "tanh(data)", "Relay `tanh`, ONNX `Tanh`">;
def Graph_AsinhOp : Graph_UnaryOp<"asinh", "asinh(data)", "Relay `asinh`, ONNX `Asinh`">;
def Graph_AcoshOp : Graph_UnaryOp<"acosh", "acosh(data)", "Relay `acosh`, ONNX `Acosh`">;
def Graph_AtanhOp : Graph_UnaryOp<"atanh", "atanh(data)", "Relay `atanh`, ONNX `Atanh`">;

//===----------------------------------------------------------------------===//
// Comparisons, logic and bits
//===----------------------------------------------------------------------===//

def Graph_EqualOp : Graph_PredicateOp<"equal", "lhs == rhs", "Relay `equal`, ONNX `Equal`", "Any", [Commutative]>;
def Graph_NotEqualOp : Graph_PredicateOp<"not_equal", "lhs != rhs", "Relay `not_equal`", "Any", [Commutative]>;
def Graph_GreaterOp : Graph_PredicateOp<"greater", "lhs > rhs", "Relay `greater`, ONNX `Greater`">;
def Graph_GreaterEqualOp : Graph_PredicateOp<"greater_equal", "lhs >= rhs", "Relay `greater_equal`, ONNX `GreaterOrEqual`">;
def Graph_LessOp : Graph_PredicateOp<"less", "lhs < rhs", "Relay `less`, ONNX `Less`">;
def Graph_LessEqualOp : Graph_PredicateOp<"less_equal", "lhs <= rhs", "Relay `less_equal`, ONNX `LessOrEqual`">;
def Graph_IsNaNOp : Graph_UnaryOp<"isnan", "data != data", "Relay `isnan`, ONNX `IsNaN`", "Float", "The result is of i1.", 1>;
def Graph_IsInfOp : Graph_UnaryOp<"isinf", "|data| == inf", "Relay `isinf`, ONNX `IsInf`", "Float", "The result is of i1.", 1>;

def Graph_LogicalAndOp : Graph_BinaryOp<"logical_and", "lhs && rhs", "Relay `logical_and`, ONNX `And`", "Bool", "", [Commutative]>;
def Graph_LogicalOrOp : Graph_BinaryOp<"logical_or", "lhs || rhs", "Relay `logical_or`, ONNX `Or`", "Bool", "", [Commutative]>;
def Graph_LogicalXorOp : Graph_BinaryOp<"logical_xor", "lhs != rhs", "Relay `logical_xor`, ONNX `Xor`", "Bool", "", [Commutative]>;
def Graph_LogicalNotOp : Graph_UnaryOp<"logical_not", "!data", "Relay `logical_not`, ONNX `Not`", "Bool">;

def Graph_BitwiseAndOp : Graph_BinaryOp<"bitwise_and", "lhs & rhs", "Relay `bitwise_and`, ONNX `BitwiseAnd`", "Integer", "", [Commutative]>;
def Graph_BitwiseOrOp : Graph_BinaryOp<"bitwise_or", "lhs | rhs", "Relay `bitwise_or`, ONNX `BitwiseOr`", "Integer", "", [Commutative]>;
def Graph_BitwiseXorOp : Graph_BinaryOp<"bitwise_xor", "lhs ^ rhs", "Relay `bitwise_xor`, ONNX `BitwiseXor`", "Integer", "", [Commutative]>;
def Graph_BitwiseNotOp : Graph_UnaryOp<"bitwise_not", "~data", "Relay `bitwise_not`, ONNX `BitwiseNot`", "Integer">;
def Graph_LeftShiftOp : Graph_BinaryOp<"left_shift", "lhs << rhs", "Relay `left_shift`, ONNX `BitShift`", "Integer",
    "The result is 0 if `rhs`, read as unsigned, is the width or more.">;
def Graph_RightShiftOp : Graph_BinaryOp<"right_shift", "lhs >> rhs", "Relay `right_shift`, ONNX `BitShift`", "Integer",
    "Signed integers keep their sign. All bits are shifted out if `rhs`, read as unsigned, is the width or more.">;

//===----------------------------------------------------------------------===//
// Selection and conversion
//===----------------------------------------------------------------------===//

def Graph_WhereOp : Graph_InferredOp<"where", [Graph_Elementwise]> {
  let summary = "`condition ? x : y`, element by element";
  let description = [{
    Takes each element from `x` if `condition`, a tensor of i1, is true there, and from `y` otherwise. All three
    shapes broadcast as in NumPy. Source: Relay `where`, ONNX `Where`.

    ```mlir
    %0 = uma.graph.where %c, %x, %y : (tensor<4x1xi1>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$condition, Graph_Tensor:$x, Graph_Tensor:$y);
  let assemblyFormat = "$condition `,` $x `,` $y attr-dict `:` functional-type(operands, results)";
}

def Graph_CastOp : Graph_InferredOp<"cast", [Graph_Elementwise]> {
  let summary = "convert every element to another type";
  let description = [{
    To a float: rounds once to the nearest value, ties to even; beyond the largest one, to infinity, or to NaN in formats of
    8 bits without infinities. From a float to an integer: truncates towards zero and
    saturates; NaN becomes 0. Between integers: keeps the low bits. To i1: true if the element is not 0. Source: Relay
    `cast`, ONNX `Cast`.

    ```mlir
    %0 = uma.graph.cast %x to f32 : (tensor<1x8xf16>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, TypeAttr:$dtype);
  let assemblyFormat = "$data `to` $dtype attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Graph_BitcastOp : Graph_InferredOp<"bitcast"> {
  let summary = "read the bits of every element as another type of the same size";
  let description = [{
    Keeps the bits: 1.0 in f32 is 1065353216 in i32. Source: ONNX `BitCast`.

    ```mlir
    %0 = uma.graph.bitcast %x to i32 : (tensor<1x8xf32>) -> tensor<1x8xi32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, TypeAttr:$dtype);
  let assemblyFormat = "$data `to` $dtype attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

def Graph_ReluOp : Graph_UnaryOp<"relu", "max(data, 0)", "Relay `nn.relu`, ONNX `Relu`", "Any", "NaN stays NaN."> {
  let hasFolder = 1;
}

def Graph_ClipOp : Graph_InferredOp<"clip", [Graph_Elementwise]> {
  let summary = "`min(max(data, a_min), a_max)`, element by element";
  let description = [{
    Limits every element to `[a_min, a_max]`. An infinite bound has no effect, and NaN stays NaN. For integer data,
    finite bounds must be values of its type. Source: Relay `clip`, ONNX `Clip`.

    ```mlir
    %0 = uma.graph.clip %x min 0.0 max 6.0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$data, F64Attr:$a_min, F64Attr:$a_max);
  let assemblyFormat = [{
    $data `min` $a_min `max` $a_max attr-dict `:` functional-type(operands, results)
  }];
}

def Graph_SigmoidOp : Graph_UnaryOp<"sigmoid", "1 / (1 + exp(-data))", "Relay `sigmoid`, ONNX `Sigmoid`">;
def Graph_SoftplusOp : Graph_UnaryOp<"softplus", "log(1 + exp(data))", "ONNX `Softplus`", "Float", "Computed so that exp does not overflow.">;
def Graph_SiluOp : Graph_UnaryOp<"silu", "data / (1 + exp(-data))", "ONNX `Swish` with `alpha = 1`; `nn.silu` of TVM's Relax">;
def Graph_HardSwishOp : Graph_UnaryOp<"hard_swish", "data * max(0, min(1, data / 6 + 0.5))", "ONNX `HardSwish`">;
def Graph_GeluOp : Graph_UnaryOp<"gelu", "data * (1 + erf(data / sqrt(2))) / 2", "ONNX `Gelu`", "Float",
    "With `approximate`, `data * (1 + tanh(sqrt(2 / pi) * (data + 0.044715 * data^3))) / 2`.", 0, "approximate "> {
  let arguments = (ins Graph_Tensor:$data, UnitAttr:$approximate);
  let assemblyFormat = "$data (`approximate` $approximate^)? attr-dict `:` functional-type(operands, results)";
}
def Graph_LeakyReluOp : Graph_UnaryOp<"leaky_relu", "data < 0 ? alpha * data : data", "Relay `nn.leaky_relu`, ONNX `LeakyRelu`",
                                      "Float", "", 0, "alpha 0.01 "> {
  let arguments = (ins Graph_Tensor:$data, F64Attr:$alpha);
  let assemblyFormat = "$data `alpha` $alpha attr-dict `:` functional-type(operands, results)";
}
def Graph_PReluOp : Graph_BinaryOp<"prelu", "lhs < 0 ? rhs * lhs : lhs", "Relay `nn.prelu`, ONNX `PRelu`", "Number",
    "`rhs` is the slope, of one element or per channel.">;

#endif // UMA_GRAPH_IR_GRAPHMATHOPS_TD
