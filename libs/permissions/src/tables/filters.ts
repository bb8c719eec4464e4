import { type Entry } from '../rules/rule.js';

/** Programs that read text and give it back changed, and those of their options that write or run something. */
export const filters: readonly Entry[] = [
  {
    programs: 'base64 gbase64',
    rule: {
      operands: 'read',
      strict: true,
      options: { ok: '-d -D --decode -i: -w: --wrap: --ignore-garbage -b: --break: -n -u --help --version', write: '-o: --output:' },
    },
    examples: [
      ['safe', 'base64 -d a.b64'],
      ['dangerous', 'base64 -o out a'],
      ['dangerous', 'base64 ~/.ssh/id_rsa'],
    ],
  },
  {
    programs: 'sort gsort',
    rule: {
      operands: 'read',
      strict: true,
      options: {
        ok: '-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort --random-source: -r --reverse --sort: -V --version-sort --batch-size: -c -C --check? --debug -k: --key: -m --merge -s --stable -S: --buffer-size: -t: --field-separator: -T: --temporary-directory: --parallel: -u --unique -z --zero-terminated --help --version -l --mmap --radixsort --qsort',
        read: '--files0-from:',
        write: '-o: --output:',
        shell: '--compress-program:',
      },
    },
    examples: [
      ['safe', 'sort -k2,2 -t: names.txt'],
      ['dangerous', 'sort -oa.txt b.txt'],
      ['dangerous', 'sort --outp=a.txt b.txt'],
      ['dangerous', 'sort --compress-program=sh a'],
      ['dangerous', 'sort --frob a'],
    ],
  },
  {
    programs: 'uniq guniq',
    rule: {
      operands: 'second',
      options: {
        ok: '-c -d -D -i -u -z -f: -s: -w: --count --repeated --all-repeated? --group? --ignore-case --unique --skip-fields: --skip-chars: --check-chars:',
      },
    },
    examples: [
      ['safe', 'uniq -c names.txt'],
      ['dangerous', 'uniq in.txt out.txt'],
    ],
  },
  {
    programs: 'xxd',
    rule: {
      operands: 'second',
      singleDash: true,
      options: {
        ok: '-a -autoskip -b -bits -c: -cols: -C -capitalize -d -E -EBCDIC -e -g: -groupsize: -h -help -i -include -l: -len: -n: -name: -o: -p -ps -postscript -plain -R: -s: -seek: -u -upper -v -version',
        'write.workspace': '-r -revert',
      },
    },
    examples: [
      ['safe', 'xxd -l 16 a.bin'],
      ['dangerous', 'xxd a.bin out.hex'],
      ['dangerous', 'xxd -r a.hex b.bin'],
    ],
  },
  {
    programs: 'iconv',
    rule: {
      operands: 'read',
      options: { ok: '-f: -t: --from-code: --to-code: -c -l --list -s --silent --verbose', write: '-o: --output:' },
    },
    examples: [
      ['safe', 'iconv -f ISO-8859-1 -t UTF-8 a.txt'],
      ['dangerous', 'iconv -f a -t b -o out a.txt'],
    ],
  },
  {
    programs: 'jq gojq jaq',
    rule: {
      operands: 'pattern',
      options: {
        ok: '-n -r -j -a -s -c -C -M -S -e -R --arg: --argjson: --indent: --tab --args --jsonargs --raw-output --compact-output --slurp --null-input --exit-status --sort-keys --color-output --monochrome-output --ascii-output --join-output --raw-input --stream --seq -L:',
        read: '-f: --from-file: --slurpfile: --rawfile: --argfile:',
      },
    },
    examples: [
      ['safe', "jq '.name' package.json"],
      ['dangerous', 'jq . a.json > b.json'],
    ],
  },
  {
    programs: 'yq',
    rule: {
      operands: 'pattern',
      options: {
        ok: '-o: --output-format: -p: --input-format: -P --prettyPrint -r --unwrapScalar? -e --exit-status -n --null-input -N --no-doc -j --tojson -C --colors -M --no-colors -I: --indent: -y -Y -x -t --arg: --front-matter: -V --version --verbose -s',
        'write.workspace': '-i --inplace? --in-place? --split-exp: -s:',
        read: '--from-file: --split-exp-file:',
      },
    },
    examples: [
      ['safe', "yq '.a' f.yml"],
      ['dangerous', "yq -i '.a=1' f.yml"],
      ['dangerous', "yq --inplace '.a=1' f.yml"],
    ],
  },
  {
    programs: 'sed gsed ssed',
    rule: {
      strict: true,
      handler: 'sed',
      options: {
        ok: '-n --quiet --silent -e: --expression: -E -r --regexp-extended -s --separate -u --unbuffered -z --null-data -l: --line-length: --posix --debug --sandbox --follow-symlinks -b --binary -a -i? -I? --in-place? --help --version',
        'exec.script': '-f: --file:',
      },
    },
    examples: [
      ['safe', "sed -n '1,20p' a.txt"],
      ['safe', "sed 's/foo/bar/g' a.txt"],
      ['safe', "sed '$!N;s/\\n/ /' a.txt"],
      ['dangerous', "sed -i 's/a/b/' f"],
      ['dangerous', "sed --in-pl 's/a/b/' f"],
      ['dangerous', "sed -n 'w out.txt' f"],
      ['dangerous', "sed 's/x/id/ge' f"],
      ['destructive', "sed '1e rm -rf /' f"],
    ],
  },
  {
    programs: 'awk gawk mawk nawk original-awk goawk',
    rule: {
      strict: true,
      handler: 'awk',
      options: {
        ok: '-F: --field-separator: -v: --assign: -e: --source: -b --characters-as-bytes -c --traditional -C --copyright -h --help -k --csv -M --bignum -n --non-decimal-data -N --use-lc-numeric -O --optimize -P --posix -r --re-interval -s --no-optimize -S --sandbox -t --lint-old -V --version -W: -L? --lint? -g --gen-pot -I --trace',
        'exec.script': '-f: --file: -E: --exec: -i: --include: -l: --load: -D? --debug?',
        'write.workspace': '-o?? -p? --profile? -d? --dump-variables?',
      },
    },
    examples: [
      ['safe', "awk '{print $1}' a.txt"],
      ['safe', "awk '$3 > 10 {print $1, $3}' a.txt"],
      ['dangerous', 'awk \'{print > "out"}\' f'],
      ['dangerous', 'awk \'BEGIN{system("id")}\''],
      ['dangerous', 'awk -f a.awk f'],
      ['destructive', 'awk \'BEGIN{"rm -rf /" | getline}\''],
    ],
  },
];
