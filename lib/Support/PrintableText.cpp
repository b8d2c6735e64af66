//===- PrintableText.cpp - Arbitrary text on terminals and in files -------===//
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
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/xxhash.h"

using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;
using llvm::UTF32;
using llvm::UTF8;

/// File systems allow 255 bytes; this leaves room for our suffixes and those of
/// temporary files.
static constexpr size_t kMaxFileName = 200;

/// Returns whether Unicode calls a character printable although it is invisible
/// or looks like a space.
static bool isBlank(uint32_t c) {
  static constexpr uint32_t ranges[][2] = {
      {0xA0, 0xA0},       {0xAD, 0xAD},     // no-break space, soft hyphen
      {0x34F, 0x34F},                       // combining grapheme joiner
      {0x61C, 0x61C},                       // Arabic letter mark
      {0x115F, 0x1160},                     // fillers of Hangul
      {0x1680, 0x1680},   {0x17B4, 0x17B5}, // spaces and inherent vowels
      {0x180B, 0x180F},                     // Mongolian variation selectors
      {0x2000, 0x200F},   {0x2028, 0x202F}, // spaces, marks, bidirectional
      {0x205F, 0x206F},   {0x2800, 0x2800}, // controls, braille blank
      {0x3000, 0x3000},   {0x3164, 0x3164}, // wide space, filler
      {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, // variation selectors, BOM
      {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFF}, // filler, specials
      {0x1BCA0, 0x1BCA3}, {0x1D159, 0x1D159}, {0x1D173, 0x1D17A},
      {0xE0000, 0x10FFFF}}; // tags, more variation selectors, private use
  return llvm::any_of(ranges, [&](const uint32_t (&range)[2]) {
    return range[0] <= c && c <= range[1];
  });
}

std::string uma::replaceInvisible(
    StringRef text,
    llvm::function_ref<std::string(uint32_t value, bool isByte)> escape) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    unsigned char first = text.front();
    if (first < 0x80) {
      result +=
          llvm::isPrint(first) ? std::string(1, first) : escape(first, false);
      text = text.drop_front();
      continue;
    }
    const auto *begin = reinterpret_cast<const UTF8 *>(text.data());
    const UTF8 *end = begin;
    UTF32 character = 0;
    if (llvm::convertUTF8Sequence(&end, begin + text.size(), &character,
                                  llvm::strictConversion) !=
        llvm::conversionOK) {
      result += escape(first, true);
      text = text.drop_front();
      continue;
    }
    StringRef bytes = text.take_front(end - begin);
    bool isVisible = llvm::sys::unicode::isPrintable(character) &&
                     !llvm::sys::unicode::isFormatting(character) &&
                     !isBlank(character);
    result += isVisible ? bytes.str() : escape(character, false);
    text = text.drop_front(bytes.size());
  }
  return result;
}

std::string uma::toPrintable(StringRef text, StringRef keep) {
  return replaceInvisible(text, [&](uint32_t value, bool isByte) {
    if (!isByte && value < 0x80 && keep.contains(char(value)))
      return std::string(1, char(value));
    if (!isByte && value == '\n')
      return std::string("\\n");
    if (isByte || value < 0x80)
      return formatv("\\x{0:X-2}", value).str();
    if (value > 0xFFFF)
      return formatv("\\U{0:X-8}", value).str();
    return formatv("\\u{0:X-4}", value).str();
  });
}

std::string uma::shorten(StringRef text, size_t maxBytes, StringRef mark) {
  if (text.size() <= maxBytes)
    return text.str();
  std::string hash =
      llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
  size_t size = maxBytes - mark.size() - hash.size();
  // Do not split characters.
  for (int i = 0; i < 3 && size > 0 && (text[size] & 0xC0) == 0x80; ++i)
    --size;
  return (text.take_front(size) + mark + hash).str();
}

/// Returns a file name that is not empty, '.' or '..' with an extension.
static std::string toFileName(StringRef name) {
  std::string result = uma::replaceInvisible(
      name, [](uint32_t, bool) { return std::string("_"); });
  for (char &c : result)
    if (c == '/' || c == '\\')
      c = '_';
  if (result.empty())
    return "unnamed";
  // Hidden files, and names that commands parse as options.
  if (result.front() == '.' || result.front() == '-')
    result.front() = '_';
  return result;
}

std::vector<std::string> uma::toFileNames(ArrayRef<std::string> names,
                                          StringRef extension) {
  std::vector<std::string> files;
  llvm::StringSet<> used;
  // Names that need no change keep their name, regardless of order.
  llvm::StringMap<unsigned> asTheyAre;
  for (const std::string &name : names)
    ++asTheyAre[StringRef(name).lower()];
  for (const std::string &name : names) {
    std::string base =
        shorten(toFileName(name), kMaxFileName - extension.size());
    std::string candidate = base;
    auto isTaken = [&](StringRef file) {
      std::string key = file.lower();
      bool isAnothers = file != name && asTheyAre.count(key);
      return isAnothers || !used.insert(key).second;
    };
    for (int suffix = 2; isTaken(candidate); ++suffix)
      candidate = base + "_" + std::to_string(suffix);
    files.push_back(candidate + extension.str());
  }
  return files;
}
