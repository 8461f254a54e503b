#!/usr/bin/env bash
# Builds the programs that the Kubernetes proof needs, once, and prints the folder they are in.
#   build.sh helm      helm alone (five minutes on two busy cores when nothing is cached)
#   build.sh cluster   etcd, the control plane, kubectl, and the definitions of foreign kinds (six minutes)
#   build.sh node      the same and the kubelet
# The folder lies outside the repository and is named after what it is built from, so another version gets another folder.
# --cached: build nothing; end with code 3 when something is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# Where the kinds come from that the chart makes beside Kubernetes' own.
crd_modules="sigs.k8s.io/gateway-api@v1.4.1 github.com/kedacore/keda/v2@v2.21.0 github.com/prometheus-operator/prometheus-operator@v0.85.0"
crds="gateway.networking.k8s.io_httproutes.yaml keda.sh_scaledobjects.yaml monitoring.coreos.com_servicemonitors.yaml monitoring.coreos.com_prometheusrules.yaml"

wanted=${1:?usage: build.sh helm|cluster|node [--cached]}
[ "${2:-}" = --cached ] && cached=1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fieldstone/kubernetes
# helm would not share a module with Kubernetes without lifting its dependencies
if [ "$wanted" = helm ]; then module=$here/helm; else module=$here; fi
key=$({ cat "$module/go.mod" "$module/go.sum"; echo "$crd_modules"; } | sha256sum | cut -c1-16)
bin=$cache/$key
mkdir -p "$bin"

# lay PROGRAM COMMAND...: runs COMMAND unless PROGRAM is there; the lock keeps two callers from building the same twice
lay() {
  local program=$1
  shift
  [ ! -s "$bin/$program" ] || return 0
  [ -z "${cached:-}" ] || { echo "build.sh: $program has not been built yet" >&2; exit 3; }
  command -v go >/dev/null || { echo "build.sh: Go, which builds $program, is not installed" >&2; exit 3; }
  exec 9>"$cache/lock"
  flock 9
  if [ ! -s "$bin/$program" ]; then
    echo "building $program" >&2
    "$@" >&2
  fi
  exec 9>&-
}

build() { # PACKAGE PROGRAM LINKER-FLAGS
  CGO_ENABLED=0 nice -n 15 go build -C "$module" -trimpath -ldflags "-s -w $3" -o "$bin/$2.draft" "$1"
  mv "$bin/$2.draft" "$bin/$2"
}

# Kubernetes refuses to run without knowing its own version.
build_kubernetes() { # PACKAGE PROGRAM
  local version minor flags="" holder
  version=$(go list -C "$module" -m -f '{{.Version}}' k8s.io/kubernetes)
  minor=$(cut -d. -f2 <<<"$version")
  for holder in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=" -X $holder.gitVersion=$version -X $holder.gitMajor=1 -X $holder.gitMinor=$minor"
  done
  build "$1" "$2" "$flags"
}

# helm tells the version that it was built as only when it is told so.
build_helm() {
  local version
  version=$(go list -C "$module" -m -f '{{.Version}}' helm.sh/helm/v4)
  build helm.sh/helm/v4/cmd/helm helm "-X helm.sh/helm/v4/internal/version.version=$version"
}

# A program of one file, without dependencies.
build_pause() { CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$bin/pause" "$here/pause.go"; }

module_folder() { (cd / && GOFLAGS=-mod=mod go mod download -json "$1") | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'; }

# The definitions of foreign kinds, from the releases of those who define them.
lay_crds() {
  local release folder name
  for release in $crd_modules; do
    folder=$(module_folder "$release")
    for name in $crds; do
      find "$folder" \( -path '*/crd/standard/*' -o -path '*/crd/bases/*' -o -path '*/prometheus-operator-crd/*' \) -name "$name" -exec cat {} + -exec echo --- \;
    done
  done >"$bin/crds.draft"
  mv "$bin/crds.draft" "$bin/crds.yaml"
}

if [ "$wanted" = helm ]; then
  lay helm build_helm
else
  lay crds.yaml lay_crds
  lay kubectl build_kubernetes k8s.io/kubernetes/cmd/kubectl kubectl
  lay etcd build_kubernetes go.etcd.io/etcd/server/v3 etcd
  for program in kube-apiserver kube-controller-manager kube-scheduler; do
    lay "$program" build_kubernetes "k8s.io/kubernetes/cmd/$program" "$program"
  done
fi
if [ "$wanted" = node ]; then
  lay kubelet build_kubernetes k8s.io/kubernetes/cmd/kubelet kubelet
  lay pause build_pause
fi
echo "$bin"
