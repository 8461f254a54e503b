#!/usr/bin/env bash
# Renders the chart into base/fieldstone/rendered.yaml. Run it after a change of the chart; a test compares.
#   render.sh [-]      - prints instead
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
helm=${HELM:-$("$here/../test/k8s/tools/build.sh" helm)/helm}
[ "${1:-}" = - ] || exec >"$here/base/fieldstone/rendered.yaml"
echo "# Made from charts/fieldstone by k8s/render.sh: change values.yaml beside this file, not this."
"$helm" template fieldstone "$here/../charts/fieldstone" --namespace fieldstone --kube-version 1.36.1 --skip-tests \
  --values "$here/base/fieldstone/values.yaml" |
  # Helm 4 leaves an empty line at the end of each object, Helm 3 does not
  awk '/^$/ { empty++; next } { if ($0 != "---") while (empty-- > 0) print ""; empty = 0; print }'
