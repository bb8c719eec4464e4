import { type Entry } from '../rules/rule.js';

/** Clusters of containers, kubectl, helm and what is around them: asking is safe, namespaces and volumes hold data. */
export const kubernetes: readonly Entry[] = [
  {
    programs: 'kubectl k oc kubecolor microk8s.kubectl',
    rule: {
      strict: true,
      handler: 'kubectl',
      bare: 'read',
      options: {
        ok: '-n: --namespace: --context: --cluster: --request-timeout: -v: --v: --vmodule: --warnings-as-errors --match-server-version -l: --selector: -A --all-namespaces --field-selector: --show-labels --show-kind --no-headers --sort-by: -w --watch --watch-only --ignore-not-found --chunk-size: -L: --label-columns: --output-watch-events? --template: --allow-missing-template-keys? -f: --filename: -R --recursive -k: --kustomize: -h --help --subresource: --show-managed-fields? --all --log-flush-frequency:',
        privilege: '--as: --as-group: --as-uid:',
        'env.inject': '--kubeconfig: --cache-dir: --profile: --profile-output:',
        'net.send':
          '-s: --server: --token: --user: --username: --password: --client-certificate: --client-key: --certificate-authority: --insecure-skip-tls-verify? --tls-server-name:',
      },
      commands: {
        get: { does: 'net.read', options: { ok: '-o: --output: --raw:' } },
        'describe|explain|api-resources|api-versions|version|cluster-info|top|events|options|completion|help': {
          does: 'net.read',
          options: {
            ok: '-o: --output: --show-events? --api-version: --api-group: --namespaced? --verbs: --cached --client? --short --containers --sum --use-protocol-buffers? --for: --types: --output-directory:',
            'write.workspace': '--output-directory:',
          },
        },
        logs: {
          does: 'net.read',
          options: {
            ok: '-c: --container: -f --follow -p --previous --tail: --since: --since-time: --timestamps? --prefix? --all-containers? --all-pods? --max-log-requests: --limit-bytes: --ignore-errors --pod-running-timeout: --insecure-skip-tls-verify-backend',
          },
        },
        diff: {
          does: 'net.read',
          options: {
            ok: '--server-side? --field-manager: --concurrency: --show-managed-fields? --force-conflicts',
            'destroy.infra': '--prune',
          },
        },
        wait: { does: 'net.read', options: { ok: '--for: --timeout: --local -o: --output:' } },
        auth: {
          commands: {
            'can-i|whoami': {
              does: 'net.read',
              options: { ok: '--list -q --quiet --no-headers --subresource: -o: --output: --as: --as-group:' },
            },
            reconcile: 'infra.change',
          },
        },
        rollout: {
          commands: {
            'status|history': { does: 'net.read', options: { ok: '--revision: -o: --output: --timeout: --watch?' } },
            'undo|pause|resume|restart': { does: 'infra.change', options: { ok: '--to-revision: --dry-run? -o: --output:' } },
          },
        },
        config: {
          commands: {
            'current-context|get-contexts|get-clusters|get-users': { options: { ok: '-o: --output: --no-headers' } },
            view: { options: { ok: '-o: --output: --minify? --merge? --flatten?', 'read.secret': '--raw? --flatten?' } },
            'use-context|set|set-context|set-cluster|set-credentials|unset|rename-context|delete-context|delete-cluster|delete-user|use': {
              does: 'write.sensitive',
              operands: 'data',
              options: { ok: '--current --cluster: --user: --namespace: --embed-certs?' },
            },
          },
        },
        plugin: { commands: { list: 'read' } },
        kustomize: {
          does: 'read',
          options: {
            'exec.inline': '--enable-helm --enable-alpha-plugins --enable-exec --helm-command: --network',
            write: '-o: --output:',
          },
        },
        exec: {
          does: ['infra.change', 'exec.inline'],
          why: 'runs a program in a pod',
          handler: 'inner',
          operands: 'data',
          constrain: 'exact',
          options: { ok: '-c: --container: -i --stdin -t --tty -q --quiet --pod-running-timeout:' },
        },
        run: {
          does: ['infra.change', 'exec.inline'],
          why: 'runs a program in a pod',
          handler: 'inner',
          operands: 'data',
          constrain: 'exact',
          options: {
            ok: '--image: --rm -i --stdin -t --tty --restart: --env: --port: --labels: --command --dry-run? -o: --overrides: --attach -q --quiet --image-pull-policy: --expose --privileged',
          },
        },
        delete: {
          does: 'destroy.infra',
          operands: 'data',
          options: { ok: '--grace-period: --force --now --wait? --timeout: --cascade? --dry-run? -o: --output: -i --interactive' },
        },
        drain: {
          does: 'destroy.infra',
          operands: 'data',
          options: {
            ok: '--ignore-daemonsets --delete-emptydir-data --delete-local-data --force --grace-period: --timeout: --disable-eviction --pod-selector: --dry-run?',
          },
        },
        'apply|create|replace|patch|edit|label|annotate|scale|autoscale|set|expose|cordon|uncordon|taint|attach|cp|debug|port-forward|proxy|certificate|convert|adm|new-app|new-project|start-build|rsh|rsync|login|logout|project|import-image|process|policy|tag|secrets|alpha|krew|neat|ctx|ns|stern|projects|status|whoami|krew':
          {
            does: 'infra.change',
            operands: 'data',
            options: {
              ok: '--dry-run? -o: --output: --server-side --force-conflicts --validate? --overwrite --replicas: --current-replicas: --min: --max: --cpu-percent: --image: -p: --patch: --type: --port: --target-port: --from-literal: --from-file: --local --save-config --record? --field-manager: -c: --container: --limits: --requests: --resource-version: --wait? --timeout: --list --address: -i --stdin -t --tty --target: --copy-to: --api-prefix: --no-preserve --retries: --patch-file: --name: --protocol: --image-name: --tcp: --rule: --role: --clusterrole: --serviceaccount: --verb: --resource: --group: --docker-server: --docker-username: --docker-password: --cert: --edit --profile: --share-processes --env:',
              'destroy.infra': '--force --prune --prune-allowlist: --cascade?',
            },
          },
      },
    },
    examples: [
      ['safe', 'kubectl get pods -n kube-system'],
      ['safe', 'kubectl logs nginx -f'],
      ['safe', 'kubectl describe node worker-1'],
      ['dangerous', 'kubectl apply -f a.yml'],
      ['dangerous', 'kubectl exec pod -- ls'],
      ['dangerous', 'kubectl get secret x -o yaml'],
      ['dangerous', 'kubectl --kubeconfig x get pods'],
      ['destructive', 'kubectl delete ns prod'],
      ['destructive', 'kubectl -n prod delete deploy --all'],
      ['destructive', 'kubectl exec p -- rm -rf /'],
    ],
  },
  {
    programs: 'helm',
    rule: {
      strict: true,
      handler: 'helm',
      bare: 'read',
      options: {
        ok: '-n: --namespace: --kube-context: --debug -h --help -o: --output: --registry-config: --repository-cache: --repository-config: --burst-limit: --qps: --color:',
        'net.send': '--kube-apiserver: --kube-token: --kube-ca-file: --kube-tls-server-name: --kube-insecure-skip-tls-verify',
        privilege: '--kube-as-user: --kube-as-group:',
        'env.inject': '--kubeconfig:',
      },
      commands: {
        'list|ls|status|history|hist|version|env|lint|verify|completion|help': {
          does: 'net.read',
          options: {
            ok: '-a --all -A --all-namespaces -d --date --deployed --failed --filter: -m: --max: --no-headers --offset: --pending -q --short -r --reverse -l: --selector: --superseded --time-format: --uninstalled --uninstalling --revision: --show-desc --show-resources --client -c --template: --short --keyring: --strict --quiet --with-subcharts --set: --set-string: -f: --values: --kube-version: --no-descriptions',
          },
        },
        get: {
          commands: {
            'all|hooks|manifest|metadata|notes|values': { does: 'net.read', options: { ok: '--revision: --template: -a --all' } },
          },
        },
        'show|inspect': {
          commands: {
            'all|chart|values|readme|crds': {
              does: 'net.read',
              options: {
                ok: '--version: --repo: --devel --jsonpath: --ca-file: --keyring: --verify --plain-http --insecure-skip-tls-verify --pass-credentials --username: --password:',
              },
            },
          },
        },
        search: {
          commands: {
            'repo|hub': {
              does: 'net.read',
              options: {
                ok: '-l --versions --version: --devel -r --regexp --max-col-width: --fail-on-no-result --endpoint: --list-repo-url',
              },
            },
          },
        },
        template: {
          does: 'net.read',
          options: {
            ok: '-f: --values: --set: --set-string: --set-file: --set-json: --set-literal: --version: --repo: --devel --include-crds --skip-crds --no-hooks --skip-tests --is-upgrade -s: --show-only: --validate --api-versions: -a: --kube-version: --name-template: -g --generate-name --dependency-update --create-namespace --description: --release-name --replace --wait --timeout: --atomic --disable-openapi-validation --dry-run? --ca-file: --cert-file: --key-file: --username: --password: --pass-credentials --verify --keyring: --labels: --render-subchart-notes --enable-dns',
            'exec.inline': '--post-renderer: --post-renderer-args:',
            'write.workspace': '--output-dir:',
          },
        },
        'diff upgrade|revision|rollback|release|version': {
          does: 'net.read',
          options: {
            ok: '-f: --values: --set: --set-string: --set-file: --set-json: --version: --repo: --devel --allow-unreleased --install --reuse-values --reset-values --three-way-merge --no-hooks --include-tests -C: --context: --detailed-exitcode --suppress: --show-secrets --no-color --normalize-manifests --dry-run?',
            'exec.inline': '--post-renderer: --post-renderer-args:',
            write: '--output-file:',
          },
        },
        'repo|dependency|dep|dependencies|plugin|registry': {
          commands: {
            'list|ls': { does: 'net.read', options: { ok: '--max-col-width: --type:' } },
            'add|remove|rm|update|up|index|build|install|uninstall|login|logout|package|verify': {
              does: 'infra.change',
              operands: 'data',
              options: {
                ok: '--force-update --username: --password: --password-stdin --skip-refresh --version: --url: --merge: --insecure --no-update --pass-credentials --ca-file: --cert-file: --key-file: -u: -p:',
              },
            },
          },
        },
        'install|upgrade|uninstall|delete|del|un|rollback': {
          does: 'infra.change',
          operands: 'data',
          harmless: '--dry-run --dry-run=client --dry-run=server',
          options: {
            ok: '-f: --values: --set: --set-string: --set-file: --set-json: --set-literal: --version: --repo: --devel --skip-crds --no-hooks --wait? --wait-for-jobs --timeout: --atomic --create-namespace --dependency-update --description: -g --generate-name --name-template: --replace --render-subchart-notes -i --install --reuse-values --reset-values --reset-then-reuse-values --force --cleanup-on-fail --history-max: --dry-run? --hide-secret --keep-history --cascade: --ignore-not-found --disable-openapi-validation --enable-dns --labels: -l: --recreate-pods --take-ownership --verify --keyring: --username: --password: --pass-credentials --skip-schema-validation --ca-file: --plain-http',
            'exec.inline': '--post-renderer: --post-renderer-args:',
          },
        },
        'create|package|pull|fetch|push|test': {
          does: ['write.workspace', 'infra.change'],
          operands: 'data',
          options: {
            ok: '-d: --destination: --version: --app-version: -u --dependency-update --untar --untardir: --repo: --devel --prov --verify --logs --timeout: --filter: -p: --starter: --sign --key: --keyring: --username: --password: --insecure-skip-tls-verify --plain-http --ca-file:',
          },
        },
      },
    },
    examples: [
      ['safe', 'helm list -A'],
      ['safe', 'helm install x y --dry-run'],
      ['safe', 'helm template x ./chart'],
      ['dangerous', 'helm install x y'],
      ['dangerous', 'helm install x y --description --dry-run'],
      ['dangerous', 'helm template x ./chart --post-renderer ./x'],
      ['destructive', 'helm uninstall x'],
    ],
  },
  {
    programs:
      'kubectx kubens stern minikube kind k3d k3s k3sup microk8s eksctl kops kubeadm argocd argo flux istioctl linkerd cilium velero skaffold tilt garden devspace werf kustomize helmfile crictl ctr buildah skopeo crane oras dive trivy grype syft cosign lima limactl colima multipass vagrant virsh virt-install qemu-system-x86_64 qemu-img VBoxManage prlctl lxc incus systemd-nspawn machinectl nomad consul vault boundary waypoint',
    rule: {
      bare: 'infra.change',
      verbs: {
        read: 'list ls get describe show status info version logs log history diff inspect view search tree validate check lint explain top images events help profile-list tag-list members alloc-status node-status job-status',
        change:
          'create apply install start stop restart run exec up deploy build push pull sync set update upgrade load login logout import export enable disable connect ssh cp copy tag add resume pause unpause promote rollback write kv put patch rotate renew scale serve dev init join token unseal seal operator shell mount snapshot clone attach console use edit annotate label rename restore backup proxy tunnel addons debug generate sign attest verify image node pod rollouts',
        destroy:
          'delete destroy rm remove uninstall purge prune drop clean reset halt terminate undefine kill down teardown revoke unregister force-leave gc',
        other: { 'read.secret': 'read unwrap' },
        // Groups whose names are verbs of other programs.
        except: {
          'kv list': 'net.read',
          'kv get': 'read.secret',
          'kv export': 'read.secret',
          'kv delete': 'destroy.infra',
          'kv destroy': 'destroy.infra',
          'kv metadata': 'destroy.infra',
          'secrets list': 'net.read',
          'secrets disable': 'destroy.infra',
          'auth list': 'net.read',
          'auth disable': 'destroy.infra',
          'job status': 'net.read',
          'job inspect': 'net.read',
          'job history': 'net.read',
          'job stop': 'destroy.infra',
          'node status': 'net.read',
          'node list': 'net.read',
          'node delete': 'destroy.infra',
          'image list': 'net.read',
          'image ls': 'net.read',
          'image rm': 'destroy.infra',
          'backup get': 'net.read',
          'backup describe': 'net.read',
          'backup logs': 'net.read',
          'backup delete': 'destroy.infra',
          'restore get': 'net.read',
          'restore delete': 'destroy.infra',
          'snapshot list': 'net.read',
          'snapshot delete': 'destroy.infra',
          'token lookup': 'net.read',
          'token revoke': 'destroy.infra',
          'operator raft': 'infra.change',
        },
      },
    },
    examples: [
      ['safe', 'argocd app list'],
      ['safe', 'minikube status'],
      ['safe', 'velero backup get'],
      ['safe', 'nomad job status web'],
      ['dangerous', 'vault kv get secret/x'],
      ['dangerous', 'kind create cluster'],
      ['destructive', 'vault secrets disable kv'],
      ['destructive', 'velero backup delete x'],
      ['destructive', 'kind delete cluster'],
      ['destructive', 'vagrant destroy -f'],
    ],
  },
];
