import { type Entry } from '../rules/rule.js';

/** Programs that run the command that follows. */
export const wrappers: readonly Entry[] = [
  {
    programs: 'env genv',
    rule: {
      handler: 'env',
      options: {
        ok: '-i --ignore-environment -0 --null -u: --unset: -S: --split-string: -v --debug --block-signal? --default-signal? --ignore-signal? --list-signal-handling',
        unknown: '-C: --chdir: -P: -L: -U:',
      },
    },
    examples: [
      ['safe', 'env'],
      ['safe', 'env LANG=C sort a.txt'],
      ['dangerous', 'env LD_PRELOAD=./x.so ls'],
      ['dangerous', 'env -C / ls'],
      ['destructive', "env -S 'rm -rf /'"],
    ],
  },
  {
    programs: 'nohup setsid',
    rule: { handler: 'wrapper', options: { ok: '-c --ctty -f --fork -w --wait' } },
    examples: [
      ['safe', 'nohup ls'],
      ['destructive', 'setsid rm -rf / > /dev/null'],
    ],
  },
  {
    programs: 'nice gnice',
    rule: { handler: 'wrapper', options: { ok: '-n: --adjustment: -1 -2 -3 -4 -5 -6 -7 -8 -9 -0' } },
    examples: [
      ['safe', 'nice -n 5 grep foo a'],
      ['dangerous', 'nice touch x'],
    ],
  },
  {
    programs: 'ionice',
    rule: { handler: 'wrapper', options: { ok: '-c: -n: -t --class: --classdata: --ignore', 'proc.signal': '-p: --pid:' } },
    examples: [
      ['safe', 'ionice -c3 ls'],
      ['dangerous', 'ionice -c3 touch x'],
    ],
  },
  {
    programs: 'timeout gtimeout',
    rule: {
      handler: 'wrapper',
      arity: 1,
      options: { ok: '-k: --kill-after: -s: --signal: --preserve-status --foreground -v --verbose -f -p' },
    },
    examples: [
      ['safe', 'timeout 5 ls'],
      ['dangerous', 'timeout -k 1 -s KILL 5 touch x'],
      ['destructive', 'timeout 30 rm -rf /'],
    ],
  },
  {
    programs: 'stdbuf gstdbuf',
    rule: { handler: 'wrapper', options: { ok: '-i: -o: -e: --input: --output: --error:' } },
    examples: [
      ['safe', 'stdbuf -oL grep a b'],
      ['dangerous', 'stdbuf -oL touch x'],
    ],
  },
  {
    programs: 'time gtime',
    rule: { handler: 'wrapper', options: { ok: '-p -v -f: --format: --portability --verbose -q -a -l', write: '-o: --output:' } },
    examples: [
      ['safe', 'time ls'],
      ['dangerous', '/usr/bin/time -o log ls'],
    ],
  },
  {
    programs: 'caffeinate',
    rule: { handler: 'wrapper', options: { ok: '-d -i -m -s -u -t: -w:' } },
    examples: [
      ['safe', 'caffeinate -i ls'],
      ['dangerous', 'caffeinate rm foo'],
    ],
  },
  {
    programs: 'arch',
    rule: { handler: 'arch' },
    examples: [
      ['safe', 'arch'],
      ['safe', 'arch -x86_64 ls'],
      ['dangerous', 'arch -arm64 rm foo'],
    ],
  },
  {
    programs:
      'chronic unbuffer taskset chrt strace ltrace dtruss perf gdb lldb valgrind heaptrack faketime proot fakeroot fakechroot unshare nsenter firejail bwrap systemd-run dbus-run-session xvfb-run hyperfine entr direnv aws-vault doppler infisical dotenv dotenvx with-lock-ex daemonize start-stop-daemon cgexec prlimit setarch linux32 linux64 numactl rlwrap runuser setpriv capsh chpst softlimit envdir s6-setuidgid tini dumb-init gosu su-exec pueue nodemon watchexec reflex cargo-watch',
    rule: {
      handler: 'generic',
      does: 'exec.inline',
      why: 'runs another program in its own way',
      options: { ok: '-e: -p: -c: -n: -m: -s: -u: -g:', write: '-o: --output:' },
    },
    examples: [
      ['dangerous', 'strace -o /tmp/x ls'],
      ['dangerous', 'chronic touch x'],
      ['destructive', 'chronic rm -rf /'],
      ['destructive', 'strace rm -rf /'],
    ],
  },
  {
    programs: 'flock',
    rule: {
      handler: 'generic',
      does: 'exec.inline',
      why: 'runs another program under a lock',
      arity: 1,
      options: { ok: '-n -x -s -u -o -w: -E: -e -F', shell: '-c: --command:' },
    },
    examples: [
      ['dangerous', 'flock /tmp/l touch x'],
      ['destructive', 'flock /tmp/l rm -rf /'],
    ],
  },
  {
    programs: 'busybox toybox',
    rule: { handler: 'wrapper' },
    examples: [
      ['safe', 'busybox ls'],
      ['destructive', 'busybox rm -rf /'],
    ],
  },
  {
    programs: 'xargs gxargs',
    rule: {
      handler: 'xargs',
      options: {
        ok: '-0 --null -d: --delimiter: -E: -e? --eof? -I: -i? --replace? -J: -L: -l? --max-lines? -n: --max-args: -P: --max-procs: -r --no-run-if-empty -R: -S: -s: --max-chars: -t --verbose -x --exit --process-slot-var: --show-limits --help --version',
        read: '-a: --arg-file:',
        unknown: '-p --interactive -o --open-tty',
      },
    },
    examples: [
      ['safe', "find . -name '*.ts' | xargs grep -l foo"],
      ['safe', 'xargs -n1 echo'],
      ['dangerous', 'echo x | xargs touch'],
      ['dangerous', "xargs sh -c 'touch $0'"],
      ['destructive', 'echo / | xargs rm -rf'],
      ['destructive', 'xargs rm -rf / < /dev/null'],
    ],
  },
  {
    programs: 'parallel sem',
    rule: {
      handler: 'parallel',
      options: {
        ok: '-j: --jobs: -P: --max-procs: -k --keep-order -n: -N: --max-args: -L: -l: -m -X -q --quote -0 --null -d: --delimiter: -a: --arg-file: -I: -i? --bar --eta --progress --dry-run --dryrun -t --verbose -v -u --ungroup --line-buffer --lb --tag --tagstring: --halt: --timeout: --delay: --retries: --joblog: --results: --colsep: -C: --header: --plus --no-notice --will-cite --shuf --pipe --block: --resume --resume-failed -r --no-run-if-empty -x --xapply --link --env: --wd: --nice: --load: --memfree: --files --group -g',
        'net.send': '-S: --sshlogin: --sshloginfile: --transferfile: --return:',
      },
    },
    examples: [
      ['dangerous', 'parallel touch ::: x'],
      ['destructive', 'parallel rm -rf ::: /'],
    ],
  },
  {
    programs: 'watch viddy',
    rule: {
      handler: 'commandLine',
      does: 'exec.inline',
      why: 'runs a command again and again',
      options: {
        ok: '-n: --interval: -d? --differences? -t --no-title -b --beep -e --errexit -g --chgexit -c --color -x --exec -p --precise -w',
      },
    },
    examples: [
      ['dangerous', 'watch ls'],
      ['destructive', "watch 'rm -rf /'"],
    ],
  },
  {
    programs: 'script',
    rule: {
      handler: 'generic',
      does: ['exec.inline', 'write.outside'],
      why: 'runs a command and records it',
      arity: 1,
      options: {
        ok: '-q -a -f -e -k -r -p -d -F -T: -t? -m: -E: --quiet --append --flush --return',
        shell: '-c: --command:',
        write: '-O: -I: -B: --log-out:',
      },
    },
    examples: [
      ['dangerous', "script -c 'touch x' /dev/null"],
      ['destructive', "script -qc 'rm -rf /' /dev/null"],
      ['destructive', 'script -q /dev/null rm -rf /'],
    ],
  },
  {
    programs: 'sudo doas pkexec run0 please dzdo gksudo kdesudo calife super',
    rule: {
      handler: 'generic',
      does: 'privilege',
      why: 'acts with the rights of another user',
      options: {
        ok: '-A -b -E -e -H -h: -i -K -k -l -n -P -p: -r: -S -s -t: -T: -U: -u: -v -g: -C: -D: -R: --user: --group: --login --shell --non-interactive --preserve-env? --stdin --askpass',
      },
    },
    examples: [
      ['destructive', 'sudo ls'],
      ['destructive', 'sudo -u root rm a'],
      ['destructive', 'doas ls'],
      ['dangerous', 'sudoku'],
    ],
  },
  {
    programs: 'su sg newgrp chroot',
    rule: {
      handler: 'commandLine',
      does: 'privilege',
      why: 'acts with the rights of another user',
      options: { ok: '- -l --login -m -p --preserve-environment -s: --shell: -g: -G: -w: -P', shell: '-c: --command:' },
      arity: 1,
    },
    examples: [
      ['destructive', 'su -'],
      ['destructive', 'su root -c ls'],
      ['destructive', "su -c 'rm -rf /'"],
      ['dangerous', 'suu'],
    ],
  },
];
