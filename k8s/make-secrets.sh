#!/usr/bin/env bash
# Creates the passwords, keys and certificates of one overlay: make-secrets.sh overlays/laptop
# They are written to OVERLAY/secrets, which Git ignores. Existing files are kept, so it is safe to run again. To renew
# CockroachDB's certificates, delete secrets/certs first, except ca.key and ca.crt.
set -euo pipefail
overlay=${1:?usage: make-secrets.sh overlays/laptop|overlays/production}
namespace=fieldstone
days=825
umask 077
mkdir -p "$overlay/secrets/certs"
cd "$overlay/secrets"

random() { openssl rand -hex 24; }
[ -e garage.env ] || printf 'GARAGE_RPC_SECRET=%s\nGARAGE_ADMIN_TOKEN=%s\n' "$(openssl rand -hex 32)" "$(random)" >garage.env
# your licence of CockroachDB, which more than one node needs
[ -e cockroachdb.env ] || printf 'ORGANIZATION=\nLICENSE=\n' >cockroachdb.env
[ -e temporal.env ] || printf 'POSTGRES_USER=temporal\nPOSTGRES_PASSWORD=%s\n' "$(random)" >temporal.env
if [ ! -e fieldstone.env ]; then
  cat >fieldstone.env <<E
DATABASE_URL=postgresql://fieldstone@cockroachdb-public:26257/fieldstone?sslmode=verify-full
S3_ACCESS_KEY=fieldstone
S3_SECRET_KEY=$(random)
FIELDSTONE_SECRET_KEY=$(openssl rand -base64 32)
E
fi

cd certs
if [ ! -e ca.crt ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/O=Cockroach/CN=Fieldstone trial CA" \
    -keyout ca.key -out ca.crt 2>/dev/null
fi
# sign NAME COMMON-NAME USAGE [ALT-NAMES]
sign() {
  [ -e "$1.crt" ] && return
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/O=Cockroach/CN=$2" -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf 'extendedKeyUsage=%s\n%s' "$3" "${4:+subjectAltName=$4}" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days "$days" -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}
hosts=DNS:localhost,IP:127.0.0.1
for service in cockroachdb-public cockroachdb; do
  for suffix in "" ".$namespace" ".$namespace.svc" ".$namespace.svc.cluster.local"; do
    hosts+=",DNS:$service$suffix,DNS:*.$service$suffix"
  done
done
sign node node serverAuth,clientAuth "$hosts"
sign client.root root clientAuth
sign client.fieldstone fieldstone clientAuth
