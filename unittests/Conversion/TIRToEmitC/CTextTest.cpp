//===- CTextTest.cpp - Tests of names, comments and literals of C ---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Tests each function with every byte, every pair of bytes, and sequences of
// four bytes that have a meaning in C or are parts of characters.
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/TIRToEmitC/CText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace uma;

static void forEachText(function_ref<void(StringRef)> check) {
  check("");
  for (int a = 0; a < 256; ++a) {
    check(std::string(1, char(a)));
    for (int b = 0; b < 256; ++b)
      check(std::string({char(a), char(b)}));
  }
  // NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested
  const StringRef special("*/\\?\n\0\"#a_9\xE2\x80\xAE", 14);
  for (char a : special)
    for (char b : special)
      for (char c : special)
        for (char d : special)
          check(std::string({a, b, c, d}));
}

static bool isIdentifier(StringRef text) {
  return !text.empty() && isAlpha(text.front()) && !text.contains("__") &&
         all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
}

/// Parses a string literal as a C compiler does. Fails for anything that is not
/// on one line of printable ASCII.
static std::string readLiteral(StringRef literal) {
  EXPECT_TRUE(literal.consume_front("\"") && literal.consume_back("\""));
  EXPECT_FALSE(literal.contains('?')) << literal.str();
  std::string text;
  while (!literal.empty()) {
    char c = literal.front();
    EXPECT_TRUE(isPrint(c) && c != '"') << literal.str();
    literal = literal.drop_front();
    if (c == '\\') {
      unsigned value = 256;
      EXPECT_FALSE(literal.take_front(3).getAsInteger(8, value));
      EXPECT_LT(value, 256u);
      literal = literal.substr(3);
      c = char(value);
    }
    text += c;
  }
  return text;
}

TEST(CComment, StaysOneComment) {
  forEachText([](StringRef text) {
    std::string comment = "/* " + toCComment(text) + " */";
    EXPECT_EQ(comment.find("*/"), comment.size() - 2) << comment;
    EXPECT_EQ(comment.rfind("/*"), 0u) << comment;
    EXPECT_FALSE(StringRef(comment).contains("??")) << comment;
    EXPECT_FALSE(StringRef(comment).contains('\\')) << comment;
    EXPECT_FALSE(any_of(comment, [](unsigned char c) {
      return c < ' ' || c == 0x7f;
    })) << comment;
    const auto *begin = reinterpret_cast<const UTF8 *>(comment.data());
    EXPECT_TRUE(isLegalUTF8String(&begin, begin + comment.size())) << comment;
    // NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested
    EXPECT_FALSE(StringRef(comment).contains("\xE2\x80\xAE")) << comment;
  });
}

TEST(CComment, KeepsWhatReadersCanSee) {
  EXPECT_EQ(toCComment("/conv1/Conv:0"), "/conv1/Conv:0");
  EXPECT_EQ(toCComment("\xC3\xA9t\xC3\xA9 \xE5\xB1\xA4"),
            "\xC3\xA9t\xC3\xA9 \xE5\xB1\xA4");
  EXPECT_EQ(toCComment("a*/b"), "a* /b");
  EXPECT_EQ(toCComment("a*\\b"), "a* /b");
  EXPECT_EQ(toCComment("a\\*b"), "a/ *b");
  EXPECT_EQ(toCComment("a\nb"), "a b");
  // NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested
  EXPECT_EQ(toCComment("a\xE2\x80\xAE"
                       "b"),
            "a<U+202E>b");
  EXPECT_EQ(toCComment("\xFF"), "<0xFF>");
}

TEST(CComment, HidesCharactersWithoutAShape) {
  for (uint32_t c : {0x200Bu, 0x200Eu, 0x200Fu, 0x61Cu, 0x202Au, 0x202Bu,
                     0x202Cu, 0x202Du, 0x202Eu, 0x2066u, 0x2067u, 0x2068u,
                     0x2069u, 0xFEFFu, 0x85u, 0x2028u, 0xE0041u, 0x3164u}) {
    char buffer[4], *end = buffer;
    ASSERT_TRUE(ConvertCodePointToUTF8(c, end));
    std::string comment = toCComment(StringRef(buffer, end - buffer));
    EXPECT_TRUE(all_of(comment, isPrint)) << comment;
    EXPECT_TRUE(StringRef(comment).starts_with("<U+")) << comment;
  }
}

TEST(CString, ReadsBackAsTheText) {
  forEachText([](StringRef text) {
    EXPECT_EQ(readLiteral(toCString(text)), text.str());
  });
}

