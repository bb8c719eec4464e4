import { tierOf } from '../effects.js';
import { handlers } from '../handlers/index.js';
import { exactly, judge } from '../rules/judge.js';
import { pathOf, startOf } from '../paths/place.js';
import { ruleOf } from '../tables/index.js';
import { DEEP } from './guards.js';
import { add, find, onlyOnce, type Call, type Engine } from './scope.js';
import { isKnown, NUMBER, shown, spanOf } from './text.js';

/** Where the programs of a system lie. By any other path it is anybody's program. */
const USUAL = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$|^\/opt\/homebrew\/s?bin\/[^/]+$|^\/opt\/local\/s?bin\/[^/]+$/;

/** Judges a program with its arguments, as part of the segment that names it. */
export const invoke: Engine['invoke'] = (draft, fields, scope) => {
  const { report } = scope;
  if (report.nesting >= DEEP) {
    const [name] = fields;
    if (name) add(draft, 'obfuscated', `More than ${DEEP} programs run each other.`, spanOf(name));
    return;
  }
  report.nesting++;
  try {
    run(draft, fields, scope);
  } finally {
    report.nesting--;
  }
};

const run: Engine['invoke'] = (draft, fields, scope) => {
  const [name, ...args] = fields;
  if (!name) return;
  let program = name.value;
  const call = (as: string): Call => ({ program: as, name, args, draft, scope });
  if (!isKnown(program) || program.includes(NUMBER)) {
    find(call(shown(program)), 'obfuscated', 'The program is computed, so nobody can say what runs');
    return onlyOnce(draft, 'Its program is computed.');
  }
  if (!name.certain || name.glob)
    find(
      call(shown(program)),
      'obfuscated',
      `The name of the program is computed${name.glob ? ' from a pattern' : ''}, and may be ${shown(program)}`,
    );
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007f]/.test(program)) find(call(program), 'obfuscated', 'The name of the program looks like something that it is not');
  if (program.includes('/')) {
    if (!USUAL.test(program)) {
      find(call(shown(program)), 'exec.script', `${shown(program)} is run from a path of its own, whatever its name says`);
      onlyOnce(draft, 'What a script does can change before it runs again.');
    }
    program = program.slice(program.lastIndexOf('/') + 1);
  }
  if (program.includes('\n') || program === '') return find(call(shown(program)), 'unknown', 'There is no such program');
  if (scope.functions.has(program) && !name.value.includes('/')) {
    if (draft.prefix.length === 0) draft.prefix = [program];
    // The body was judged where it is defined; only what it gets here may not be known.
    return onlyOnce(draft, 'It is defined by the script itself.');
  }
  const rule = ruleOf(program);
  if (!rule) {
    const unknown = call(program);
    if (draft.prefix.length === 0) draft.prefix = [program];
    find(unknown, 'unknown', `${shown(program)} is not a program that is known here`);
    return exactly(unknown);
  }
  const known = call(program);
  elsewhere(known);
  if (draft.prefix.length === 0) draft.prefix = [program];
  const handler = rule.handler === undefined ? undefined : handlers[rule.handler];
  if (rule.handler !== undefined && !handler) throw new Error(`No handler is called ${rule.handler}.`);
  if (handler) handler(known, rule);
  else judge(known, rule);
  if (scope.input.network && draft.findings.some(({ effect }) => tierOf(effect) !== 'safe'))
    find(known, 'net.read', `${shown(program)} is fed from the network`);
};

/** A grant that was given for the workspace says nothing of other directories. */
const elsewhere = ({ draft, scope }: Call): void => {
  const { place } = scope.cwd;
  const start = startOf(scope.context);
  if (place.root === 'workspace' || (place.root === start.root && place.parts.join('/') === start.parts.join('/'))) return;
  if (place.root === 'anywhere') return onlyOnce(draft, 'It runs in a directory that is computed.');
  draft.constraints.operands = [...new Set([...(draft.constraints.operands ?? []), `in ${pathOf(place)}`])];
};
