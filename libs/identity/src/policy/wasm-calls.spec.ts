import { setFlagsFromString } from 'node:v8';
import * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import './cedar.js';

describe('Asking a policy', () => {
  it('does not end the process where its caller is taken back to unoptimised code meanwhile', () => {
    setFlagsFromString('--allow-natives-syntax');
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- only V8 understands such a call, and only now
    const native = (name: string) => new Function('f', `%${name}(f)`) as (f: unknown) => void;
    const prepare = native('PrepareFunctionForOptimization');
    const optimise = native('OptimizeFunctionOnNextCall');
    const deoptimise = native('DeoptimizeFunction');
    setFlagsFromString('--no-allow-natives-syntax');
    const entity = { type: 'User', id: 'ann' };
    let during: () => void = () => undefined;
    const ask = () =>
      cedar.isAuthorized({
        principal: entity,
        action: { type: 'Action', id: 'read' },
        resource: entity,
        // Cedar reads the question as JSON, from within its call.
        context: {
          toJSON() {
            during();
            return {};
          },
        } as never,
        policies: { staticPolicies: 'permit(principal, action, resource);' },
        entities: [],
      });
    for (const f of [cedar.isAuthorized, ask]) prepare(f);
    for (let times = 0; times < 3; times++) ask();
    for (const f of [cedar.isAuthorized, ask]) optimise(f);
    ask();
    // Were the call inlined, this would be the end of the process.
    during = () => [cedar.isAuthorized, ask].forEach((f) => deoptimise(f));
    expect(ask()).toMatchObject({ type: 'success', response: { decision: 'allow' } });
  });
});
