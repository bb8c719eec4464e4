import { type Entry } from '../rules/rule.js';
import { CHANGES } from './git-changes.js';
import { DIFF_RISKS, LOCAL, LOG, SHOWN } from './git-options.js';

/** git: what reads, by sub-command and option. Options that name programs or files to write are what makes reading unsafe. */
export const git: readonly Entry[] = [
  {
    programs: 'git',
    rule: {
      strict: true,
      handler: 'git',
      options: {
        ok: '-C: -c: --no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --no-advice --version -v --html-path --man-path --info-path --bare',
        'exec.inline': '-p --paginate --help',
        'env.inject': '--config-env: --exec-path? --git-dir: --work-tree: --namespace: --super-prefix: --attr-source: --shallow-file:',
      },
      commands: {
        status: {
          options: {
            ok: '-s --short -b --branch --show-stash --porcelain? --long -v --verbose -u? --untracked-files? --ignore-submodules? --ignored? -z --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
            'exec.inline': '--help',
          },
        },
        'diff|diff-tree|diff-index|diff-files|diff-pairs|range-diff': {
          options: {
            ok: `${LOG} --creation-factor: --no-dual-color --dual-color --no-commit-id --root --always -v --left-only --right-only`,
            ...DIFF_RISKS,
            'exec.inline': '--help',
          },
        },
        'log|show|whatchanged|rev-list|shortlog|cherry': {
          options: { ...SHOWN, ok: `${LOG} --numbered --summary --email -e --group: -v`, 'exec.inline': '--help' },
        },
        reflog: {
          options: { ...SHOWN, 'exec.inline': '--help' },
          operands: 'data',
          commands: {
            'show|list|exists': { options: SHOWN },
            expire: {
              does: 'vcs.local',
              options: {
                ok: '--all --expire: --expire-unreachable: --updateref --rewrite --stale-fix -n --dry-run --verbose --single-worktree',
              },
            },
            'delete|drop': { does: 'destroy.vcs', options: { ok: '--rewrite --updateref --all -n --dry-run' } },
          },
        },
        branch: {
          options: {
            ok: '-a --all -r --remotes -v -vv --verbose -l --list --show-current --contains? --no-contains? --merged? --no-merged? --points-at: --sort: --format: --color? --no-color --column? --no-column --abbrev? --no-abbrev -i --ignore-case -q --quiet -t --track? --no-track --create-reflog --recurse-submodules --omit-empty',
            'vcs.local': '-d --delete -D -m --move -M -c --copy -C -f --force -u: --set-upstream-to: --unset-upstream --edit-description',
            'exec.inline': '--help',
          },
        },
        tag: {
          options: {
            ok: '-l --list -n? --contains? --no-contains? --merged? --no-merged? --points-at? --sort: --format: --column? --no-column -i --ignore-case --color? -v --verify --omit-empty',
            'vcs.local':
              '-a --annotate -s --sign --no-sign -u: --local-user: -f --force -d --delete -m: --message: -F: --file: -e --edit --cleanup: --create-reflog --trailer:',
          },
        },
        remote: {
          options: { ok: '-v --verbose' },
          bare: 'read',
          operands: 'none',
          commands: {
            show: { does: 'net.read', options: { ok: '-n' } },
            'get-url': { options: { ok: '--push --all' } },
            'add|rename|remove|rm|set-head|set-branches|set-url|prune|update': {
              does: 'vcs.local',
              options: { ok: '-t: -m: -f --tags --no-tags --mirror? --auto -a -d --delete --push --add -p --prune -n --dry-run' },
            },
          },
        },
        stash: {
          does: 'vcs.local',
          options: {
            ok: '-p --patch -k --keep-index --no-keep-index -q --quiet -u --include-untracked -a --all -m: --message: -S --staged --pathspec-from-file:',
          },
          commands: {
            list: { options: SHOWN },
            show: { options: { ...SHOWN, ok: `${LOG} -u --include-untracked --only-untracked` } },
            clear: { does: 'destroy.vcs', bulk: true },
            'push|save|pop|apply|drop|branch|create|store': {
              does: 'vcs.local',
              constrain: 'none',
              options: { ok: `${LOCAL} --index --quiet` },
            },
          },
          operands: 'data',
        },
        config: {
          options: {
            ok: '--get --get-all --get-regexp --get-urlmatch --list -l --show-origin --show-scope --name-only --type: --bool --int --bool-or-int --path --expiry-date -z --null --includes --no-includes --default: --local --global --system --worktree --blob: --fixed-value --get-color --get-colorbool --all --regexp --value: --url: --no-type',
            read: '-f: --file:',
            'write.sensitive': '--add --replace-all --unset --unset-all --rename-section --remove-section -e --edit',
          },
          commands: {
            'get|list': {
              options: {
                ok: '--all --regexp --value: --fixed-value --show-origin --show-scope --name-only --type: --default: --local --global --system --worktree -z --null --url:',
              },
            },
            'set|unset|rename-section|remove-section|edit': { does: 'write.sensitive', why: 'may name programs that git then runs' },
          },
          operands: 'data',
        },
        'rev-parse|name-rev|merge-base|describe|for-each-ref|show-ref|show-branch|ls-files|ls-tree|count-objects|var|check-ignore|check-attr|check-mailmap|check-ref-format|cat-file|blame|annotate|verify-commit|verify-tag|verify-pack|version|get-tar-commit-id|patch-id|stripspace|fmt-merge-msg|merge-tree|column|url-parse|last-modified':
          {
            options: {
              ok: `${LOG} --abbrev-ref? --symbolic --symbolic-full-name --verify --short? --show-toplevel --show-superproject-working-tree --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --git-path: --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-object-format? --show-ref-format --local-env-vars --sq --sq-quote --parseopt --keep-dashdash --stop-at-non-option --stuck-long --revs-only --no-revs --flags --no-flags --default: --prefix: --disambiguate: --shared-index-path --path-format: --resolve-git-dir: --name-only --refs: --undefined --no-undefined --always --annotate-stdin --is-ancestor --fork-point --octopus --independent -a --long --tags --exact-match --candidates: --match: --dirty? --broken? --contains --debug --count: --sort: --shell --perl --python --tcl --points-at? --merged? --no-merged? --no-contains? --ignore-case --omit-empty --heads --branches --head -d --dereference --exclude-existing? --hash? --exists --topics --current --more: --list --reflog? --no-name --sha1-name --sparse -t -x -o --others -i --ignored -s --stage -u --unmerged -k --killed -m --modified --deleted --directory --no-empty-directory --eol --error-unmatch --with-tree: -X: --exclude-from: --exclude-per-directory: --exclude-standard --full-name --recurse-submodules --resolve-undo --deduplicate --format: -v -f --fsmonitor --full-tree --object-only --human-readable -H -e -p --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks --path: --use-mailmap --mailmap --incremental --porcelain --line-porcelain --show-stats --root --progress --no-progress --score-debug --show-name --show-number --show-email --ignore-rev: --ignore-revs-file: --contents: -l --date: --raw --non-matching --no-index --stdin --allow-onelevel --refspec-pattern --normalize --build-options --stable --unstable --verbatim --strip-comments --comment-lines --trivial-merge --write-tree --messages --no-messages --allow-unrelated-histories --name-status -c -C? -M? -L: -S: -w --first-parent --skip: --mode: --nl --width: --indent: --padding: --raw-mode: --command:`,
              'exec.script': '--textconv --filters --ext-diff',
              'exec.inline': '--help',
              write: '--output:',
            },
          },
        'fsck|fsck-objects': {
          options: {
            ok: '--tags --root --unreachable --cache --no-reflogs --full --no-full --strict --verbose --progress --no-progress --connectivity-only --dangling --no-dangling --name-objects --references --no-references',
            'vcs.local': '--lost-found',
          },
        },
        grep: {
          operands: 'data',
          options: {
            ok: '--cached --untracked --no-index --recurse-submodules --no-exclude-standard --exclude-standard -a --text -i --ignore-case -I -r --recursive --no-recursive --max-depth: -w --word-regexp -v --invert-match -h -H --full-name -E --extended-regexp -G --basic-regexp -P --perl-regexp -F --fixed-strings -n --line-number --column -l --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --color? --no-color --break --heading -p --show-function -W --function-context -A: --after-context: -B: --before-context: -C: --context: -m: --max-count: --threads: -f: -e: --and --or --not --all-match -q --quiet -1 -2 -3 -4 -5 -6 -7 -8 -9 -0 --no-textconv',
            'exec.inline': '-O? --open-files-in-pager? --help',
            'exec.script': '--textconv --ext-grep',
          },
        },
        'ls-remote': {
          does: 'net.read',
          options: {
            ok: '-h --heads --branches -t --tags --refs -q --quiet --exit-code --get-url --sort: --symref -o: --server-option:',
            shell: '--upload-pack: --exec:',
          },
        },
        worktree: {
          operands: 'none',
          commands: {
            list: { options: { ok: '-v --verbose --porcelain -z' } },
            'add|move|lock|unlock|prune|repair': {
              does: 'vcs.local',
              options: {
                ok: '-f --force -b: -B: -d --detach --checkout --no-checkout --lock --reason: --orphan --guess-remote --track -q --quiet -n --dry-run -v --verbose --expire: --relative-paths',
              },
            },
            remove: { does: 'vcs.local', options: { ok: '', 'destroy.vcs': '-f --force' } },
          },
        },
        notes: {
          bare: 'read',
          options: { ok: '--ref:' },
          commands: {
            'list|show|get-ref': 'read',
            'add|copy|append|edit|merge|remove|prune': {
              does: 'vcs.local',
              options: {
                ok: '-m: -F: -C: -c: -f --force --allow-empty --separator? --stripspace --no-stripspace -n --dry-run -v --stdin --ignore-missing -q -s: --commit --abort',
              },
            },
          },
        },
        submodule: {
          bare: 'read',
          options: { ok: '-q --quiet --cached' },
          commands: {
            'status|summary': { options: { ok: '--cached --recursive --files -n: --summary-limit:' } },
            foreach: {
              does: ['exec.inline', 'vcs.local'],
              why: 'runs a command in every submodule',
              operands: 'data',
              options: { ok: '--recursive' },
            },
            'add|init|update|set-branch|set-url|sync|absorbgitdirs': {
              does: ['vcs.local', 'net.send'],
              options: {
                ok: '-b: --branch: -f --force --name: --reference: --depth: --init --remote -N --no-fetch --checkout --merge --rebase --recursive --jobs: -j: --single-branch --filter: --recommend-shallow --no-recommend-shallow --default',
              },
            },
            deinit: { does: 'vcs.local', options: { ok: '--all', 'destroy.vcs': '-f --force' } },
          },
        },
        bisect: {
          commands: {
            'log|terms': { does: 'read', options: { ok: '--term-good --term-bad --term-new --term-old --oneline --stat' } },
            run: { does: 'exec.inline', why: 'runs a command for every step', operands: 'data' },
            'start|bad|new|good|old|skip|reset|replay|next': 'vcs.local',
            'view|visualize': 'exec.inline',
          },
        },
        archive: {
          options: {
            ok: '--format: -l --list -v --verbose --prefix: --worktree-attributes --mtime: --add-virtual-file: -0 -1 -2 -3 -4 -5 -6 -7 -8 -9',
            write: '-o: --output:',
            'net.send': '--remote:',
            shell: '--exec:',
            read: '--add-file:',
          },
        },
        bundle: {
          commands: {
            'verify|list-heads': 'read',
            create: { does: 'write.workspace', options: { ok: `${LOG} --version:` } },
            unbundle: 'vcs.local',
          },
        },
        lfs: {
          commands: {
            'ls-files|status|env|version|locks|logs|pointer|ext': 'read',
            'install|uninstall|track|untrack|checkout|clone|dedup|fetch|fsck|lock|migrate|prune|pull|push|unlock|update|post-checkout|pre-push|clean|smudge':
              { does: ['vcs.local', 'net.send'] },
          },
        },
        'hash-object': {
          operands: 'read',
          options: { ok: '-t: --stdin --stdin-paths --path: --no-filters --literally', 'vcs.local': '-w' },
        },
        'symbolic-ref': { options: { ok: '-q --quiet --short --no-recurse --recurse', 'vcs.local': '-d --delete -m:' } },
        'format-patch': {
          options: {
            ok: `${LOG} -o: --output-directory: --stdout --subject-prefix: --rfc? -k --keep-subject -N --no-numbered --numbered --start-number: --numbered-files --suffix: -s --signoff --attach? --inline? --thread? --no-thread --in-reply-to: --ignore-if-in-upstream --always --cover-letter --to: --cc: --from? --base: --interdiff: --range-diff: -v: --reroll-count: --signature: --no-signature --zero-commit --filename-max-length: --progress --add-header:`,
          },
        },
        ...CHANGES,
      },
    },
    examples: [
      ['safe', 'git status --short --branch'],
      ['safe', "git log --grep 'terraform destroy'"],
      ['safe', 'git diff --stat HEAD~1'],
      ['safe', 'git -C sub status'],
      ['safe', 'git branch -a -vv'],
      ['safe', 'git config --get user.name'],
      ['safe', 'git stash list'],
      ['safe', 'git ls-remote origin'],
      ['safe', 'git remote -v'],
      ['dangerous', 'git push'],
      ['dangerous', 'git -C ../svc push origin HEAD'],
      ['dangerous', 'git commit -m "rm -rf /"'],
      ['dangerous', 'git branch new'],
      ['dangerous', 'git log --ou=a.txt'],
      ['dangerous', "git -c core.pager='touch x' log"],
      ['dangerous', 'git grep -Oless foo'],
      ['dangerous', "git ls-remote 'ext::sh -c touch% x'"],
      ['dangerous', 'git st'],
      ['dangerous', 'git fetch'],
      ['destructive', 'git push --force'],
      ['destructive', 'git push origin +main'],
      ['destructive', 'git push origin :main'],
      ['destructive', 'git reset --hard HEAD~3'],
      ['destructive', 'git clean -fdx'],
      ['destructive', 'git checkout -- .'],
      ['destructive', "git -c alias.x='!rm -rf /' x"],
    ],
  },
];
