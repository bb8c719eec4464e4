import fc from 'fast-check';
import { given, recorded } from '#libs/kernel/testing';
import type { EventMeta } from '#libs/kernel';
import { proposalDecider, type ProposalCommand } from './proposal.decider.js';
import type { ProposalEvent } from './proposal.js';
import {
  HOUR,
  ann,
  approve,
  ben,
  bot,
  commit,
  decline,
  eve,
  expire,
  fail,
  later,
  mia,
  submit,
  supersede,
  system,
  withdraw,
} from './testing/proposal-examples.js';

jest.setTimeout(60_000);

const actor = fc.constantFrom(ann, ann, ben, mia, eve, bot, system);
/** Around the end of the time to decide (24 h), and mostly before. */
const moment = fc.constantFrom(0, HOUR, HOUR, 23 * HOUR, 24 * HOUR - 1, 24 * HOUR, 25 * HOUR).map(later);
/** A card as it is shown, or one that was changed, ran out or was used elsewhere; two nonces, so that one comes again. */
const token = fc.record({
  nonce: fc.constantFrom('n1', 'n2'),
  expiresAt: fc.constantFrom(later(48 * HOUR), later(48 * HOUR), later(48 * HOUR), later(0)),
  ...Object.fromEntries(
    ['actionDigest', 'presentedDigest'].map((name) => [name, fc.constantFrom(undefined, undefined, undefined, 'other')]),
  ),
}) as fc.Arbitrary<Readonly<Record<'nonce' | 'expiresAt' | 'actionDigest' | 'presentedDigest', string | undefined>>>;
type Step = (shown: string) => ProposalCommand;
const step = (make: (who: typeof ann, at: string) => ProposalCommand) =>
  fc.tuple(actor, moment).map(
    ([who, at]): Step =>
      () =>
        make(who, at),
  );

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(actor, moment, token, fc.nat({ max: 5 })).map(
      ([who, at, { actionDigest = 'action', presentedDigest, ...rest }, luck]): Step =>
        (shown) =>
          approve(who, { at, moved: luck === 0, token: { ...rest, actionDigest, presentedDigest: presentedDigest ?? shown } }),
    ),
  },
  step((who, at) => decline(who, at)),
  step((_, at) => expire(at)),
  step((who) => withdraw(who)),
  step(() => supersede),
  { weight: 2, arbitrary: step(() => commit) },
  step(() => fail),
  step((who) => submit('supervised', who)),
);

const DECISIONS: readonly string[] = [
  'ConfirmationApproved',
  'ConfirmationDeclined',
  'ConfirmationExpired',
  'ConfirmationInvalidated',
  'ProposalWithdrawn',
];
/** What a refusal may leave: that it came too late, or that the card was not true any more. */
const FACTS: readonly string[] = ['ConfirmationExpired', 'ConfirmationInvalidated'];

/** The model: what was decided and done, told from the events alone. */
type Model = { decided?: string; done?: string; superseded?: true };

const follow = (model: Model, { type, data }: ProposalEvent, command: ProposalCommand, fourEyes: boolean): void => {
  // Nothing follows on what stands in no one's place any more.
  expect(model.superseded).toBeUndefined();
  const { actor: who, at } = command.meta;
  if (DECISIONS.includes(type)) {
    expect(model.decided).toBeUndefined();
    model.decided = type;
  }
  if (type === 'ConfirmationApproved' || type === 'ConfirmationDeclined') {
    expect(who.kind).toBe('human');
    expect(at < later(24 * HOUR)).toBe(true);
    if (fourEyes) expect(who.id).not.toBe('mia');
  }
  if (command.type === 'ApproveConfirmation' && type === 'ConfirmationApproved') {
    const { moved, token: held } = command.data;
    expect(moved).toEqual([]);
    expect(held).toMatchObject({ actionDigest: data.actionDigest, presentedDigest: data.presentedDigest, nonce: data.tokenNonce });
    expect(at < held.expiresAt).toBe(true);
  }
  if (type === 'ConfirmationExpired') expect(at >= later(24 * HOUR)).toBe(true);
  if (type === 'ProposalWithdrawn') expect(['eve', 'mia']).toContain(who.id);
  if (type === 'MutationCommitted' || type === 'MutationFailed') {
    expect(model.decided).toBe('ConfirmationApproved');
    expect(model.done).toBeUndefined();
    model.done = type;
  }
  if (type === 'ProposalSuperseded') {
    expect(model.done ?? model.decided ?? 'pending').toMatch(/^(pending|ConfirmationExpired|ConfirmationInvalidated|MutationFailed)$/);
    model.superseded = true;
  }
};

describe('Whatever is sent to a proposal, in whatever order', () => {
  it('it is decided at most once, by who may, and done at most once, after a yes; every command is answered, and again the same', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 30, size: 'max' }), fc.boolean(), (run, fourEyes) => {
        const events = [...given(proposalDecider).when(submit(fourEyes ? 'four_eyes' : 'supervised')).decision.events];
        const model: Model = {};
        const shown = (events[0] as Extract<ProposalEvent, { type: 'ProposalSubmitted' }>).data.presentedDigest;
        let state = events.reduce((folded, event) => proposalDecider.evolve(folded, recorded(event)), proposalDecider.initialState);
        for (const make of run) {
          const command = make(shown);
          const { events: left, refusal } = proposalDecider.decide(command, state);
          expect(left.length > 0 || refusal !== undefined).toBe(true);
          for (const event of left) {
            const { id, kind } = command.meta.actor;
            const read = recorded(event, { meta: { actor: { id, kind } } as EventMeta, revision: BigInt(events.length) });
            if (refusal) {
              expect(FACTS).toContain(event.type);
              // Who was too late and is no part of the product hears the same when it comes again.
              if (kind !== 'service') expect(proposalDecider.refusalOf!(read)).toEqual(refusal);
            }
            follow(model, event, command, fourEyes);
            state = proposalDecider.evolve(state, read);
            events.push(event);
          }
          reached.add(state.status);
          expect(state.status === 'superseded').toBe(model.superseded === true);
        }
      }),
      { numRuns: 600 },
    );
    // The runs went everywhere, else they would show nothing.
    expect([...reached].sort()).toEqual(
      ['approved', 'committed', 'declined', 'expired', 'failed', 'invalidated', 'pending', 'superseded', 'withdrawn'].sort(),
    );
  });
});
