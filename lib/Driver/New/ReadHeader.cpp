//===- ReadHeader.cpp - Reads a C header with libclang --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The only file that uses libclang. A build without libclang cannot read
// headers.
//
//===----------------------------------------------------------------------===//

#include "ReadHeader.h"

using namespace uma::draft;

#ifndef UMA_HAVE_LIBCLANG

bool uma::draft::canReadHeaders() { return false; }

llvm::Expected<Header> uma::draft::readHeader(StringRef file) {
  return llvm::createStringError("this build has no libclang");
}

#else

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

#include <clang-c/Index.h>
#include <functional>
#include <map>

bool uma::draft::canReadHeaders() { return true; }

/// Returns the text of a libclang string and frees the string.
static std::string take(CXString string) {
  const char *text = clang_getCString(string);
  std::string result = text ? text : "";
  clang_disposeString(string);
  return result;
}

/// Calls `visit` for each child of `cursor`.
static void forEachChild(CXCursor cursor,
                         llvm::function_ref<void(CXCursor)> visit) {
  (void)clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<llvm::function_ref<void(CXCursor)> *>(data))(child);
        return CXChildVisit_Continue;
      },
      &visit);
}

/// Returns a location as `PATH:LINE:COL`, or `FILE:LINE` without `hasColumn`.
static std::string printLocation(CXSourceLocation location,
                                 bool hasColumn = true) {
  CXFile file = nullptr;
  unsigned line = 0, column = 0;
  clang_getExpansionLocation(location, &file, &line, &column, nullptr);
  std::string name = take(clang_getFileName(file));
  if (!hasColumn)
    return (llvm::sys::path::filename(name) + ":" + llvm::Twine(line)).str();
  return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

namespace {
/// Converts a header parsed by libclang.
class HeaderReader {
public:
  explicit HeaderReader(StringRef file) : file(file) {}
  ~HeaderReader() {
    if (unit)
      clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
  }
  HeaderReader(const HeaderReader &) = delete;
  void operator=(const HeaderReader &) = delete;

  llvm::Error parse(const char *language);
  Header read();

private:
  CType convert(CXType type);
  /// Converts the type of a parameter; arrays become pointers.
  CType convertParameter(CXType type);
  int addEnum(CXCursor cursor);
  int addRecord(CXType type);
  void addFunction(CXCursor cursor);
  void addMacro(CXCursor cursor);

  std::string file;
  CXIndex index = clang_createIndex(/*excludeDeclarationsFromPCH=*/0,
                                    /*displayDiagnostics=*/0);
  CXTranslationUnit unit = nullptr;
  Header header;
  std::map<std::string, int> enums, records;
};
} // namespace

llvm::Error HeaderReader::parse(const char *language) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  // The emitted C includes these two before the header.
  llvm::SmallVector<const char *> arguments = {
      "-x",       language,   "-include", "stddef.h",
      "-include", "stdint.h", "-w",       "-fparse-all-comments"};
  for (StringRef variable : {"CPPFLAGS", "CFLAGS"})
    if (auto flags = llvm::sys::Process::GetEnv(variable))
      llvm::cl::TokenizeGNUCommandLine(*flags, saver, arguments);
  CXErrorCode code = clang_parseTranslationUnit2(
      index, file.c_str(), arguments.data(), int(arguments.size()), nullptr, 0,
      CXTranslationUnit_DetailedPreprocessingRecord |
          CXTranslationUnit_SkipFunctionBodies,
      &unit);
  if (code == CXError_Crashed)
    return llvm::createStringError(
        file + ": clang crashes on it or needs more than 1 GiB, expected a "
               "header that a C compiler accepts");
  if (code != CXError_Success || !unit)
    return llvm::createStringError(
        file + ": clang cannot parse it with the flags of CPPFLAGS and CFLAGS");
  std::string first;
  unsigned errors = 0;
  for (unsigned i = 0, e = clang_getNumDiagnostics(unit); i < e; ++i) {
    CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
        errors++ == 0) {
      CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
      first = printLocation(location) +
              ": error: " + take(clang_getDiagnosticSpelling(diagnostic));
    }
    clang_disposeDiagnostic(diagnostic);
  }
  if (errors == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      first + (errors > 1 ? " (and " + std::to_string(errors - 1) + " more)"
                          : std::string()));
}

