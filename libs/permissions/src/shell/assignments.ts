import { type Span } from '../verdict.js';
import { isSteeringVariable } from './environment.js';
import { add, onlyOnce, type Draft, type Field, type Scope } from './scope.js';
import { slice } from './text.js';

/** A variable that a program will see. If its value is a command, that command is judged as well. */
export const judgeVariable = (name: string, value: Field | undefined, at: Span, scope: Scope, draft: Draft): void => {
  const steers = isSteeringVariable(name);
  add(
    draft,
    'env.inject',
    steers ? `${name} steers what programs run or load` : `${name} is set for the command, and what it does there is not known`,
    at,
  );
  onlyOnce(draft, 'It sets a variable for what runs.');
  if (!value || !steers || !/\s|^[!|]/.test(value.value)) return;
  scope.engine.script(/^[!|]/.test(value.value) ? slice(value, 1) : value, scope);
};
