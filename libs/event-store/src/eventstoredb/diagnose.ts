import type { ConnectionTarget } from './connection-string.js';

/** What is wrong, and what to change. A `mistake` stays one however often it is tried; anything else may pass. */
export type Diagnosis = Readonly<{ mistake: boolean; sentence: string }>;

/** The cause of a 503: why the server could not be asked. */
export class ConnectionFault extends Error {
  override name = 'ConnectionFault';

  constructor(
    { sentence, mistake }: Diagnosis,
    override readonly cause: unknown,
    readonly isMistake = mistake,
  ) {
    super(sentence, { cause });
  }
}

type Failure = Readonly<{ type?: string; code?: number; message?: string }>;

/** Reads what the client and gRPC say of a call that failed; undefined: an answer of the server, which is no trouble of the connection. */
export const diagnose = (error: unknown, target: ConnectionTarget): Diagnosis | undefined => {
  const { type = '', code, message = '' } = error as Failure;
  const where = target.hosts.join(', ');
  if (type === 'access-denied') return { mistake: true, sentence: ofCredentials(code === UNAUTHENTICATED, target) };
  for (const [pattern, sentence] of MISTAKES) if (pattern.test(message)) return { mistake: true, sentence: sentence(target, message) };
  if (code === UNIMPLEMENTED)
    return { mistake: true, sentence: `What answers at ${where} is no EventStoreDB, or one before 20.6. Check host and port.` };
  for (const [pattern, sentence] of TROUBLES) if (pattern.test(message)) return { mistake: false, sentence: sentence(target, message) };
  if (PASSING.has(type) || PASSING_TEXT.test(message)) return { mistake: false, sentence: `${where}: ${message}` };
  return undefined;
};

const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

const ofCredentials = (wrong: boolean, { user, secure, hosts }: ConnectionTarget): string => {
  if (wrong) return `${hosts[0]} does not accept the password of "${user}". Check both; : / ? @ and % in them are percent-encoded.`;
  if (user !== undefined)
    return `"${user}" may not read or write what Workbench needs: $all and its streams. Give it those rights, or use another user.`;
  if (!secure)
    return `${hosts[0]} asks for a user, which the client sends over TLS only. Take tls=false out and write esdb://user:password@host.`;
  return `${hosts[0]} asks for a user. Write esdb://user:password@host.`;
};

type Sentence = (target: ConnectionTarget, message: string) => string;

const MISTAKES: readonly (readonly [RegExp, Sentence])[] = [
  [
    /wrong version number|packet length too long/,
    ({ hosts }) =>
      `${hosts[0]} speaks without TLS, which is on unless it is switched off. Add ?tls=false, or give the server a certificate.`,
  ],
  [
    /self[- ]signed certificate|unable to verify the first certificate|unable to get (?:local )?issuer certificate/,
    () =>
      "The server's certificate is signed by an authority that is not known here. Add ?tlsCAFile=<file>, with that authority's certificate.",
  ],
  [
    /does not match certificate's altnames/,
    (_, message) =>
      `The certificate is for another name (${/altnames: (.*?)\. Resolution/.exec(message)?.[1] ?? message}). Write a name that it holds, or issue one for this name.`,
  ],
  [
    /certificate has expired|certificate is not yet valid/,
    () => "The server's certificate is not valid today. Renew it, or set the clock.",
  ],
  [
    /Last error: (?:Protocol|Parse) error/i,
    ({ hosts }) => `What answers at ${hosts[0]} speaks no gRPC. Check the port: EventStoreDB's is 2113.`,
  ],
  [
    /invalid position/i,
    () => 'The position is none of this database: it was restored to an older state, or it is another one under the same name.',
  ],
];

const TROUBLES: readonly (readonly [RegExp, Sentence])[] = [
  [
    /ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    (target, message) => {
      const address = /(?:\d+\.){3}\d+:\d+|\[?[0-9a-f:]+\]?:\d+/.exec(message.split('Last error').at(-1)!)?.[0] ?? target.hosts[0]!;
      const advertised = target.discovers ? ' The cluster may advertise addresses that do not lead there from here.' : '';
      return `Nothing answers at ${address}. Check that EventStoreDB runs there, and host and port.${advertised}`;
    },
  ],
  [/Name resolution failed|ENOTFOUND|EAI_AGAIN/, ({ hosts }) => `There is no host of the name ${hosts.join(', ')}. Check the name.`],
  [
    /Failed to connect|Last error: (?:Error: )?(?:read )?ECONNRESET/,
    ({ hosts, secure }) =>
      `${hosts[0]} closes connections at once.${secure ? '' : ' It may want TLS: leave tls=false out then, and add tlsCAFile=<file>.'}`,
  ],
  [
    /Failed to discover/,
    ({ hosts }) =>
      `None of ${hosts.join(', ')} names a node of the cluster that is alive. Check that they are nodes, and that they have a leader.`,
  ],
];

/** How the client calls what may pass: lost connections, elections, deadlines. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'cancelled', 'not-leader', 'deadline-exceeded', 'timeout']);
const PASSING_TEXT = /No leader info|Server Is (?:Not Ready|Too Busy|Busy)|premature close|write after end|nothing was heard|was closed/i;
