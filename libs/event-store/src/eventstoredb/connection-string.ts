import { existsSync } from 'node:fs';

/** Where an EventStoreDB is, as its connection string says; the string itself may hold a password. */
export type ConnectionTarget = Readonly<{
  url: string;
  hosts: readonly string[];
  secure: boolean;
  user: string | undefined;
  /** Whether a node is found by asking the cluster (gossip), or the one host is the node. */
  discovers: boolean;
  /** Milliseconds that one call may take; undefined: not said. */
  deadline: number | undefined;
}>;

/**
 * Reads `esdb://[user:password@]host[:2113][,host…][?option=value&…]`, or `esdb+discover://` for one DNS name of a cluster. The client
 * library passes over what it does not understand, and drops what it cannot use; here that is an error that says what to
 * write instead. Throws naming `variable`, and never repeats a password.
 */
export const readConnectionString = (text: string, variable = 'EVENTSTORE_URL'): ConnectionTarget => {
  const wrong = (what: string): never => {
    throw new Error(`${variable}: ${what}`);
  };
  const { scheme = '', authority = '', query = '' } = SHAPE.exec(text.trim())?.groups ?? {};
  if (scheme === 'kurrentdb' || scheme === 'kurrentdb+discover')
    wrong(`write ${scheme.replace('kurrentdb', 'esdb')}:// instead of ${scheme}://. It means the same, and this client knows only that.`);
  if (scheme !== 'esdb' && scheme !== 'esdb+discover') wrong('write esdb://host:2113, or esdb+discover://name:2113 for a cluster.');

  const at = authority.lastIndexOf('@');
  const user = at < 0 ? undefined : readUser(authority.slice(0, at), wrong);
  const hosts = authority.slice(at + 1).split(',');
  for (const host of hosts) if (!HOST.test(host)) wrong(`"${host}" is no host. Write a name or an IPv4 address, and a port after a colon.`);
  if (scheme === 'esdb+discover' && hosts.length > 1) wrong('esdb+discover:// takes one DNS name. Write esdb:// to list the nodes.');

  const options = readOptions(query, wrong);
  const secure = options.get('tls') !== 'false';
  if (!secure && user !== undefined)
    wrong('with tls=false the client sends no user and password. Leave tls=false out, or take them out: an insecure server asks for none.');
  if (!secure && (options.has('tlsCAFile') || options.has('userCertFile')))
    wrong('with tls=false no certificate is used. Leave one of the two out.');
  const deadline = options.get('defaultDeadline');
  return {
    url: text.trim(),
    hosts,
    secure,
    user,
    discovers: scheme === 'esdb+discover' || hosts.length > 1,
    deadline: deadline === undefined ? undefined : Number(deadline),
  };
};

/** The first of its hosts alone, asked directly: what a cluster's discovery fails of it keeps to itself. */
export const seedOf = (target: ConnectionTarget): ConnectionTarget => {
  const [seed = ''] = target.hosts;
  const url = target.url.replace(/^esdb\+discover:/, 'esdb:').replace(target.hosts.join(','), seed);
  return { ...target, url, hosts: [seed], discovers: false };
};

const SHAPE = /^(?<scheme>[a-z+]+):\/\/(?<authority>[^/?]*)\/?(?:\?(?<query>.*))?$/s;
const HOST = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?(?::\d{1,5})?$/;

const readUser = (credentials: string, wrong: (what: string) => never): string => {
  const parts = credentials.split(':');
  if (parts.length !== 2 || parts.includes('') || credentials.includes('@'))
    return wrong('before @ stands user:password, in which : / ? @ and % are percent-encoded (encodeURIComponent).');
  const [user = ''] = parts.map((part) => decoded(part) ?? wrong('a % in user or password is written %25.'));
  return user.includes(':') ? wrong('there is no user name with : in it (RFC 7617).') : user;
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

type Check = (value: string) => string | undefined;
const wholeNumber: Check = (value) => (/^-?\d+$/.test(value) ? undefined : 'is a whole number of milliseconds');
const file: Check = (value) => (existsSync(decodeURIComponent(value)) ? undefined : 'names a file that is not there');
const never =
  (why: string): Check =>
  () =>
    why;

/** What the client takes, by the names that it gives them; it ignores case, `-` and `_` in them. */
const OPTIONS: Readonly<Record<string, Check>> = {
  tls: (value) => (value === 'true' || value === 'false' ? undefined : 'is true or false'),
  tlsCAFile: file,
  userCertFile: file,
  userKeyFile: file,
  connectionName: () => undefined,
  maxDiscoverAttempts: wholeNumber,
  discoveryInterval: wholeNumber,
  gossipTimeout: wholeNumber,
  keepAliveInterval: wholeNumber,
  keepAliveTimeout: wholeNumber,
  defaultDeadline: wholeNumber,
  nodePreference: (value) => (flat(value) === 'leader' ? undefined : 'can only be leader: what was written is read back at once'),
  tlsVerifyCert: (value) =>
    value === 'true' ? undefined : 'has no effect in this client. Give tlsCAFile=<file> with the authority that signed the certificate',
  throwOnAppendFailure: never('must stay as it is: without it, conflicts would pass for success'),
};

const flat = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
const NAMES = new Map(Object.keys(OPTIONS).map((name) => [flat(name), name]));

const readOptions = (query: string, wrong: (what: string) => never): ReadonlyMap<string, string> => {
  const options = new Map<string, string>();
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const [key = '', value = ''] = pair.split('=', 2);
    const name = NAMES.get(flat(key));
    if (name === undefined) return wrong(`there is no option "${key}". There are ${Object.keys(OPTIONS).join(', ')}.`);
    const fault = OPTIONS[name]!(value);
    if (fault !== undefined) return wrong(`${name} ${fault}.`);
    options.set(name, value);
  }
  if (options.has('userCertFile') !== options.has('userKeyFile')) return wrong('userCertFile and userKeyFile belong together.');
  return options;
};
