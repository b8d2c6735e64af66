//===- Roles.cpp - The meaning of names in headers ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Roles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace uma::draft;
using llvm::StringRef;

namespace {
template <typename T>
struct Words {
  T role;
  llvm::StringLiteral names; ///< separated by blanks
};
} // namespace

static constexpr Words<Role> kTensors[] = {
    {Role::Input, "x a in input inputs src source ifm ifmap data act "
                  "activations features feature lhs image img"},
    {Role::Weight, "w b weight weights wt wgt wts kernel kernels filter "
                   "filters coeff coeffs rhs"},
    {Role::Bias, "bias biases bptr"},
    {Role::Residual, "r residual res skip shortcut addend identity"},
    {Role::Output, "y c out output outputs dst dest destination ofm ofmap "
                   "result o d"},
    {Role::Scratch, "scratch scratchpad workspace work ws tmp temp"},
};

static constexpr Words<Role> kNumbers[] = {
    {Role::Batch, "batch batches batchsize nbatch nb numbatches images"},
    {Role::M, "m rows nrows numrows"},
    {Role::N, "n cols columns ncols numcols outfeatures nout noutputs units "
              "outputsize outsize outdim numoutputs outputfeatures"},
    {Role::K, "k depth inner infeatures nin ninputs inputsize insize indim "
              "numinputs inputfeatures"},
    {Role::Count, "len length count num size numel nelem nelems elements total "
                  "numelements elementcount nelements"},
    {Role::Channels, "ic c ci cin channels channel ch nch inc inch inchannels "
                     "inputchannels channelsin inputch inputdepth nic numin "
                     "inchannel"},
    {Role::Filters, "oc co cout outc outch outchannels outputchannels "
                    "channelsout outputch numfilters nfilters filters noc "
                    "outchannel kout numout"},
    {Role::Height, "h ih hin hi height inh inheight inputheight inputh srch "
                   "inrows imageh imageheight ifmh"},
    {Role::Width, "w iw win wi width inw inwidth inputwidth inputw srcw incols "
                  "imagew imagewidth ifmw"},
    {Role::OutHeight, "oh ho hout outh outheight outputheight outputh dsth "
                      "outrows ofmh"},
    {Role::OutWidth, "ow wo wout outw outwidth outputwidth outputw dstw "
                     "outcols ofmw"},
    {Role::KernelH,
     "kh kernelh kernelheight filterh filterheight kheight poolh "
     "poolheight windowh ky hk"},
    {Role::KernelW, "kw kernelw kernelwidth filterw filterwidth kwidth poolw "
                    "poolwidth windoww kx wk"},
    {Role::Kernel, "k kernel kernelsize ksize ks filtersize filter poolsize "
                   "pool window windowsize ker"},
    {Role::StrideH, "sh strideh stridey strideheight hstride ystride"},
    {Role::StrideW, "sw stridew stridex stridewidth wstride xstride"},
    {Role::Stride, "stride strides s"},
    {Role::PadTop, "pt padt padtop paddingtop toppad top"},
    {Role::PadLeft, "pl padl padleft paddingleft leftpad left"},
    {Role::PadBottom, "pb padb padbottom paddingbottom bottompad bottom"},
    {Role::PadRight, "pr padr padright paddingright rightpad right"},
    {Role::PadH, "ph padh pady paddingh paddingheight padheight hpad"},
    {Role::PadW, "pw padw padx paddingw paddingwidth padwidth wpad"},
    {Role::Pad, "p pad padding pads"},
    {Role::DilationH, "dh dilationh dilationy dilh dily dilationheight"},
    {Role::DilationW, "dw dilationw dilationx dilw dilx dilationwidth"},
    {Role::Dilation, "d dilation dil dilations rate dilationrate"},
    {Role::Groups, "g group groups ngroups numgroups"},
    {Role::LeadingA, "lda ldx stridea astride aldim rowstridea"},
    {Role::LeadingB, "ldb ldw strideb bstride bldim rowstrideb"},
    {Role::LeadingC, "ldc ldy stridec cstride cldim rowstridec"},
    {Role::TransposeA, "transa transposea ta atrans"},
    {Role::TransposeB, "transb transposeb tb btrans"},
    {Role::Alpha, "alpha"},
    {Role::Beta, "beta"},
    {Role::Activation, "act activation acttype activationtype actfn fused "
                       "fusedactivation fusedact actmode"},
    {Role::PadMode, "padmode padtype paddingmode paddingtype"},
    {Role::Flags, "flags flag opts options"},
    {Role::HasRelu, "relu userelu fuserelu dorelu withrelu applyrelu hasrelu"},
    {Role::HasBias, "hasbias usebias withbias"},
    {Role::Minimum, "min actmin clipmin activationmin lo lower outmin "
                    "outputmin amin"},
    {Role::Maximum, "max actmax clipmax activationmax hi upper outmax "
                    "outputmax amax"},
    {Role::Version, "version apiversion structversion"},
    {Role::Reserved, "reserved reserved0 reserved1 rsvd unused"},
};

static constexpr Words<Meaning> kFunctions[] = {
    {Meaning::Depthwise,
     "dwconv depthwise dwconv2d depthwiseconv depthwiseconv2d"},
    {Meaning::Convolution, "conv conv2d convolution convolve convolution2d"},
    {Meaning::Product, "gemm sgemm matmul mm hgemm dgemm igemm matmult"},
    {Meaning::Dense,
     "dense fc linear fullyconnected innerproduct matvec gemv sgemv mv"},
    {Meaning::GlobalAveragePool, "globalavgpool globalaveragepool gap"},
    {Meaning::MaxPool, "maxpool maxpool2d maxpooling"},
    {Meaning::AveragePool,
     "avgpool avgpool2d averagepool averagepool2d meanpool avgpooling"},
    {Meaning::Softmax, "softmax"},
    {Meaning::Query, "version name string str error errstr info query caps "
                     "capabilities status getstatus"},
    {Meaning::Await, "wait await sync synchronize finish flush fence join"},
    {Meaning::Init, "init initialize setup"},
};

