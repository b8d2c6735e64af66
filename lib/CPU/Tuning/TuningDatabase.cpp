//===- TuningDatabase.cpp - Database of measured schedules ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Tuning/TuningDatabase.h"

#include "uma/IR/UMADialect.h"
#include "uma/Support/ParseJSON.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace uma;
namespace json = llvm::json;

static constexpr StringLiteral kFormat = "uma-tuning";

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Prints a workload on one line, so that a database reads like a table.
static void printWorkload(llvm::raw_ostream &os, const Workload &workload) {
  json::OStream out(os);
  auto numbers = [&](StringRef name, ArrayRef<int64_t> values) {
    out.attributeArray(name, [&] {
      for (int64_t value : values)
        out.value(value);
    });
  };
  out.object([&] {
    out.attribute("operator", workload.op);
    numbers("outer", workload.outer);
    out.attribute("rows", workload.rows);
    out.attribute("channels", workload.channels);
    out.attribute("channel_block", workload.channelBlock);
    numbers("reduce", workload.reduce);
    numbers("strides", workload.strides);
    numbers("dilations", workload.dilations);
  });
}

static std::string getText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

std::string TuningDatabase::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  json::OStream out(os, /*IndentSize=*/2);
  auto time = [&](StringRef name, double microseconds) {
    out.attributeBegin(name);
    out.rawValue([&](llvm::raw_ostream &os) {
      os << llvm::format("%.3f", microseconds);
    });
    out.attributeEnd();
  };
  out.object([&] {
    out.attribute("format", kFormat);
    out.attribute("version", version);
    out.attribute("lanes", lanes);
    out.attribute("processor", processor);
    out.attribute("compiler", compiler);
    out.attributeArray("layers", [&] {
      for (const TuningEntry &entry : entries)
        out.object([&] {
          out.attributeBegin("workload");
          out.rawValue([&](llvm::raw_ostream &os) {
            printWorkload(os, entry.workload);
          });
          out.attributeEnd();
          out.attribute("kernel", getText(entry.plan.kernel));
          if (!entry.plan.schedules.empty())
            out.attributeArray("schedules", [&] {
              for (ScheduleAttr schedule : entry.plan.schedules)
                out.value(getText(schedule));
            });
          time("microseconds", entry.microseconds);
          time("analytic_microseconds", entry.analyticMicroseconds);
        });
    });
  });
  out.flush();
  os << '\n';
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// llvm::json finds these functions by argument-dependent lookup.
namespace uma {
/// Reads an array of numbers of at least `least` (1 for sizes). Reports an
/// error if a number is out of range or if the product overflows 32 bits.
static bool mapNumbers(json::ObjectMapper &mapper, json::Path path,
                       StringLiteral name, SmallVector<int64_t> &numbers,
                       int64_t least) {
  std::vector<int64_t> values;
  if (!mapper.map(name, values))
    return false;
  numbers.assign(values.begin(), values.end());
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  uint64_t product = 1;
  for (auto [i, number] : llvm::enumerate(values)) {
    if (number < least || number > most) {
      if (least == 1)
        path.field(name).index(i).report("expected a positive size");
      else
        path.field(name).index(i).report("the number is too large");
      return false;
    }
    product *= static_cast<uint64_t>(std::abs(number));
    if (product > static_cast<uint64_t>(most)) {
      path.field(name).index(i).report("the product is too large");
      return false;
    }
  }
  return true;
}

static bool fromJSON(const json::Value &value, Workload &workload,
                     json::Path path) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("operator", workload.op))
    return false;
  bool isDepthwise = workload.op == Workload::depthwise;
  // Transposed convolutions have negative dilations.
  int64_t leastStep = isDepthwise ? 1 : -most;
  if (!mapNumbers(mapper, path, "outer", workload.outer, 1) ||
      !mapper.map("rows", workload.rows) ||
      !mapper.map("channels", workload.channels) ||
      !mapper.map("channel_block", workload.channelBlock) ||
      !mapNumbers(mapper, path, "reduce", workload.reduce, 1) ||
      !mapNumbers(mapper, path, "strides", workload.strides, leastStep) ||
      !mapNumbers(mapper, path, "dilations", workload.dilations, leastStep))
    return false;
  if (workload.rows < 1 || workload.rows > most)
    path.field("rows").report("expected a positive size");
  else if (workload.channels < 1 || workload.channels > most)
    path.field("channels").report("expected a positive size");
  else if (workload.channelBlock < 0 || workload.channelBlock > most)
    path.field("channel_block").report("expected a size, or 0 for none");
  else if (!isDepthwise)
    return true;
  else if (workload.channelBlock == 0)
    path.field("channel_block").report("a depthwise convolution has blocks");
  else if (workload.reduce.size() != 2)
    path.field("reduce").report("a window has two sizes");
  else if (workload.strides.size() != 2)
    path.field("strides").report("a window has two strides");
  else if (workload.dilations.size() != 2)
    path.field("dilations").report("a window has two dilations");
  else
    return true;
  return false;
}

/// An entry with its attributes as text.
struct EntryText {
  Workload workload;
  std::string kernel;
  std::vector<std::string> schedules;
  double microseconds = 0, analyticMicroseconds = 0;
};

static bool fromJSON(const json::Value &value, EntryText &entry,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("workload", entry.workload) &&
         mapper.map("kernel", entry.kernel) &&
         mapper.mapOptional("schedules", entry.schedules) &&
         mapper.map("microseconds", entry.microseconds) &&
         mapper.map("analytic_microseconds", entry.analyticMicroseconds);
}
} // namespace uma

