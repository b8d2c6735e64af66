//===- PrintableTextTest.cpp - Tests of text for terminals and files ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"

#include <gtest/gtest.h>

using namespace uma;

/// Returns true for UTF-8 without control and bidirectional characters.
static bool isHarmless(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  return llvm::isLegalUTF8String(&begin, begin + text.size()) &&
         // NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested
         !text.contains("\xE2\x80\xAE") &&
         llvm::none_of(text,
                       [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

static void forEachText(llvm::function_ref<void(const std::string &)> check) {
  check("");
  for (int a = 0; a < 256; ++a) {
    check(std::string(1, char(a)));
    for (int b = 0; b < 256; ++b) {
      check(std::string({char(a), char(b)}));
      // Inside a three-byte character.
      check(std::string({'\xE2', char(a), char(b)}));
    }
  }
}

TEST(PrintableText, IsHarmlessOnATerminal) {
  forEachText([](const std::string &text) {
    EXPECT_TRUE(isHarmless(toPrintable(text))) << toPrintable(text);
  });
}

TEST(PrintableText, ShowsWhatIsThere) {
  EXPECT_EQ(toPrintable("conv/1:0 *\\?"), "conv/1:0 *\\?");
  EXPECT_EQ(toPrintable("\xC3\xA9t\xC3\xA9"), "\xC3\xA9t\xC3\xA9");
  EXPECT_EQ(toPrintable("a\nb\x1B[0m"), "a\\nb\\x1B[0m");
  EXPECT_EQ(toPrintable("a\nb", "\n"), "a\nb");
  // NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested
  EXPECT_EQ(toPrintable("\xE2\x80\xAE\xF3\xA0\x81\x81\xFF"),
            "\\u202E\\U000E0041\\xFF");
}

TEST(PrintableText, ShortensToWholeCharacters) {
  EXPECT_EQ(shorten("abc", 40), "abc");
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "\xE5\xB1\xA4";
  for (size_t size = 40; size < 50; ++size) {
    EXPECT_LE(shorten(text, size).size(), size);
    EXPECT_TRUE(isHarmless(shorten(text, size)));
    EXPECT_NE(shorten(text, size), shorten(text + "x", size));
  }
}

TEST(FileNames, StayInTheirFolder) {
  forEachText([](const std::string &text) {
    std::string file = toFileNames({text}, ".npy").front();
    EXPECT_TRUE(isHarmless(file)) << file;
    EXPECT_EQ(file.find_first_of("/\\"), std::string::npos) << file;
    EXPECT_NE(file.front(), '.') << file;
    EXPECT_NE(file.front(), '-') << file;
    EXPECT_GT(file.size(), std::string(".npy").size()) << file;
  });
}

TEST(FileNames, OrdinaryNamesStay) {
  std::vector<std::string> expected = {"Identity:0.npy", "model_out.npy",
                                       "\xC3\xA9t\xC3\xA9.npy", "a.b.npy"};
  EXPECT_EQ(toFileNames({"Identity:0", "model/out", "\xC3\xA9t\xC3\xA9", "a.b"},
                        ".npy"),
            expected);
}

TEST(FileNames, Differ) {
  std::vector<std::string> expected = {
      "a_b_2.npy",   "a_b.npy", "A_B_3.npy", "unnamed_2.npy",
      "unnamed.npy", "_.npy",   "_..npy",    "_._.npy"};
  EXPECT_EQ(toFileNames({"a/b", "a_b", "A\\B", "", "unnamed", ".", "..", "../"},
                        ".npy"),
            expected);
  std::string text(5000, 'x');
  llvm::StringSet<> different;
  for (const std::string &file :
       toFileNames({text + "1", text + "2", text + "1"}, ".npy")) {
    EXPECT_LE(file.size(), 210u);
    EXPECT_TRUE(different.insert(file).second) << file;
  }
}