CType HeaderReader::convert(CXType type) {
  CType result;
  result.text = take(clang_getTypeSpelling(type));
  result.isConst = clang_isConstQualifiedType(type);
  CXType canonical = clang_getCanonicalType(type);
  long long size = clang_Type_getSizeOf(canonical);
  result.bits = size > 0 ? unsigned(size * 8) : 0;
  switch (canonical.kind) {
  case CXType_Void:
    result.kind = CType::Void;
    break;
  case CXType_Bool:
    result.kind = CType::Bool;
    break;
  case CXType_Float16:
  case CXType_Half:
  case CXType_Float:
  case CXType_Double:
    result.kind = CType::Float;
    break;
  case CXType_Char_S:
  case CXType_SChar:
  case CXType_Short:
  case CXType_Int:
  case CXType_Long:
  case CXType_LongLong:
    result.isSigned = true;
    [[fallthrough]];
  case CXType_Char_U:
  case CXType_UChar:
  case CXType_UShort:
  case CXType_UInt:
  case CXType_ULong:
  case CXType_ULongLong:
    result.kind = CType::Integer;
    break;
  case CXType_Enum:
    result.kind = CType::Enum;
    result.index = addEnum(clang_getTypeDeclaration(canonical));
    break;
  case CXType_Record:
    result.kind = CType::Record;
    result.index = addRecord(type);
    break;
  case CXType_Pointer: {
    CXType pointee = clang_getPointeeType(type);
    if (pointee.kind == CXType_Invalid)
      pointee = clang_getPointeeType(canonical);
    CXTypeKind kind = clang_getCanonicalType(pointee).kind;
    if (kind == CXType_FunctionProto || kind == CXType_FunctionNoProto)
      break;
    result.kind = CType::Pointer;
    result.elements.push_back(convert(pointee));
    break;
  }
  default:
    break;
  }
  return result;
}

CType HeaderReader::convertParameter(CXType type) {
  CXType element = clang_getArrayElementType(type);
  if (element.kind == CXType_Invalid)
    return convert(type);
  CType result;
  result.kind = CType::Pointer;
  result.elements.push_back(convert(element));
  result.text = result.elements.front().text + " *";
  return result;
}

int HeaderReader::addEnum(CXCursor cursor) {
  int number = int(header.enums.size());
  auto known = enums.try_emplace(take(clang_getCursorUSR(cursor)), number);
  if (!known.second)
    return known.first->second;
  header.enums.push_back(take(clang_getCursorSpelling(cursor)));
  forEachChild(cursor, [&](CXCursor child) {
    if (clang_getCursorKind(child) == CXCursor_EnumConstantDecl)
      header.constants.push_back({take(clang_getCursorSpelling(child)),
                                  clang_getEnumConstantDeclValue(child),
                                  number});
  });
  return number;
}

int HeaderReader::addRecord(CXType type) {
  CXCursor cursor = clang_getTypeDeclaration(clang_getCanonicalType(type));
  auto [known, isNew] = records.try_emplace(take(clang_getCursorUSR(cursor)),
                                            int(header.records.size()));
  if (!isNew)
    return known->second;
  size_t index = header.records.size();
  std::string text = take(clang_getTypeSpelling(type));
  StringRef name = text;
  (void)(name.consume_front("const ") || name.consume_front("volatile "));
  header.records.emplace_back().text = name.str();
  header.records[index].isStruct =
      clang_getCursorKind(cursor) == CXCursor_StructDecl &&
      !clang_Cursor_isNull(clang_getCursorDefinition(cursor));
  std::vector<Variable> fields;
  forEachChild(cursor, [&](CXCursor child) {
    if (clang_getCursorKind(child) == CXCursor_FieldDecl)
      fields.push_back({take(clang_getCursorSpelling(child)),
                        convert(clang_getCursorType(child))});
  });
  header.records[index].fields = std::move(fields);
  return int(index);
}

