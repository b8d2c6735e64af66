// Runs a model with onnxruntime-node, for utils/run-real-models.py: reads a request from standard input and writes
// each output as raw little-endian bytes.
//
//   {"runtime": FOLDER, "model": FILE, "inputs": [{"name", "type", "shape", "file"}], "outputs": FOLDER}
//
// Prints [{"name", "type", "shape", "file"}].
'use strict';
const fs = require('fs');
const path = require('path');

async function main() {
  const request = JSON.parse(fs.readFileSync(0, 'utf8'));
  const ort = require(request.runtime);
  const session = await ort.InferenceSession.create(
      request.model, {logSeverityLevel: 3, intraOpNumThreads: 1, interOpNumThreads: 1});
  const arrays = {float32: Float32Array, int64: BigInt64Array, int8: Int8Array, uint8: Uint8Array};
  const feeds = {};
  for (const input of request.inputs) {
    const bytes = fs.readFileSync(input.file);
    const data = new Uint8Array(bytes).buffer;
    feeds[input.name] = new ort.Tensor(input.type, new arrays[input.type](data), input.shape);
  }
  const results = await session.run(feeds);
  const outputs = [];
  for (const [number, name] of session.outputNames.entries()) {
    const {type, dims, data} = results[name];
    const file = path.join(request.outputs, `reference${number}.bin`);
    fs.writeFileSync(file, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    outputs.push({name, type, shape: dims, file});
  }
  console.log(JSON.stringify(outputs));
}

main().catch(error => {
  console.error(error.message);
  process.exit(1);
});
