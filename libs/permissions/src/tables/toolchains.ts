import { type Entry } from '../rules/rule.js';

/** Managers of versions, compilers and runners of tasks. */
export const toolchains: readonly Entry[] = [
  {
    programs: 'pyenv rbenv nodenv jenv goenv tfenv nvm fnm',
    rule: {
      options: { ok: '--bare --version -v --help -h --no-colors --no-alias --skip-aliases' },
      commands: {
        'versions|version|version-name|version-file|version-origin|which|whence|root|prefix|help|commands|list|ls|ls-remote|list-remote|current|shims|completions':
          'net.read',
        'install|uninstall|global|local|shell|rehash|exec|use|run|alias|unalias|default|init|env|reinstall-packages|migrate|cache|set-colors|pin|deactivate|unload':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'pyenv versions --bare'],
      ['safe', 'nvm ls'],
      ['dangerous', 'pyenv install 3.12'],
      ['dangerous', 'nvm exec 20 node a.js'],
    ],
  },
  {
    programs: 'asdf mise',
    rule: {
      options: {
        ok: '--version -V --help -h -v -q --json -J -c --current -g --global -i --installed -m --missing --prefix: --outdated --no-header',
        'env.inject': '-C: --cd: -E: --env:',
      },
      commands: {
        'list|ls|current|where|which|info|help|latest|version|doctor|dr|ls-remote|registry|search|outdated|bin-paths|cfg': 'net.read',
        'list all': 'net.read',
        'plugin|plugins list|ls|ls-remote|list-all': 'net.read',
        'config|settings|tasks|alias|backends|cache ls|get|list|path|info|deps': 'read',
        'install|i|uninstall|global|local|shell|use|u|exec|x|run|r|watch|w|reshim|update|upgrade|up|set|unset|trust|prune|link|activate|env|e|hook-env|self-update|implode|sync|generate|cmd|en|deactivate|fmt|tool':
          'exec.package',
        'plugin|plugins add|install|remove|update|push|uninstall|link': 'exec.package',
      },
    },
    examples: [
      ['safe', 'asdf current'],
      ['safe', 'mise ls --json'],
      ['dangerous', 'mise run build'],
      ['dangerous', 'asdf plugin add nodejs'],
    ],
  },
  {
    programs: 'dotnet',
    rule: {
      bare: 'read',
      options: { ok: '--info --version --list-sdks --list-runtimes -h --help -d --diagnostics' },
      commands: {
        'sdk check': 'net.read',
        'nuget list': 'net.read',
        'nuget locals': { does: 'write.outside', operands: 'data', harmless: '-l --list', options: { ok: '-l --list -c --clear' } },
        'nuget push|delete': 'vcs.remote',
        'tool list|search': 'net.read',
        'workload list|search': 'net.read',
        'build|run|test|restore|publish|pack|clean|watch|new|add|remove|reference|package|list|sln|solution|msbuild|vstest|format|store|tool|workload|nuget|sdk|dev-certs|user-secrets|ef|exec|help|fsi|project|migrate|build-server':
          { does: 'exec.script', why: 'runs the build of the project, or code from packages', operands: 'data', constrain: 'exact' },
      },
    },
    examples: [
      ['safe', 'dotnet --list-sdks'],
      ['safe', 'dotnet tool list'],
      ['dangerous', 'dotnet run'],
      ['dangerous', 'dotnet app.dll'],
    ],
  },
  {
    programs: 'just',
    rule: {
      does: 'exec.script',
      why: 'runs recipes',
      arity: 1,
      harmless: '-l --list --summary --dump --groups',
      options: {
        ok: '-l --list --summary -s: --show: --dump --groups -V --version -f: --justfile: -d: --working-directory: -u --unsorted -n --dry-run -q --quiet -v --verbose --color: --list-heading: --list-prefix: --no-aliases',
        'exec.inline': '-c: --command: --shell: --chooser: --choose',
      },
    },
    examples: [
      ['safe', 'just --list'],
      ['safe', 'just --summary'],
      ['dangerous', 'just build'],
      ['dangerous', 'just --list --choose'],
    ],
  },
  {
    programs: 'task go-task',
    rule: {
      does: 'exec.script',
      why: 'runs tasks',
      arity: 1,
      harmless: '-l --list -a --list-all --version',
      options: {
        ok: '-l --list -a --list-all --version -t: --taskfile: -d: --dir: -s --silent -v --verbose --json --sort: -j -n --dry -f --force -w --watch -g --global',
      },
    },
    examples: [
      ['safe', 'task --list-all'],
      ['dangerous', 'task build'],
    ],
  },
  {
    programs: 'gcc g++ cc c++ clang clang++',
    rule: {
      does: 'exec.script',
      why: 'compiles, and may load plugins',
      bare: 'read',
      constrain: 'exact',
      harmless: '--version -dumpversion -dumpmachine',
      options: { ok: '--version -v -dumpversion -dumpmachine', 'exec.inline': '-wrapper: -fplugin: -specs: -B:', write: '-o:' },
      singleDash: true,
      strict: true,
    },
    examples: [
      ['safe', 'gcc --version'],
      ['safe', 'clang -v'],
      ['dangerous', 'gcc a.c'],
      ['dangerous', 'gcc -v -wrapper sh,-c'],
    ],
  },
  {
    programs: 'mvn mvnw gradle gradlew ant',
    rule: {
      does: 'exec.package',
      why: 'installs or runs code from packages',
      constrain: 'exact',
      harmless: '-v --version -version',
      options: { ok: '-v --version -version' },
      singleDash: true,
    },
    examples: [
      ['safe', 'mvn -v'],
      ['safe', 'gradle --version'],
      ['dangerous', 'mvn install'],
    ],
  },
];
