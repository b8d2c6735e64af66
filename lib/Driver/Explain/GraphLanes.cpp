//===- GraphLanes.cpp - Drawing of a graph in rows ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "GraphLanes.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace uma;

std::vector<GraphRow>
uma::placeInRows(llvm::ArrayRef<llvm::SmallVector<size_t>> sources) {
  std::vector<size_t> numReaders(sources.size());
  for (const llvm::SmallVector<size_t> &from : sources)
    for (size_t source : from)
      ++numReaders[source];
  std::vector<GraphRow> rows(sources.size());
  /// Node whose result is in each column.
  llvm::SmallVector<std::optional<size_t>> columns;
  for (auto [index, row] : llvm::enumerate(rows)) {
    std::optional<size_t> own;
    for (size_t source : sources[index]) {
      size_t column = llvm::find(columns, source) - columns.begin();
      row.incoming.push_back({column, source});
      if (--numReaders[source] > 0)
        continue;
      columns[column] = std::nullopt;
      if (!own)
        own = column;
    }
    // All other open edges pass the node.
    for (auto [column, node] : llvm::enumerate(columns))
      if (node)
        row.passing.push_back(column);
    if (!own)
      own = llvm::find(columns, std::nullopt) - columns.begin();
    if (*own == columns.size())
      columns.emplace_back();
    row.column = *own;
    row.hasUsers = numReaders[index] > 0;
    if (row.hasUsers)
      columns[*own] = index;
  }
  return rows;
}
