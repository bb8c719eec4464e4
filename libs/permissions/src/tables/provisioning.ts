import { type Entry } from '../rules/rule.js';

/** Infrastructure that is described in files: planning reads, applying changes, and destroying takes away. */
export const provisioning: readonly Entry[] = [
  {
    programs: 'terraform tofu terragrunt opentofu',
    rule: {
      strict: true,
      singleDash: true,
      bare: 'read',
      options: {
        ok: '-help -h -version -v -no-color -json -input: -lock: -lock-timeout: -state: -var: -compact-warnings -chdir:',
        'exec.inline': '-plugin-dir:',
      },
      commands: {
        'version|validate|show|graph|providers|modules|output|metadata|help': {
          operands: 'data',
          options: { ok: '-raw -no-tests -test-directory: -type: -draw-cycles -plan: -module-depth: -allow-missing', read: '-var-file:' },
          commands: { 'mirror|lock': 'write.workspace', schema: { options: { ok: '-json' } }, functions: 'read' },
        },
        fmt: {
          does: 'write.workspace',
          harmless: '-check -write=false -diff -list=false',
          options: { ok: '-check -write: -diff -list: -recursive' },
          operands: 'data',
        },
        state: {
          commands: {
            'list|show': { options: { ok: '-id:' } },
            pull: 'read.secret',
            'mv|replace-provider|push': 'infra.change',
            rm: 'destroy.infra',
          },
        },
        workspace: { commands: { 'list|show': 'read', 'new|select': 'infra.change', delete: 'destroy.infra' } },
        plan: {
          does: 'infra.change',
          why: 'runs providers and data sources',
          operands: 'data',
          options: {
            ok: '-out: -var-file: -target: -replace: -refresh: -refresh-only -destroy -detailed-exitcode -parallelism: -generate-config-out: -exclude: -target-file: -concise',
          },
        },
        destroy: {
          does: 'destroy.infra',
          bulk: true,
          why: 'destroys everything that it manages',
          operands: 'data',
          options: { ok: '-auto-approve -target: -var-file: -parallelism: -refresh: -force' },
        },
        apply: {
          does: 'infra.change',
          operands: 'data',
          options: {
            ok: '-auto-approve -var-file: -target: -replace: -refresh: -refresh-only -parallelism: -backup: -state-out:',
            'destroy.infra': '-destroy',
          },
        },
        'run-all|run': { does: 'infra.change', operands: 'data', handler: 'inner' },
        'init|get|import|refresh|taint|untaint|force-unlock|login|logout|console|test|push|cloud|stacks|query|rpcapi': {
          does: 'infra.change',
          operands: 'data',
          options: {
            ok: '-upgrade -reconfigure -migrate-state -backend: -backend-config: -get: -from-module: -force-copy -lockfile: -var-file: -target: -allow-missing -filter: -verbose -update -config: -force',
          },
        },
      },
    },
    examples: [
      ['safe', 'terraform validate'],
      ['safe', 'terraform fmt -check'],
      ['safe', 'terraform state list'],
      ['dangerous', 'terraform plan'],
      ['dangerous', 'terraform apply'],
      ['destructive', 'terraform destroy -auto-approve'],
      ['destructive', 'terraform -chdir=infra destroy'],
      ['destructive', 'terraform apply -destroy'],
    ],
  },
  {
    programs: 'packer',
    rule: {
      singleDash: true,
      strict: true,
      options: { ok: '-help -h -version -v -machine-readable --help --version' },
      commands: {
        'version|inspect|validate|help': {
          options: { ok: '-var: -var-file: -except: -only: -syntax-only -evaluate-datasources -no-warn-undeclared-var' },
        },
        fmt: {
          does: 'write.workspace',
          harmless: '-check -write=false',
          options: { ok: '-check -diff -write: -recursive' },
          operands: 'data',
        },
        'plugins installed|required': 'read',
        'build|init|hcl2_upgrade|console|plugins': {
          does: 'infra.change',
          operands: 'data',
          options: {
            ok: '-var: -var-file: -force -on-error: -only: -except: -debug -color: -parallel-builds: -timestamp-ui -upgrade -output-file: -with-annotations',
          },
        },
      },
    },
    examples: [
      ['safe', 'packer validate a.json'],
      ['dangerous', 'packer build a.json'],
    ],
  },
  {
    programs: 'pulumi',
    rule: {
      options: {
        ok: '-C: --cwd: -s: --stack: --non-interactive --color: --logtostderr -v: -Q --json --disable-integrity-checking -h --help --show-ids -i --show-urns -u --show-name',
        'read.secret': '--show-secrets',
      },
      commands: {
        'version|about|whoami|logs|help': 'net.read',
        stack: {
          bare: 'net.read',
          commands: {
            'ls|history|output|graph|tag': 'net.read',
            'init|select|rename|import|export|change-secrets-provider|unselect': 'infra.change',
            rm: 'destroy.infra',
          },
        },
        config: { bare: 'read', commands: { get: 'read', 'set|rm|set-all|rm-all|refresh|cp|env': 'write.workspace' } },
        'plugin ls': 'read',
        'preview|up|update|refresh|import|new|login|logout|cancel|watch|state|policy|org|convert|package|install|env|deployment|console|do|gen-completion|schema':
          { does: 'infra.change', operands: 'data' },
        'destroy|down': { does: 'destroy.infra', bulk: true, operands: 'data' },
      },
    },
    examples: [
      ['safe', 'pulumi stack ls'],
      ['dangerous', 'pulumi up'],
      ['destructive', 'pulumi destroy'],
    ],
  },
  {
    programs: 'cdk cdktf sam serverless sls sst copilot amplify eb chalice zappa cloudformation cfn',
    rule: {
      harmless: '--version -h',
      options: {
        ok: '-l --long --json -v --verbose -h --help --version --profile: --region: -r: --stage: -s: --no-color --no-notices -q --quiet -y -c: --context: --strict',
        'exec.inline': '-a: --app: --plugin: -p: --build:',
        write: '-o: --output:',
      },
      commands: {
        'version|help|notices|acknowledge|doctor|info|status|validate|logs': 'read',
        'list|ls|synth|synthesize|diff|metadata|context|docs|doc|deploy|dev|bootstrap|init|import|migrate|gc|refactor|watch|rollback|deployments|invoke|package|publish|build|local|package|sync|remote|pipeline|push|pull|add|update|create|use|config|env|svc|job|task|app|open|print|drift|flags|orphan|cli-telemetry|get|convert|provider|output|test':
          { does: 'exec.script', why: 'runs the code of the app', operands: 'data', constrain: 'exact' },
        'destroy|remove|delete|terminate': { does: 'destroy.infra', operands: 'data', bulk: true },
      },
    },
    examples: [
      ['safe', 'cdk --version'],
      ['dangerous', 'cdk deploy'],
      ['destructive', 'cdk destroy'],
    ],
  },
];