void HeaderReader::addFunction(CXCursor cursor) {
  Function function;
  function.name = take(clang_getCursorSpelling(cursor));
  // Ignore redeclarations.
  for (const Function &other : header.functions)
    if (other.name == function.name)
      return;
  for (char c : take(clang_Cursor_getRawCommentText(cursor)))
    if (!llvm::isSpace(c) && c != '*')
      function.comment += llvm::toLower(c);
  function.place = printLocation(clang_getCursorLocation(cursor),
                                 /*hasColumn=*/false);
  CXType type = clang_getCursorType(cursor);
  function.isVariadic = clang_isFunctionTypeVariadic(type);
  function.isDefined = clang_isCursorDefinition(cursor) ||
                       clang_Cursor_isFunctionInlined(cursor);
  function.result = convert(clang_getResultType(type));
  for (int i = 0, e = clang_Cursor_getNumArguments(cursor); i < e; ++i) {
    CXCursor argument = clang_Cursor_getArgument(cursor, unsigned(i));
    CXType argumentType = clang_getArgType(type, unsigned(i));
    std::string name = take(clang_getCursorSpelling(argument));
    function.parameters.push_back(
        {name.empty() ? "arg" + std::to_string(i) : name,
         convertParameter(argumentType)});
  }
  header.functions.push_back(std::move(function));
}

void HeaderReader::addMacro(CXCursor cursor) {
  if (clang_Cursor_isMacroFunctionLike(cursor) ||
      clang_Cursor_isMacroBuiltin(cursor))
    return;
  CXToken *tokens = nullptr;
  unsigned count = 0;
  clang_tokenize(unit, clang_getCursorExtent(cursor), &tokens, &count);
  // NAME NUMBER, NAME ( NUMBER ) or NAME ( NUMBER << NUMBER ).
  bool isNumber = count > 1;
  for (unsigned i = 1; i < count; ++i) {
    CXTokenKind kind = clang_getTokenKind(tokens[i]);
    std::string text = take(clang_getTokenSpelling(unit, tokens[i]));
    isNumber &= kind == CXToken_Literal
                    ? llvm::isDigit(text.front())
                    : text == "(" || text == ")" || text == "<<" || text == "|";
  }
  if (tokens)
    clang_disposeTokens(unit, tokens, count);
  if (isNumber)
    header.constants.push_back({take(clang_getCursorSpelling(cursor))});
}

Header HeaderReader::read() {
  size_t size = 0;
  const char *contents =
      clang_getFileContents(unit, clang_getFile(unit, file.c_str()), &size);
  StringRef text(contents, contents ? size : 0);
  header.namesNCHW = text.contains_insensitive("nchw");
  header.namesNHWC = text.contains_insensitive("nhwc");
  clang_getInclusions(
      unit,
      [](CXFile file, CXSourceLocation *stack, unsigned depth,
         CXClientData data) {
        auto *reader = static_cast<HeaderReader *>(data);
        CXSourceLocation start =
            clang_getLocationForOffset(reader->unit, file, 0);
        std::string name = take(clang_getFileName(file));
        if (!clang_Location_isInSystemHeader(start) && !name.empty())
          reader->header.files.push_back(std::move(name));
      },
      this);
  auto isOurs = [](CXCursor cursor) {
    CXSourceLocation location = clang_getCursorLocation(cursor);
    CXFile file = nullptr;
    clang_getExpansionLocation(location, &file, nullptr, nullptr, nullptr);
    return file && !clang_Location_isInSystemHeader(location);
  };
  std::function<void(CXCursor)> visit = [&](CXCursor cursor) {
    if (!isOurs(cursor))
      return;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_FunctionDecl:
      addFunction(cursor);
      break;
    case CXCursor_EnumDecl:
      addEnum(cursor);
      break;
    case CXCursor_MacroDefinition:
      addMacro(cursor);
      break;
    default:
      break;
    }
  };
  forEachChild(clang_getTranslationUnitCursor(unit), visit);
  return header;
}

llvm::Expected<Header> uma::draft::readHeader(StringRef file) {
  HeaderReader reader(file);
  if (llvm::Error error = reader.parse("c")) {
    // For a header that is valid only in C++, that reason helps more than the
    // first error.
    HeaderReader other(file);
    if (llvm::Error otherError = other.parse("c++")) {
      llvm::consumeError(std::move(otherError));
      return error;
    }
    return llvm::createStringError(
        llvm::toString(std::move(error)) +
        "; the header is C++, expected C, which the emitted code is: declare "
        "the functions in a header of C, within '#ifdef __cplusplus extern "
        "\"C\"'");
  }
  return reader.read();
}

#endif // UMA_HAVE_LIBCLANG
