import { type Entry } from '../rules/rule.js';

const SHOWN = 'net.read' as const;

/** Package managers of JavaScript: their scripts are code from others. */
export const nodePackages: readonly Entry[] = [
  {
    programs: 'npm',
    rule: {
      harmless: '-v --version',
      options: {
        ok: '--depth: --json --long --parseable -g --global --all --omit: --include: --only: --prod --production --dev -w: --workspace: --workspaces --registry: --loglevel: --silent -s --quiet -q --verbose -d --no-color --color? --prefix: -C: --cache: --offline --prefer-offline --no-audit --no-fund --audit-level: --package-lock-only --link --unicode --searchlimit: --no-description --no-update-notifier -v --version -l -p -h --help --yes -y --if-present --force -f --tag: --access: --otp: --dry-run --foreground-scripts --save --save-dev -D --save-exact -E --save-optional -O --save-peer --no-save -P --legacy-peer-deps --strict-peer-deps --ignore-scripts --no-package-lock --no-optional --engine-strict --install-links --install-strategy: --expect-results: --diff: --diff-name-only --diff-unified: --diff-ignore-all-space --pack-destination: --scope: --before: --package: --call:',
        'env.inject':
          '--script-shell: --node-options: --userconfig: --globalconfig: --git: --viewer: --editor: --browser: --shell: --init-module:',
      },
      commands: {
        'list|ls|ll|la|bin|view|info|show|v|outdated|search|s|se|find|root|prefix|ping|query|explain|why|fund|help-search|get|find-dupes|whoami|licenses|sbom':
          SHOWN,
        audit: { does: SHOWN, commands: { fix: 'exec.package', signatures: SHOWN } },
        'config|c': { commands: { 'list|ls|get': 'read', 'set|delete|rm|edit|fix': 'write.sensitive' } },
        pkg: { commands: { get: 'read', 'set|delete|fix': 'write.workspace' } },
        'dist-tag|dist-tags': { commands: { 'ls|list': SHOWN, 'add|rm': 'vcs.remote' } },
        'owner|author': { commands: { 'ls|list': SHOWN, 'add|rm': 'infra.change' } },
        access: {
          commands: {
            'list|ls|get|ls-packages|ls-collaborators': SHOWN,
            'set|grant|revoke|public|restricted|edit|2fa-required|2fa-not-required': 'infra.change',
          },
        },
        'team|org': { commands: { 'ls|list': SHOWN, 'create|destroy|add|rm|set': 'infra.change' } },
        token: { commands: { 'list|ls': SHOWN, 'create|revoke': 'infra.change' } },
        profile: { commands: { get: SHOWN, 'set|enable-2fa|disable-2fa|enable-tfa|disable-tfa': 'infra.change' } },
        cache: { commands: { 'ls|list': 'read', 'add|clean|clear|rm|verify|npx': 'write.outside' } },
        'version|verison': { does: 'write.workspace', bare: 'read' },
        completion: 'read',
        doctor: SHOWN,
        diff: { does: SHOWN },
        'docs|home|bugs|issues|repo|star|stars|unstar|edit|explore|help|hlep|login|logout|adduser|add-user|hook|set|trust': 'net.send',
        'run|run-script|rum|urn': { does: 'exec.script', arity: 1, bare: 'read' },
        'test|t|tst|start|stop|restart|it|install-test|cit|install-ci-test': 'exec.script',
        'exec|x': { does: 'exec.package', operands: 'data', constrain: 'exact', options: { shell: '-c: --call:' } },
        'install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|ci|clean-install|ic|update|up|upgrade|udpate|dedupe|ddp|rebuild|rb|link|ln|init|create|innit':
          'exec.package',
        'uninstall|un|unlink|remove|rm|r|prune|shrinkwrap|pack': 'write.workspace',
        'publish|deprecate|undeprecate|stage': 'vcs.remote',
        unpublish: 'destroy.infra',
      },
    },
    examples: [
      ['safe', 'npm list --depth=0'],
      ['safe', 'npm view react version'],
      ['safe', 'npm --version'],
      ['safe', 'npm audit'],
      ['dangerous', 'npm install'],
      ['dangerous', 'npm run build'],
      ['dangerous', 'npm test'],
      ['dangerous', 'npm config set x y'],
      ['dangerous', 'npm version patch'],
      ['destructive', "npm exec -c 'rm -rf /'"],
      ['destructive', 'npm unpublish lodash'],
    ],
  },
  {
    programs: 'npx bunx pnpx',
    rule: {
      does: 'exec.package',
      why: 'runs a package, which it fetches if need be',
      constrain: 'exact',
      options: { ok: '-y --yes -n --no -p: --package: --ignore-existing -q --quiet --no-install --bun', shell: '-c: --call:' },
    },
    examples: [
      ['dangerous', 'npx cowsay'],
      ['safe', 'npx --version'],
      ['destructive', "npx -c 'rm -rf /'"],
    ],
  },
  {
    programs: 'yarn yarnpkg',
    rule: {
      harmless: '-v --version',
      options: {
        ok: '-v --version -h --help --json --silent -s --verbose --depth: --pattern: --cwd: --production --offline -R -A --all --recursive --name-only --interactive --frozen-lockfile --immutable',
      },
      bare: 'exec.package',
      commands: {
        'list|info|why|outdated|audit|versions|explain': SHOWN,
        'npm info|audit|whoami': SHOWN,
        'npm publish|login|logout|tag': 'vcs.remote',
        licenses: { commands: { 'list|ls|generate-disclaimer': SHOWN } },
        'config list|get': 'read',
        'config set|delete|unset': 'write.sensitive',
        'cache list|dir': 'read',
        'cache clean|clear': 'write.outside',
        workspaces: { commands: { 'info|list': 'read', 'foreach|run|focus': 'exec.script' } },
        'global list|bin|dir': 'read',
        'global add|remove|upgrade': 'exec.package',
        'bin|constraints': 'read',
        version: { does: 'write.workspace', bare: 'read' },
        'install|add|remove|upgrade|up|dlx|create|init|import|link|unlink|dedupe|rebuild|set|plugin|patch|patch-commit|pack|prune|autoclean|generate-lock-entry|upgrade-interactive|unplug|policies|self-update|stage':
          'exec.package',
        'run|workspace|exec|node|start|test|build|dev|lint': { does: 'exec.script', arity: 1, bare: 'exec.script' },
        'publish|login|logout|tag|owner|team': 'vcs.remote',
      },
    },
    examples: [
      ['safe', 'yarn list'],
      ['safe', 'yarn why react'],
      ['dangerous', 'yarn'],
      ['dangerous', 'yarn add x'],
      ['dangerous', 'yarn build'],
    ],
  },
  {
    programs: 'pnpm',
    rule: {
      harmless: '-v --version',
      options: {
        ok: '-v --version -h --help --json --depth: -r --recursive --filter: -F: -g --global --long --parseable --prod -P --dev -D --no-optional -C: --dir: -w --workspace-root --silent -s --reporter: --offline --frozen-lockfile --only-projects --compatible',
      },
      commands: {
        'list|ls|la|ll|outdated|why|audit|view|info|show|search|root|bin|prefix|ping|help|whoami|doctor|find-hash|cat-file|cat-index':
          SHOWN,
        licenses: { commands: { 'list|ls': SHOWN } },
        'config list|get': 'read',
        'config set|delete': 'write.sensitive',
        'store path|status': 'read',
        'store prune|add': 'write.outside',
        'install|i|add|update|up|upgrade|remove|rm|uninstall|un|dlx|create|init|import|link|ln|unlink|dislink|rebuild|rb|prune|dedupe|fetch|patch|patch-commit|patch-remove|deploy|env|setup|self-update|approve-builds|ignored-builds|install-test|it|ci':
          'exec.package',
        'run|run-script|exec|start|test|t|stop|restart|build|dev|lint|node': { does: 'exec.script', arity: 1 },
        'publish|login|logout|dist-tag|owner|deprecate': 'vcs.remote',
        unpublish: 'destroy.infra',
      },
    },
    examples: [
      ['safe', 'pnpm why lodash'],
      ['safe', 'pnpm licenses list'],
      ['dangerous', 'pnpm dlx cowsay'],
      ['dangerous', 'pnpm i'],
    ],
  },
];
