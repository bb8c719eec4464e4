import { transformFileSync } from '@swc/core';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/**
 * Libraries as Node runs them, for tests that start processes of their own: `node --input-type=module` with `directory` as its working
 * directory may import `#libs/<name>`. Lies below node_modules, so that packages are found.
 */
export const compile = (...libraries: string[]): { directory: string; remove(): void } => {
  const cache = path.join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(path.join(cache, 'compiled-'));
  chmodSync(directory, 0o755);
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify({ type: 'module', imports: { '#libs/*': './libs/*/src/index.js' } }));
  for (const library of libraries) {
    const source = path.join('libs', library, 'src');
    const files = readdirSync(path.join(root, source), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))) {
      const target = path.join(directory, source, file.replace(/\.ts$/, '.js'));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(
        target,
        transformFileSync(path.join(root, source, file), { configFile: path.join(root, '.swcrc'), sourceMaps: false }).code,
      );
    }
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
};
