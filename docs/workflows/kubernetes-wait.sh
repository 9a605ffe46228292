#!/bin/bash
# Waits until a Job has ended: kubernetes-wait.sh benchmarks
# It exits with 0 if the Job is complete, and with 1 if it has failed. "kubectl wait --for=condition=complete" alone would wait for
# its whole time limit after a failure.
set -uo pipefail

job=$1
limit=${2:-6h}
kubectl wait --for=condition=complete --timeout="$limit" "job/$job" > /dev/null &
complete=$!
kubectl wait --for=condition=failed --timeout="$limit" "job/$job" > /dev/null &
failed=$!
trap 'kill "$complete" "$failed" 2> /dev/null; wait' EXIT
wait -n
status=$(kubectl get "job/$job" --output=jsonpath='{.status.conditions[?(@.status=="True")].type}')
echo "job/$job: ${status:-not ended after $limit}"
case " $status " in
  *" Complete "*) exit 0 ;;
  *) exit 1 ;;
esac