/// Parses an attribute. Fails with MLIR's diagnostic, or if it has another kind
/// than `expected`.
template <typename AttrT>
static llvm::Expected<AttrT> parseText(StringRef text, StringRef expected,
                                       MLIRContext *context) {
  std::string problem;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (problem.empty())
      problem = diagnostic.str();
    return success();
  });
  // parseAttribute expects a single line.
  if (text.contains('\n') || text.contains('\0'))
    return llvm::createStringError("is more than one line");
  Attribute attribute = parseAttribute(text, context);
  if (auto result = dyn_cast_if_present<AttrT>(attribute))
    return result;
  if (problem.empty())
    problem =
        ("is another attribute, expected the text of a " + expected).str();
  return llvm::createStringError(problem);
}

/// Returns why the plan of `entry` is invalid for its workload, or std::nullopt
/// if it is valid.
static std::optional<std::string> findProblem(const TuningEntry &entry) {
  const auto &[kernel, schedules] = entry.plan;
  bool isFast = kernel.getAlgorithm() == Algorithm::Winograd ||
                kernel.getAlgorithm() == Algorithm::Strassen;
  if (kernel.isByOperators())
    return "operators by themselves have nothing to tune";
  if (schedules.size() > 1 || (schedules.empty() && !isFast))
    return "has " + std::to_string(schedules.size()) +
           " schedules, expected one for the only loop nest";
  if (isFast)
    return std::nullopt;
  for (VersionAttr version : schedules.front().getVersions()) {
    if (version.getBlocking())
      continue;
    const ISA &isa = *ISA::lookup(version.getIsa().getValue());
    RegisterTile tile{version.getRows(), version.getVectors(),
                      version.getLanes()};
    if (auto clause = findProblem(entry.workload,
                                  {schedules.front().getPack(), tile}, isa))
      return "version '" + isa.name.str() + "': " + *clause;
  }
  return std::nullopt;
}

/// Parses and verifies the attributes of an entry.
static llvm::Expected<TuningEntry> toEntry(EntryText &&text,
                                           MLIRContext *context) {
  TuningEntry entry{std::move(text.workload),
                    {},
                    text.microseconds,
                    text.analyticMicroseconds};
  auto fail = [](StringRef member, llvm::Error error) {
    return llvm::createStringError(member + ": " +
                                   llvm::toString(std::move(error)));
  };
  auto kernel = parseText<KernelAttr>(text.kernel, "#uma.cpu.kernel", context);
  if (!kernel)
    return fail("kernel", kernel.takeError());
  entry.plan.kernel = *kernel;
  for (auto [i, schedule] : llvm::enumerate(text.schedules)) {
    auto parsed =
        parseText<ScheduleAttr>(schedule, "#uma.cpu.schedule", context);
    if (!parsed)
      return fail("schedules[" + std::to_string(i) + "]", parsed.takeError());
    entry.plan.schedules.push_back(*parsed);
  }
  if (auto problem = findProblem(entry))
    return llvm::createStringError(*problem);
  return entry;
}

llvm::Expected<TuningDatabase> TuningDatabase::read(StringRef path,
                                                    MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(path + ": " + buffer.getError().message());
  return parse((*buffer)->getBuffer(), path, context);
}

llvm::Expected<TuningDatabase>
TuningDatabase::parse(StringRef text, StringRef path, MLIRContext *context) {
  context->loadDialect<UMADialect>();
  llvm::Expected<json::Value> value = parseJSON(text, path);
  if (!value)
    return value.takeError();
  auto fail = [&](const Twine &problem) {
    return llvm::createStringError(path + ": " + problem);
  };
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != kFormat)
    return fail("is no tuning database: expected \"format\": \"" + kFormat +
                "\"");
  std::optional<int64_t> found = object->getInteger("version");
  if (found != version)
    return fail("has " +
                (found ? "version " + Twine(*found) : Twine("no version")) +
                " of the format, expected " + Twine(version) +
                (found == 1 ? "; version 1 knew tiles alone" : "") +
                "; make it anew with 'uma tune'");

  TuningDatabase database;
  std::vector<EntryText> entries;
  json::Path::Root root("database");
  json::ObjectMapper mapper(*value, root);
  if (!mapper.map("lanes", database.lanes) ||
      !mapper.map("processor", database.processor) ||
      !mapper.map("compiler", database.compiler) ||
      !mapper.map("layers", entries))
    return fail(llvm::toString(root.getError()));
  llvm::SetVector<int64_t> known;
  for (const ISA &isa : ISA::getAll())
    known.insert(isa.lanes);
  if (!known.contains(database.lanes))
    return fail("\"lanes\" is " + Twine(database.lanes) + ", expected one of " +
                llvm::join(llvm::map_range(known,
                                           [](int64_t lanes) {
                                             return std::to_string(lanes);
                                           }),
                           ", "));
  for (auto [i, text] : llvm::enumerate(entries)) {
    auto entry = toEntry(std::move(text), context);
    if (!entry)
      return fail("layers[" + Twine(i) +
                  "]: " + llvm::toString(entry.takeError()));
    if (database.lookup(entry->workload))
      return fail("layers[" + Twine(i) + "]: the workload is there twice");
    database.insert(std::move(*entry));
  }
  return database;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static std::string getKey(const Workload &workload) {
  std::string key;
  llvm::raw_string_ostream os(key);
  printWorkload(os, workload);
  return key;
}

const TuningEntry *TuningDatabase::lookup(const Workload &workload) const {
  auto known = indices.find(getKey(workload));
  return known == indices.end() ? nullptr : &entries[known->second];
}

void TuningDatabase::insert(TuningEntry entry) {
  auto [known, isNew] =
      indices.try_emplace(getKey(entry.workload), entries.size());
  if (isNew)
    entries.push_back(std::move(entry));
  else
    entries[known->second] = std::move(entry);
}
