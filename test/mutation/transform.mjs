import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { createRequire } from 'node:module';
import { mutate } from './mutate.mjs';

const swc = createRequire(import.meta.url)('@swc/jest');

/** Jest's transform of the mutated files: their mutants come first, then all is as for any other file. `firstIds` is by file. */
export const createTransformer = ({ root, firstIds, swc: options }) => {
  const inner = swc.createTransformer(options);
  const mutated = (text, path) => {
    const file = relative(root, path);
    return file in firstIds ? mutate(text, file, firstIds[file]).code : text;
  };
  return {
    canInstrument: false,
    getCacheKey: (text, path) =>
      createHash('sha256').update(JSON.stringify(options)).update(path).update(mutated(text, path)).digest('hex'),
    process: (text, path, transform) => inner.process(mutated(text, path), path, transform),
  };
};
export default { createTransformer };
