import { hasGlob } from '../paths/secrets.js';
import { isSecret } from '../paths/secrets.js';
import { ANYWHERE, pathOf, placeOf, placesOf, type Place } from '../paths/place.js';
import { judgeRemoval, judgeWrite } from '../paths/writes.js';
import { find, onlyOnce, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown, UNKNOWN } from '../shell/text.js';

export const placeIn = (call: Call, path: string): Place => placeOf(path, call.scope.cwd.place, call.scope.context);

const places = (call: Call, path: string): readonly Place[] => placesOf(placeIn(call, path), call.scope.context);

/** A file whose content is shown or used. */
export const reads = (call: Call, field: Field): void => {
  const { value } = field;
  if (/^\/dev\/(tcp|udp)\//.test(value)) find(call, 'net.send', `${shown(value)} is a network connection`, field);
  if (call.scope.context.secretReads === 'allow') return;
  const known = isKnown(value) ? value : value.slice(value.lastIndexOf(UNKNOWN) + 1);
  const secret = places(call, known === value ? value : `./${known}`).find(isSecret);
  if (!secret) return;
  find(call, 'read.secret', `${call.program} reads ${shown(value)}, which holds secrets`, field);
  // Leave to read one secret is none to read another.
  constrainPath(call, known === value ? secret : ANYWHERE, field);
};

/** A file or directory that is made or changed. Paths that were computed may lead anywhere. */
export const writes = (call: Call, field: Field): void => {
  for (const place of places(call, field.value)) {
    const judged = judgeWrite(place, call.scope.context);
    if (!judged) continue;
    find(call, judged.effect, `${call.program} writes ${shown(field.value)}: ${judged.why}`, field);
    constrainPath(call, place, field);
  }
};

/** A file that goes away, or a directory with all that is below it. */
export const removes = (call: Call, field: Field, recursive: boolean): void => {
  const place = placeIn(call, field.value);
  if (!isKnown(field.value) && recursive && mayReachRoot(field.value)) {
    find(call, 'destroy.fs', `${call.program} removes ${shown(field.value)}, which is the root where the variable is empty`, field, true);
    return;
  }
  const judged = judgeRemoval(place, recursive, call.scope.context);
  const effect = judged.effect === 'write.outside' && place.root === 'anywhere' ? 'write.outside' : judged.effect;
  find(call, effect, `${call.program} removes ${shown(field.value)}: ${judged.why}`, field, judged.bulk === true);
  constrainPath(call, place, field);
};

/** `$X/`, `$X/*`, `/$X`: the root itself if there is nothing in the variable. */
const mayReachRoot = (value: string): boolean =>
  /^(\/|\.\.?\/)*$/.test(value.replaceAll(UNKNOWN, '').replace(/\*+$/, '')) && value !== UNKNOWN;

const constrainPath = (call: Call, place: Place, field: Field): void => {
  if (place.root === 'anywhere' || !field.certain) return onlyOnce(call.draft, 'Its path is computed.');
  const path = hasGlob(pathOf(place)) && field.glob ? pathOf({ ...place, parts: place.parts.slice(0, -1) }) : pathOf(place);
  call.draft.constraints.paths = [...new Set([...(call.draft.constraints.paths ?? []), path])];
};
