#!/usr/bin/env bash
# Builds the programs that the Kubernetes proof needs, once, and prints the folder they are in.
#   build.sh helm      helm alone (two minutes when nothing is cached)
#   build.sh cluster   helm, etcd, the control plane, kubectl and kwok (twenty minutes)
#   build.sh node      the same and the kubelet
# The folder lies outside the repository and is named after what it is built from, so another version builds anew.
# --cached: build nothing; end with code 3 when something is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
helm_version=v3.22.0
kwok_version=v0.8.0
# Where the kinds come from that the chart makes beside Kubernetes' own.
crd_modules="sigs.k8s.io/gateway-api@v1.4.1 github.com/kedacore/keda/v2@v2.21.0 github.com/prometheus-operator/prometheus-operator@v0.85.0"
crds="gateway.networking.k8s.io_httproutes.yaml keda.sh_scaledobjects.yaml monitoring.coreos.com_servicemonitors.yaml monitoring.coreos.com_prometheusrules.yaml"

wanted=${1:?usage: build.sh helm|cluster|node [--cached]}
command -v go >/dev/null || { echo "build.sh: Go is not installed" >&2; exit 3; }
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fieldstone/kubernetes
key=$({ cat "$here/go.mod" "$here/go.sum"; echo "$helm_version $kwok_version"; } | sha256sum | cut -c1-16)
bin=$cache/$key
mkdir -p "$bin"

# lay PROGRAM COMMAND...: runs COMMAND unless PROGRAM is there; the lock keeps two callers from building the same twice
lay() {
  local program=$1
  shift
  [ -s "$bin/$program" ] && return
  [ -z "${cached:-}" ] || { echo "build.sh: $program has not been built yet" >&2; exit 3; }
  exec 9>"$cache/lock"
  flock 9
  if [ ! -s "$bin/$program" ]; then
    echo "building $program" >&2
    "$@" >&2
  fi
  exec 9>&-
}

# Programs of this folder's module. Kubernetes refuses to run without knowing its own version.
from_module() {
  local package=$1 program=$2 version minor draft
  version=$(go list -C "$here" -m -f '{{.Version}}' k8s.io/kubernetes)
  minor=$(cut -d. -f2 <<<"$version")
  local flags="-s -w" holder
  for holder in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $holder.gitVersion=$version -X $holder.gitMajor=1 -X $holder.gitMinor=$minor"
  done
  draft=$bin/$program.draft
  CGO_ENABLED=0 nice -n 15 go build -C "$here" -trimpath -ldflags "$flags" -o "$draft" "$package"
  mv "$draft" "$bin/$program"
}

# A program of one file, without dependencies.
from_file() { CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$bin/pause" "$1"; }

# Programs that would not share a module with Kubernetes without lifting its dependencies.
from_release() {
  CGO_ENABLED=0 GOBIN=$bin nice -n 15 go install -trimpath -ldflags "-s -w" "$1"
}

module_folder() { (cd / && GOFLAGS=-mod=mod go mod download -json "$1") | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'; }

# The definitions of foreign kinds, from the releases of those who define them.
lay_crds() {
  local module folder name
  for module in $crd_modules; do
    folder=$(module_folder "$module")
    for name in $crds; do
      find "$folder" \( -path '*/crd/standard/*' -o -path '*/crd/bases/*' -o -path '*/prometheus-operator-crd/*' \) -name "$name" -exec cat {} + -exec echo --- \;
    done
  done >"$bin/crds.draft"
  mv "$bin/crds.draft" "$bin/crds.yaml"
}

# How kwok pretends nodes and pods: the stages that it ships.
lay_stages() {
  local folder
  folder=$(module_folder "sigs.k8s.io/kwok@$kwok_version")/kustomize/stage
  for file in node/fast/node-initialize node/heartbeat/node-heartbeat pod/fast/pod-ready pod/fast/pod-delete; do
    cat "$folder/$file.yaml"
    echo ---
  done >"$bin/stages.draft"
  mv "$bin/stages.draft" "$bin/stages.yaml"
}

[ "${2:-}" = --cached ] && cached=1
lay helm from_release "helm.sh/helm/v3/cmd/helm@$helm_version"
if [ "$wanted" != helm ]; then
  lay kubectl from_module k8s.io/kubernetes/cmd/kubectl kubectl
  lay etcd from_module go.etcd.io/etcd/server/v3 etcd
  for program in kube-apiserver kube-controller-manager kube-scheduler; do
    lay "$program" from_module "k8s.io/kubernetes/cmd/$program" "$program"
  done
  lay kwok from_release "sigs.k8s.io/kwok/cmd/kwok@$kwok_version"
  lay stages.yaml lay_stages
  lay crds.yaml lay_crds
fi
if [ "$wanted" = node ]; then
  lay kubelet from_module k8s.io/kubernetes/cmd/kubelet kubelet
  lay pause from_file "$here/pause.go"
fi
echo "$bin"
