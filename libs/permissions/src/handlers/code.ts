import { find, type Call } from '../shell/scope.js';
import { slice, type Text } from '../shell/text.js';
import { destructiveSql } from './sql-text.js';

/** Calls that delete a tree, by the names that the usual languages give them. */
const DELETES =
  /\b(rmtree|rm_rf|rm_r|rmSync|rmdirSync|rimraf|remove_tree|removeTree|RemoveAll|remove_dir_all|deleteDirectory|delTree|fs\.rm|unlinkSync|File\.delete|os\.remove|shutil\.rmtree)\b/;
const EVERYTHING = /^(\/|\/\*|~\/?|\/(etc|usr|bin|sbin|lib|boot|home|root|var|Users)\/?)$/;
/** Longer programs are not read for what they might hold; they are asked about anyway. */
const MOST = 20_000;

/**
 * Code in another language is always asked about; this looks for what would destroy if it ran: shell commands and SQL in its strings, and
 * deletions of whole trees. It can only make a verdict worse.
 */
export const judgeCode = (call: Call, code: Text): void => {
  if (code.value.length > MOST) return;
  const strings = stringsIn(code);
  for (const text of strings) {
    const { value } = text;
    if (EVERYTHING.test(value.trim()) && DELETES.test(code.value))
      find(call, 'destroy.fs', `${call.program} deletes ${value.trim()}`, text, true);
    const sql = destructiveSql(value);
    if (sql) find(call, 'destroy.db', `${call.program} runs ${sql.what}`, text, sql.bulk);
    if ((/[\s${]/.test(value) && looksRun(code.value)) || isStarted(code.value, value)) worseOnly(call, text);
  }
  for (const match of code.value.matchAll(/["'](rm|sudo|mkfs|dd|shutdown|reboot)["']\s*,\s*(\[?\s*(?:["'][^"']*["']\s*,?\s*)+)/g)) {
    const words = [match[1]!, ...[...match[2]!.matchAll(/["']([^"']*)["']/g)].map((word) => word[1]!)];
    worseOnly(call, {
      value: words.map((word) => (/^[\w./~*-]+$/.test(word) ? word : `'${word}'`)).join(' '),
      runs: slice(code, match.index, match.index + match[0].length).runs.slice(0, 1),
    });
  }
};

const looksRun = (code: string): boolean =>
  /system|exec|spawn|popen|Popen|subprocess|shell|run|call|check_output|`|%x|qx|open|getline|\||print/.test(code);

/** A single word is a command only where a call that runs commands gets it: `system("reboot")`. */
const isStarted = (code: string, word: string): boolean =>
  /^[\w./-]{2,40}$/.test(word) &&
  /(system|popen|exec\w*|spawn\w*|call|run|output)\s*\(?\s*\[?\s*$/i.test(code.slice(0, code.search(/["'`]/)));

/** Judges a text as a script, and keeps of it only what destroys: strings in code are mostly just strings. */
const worseOnly = (call: Call, text: Text): void => {
  const { report } = call.scope;
  const [drafts, findings] = [report.drafts.length, report.findings.length];
  call.scope.engine.script(text, call.scope);
  const inside = report.drafts.splice(drafts);
  report.findings.splice(findings);
  for (const draft of inside)
    for (const { effect, reason, bulk } of draft.findings)
      if (effect.startsWith('destroy.') || effect === 'privilege' || effect === 'write.device')
        find(call, effect, `${call.program}: ${reason}`, text, bulk === true);
};

/** Everything between quotes, whatever the language. */
const stringsIn = (code: Text): Text[] => {
  const found: Text[] = [];
  const { value } = code;
  for (let i = 0; i < value.length && found.length < 200; i++) {
    const quote = value[i]!;
    if (quote === '\\') {
      i++;
      continue;
    }
    if (quote !== '"' && quote !== "'" && quote !== '`') continue;
    let j = i + 1;
    while (j < value.length && value[j] !== quote) j += value[j] === '\\' ? 2 : 1;
    if (j > i + 1) found.push(slice(code, i + 1, Math.min(j, value.length)));
    i = j;
  }
  return found;
};
