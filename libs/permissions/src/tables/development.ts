import { type Entry } from '../rules/rule.js';

/** Linters, formatters, keys and what else is at hand while a program is made. */
export const development: readonly Entry[] = [
  {
    programs: 'black',
    rule: {
      does: 'write.workspace',
      operands: 'data',
      harmless: '--check --diff --version',
      options: {
        ok: '--check --diff --version -q --quiet -v --verbose -l: --line-length: -t: --target-version: --fast --safe --color --no-color -S --skip-string-normalization -C --exclude: --include: --extend-exclude: --force-exclude: --pyi --ipynb --preview --unstable -W: --workers: --stdin-filename: --required-version:',
        'exec.inline': '-c: --code: --config:',
      },
    },
    examples: [
      ['safe', 'black --check .'],
      ['dangerous', 'black .'],
    ],
  },
  {
    programs:
      'isort autopep8 yapf docformatter pyupgrade autoflake gofumpt goimports rustfmt prettierd taplo sqlfluff sqlfmt buf stylua luaformatter ormolu fourmolu nixfmt alejandra',
    rule: {
      does: 'write.workspace',
      operands: 'data',
      harmless: '--check --check-only -c --diff --dry-run -l --version --show-files',
      options: {
        ok: '--check --check-only -c --diff -d --dry-run -l --version -V -q --quiet -v --verbose --profile: --line-length: --stdout --show-files --color --edition: --emit: -r --recursive --max-line-length: --aggressive -a --filter-files --skip: --src: --settings-path: --sp:',
        'write.workspace': '-i --in-place -w',
      },
    },
    examples: [
      ['safe', 'isort --check-only .'],
      ['safe', 'rustfmt --check a.rs'],
      ['dangerous', 'isort .'],
    ],
  },
  {
    programs: 'ruff',
    rule: {
      bare: 'read',
      options: { ok: '-v --verbose -q --quiet -s --silent --version -V -h --help --isolated --color:', 'exec.inline': '--config:' },
      commands: {
        check: {
          options: {
            ok: '--diff --show-fixes --show-files --show-settings --statistics --select: --ignore: --extend-select: --output-format: --target-version: --preview --no-preview --no-cache -n --exclude: --extend-exclude: --watch -w -e --exit-zero --exit-non-zero-on-fix --unsafe-fixes --no-fix --per-file-ignores: --line-length: --stdin-filename: --respect-gitignore --force-exclude --fixable: --unfixable: --config:',
            'write.workspace': '--fix --fix-only --add-noqa',
            write: '-o: --output-file: --cache-dir:',
          },
        },
        format: {
          does: 'write.workspace',
          harmless: '--check',
          operands: 'data',
          options: {
            ok: '--check --diff --line-length: --preview --target-version: --no-cache -n --exclude: --stdin-filename: --quiet --range: --config:',
          },
        },
        'rule|config|linter|lint|version|help|analyze|generate-shell-completion': 'read',
        'server|clean': 'write.workspace',
      },
    },
    examples: [
      ['safe', 'ruff check src/'],
      ['safe', 'ruff format --check .'],
      ['dangerous', 'ruff check --fix'],
      ['dangerous', 'ruff format .'],
    ],
  },
  {
    programs: 'shellcheck',
    rule: {
      operands: 'read',
      options: {
        ok: '-a -C? -e: -f: -i: -o: -P: -s: -S: -V -W: -x --norc --severity: --format: --exclude: --shell: --color? --enable:',
        read: '--rcfile:',
      },
    },
    examples: [
      ['safe', 'shellcheck a.sh'],
      ['dangerous', 'shellcheck .env'],
    ],
  },
  {
    programs: 'pre-commit',
    rule: {
      options: { ok: '--version -V -h --help --color:' },
      commands: {
        'help|validate-config|validate-manifest': 'read',
        'run|install|uninstall|autoupdate|migrate-config|sample-config|clean|gc|try-repo|init-templatedir|install-hooks|hook-impl|hazmat':
          'exec.package',
      },
    },
    examples: [
      ['safe', 'pre-commit validate-config'],
      ['dangerous', 'pre-commit run --all-files'],
    ],
  },
  {
    programs: 'openssl',
    rule: {
      singleDash: true,
      strict: true,
      commands: {
        'version|help|list|ciphers|errstr': {
          options: {
            ok: '-a -b -d -e -f -m -o -p -r -v -c -s -cipher-commands -digest-commands -standard-commands -commands -cipher-algorithms -digest-algorithms -public-key-algorithms -kdf-algorithms -mac-algorithms -random-generators -disabled -1 -V -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname -psk -srp -ssl3 -ciphersuites: -convert: -providers -verbose -select: -all-algorithms -providers',
          },
          operands: 'data',
        },
        x509: {
          does: 'write.workspace',
          why: 'may write a certificate',
          harmless: '-noout',
          options: {
            ok: '-noout -text -in: -inform: -issuer -subject -dates -startdate -enddate -serial -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -purpose -checkend: -checkhost: -checkemail: -checkip: -pubkey -modulus -email -ocsp_uri -ocspid -alias -hash -subject_hash -issuer_hash -ext: -nameopt: -certopt: -dateopt:',
            'exec.inline': '-engine: -provider: -provider-path:',
            'write.workspace':
              '-out: -req -signkey: -CA: -CAkey: -x509toreq -new -set_serial: -days: -extfile: -CAcreateserial -CAserial: -force_pubkey: -outform: -C',
            'read.secret': '-passin: -key: -keyform:',
          },
        },
        'req|crl|pkcs7|ts|ocsp|verify|asn1parse|crl2pkcs7|storeutl|cms|smime|spkac': {
          does: 'write.workspace',
          harmless: '-noout',
          options: {
            ok: '-noout -text -in: -inform: -verify -subject -issuer -lastupdate -nextupdate -print_certs -CAfile: -CApath: -untrusted: -verbose -i -offset: -length: -strparse: -pubkey -modulus -nameopt: -show_chain -purpose:',
            'exec.inline': '-engine: -provider: -provider-path:',
            'write.workspace': '-out: -new -newkey: -keyout: -x509 -key: -sign -encrypt -decrypt -days: -nodes -subj: -config:',
          },
        },
        's_client|s_time': {
          does: 'net.read',
          options: {
            ok: '-connect: -host: -port: -servername: -noservername -showcerts -starttls: -CAfile: -CApath: -verify: -verify_return_error -verify_hostname: -brief -quiet -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -cipher: -ciphersuites: -alpn: -status -prexit -ign_eof -no_ign_eof -msg -state -debug -4 -6 -crlf -nextprotoneg: -groups: -sigalgs: -curves: -name: -tlsextdebug -security_debug -nbio -bugs -timeout: -new -reuse -time: -www:',
            'net.send': '-cert: -key: -proxy: -proxy_user: -psk: -sess_in: -early_data:',
            'write.workspace': '-sess_out: -keylogfile: -keymatexport:',
            'exec.inline': '-engine: -provider: -provider-path: -ssl_config:',
          },
        },
        'genrsa|genpkey|gendsa|ecparam|dsaparam|dhparam|enc|dgst|rsa|pkey|pkcs8|pkcs12|ec|rand|ca|speed|passwd|s_server|rehash|md5|sha1|sha256|sha512|sha384|sha224|base64|aes-256-cbc|prime|rsautl|pkeyutl|pkeyparam|srp|tsget|sess_id|mac|kdf|fipsinstall|info|nseq|dsa|skeyutl|configutl':
          { does: 'write.workspace', why: 'makes or shows keys, or writes what it computes', operands: 'data', strict: false },
      },
    },
    examples: [
      ['safe', 'openssl version -a'],
      ['safe', 'openssl x509 -noout -text -in cert.pem'],
      ['safe', 'openssl s_client -connect example.com:443'],
      ['dangerous', 'openssl enc -d -aes-256-cbc -in a -out b'],
      ['dangerous', 'openssl x509 -in a.pem -out b.der'],
    ],
  },
  {
    programs: 'age sops pass gopass op bw lpass keybase chezmoi keytool jarsigner signtool xmlsec1 pwgen makepasswd',
    rule: { does: 'read.secret', why: 'works on keys or secrets', constrain: 'exact', harmless: '--version', options: { ok: '--version' } },
    examples: [
      ['safe', 'sops --version'],
      ['dangerous', 'sops -d a.yml'],
      ['dangerous', 'pass show x'],
    ],
  },
  {
    programs: 'fzf sk',
    rule: {
      handler: 'fzf',
      options: {
        ok: '-e --exact +e -i --ignore-case +i --no-ignore-case --smart-case --scheme: --algo: -x --extended +x --no-extended -n: --nth: --with-nth: --accept-nth: -d: --delimiter: +s --no-sort -s? --sort? --track --no-track --tac --disabled --phony --tiebreak: --literal --read0 --print0 --sync --no-tty-default --ansi --no-ansi --color: --no-color --bold --no-bold --black --style: --height: --min-height: --tmux? --layout: --reverse --no-reverse --margin: --padding: --border? --no-border --border-label: --border-label-pos: -m? --multi? +m --no-multi --highlight-line --cycle --no-cycle --wrap --wrap-sign: --no-multi-line --raw --gap? --gap-line? --freeze-left: --freeze-right: --keep-right --scroll-off: --hscroll --no-hscroll --hscroll-off: --jump-labels: --gutter: --gutter-raw: --pointer: --marker: --marker-multi-line: --ellipsis: --tabstop: --scrollbar? --no-scrollbar --list-border? --list-label: --list-label-pos: --no-input --prompt: --info: --no-info --separator: --no-separator --ghost: --filepath-word --input-border? --input-label: --input-label-pos: --preview-window: --preview-border? --preview-label: --preview-label-pos: --header: --header-lines: --header-first --header-border? --header-label: --header-label-pos: --header-lines-border? --footer: --footer-border? --footer-label: --footer-label-pos: --expect: --toggle-sort: --print-query -q: --query: -1 --select-1 -0 --exit-0 -f: --filter: --walker: --walker-root: --walker-skip: --history-size: --bash --zsh --fish --version -h --help --man --ambidouble --no-mouse --no-unicode --unicode --threads: --bench: --preview: --bind: --listen? --no-listen --history:',
        'exec.inline': '--listen-unsafe? --with-shell: --profile-cpu: --info-command: --proxy-script: --become:',
      },
    },
    examples: [
      ['safe', 'fzf --height=50% --layout=reverse'],
      ['safe', "fzf --preview='cat {}'"],
      ['dangerous', "fzf --bind='enter:execute(vim {})'"],
      ['dangerous', "fzf --preview='touch {}'"],
      ['destructive', "fzf --preview='rm -rf /'"],
    ],
  },
  {
    programs: 'rtk',
    rule: { handler: 'rtk' },
    examples: [
      ['safe', 'rtk git log'],
      ['dangerous', 'rtk git push'],
      ['dangerous', 'rtk'],
    ],
  },
  {
    programs:
      'prometheus promtool alertmanager grafana-server loki nginx apache2 apachectl httpd caddy traefik haproxy envoy varnishd squid memcached vsftpd sshd dockerd containerd kubelet crond rsyslogd tailscaled openvpn wg wg-quick mitmproxy mitmdump http-server serve live-server json-server webpack-dev-server browser-sync localtunnel lt',
    rule: {
      does: 'exec.script',
      why: 'starts a service',
      constrain: 'exact',
      harmless: '--version --help --help-long --help-man -v -V -h version',
      options: { ok: '--version --help --help-long --help-man -v -V -h' },
    },
    examples: [
      ['safe', 'prometheus --version'],
      ['safe', 'prometheus --help-long'],
      ['dangerous', 'prometheus --log.level=debug'],
    ],
  },
];
