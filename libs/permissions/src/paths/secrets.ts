import { nameOf, type Place } from './place.js';

/** Base names that hold credentials wherever they lie. */
const SECRET_NAMES = new Set([
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.htpasswd',
  '.vault-token',
  '.envrc',
  '.dockercfg',
  '.boto',
  '.s3cfg',
  'credentials',
  'credentials.json',
  'credentials.yml',
  'credentials.yaml',
  'credentials.tfrc.json',
  'application_default_credentials.json',
  'service-account.json',
  'service_account.json',
  'secrets.json',
  'secrets.yml',
  'secrets.yaml',
  'secrets.toml',
  'secrets.env',
  'master.key',
  'key.pem',
  'kubeconfig',
  'login data',
  'logins.json',
  'cookies.sqlite',
  'key4.db',
]);
const KEY_FILE =
  /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*_(rsa|dsa|ecdsa|ed25519))$|\.(key|p12|pfx|jks|keystore|kdbx|ppk|asc\.key|agekey)$|priv.*\.pem$/;
const ENVIRONMENT = /^\.env([.\-_].*)?$|\.env$/;
const HARMLESS_ENVIRONMENT = /\.(example|sample|template|dist|defaults?|schema|test\.example)$/;
/** A directory whose files are secrets, and those of its files that are not. */
const SECRET_DIRECTORIES: readonly (readonly [path: string, except: RegExp])[] = [
  ['.ssh', /\.pub$|^(known_hosts(\.old)?|config)$/],
  ['.gnupg', /^$/],
  ['.aws', /^(config|cli)$/],
  ['.azure', /^(config|clouds\.config)$/],
  ['.kube', /^cache$/],
  ['.config/gcloud', /^(configurations|active_config|config_.*)$/],
  ['.config/gh', /^config\.yml$/],
  ['.local/share/keyrings', /^$/],
  ['library/keychains', /^$/],
  ['.password-store', /^$/],
];
const SECRET_PATHS = new Set([
  'etc/shadow',
  'etc/shadow-',
  'etc/gshadow',
  'etc/gshadow-',
  'etc/sudoers',
  'etc/master.passwd',
  'etc/krb5.keytab',
  '.docker/config.json',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.composer/auth.json',
  'var/run/secrets',
  'run/secrets',
]);

/** Private keys, credential files, environments of processes, `.env` files that are not examples. */
export const isSecret = ({ root, parts }: Place): boolean => {
  const names = parts.map(nameOf);
  const name = names.at(-1);
  if (name === undefined) return false;
  if (root === 'fs' && names[0] === 'proc' && /^(environ|mem|maps|auxv)$/.test(name) && name !== 'maps') return true;
  if (hasGlob(name)) return couldMatchSecret(name, names.slice(0, -1));
  if (SECRET_NAMES.has(name) || KEY_FILE.test(name)) return true;
  if (ENVIRONMENT.test(name)) return !HARMLESS_ENVIRONMENT.test(name);
  const path = names.join('/');
  return (
    [...SECRET_PATHS].some((secret) => path === secret || path.endsWith(`/${secret}`) || path.includes(`${secret}/`)) || inDirectory(names)
  );
};

const inDirectory = (names: readonly string[]): boolean =>
  SECRET_DIRECTORIES.some(([directory, except]) => {
    const wanted = directory.split('/');
    const at = names.findIndex((_, i) => wanted.every((part, j) => names[i + j] === part));
    if (at < 0) return false;
    const file = names.slice(at + wanted.length);
    return file.length === 0 || !except.test(file.at(-1)!);
  });

export const hasGlob = (name: string): boolean => /[*?[]/.test(name);

/** Names that a pattern is tried on: the shell would expand it to them if they were there. */
const SAMPLES = [
  '.env',
  '.env.local',
  '.env.production',
  '.netrc',
  '.npmrc',
  '.git-credentials',
  'id_rsa',
  'id_ed25519',
  'credentials',
  'server.key',
];
const SYSTEM_SAMPLES = ['shadow', 'gshadow', 'sudoers'];

const couldMatchSecret = (pattern: string, directory: readonly string[]): boolean => {
  const literal = pattern.replace(/\[[^\]]*\]?|[*?]/g, '');
  if (inDirectory([...directory, 'x'])) return true;
  const samples = directory.at(-1) === 'etc' ? SYSTEM_SAMPLES : SAMPLES;
  // `*` alone is everybody's way to say "these files" and matches no dot file; a pattern that spells part of a secret's name is meant.
  return samples.some(
    (sample) =>
      fitsPattern(pattern, sample) && (sample.startsWith('.') ? pattern.startsWith('.') : literal.length > 1 || directory.at(-1) === 'etc'),
  );
};

/**
 * Whether a pattern of the shell fits a whole text: `*`, `?`, and a set in brackets, which fits any one character. Only the last star is
 * ever tried again, so that the work is at most length times length: an expression would take far longer for `*a*a*a*b`.
 */
export const fitsPattern = (pattern: string, text: string): boolean => {
  const parts = pattern.match(/\[.[^\]]*\]|[^]/g) ?? [];
  let [at, part, star, from] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part++;
      from = at;
    } else if (wanted !== undefined && (wanted === '?' || wanted.length > 1 || wanted === text[at])) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++from;
    } else return false;
  }
  while (parts[part] === '*') part++;
  return part === parts.length;
};
