import { type ClassifyContext } from '../context.js';
import { type Effect } from '../effects.js';
import { nameOf, pathOf, placeOf, WORKSPACE, type Place } from './place.js';
import { isSecret } from './secrets.js';

export type WriteJudgement = Readonly<{ effect: Effect; why: string }> | undefined;

/** Streams that take what is written to them and keep nothing. */
const SINKS = /^dev\/(null|zero|full|stdout|stderr|stdin|tty|fd\/\d+)$|^proc\/self\/fd\/\d+$/;
const NETWORK = /^dev\/(tcp|udp)(\/|$)/;
const SYSTEM_DIRECTORIES = new Set([
  'etc',
  'usr',
  'bin',
  'sbin',
  'lib',
  'lib32',
  'lib64',
  'boot',
  'sys',
  'proc',
  'system',
  'library',
  'windows',
  'opt',
  'var',
]);
/** Below /var, programs keep what others may write to as well. */
const WRITABLE_BELOW_VAR = new Set(['tmp', 'folders']);

/** Files that run, or decide what runs, the next time somebody opens a shell, a repository, an editor or a pipeline. */
const SENSITIVE_NAMES = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.inputrc',
  '.xinitrc',
  '.xprofile',
  '.xsessionrc',
  '.gitconfig',
  '.gitmodules',
  '.gitattributes',
  '.lesskey',
  '.vimrc',
  '.exrc',
  '.emacs',
  '.yarnrc',
  '.yarnrc.yml',
  '.condarc',
  '.gemrc',
  '.wgetrc',
  '.curlrc',
  '.psqlrc',
  '.sqliterc',
  '.pam_environment',
  '.rhosts',
  '.shosts',
  '.hushlogin',
  '.mcp.json',
  '.pre-commit-config.yaml',
  'claude.md',
  'agents.md',
  'gemini.md',
  '.cursorrules',
  '.windsurfrules',
  '.gitlab-ci.yml',
  '.travis.yml',
  '.drone.yml',
  '.cirrus.yml',
  'jenkinsfile',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'appveyor.yml',
  'cloudbuild.yaml',
  'buildspec.yml',
  'authorized_keys',
  'sudoers',
  'crontab',
  'ansible.cfg',
  'rust-toolchain',
  'rust-toolchain.toml',
  '.tool-versions',
  'mise.toml',
  '.mise.toml',
]);
const SENSITIVE_DIRECTORIES = [
  '.git/hooks',
  '.git/config',
  '.git/info',
  '.git/modules',
  '.husky',
  '.githooks',
  '.github/workflows',
  '.github/actions',
  '.circleci',
  '.buildkite',
  '.gitea/workflows',
  '.forgejo/workflows',
  '.vscode',
  '.idea',
  '.zed',
  '.claude',
  '.codex',
  '.cursor',
  '.gemini',
  '.qwen',
  '.continue',
  '.windsurf',
  '.amazonq',
  '.aider',
  '.opencode',
  '.crush',
  '.devcontainer',
  '.direnv',
  '.config/git',
  '.config/fish',
  '.config/systemd',
  '.config/autostart',
  '.config/environment.d',
  '.config/pip',
  '.local/share/systemd',
  '.local/bin',
  'library/launchagents',
  'library/launchdaemons',
  '.bashrc.d',
  '.zshrc.d',
  '.vim',
  '.mvn',
  '.terraform',
  '.terraformrc',
  '.bundle',
  '.config/nvim',
  '.emacs.d',
  '.docker',
  '.cargo/config',
  '.cargo/config.toml',
  '.cargo/bin',
  '.m2/settings.xml',
  '.gradle/init.d',
];

/** What writing to a place does; undefined where nothing is kept of it. */
export const judgeWrite = (place: Place, context: ClassifyContext): WriteJudgement => {
  const names = place.parts.map(nameOf);
  const path = names.join('/');
  if (place.root === 'fs') {
    if (SINKS.test(path)) return undefined;
    if (NETWORK.test(path)) return { effect: 'net.send', why: `${pathOf(place)} is a network connection` };
    if (path === 'proc/sysrq-trigger') return { effect: 'destroy.system', why: `${pathOf(place)} commands the kernel` };
    if (names[0] === 'dev' && names[1] !== 'shm') return { effect: 'write.device', why: `${pathOf(place)} is a device` };
  }
  if (isProtected(place, context)) return { effect: 'write.sensitive', why: `${pathOf(place)} holds policies or data of the product` };
  if (isSensitive(names) || isSecret(place)) return { effect: 'write.sensitive', why: `${pathOf(place)} can change what runs, or who may` };
  if (place.root === 'fs' && SYSTEM_DIRECTORIES.has(names[0] ?? '') && !(names[0] === 'var' && WRITABLE_BELOW_VAR.has(names[1] ?? '')))
    return { effect: 'write.sensitive', why: `${pathOf(place)} belongs to the system` };
  if (place.root === 'workspace') return { effect: 'write.workspace', why: `writes ${pathOf(place)}` };
  return { effect: 'write.outside', why: `${pathOf(place)} is outside the workspace` };
};

