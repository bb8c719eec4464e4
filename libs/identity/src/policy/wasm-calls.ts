import { setFlagsFromString } from 'node:v8';

/**
 * Cedar's WebAssembly answers with a reference (`externref`) and calls back into JavaScript to read the question. In Node 20, a function that
 * calls it and was optimised with that call inlined cannot be taken back to unoptimised code while the call is under way: V8 knows only numbers
 * as results there, and ends the process ("unreachable code" in Deoptimizer::DoComputeBuiltinContinuation). When that happens is up to
 * timing, so calls into WebAssembly are not inlined. This has to come before the first of them.
 */
setFlagsFromString('--no-turbo-inline-js-wasm-calls');
