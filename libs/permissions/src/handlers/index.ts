import { type Rule } from '../rules/rule.js';
import { type Call } from '../shell/scope.js';
import { awk } from './awk.js';
import * as builtins from './builtins.js';
import { chmod, dd, rm, rsync, shred, tar, touchAll } from './files.js';
import { ansible, aws, platform } from './cloud.js';
import { fd, find } from './find.js';
import { git } from './git.js';
import { curl, wget } from './http.js';
import { interpreter, make } from './interpreters.js';
import { api, changesWith, crontab, date, fzf, ip, later, pacman, rpm, rtk } from './misc.js';
import { commandLine, container, helm, kubectl, parallel, ssh } from './remote.js';
import { sed } from './sed.js';
import { evaluate, shell, source } from './shells.js';
import { sql, store } from './sql.js';
import { firewall, macos } from './system.js';
import { arch, env, generic, wrapper } from './wrappers.js';
import { xargs } from './xargs.js';

export type Handler = (call: Call, rule: Rule) => void;

/** What rules may name where a table cannot say it. */
export const handlers: Readonly<Record<string, Handler>> = {
  alias: builtins.alias,
  ansible,
  api,
  arch,
  awk,
  aws,
  cd: builtins.cd,
  changesWith,
  chmod,
  command: builtins.command,
  commandLine,
  container,
  crontab,
  curl,
  date,
  dd,
  declare: builtins.declare,
  env,
  eval: evaluate,
  exec: builtins.exec,
  fd,
  find,
  firewall,
  fzf,
  generic,
  git,
  hash: builtins.hash,
  helm,
  ip,
  interpreter,
  kill: builtins.kill,
  kubectl,
  later,
  let: builtins.letBuiltin,
  macos,
  make,
  pacman,
  parallel,
  platform,
  popd: builtins.popd,
  printf: builtins.printf,
  read: builtins.read,
  rm,
  rpm,
  rsync,
  rtk,
  sed,
  set: builtins.set,
  shell,
  shopt: builtins.shopt,
  shred,
  source,
  sql,
  ssh,
  store,
  tar,
  test: builtins.test,
  touchAll,
  trap: builtins.trap,
  unset: builtins.unset,
  wget,
  wrapper,
  xargs,
};
