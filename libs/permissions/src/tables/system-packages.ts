import { type Entry } from '../rules/rule.js';

const SHOWN = 'net.read' as const;

/** Package managers of operating systems. */
export const systemPackages: readonly Entry[] = [
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
