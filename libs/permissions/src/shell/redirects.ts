import { type Redirection } from 'unbash';
import { pathOf, placeOf, placesOf } from '../paths/place.js';
import { isSecret } from '../paths/secrets.js';
import { judgeWrite } from '../paths/writes.js';
import { walkParts, walkWord } from './expansions.js';
import { fedBy } from './output.js';
import { add, onlyOnce, pipedInput, type Draft, type Input, type Scope } from './scope.js';
import { DESCRIPTOR, isKnown, shown } from './text.js';

/** Judges where the streams of a command lead. Returns what its standard input then is, and whether a file was written. */
export const judgeRedirects = (redirects: readonly Redirection[], scope: Scope, draft: Draft): { input: Input; wrote: boolean } => {
  let { input } = scope;
  let wrote = false;
  for (const redirect of redirects) {
    const fd = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined;
    const feeds = redirect.descriptor === undefined || fd === 0;
    if (redirect.type === 'HereDoc') {
      if (redirect.body.parts) walkParts(redirect.body.parts, scope, draft);
      if (!redirect.closing) {
        const reason = 'A here-document has no end, so that everything after it is text.';
        add(draft, 'obfuscated', reason, scope.source.origin(redirect.pos, redirect.end));
        onlyOnce(draft, reason);
      }
      if (feeds) input = withText(redirect, scope);
      continue;
    }
    walkWord(redirect.target, scope, draft);
    if (redirect.type === 'HereString') {
      if (feeds) input = withText(redirect, scope);
      continue;
    }
    if (redirect.operator === '<' || redirect.operator === '<&') {
      if (feeds) input = { kind: 'piped', ...(redirect.target?.parts?.[0]?.type === 'ProcessSubstitution' && { network: true }) };
      readFrom(redirect, scope, draft);
    } else if (writeTo(redirect, scope, draft)) wrote = true;
  }
  return { input, wrote };
};

const withText = (redirect: Redirection, scope: Scope): Input => pipedInput(() => fedBy([redirect], scope));

type Plain = Extract<Redirection, { type: 'Redirect' }>;

const readFrom = (redirect: Plain, scope: Scope, draft: Draft): void => {
  if (!redirect.target) return;
  const at = scope.source.origin(redirect.pos, redirect.end);
  const target = scope.engine.text(redirect.target, scope, new Map()).value;
  if (redirect.operator === '<&' && /^(\d+|-|\d+-)$/.test(target)) return;
  const places = placesOf(placeOf(target, scope.cwd.place, scope.context), scope.context);
  if (/^\/dev\/(tcp|udp)\//.test(target)) add(draft, 'net.send', `Its input is the network connection ${shown(target)}.`, at);
  const secret = scope.context.secretReads === 'allow' ? undefined : places.find(isSecret);
  if (!secret) return;
  add(draft, 'read.secret', `Its input is ${shown(target)}, which holds secrets.`, at);
  draft.constraints.paths = [...new Set([...(draft.constraints.paths ?? []), pathOf(secret)])];
};

const writeTo = (redirect: Plain, scope: Scope, draft: Draft): boolean => {
  const at = scope.source.origin(redirect.pos, redirect.end);
  const target = redirect.target ? scope.engine.text(redirect.target, scope, new Map()) : undefined;
  if (!target) return false;
  if (redirect.operator === '>&' && /^(\d+|-|\d+-)$/.test(target.value)) return false;
  if (target.value === DESCRIPTOR) return false;
  let wrote = false;
  for (const place of placesOf(placeOf(target.value, scope.cwd.place, scope.context), scope.context)) {
    const judged = judgeWrite(place, scope.context);
    if (!judged) continue;
    wrote = true;
    add(draft, judged.effect, `Its output goes to ${shown(target.value)}: ${judged.why}.`, at);
    if (!isKnown(target.value) || !target.certain || place.root === 'anywhere') onlyOnce(draft, 'The path it writes is computed.');
    else draft.constraints.paths = [...new Set([...(draft.constraints.paths ?? []), pathOf(place)])];
  }
  return wrote;
};
