//===- CSV.cpp - Memory planning problems as files-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/CSV.h"

#include "uma/Support/DidYouMean.h"
#include "uma/Support/PrintableText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace uma::memory;

char CSVError::ID = 0;

namespace {
enum class Column {
  Id,
  Lower,
  Upper,
  End,
  Size,
  Alignment,
  Offset,
  Hint,
  Gaps
};

class Reader {
public:
  Reader(llvm::StringRef text, llvm::StringRef name) : text(text), name(name) {}

  llvm::Expected<CSVFile> read();

private:
  /// Returns an error at `at`, which points into the current line.
  llvm::Error makeError(llvm::StringRef at, const llvm::Twine &message,
                        bool isUnsupported = false) const {
    return llvm::make_error<CSVError>(
        llvm::formatv("{0}:{1}:{2}: {3}", name, lineNumber,
                      at.data() - line.data() + 1, message.str())
            .str(),
        isUnsupported);
  }
  static std::string quote(llvm::StringRef field) {
    return "'" + uma::shorten(uma::toPrintable(field), 80) + "'";
  }

  /// Splits the current line at commas, without the spaces around fields.
  std::vector<llvm::StringRef> split() const {
    std::vector<llvm::StringRef> fields;
    for (llvm::StringRef field : llvm::split(line, ','))
      fields.push_back(field.trim(" \t"));
    return fields;
  }
  llvm::Error readHeader();
  llvm::Error readRow();
  llvm::Error readNumber(llvm::StringRef field, llvm::StringRef column,
                         int64_t least, int64_t most, int64_t &number) const;

  llvm::StringRef text, name, line;
  size_t lineNumber = 0;
  std::vector<Column> columns;
  CSVFile file;
};
} // namespace

llvm::Error Reader::readHeader() {
  static constexpr llvm::StringRef kColumns[] = {
      "id",  "buffer", "buffer_id", "lower",  "start", "begin", "upper",
      "end", "size",   "alignment", "offset", "hint",  "gaps"};
  file.columns = split();
  for (llvm::StringRef field : file.columns) {
    std::optional<Column> column =
        llvm::StringSwitch<std::optional<Column>>(field)
            .Cases({"id", "buffer", "buffer_id"}, Column::Id)
            .Cases({"lower", "start", "begin"}, Column::Lower)
            .Case("upper", Column::Upper)
            .Case("end", Column::End)
            .Case("size", Column::Size)
            .Case("alignment", Column::Alignment)
            .Case("offset", Column::Offset)
            .Case("hint", Column::Hint)
            .Case("gaps", Column::Gaps)
            .Default(std::nullopt);
    if (!column)
      return makeError(field, "unknown column " + quote(field) +
                                  "; expected id, lower, upper, size and "
                                  "optionally alignment, offset, hint" +
                                  uma::didYouMean(field, kColumns));
    auto isSame = [&](Column other) {
      return other == *column ||
             (other == Column::Upper && *column == Column::End) ||
             (other == Column::End && *column == Column::Upper);
    };
    if (auto found = llvm::find_if(columns, isSame); found != columns.end())
      return makeError(field, "column " + quote(field) +
                                  " repeats the meaning of column " +
                                  quote(file.columns[found - columns.begin()]));
    columns.push_back(*column);
  }
  for (auto [column, label] : {std::make_pair(Column::Id, "id"),
                               {Column::Lower, "lower"},
                               {Column::Upper, "upper"},
                               {Column::Size, "size"}})
    if (!llvm::is_contained(columns, column) &&
        (column != Column::Upper || !llvm::is_contained(columns, Column::End)))
      return makeError(line, llvm::formatv("the header has no column '{0}'; "
                                           "expected id, lower, upper, size",
                                           label));
  return llvm::Error::success();
}