/// Functions of one and of two tensors, with their operators in uma.graph.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kUnary[] =
    {{"relu", "relu"},    {"sigmoid", "sigmoid"}, {"logistic", "sigmoid"},
     {"tanh", "tanh"},    {"exp", "exp"},         {"sqrt", "sqrt"},
     {"neg", "negative"}, {"negate", "negative"}, {"abs", "abs"}};
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kBinary[] =
    {{"add", "add"},       {"vadd", "add"},      {"eltadd", "add"},
     {"sub", "subtract"},  {"vsub", "subtract"}, {"mul", "multiply"},
     {"vmul", "multiply"}, {"div", "divide"},    {"max", "maximum"},
     {"min", "minimum"}};

llvm::SmallVector<std::string> uma::draft::splitName(StringRef name) {
  llvm::SmallVector<std::string> words;
  bool isNew = true;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (c == '_') {
      isNew = true;
      continue;
    }
    // Splits `inH` and `padTop`, but not `NHWC`.
    isNew |= i > 0 && llvm::isUpper(c) &&
             (llvm::isLower(name[i - 1]) ||
              (llvm::isUpper(name[i - 1]) && i + 1 < name.size() &&
               llvm::isLower(name[i + 1])));
    if (isNew)
      words.emplace_back();
    isNew = false;
    words.back() += llvm::toLower(c);
  }
  return words;
}

/// Joins the words of a name, without those for how it is passed.
static std::string normalize(StringRef name) {
  llvm::SmallVector<std::string> words = splitName(name);
  static const llvm::StringSet<> fillers = {"p",    "ptr", "data",  "tensor",
                                            "addr", "buf", "buffer"};
  if (words.size() > 1)
    llvm::erase_if(words,
                   [](StringRef word) { return fillers.contains(word); });
  return words.empty() ? name.lower() : llvm::join(words, "");
}

template <typename Table>
static Role find(const Table &table, StringRef name) {
  for (const auto &entry : table) {
    llvm::SmallVector<StringRef> names;
    entry.names.split(names, ' ');
    if (llvm::is_contained(names, name))
      return entry.role;
  }
  return Role::Unknown;
}

Role uma::draft::getTensorRole(StringRef name) {
  return find(kTensors, normalize(name));
}

Role uma::draft::getNumberRole(StringRef name, Meaning meaning) {
  std::string text = normalize(name);
  bool isProduct = meaning == Meaning::Product || meaning == Meaning::Dense;
  bool isWindow =
      meaning == Meaning::Convolution || meaning == Meaning::Depthwise ||
      meaning == Meaning::MaxPool || meaning == Meaning::AveragePool ||
      meaning == Meaning::GlobalAveragePool;
  // The meaning of single letters depends on the operator.
  if (isWindow) {
    if (text == "n")
      return Role::Batch;
    if (text == "k")
      return Role::Kernel;
    if (text == "s")
      return Role::Stride;
  }
  if (!isProduct && !isWindow && (text == "n" || text == "nelem"))
    return Role::Count;
  if (isProduct && meaning == Meaning::Dense) {
    if (text == "cin" || text == "ic" || text == "in" || text == "inputs")
      return Role::K;
    if (text == "cout" || text == "oc" || text == "out" || text == "outputs")
      return Role::N;
  }
  Role role = find(kNumbers, text);
  // One name means the depth of a product or the kernel of a window.
  if (isWindow && role == Role::K)
    return Role::Kernel;
  return role;
}

FunctionMeaning uma::draft::getMeaning(StringRef function) {
  llvm::SmallVector<std::string> words = splitName(function);
  // Two words may be one name: `depthwise_conv`, `max_pool`.
  llvm::SmallVector<std::string> candidates(words.begin(), words.end());
  // Sizes, layouts and types at the end are not part of the operator's name:
  // conv3x3, conv2dnchw, gemmf32.
  for (StringRef word : words) {
    candidates.push_back(word.rtrim("0123456789x").str());
    for (StringRef ending : {"nchw", "nhwc", "f32", "f16", "s8", "i8", "u8"})
      if (word.size() > ending.size() && word.ends_with(ending))
        candidates.push_back(word.drop_back(ending.size()).str());
  }
  for (size_t i = 0; i + 1 < words.size(); ++i)
    candidates.push_back(words[i] + words[i + 1]);
  for (size_t i = 0; i + 2 < words.size(); ++i)
    candidates.push_back(words[i] + words[i + 1] + words[i + 2]);
  for (const Words<Meaning> &entry : kFunctions) {
    llvm::SmallVector<StringRef> names;
    entry.names.split(names, ' ');
    if (llvm::any_of(candidates, [&](StringRef candidate) {
          return llvm::is_contained(names, candidate);
        }))
      return {entry.role, ""};
  }
  for (const std::string &word : llvm::reverse(words)) {
    for (auto [name, op] : kUnary)
      if (name == word)
        return {Meaning::Unary, op};
    for (auto [name, op] : kBinary)
      if (name == word)
        return {Meaning::Binary, op};
  }
  return {};
}