const isSensitive = (names: readonly string[]): boolean => {
  if (SENSITIVE_NAMES.has(names.at(-1) ?? '')) return true;
  const path = `/${names.join('/')}/`;
  return SENSITIVE_DIRECTORIES.some((directory) => path.includes(`/${directory}/`));
};

/** The product's own: its policies in any workspace, and whatever the caller adds. */
const isProtected = (place: Place, context: ClassifyContext): boolean =>
  /\.cedar(schema)?$/.test(nameOf(place.parts.at(-1) ?? '')) ||
  (context.protectedPaths ?? []).some((path) => {
    const own = placeOf(path, WORKSPACE, context);
    return own.root === place.root && own.parts.every((part, i) => nameOf(place.parts[i] ?? '') === nameOf(part));
  });

export type DeleteJudgement = Readonly<{ effect: Effect; why: string; bulk?: boolean }>;

/** Directories that hold other people's or the system's files side by side, so that removing one of them takes more than was made here. */
const DEPTH_THAT_IS_OURS: Readonly<Record<string, number>> = {
  tmp: 2,
  mnt: 3,
  media: 3,
  srv: 3,
  data: 2,
  workspace: 2,
  app: 2,
  build: 2,
  private: 3,
};

/** What removing a place does. `recursive` takes everything below it too. */
export const judgeRemoval = (place: Place, recursive: boolean, context: ClassifyContext): DeleteJudgement => {
  const names = place.parts.map(nameOf);
  const everything = names.length > 0 && /^(\*+|\.\*|\.\[.*|\?+\*?)$/.test(names.at(-1)!);
  const below = everything ? names.slice(0, -1) : names;
  const at = pathOf(place);
  if (place.root === 'fs') {
    const first = below[0];
    if (first === undefined)
      return recursive || everything ? { effect: 'destroy.fs', why: `${at} is everything`, bulk: true } : outside(at);
    if (first === 'dev' && (below[1] === 'null' || below[1] === 'shm')) return outside(at);
    if (SYSTEM_DIRECTORIES.has(first) && !(first === 'var' && WRITABLE_BELOW_VAR.has(below[1] ?? '') && below.length > 2))
      return { effect: 'destroy.fs', why: `${at} belongs to the system`, bulk: recursive && below.length < 3 };
    if (first === 'dev') return { effect: 'write.device', why: `${at} is a device` };
    if (recursive && below.length < (DEPTH_THAT_IS_OURS[first] ?? 3))
      return { effect: 'destroy.fs', why: `${at} holds more than this work`, bulk: below.length < 2 };
  }
  if (place.root === 'above' && recursive && below.length < 2)
    return { effect: 'destroy.fs', why: `${at} holds the workspace or lies beside it`, bulk: below.length === 0 };
  if (place.root === 'home') {
    if (below.length === 0 && (recursive || everything)) return { effect: 'destroy.fs', why: `${at} is a home directory`, bulk: true };
    if (below.length === 1 && recursive) return { effect: 'destroy.fs', why: `${at} is a whole part of a home directory` };
  }
  if (place.root === 'workspace') {
    if (below.length === 0 && recursive) return { effect: 'destroy.fs', why: `${at} is the whole workspace`, bulk: true };
    const git = names.indexOf('.git');
    if (git >= 0 && (git === names.length - 1 || recursive || /^(objects|refs|head|packed-refs)$/.test(names[git + 1]!)))
      return { effect: 'destroy.vcs', why: `${at} holds the history of the repository`, bulk: git === names.length - 1 };
  }
  if (isSecret(place) || isSensitive(names)) return { effect: 'write.sensitive', why: `${at} can change what runs, or who may` };
  if (isProtected(place, context)) return { effect: 'write.sensitive', why: `${at} holds policies or data of the product` };
  return place.root === 'workspace' ? { effect: 'write.workspace', why: `removes ${at}` } : outside(at);
};

const outside = (at: string): DeleteJudgement => ({ effect: 'write.outside', why: `removes ${at}, outside the workspace` });
