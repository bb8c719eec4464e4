import { join } from 'node:path';
import { AT, fold, given, itDecidesAs, metaOf, principal } from '#libs/kernel/testing';
import { derivedId } from '#libs/kernel';
import {
  destructiveEffects,
  enablementDecider,
  enablementId,
  isEnabled,
  type DestructiveDisabled,
  type DestructiveEnabled,
} from './enablement.js';

const ENDS = '2026-01-05T10:00:00.000Z';
const mia = principal('mia', { roles: ['member'] });
const enabled: DestructiveEnabled = {
  type: 'DestructiveEnabled',
  data: { owner: 'mia', effect: 'destroy.fs', at: AT, expiresAt: ENDS, reason: 'Cleaning up.' },
};
const disabled: DestructiveDisabled = { type: 'DestructiveDisabled', data: { owner: 'mia', effect: 'destroy.fs', at: AT } };
const enable = (who = mia) => ({
  type: 'EnableDestructive' as const,
  data: { effect: 'destroy.fs' as const, ms: 3_600_000, reason: 'Cleaning up.' },
  meta: metaOf(who),
});
const disable = (at = AT) => ({ type: 'DisableDestructive' as const, data: { effect: 'destroy.fs' as const }, meta: metaOf(mia, { at }) });

describe('An enablement', () => {
  it('is a person’s, for a time', () => {
    given(enablementDecider).when(enable()).then(enabled);
    given(enablementDecider, enabled).when(enable()).then(enabled);
    given(enablementDecider)
      .when(enable(principal('eve', { kind: 'agent', roles: ['eve'] })))
      .thenRefused('permission/human-only');
  });
  it('ends when it is taken back, or at its time', () => {
    given(enablementDecider, enabled).when(disable()).then(disabled);
    given(enablementDecider, enabled).when(disable(ENDS)).thenRefused('enablement/not-found');
    given(enablementDecider, enabled, disabled).when(disable()).thenRefused('enablement/not-found');
    expect(isEnabled(fold(enablementDecider, [enabled]), AT)).toBe(true);
    expect(isEnabled(fold(enablementDecider, [enabled]), ENDS)).toBe(false);
    expect(isEnabled(fold(enablementDecider, [enabled, disabled]), AT)).toBe(false);
  });
  it('is for what cannot be undone, and for nothing else', () =>
    expect(destructiveEffects).toEqual([
      'write.device',
      'privilege',
      'destroy.fs',
      'destroy.vcs',
      'destroy.db',
      'destroy.infra',
      'destroy.system',
    ]));
});

describe('An enablement in each of its states', () =>
  itDecidesAs(
    join(__dirname, 'enablement.decisions.jsonl'),
    enablementDecider,
    { off: [], on: [enabled], 'off again': [enabled, disabled] },
    {
      'a person enables': enable(),
      'an agent enables': enable(principal('eve', { kind: 'agent' })),
      'a person disables': disable(),
      'a person disables a moment before its end': disable('2026-01-05T09:59:59.999Z'),
      'a person disables at its end': disable(ENDS),
    },
  ));

describe('The stream of an enablement', () => {
  it('is its own for each workspace, owner and effect, for ever', () => {
    expect(enablementId('w', 'mia', 'destroy.fs')).toBe(derivedId('enablement', 'w', 'mia', 'destroy.fs'));
    expect(isEnabled({ status: 'off', expiresAt: ENDS } as never, AT)).toBe(false);
  });
});