llvm::Error Reader::readNumber(llvm::StringRef field, llvm::StringRef column,
                               int64_t least, int64_t most,
                               int64_t &number) const {
  llvm::StringRef digits = field;
  digits.consume_front("-");
  if (digits.empty() || !llvm::all_of(digits, llvm::isDigit))
    return makeError(field, llvm::formatv("{0} is {1}; expected an integer",
                                          column, quote(field)));
  if (field.getAsInteger(10, number) || number < least || number > most)
    return makeError(field, llvm::formatv("{0} is {1}; expected {2} to {3}",
                                          column, quote(field), least, most));
  return llvm::Error::success();
}

llvm::Error Reader::readRow() {
  constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max() - 1;
  std::vector<llvm::StringRef> fields = split();
  if (fields.size() != columns.size()) {
    llvm::StringRef at = fields.size() > columns.size() ? fields[columns.size()]
                                                        : line.take_back(0);
    return makeError(at,
                     llvm::formatv("the line has {0} fields, but the header "
                                   "has {1} columns",
                                   fields.size(), columns.size()));
  }
  Buffer buffer;
  llvm::StringRef upper;
  for (auto [column, field] : llvm::zip_equal(columns, fields)) {
    switch (column) {
    case Column::Id:
      buffer.name = field.str();
      break;
    case Column::Lower:
      if (llvm::Error error =
              readNumber(field, "lower", -kMaxTime, kMaxTime, buffer.lower))
        return error;
      break;
    case Column::Upper:
    case Column::End:
      upper = field;
      if (llvm::Error error =
              readNumber(field, column == Column::End ? "end" : "upper",
                         -kMaxTime, kMaxTime, buffer.upper))
        return error;
      buffer.upper += column == Column::End;
      break;
    case Column::Size:
      if (llvm::Error error =
              readNumber(field, "size", 0, kMaxBytes, buffer.size))
        return error;
      break;
    case Column::Alignment:
      if (llvm::Error error =
              readNumber(field, "alignment", 1, kMaxBytes, buffer.alignment))
        return error;
      break;
    case Column::Offset:
      if (field.empty())
        break;
      if (llvm::Error error = readNumber(field, "offset", 0, kMaxBytes,
                                         buffer.offset.emplace()))
        return error;
      break;
    case Column::Hint:
      break;
    case Column::Gaps:
      if (!field.empty())
        return makeError(field,
                         "gaps are not supported; divide the buffer into one "
                         "per time range, or remove the column",
                         /*isUnsupported=*/true);
      break;
    }
  }
  if (buffer.lower > buffer.upper)
    return makeError(upper, llvm::formatv("the live range of {0} ends before "
                                          "it starts at {1}",
                                          quote(buffer.name), buffer.lower));
  file.problem.buffers.push_back(std::move(buffer));
  file.rows.push_back(std::move(fields));
  return llvm::Error::success();
}

llvm::Expected<CSVFile> Reader::read() {
  text.consume_front("\xEF\xBB\xBF"); // byte order mark
  while (!text.empty()) {
    std::tie(line, text) = text.split('\n');
    ++lineNumber;
    line.consume_back("\r");
    if (line.trim(" \t").empty())
      continue;
    if (llvm::Error error = columns.empty() ? readHeader() : readRow())
      return error;
  }
  if (columns.empty()) {
    line = "";
    lineNumber = 1;
    return makeError(line, "the file is empty; expected a header such as "
                           "id,lower,upper,size");
  }
  return std::move(file);
}

llvm::Expected<CSVFile> uma::memory::readCSV(llvm::StringRef text,
                                             llvm::StringRef name) {
  return Reader(text, name).read();
}

std::string uma::memory::writeCSV(const CSVFile &file,
                                  llvm::ArrayRef<int64_t> offsets) {
  const size_t column =
      llvm::find(file.columns, "offset") - file.columns.begin();
  std::string text = llvm::join(file.columns, ",");
  text += column == file.columns.size() ? ",offset\n" : "\n";
  for (auto [row, offset] : llvm::zip_equal(file.rows, offsets)) {
    for (auto [i, field] : llvm::enumerate(row)) {
      if (i > 0)
        text += ",";
      text += i == column ? std::to_string(offset) : field.str();
    }
    if (column == file.columns.size())
      text += "," + std::to_string(offset);
    text += "\n";
  }
  return text;
}
