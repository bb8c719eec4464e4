import { canonicalJson, MAX_EVENT_BYTES } from '#libs/kernel';
import { MAX_SCOPE_BYTES } from '#libs/proposals';
import { MAX_STATEMENT_BYTES } from '#libs/work';
import fc from 'fast-check';
import { generateKeyPairSync, verify as verifyBytes } from 'node:crypto';
import { ReceiptRefused } from './canonical-reader.js';
import { envelopeText, keyIdOf, seal } from './dsse.js';
import { statementOf } from './receipt.js';
import { type Statement } from './statement.js';
import { ARTIFACT, forged, scope, shippedTask, TASK_ID } from './testing/shipped-task.js';
import { verify } from './verify.js';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

let statement: Statement;
let file: Buffer;
let task: Awaited<ReturnType<typeof shippedTask>>;
beforeAll(async () => {
  task = await shippedTask();
  statement = statementOf('receipt-1', task);
  file = fileOf(statement);
});

const fileOf = (signed: unknown, key = privateKey): Buffer => Buffer.from(envelopeText(seal(signed, key)));
const refusalOf = (bytes: Uint8Array, ...rest: [key?: typeof publicKey, artifacts?: Parameters<typeof verify>[2]]): string | undefined => {
  try {
    verify(bytes, rest[0] ?? publicKey, rest[1]);
    return undefined;
  } catch (error) {
    if (error instanceof ReceiptRefused) return error.code;
    throw error;
  }
};
/** A receipt that is honestly signed and says something else. */
type Loose = { [key: string]: Loose } & { toString(): string };
const signedWith = (change: (statement: Loose) => void): string | undefined => {
  const changed = structuredClone(statement) as unknown as Loose;
  change(changed);
  return refusalOf(fileOf(changed));
};

