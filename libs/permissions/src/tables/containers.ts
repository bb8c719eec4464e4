import { type Entry, type OptionSpec, type Rule } from '../rules/rule.js';

const INNER: Readonly<Record<string, string>> = {
  run: '-a: --attach: --add-host: --annotation: --blkio-weight: --cap-add: --cap-drop: --cgroup-parent: --cgroupns: --cidfile: -c: --cpu-shares: --cpus: --cpuset-cpus: -d --detach --detach-keys: --device: --dns: --domainname: -e: --env: --env-file: --entrypoint: --expose: --gpus: --group-add: --health-cmd: -h: --hostname: --init -i --interactive --ip: --ipc: -l: --label: --label-file: --link: --log-driver: --log-opt: --mac-address: -m: --memory: --memory-swap: --mount: --name: --network: --net: --network-alias: --no-healthcheck --oom-kill-disable --pid: --pids-limit: --platform: --privileged? -p: --publish: -P --publish-all --pull: -q --quiet --read-only --restart: --rm --runtime: --security-opt: --shm-size: --sig-proxy? --stop-signal: --stop-timeout: --storage-opt: --sysctl: --tmpfs: -t --tty --ulimit: -u: --user: --userns: --uts: -v: --volume: --volume-driver: --volumes-from: -w: --workdir: --pod: --replace --tz: -T --no-TTY --no-deps --use-aliases --service-ports --build --remove-orphans',
  exec: '-d --detach --detach-keys: -e: --env: --env-file: -i --interactive --privileged -t --tty -u: --user: -w: --workdir: -T --no-TTY --index: -l --latest',
};
const run: Rule = {
  does: ['infra.change', 'exec.inline'],
  why: 'runs a program in a container',
  handler: 'inner',
  operands: 'data',
  options: { ok: INNER.run! },
};
const exec: Rule = {
  does: ['infra.change', 'exec.inline'],
  why: 'runs a program in a container',
  handler: 'inner',
  operands: 'data',
  options: { ok: INNER.exec! },
};

const SHOW: OptionSpec = {
  ok: '-a --all -f: --filter: --format: -n: --last: -l --latest --no-trunc -q --quiet -s --size --tree --digests -d --details --follow --since: --tail: -t --timestamps --until: --no-stream -H --human --type: --limit: --no-index --verbose -v --pretty --no-resolve --no-task-ids --orphans --services --status: --json --no-log-prefix --no-color --index: --bootstrap --raw --no-interpolate --no-normalize --no-path-resolution --no-consistency --profiles --volumes --images --hash: --resolve-image-digests --environment --variables --lock-image-digests --protocol: --no-env-resolution --networks --models --time --sort: --noheading --namespace --cpus --external --ns --sync --stream --compatible --unpushed --pod -p --color --names --reverse --dangling --insecure --provenance --size',
};
const LOGS: OptionSpec = {
  ok: '--details -f --follow --since: -n: --tail: -t --timestamps --until: --no-color --no-log-prefix --index: --names -l --latest --raw --no-resolve --no-task-ids --no-trunc --color',
};

