import { type Entry } from '../rules/rule.js';

/** Core utilities that read files or say something about the system, and those of their options that do more. */
export const reading: readonly Entry[] = [
  {
    programs:
      'cat tac nl head tail wc gwc ghead gtail zcat gzcat bzcat xzcat zstdcat lz4cat lzcat hexdump od strings fold fmt expand unexpand paste join comm look cksum sum md5sum md5 shasum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum xxhsum crc32 rev column cut gcut colrm numfmt pr tsort ptx uuencode readelf objdump nm size addr2line mediainfo pdfinfo pdffonts zipinfo lsattr getfattr getfacl catdoc antiword cmp gcmp diff gdiff diff3 colordiff icdiff csvcut csvgrep csvstat loc gron jc base32 basenc',
    rule: { operands: 'read' },
    examples: [
      ['safe', 'cat README.md'],
      ['safe', 'head -n 20 src/index.ts'],
      ['safe', 'wc -l < a.txt'],
      ['safe', 'diff -u a b'],
      ['safe', 'cut -d: -f1 /etc/passwd'],
      ['dangerous', 'cat .env'],
      ['dangerous', 'head -5 ~/.ssh/id_ed25519'],
      ['dangerous', 'cat /proc/1/environ'],
    ],
  },
  {
    programs: 'bat batcat glow delta difft sdiff csvlook xsv qsv mlr miller tokei cloc scc hexyl',
    rule: {
      operands: 'read',
      options: {
        ok: '-n -p -l: -r: -A --style: --color: --paging: --theme: --language: --line-range: --wrap: --plain --number -s -w: -W -i -B -E -b',
        write: '-o: --output:',
        'exec.inline': '--pager: --diff-program: cache -I',
      },
    },
    examples: [
      ['safe', 'bat --style=plain a.ts'],
      ['dangerous', 'bat --pager sh a.ts'],
    ],
  },
  {
    programs: 'grep egrep fgrep ggrep zgrep zegrep zfgrep bzgrep xzgrep pcregrep pcre2grep',
    rule: {
      operands: 'pattern',
      options: {
        ok: '-e: --regexp: -m: --max-count: -A: -B: -C: --after-context: --before-context: --context: --include: --exclude: --exclude-dir: --exclude-from: --color? --colour? --label: -d: -D: --binary-files: --directories: --devices: -i -v -w -x -c -l -L -n -o -q -s -r -R -E -F -G -P -H -h -a -I -Z -z -U -T -b -y',
        read: '-f: --file:',
      },
    },
    examples: [
      ['safe', "grep -rn 'DROP TABLE' migrations"],
      ['safe', "grep -E 'a|b' file"],
      ['dangerous', 'grep KEY .env.production'],
      ['dangerous', 'grep -f ~/.ssh/id_rsa a'],
    ],
  },
  {
    programs: 'rg ripgrep',
    rule: {
      operands: 'pattern',
      strict: true,
      options: {
        ok: '-e: --regexp: -A: --after-context: -B: --before-context: -C: --context: -c --count --count-matches -i --ignore-case -s --case-sensitive -S --smart-case -v --invert-match -w --word-regexp -x --line-regexp -l --files-with-matches --files-without-match -L --follow -n --line-number -N --no-line-number -o --only-matching -q --quiet -r: --replace: -t: --type: -T: --type-not: -g: --glob: --iglob: -u --unrestricted -U --multiline --multiline-dotall -F --fixed-strings -P --pcre2 --no-pcre2 -a --text -b --byte-offset -E: --encoding: -H --with-filename -I --no-filename -j: --threads: -m: --max-count: -M: --max-columns: --max-columns-preview --max-depth: -d: --max-filesize: -p --pretty --sort: --sortr: --stats --trim -V --version --vimgrep --files --type-list --hidden -. --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-global --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-messages --no-messages --color: --colors: --column --no-column --heading --no-heading --json --null -0 --null-data --crlf --no-config --context-separator: --field-match-separator: --field-context-separator: --block-buffered --line-buffered --engine: --auto-hybrid-regex --dfa-size-limit: --regex-size-limit: --glob-case-insensitive --ignore-file-case-insensitive --include-zero --mmap --no-mmap --no-unicode --one-file-system --passthru --path-separator: --print0 --type-add: --type-clear: --debug --trace --help -h --hyperlink-format: --stop-on-nonmatch --no-require-git --generate: --pcre2-version --binary --no-binary --no-follow --no-hidden --no-json --no-trim --no-stats --max-columns: --ignore --ignore-vcs',
        read: '-f: --file: --ignore-file:',
        shell: '--pre: --hostname-bin:',
        'exec.inline': '-z --search-zip --pre-glob:',
      },
    },
    examples: [
      ['safe', "rg 'chmod 777' ."],
      ['safe', 'rg -n "foo" -g "*.ts"'],
      ['dangerous', 'rg --pre sh foo'],
      ['dangerous', 'rg --frobnicate foo'],
      ['destructive', "rg --pre 'rm -rf /' x"],
    ],
  },
  {
    programs: 'ag ack ugrep ug',
    rule: {
      operands: 'pattern',
      options: {
        'exec.inline': '--pager: --filter: --output:',
        write: '--save-config',
        ok: '-G: --ignore: -A? -B? -C? -m: --depth: --path-to-ignore:',
      },
    },
    examples: [
      ['safe', 'ag foo src'],
      ['dangerous', 'ag --pager sh foo'],
    ],
  },
  {
    programs:
      'ls gls dir vdir exa eza lsd du gdu df duf dust stat gstat file realpath grealpath readlink greadlink basename dirname pathchk namei mountpoint findmnt lsblk locate mlocate plocate mdfind mdls whereis which where type tput help groups users who w last lastlog finger logname tty uname cal ncal uptime free vmstat iostat mpstat pidstat sar nproc getconf lscpu lsmem lsusb lspci lsmod modinfo lsns ps pstree pgrep pidof procs jobs times locale getent id whoami pwd echo true false : seq sleep usleep factor bc dc expr tr gtr yes cowsay figlet toilet lolcat banner clear printenv wait return break continue shift exit logout dirs caller compgen sw_vers system_profiler vm_stat dyld_info otool dwarfdump neofetch fastfetch screenfetch inxi hostid dpkg-architecture lsb_release acpi sensors xdpyinfo fc-list fc-match zdump uuidgen mcookie getopt tldr',
    rule: {},
    examples: [
      ['safe', 'ls -la /tmp'],
      ['safe', 'echo "sudo rm -rf / && mkfs"'],
      ['safe', 'ps aux'],
      ['safe', 'stat ~/.ssh/id_rsa'],
      ['dangerous', 'echo hi > out.txt'],
      ['dangerous', './ls'],
    ],
  },
  {
    programs: 'tree',
    rule: {
      options: {
        write: '-o:',
        ok: '-L: -P: -I: --charset: --filelimit: --timefmt: --sort? --fromfile -a -d -f -i -l -x -s -h -D -F -q -N -Q -p -u -g -n -C -r -t -c -U -v -J -X -H: -T: -A -S',
      },
    },
    examples: [
      ['safe', 'tree -L 2'],
      ['dangerous', 'tree -o out.txt'],
    ],
  },
  {
    programs: 'lsof',
    rule: { options: { ok: '-i? -p: -u: -c: -d: -t -n -P -a -l -s? -g? -r? +D: -F? -T? -w -b -C -K -N -R -U -V -v -X -h', write: '-D:' } },
    examples: [
      ['safe', 'lsof -i :8080'],
      ['dangerous', 'lsof > out'],
    ],
  },
  {
    programs: 'fd fdfind',
    rule: {
      strict: true,
      handler: 'fd',
      options: {
        ok: '-H --hidden -I --no-ignore -u --unrestricted -s --case-sensitive -i --ignore-case -g --glob --regex -F --fixed-strings -a --absolute-path -l --list-details -L --follow -p --full-path -0 --print0 -d: --max-depth: --min-depth: --exact-depth: --prune -t: --type: -e: --extension: -E: --exclude: -S: --size: --changed-within: --changed-before: --newer: --older: -o: --owner: -c: --color: -j: --threads: --max-results: -1 -q --quiet --show-errors --base-directory: -C: --path-separator: --search-path: --strip-cwd-prefix? --one-file-system --xdev --and: -h --help -V --version --no-ignore-vcs --no-ignore-parent --no-global-ignore-file --ignore-file: --format: --hyperlink? --no-require-git --gen-completions? --batch-size: --max-buffer-time: --no-hidden --ignore --relative-path --no-follow --mount --maxdepth:',
      },
    },
    examples: [
      ['safe', 'fd -e ts'],
      ['safe', 'fd pattern -x cat'],
      ['dangerous', 'fd -x touch'],
      ['dangerous', 'fd . -X rm'],
    ],
  },
  {
    programs: 'find gfind',
    rule: {
      handler: 'find',
      options: {
        ok: '-name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -regextype: -type: -xtype: -size: -empty -mtime: -atime: -ctime: -mmin: -amin: -cmin: -newer: -anewer: -cnewer: -newermt: -newerat: -newerct: -newermm: -neweraa: -newercc: -newerBt: -newerma: -perm: -user: -group: -uid: -gid: -nouser -nogroup -readable -writable -executable -links: -inum: -samefile: -lname: -ilname: -fstype: -maxdepth: -mindepth: -depth -d -daystart -follow -mount -xdev -noleaf -prune -quit -true -false -print -print0 -printf: -ls -a -and -o -or -not -used: -context: -ignore_readdir_race -noignore_readdir_race -warn -nowarn -help --help -version --version -L -H -P -E -X -x -s -mnewer: -Bmin: -Btime: -Bnewer: -flags: -acl -sparse',
        unknown: '-files0-from: -f:',
      },
    },
    examples: [
      ['safe', "find . -name '*.ts' -type f"],
      ['safe', 'find . -type f -exec cat {} \\;'],
      ['dangerous', 'find . -delete'],
      ['dangerous', 'find . -exec touch {} +'],
      ['dangerous', 'find . -fprint out.txt'],
      ['dangerous', 'find . -name x $ARGS'],
      ['dangerous', 'find . -name .env -exec cat {} +'],
      ['destructive', 'find / -delete'],
      ['destructive', 'find ~ -type f -delete'],
      ['destructive', 'find / -exec rm -rf {} +'],
    ],
  },
  {
    programs:
      'less more most man info vim vi nvim view ex nano emacs pico joe micro ed red htop btop atop glances iotop nethogs zellij mc ranger nnn lf vifm tig lazygit lazydocker k9s watchman pinfo xdg-open gvim subl kate gedit mate hx helix kak',
    rule: { does: 'exec.inline', why: 'is interactive, and runs commands that are typed into it' },
    examples: [
      ['dangerous', 'less a.txt'],
      ['dangerous', 'vim a.txt'],
      ['safe', 'vim --version'],
    ],
  },
  {
    programs: 'date gdate',
    rule: {
      handler: 'date',
      options: {
        ok: '-d: --date: -I? --iso-8601? -R --rfc-email --rfc-3339: -u --utc --universal -r: --reference: -j -v: --debug',
        read: '-f: --file:',
        'write.sensitive': '-s: --set:',
      },
    },
    examples: [
      ['safe', "date -u -d '2 days ago' +%F"],
      ['dangerous', "date -s '2020-01-01'"],
      ['dangerous', 'date 010100002020'],
    ],
  },
  {
    programs: 'hostname domainname dnsdomainname ypdomainname',
    rule: {
      handler: 'changesWith',
      options: {
        ok: '-f -s -i -I -a -A -d -y --fqdn --long --short --ip-address --all-ip-addresses --alias --all-fqdns --domain',
        'write.sensitive': '-F: --file: -b',
      },
    },
    examples: [
      ['safe', 'hostname -f'],
      ['dangerous', 'hostname newname'],
    ],
  },
  {
    programs: 'dmesg',
    rule: {
      strict: true,
      options: {
        ok: '-H --human -k --kernel -l: --level: -L? --color? -P --nopager -p --force-prefix -r --raw -S --syslog -s: --buffer-size: -T --ctime -t --notime --time-format: -u --userspace -w --follow -W --follow-new -x --decode -f: --facility: -d --show-delta -e --reltime --since: --until: -J --json -F: --file: -h --help -V --version --noescape -a',
        'write.sensitive': '-C --clear -c --read-clear -D --console-off -E --console-on -n: --console-level:',
      },
    },
    examples: [
      ['safe', 'dmesg -T'],
      ['dangerous', 'dmesg -C'],
      ['dangerous', 'dmesg -TcH'],
    ],
  },
  {
    programs: 'mktemp',
    rule: {
      does: 'write.outside',
      why: 'makes a file or directory',
      harmless: '-u --dry-run',
      options: { ok: '-d -q -u -p: -t: --directory --quiet --dry-run --suffix: --tmpdir?' },
    },
    examples: [
      ['safe', 'mktemp -u'],
      ['dangerous', 'mktemp -d'],
    ],
  },
  {
    programs: 'history',
    rule: { operands: 'data', options: { 'shell.state': '-c -d: -p -s', 'write.outside': '-a -w -r -n' } },
    examples: [
      ['safe', 'history 20'],
      ['dangerous', 'history -w notes'],
    ],
  },
  {
    programs: 'ulimit umask stty bind fg bg disown suspend',
    rule: {
      operands: 'none',
      options: { ok: '-a -S -H -p -d -m -s -t -v -n -u -c -f -l -x -r -i -q -e -b', 'shell.state': '-w -r -D -Z', 'exec.inline': '-x: -X' },
      bare: 'read',
    },
    examples: [
      ['safe', 'ulimit -a'],
      ['dangerous', 'umask 000'],
    ],
  },
];