describe('A receipt', () => {
  it('verifies under the key that signed it, offline, and says the chain', () => {
    const { predicate } = verify(file, publicKey, () => ARTIFACT);
    expect(predicate.taskId).toBe(TASK_ID);
    expect(Object.values(predicate.chain).map((step) => step.fact.type)).toEqual([
      'ProposalSubmitted',
      'ConfirmationApproved',
      'MutationCommitted',
      'TaskQueued',
      'LeaseGranted',
      'WorkReported',
      'VerificationGranted',
      'WorkVerified',
      'WorkShipped',
    ]);
    expect(predicate.doesNotProve.length).toBeGreaterThan(0);
  });
  it('names each step by its event and the hash of what is stored', () => {
    const { fact } = statement.predicate.chain.verdict;
    const event = task.task.find(({ type }) => type === 'WorkVerified')!;
    expect(fact).toMatchObject({ eventId: event.id, revision: event.revision.toString(), contentHash: event.meta.contentHash });
  });
  it('comes out the same, byte for byte, however often it is made', () =>
    expect(fileOf(statementOf('receipt-1', task)).equals(file)).toBe(true));
  it('fits into one event, however large report, verdict and scope may be', () => {
    const filling = (bytes: number) => 'x'.repeat(bytes);
    const uri = filling(MAX_STATEMENT_BYTES);
    const artifacts = [{ uri, mediaType: 'text/plain', size: 1, sha256: '0'.repeat(64) }];
    let events = forged(task.task, 'WorkReported', ({ data }) => ({ data: { ...data, artifacts } }) as never);
    const findings = [{ code: 'note', detail: filling(MAX_STATEMENT_BYTES) }];
    events = forged(events, 'WorkVerified', ({ data }) => ({ data: { ...data, findings } }) as never);
    const criteria = [filling(MAX_SCOPE_BYTES)];
    events = forged(events, 'TaskQueued', ({ data }) => ({ data: { ...data, work: { ...scope, criteria } } }) as never);
    const envelope = envelopeText(seal(statementOf('receipt-1', { ...task, task: events }), privateKey));
    expect(Buffer.byteLength(envelope)).toBeLessThan(MAX_EVENT_BYTES - 20_000);
  });
  it('is not made where a step is missing', () =>
    expect(() => statementOf('receipt-1', { ...task, task: task.task.filter(({ type }) => type !== 'WorkVerified') })).toThrow(
      /WorkVerified/,
    ));
  it('holds no more than it needs: no arguments of the proposal, no secret', () =>
    expect(canonicalJson(statement)).not.toMatch(/recordId|secretSha256/));

  describe('is refused', () => {
    it('when any byte is changed', () =>
      fc.assert(
        fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (index, xor) => {
          const changed = Buffer.from(file);
          changed[index]! ^= xor;
          return refusalOf(changed) !== undefined;
        }),
        { numRuns: 400 },
      ));
    it('when any byte is changed in what was signed', () => {
      const body = canonicalJson(statement);
      const envelope = seal(statement, privateKey);
      fc.assert(
        fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 127 }), (index, xor) => {
          const changed = Buffer.from(body);
          changed[index]! ^= xor;
          return refusalOf(Buffer.from(envelopeText({ ...envelope, payload: changed.toString('base64') }))) === 'signature/invalid';
        }),
        { numRuns: 200 },
      );
    });
    it('when bytes are added, cut or repeated', () =>
      fc.assert(
        fc.property(fc.nat(file.length), fc.nat(40), fc.uint8Array({ maxLength: 4 }), (at, cut, added) => {
          const changed = Buffer.concat([file.subarray(0, at), added, file.subarray(at + cut)]);
          return changed.equals(file) || refusalOf(changed) !== undefined;
        }),
        { numRuns: 300 },
      ));
    it('when it is signed with another key, whatever key id it claims', () => {
      expect(refusalOf(fileOf(statement, other.privateKey))).toBe('key/other');
      const envelope = seal(statement, other.privateKey);
      const claimed = { ...envelope, signatures: [{ ...envelope.signatures[0], keyid: keyIdOf(publicKey) }] as const };
      expect(refusalOf(Buffer.from(envelopeText(claimed)))).toBe('signature/invalid');
    });
    it('when the key given is not an Ed25519 public key', () => {
      expect(refusalOf(file, generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)).toBe('key/unusable');
      expect(refusalOf(file, privateKey)).toBe('key/unusable');
    });
    it('when a second signature, an unknown field or another type of payload is there', () => {
      const envelope = seal(statement, privateKey);
      const [signature] = envelope.signatures;
      for (const changed of [
        { ...envelope, signatures: [signature, signature] },
        { ...envelope, signatures: [] },
        { ...envelope, key: 'trust me' },
        { ...envelope, signatures: [{ ...signature, publicKey: 'trust me' }] },
        { ...envelope, payloadType: 'application/json' },
      ])
        expect(refusalOf(Buffer.from(canonicalJson(changed)))).toBe('envelope/malformed');
    });
    it('when its base64 is spelled another way', () => {
      const envelope = seal(statement, privateKey);
      const { sig } = envelope.signatures[0];
      for (const spelled of [
        sig.replace(/=+$/, ''),
        `${sig} `,
        sig.replace(/[+/]/g, (c) => (c === '+' ? '-' : '_')) + '\n',
        `${sig.slice(0, -3)}${next(sig.at(-3)!)}==`,
      ]) {
        const signatures = [{ ...envelope.signatures[0], sig: spelled }] as const;
        expect(refusalOf(Buffer.from(envelopeText({ ...envelope, signatures })))).toBe('envelope/malformed');
      }
    });
    it('when its JSON is spelled another way', () => {
      expect(refusalOf(Buffer.from(JSON.stringify(JSON.parse(file.toString()), null, 2)))).toBe('envelope/not-canonical');
      expect(refusalOf(Buffer.concat([file, Buffer.from('\n')]))).toBe('envelope/not-canonical');
      const twice = file.toString().replace('{', `{"payload":"AA==",`);
      expect(refusalOf(Buffer.from(twice))).toBe('envelope/not-canonical');
    });
    it('when an artifact was changed or is missing', () => {
      expect(refusalOf(file, publicKey, () => Buffer.from('other'))).toBe('artifact/changed');
      expect(refusalOf(file, publicKey, () => undefined)).toBe('artifact/missing');
    });
  });

  describe('though honestly signed, is refused', () => {
    const HEX = '1'.repeat(64);
    it.each<[string, (s: Loose) => void]>([
      ['a field that nobody knows', (s) => set(s, 'predicate.approvedByAll', true)],
      ['a missing step', (s) => delete (s['predicate']!['chain'] as Record<string, unknown>)['decision']],
      ['a digest that is none', (s) => set(s, 'predicate.scopeDigest', 'A'.repeat(64))],
      ['an event that is none of its step', (s) => set(s, 'predicate.chain.verdict.fact.author.kind', 'god')],
    ])('with %s', (_, change) => expect(signedWith(change)).toBe('statement/malformed'));

    it.each<[string, (s: Loose) => void]>([
      ['another scope', (s) => set(s, 'predicate.chain.work.scope.paths', ['/'])],
      ['a lease on another scope', (s) => set(s, 'predicate.chain.lease.scopeDigest', HEX)],
      ['a decision on another action', (s) => set(s, 'predicate.chain.decision.actionDigest', HEX)],
      ['a decision on another card', (s) => set(s, 'predicate.chain.decision.presentedDigest', HEX)],
      ['a report with another content', (s) => set(s, 'predicate.chain.report.content.summary', 'Better.')],
      ['a verdict on another report', (s) => set(s, 'predicate.chain.verdict.reportDigest', HEX)],
      ['another tree shipped than verified', (s) => set(s, 'predicate.chain.shipped.tree', 'd'.repeat(40))],
      ['another revision shipped than is its subject', (s) => set(s, 'predicate.chain.shipped.revision', 'd'.repeat(40))],
      ['a verifier that implemented', (s) => set(s, 'predicate.chain.verdict.by.accountableHuman', 'ian')],
      ['a check that only its implementer ran', (s) => set(s, 'predicate.chain.verdict.evidence.0.provenance', 'self_reported')],
      ['a check that ran no test', (s) => set(s, 'predicate.chain.verdict.evidence.0.testsRun', 0)],
      ['a path that the verifier did not find', (s) => set(s, 'predicate.chain.verdict.changedPaths', [])],
      ['a step of another task', (s) => set(s, 'predicate.chain.lease.fact.stream', 'task-other')],
      ['a decision after its effect', (s) => set(s, 'predicate.chain.decision.fact.revision', '7')],
      [
        'a verification under an older fence',
        (s) => (set(s, 'predicate.chain.verification.fence', '0'), set(s, 'predicate.chain.verdict.fence', '0')),
      ],
      ['a decision by an agent', (s) => set(s, 'predicate.chain.decision.fact.author.kind', 'agent')],
      [
        'a four-eyes decision by the requester',
        (s) => (set(s, 'predicate.chain.proposal.mode', 'four_eyes'), set(s, 'predicate.chain.proposal.requester.id', 'ann')),
      ],
      ['a subject that was not reported', (s) => set(s, 'subject.1.digest.sha256', HEX)],
    ])('with %s', (_, change) => expect(signedWith(change)).toBe('chain/broken'));

    it('when an event was forged before it was made', () => {
      const history = {
        ...task,
        task: forged(task.task, 'WorkReported', (event) => ({ data: { ...event.data, revision: 'd'.repeat(40) } }) as never),
      };
      expect(refusalOf(fileOf(statementOf('receipt-1', history)))).toBe('chain/broken');
    });
  });
});

describe('A DSSE envelope', () => {
  it('signs type and body with their lengths before them, as DSSE v1 says', () => {
    const { payload, payloadType, signatures } = seal({ a: 1 }, privateKey);
    expect([payloadType, Buffer.from(payload, 'base64').toString()]).toEqual(['application/vnd.in-toto+json', '{"a":1}']);
    const signed = Buffer.from('DSSEv1 28 application/vnd.in-toto+json 7 {"a":1}');
    expect(verifyBytes(null, signed, publicKey, Buffer.from(signatures[0].sig, 'base64'))).toBe(true);
  });
});

const set = (root: Loose, path: string, value: unknown): void => {
  const keys = path.split('.');
  const last = keys.pop()!;
  const parent = keys.reduce<Loose>((node, key) => node[key]!, root) as Record<string, unknown>;
  parent[last] = value;
};
const next = (char: string): string => String.fromCharCode(char.charCodeAt(0) + 1);
