import { type Entry } from '../rules/rule.js';

const SHOWN = 'net.read' as const;

/** Package managers and the runners of their scripts: installing and running is code from others. */
export const packages: readonly Entry[] = [
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
  {
    programs: 'pip pip3 pipx',
    rule: {
      options: {
        ok: '-v --verbose -q --quiet -V --version -h --help --user --local --path: --format: --outdated -o --uptodate -u --not-required --exclude: --include-editable --exclude-editable --editable -e --pre --all --disable-pip-version-check --no-color --no-input --isolated --timeout: --retries: --index-url: -i: --extra-index-url: --files -f --freeze -l --json --short --include-injected --no-python-version-warning --require-virtualenv --platform: --python-version: --implementation: --abi: --only-binary: --no-binary: -r: --requirement: -a: --algorithm: --global --site --trusted-host: --cert: --client-cert: --cache-dir: --debug --no-cache-dir',
        write: '--log:',
        'exec.inline': '--python:',
        'net.send': '--proxy:',
      },
      bare: 'read',
      commands: {
        'list|show|freeze|check|inspect|debug|help|version|search|environment': SHOWN,
        'index versions|list': SHOWN,
        hash: { operands: 'read' },
        completion: 'read',
        config: { commands: { 'list|get|debug': 'read', 'set|unset|edit': 'write.sensitive' } },
        cache: { commands: { 'dir|info|list': 'read', 'remove|purge': 'write.outside' } },
        'install|uninstall|download|wheel|lock|upgrade|upgrade-all|reinstall|reinstall-all|inject|uninject|run|runpip|ensurepath|uninstall-all|pin|unpin':
          {
            does: 'exec.package',
            options: {
              ok: '-U --upgrade -e: --editable: -r: --requirement: -c: --constraint: -t: --target: -d: --dest: -y --yes --force-reinstall --no-deps --dry-run --break-system-packages --prefix: --root:',
              write: '--report:',
            },
          },
      },
    },
    examples: [
      ['safe', 'pip list'],
      ['safe', 'pip show requests'],
      ['dangerous', 'pip install x'],
      ['dangerous', 'pip config set a b'],
    ],
  },
  {
    programs: 'uv',
    rule: {
      options: {
        ok: '-q --quiet -v --verbose --color: --native-tls --offline --no-cache -n --cache-dir: --no-progress --directory: --project: --no-config --config-file: -V --version -h --help --python: -p: --system --strict --outdated --depth: --prune: --package: --no-dedupe --invert --show-version-specifiers --all-versions --only-installed --frozen --locked --no-dev --output-format: --format: --exclude: --exclude-editable --editable --files -f --short --show-paths --show-with --group: --extra: --all-extras --universal',
        'exec.inline': '--with: --env-file: --allow-insecure-host:',
        write: '-o: --output-file:',
      },
      bare: 'read',
      commands: {
        version: { does: 'write.workspace', bare: 'read', options: { ok: '--short --output-format:', 'write.workspace': '--bump:' } },
        help: 'read',
        tree: { does: 'exec.package', harmless: '--frozen' },
        'pip list|freeze|show|tree|check': SHOWN,
        'pip install|uninstall|sync|compile|download': 'exec.package',
        'python list|find|dir': SHOWN,
        'python install|uninstall|pin|upgrade|update-shell': 'exec.package',
        'cache dir|size': 'read',
        'cache clean|prune': 'write.outside',
        'tool dir': 'read',
        'tool list|install|uninstall|upgrade|run|update-shell': 'exec.package',
        'self version': 'read',
        'self update': 'exec.package',
        'sync|lock|add|remove|init|build|venv|export|format': 'exec.package',
        'auth login|logout|token': 'net.send',
        publish: 'vcs.remote',
        run: {
          does: 'exec.package',
          why: 'prepares the environment of the project and runs a command in it',
          operands: 'data',
          constrain: 'exact',
        },
      },
    },
    examples: [
      ['safe', 'uv --version'],
      ['safe', 'uv pip list'],
      ['dangerous', 'uv add requests'],
      ['dangerous', 'uv run python script.py'],
    ],
  },
  {
    programs: 'uvx',
    rule: { does: 'exec.package', constrain: 'exact' },
    examples: [
      ['dangerous', 'uvx ruff check'],
      ['safe', 'uvx --version'],
    ],
  },
  {
    programs: 'poetry pdm pipenv hatch rye conda mamba micromamba pixi',
    rule: {
      options: {
        ok: '-v -vv -vvv --verbose -q --quiet -n --no-interaction --no-ansi --ansi -V --version -h --help --tree -t --latest -l --outdated -o --all -a --only: --with: --without: --top-level -T --why --json -C: --directory: -P: --project: --graph --freeze -n: --name: -p: --prefix: --envs -e --explicit --export --revisions --full-name -f',
      },
      commands: {
        'show|check|about|list|search|info|graph|where|help|deps|tree|which|licenses': SHOWN,
        'env info|list|show|find': 'read',
        'config list|get': 'read',
        'env remove|use|activate|create|update|export|prune': 'exec.package',
        'cache list|dir|info': 'read',
        'self show': 'read',
        'install|add|remove|update|lock|build|new|init|run|shell|sync|export|create|activate|upgrade|uninstall|clean|exec|dep|self|fix|import|use|rename|clone|tool|plugin|global|task|workspace|fetch|pin|default|make-req|requirements':
          { does: 'exec.package', operands: 'data', constrain: 'exact' },
        'config|cache|source': 'write.sensitive',
        publish: 'vcs.remote',
        version: { does: 'write.workspace', bare: 'read' },
      },
    },
    examples: [
      ['safe', 'poetry show --tree'],
      ['safe', 'conda list'],
      ['dangerous', 'poetry run pytest'],
      ['dangerous', 'conda install x'],
    ],
  },
  {
    programs: 'cargo',
    rule: {
      options: {
        ok: '-v --verbose -q --quiet --color: -V --version --list --explain: -h --help --locked --offline --frozen -Z: -p: --package: --manifest-path: --features: -F: --all-features --no-default-features --workspace --all --format-version: --no-deps --filter-platform: -e: --edges: -i: --invert: --depth: --prefix: --charset: --format: --no-dedupe -d --duplicates --target: --limit: --registry: --index: --message-format: --lockfile-path:',
        'env.inject': '--config:',
        'write.outside': '-C:',
      },
      bare: 'read',
      commands: {
        'search|info|tree|metadata|read-manifest|pkgid|locate-project|verify-project|version|help': SHOWN,
        owner: { does: SHOWN, options: { ok: '-l --list', 'infra.change': '-a: --add: -r: --remove:' } },
        fmt: {
          does: 'write.workspace',
          harmless: '--check',
          through: true,
          options: { ok: '--check --all -p: --package: --message-format:' },
          operands: 'data',
        },
        'build|b|check|c|clippy|run|r|test|t|bench|doc|d|rustc|rustdoc|fix|miri|nextest|expand|watch|llvm-cov|tarpaulin|audit|deny|outdated|udeps|machete|hack|llvm-lines|bloat|flamegraph|make|leptos|tauri|dev|x|xtask':
          {
            does: 'exec.script',
            why: 'runs build scripts and macros of the project and its dependencies',
            operands: 'data',
            constrain: 'none',
          },
        'install|update|add|fetch|vendor|generate-lockfile|binstall|upgrade': 'exec.package',
        'remove|rm|new|init|clean|uninstall|package|config': 'write.workspace',
        'publish|login|logout|yank': 'vcs.remote',
      },
    },
    examples: [
      ['safe', 'cargo --version'],
      ['safe', 'cargo tree'],
      ['safe', 'cargo fmt --check'],
      ['dangerous', 'cargo run'],
      ['dangerous', 'cargo install x'],
    ],
  },
  {
    programs: 'rustup',
    rule: {
      options: { ok: '-v -q -V --version -h --help --toolchain: --installed --quiet --verbose' },
      commands: {
        'show|check|which|doc-path': 'read',
        'toolchain list': 'read',
        'target list': 'read',
        'component list': 'read',
        'override list': 'read',
        'self upgrade-data': 'write.outside',
        'update|default|install|uninstall|set|run|doc|man': 'exec.package',
        'toolchain install|uninstall|link': 'exec.package',
        'target add|remove': 'exec.package',
        'component add|remove': 'exec.package',
        'override set|unset': 'exec.package',
        'self update|uninstall': 'exec.package',
      },
    },
    examples: [
      ['safe', 'rustup show'],
      ['dangerous', 'rustup update'],
    ],
  },
  {
    programs: 'rustc',
    rule: {
      does: 'exec.script',
      why: 'compiles, and runs macros',
      harmless: '--version -V --print --explain',
      options: { ok: '-V --version -v -vV --verbose --print: --explain: -h --help' },
    },
    examples: [
      ['safe', 'rustc --version'],
      ['dangerous', 'rustc a.rs'],
    ],
  },
  {
    programs: 'go',
    rule: {
      singleDash: true,
      options: {
        ok: '-C: -json -m -f: -e -deps -test -find -u -versions -retracted -reuse: -v -h -help -all -short -src -cmd -c -unexported -go -diff -changed',
        'exec.script': '-export -compiled',
        'exec.inline': '-toolexec: -exec: -overlay: -modfile: -ldflags: -gcflags: -gccgoflags: -asmflags: -compiler: -vettool:',
      },
      bare: 'read',
      commands: {
        'version|list|doc|help': 'read',
        env: { options: { ok: '-json -changed', 'write.sensitive': '-w -u' } },
        'mod graph|why|verify': SHOWN,
        'mod download|edit|init|tidy|vendor': 'exec.package',
        'tool|bug|telemetry': 'exec.script',
        'build|run|test|vet|generate|install|get|clean|fmt|fix|work': { does: 'exec.script', operands: 'data', constrain: 'none' },
      },
    },
    examples: [
      ['safe', 'go version'],
      ['safe', 'go list ./...'],
      ['safe', 'go env GOPATH'],
      ['dangerous', 'go run .'],
      ['dangerous', 'go env -w GOPROXY=x'],
      ['dangerous', 'go vet -vettool=./x ./...'],
    ],
  },
  {
    programs: 'gofmt',
    rule: { operands: 'read', singleDash: true, options: { ok: '-d -l -s -e -r:', 'write.workspace': '-w -cpuprofile:' } },
    examples: [
      ['safe', 'gofmt -l .'],
      ['dangerous', 'gofmt -w a.go'],
    ],
  },
  {
    programs: 'gem',
    rule: {
      options: {
        ok: '-v --version -h --help -V -q --quiet -l --local -r --remote -a --all -d --details --paths --groups: --only-group: --name-only --filter-major',
      },
      bare: 'exec.package',
      commands: {
        'list|search|query|info|specification|spec|contents|dependency|outdated|environment|env|which|help|stale|show|check|platform|licenses|doctor|sources':
          SHOWN,
        'install|update|uninstall|cleanup|fetch|exec|build|pristine|add|remove|lock|clean|open|console|init|gem|binstubs|package|cache|viz|inject|plugin|rdoc|server|setup|unpack|cert|rebuild|config':
          { does: 'exec.package', operands: 'data', constrain: 'exact' },
        'push|owner|signin|signout|release|mirror': 'vcs.remote',
        yank: 'destroy.infra',
      },
    },
    examples: [
      ['safe', 'gem list'],
      ['dangerous', 'gem install rails'],
    ],
  },
  {
    programs: 'bundle bundler',
    rule: {
      does: 'exec.script',
      why: 'runs the Gemfile, which is a program',
      constrain: 'exact',
      harmless: '--version -v',
      options: { ok: '--version -v' },
    },
    examples: [
      ['safe', 'bundle --version'],
      ['dangerous', 'bundle exec rake'],
    ],
  },
  {
    programs: 'composer',
    rule: {
      options: {
        ok: '-v -vv -vvv --verbose -q --quiet -n --no-interaction --no-ansi --ansi -V --version -h --help -d: --working-dir: -D --direct -o --outdated -t --tree -i --installed --latest -l --all -a --format: -f: --platform -p --no-plugins --no-scripts --no-dev',
      },
      commands: {
        'show|info|outdated|licenses|validate|check-platform-reqs|depends|why|prohibits|why-not|search|about|suggests|fund|audit|diagnose|status|help|list':
          SHOWN,
        'install|i|update|u|upgrade|require|r|remove|rm|run-script|run|exec|create-project|dump-autoload|dumpautoload|init|global|self-update|selfupdate|archive|bump|clear-cache|clearcache|reinstall|config|test':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'composer show'],
      ['dangerous', 'composer install'],
    ],
  },
  {
    programs: 'brew',
    rule: {
      harmless: '--cache --cellar --caskroom --prefix --repository --repo --env -v --version --config',
      options: {
        ok: '-v --verbose -q --quiet -d --debug -h --help --version --json? --formula --formulae --cask --casks --installed --eval-all --all --cache --caskroom --cellar --prefix --repository --repo --env --plain -1 -l -r -t --versions --multiple --pinned --full-name --installed-on-request --installed-as-dependency --poured-from-bottle --built-from-source --hide: --missing --direct -n --union --annotate --tree --graph --dot --include-build --include-optional --include-test --include-implicit --skip-recommended --declared --desc -s: --search: --name: --description: --open --closed --github --analytics --days: --category: --variations --HEAD --greedy --greedy-latest --greedy-auto-updates --fetch-HEAD --oneline -p --patch --stat --max-count: --quiet --list-checks --audit-debug -D --compact --force -f --build-from-source --deps --bottle-tag: --retry --arch: --os: --file: --no-upgrade --topological --for-each --recursive --unbrewed -n: --debug',
      },
      bare: 'read',
      commands: {
        'info|abv|list|ls|search|deps|desc|leaves|uses|outdated|missing|config|--config|options|tap-info|formulae|casks|log|cat|commands|help|shellenv|--cache|--cellar|--caskroom|--prefix|--repository|--repo|--env|--version|which-formula|which|formula|command|livecheck|source|nodenv-sync|unbottled|which-update':
          SHOWN,
        'doctor|dr': SHOWN,
        analytics: { bare: 'read', commands: { state: 'read', 'on|off|regenerate-uuid': 'write.outside' } },
        bundle: {
          bare: 'exec.package',
          commands: { 'check|list': SHOWN, 'install|upgrade|dump|cleanup|edit|add|remove|exec|env|sh': 'exec.package' },
        },
        'install|uninstall|remove|rm|reinstall|upgrade|update|up|tap|untap|services|link|ln|unlink|pin|unpin|cleanup|autoremove|migrate|postinstall|post_install|edit|create|gist-logs|developer|readall|audit|bottle|bump|bump-formula-pr|bump-cask-pr|bump-revision|test|style|vendor-install|fetch|home|homepage|docs|sh|irb|ruby|extract|unpack|tab|completions|update-reset|update-if-needed|update-python-resources|generate-formula-api|pr-pull|contributions|prof|rubocop|tests|typecheck|sponsors|dispatch-build-bottle|mirror|alias|unalias|setup-ruby|log-edit':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'brew list --versions'],
      ['safe', 'brew --prefix'],
      ['dangerous', 'brew install x'],
      ['dangerous', 'brew services start x'],
    ],
  },
  {
    programs: 'apt apt-get aptitude',
    rule: {
      options: {
        ok: '-q --quiet -qq -a --all-versions --installed --upgradable --names-only -n --full -h --help -v --version -s --simulate --dry-run --just-print --no-act --recon',
        'exec.inline': '-o: --option: -c: --config-file:',
      },
      commands: {
        'list|search|show|policy|depends|rdepends|showsrc|changelog|why|why-not|versions|madison|help': SHOWN,
        'install|update|upgrade|full-upgrade|dist-upgrade|remove|purge|autoremove|reinstall|download|source|build-dep|clean|autoclean|edit-sources|satisfy|hold|unhold|markauto|unmarkauto|safe-upgrade|dselect-upgrade|check|auto-remove|autopurge|distclean|modernize-sources':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'apt list --installed'],
      ['safe', 'apt show curl'],
      ['dangerous', 'apt-get update'],
      ['dangerous', 'apt install x'],
    ],
  },
  {
    programs: 'apt-cache apt-file dpkg-query',
    rule: { options: { 'exec.inline': '-o: --option: -c: --config-file:' } },
    examples: [
      ['safe', 'apt-cache policy curl'],
      ['dangerous', "apt-cache -o APT::Update::Pre-Invoke::='touch x' policy"],
    ],
  },
  {
    programs: 'dpkg',
    rule: {
      does: 'exec.package',
      harmless:
        '-l --list -L --listfiles -s --status -S --search -p --print-avail --get-selections --print-architecture --print-foreign-architectures -I --info -c --contents -V --verify -C --audit --compare-versions --version',
      options: {
        ok: '-l --list -L --listfiles -s --status -S --search -p --print-avail --get-selections --print-architecture --print-foreign-architectures -I --info -c --contents -V --verify -C --audit --compare-versions --version --help -i --install -r --remove -P --purge --configure --unpack -x --extract -e --control -b --build --no-pager -a --pending --force-all',
      },
    },
    examples: [
      ['safe', 'dpkg -l'],
      ['safe', 'dpkg -S /bin/ls'],
      ['dangerous', 'dpkg -i a.deb'],
    ],
  },
  {
    programs: 'rpm',
    rule: { handler: 'rpm' },
    examples: [
      ['safe', 'rpm -qa'],
      ['safe', 'rpm -ql bash'],
      ['dangerous', 'rpm -i a.rpm'],
    ],
  },
  {
    programs: 'yum dnf dnf5 microdnf zypper',
    rule: {
      options: {
        ok: '-q --quiet -v --verbose --installed --available --showduplicates -C --cacheonly -h --help --version -y --assumeyes -s --all --enabled',
        'exec.inline': '-c: --config: --setopt: --installroot:',
      },
      commands: {
        'list|info|search|provides|whatprovides|repolist|repoquery|check-update|deplist|updateinfo|repoinfo|se|if|lr|repos|packages|pa|patches|what-provides|wp|list-updates|lu|check|leaves|advisory|help':
          SHOWN,
        'history list|info': SHOWN,
        'group list|info': SHOWN,
        'install|in|remove|rm|erase|update|up|upgrade|downgrade|reinstall|autoremove|clean|makecache|localinstall|groupinstall|module|distro-sync|dup|dist-upgrade|refresh|ref|addrepo|ar|removerepo|rr|modifyrepo|mr|config-manager|download|swap|mark|builddep|copr|patch|verify|ve|source-install|si|offline|system-upgrade':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'dnf search x'],
      ['dangerous', 'yum install x'],
    ],
  },
  {
    programs: 'apk',
    rule: {
      options: { ok: '-q -v --no-cache -h --help -V --version -a -d -e' },
      commands: {
        'info|list|search|policy|version|dot|audit|stats|manifest|verify': SHOWN,
        'add|del|update|upgrade|fix|fetch|cache|index': 'exec.package',
      },
    },
    examples: [
      ['safe', 'apk info'],
      ['dangerous', 'apk add x'],
    ],
  },
  {
    programs: 'pacman yay paru',
    rule: { handler: 'pacman' },
    examples: [
      ['safe', 'pacman -Q'],
      ['safe', 'pacman -Ss x'],
      ['dangerous', 'pacman -S x'],
      ['dangerous', 'pacman -Syu'],
    ],
  },
  {
    programs: 'snap flatpak',
    rule: {
      options: { ok: '-h --help --version --all -v --verbose --user --system --app --runtime --columns: -d --show-details -a --updates' },
      commands: {
        'list|info|find|search|version|changes|connections|interfaces|services|remotes|history|remote-ls|remote-info|ps|help|tasks|aliases|warnings|known|model|config':
          SHOWN,
        'install|remove|uninstall|refresh|update|revert|enable|disable|run|start|stop|restart|connect|disconnect|set|unset|get|remote-add|remote-delete|override|mask|pin|repair|kill|enter|build|alias|download|login|logout|buy|save|restore':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'snap list'],
      ['dangerous', 'snap install x'],
    ],
  },
  {
    programs:
      'port fink nix nix-env nix-shell nix-build nix-store nix-instantiate nix-channel guix emerge xbps-install pkg pkg_add pkg_info winget choco scoop volta sdk corepack bower jspm vcpkg conan spack mas easy_install ensurepip luarocks cpan cpanm opam cabal stack ghcup mix rebar3 hex elm lein clojure clj sbt mill swift carthage pod cocoapods flutter dart nuget paket Rscript R raco cs coursier ivy bazel bazelisk buck buck2 pants b2 xmake',
    rule: {
      does: 'exec.package',
      why: 'installs or runs code from packages',
      constrain: 'exact',
      harmless: '--version',
      options: { ok: '--version -v' },
    },
    examples: [
      ['safe', 'sbt --version'],
      ['dangerous', 'cabal install x'],
      ['dangerous', 'nix-shell -p x'],
    ],
  },
];
