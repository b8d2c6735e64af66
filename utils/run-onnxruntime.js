// Runs models with onnxruntime-node for the scripts beside it. Reads a request per line from standard input:
//
//   {"runtime": FOLDER, "model": FILE, "inputs": [{"name", "type", "shape", "file"}], "outputs": FOLDER, "optimize": LEVEL}
//
// Writes each output to OUTPUTS/reference*.bin as raw little-endian bytes, and prints a line for each request:
// [{"name", "type", "shape", "file"}], or {"error": MESSAGE}. Exits with 1 if there was an error. "optimize" is one of
// ONNX Runtime's levels, by default "all".
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const ARRAYS = {
  bool: Uint8Array, uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, int16: Int16Array, uint32: Uint32Array,
  int32: Int32Array, uint64: BigUint64Array, int64: BigInt64Array, float32: Float32Array, float64: Float64Array,
  // Node before version 24 has no Float16Array; ONNX Runtime takes and returns the bits then.
  float16: typeof Float16Array === 'undefined' ? Uint16Array : Float16Array,
};

async function run(request) {
  const ort = require(request.runtime);
  const session = await ort.InferenceSession.create(request.model, {
    logSeverityLevel: 4, intraOpNumThreads: 1, interOpNumThreads: 1,
    graphOptimizationLevel: request.optimize || 'all',
  });
  try {
    const feeds = {};
    for (const input of request.inputs) {
      const data = new Uint8Array(fs.readFileSync(input.file)).buffer;
      feeds[input.name] = new ort.Tensor(input.type, new ARRAYS[input.type](data), input.shape);
    }
    const results = await session.run(feeds);
    return session.outputNames.map((name, number) => {
      const {type, dims, data} = results[name];
      const file = path.join(request.outputs, `reference${number}.bin`);
      fs.writeFileSync(file, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      return {name, type, shape: dims, file};
    });
  } finally {
    await session.release();
  }
}

async function main() {
  for await (const line of readline.createInterface({input: process.stdin})) {
    let answer;
    try {
      answer = await run(JSON.parse(line));
    } catch (error) {
      answer = {error: error.message};
      process.stderr.write(error.message + '\n');
      process.exitCode = 1;
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
}

main();
