//===- Schedule.cpp - Schedule primitives for Python ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `tir.Schedule` and the schedules of `te` in Python apply the primitives of
// uma/TIR/Schedule/Schedule.h, which check that each is legal.
//
//===----------------------------------------------------------------------===//

#include "IR.h"

#include "uma/Driver/Compiler.h"
#include "uma/TIR/Schedule/Schedule.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;
using namespace uma;
using namespace uma::python;
using uma::tir::BlockOp;
using uma::tir::ForOp;

namespace {
/// Ends the handles to operations that a primitive erases.
struct HandleListener : RewriterBase::Listener {
  explicit HandleListener(Session &session) : session(session) {}
  void notifyOperationErased(Operation *op) override { session.forget(op); }
  Session &session;
};

/// A function that is scheduled, in a module and context of its own.
class PySchedule {
public:
  explicit PySchedule(const std::string &text) {
    Messages messages;
    module = TextModule::parse(text, messages);
    if (!module)
      throwError(messages.empty() ? "the function is not valid"
                                  : messages.front().text);
    context = module->getOperation()->getContext();
    auto functions =
        cast<ModuleOp>(module->getOperation()).getOps<tir::FuncOp>();
    if (functions.empty())
      throwError("the module has no function to schedule");
    func = *functions.begin();
    session = std::make_shared<Session>(context);
    listener = std::make_unique<HandleListener>(*session);
    rewriter = std::make_unique<IRRewriter>(context, listener.get());
  }
  ~PySchedule() { session->close(); }

  PyOperation wrap(Operation *op) const { return {session, op}; }
  PyOperation getFunction() const { return wrap(func); }

  template <typename OpT>
  OpT get(const PyOperation &handle) const {
    auto op = dyn_cast<OpT>(handle.get());
    if (!op)
      throwError("'" + handle.get()->getName().getStringRef().str() +
                 "' is no " + (std::is_same_v<OpT, ForOp> ? "loop" : "block"));
    return op;
  }
  SmallVector<ForOp> getLoops(const std::vector<PyOperation> &handles) const {
    SmallVector<ForOp> loops;
    for (const PyOperation &handle : handles)
      loops.push_back(get<ForOp>(handle));
    return loops;
  }

  /// Applies a primitive, or raises the reason why it is illegal.
  template <typename Fn>
  auto apply(Fn primitive) {
    ErrorCollector errors(context);
    tir::Schedule schedule(func, *rewriter);
    auto result = primitive(schedule);
    if (failed(result))
      errors.raise("the primitive is not legal here");
    return result;
  }
  template <typename Fn>
  void run(Fn primitive) {
    (void)apply(primitive);
  }
  template <typename Fn>
  PyOperation makeOp(Fn primitive) {
    return wrap(*apply(primitive));
  }

  std::string print() const {
    std::string text;
    llvm::raw_string_ostream(text) << *module->getOperation();
    return text;
  }

private:
  std::unique_ptr<TextModule> module;
  MLIRContext *context = nullptr;
  tir::FuncOp func;
  SessionPtr session;
  std::unique_ptr<HandleListener> listener;
  std::unique_ptr<IRRewriter> rewriter;
};
} // namespace

/// Replaces a loop by the call of an intrinsic, which `text` defines. `code` is
/// the C of the call, with `@N@` for the pointer of the intrinsic's argument N
/// and `@N.D@` for the stride of its dimension D.
static void tensorize(PySchedule &self, const PyOperation &loop,
                      const std::string &text, const std::string &name,
                      const std::string &code) {
  Operation *root = self.get<ForOp>(loop);
  ErrorCollector errors(root->getContext());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(root->getContext()));
  if (!module)
    errors.raise("the intrinsic is not valid");
  tir::FuncOp intrinsic = *module->getOps<tir::FuncOp>().begin();
  Builder builder(root->getContext());
  intrinsic->setAttr("uma.intrinsic", builder.getStringAttr(name));
  auto call = self.apply([&](tir::Schedule &schedule) {
    return schedule.tensorize(root, intrinsic);
  });
  // Each buffer is followed by its offset and its strides.
  std::string result = code;
  unsigned position = 0;
  auto replaceAll = [&](const std::string &key, const std::string &value) {
    for (size_t at = result.find(key); at != std::string::npos;
         at = result.find(key, at + value.size()))
      result.replace(at, key.size(), value);
  };
  for (auto [number, type] : llvm::enumerate(intrinsic.getArgumentTypes())) {
    std::string argument = std::to_string(number);
    std::string first = std::to_string(position + 1);
    replaceAll("@" + argument + "@",
               "{" + std::to_string(position) + "} + {" + first + "}");
    position += 2;
    for (int64_t dim = 0, e = cast<MemRefType>(type).getRank() - 1; dim < e;
         ++dim)
      replaceAll("@" + argument + "." + std::to_string(dim) + "@",
                 "{" + std::to_string(position++) + "}");
  }
  (*call)->setAttr("uma.code", builder.getStringAttr(result));
}

