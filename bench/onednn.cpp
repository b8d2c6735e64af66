//===- onednn.cpp - One layer of oneDNN for bench/onednn.py ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
//   onednn FOLDER int8|bf16|f32 conv|winograd|inner|matmul N IC SIZE OC KERNEL
//          STRIDE
//
// Reads data, weights, bias and, for int8, scales from FOLDER/{x,w,b,s}.bin.
// Reorders data and weights to the formats that the primitive prefers, runs it
// once, and then answers each line of standard input as bench/runner.c does:
//
//   describe      the instruction set and the name of the implementation
//   run N         runs N times and answers the milliseconds of each
//   write FOLDER  writes the result as FOLDER/0.bin and answers "done"
//
// int8: data u8, weights i8, bias i32, one scale per output channel, result u8.
// bf16: data and weights bf16 (from f32 files), bias and result f32.
// f32: all f32; winograd is a convolution by Winograd's algorithm.
//
//===----------------------------------------------------------------------===//

#include <oneapi/dnnl/dnnl.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#if DNNL_VERSION_MAJOR != 2
#error "written for the API of oneDNN 2 (Debian 12's libdnnl-dev)"
#endif

using namespace dnnl;
using Type = memory::data_type;
using Tag = memory::format_tag;

namespace {

struct Layer {
  std::string folder;
  std::string type, kind;
  memory::dim batch, inputs, size, outputs, kernel, stride;

  bool isInt8() const { return type == "int8"; }
  bool isConv() const { return kind == "conv" || kind == "winograd"; }
  memory::dim getResultSize() const {
    return (size + 2 * (kernel / 2) - kernel) / stride + 1;
  }
  memory::dims getDataShape() const {
    return isConv() ? memory::dims{batch, inputs, size, size}
                    : memory::dims{batch, inputs};
  }
  /// A matrix product has weights [inputs, outputs], stored transposed.
  memory::dims getWeightShape() const {
    return isConv()           ? memory::dims{outputs, inputs, kernel, kernel}
           : kind == "matmul" ? memory::dims{inputs, outputs}
                              : memory::dims{outputs, inputs};
  }
  memory::dims getResultShape() const {
    return isConv()
               ? memory::dims{batch, outputs, getResultSize(), getResultSize()}
               : memory::dims{batch, outputs};
  }
  memory::dims getBiasShape() const {
    return kind == "matmul" ? memory::dims{1, outputs} : memory::dims{outputs};
  }
};

/// A primitive with the memory that it reads and writes.
struct Job {
  primitive run;
  memory::desc data, weights, bias, result;
  std::string implementation;
};

/// Reads an array. Throws an exception if the file has another size.
std::vector<char> read(const std::string &path, size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytesRead(bytes);
  if (!file.read(bytesRead.data(), static_cast<std::streamsize>(bytes)) ||
      file.peek() != EOF) {
    throw std::runtime_error(path + ": expected " + std::to_string(bytes) +
                             " bytes");
  }
  return bytesRead;
}

template <typename Primitive, typename... Operands>
Job makeJob(const primitive_attr &attributes, const engine &cpu,
            Operands &&...operands) {
  typename Primitive::primitive_desc description(
      typename Primitive::desc(std::forward<Operands>(operands)...), attributes,
      cpu);
  return {Primitive(description),     description.src_desc(),
          description.weights_desc(), description.bias_desc(),
          description.dst_desc(),     description.impl_info_str()};
}

/// Creates the primitive, which chooses the formats of its operands.
Job makeJob(const Layer &layer, const engine &cpu) {
  Type real = layer.type == "bf16" ? Type::bf16 : Type::f32;
  Type narrow = layer.isInt8() ? Type::u8 : real;
  memory::desc data(layer.getDataShape(), narrow, Tag::any);
  memory::desc weights(layer.getWeightShape(), layer.isInt8() ? Type::s8 : real,
                       Tag::any);
  memory::desc bias(layer.getBiasShape(),
                    layer.isInt8() ? Type::s32 : Type::f32,
                    layer.kind == "matmul" ? Tag::ab : Tag::a);
  memory::desc result(layer.getResultShape(),
                      layer.isInt8() ? Type::u8 : Type::f32, Tag::any);
  primitive_attr attributes;
  if (layer.isInt8()) {
    size_t count = static_cast<size_t>(layer.outputs);
    std::vector<char> raw =
        read(layer.folder + "/s.bin", count * sizeof(float));
    const float *scales = reinterpret_cast<const float *>(raw.data());
    attributes.set_output_scales(1 << 1, {scales, scales + count});
  }
  if (layer.kind == "matmul") {
    return makeJob<matmul>(attributes, cpu, data, weights, bias, result);
  }
  if (layer.kind == "inner") {
    return makeJob<inner_product_forward>(attributes, cpu,
                                          prop_kind::forward_inference, data,
                                          weights, bias, result);
  }
  memory::dims strides(2, layer.stride), padding(2, layer.kernel / 2);
  return makeJob<convolution_forward>(
      attributes, cpu, prop_kind::forward_inference,
      layer.kind == "winograd" ? algorithm::convolution_winograd
                               : algorithm::convolution_direct,
      data, weights, bias, result, strides, padding, padding);
}

class Runner {
public:
  Runner(const Layer &layer, const engine &cpu)
      : cpu(cpu), queue(cpu), layer(layer), job(makeJob(layer, cpu)) {
    Tag dense = layer.isConv() ? Tag::nchw : Tag::ab;
    arguments = {
        {DNNL_ARG_SRC, load("x",
                            {layer.getDataShape(),
                             layer.isInt8() ? Type::u8 : Type::f32, dense},
                            job.data)},
        {DNNL_ARG_WEIGHTS,
         load("w",
              {layer.getWeightShape(), layer.isInt8() ? Type::s8 : Type::f32,
               layer.isConv()           ? Tag::oihw
               : layer.kind == "matmul" ? Tag::ba
                                        : Tag::ab},
              job.weights)},
        {DNNL_ARG_BIAS, load("b", job.bias, job.bias)},
        {DNNL_ARG_DST, memory(job.result, cpu)}};
    run();
  }

