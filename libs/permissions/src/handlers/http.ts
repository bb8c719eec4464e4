import { judge } from '../rules/judge.js';
import { type Rule } from '../rules/rule.js';
import { find, isPlain, mayBeOption, type Call, type Field } from '../shell/scope.js';
import { isKnown, shown } from '../shell/text.js';

const READS = /^(GET|HEAD|OPTIONS|TRACE)$/i;
const CREDENTIALS = /^\s*(authorization|proxy-authorization|cookie|x-api-key|x-auth-token|private-token|x-amz-security-token)\s*:/i;

/** curl: reading an address is safe; sending, saving, and reaching what only this host can reach is not. */
export const curl = (call: Call, rule: Rule): void => {
  const { used, operands, help } = judge(call, rule);
  if (help) return;
  const methods: string[] = [];
  for (const { option, value, at } of used) {
    const name = option.name;
    const text = value ?? at;
    if (name === '-X' || name === '--request') {
      methods.push(shown(value?.value ?? '').toUpperCase());
      if (!READS.test(value?.value ?? ''))
        find(call, 'net.send', `${call.program} ${name} ${shown(value?.value ?? '')} changes something at the other end`, text);
    } else if (name === '-H' || name === '--header' || name === '--proxy-header') {
      if (CREDENTIALS.test(text.value)) find(call, 'net.send', `${call.program} sends credentials in a header`, text);
      else if (text.value.startsWith('@')) find(call, 'net.send', `${call.program} sends headers from a file`, text);
    } else if (name === '--url' && value) judgeUrl(call, { certain: true, glob: false, splits: false, ...value });
    if (value && !isKnown(value.value)) find(call, 'net.send', `${call.program} ${name} sends a computed value`, value);
    if (/^(-d|-F|-T|--data.*|--json|--form.*|--upload-file)$/.test(name) && methods.length === 0)
      methods.push(name === '-T' || name === '--upload-file' ? 'PUT' : 'POST');
  }
  for (const url of operands) judgeUrl(call, url);
  call.draft.constraints.methods = [...new Set(methods.length > 0 ? methods : ['GET'])];
  call.draft.constraints.hosts = [...new Set(operands.map(({ value }) => hostOf(value) ?? '…'))];
};

/** wget: writes what it fetches, unless told to print it or only to look. */
export const wget = (call: Call, rule: Rule): void => {
  const { used, operands, help } = judge(call, rule);
  if (help) return;
  let keeps = true;
  const methods: string[] = [];
  for (const { option, value, at } of used) {
    const { name } = option;
    if (name === '--spider' || name === '-h' || name === '-V') keeps = false;
    if ((name === '-O' || name === '--output-document') && /^(-|\/dev\/null|\/dev\/stdout)$/.test(value?.value ?? '')) keeps = false;
    if (name === '--method') {
      methods.push(shown(value?.value ?? '').toUpperCase());
      if (!READS.test(value?.value ?? ''))
        find(call, 'net.send', `${call.program} ${name} changes something at the other end`, value ?? at);
    }
    if (name === '--header' && value && CREDENTIALS.test(value.value))
      find(call, 'net.send', `${call.program} sends credentials in a header`, value);
    if (value && !isKnown(value.value)) find(call, 'net.send', `${call.program} ${name} sends a computed value`, value);
  }
  if (keeps) find(call, 'write.workspace', `${call.program} writes what it fetches to a file`);
  for (const url of operands) judgeUrl(call, url);
  call.draft.constraints.methods = methods.length > 0 ? methods : ['GET'];
  call.draft.constraints.hosts = [...new Set(operands.map(({ value }) => hostOf(value) ?? '…'))];
};

const SCHEMES = /^(https?|ftps?):\/\//i;

export const judgeUrl = (call: Call, url: Field): void => {
  const { value } = url;
  if (mayBeOption(url)) find(call, 'obfuscated', `${call.program} gets a computed word, which may be an option`, url);
  if (!isKnown(value) || !isPlain(url))
    return find(call, 'net.send', `${call.program} sends a computed address: whatever is in it leaves this host`, url);
  const scheme =
    /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1] ?? /^(file|gopher|dict|ldap|data|jar|netdoc|php|smb|tftp|telnet):/i.exec(value)?.[1];
  if (scheme && !SCHEMES.test(value)) find(call, 'net.send', `${call.program} opens ${scheme}:, which is not a web address`, url);
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(value)) find(call, 'net.send', `${call.program} sends credentials in the address`, url);
  const host = hostOf(value);
  if (host !== undefined && isMetadata(host)) find(call, 'read.secret', `${host} answers with the credentials of this host`, url);
  else if (/[{}[\]]/.test(host ?? '') && !/^\[[0-9a-f:.]+\]$/i.test(host ?? ''))
    find(call, 'net.send', `${call.program} makes up host names from a pattern`, url);
};

export const hostOf = (url: string): string | undefined => {
  const match = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url.replace(/\\/g, '/'));
  const host = match?.[1]?.toLowerCase().replace(/\.$/, '');
  return host === '' ? undefined : host;
};

const METADATA =
  /^(metadata(\.google\.internal)?|metadata\.[a-z.]*internal|instance-data(\..*)?|100\.100\.100\.200|192\.0\.0\.192|\[?fd00:ec2::(254|23)\]?|\[?fd20:ce::254\]?)$/;

/** The address by which a cloud machine asks for its own credentials, in any of the ways to write it. */
const isMetadata = (host: string): boolean => {
  if (METADATA.test(host) || /169\.254\.|169-254-169-254/.test(host)) return true;
  const bare = host.replace(/^\[|\]$/g, '');
  const mapped = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(bare);
  if (mapped) return parseInt(mapped[1]!, 16) === 0xa9fe;
  const parts = bare.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(0x[0-9a-f]+|\d+)$/.test(part))) return false;
  const numbers = parts.map((part) =>
    part.startsWith('0x') ? parseInt(part, 16) : part.startsWith('0') && part.length > 1 ? parseInt(part, 8) : Number(part),
  );
  // The last number fills all bytes that the others leave.
  const last = numbers.at(-1)!;
  const value = numbers.slice(0, -1).reduce((sum, part, i) => sum + part * 256 ** (3 - i), 0) + last;
  return Math.floor(value / 65536) === 0xa9fe || value === 0x646464c8;
};
