import { type Entry } from '../rules/rule.js';

/** Version control other than git, and its windows. */
export const versionControl: readonly Entry[] = [
  {
    programs: 'gitk git-gui git-cola gitui',
    rule: { does: 'exec.inline', why: 'is interactive' },
    examples: [['dangerous', 'gitk --all']],
  },
  {
    programs: 'hg jj',
    rule: {
      commands: {
        'status|st|log|diff|id|identify|summary|branches|tags|bookmarks|heads|parents|manifest|files|annotate|blame|root|paths|version|show':
          { options: { 'env.inject': '--config: --config-toml: --config-file:', 'exec.inline': '--tool:', write: '-o: --output:' } },
        'commit|ci|add|update|up|merge|branch|rename|mv|copy|revert|graft|rebase|new|describe|squash|edit|abandon': 'vcs.local',
        push: 'vcs.remote',
        'git push|fetch|clone': 'vcs.remote',
        'strip|purge': 'destroy.vcs',
      },
    },
    examples: [
      ['safe', 'hg status'],
      ['dangerous', 'hg push'],
    ],
  },
  {
    programs: 'svn',
    rule: {
      commands: {
        'status|st|log|diff|di|info|list|ls|cat|blame|annotate|ann|praise|propget|proplist|help': {
          does: 'net.read',
          options: { 'exec.inline': '--diff-cmd: --diff3-cmd: --editor-cmd: --config-option:' },
        },
        'commit|ci|add|update|up|merge|switch|checkout|co|revert|resolve|copy|move|mkdir|delete|rm': 'vcs.remote',
      },
    },
    examples: [
      ['safe', 'svn log'],
      ['dangerous', 'svn commit -m x'],
    ],
  },
];
