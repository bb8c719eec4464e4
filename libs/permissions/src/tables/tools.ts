import { type Entry } from '../rules/rule.js';

/** Small tools that ask in one form and change in another: version managers, sessions, keys, task runners, checkers of single files. */
export const tools: readonly Entry[] = [
  {
    programs: 'tmux',
    rule: {
      does: 'exec.inline',
      why: 'runs commands in a terminal of its own',
      options: { ok: '-V -v -u -2 -l -C -D -N', 'exec.inline': '-c: -f:', 'env.inject': '-L: -S: -T:' },
      commands: {
        'ls|list-sessions|lsw|list-windows|lsp|list-panes|lsc|list-clients|has|has-session|show|show-options|showw|show-window-options|lsk|list-keys|lscm|list-commands|lsb|list-buffers|info|server-info':
          { does: 'read', options: { ok: '-a -s -t: -g -w -v -A -q -N -T: -P: -1', 'exec.inline': '-F: -f:' }, operands: 'data' },
        'capturep|capture-pane': { does: 'write.outside', harmless: '-p', options: { ok: '-p -a -e -C -J -q -t: -S: -E: -N -P -T -b:' } },
        'kill-server|kill-session|kill-window|kill-pane|killw|killp': 'proc.signal',
      },
    },
    examples: [
      ['safe', 'tmux ls'],
      ['safe', 'tmux capture-pane -p -t work'],
      ['dangerous', 'tmux new -d make'],
      ['dangerous', "tmux ls -F '#(touch x)'"],
      ['dangerous', 'tmux send-keys -t a ls'],
    ],
  },
  {
    programs: 'screen',
    rule: {
      does: 'exec.inline',
      why: 'runs commands in a terminal of its own',
      harmless: '-ls -list',
      singleDash: true,
      options: { ok: '-ls -list' },
    },
    examples: [
      ['safe', 'screen -ls'],
      ['dangerous', 'screen -dm make'],
    ],
  },
  {
    programs: 'top',
    rule: {
      does: 'exec.inline',
      why: 'is interactive',
      harmless: '-b',
      options: { ok: '-b -n: -o: -p: -u: -U: -d: -H -c -i -l: -s: -w? -S -1 -E: -e: -h -v' },
    },
    examples: [
      ['safe', 'top -b -n 1'],
      ['dangerous', 'top'],
    ],
  },
  {
    programs: 'ssh-keygen',
    rule: {
      does: 'write.sensitive',
      why: 'makes or changes keys',
      strict: true,
      harmless: '-l -B',
      options: {
        ok: '-l -B -f: -v -E: -F: -H',
        'write.sensitive': '-R: -C: -N: -P: -p -c -t: -b: -a: -s: -I: -n: -O: -z: -V: -k -A -q -M: -g -i -r: -D: -K -U -h -u',
        'read.secret': '-y -e -Y: -Q -L',
      },
    },
    examples: [
      ['safe', 'ssh-keygen -lf id.pub'],
      ['dangerous', 'ssh-keygen -t ed25519 -f id'],
      ['dangerous', 'ssh-keygen -l -R host'],
    ],
  },
  {
    programs: 'ssh-add',
    rule: { does: 'write.sensitive', why: 'hands keys to the agent', strict: true, harmless: '-l -L', options: { ok: '-l -L -E: -v -q' } },
    examples: [
      ['safe', 'ssh-add -l'],
      ['dangerous', 'ssh-add'],
      ['dangerous', 'ssh-add -D'],
    ],
  },
  {
    programs: 'gpg gpg2',
    rule: {
      does: 'read.secret',
      why: 'works on keys or secrets',
      constrain: 'exact',
      strict: true,
      harmless: '--version -k --list-keys --list-public-keys -K --list-secret-keys --fingerprint --list-sigs --check-sigs --verify',
      options: {
        ok: '--version -k --list-keys --list-public-keys -K --list-secret-keys --fingerprint --list-sigs --check-sigs --verify --keyid-format: --with-colons --with-fingerprint --with-subkey-fingerprint --no-tty --batch -q --quiet -v --verbose',
      },
    },
    examples: [
      ['safe', 'gpg --list-keys --keyid-format long'],
      ['safe', 'gpg --version'],
      ['dangerous', 'gpg -d a.gpg'],
      ['dangerous', 'gpg --list-keys --photo-viewer x'],
    ],
  },
  {
    programs: 'tailscale',
    rule: {
      bare: 'read',
      options: {
        ok: '--version -h --help --json --active --peers --self --4 --6 -4 -6 -1 --verbose --every: -c: --timeout: --tsmp --icmp',
      },
      commands: {
        'status|ip|version|netcheck|ping|whois': 'net.read',
        'up|down|set|login|logout|switch|ssh|nc|serve|funnel|file|cert|configure|exit-node|update|web|bugreport|lock|drive|debug|dns|metrics|syspolicy|licenses':
          { does: 'net.send', operands: 'data' },
      },
    },
    examples: [
      ['safe', 'tailscale status --json'],
      ['dangerous', 'tailscale up'],
    ],
  },
  {
    programs: 'shfmt',
    rule: {
      operands: 'read',
      strict: true,
      options: {
        ok: '-d --diff -l --list -s --simplify -i: --indent: -bn --binary-next-line -ci --case-indent -sr --space-redirects -kp -fn -ln: --language-dialect: -p --posix -f --find -mn --version --tojson --filename:',
        'write.workspace': '-w --write',
      },
      singleDash: true,
    },
    examples: [
      ['safe', 'shfmt -d a.sh'],
      ['dangerous', 'shfmt -w a.sh'],
    ],
  },
  {
    programs: 'hadolint yamllint jsonlint actionlint dotenv-linter',
    rule: {
      operands: 'read',
      options: {
        ok: '-f: --format: -s --strict -v --version --verbose -V --no-color --no-fail -t: --failure-threshold: --ignore: -d: --config-data: --no-warnings --list-files -q --quiet -c: --config: --config-file:',
        'exec.inline': '-shellcheck: -pyflakes:',
        'write.workspace': '-i --in-place --fix',
      },
    },
    examples: [
      ['safe', 'hadolint Dockerfile'],
      ['safe', 'yamllint -d relaxed a.yml'],
      ['dangerous', 'jsonlint -i a.json'],
    ],
  },
  {
    programs: 'code',
    rule: {
      does: 'exec.inline',
      why: 'opens an editor, or installs extensions',
      harmless: '--version -v --list-extensions -s --status',
      options: {
        ok: '--version -v --list-extensions --show-versions --category: -s --status',
        'exec.package': '--install-extension: --uninstall-extension: --update-extensions',
      },
    },
    examples: [
      ['safe', 'code --list-extensions'],
      ['dangerous', 'code .'],
      ['dangerous', 'code --list-extensions --install-extension x'],
    ],
  },
  {
    programs: 'nvidia-smi rocm-smi',
    rule: {
      does: 'read',
      strict: true,
      options: {
        ok: '-L --list-gpus -q --query --query-gpu: --query-compute-apps: --format: -i: --id: -l: --loop: -lms: -x --xml-format -d: --display: -h --help --version --showuse --showmemuse --showtemp --showid -a',
        write: '-f: --filename:',
      },
      operands: 'data',
    },
    examples: [
      ['safe', 'nvidia-smi --query-gpu=name,memory.used --format=csv'],
      ['dangerous', 'nvidia-smi -pm 1'],
    ],
  },
  {
    programs: 'ffprobe',
    rule: {
      operands: 'net',
      singleDash: true,
      options: {
        ok: '-v: -loglevel: -hide_banner -show_format -show_streams -show_packets -show_frames -show_entries: -select_streams: -of: -print_format: -i: -pretty -count_frames -version',
        write: '-o: -report',
      },
    },
    examples: [
      ['safe', 'ffprobe -v error -show_format a.mp4'],
      ['dangerous', 'ffprobe -o out.txt a.mp4'],
    ],
  },
];
