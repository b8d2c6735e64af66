// Runs a model with onnxruntime-node for bench/run.py, as bench/runner.c runs the emitted C: answers each line of
// standard input with one line.
//
//   node bench/onnxruntime.js '{"runtime": FOLDER, "model": FILE, "threads": 1, "profile": PREFIX or "",
//                               "inputs": [{"name", "type", "shape", "file"}]}'
//
//   run N         runs N times and answers the milliseconds of each
//   write FOLDER  writes each output as FOLDER/<number>.bin and answers [{"name", "type", "shape"}]
//   profile       ends the profile, which ONNX Runtime writes to PREFIX_<time>.json, and answers "done"
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

async function main() {
  const request = JSON.parse(process.argv[2]);
  const ort = require(request.runtime);
  const session = await ort.InferenceSession.create(request.model, {
    logSeverityLevel: 3,
    graphOptimizationLevel: 'all',
    executionMode: 'sequential',
    intraOpNumThreads: request.threads,
    interOpNumThreads: 1,
    enableProfiling: Boolean(request.profile),
    profileFilePrefix: request.profile || undefined,
  });
  const arrays = {
    // The module wants the array that its version of Node.js has for numbers of 16 bits.
    float16: globalThis.Float16Array ?? Uint16Array, float32: Float32Array, float64: Float64Array, int64: BigInt64Array, int32: Int32Array, int8: Int8Array,
    uint8: Uint8Array, bool: Uint8Array,
  };
  const feeds = {};
  for (const input of request.inputs) {
    const bytes = fs.readFileSync(input.file);
    const data = new Uint8Array(bytes).buffer;
    feeds[input.name] = new ort.Tensor(input.type, new arrays[input.type](data), input.shape);
  }
  let results = await session.run(feeds);
  console.log('ready');
  for await (const line of readline.createInterface({input: process.stdin})) {
    const [command, argument] = line.split(' ');
    if (command === 'run') {
      const times = [];
      for (let i = 0; i < Number(argument); ++i) {
        const start = process.hrtime.bigint();
        results = await session.run(feeds);
        times.push(Number(process.hrtime.bigint() - start) / 1e6);
      }
      console.log(times.join(' '));
    } else if (command === 'write') {
      const outputs = [];
      for (const [number, name] of session.outputNames.entries()) {
        const {type, dims, data} = results[name];
        fs.writeFileSync(path.join(argument, `${number}.bin`), Buffer.from(data.buffer, data.byteOffset, data.byteLength));
        outputs.push({name, type, shape: dims});
      }
      console.log(JSON.stringify(outputs));
    } else if (command === 'profile') {
      session.endProfiling ? session.endProfiling() : session.handler.endProfiling();
      console.log('done');
    }
  }
}

main().catch(error => {
  console.error(error.message);
  process.exit(1);
});
