import { transformFileSync } from '@swc/core';
import { fork } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../scripts/prepare.mjs';

const SOURCE = path.join(ROOT, 'test/eventstoredb/server');
const jsc = { target: 'es2023', parser: { syntax: 'typescript' } };

/** The server of the tests that speaks EventStoreDB's protocol, in a process of its own. The generated protocol code is CommonJS, so this is too. */
export const startWireServer = async (name = 'wire') => {
  const directory = path.join(ROOT, 'node_modules/.cache', `${name}-server-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'package.json'), '{"type":"commonjs"}');
  for (const file of readdirSync(SOURCE).filter((name) => name.endsWith('.ts'))) {
    const { code } = transformFileSync(path.join(SOURCE, file), { swcrc: false, jsc, module: { type: 'commonjs' } });
    writeFileSync(path.join(directory, file.replace(/\.ts$/, '.js')), code);
  }
  writeFileSync(path.join(directory, 'main.js'), `require('./server.js').startWireServer().then(({ url }) => process.send(url));`);
  const child = fork(path.join(directory, 'main.js'));
  const url = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`The wire server ended with ${code}.`)));
  });
  const stop = () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  return { url, stop };
};