  void run() {
    job.run.execute(queue, arguments);
    queue.wait();
  }

  void write(const std::string &path) {
    Tag dense = layer.isConv() ? Tag::nchw : Tag::ab;
    memory::desc plain(layer.getResultShape(),
                       layer.isInt8() ? Type::u8 : Type::f32, dense);
    std::vector<char> bytes(plain.get_size());
    convert(arguments.at(DNNL_ARG_DST), memory(plain, cpu, bytes.data()));
    std::ofstream file(path, std::ios::binary);
    if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
      throw std::runtime_error(path + ": cannot be written");
    }
  }

  const std::string &getImplementation() const { return job.implementation; }

private:
  void convert(memory from, memory to) {
    reorder(from, to).execute(queue, from, to);
    queue.wait();
  }

  /// Reads an operand in the format `stored` and converts it to `wanted`.
  memory load(const char *name, const memory::desc &stored,
              const memory::desc &wanted) {
    std::vector<char> bytes =
        read(layer.folder + "/" + name + ".bin", stored.get_size());
    memory result(wanted, cpu);
    convert(memory(stored, cpu, bytes.data()), result);
    return result;
  }

  engine cpu;
  stream queue;
  Layer layer;
  Job job;
  std::unordered_map<int, memory> arguments;
};

std::string getInstructionSet() {
  switch (get_effective_cpu_isa()) {
  case cpu_isa::avx512_core_amx:
    return "AMX";
  case cpu_isa::avx512_core_bf16:
    return "AVX-512 BF16";
  case cpu_isa::avx512_core_vnni:
    return "AVX-512 VNNI";
  case cpu_isa::avx512_core:
    return "AVX-512";
  case cpu_isa::avx2_vnni:
    return "AVX-VNNI";
  case cpu_isa::avx2:
    return "AVX2";
  default:
    return "less than AVX2";
  }
}

double getMilliseconds() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

void printTimes(Runner &runner, int count) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    double start = getMilliseconds();
    runner.run();
    times.push_back(getMilliseconds() - start);
  }
  for (double time : times) {
    std::printf("%.6f ", time);
  }
  std::printf("\n");
}

void serve(Runner &runner) {
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command, operand;
    words >> command >> operand;
    if (command == "run") {
      printTimes(runner, std::atoi(operand.c_str()));
    } else if (command == "describe") {
      std::printf("%s\t%s\n", getInstructionSet().c_str(),
                  runner.getImplementation().c_str());
    } else if (command == "write") {
      runner.write(operand + "/0.bin");
      std::puts("done");
    }
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 10) {
    std::fprintf(stderr,
                 "usage: %s FOLDER int8|bf16|f32 conv|winograd|inner|matmul N "
                 "IC SIZE OC KERNEL STRIDE\n",
                 argv[0]);
    return 2;
  }
  Layer layer{argv[1],
              argv[2],
              argv[3],
              std::atoi(argv[4]),
              std::atoi(argv[5]),
              std::atoi(argv[6]),
              std::atoi(argv[7]),
              std::atoi(argv[8]),
              std::atoi(argv[9])};
  try {
    Runner runner(layer, engine(engine::kind::cpu, 0));
    serve(runner);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "oneDNN: %s\n", failure.what());
    return 1;
  }
  return 0;
}
