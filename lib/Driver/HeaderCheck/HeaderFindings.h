//===- HeaderFindings.h - Compiler messages by call -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HEADERCHECK_HEADERFINDINGS_H
#define UMA_LIB_DRIVER_HEADERCHECK_HEADERFINDINGS_H

#include "../Package/CompilerLog.h"
#include "HeaderProbe.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace uma {

/// Compiler messages about one call, by their subject; null if there is no such
/// message.
struct CallFindings {
  const CompilerMessage *count = nullptr;  ///< number of arguments
  const CompilerMessage *status = nullptr; ///< value of the call
  const CompilerMessage *macro = nullptr;  ///< expansion of a macro
  llvm::MapVector<size_t, const CompilerMessage *> arguments;
  llvm::MapVector<size_t, const CompilerMessage *> fields; ///< unknown fields
  /// Results whose parameter is `const`, and inputs whose parameter is not.
  llvm::MapVector<size_t, const CompilerMessage *> isConst, isNotConst;
};

/// Position of a function's declaration in a header.
struct Declaration {
  std::string file;
  unsigned line = 0, column = 0;
  bool isMacro = false;
  Prototype prototype;
};

/// Groups the messages of a C compiler about a probe by their subject.
class HeaderFindings {
public:
  /// A message about C code in the description.
  struct Code {
    const CompilerMessage *message = nullptr;
    mlir::Operation *op = nullptr;
    size_t line = 0; ///< in the code
  };

  explicit HeaderFindings(const HeaderProbe &probe)
      : probe(probe), calls(probe.getCalls().size()) {}

  /// Adds messages about the probe's current C, which is in `file`. The
  /// messages must outlive this object.
  void add(llvm::ArrayRef<CompilerMessage> messages, llvm::StringRef file);

  /// Returns the findings of each call of the probe.
  llvm::ArrayRef<CallFindings> getCalls() const { return calls; }
  /// Returns the declaration of a function; null if no header has one.
  const Declaration *getDeclaration(llvm::StringRef callee) const;
  llvm::ArrayRef<accel::IncludeOp> getMissingHeaders() const {
    return missingHeaders.getArrayRef();
  }
  /// Returns the first error in a header; null if there is none.
  const CompilerMessage *getHeaderError() const { return headerError; }
  /// Returns the errors in C code of the description, each once.
  llvm::ArrayRef<Code> getCode() const { return code; }

private:
  void add(const CompilerMessage &message);
  void addToCall(const CompilerMessage &message, const ProbeLine &line);
  void addCode(const CompilerMessage &message, mlir::Operation *op,
               size_t line = 0);
  void addDeclaration(const CompilerMessage &message, llvm::StringRef callee);

  const HeaderProbe &probe;
  std::string mainFile; ///< file of the probe's C
  std::vector<CallFindings> calls;
  llvm::StringMap<Declaration> declarations;
  llvm::SetVector<accel::IncludeOp> missingHeaders;
  const CompilerMessage *headerError = nullptr;
  llvm::SmallVector<Code> code;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_HEADERCHECK_HEADERFINDINGS_H