static tir::Scope getScope(const std::string &name) {
  if (name == "local")
    return tir::Scope::Local;
  if (name == "global" || name == "workspace")
    return tir::Scope::Workspace;
  throwError("there is no scope '" + name + "', expected local or global");
}

void uma::python::defineSchedule(py::module_ &module) {
  using S = PySchedule;
  using Op = PyOperation;
  py::class_<S>(module, "Schedule")
      .def(py::init<const std::string &>())
      .def_property_readonly("function", &S::getFunction)
      .def("text", &S::print)
      .def("get_block",
           [](S &self, const std::string &label) {
             return self.makeOp(
                 [&](tir::Schedule &s) { return s.getBlock(label); });
           })
      .def("get_loops",
           [](S &self, const Op &block) {
             py::list loops;
             for (ForOp loop :
                  tir::Schedule::getLoops(self.get<BlockOp>(block)))
               loops.append(self.wrap(loop));
             return loops;
           })
      .def("split",
           [](S &self, const Op &loop,
              const std::vector<std::optional<int64_t>> &factors) {
             SmallVector<int64_t> wanted;
             for (std::optional<int64_t> factor : factors)
               wanted.push_back(factor.value_or(tir::Schedule::kInferred));
             auto loops = self.apply([&](tir::Schedule &s) {
               return s.split(self.get<ForOp>(loop), wanted);
             });
             py::list result;
             for (ForOp part : *loops)
               result.append(self.wrap(part));
             return result;
           })
      .def("fuse",
           [](S &self, const std::vector<Op> &loops) {
             return self.makeOp([&](tir::Schedule &s) {
               return s.fuse(self.getLoops(loops));
             });
           })
      .def("reorder",
           [](S &self, const std::vector<Op> &loops) {
             self.run([&](tir::Schedule &s) {
               return s.reorder(self.getLoops(loops));
             });
           })
      .def("vectorize",
           [](S &self, const Op &loop) {
             self.run([&](tir::Schedule &s) {
               return s.vectorize(self.get<ForOp>(loop));
             });
           })
      .def("parallel",
           [](S &self, const Op &loop) {
             self.run([&](tir::Schedule &s) {
               return s.parallel(self.get<ForOp>(loop));
             });
           })
      .def("unroll",
           [](S &self, const Op &loop) {
             self.run([&](tir::Schedule &s) {
               return s.unroll(self.get<ForOp>(loop));
             });
           })
      .def("cache_read",
           [](S &self, const Op &block, unsigned index,
              const std::string &scope) {
             return self.makeOp([&](tir::Schedule &s) {
               return s.cacheRead(self.get<BlockOp>(block), index,
                                  getScope(scope));
             });
           })
      .def("cache_write",
           [](S &self, const Op &block, unsigned index,
              const std::string &scope) {
             return self.makeOp([&](tir::Schedule &s) {
               return s.cacheWrite(self.get<BlockOp>(block), index,
                                   getScope(scope));
             });
           })
      .def("compute_at",
           [](S &self, const Op &block, const Op &loop) {
             self.run([&](tir::Schedule &s) {
               return s.computeAt(self.get<BlockOp>(block),
                                  self.get<ForOp>(loop));
             });
           })
      .def("reverse_compute_at",
           [](S &self, const Op &block, const Op &loop) {
             self.run([&](tir::Schedule &s) {
               return s.reverseComputeAt(self.get<BlockOp>(block),
                                         self.get<ForOp>(loop));
             });
           })
      .def("compute_inline",
           [](S &self, const Op &block) {
             self.run([&](tir::Schedule &s) {
               return s.computeInline(self.get<BlockOp>(block));
             });
           })
      .def("reverse_compute_inline",
           [](S &self, const Op &block) {
             self.run([&](tir::Schedule &s) {
               return s.reverseComputeInline(self.get<BlockOp>(block));
             });
           })
      .def("decompose_reduction",
           [](S &self, const Op &block, const Op &loop) {
             return self.makeOp([&](tir::Schedule &s) {
               return s.decomposeReduction(self.get<BlockOp>(block),
                                           self.get<ForOp>(loop));
             });
           })
      .def("rfactor",
           [](S &self, const Op &block, const Op &loop) {
             return self.makeOp([&](tir::Schedule &s) {
               return s.rfactor(self.get<BlockOp>(block),
                                self.get<ForOp>(loop));
             });
           })
      .def("tensorize", &tensorize)
      .def("set_scope", [](S &self, const Op &block, unsigned index,
                           const std::string &scope) {
        self.run([&](tir::Schedule &s) {
          return s.setScope(self.get<BlockOp>(block), index, getScope(scope));
        });
      });
}
