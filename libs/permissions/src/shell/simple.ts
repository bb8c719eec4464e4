import { type Assignment, type Command, type CommandArgument, type Redirection } from 'unbash';
import { judgeVariable } from './assignments.js';
import { isHarmlessVariable, isSteeringVariable } from './environment.js';
import { walkWord } from './expansions.js';
import { judgeRedirects } from './redirects.js';
import { add, onlyOnce, type Choices, type Draft, type Field, type Scope } from './scope.js';
import { isKnown, textAt } from './text.js';
import { judgeArithmetic } from './arithmetic.js';

/** One simple command: what its words run, what it sets, where its streams lead, and then the program itself. */
export const walkSimple = (node: Command, scope: Scope, draft: Draft): void => {
  const assignments = node.prefix.filter((item): item is Assignment => item.type === 'Assignment');
  walkWord(node.name, scope, draft);
  for (const word of node.args) if (word.type === 'Word') walkWord(word, scope, draft);
  for (const assignment of [...assignments, ...node.args.filter((arg): arg is Assignment => arg.type === 'Assignment')])
    walkAssignment(assignment, scope, draft);
  for (const assignment of assignments) judgeAssignment(assignment, node.name !== undefined, scope, draft);
  const { input, wrote } = judgeRedirects(
    [...node.prefix, ...node.suffix].filter((item): item is Redirection => item.type !== 'Assignment' && item.type !== 'Word'),
    scope,
    draft,
  );
  const inside: Scope = { ...scope, input };
  judgeGaps(node, scope, draft);
  if (node.name) inWorlds(node, inside, draft);
  if (wrote) draft.prefix = [...draft.prefix, '>'];
};

/** The grammar reads some texts that bash refuses, `ls(-a` and `ls <1<a`: between two words stands nothing but space. */
const judgeGaps = (node: Command, scope: Scope, draft: Draft): void => {
  const { text } = scope.source;
  const parts = [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix].sort((a, b) => a.pos - b.pos);
  const odd = (start: number, end: number): void => {
    const reason = 'It is not what it looks like: bash does not read it as these words.';
    add(draft, 'obfuscated', reason, scope.source.origin(start, end));
    onlyOnce(draft, reason);
  };
  let from = node.pos;
  for (const { pos, end } of [...parts, { pos: node.end, end: node.end }]) {
    const joined = pos === from && from > node.pos && /[<>]/.test(text[pos] ?? '') && /^\d+$/.test(lastWord(text, from));
    if (joined || (pos > from && !/^(?:\s|\\\n)*$/.test(text.slice(from, pos))))
      return odd(Math.max(node.pos, from - 1), Math.min(node.end, Math.max(pos, from + 1)));
    from = Math.max(from, end);
  }
  let after = node.end;
  while (text[after] === ' ' || text[after] === '\t') after++;
  if (text[after] === '(') odd(node.end - 1, after + 1);
};
const lastWord = (text: string, end: number): string => /[^\s<>|&;()]*$/.exec(text.slice(Math.max(0, end - 40), end))?.[0] ?? '';

/** Once for every combination of values that its variables may have; beyond the budget, with the first of each. */
const inWorlds = (node: Command, scope: Scope, draft: Draft): void => {
  const choices: Choices = new Map();
  const words: readonly CommandArgument[] = [node.name!, ...node.args];
  let tried = 0;
  do {
    const fields = words.flatMap((word) => fieldsOf(word, scope, choices));
    if (fields.length > 0) scope.engine.invoke(draft, fields, scope);
    tried++;
    if (tried > 1 && --scope.report.budget < 0) {
      add(draft, 'obfuscated', 'Its variables have more values than can be judged one by one.', draft.span);
      return;
    }
  } while (advance(choices));
};

const advance = (choices: Choices): boolean => {
  for (const [name, { index, count }] of choices) {
    choices.set(name, { index: (index + 1) % count, count });
    if (index + 1 < count) return true;
  }
  return false;
};

/** `export A=b` takes an assignment for a word of its own; it never splits. */
const fieldsOf = (word: CommandArgument, scope: Scope, choices: Choices): Field[] => {
  if (word.type === 'Word') return scope.engine.fields(word, scope, choices);
  const span = scope.source.origin(word.pos, word.end);
  const value = word.value.type === 'Word' ? scope.engine.text(word.value, scope, choices).value : '(…)';
  return [{ ...textAt(`${word.name}${word.append ? '+' : ''}=${value}`, span), certain: true, glob: false, splits: false }];
};

const walkAssignment = ({ value, index, pos, end }: Assignment, scope: Scope, draft: Draft): void => {
  if (index) {
    walkWord(index, scope, draft);
    judgeArithmetic(textAt(scope.engine.text(index, scope, new Map()).value, scope.source.origin(pos, end)), scope, draft, scope.source, {
      assigns: true,
    });
  }
  if (value.type === 'Word') walkWord(value, scope, draft);
  else for (const element of value.elements) walkWord(element, scope, draft);
};

const judgeAssignment = ({ name, value, pos, end }: Assignment, forCommand: boolean, scope: Scope, draft: Draft): void => {
  if (!forCommand && !isSteeringVariable(name)) return;
  const at = scope.source.origin(pos, end);
  const given = value.type === 'Word' ? scope.engine.text(value, scope, new Map()) : undefined;
  if (given && isHarmlessVariable(name, given.value) && isKnown(given.value)) return;
  judgeVariable(name, given, at, scope, draft);
};
