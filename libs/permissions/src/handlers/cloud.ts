import { judge } from '../rules/judge.js';
import { type Rule } from '../rules/rule.js';
import { find, type Call } from '../shell/scope.js';
import { destructiveSql } from './sql-text.js';

/** aws: `s3` has verbs of its own; what removes recursively has no bound. */
export const aws = (call: Call, rule: Rule): void => {
  const { path, operands, help } = judge(call, rule);
  if (help) return;
  const [service, operation] = path.map(({ value }) => value);
  const words = call.args.map(({ value }) => value);
  if ((operation === 'rm' && words.includes('--recursive')) || (operation === 'rb' && words.includes('--force')))
    find(call, 'destroy.infra', `aws ${service} ${operation} removes everything in a bucket`, call.args.at(-1), true);
  if (operation === 'sync' && words.includes('--delete'))
    find(call, 'destroy.infra', 'aws s3 sync --delete removes what the source does not have', call.args.at(-1));
  if (service === 'configure' && !/^(list|list-profiles)$/.test(operation ?? operands[0]?.value ?? ''))
    find(call, 'write.sensitive', 'aws configure changes or shows credentials', call.args.at(-1));
  for (const field of call.args) {
    const sql = destructiveSql(field.value);
    if (sql) find(call, 'destroy.db', `aws ${service} runs ${sql.what}`, field, sql.bulk);
  }
};

/** `vercel` alone deploys; others by their verbs. */
export const platform = (call: Call, rule: Rule): void => {
  const api = call.program === 'auth0' && call.args.find(({ value }) => !value.startsWith('-'))?.value === 'api';
  if (!api) {
    judge(call, rule);
    return;
  }
  const words = call.args.map(({ value }) => value).filter((value) => !value.startsWith('-'));
  const verb = words[1] ?? '';
  const sends = call.args.some(({ value }) => /^(-d|--data)/.test(value));
  if (/^(delete)$/i.test(verb)) find(call, 'destroy.infra', 'auth0 api deletes over the network', call.args.at(-1));
  else if (/^(post|put|patch)$/i.test(verb) || sends)
    find(call, 'infra.change', 'auth0 api changes something at the other end', call.args.at(-1));
  else find(call, 'net.read', 'auth0 api reads from the network', call.args.at(-1));
};

const DRY = /^(--syntax-check|--list-hosts|--list-tasks|--list-tags|--version|-h|--help)$/;

/** ansible: the programs that only show, and the options that keep the others from doing anything. */
export const ansible = (call: Call): void => {
  const words = call.args.map(({ value }) => value);
  const at = call.args.at(-1);
  const plain = words.filter((word) => !word.startsWith('-'));
  const shows = words.some((word) => DRY.test(word));
  for (const field of call.args)
    if (
      /^(--vault-password-file|--vault-id|-e|--extra-vars|--connection|-c|--ssh-common-args|--ssh-extra-args|--become-method|-M|--module-path|--playbook-dir|--start-at-task)/.test(
        field.value,
      ) &&
      !shows
    )
      find(call, 'env.inject', `${call.program} ${field.value} may run or load something else`, field);
  switch (call.program) {
    case 'ansible-doc':
      return;
    case 'ansible-config':
      if (!shows && !/^(list|dump|view)$/.test(plain[0] ?? '')) find(call, 'write.workspace', `${call.program} writes configuration`, at);
      return;
    case 'ansible-inventory':
      if (words.some((word) => word.startsWith('--output')))
        find(call, 'write.workspace', `${call.program} writes its output to a file`, at);
      if (!shows && !words.some((word) => /^(--list|--graph|--host)/.test(word)))
        find(call, 'unknown', `${call.program} is not told what to show`, at);
      return;
    case 'ansible-galaxy':
      if (
        !shows &&
        !(/^(collection|role)$/.test(plain[0] ?? '') && /^(list|search|info|verify)$/.test(plain[1] ?? '')) &&
        !/^(list|search|info)$/.test(plain[0] ?? '')
      )
        find(call, 'exec.package', `${call.program} installs or publishes code`, at);
      return;
    case 'ansible-vault':
      if (!shows)
        find(
          call,
          /^(view|decrypt)$/.test(plain[0] ?? '') ? 'read.secret' : 'write.sensitive',
          `${call.program} ${plain[0] ?? ''} works on secrets`,
          at,
        );
      return;
    case 'ansible-lint':
      if (words.some((word) => /^(--fix|--write|--generate-ignore|-R|-r|--rules-dir)/.test(word)))
        find(call, 'write.workspace', `${call.program} changes what it checks`, at);
      return;
    default:
      if (!shows) find(call, 'infra.change', `${call.program} works on other hosts`, at);
  }
};
