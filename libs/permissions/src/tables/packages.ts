import { type Entry } from '../rules/rule.js';

const SHOWN = 'net.read' as const;

/** Package managers of other languages, and their compilers: installing and running is code from others. */
export const packages: readonly Entry[] = [
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
];
