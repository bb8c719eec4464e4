import { judge } from '../rules/judge.js';
import { writes } from '../rules/paths.js';
import { type Rule } from '../rules/rule.js';
import { type Effect } from '../effects.js';
import { find, mayBeOption, type Call } from '../shell/scope.js';

/** Firewalls: listing is reading; anything else can lock everybody out, or let everybody in. */
export const firewall = (call: Call): void => {
  const words = call.args.map(({ value }) => value);
  const at = call.args.at(-1);
  for (const field of call.args) if (mayBeOption(field)) find(call, 'obfuscated', `${call.program} gets a computed word`, field);
  const asks = words.every((word) =>
    /^(-[LSnvx0-9]+|--(list|list-rules|line-numbers|numeric|verbose|exact|version|help|list-all|list-services|list-ports|state|get-zones|get-default-zone|get-active-zones)|-V|-h|status|verbose|numbered|list|ruleset|tables|show|version|help|raw|filter|nat|mangle|-t|-s|[A-Z][A-Z_-]*)$/.test(
      word,
    ),
  );
  const lists = words.some((word) =>
    /^(-[nvx]*[LS][nvx]*|--list.*|--state|--get-.*|status|list|show|version|help|--version|-V|--help|-h)$/.test(word),
  );
  if (asks && lists) return;
  if (
    words.some((word) =>
      /^(-F|-X|-P|-Z|--flush|--delete-chain|--policy|flush|disable|reset|delete|destroy|-d|--complete-reload|--panic-on)$/.test(word),
    ) ||
    /restore$/.test(call.program)
  )
    find(call, 'destroy.system', `${call.program} takes protection away`, at);
  else find(call, 'privilege', `${call.program} changes who reaches this host`, at);
};

type Words = readonly string[];
type Judge = (call: Call, words: Words, plain: Words) => Effect | undefined;

const first =
  (shows: RegExp, else_: Effect): Judge =>
  (_call, words) =>
    shows.test(words[0] ?? '') ? undefined : else_;

