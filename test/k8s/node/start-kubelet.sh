#!/usr/bin/env bash
# Runs containerd and a kubelet in separate mount and process namespaces, so that ending them ends every pod and every mount.
#   start-kubelet.sh BIN RUNTIME IMAGE...     in the cluster's folder
# BIN: folder of the kubelet; RUNTIME: folder with Debian's containerd, runc and network plugins; IMAGE: archives to load.
set -euo pipefail
bin=$1 runtime=$2
shift 2
here=$PWD
export PATH=$runtime/usr/bin:$runtime/usr/sbin:$PATH
# files that these programs write at fixed paths stay in here
for folder in /var/lib/kubelet /var/log/containers /usr/libexec/kubernetes /run/containerd; do
  mkdir -p "$folder"
  mount -t tmpfs tmpfs "$folder"
done

mkdir -p networks
cat >networks/loopback.conflist <<J
{"cniVersion": "1.0.0", "name": "loopback-only", "plugins": [{"type": "loopback"}]}
J
cat >containerd.toml <<T
version = 2
root = "$here/containerd/root"
state = "$here/containerd/state"
[grpc]
  address = "$here/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  stream_server_address = "127.0.0.1"
  disable_apparmor = true
  # this root may lack CAP_SYS_RESOURCE
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$runtime/usr/lib/cni"
    conf_dir = "$here/networks"
T
cat >kubelet.yaml <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
containerRuntimeEndpoint: unix://$here/containerd.sock
address: 127.0.0.1
port: $KUBELET_PORT
healthzPort: 0
authentication: {anonymous: {enabled: false}, x509: {clientCAFile: $here/kubelet-client.crt}}
authorization: {mode: Webhook}
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
localStorageCapacityIsolation: false
resolvConf: ""
podLogsDir: $here/pod-logs
Y
containerd --config containerd.toml >containerd.log 2>&1 &
until ctr --address containerd.sock version >/dev/null 2>&1; do sleep 0.2; done
for image in "$@"; do ctr --address containerd.sock --namespace k8s.io images import "$image"; done
exec "$bin/kubelet" --config kubelet.yaml --kubeconfig kubeconfig --root-dir "$here/kubelet" --cert-dir "$here/kubelet-certificates" \
  --hostname-override 127.0.0.1
