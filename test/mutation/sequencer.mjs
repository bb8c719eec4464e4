import { createRequire } from 'node:module';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/** Tables of decisions first: they kill most, and the slow specs see only what is left. */
export default class TablesFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => (/decisions\.spec/.test(path) ? 0 : 1);
    return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
  }
}