/** Programs of macOS: which first words only show something. */
const PROGRAMS: Readonly<Record<string, Judge>> = {
  tmutil: first(
    /^(help|version|destinationinfo|listbackups|latestbackup|listlocalsnapshots|listlocalsnapshotdates|machinedirectory|isexcluded|uniquesize|calculatedrift|compare|verifychecksums|status|currentphase|-h|--help)$/,
    'write.sensitive',
  ),
  hdiutil: first(/^(help|info|isencrypted|imageinfo|verify|checksum|plugins|pmap|udifderez|-help)$/, 'write.workspace'),
  dscl: (_call, words) =>
    words.some((word) => /^-?(create|delete|change|changei|append|merge|passwd|authonly)$/.test(word)) ||
    !words.some((word) => /^-?(read|readall|readpl|readpli|list|search|diff|q|raw|url|plist|p|u|P)$/.test(word))
      ? 'privilege'
      : undefined,
  security: first(
    /^(help|list-keychains|default-keychain|show-keychain-info|find-certificate|find-identity|dump-trust-settings|error|list-smartcards|translocate-policy-check|translocate-original-path|verify-cert|requirement-evaluate|-h|--help)$/,
    'read.secret',
  ),
  codesign: (_call, words) =>
    words.some(
      (word) =>
        /^(-s|--sign|--remove-signature|-f|--force|-.*s.*)$/.test(word) &&
        !/^--(display|verify|strict|verbose|deep|entitlements)/.test(word),
    ) || !words.some((word) => /^(-[dvhR]+|--display|--verify|--verbose.*|--help|-vvv+|-dv+)$/.test(word))
      ? 'write.workspace'
      : undefined,
  spctl: (_call, words) =>
    words.some((word) => /^(--assess|-a|--status|--disable-status|--test-devid-status|--list|-h|--help|--verbose|-v+)$/.test(word)) &&
    !words.some((word) => /^--(global|master|add|remove|enable|disable|reset|rule|type-add)/.test(word) && word !== '--disable-status')
      ? undefined
      : 'write.sensitive',
  scutil: (_call, words) =>
    /^(--get|-r|-w|--dns|--proxy|--nwi|--nc|-W|--help|-h|--version)$/.test(words[0] ?? '') &&
    !words.some((word) => /^(start|stop|--set|--prefs|--error)$/.test(word))
      ? undefined
      : 'write.sensitive',
  profiles: first(/^(show|list|status|help|version|validate|-L|-P|-C|-h|-H)$/, 'write.sensitive'),
  mdimport: (_call, words) =>
    words.some((word) => /^(-t|-A|-X|-h|--help)$/.test(word)) && !words.includes('-i') && !words.includes('-r')
      ? undefined
      : 'write.sensitive',
  mdutil: (_call, words) =>
    words.every((word) => /^(-s|-a|-v|-sa|\/.*)$/.test(word)) && words.some((word) => word.includes('s')) ? undefined : 'write.sensitive',
  lipo: (_call, words) =>
    words.some((word) => /^-(info|detailed_info|archs|verify_arch)$/.test(word)) &&
    !words.some((word) => /^-(output|create|extract|remove|replace|thin|o)$/.test(word))
      ? undefined
      : 'write.workspace',
  plutil: (_call, words) =>
    /^-(p|lint|type|help|h)$/.test(words[0] ?? '') || (words[0] === '-extract' && !words.includes('-o')) ? undefined : 'write.workspace',
  sips: (_call, words) =>
    words.some((word) => /^(-g|--getProperty|-h|--help|-H|--helpProperties|--verify|-v|--version|-1|--oneLine)$/.test(word)) ||
    !words.some((word) => word.startsWith('-'))
      ? words.some((word) => /^(-s|--setProperty|-o|--out|-r|-z|-Z|-c|-f|-e|-d|-m|-i|-j)$/.test(word))
        ? 'write.workspace'
        : undefined
      : 'write.workspace',
  textutil: (_call, words) =>
    words.some((word) => /^-(info|help)$|^--help$/.test(word)) || (words.includes('-stdout') && !words.includes('-output'))
      ? undefined
      : 'write.workspace',
  qlmanage: (_call, words) =>
    words.some((word) => /^-(t|p|m|h)$/.test(word)) && !words.some((word) => /^-(o|r|x|d|i)$/.test(word)) ? undefined : 'write.workspace',
  pkgutil: (_call, words) =>
    words.some((word) =>
      /^(--packages|--pkgs.*|--files|--export-plist|--pkg-info.*|--groups.*|--group-pkgs|--file-info.*|--check-signature|--lsbom|--payload-files|--help|-h|--only-files|--only-dirs|--all-pkgs|--regexp|--volumes?)/.test(
        word,
      ),
    ) && !words.some((word) => /^--(forget|expand|flatten|bom|learn|edit-pkg|repair|verify)/.test(word))
      ? undefined
      : 'write.sensitive',
  xattr: (_call, words) => (words.some((word) => /^-[a-zA-Z]*[wdc]/.test(word)) ? 'write.workspace' : undefined),
  networksetup: (_call, words) => (/^-(list|get|show|version|help|printcommands|is)/i.test(words[0] ?? '') ? undefined : 'write.sensitive'),
  pmset: first(/^(-g)$/, 'write.sensitive'),
  say: (_call, words) => (words.some((word) => /^(-o|--output-file|-n|--network|-a)/.test(word)) ? 'write.workspace' : undefined),
  sample: (call, words, plain) => {
    const at = words.indexOf('-file');
    if (at >= 0 && call.args[at + 1]) writes(call, call.args[at + 1]!);
    return plain.length === 0 ? 'unknown' : 'read';
  },
  symbols: (_call, words) => (words.some((word) => /^-save/i.test(word)) ? 'write.workspace' : undefined),
  open: (_call, words) => (words[0] === '-R' && words.length === 2 ? undefined : 'exec.script'),
  pbpaste: () => undefined,
  pbcopy: () => 'write.outside',
  softwareupdate: (_call, words) =>
    words.every((word) => /^(-l|--list|--history|--schedule)$/.test(word)) && words.length > 0 ? undefined : 'exec.package',
  'xcode-select': (_call, words) => (/^(-p|--print-path|-v|--version|-h|--help)$/.test(words[0] ?? '') ? undefined : 'write.sensitive'),
  xcodebuild: (_call, words) =>
    /^(-version|-showsdks|-list|-showdestinations|-help|-usage)$/.test(words[0] ?? '') && words.length === 1 ? undefined : 'exec.script',
  ioreg: () => undefined,
  'dns-sd': () => 'net.send',
  dscacheutil: (_call, words) => (words.includes('-flushcache') ? 'write.sensitive' : undefined),
  fdesetup: first(/^(status|list|isactive|supportsauthrestart|haspersonalrecoverykey|version|help)$/, 'privilege'),
  binhex: (_call, words) =>
    /^(probe|-h|--help|-V|--version)$/.test(words[0] ?? '') || words.includes('--pipe') ? undefined : 'write.workspace',
  applesingle: (_call, words) =>
    /^(probe|-h|--help|-V|--version)$/.test(words[0] ?? '') || words.includes('--pipe') ? undefined : 'write.workspace',
  macbinary: (_call, words) =>
    /^(probe|-h|--help|-V|--version)$/.test(words[0] ?? '') || words.includes('--pipe') ? undefined : 'write.workspace',
  compression_tool: (_call, words) => (words.includes('-i') && !words.includes('-o') ? undefined : 'write.workspace'),
  PlistBuddy: (_call, words) =>
    words.some((word) => /^(Print|Help)/.test(word)) && words.filter((word) => word === '-c').length === 1 ? undefined : 'write.workspace',
};

export const macos = (call: Call, rule: Rule): void => {
  judge(call, { ...rule, handler: 'macos' });
  const words = call.args.map(({ value }) => value);
  for (const field of call.args) if (mayBeOption(field)) find(call, 'obfuscated', `${call.program} gets a computed word`, field);
  if (words.length === 1 && /^(--help|--version)$/.test(words[0]!)) return;
  const judgement = PROGRAMS[call.program];
  const effect = judgement
    ? judgement(
        call,
        words,
        words.filter((word) => !word.startsWith('-')),
      )
    : 'unknown';
  if (effect && effect !== 'read') find(call, effect, `${call.program} changes more than it shows`, call.args.at(-1));
};
