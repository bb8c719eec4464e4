import { words } from '../rules/rule.js';

/** Variables that change how output looks and nothing else; a command may be given them. A star stands for any letters. */
const HARMLESS = `
  LANG LANGUAGE LC_* TZ COLUMNS LINES TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE GREP_COLOR GREP_COLORS LS_COLORS LSCOLORS
  GCC_COLORS SYSTEMD_COLORS CI NODE_ENV RAILS_ENV RUST_LOG RUST_BACKTRACE LOG_LEVEL LOGLEVEL *_LOG_LEVEL DEBUG VERBOSE BLOCKSIZE BLOCK_SIZE
  DU_BLOCK_SIZE DF_BLOCK_SIZE TIME_STYLE QUOTING_STYLE POSIXLY_CORRECT PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING
  GIT_OPTIONAL_LOCKS HOMEBREW_NO_AUTO_UPDATE HOMEBREW_NO_COLOR HOMEBREW_NO_EMOJI AWS_PAGER SYSTEMD_PAGER DOCKER_CLI_HINTS
  NPM_CONFIG_LOGLEVEL npm_config_loglevel`;

/** Of those, the ones that may only turn something off: empty, or a program that only passes its input on. */
const TURNED_OFF = new Set(['AWS_PAGER', 'SYSTEMD_PAGER']);

/** Variables by which a program finds, loads or starts other code, or that say where it sends what it sends. */
const STEERING = `
  PATH IFS ENV HOME SHELL SHELLOPTS BASHOPTS CDPATH GLOBIGNORE PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND EDITOR VISUAL BROWSER PAGER TMPDIR TEMP TMP
  DISPLAY HISTFILE HISTCONTROL FPATH FCEDIT FIGNORE MAILPATH INPUTRC TERMINFO TERMCAP HOSTALIASES RESOLV_HOST_CONF MALLOC_* CC CXX CPP LD AR AS
  MAKEFLAGS MFLAGS CFLAGS CXXFLAGS LDFLAGS GREP_OPTIONS LESS* MAN* MORE BAT_* FZF_* RIPGREP_CONFIG_PATH TAR_OPTIONS UNZIP* ZIPOPT GZIP BZIP
  BZIP2 XZ_* RSYNC_* CVS_* SVN_* HG* SSH_* SUDO_* GPG_* GNUPGHOME KUBECONFIG KUBE_* HELM_* TF_* AWS_* AZURE_* GOOGLE_* CLOUDSDK_* GCLOUD_*
  GH_* GITHUB_* GLAB_* GITLAB_* DOCKER_* CONTAINER* COMPOSE_* PGHOST PGPORT PGUSER PGDATABASE PGPASSWORD PGPASSFILE PGSERVICE* PGOPTIONS
  PSQLRC MYSQL* REDIS* MONGO* DATABASE_URL JAVA_* JDK_* _JAVA_OPTIONS CLASSPATH MAVEN_* GRADLE_* GO111MODULE GOPATH GOROOT GOFLAGS GOPROXY
  GOENV GOBIN GOTOOLCHAIN GOPRIVATE GONOSUMDB GOSUMDB GOINSECURE CARGO* RUSTC* RUSTFLAGS RUSTUP_* PIP_* UV_* POETRY_* VIRTUAL_ENV CONDA* R_*
  PHP* LUA_* OPENSSL_* SSL_* CURL_* WGETRC NETRC NO_PROXY no_proxy *PROXY *proxy COMSPEC PATHEXT PSMODULEPATH BASH* LD_* DYLD_* GIT_* PYTHON*
  PERL* RUBY* NODE_* NPM_* npm_* YARN* PNPM_* BUN_* DENO_* ELECTRON_* GEM_* BUNDLE_* COMPOSER_* HOMEBREW_* XDG_* DBUS_* QT_* GTK_* GIO_*
  *PATH *PAGER *EDITOR *_COMMAND *_CMD *_SHELL *_OPTIONS *OPTS *_FLAGS *_CONFIG *_RC *RCFILE *_WRAPPER *_PRELOAD *_LIBRARY *_PLUGIN *_PLUGINS
  *_HOOK *_ASKPASS`;

type Names = (name: string) => boolean;

const namesOf = (list: string): Names => {
  const all = words(list);
  const exact = new Set(all.filter((word) => !word.includes('*')));
  const begins = all.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  const ends = all.filter((word) => word.startsWith('*')).map((word) => word.slice(1));
  return (name) => exact.has(name) || begins.some((start) => name.startsWith(start)) || ends.some((end) => name.endsWith(end));
};

const harmless = namesOf(HARMLESS);
const steering = namesOf(STEERING);

/** Whether a command may run with it: only what makes output look different, and no value that something might run. */
export const isHarmlessVariable = (name: string, value: string): boolean =>
  harmless(name) && (!TURNED_OFF.has(name) || value === '' || value === 'cat') && !/[`$(){};|&<>\n/]/.test(value);

/** Whether setting it in the shell itself may change what later programs do. */
export const isSteeringVariable = (name: string): boolean => steering(name) && !harmless(name);
