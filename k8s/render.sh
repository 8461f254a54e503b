#!/usr/bin/env bash
# Renders the chart into base/fieldstone/rendered.yaml. Run it after changing the chart; a test compares the result.
#   render.sh [-]      with -, prints the result instead
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
helm=${HELM:-$("$here/../test/k8s/tools/build.sh" helm)/helm}
[ "${1:-}" = - ] || exec >"$here/base/fieldstone/rendered.yaml"
echo "# Generated from charts/fieldstone by k8s/render.sh. Do not edit: change values.yaml beside this file."
"$helm" template fieldstone "$here/../charts/fieldstone" --namespace fieldstone --kube-version 1.36.1 --skip-tests \
  --values "$here/base/fieldstone/values.yaml" |
  # Helm 4 leaves an empty line at the end of each object, Helm 3 does not
  awk '/^$/ { empty++; next } { if ($0 != "---") while (empty-- > 0) print ""; empty = 0; print }'
