import { type Rule } from '../rules/rule.js';
import { LOCAL, LOG, NETWORK } from './git-options.js';

/** Sub-commands of git that are there to change something: files, the repository, another one, or to run a program. */
export const CHANGES: NonNullable<Rule['commands']> = {
  apply: {
    does: 'write.workspace',
    why: 'changes files as a patch says',
    harmless: '--check --stat --numstat --summary',
    options: { ok: LOCAL },
  },
  rerere: { bare: 'vcs.local', commands: { 'status|diff|remaining': 'read', 'clear|forget|gc': 'vcs.local' } },
  replace: {
    does: 'vcs.local',
    harmless: '-l --list',
    bare: 'read',
    options: { ok: '-l --list --format: -f --force -d --delete -e --edit -g --graft --convert-graft-file --raw' },
  },
  'sparse-checkout': {
    commands: {
      'list|check-rules': { options: { ok: '-z --cone --no-cone --rules-file:' } },
      'init|set|add|reapply|disable': {
        does: 'vcs.local',
        options: { ok: '--cone --no-cone --sparse-index --no-sparse-index --stdin --skip-checks' },
      },
    },
  },
  push: {
    does: ['vcs.remote', 'net.send'],
    constrain: 'none',
    options: {
      ok: '-v --verbose -q --quiet --repo: --all --branches --tags --follow-tags --no-follow-tags -n --dry-run --porcelain -u --set-upstream --thin --no-thin --progress --no-progress --verify --no-verify --signed? --no-signed --atomic --no-atomic -o: --push-option: --recurse-submodules: --no-recurse-submodules -4 -6 --ipv4 --ipv6',
      'destroy.vcs': '-f --force --force-with-lease? --force-if-includes -d --delete --mirror --prune',
      shell: '--receive-pack: --exec:',
    },
  },
  'fetch|pull|clone': {
    does: ['vcs.local', 'net.read'],
    options: { ok: NETWORK, shell: '--upload-pack: -u?', 'env.inject': '-c: --config: --template:' },
  },
  'add|commit|merge|rebase|cherry-pick|revert|checkout|switch|restore|reset|mv|rm|am|init|stage': {
    does: 'vcs.local',
    constrain: 'none',
    options: { ok: LOCAL, shell: '-x: --exec:', 'exec.inline': '--edit-description --help' },
  },
  clean: { options: { ok: '-d -f --force -n --dry-run -q --quiet -x -X -e: --exclude: -i --interactive' } },
  'gc|prune|repack|pack-refs|maintenance|update-index|read-tree|write-tree|commit-tree|commit-graph|multi-pack-index|prune-packed|unpack-objects|index-pack|pack-objects|mktree|mktag|fast-import|checkout-index|merge-file|merge-index|merge-one-file|rev-index|update-server-info|backfill|history|replay|refs':
    { does: 'vcs.local', options: { ok: '' } },
  'update-ref': { does: 'vcs.local', options: { ok: '-m: --no-deref --stdin -z --create-reflog', 'destroy.vcs': '-d' } },
  'filter-branch|filter-repo': {
    does: 'destroy.vcs',
    bulk: true,
    why: 'rewrites the whole history',
    options: {
      ok: '-f --force --env-filter: --tree-filter: --index-filter: --parent-filter: --msg-filter: --commit-filter: --tag-name-filter: --subdirectory-filter: --prune-empty --original: -d: --setup: --state-branch: --all --path: --invert-paths',
    },
  },
  difftool: {
    does: 'exec.inline',
    operands: 'data',
    options: {
      ok: `${LOG} -g --gui -y --no-prompt --prompt -d --dir-diff --symlinks --no-symlinks --trust-exit-code --tool-help -t: --tool:`,
      shell: '-x: --extcmd:',
    },
  },
  'send-email|request-pull|imap-send|http-push|send-pack|svn|p4|cvsexportcommit|cvsimport|archimport': {
    does: ['vcs.remote', 'net.send'],
  },
  subtree: {
    does: ['vcs.local', 'net.send'],
    operands: 'data',
    options: { ok: '-P: --prefix: --squash -m: --message: -b: --branch: --rejoin --onto: --annotate: -q -d --ignore-joins' },
  },
  'fetch-pack|http-fetch|upload-pack|upload-archive|receive-pack|shell|daemon|instaweb|gui|gitk|citool|mergetool|help|credential|credential-store|credential-cache|remote-ext|remote-fd|hook|for-each-repo|diagnose|bugreport|scalar|fsmonitor--daemon|interpret-trailers|mailinfo|mailsplit|sh-setup|web--browse|column--helper':
    'exec.inline',
};
