import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';

// node tree-sitter.mjs <commands as JSON>: is told `{passes}`, parses every command so many times, and answers microseconds a command.
const commands = JSON.parse(process.argv[2]);
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm')));

process.on('message', ({ passes }) => {
  const began = performance.now();
  for (let pass = 0; pass < passes; pass++) for (const command of commands) parser.parse(command).delete();
  process.send(((performance.now() - began) * 1_000) / (passes * commands.length));
});
process.on('disconnect', () => process.exit(0));
process.send('ready');