/** docker, podman and their compose files: asking is safe; whatever starts, changes or takes away is not, and volumes hold data. */
export const containers: readonly Entry[] = [
  {
    programs: 'docker podman nerdctl finch docker.exe',
    rule: {
      strict: true,
      handler: 'container',
      bare: 'read',
      options: {
        ok: '-D --debug -l: --log-level: -v --version --help -h --noout',
        'net.send':
          '-H: --host: -c: --context: --remote --url: --connection: --tls --tlsverify --tlscacert: --tlscert: --tlskey: --identity:',
        'env.inject': '--config: --root: --runroot: --storage-driver: --runtime: --hooks-dir: --module: --conmon:',
      },
      commands: {
        'ps|images|stats|history|events|info|version|search|port|top|diff': { does: 'read', options: SHOW },
        inspect: { options: { ok: '-f: --format: -s --size --type: -l --latest' } },
        logs: { options: LOGS },
        run,
        exec,
        create: run,
        container: {
          commands: {
            'ls|ps|list|stats|top|port|diff|inspect': { options: SHOW },
            logs: { options: LOGS },
            run,
            exec,
            create: run,
            'start|stop|restart|pause|unpause|wait|attach|commit|cp|export|kill|rename|update|rm|checkpoint|restore|mount|unmount|init|clone|cleanup|runlabel':
              {
                does: 'infra.change',
                options: {
                  ok: '-f --force -v --volumes -l --link -t: --time: -s: --signal: -a --attach -i --interactive -m: --message: -c: --change: --author: -p? --pause? --memory: --cpus: --restart: --all --ignore',
                },
              },
            prune: { does: 'destroy.infra', options: { ok: '-f --force --filter:' } },
          },
        },
        image: {
          commands: {
            'ls|list|history|inspect|tree|exists|search|diff': { options: SHOW },
            'pull|push|build|tag|rm|remove|untag|import|load|save|prune|scp|sign|trust|mount|unmount': {
              does: 'infra.change',
              operands: 'data',
              options: {
                ok: '-a --all -f: --force --filter: -q --quiet -t: --tag: --no-prune --platform: -i: --input: -m: -c:',
                write: '-o: --output:',
              },
            },
          },
        },
        volume: {
          commands: {
            'ls|list|inspect|exists': { options: SHOW },
            create: 'infra.change',
            'rm|remove|prune': {
              does: 'destroy.infra',
              why: 'destroys the data in volumes',
              options: { ok: '-f --force -a --all --filter:' },
            },
            'import|export|update|reload|mount|unmount': 'infra.change',
          },
        },
        network: {
          commands: {
            'ls|list|inspect|exists': { options: SHOW },
            'create|connect|disconnect|rm|remove|prune|reload|update': {
              does: 'infra.change',
              options: { ok: '-f --force --driver: -d: --subnet: --gateway: --filter: --alias: --ip: --internal --attachable' },
            },
          },
        },
        system: {
          commands: {
            'df|info|events|version': { options: SHOW },
            'connection ls|list': 'read',
            prune: {
              does: 'destroy.infra',
              bulk: true,
              why: 'removes everything that is not running',
              options: { ok: '-a --all -f --force --filter: --volumes --build --external' },
            },
            reset: { does: 'destroy.infra', bulk: true },
            'dial-stdio|service|migrate|renumber|check|connection': 'infra.change',
          },
        },
        context: { commands: { 'ls|list|inspect|show': { options: SHOW }, 'use|create|rm|update|import|export': 'infra.change' } },
        compose: {
          options: {
            ok: '-f: --file: -p: --project-name: --profile: --env-file: --project-directory: --ansi: --progress: --parallel: --compatibility --dry-run --all-resources --verbose -v --version',
          },
          commands: {
            'ps|ls|images|top|port|events|version|stats|volumes': { options: SHOW },
            'config|convert': { options: { ...SHOW, write: '-o: --output:' } },
            logs: { options: LOGS },
            run,
            exec,
            down: {
              does: 'infra.change',
              arity: 0,
              options: { ok: '--remove-orphans --rmi: -t: --timeout: --dry-run', 'destroy.infra': '-v --volumes' },
            },
            'up|build|start|stop|restart|pull|push|create|kill|pause|unpause|rm|cp|attach|scale|watch|wait|publish|alpha|commit|export|bridge':
              {
                does: 'infra.change',
                operands: 'data',
                constrain: 'none',
                options: {
                  ok: '-d --detach --build --no-build --force-recreate --no-recreate --no-deps --remove-orphans -t: --timeout: --wait --wait-timeout: --scale: --pull: --quiet-pull -V --renew-anon-volumes --abort-on-container-exit --exit-code-from: --attach: --no-attach: --no-start --no-color --no-log-prefix --timestamps --menu -w --watch -y --yes --always-recreate-deps --attach-dependencies --abort-on-container-failure --no-cache --with-dependencies --ignore-buildable --ignore-pull-failures --policy: --include-deps -q --quiet --push --check --ssh: -m: --memory: --build-arg: -s: --signal: -f --force --stop',
                  'destroy.infra': '-v --volumes',
                },
              },
          },
        },
        'service|stack|node|swarm|secret|config|plugin|trust|manifest|buildx|builder|checkpoint|pod|machine|play|kube|generate|healthcheck|unshare|artifact|farm|quadlet|scout|sbom|model|mcp|extension|init|desktop|debug|ai|offload|sandbox|pass|cloud':
          {
            options: SHOW,
            commands: {
              'ls|list|ps|inspect|services|tasks|version|logs|top|stats|du|info|exists|status|tree|view': { does: 'read', options: SHOW },
              'imagetools inspect': 'read',
              'create|update|scale|rollback|deploy|up|init|join|leave|join-token|unlock|unlock-key|ca|promote|demote|enable|disable|install|upgrade|set|push|sign|key|signer|revoke|annotate|build|bake|use|stop|start|restart|pause|unpause|kill|imagetools|load|import|export|ssh|os|play|apply|generate|run|systemd|add|pull|cp|unload|watch|enroll|quickview|cves|recommendations|compare|policy|feed|history|dial-stdio':
                {
                  does: 'infra.change',
                  operands: 'data',
                  options: {
                    ok: '-f: --force -t: --tag: --name: --use -c: --compose-file: --advertise-addr: --replicas: --image: --push --load --platform: --no-cache --file: --build-arg: --target: -q --quiet -d --detach --bootstrap --driver: --node: --purge -a --amend',
                    write: '-o: --output:',
                  },
                },
              'rm|remove|down|prune|uninstall|reset|delete': {
                does: 'destroy.infra',
                options: { ok: '-a --all -f --force --filter: --keep-storage: --all-inactive --keep-state --volumes' },
              },
            },
          },
        'start|stop|restart|pause|unpause|wait|attach|commit|cp|export|import|load|save|kill|rename|update|rm|rmi|build|pull|push|tag|login|logout|untag|mount|umount|unmount|init|auto-update|clone|restore|migrate':
          {
            does: 'infra.change',
            operands: 'data',
            options: {
              ok: '-a --all --attach -f: --force -v --volumes -l --link -i: --interactive --input: -m: --message: -c: --change: -q --quiet -t: --tag: --time: --timeout: -s: --signal: --no-prune --no-cache --pull? --platform: --build-arg: --target: --file: --progress: --secret: --ssh: --network: --label: --cache-from: --cache-to: --load --push -u: --username: -p: --password: --password-stdin -L --follow-link --memory: --cpus: --restart: --author: --rm? --squash --iidfile: --disable-content-trust? --all-tags --depend --ignore --memory-swap: --pids-limit: --archive',
              write: '-o: --output:',
            },
          },
      },
    },
    examples: [
      ['safe', 'docker ps -a'],
      ['safe', 'docker logs --tail 50 web'],
      ['safe', 'docker compose ps'],
      ['safe', 'docker inspect web'],
      ['dangerous', 'docker rm web'],
      ['dangerous', 'docker run alpine'],
      ['dangerous', 'docker exec web ls'],
      ['dangerous', 'docker -H tcp://evil ps'],
      ['destructive', 'docker --context x system prune'],
      ['destructive', 'docker volume rm data'],
      ['destructive', 'docker compose down -v'],
      ['destructive', 'docker exec web rm -rf /'],
      ['destructive', 'docker run -v /:/h alpine rm -rf /h'],
    ],
  },
  {
    programs: 'docker-compose podman-compose',
    rule: {
      strict: true,
      handler: 'container',
      options: {
        ok: '-f: --file: -p: --project-name: --profile: --env-file: --project-directory: --ansi: --no-ansi --verbose -v --version --compatibility -h --help',
        'net.send': '-H: --host: -c: --context:',
      },
      commands: {
        'ps|ls|images|top|port|events|version|config|convert|help|stats': { options: SHOW },
        logs: { options: LOGS },
        run,
        exec,
        down: { does: 'infra.change', options: { ok: '--remove-orphans --rmi: -t: --timeout:', 'destroy.infra': '-v --volumes' } },
        'up|build|start|stop|restart|pull|push|create|kill|pause|unpause|rm|cp|scale|watch|wait': {
          does: 'infra.change',
          operands: 'data',
          constrain: 'none',
          options: {
            ok: '-d --detach --build --no-build --force-recreate --no-deps --remove-orphans -t: --timeout: --scale: --pull: --wait --no-cache -q --quiet -f --force -s --stop',
            'destroy.infra': '-v --volumes',
          },
        },
      },
    },
    examples: [
      ['safe', 'docker-compose ps'],
      ['dangerous', 'docker-compose up -d'],
      ['destructive', 'docker-compose down -v'],
    ],
  },
];
