import { type Entry } from '../rules/rule.js';

/** Interpreters, compilers and build tools: they run code. */
export const languages: readonly Entry[] = [
  {
    programs: 'python python2 python3 pypy pypy3 ipython bpython micropython jython',
    rule: {
      handler: 'interpreter',
      options: {
        ok: '-V --version -h --help -b -B -d -E -I -O -OO -q -s -S -u -v -W: -X: -x -P --check-hash-based-pycs: --help-all --help-env --help-xoptions',
        'exec.inline': '-c: -i',
        'exec.script': '-m:',
      },
    },
    examples: [
      ['safe', 'python3 --version'],
      ['dangerous', 'python3 a.py'],
      ['dangerous', "python -c 'print(1)'"],
      ['dangerous', 'python3 -m http.server'],
      ['destructive', 'python3 -c \'import os; os.system("rm -rf /")\''],
      ['destructive', 'python3 -c \'import shutil; shutil.rmtree("/")\''],
      ['destructive', 'python3 -c \'import subprocess; subprocess.run(["rm", "-rf", "/"])\''],
    ],
  },
  {
    programs: 'node nodejs bun deno ts-node tsx ts-node-esm qjs d8',
    rule: {
      handler: 'interpreter',
      options: {
        ok: '-v --version -h --help --no-warnings --trace-warnings --enable-source-maps --max-old-space-size: --inspect? --inspect-brk? -i --interactive --watch --conditions: -C: --experimental-vm-modules --experimental-strip-types --trace-deprecation --no-deprecation --throw-deprecation --v8-options --input-type: --stack-trace-limit: --expose-gc --preserve-symlinks --revision',
        'exec.inline': '-e: --eval: -p: --print: -pe:',
        'exec.script': '-r: --require: --import: --loader: --experimental-loader: --env-file: --test -c --check --run:',
      },
    },
    examples: [
      ['safe', 'node --version'],
      ['dangerous', 'node script.js'],
      ['dangerous', "node -e 'console.log(1)'"],
      ['destructive', 'node -e \'require("child_process").execSync("rm -rf /")\''],
      ['destructive', 'node -e \'require("fs").rmSync("/", {recursive:true})\''],
    ],
  },
  {
    programs:
      'ruby irb jruby perl php lua luajit tclsh wish expect groovy groovysh erl iex elixir ghci runghc runhaskell ocaml sbcl clisp guile racket scheme chicken csi r rscript octave octave-cli matlab julia gnuplot maxima swipl gprolog gforth crystal nim dotnet-script csi.exe osascript jxa autohotkey wine mono node-gyp zig v vlang odin hare janet fennel moon io pike rexx awkcc',
    rule: {
      handler: 'interpreter',
      options: {
        ok: '-v --version -version -V -h --help -help -w -W? -n -a -l -i? -p -I: -K: -s -S -T? -t -u -U -0? -F:',
        'exec.inline': '-e: -E: -r: -R: -B: -x -g: --eval: --execute: --expr:',
        'exec.script': '-c -f: -m: -M: -jar: -cp: -classpath: --module:',
      },
    },
    examples: [
      ['safe', 'ruby --version'],
      ['dangerous', 'ruby a.rb'],
      ['dangerous', "perl -e 'print 1'"],
      ['dangerous', 'php a.php'],
      ['destructive', 'perl -e \'system("rm -rf /")\''],
      ['destructive', "ruby -e '`rm -rf /`'"],
    ],
  },
  {
    programs: 'java javac jshell kotlin kotlinc scala scalac',
    rule: {
      handler: 'interpreter',
      singleDash: true,
      options: {
        ok: '-version -help -showversion -X',
        'exec.inline': '-e: -agentlib: -agentpath: -javaagent:',
        'exec.script': '-jar: -cp: -classpath: -m: --module:',
      },
    },
    examples: [
      ['safe', 'java -version'],
      ['dangerous', 'java -jar a.jar'],
      ['dangerous', 'javac A.java'],
    ],
  },
  {
    programs: 'make gmake bmake',
    rule: {
      handler: 'make',
      does: 'exec.script',
      why: 'runs recipes',
      arity: 1,
      constrain: 'none',
      harmless: '-v --version',
      options: {
        ok: '-f: --file: --makefile: -C: --directory: -j? --jobs? -k -i -s -n -q -B -r -R -w -d -p -e -t -l? -S -v --version --no-print-directory --silent --dry-run --keep-going --always-make -O? --output-sync?',
        'exec.inline': '-E: --eval:',
        'env.inject': '-I: --include-dir:',
      },
    },
    examples: [
      ['safe', 'make --version'],
      ['dangerous', 'make'],
      ['dangerous', 'make test'],
      ['destructive', "make -f- <<< 'all:; rm -rf /'"],
    ],
  },
  {
    programs:
      'cmake ninja meson scons cpp as tcc icc nvcc ghc swiftc gfortran nasm yasm fpc dmd ldc2 gdc flex bison yacc antlr4 protoc thrift flatc swig autoconf automake autoreconf configure libtool pkg-config ctest cpack mage rake rakefile gulp grunt webpack rollup parcel esbuild vite turbo nx lerna rush swc babel tsc tsup vue-cli-service ng next nuxt remix gatsby hugo jekyll eleventy mkdocs sphinx-build asciidoctor pandoc pdflatex xelatex lualatex latexmk tex typst dot mmdc jupyter streamlit gradio flask django-admin uvicorn gunicorn celery rails artisan symfony drush wp magento spring act dagger earthly pytest py.test tox nox unittest jest vitest mocha ava tap playwright cypress nyc c8 karma wdio testcafe phpunit pest rspec cucumber behave robot detox appium maestro bats shellspec gotestsum ginkgo golangci-lint staticcheck mypy pyright pylint flake8 pydocstyle bandit pyflakes vulture radon eslint biome stylelint tslint standard xo oxlint prettier commitlint lint-staged husky semantic-release changeset np rubocop standardrb brakeman phpstan psalm phpcs php-cs-fixer ktlint detekt swiftlint swiftformat clang-format clang-tidy cppcheck markdownlint markdownlint-cli2 vale codespell cspell checkov tfsec tflint terrascan kubeval kubeconform conftest opa semgrep snyk gitleaks trufflehog detect-secrets storybook chromatic lighthouse dotslash depcruise madge knip ncu npm-check-updates license-checker tsc-watch concurrently npm-run-all run-s run-p wireit zx claude codex gemini aider cursor-agent ollama llm',
    rule: {
      does: 'exec.script',
      why: 'runs code or configuration of the project',
      constrain: 'exact',
      options: { ok: '--version -V', 'exec.inline': '--eval:' },
      harmless: '--version',
    },
    examples: [
      ['safe', 'cmake --version'],
      ['dangerous', 'pytest tests'],
      ['dangerous', 'eslint .'],
      ['dangerous', 'tsc -p .'],
      ['dangerous', 'cmake --build .'],
    ],
  },
];