TEST(CText, LongTextsAreShortened) {
  std::string first(5000, 'x'), second = first + "y";
  for (auto shorten : {toCComment, toCString, toCName}) {
    EXPECT_LT(shorten(first).size(), 600u);
    EXPECT_EQ(shorten(first), shorten(first));
    EXPECT_NE(shorten(first), shorten(second));
  }
  // The worst expansion of each is below the line limit.
  std::string bytes(5000, '\xFF');
  EXPECT_LT(toCComment(bytes).size(), 4000u);
  EXPECT_LT(toCString(bytes).size(), 4000u);
  EXPECT_TRUE(isIdentifier(toCName(first)));
  EXPECT_LE(toCNetworkName(first).size(), 100u);
  EXPECT_NE(toCNetworkName(first), toCNetworkName(second));
}

TEST(CName, IsAnIdentifier) {
  forEachText([](StringRef text) {
    EXPECT_TRUE(isIdentifier(toCName(text))) << toCName(text);
    std::string network = toCNetworkName(text);
    EXPECT_TRUE(isIdentifier(network)) << network;
    EXPECT_FALSE(isReservedFileName(StringRef(network).lower())) << network;
    std::string name = CNameTable().unique(text);
    EXPECT_TRUE(isIdentifier(name)) << name;
    EXPECT_FALSE(isReservedInC(name) && name.back() != '_') << name;
  });
}

TEST(CName, OrdinaryNamesStay) {
  for (StringRef name : {"x", "X", "input", "conv1_weight", "dense_2", "x1",
                         "Identity", "onnx_Add_12", "data", "gamma", "index"}) {
    CNameTable parameters(CNameTable::Kind::Parameter);
    EXPECT_EQ(parameters.unique(name), name);
  }
  for (StringRef name : {"digits", "MNIST", "resnet50", "int", "test", "n"})
    EXPECT_EQ(toCNetworkName(name), name);
}

TEST(CName, ReservedNamesGetASuffix) {
  CNameTable table;
  for (StringRef name : {"int",
                         "EOF",
                         "I",
                         "M_PI",
                         "M_PIf",
                         "linux",
                         "unix",
                         "INT32_MAX",
                         "SIZE_MAX",
                         "UMA_HOOKS",
                         "UMA_RESTRICT",
                         "NET_INPUT_X_SIZE",
                         "stdin",
                         "uma_f16_to_f32",
                         "int32_t",
                         "v1",
                         "i2",
                         "memcpy",
                         "sqrtf",
                         "nullptr"})
    EXPECT_EQ(table.unique(name), (name + "_").str());
  EXPECT_EQ(table.unique("int"), "int_2");
  EXPECT_EQ(table.unique("int_2"), "int_2_2");
}

TEST(CName, NamesInATableDiffer) {
  CNameTable table;
  StringSet<> names;
  for (StringRef name : {"x", "x", "x_2", "x", "x/2", "", "", "unnamed", "\xFF",
                         "EOF", "EOF_", "EOF/"})
    for (int i = 0; i < 100; ++i)
      EXPECT_TRUE(names.insert(table.unique(name)).second) << name.str();
}

TEST(CName, InnerScopesUseNoOuterName) {
  CNameTable outer;
  for (StringRef name : {"x", "x", "y"})
    outer.unique(name);
  CNameTable inner(&outer), innermost(&inner);
  EXPECT_EQ(inner.unique("x"), "x_3");
  EXPECT_EQ(inner.unique("z"), "z");
  EXPECT_EQ(innermost.unique("z"), "z_2");
  EXPECT_EQ(innermost.unique("y"), "y_2");
  EXPECT_EQ(CNameTable(&outer).unique("z"), "z");
}

TEST(CNetworkName, FilesHideNothing) {
  EXPECT_EQ(toCNetworkName("main"), "net_main");
  EXPECT_EQ(toCNetworkName("STRING"), "net_STRING");
  EXPECT_EQ(toCNetworkName("Makefile"), "net_Makefile");
  EXPECT_EQ(toCNetworkName("immintrin"), "net_immintrin");
  EXPECT_EQ(toCNetworkName("uma_hooks"), "net_uma_hooks");
  EXPECT_EQ(toCNetworkName("uma"), "net_uma");
  EXPECT_EQ(toCNetworkName(""), "unnamed");
}

TEST(CNetworkName, DiffersFromDevices) {
  StringSet<> taken;
  taken.insert_range(ArrayRef<StringRef>{"npu.h", "gemm_init", "CONV_H"});
  EXPECT_EQ(toCNetworkName("NPU", taken), "net_NPU");
  EXPECT_EQ(toCNetworkName("gemm", taken), "net_gemm");
  EXPECT_EQ(toCNetworkName("conv", taken), "net_conv");
  EXPECT_EQ(toCNetworkName("con", taken), "net_con"); // a Windows device
  EXPECT_EQ(toCNetworkName("convs", taken), "convs");
  taken.insert("net_conv_run");
  EXPECT_EQ(toCNetworkName("conv", taken), "net_net_conv");
}
