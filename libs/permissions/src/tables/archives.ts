import { type Entry } from '../rules/rule.js';

/** Programs that pack and unpack files. */
export const archives: readonly Entry[] = [
  {
    programs: 'tar gtar bsdtar',
    rule: {
      handler: 'tar',
      strict: true,
      options: {
        ok: '-t --list -x --extract --get -c --create -r --append -u --update -A --catenate --concatenate -d --diff --compare --delete -f: --file: -v --verbose -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --lzma --zstd --lzip --lzop -Z --compress --uncompress -a --auto-compress -C: --directory: -p --preserve-permissions --same-permissions --same-owner --no-same-owner --no-same-permissions -k --keep-old-files --keep-newer-files --overwrite -m --touch --strip-components: --exclude: -X: --exclude-from: --exclude-vcs --exclude-backups --exclude-caches --wildcards --no-wildcards --wildcards-match-slash --anchored --no-anchored --ignore-case -h --dereference --hard-dereference -O --to-stdout -P --absolute-names -T: --files-from: --null --owner: --group: --mode: --mtime: --sort: --format: --posix --numeric-owner -W --verify -n --seek -S --sparse -i --ignore-zeros -b: --blocking-factor: -B --read-full-records --totals? --checkpoint? -w --interactive --help --version -? --usage --show-defaults -l --check-links --one-file-system --no-recursion --recursion --transform: --xform: -s --warning: --quoting-style: -K: --starting-file: -N: --newer: --newer-mtime: --after-date: --occurrence? --index-file: --full-time --show-transformed-names --show-omitted-dirs -R --block-number --unlink-first -U --recursive-unlink --remove-files --force-local -L: --tape-length: -M --multi-volume -V: --label: --acls --xattrs --selinux --no-acls --no-xattrs --backup? --suffix: -g: --listed-incremental: -G --incremental --level:',
        shell:
          '-I: --use-compress-program: --to-command: -F: --info-script: --new-volume-script: --rsh-command: --rmt-command: --checkpoint-action:',
      },
    },
    examples: [
      ['safe', 'tar tf a.tar'],
      ['safe', 'tar -tvzf a.tar.gz'],
      ['dangerous', 'tar xf a.tar'],
      ['dangerous', 'tar czf a.tgz dir'],
      ['dangerous', 'tar -I sh -tf a.tar'],
      ['destructive', "tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec='rm -rf /'"],
    ],
  },
  {
    programs: 'unzip',
    rule: {
      does: 'write.workspace',
      why: 'extracts files over those that are there',
      harmless: '-l -v -t -Z -z -h',
      options: {
        ok: '-l -v -t -Z -z -q -C -P: -x: -h -1 -2 -s -m -h -T -M -p -c -f -u -a -b -j -n -o -B -D -U -W -X -V -i -K -L',
        write: '-d:',
      },
    },
    examples: [
      ['safe', 'unzip -l a.zip'],
      ['dangerous', 'unzip a.zip'],
      ['dangerous', 'unzip a.zip -d out'],
    ],
  },
  {
    programs: 'zip',
    rule: { does: 'write.workspace', why: 'writes an archive', singleDash: true, options: { shell: '-TT: --unzip-command:' } },
    examples: [
      ['dangerous', 'zip -r a.zip dir'],
      ['safe', 'zip --help'],
      ['destructive', "zip a.zip b -T -TT 'rm -rf /'"],
    ],
  },
  {
    programs: 'zipcloak zipnote zipsplit rar unrar ar ranlib cpio pax shar jar strip objcopy ld gold lld install_name_tool',
    rule: { does: 'write.workspace', why: 'writes an archive or unpacks one' },
    examples: [
      ['dangerous', 'rar a x.rar b'],
      ['safe', 'cpio --version'],
    ],
  },
  {
    programs:
      'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 lzip lzop pigz unpigz pbzip2 brotli compress uncompress pzstd',
    rule: {
      does: 'write.workspace',
      why: 'replaces files by others',
      harmless: '-c --stdout --to-stdout -l --list -t --test -L --license -V',
      options: {
        ok: '-c --stdout --to-stdout -l --list -t --test -d --decompress --uncompress -k --keep -f --force -n --no-name -N --name -q --quiet -r --recursive -v --verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best -T: -z --compress -L --license -V --version -h --help -S: --suffix: -p: -b: -e --extreme --rsyncable -a --ascii',
        'write.workspace': '-o: --output:',
        'exec.inline': '--patch-from:',
      },
    },
    examples: [
      ['safe', 'gzip -c a.txt'],
      ['safe', 'gunzip -t a.gz'],
      ['dangerous', 'gzip a'],
      ['dangerous', 'gunzip a.gz'],
    ],
  },
  {
    programs: '7z 7za 7zz 7zr p7zip',
    rule: {
      commands: { 'l|t|i|h|b': 'read', 'a|d|e|x|u|rn': { does: 'write.workspace', operands: 'data' } },
      bare: 'read',
      singleDash: true,
    },
    examples: [
      ['safe', '7z l a.7z'],
      ['dangerous', '7z x a.7z'],
      ['dangerous', '7z a a.7z b'],
    ],
  },
];
