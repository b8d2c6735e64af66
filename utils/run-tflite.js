// Runs a model with TensorFlow Lite's WebAssembly, for utils/compare-tflite.py and compare-mediapipe.py:
//
//   node run-tflite.js WASM-FOLDER MODEL INPUTS OUTPUTS
//
// INPUTS has the bytes of all inputs of one run after those of the other, OUTPUTS gets those of the outputs. The module is made
// for browsers; this loads it without the package's JavaScript, which fetches it from a server.
'use strict';
const fs = require('fs');
const vm = require('vm');

async function main() {
  const [folder, model, input, output] = process.argv.slice(2);
  const name = `${folder}/tflite_web_api_cc`;
  globalThis.window = globalThis;
  globalThis.document = {currentScript: {src: ''}};
  vm.runInThisContext(fs.readFileSync(`${name}.js`, 'utf8') + '\nglobalThis.makeModule = tflite_web_api_ModuleFactory;');
  const module = await globalThis.makeModule({wasmBinary: fs.readFileSync(`${name}.wasm`), printErr: () => {}});
  const bytes = fs.readFileSync(model);
  const address = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, address);
  const options = {numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 1};
  const made = module.TFLiteWebModelRunner.CreateFromBufferAndOptions(address, bytes.length, options);
  if (!made.ok())
    throw new Error(made.errorMessage());
  const runner = made.value();
  // Memory may move while the model runs.
  const view = (tensors) => Array.from({length: tensors.size()}, (_, index) => {
    const data = tensors.get(index).data();
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  });
  const data = fs.readFileSync(input), results = [];
  for (let begin = 0; begin < data.length;) {
    for (const tensor of view(runner.GetInputs())) {
      tensor.set(data.subarray(begin, begin + tensor.length));
      begin += tensor.length;
    }
    if (!runner.Infer())
      throw new Error('the model does not run');
    results.push(...view(runner.GetOutputs()).map((tensor) => Buffer.from(tensor)));
  }
  fs.writeFileSync(output, Buffer.concat(results));
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
