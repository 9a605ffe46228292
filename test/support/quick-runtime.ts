import { chmodSync, writeFileSync } from 'node:fs';

/** How a quick runtime answers runs. */
export interface QuickRuntime {
  /**
   * Shell code that sets `rate`. It has the parameters of the run as variables, and `$benchmark`, the name of the benchmark.
   * `rate_of key` sets it to the rate of that key in the file of the benchmark with the suffix `.rates`. Without a rate, Node.js
   * carries out the run.
   */
  readonly rate: string;
  /** The version that it tells, in place of that of this Node.js. */
  readonly version?: string;
  /** The name that it tells. Default: node. */
  readonly name?: 'node' | 'bun';
  /** The seconds that it reports as measured. Default: 10 ms. */
  readonly time?: string;
}

/**
 * Writes a runtime for tests that have many runs and in which the rates are known or do not matter. It is this Node.js, except that
 * a shell tells its version, reports rates, and repeats what Node.js has planned for a file. It starts in a fraction of the time.
 * Runs that measure metrics, and CommonJS benchmarks, are left to Node.js too. The values of parameters must be words; numbers and
 * booleans are no text.
 * @param path the program
 */
export function writeQuickRuntime(
  path: string,
  { rate, version = process.versions.node, name = 'node', time = '0.010000000' }: QuickRuntime,
): void {
  const { versions, arch, platform } = process;
  const runtime = { name, version, v8: versions.v8, arch, platform };
  const source = `#!/bin/sh
# A plan that is repeated loads no files.
unset BENCH_CLI_IMPORTED_FILES
node='${process.execPath}'
file=
for argument in "$@"; do
  case $argument in
    -e) printf '%s\\n' '${JSON.stringify(runtime)}'; exit ;;
    *probe.cjs) exec "$node" "$@" ;;
    -* | *.cjs | file:*) ;;
    *) file=$argument; break ;;
  esac
done
case $file in '' | *=*) exec "$node" "$@" ;; esac
if [ "$BENCH_CLI_PHASE" = plan ]; then
  kept=$file.$(printf %s "$*" | cksum | tr ' ' -).plan
  if ! [ "$kept" -nt "$file" ]; then
    "$node" "$@" 3> "$kept.$$" || exec "$node" "$@"
    mv "$kept.$$" "$kept"
  fi
  cat "$kept" >&3
  exit
fi
rate_of() {
  rate=$(grep -m 1 "^$1 " "$file.rates")
  rate=\${rate#* }
}
if [ -n "\${NODE_RUN_BENCHMARK_FN+run}" ]; then
  group=\${file%/*}
  benchmark=\${group##*/}/\${file##*/}
  conf=
  rate=
  for argument in "$@"; do
    case $argument in -*) continue ;; *=*) ;; *) continue ;; esac
    name=\${argument%%=*}
    value=\${argument#*=}
    eval "$name=\\$value"
    case $value in true | false) ;; '' | *[!0-9.]*) value="\\"$value\\"" ;; esac
    conf="$conf\${conf:+,}\\"$name\\":$value"
  done
  ${rate}
  if [ -n "$rate" ]; then
    printf '{"type":"report","name":"%s","conf":{%s},"rate":%s,"time":"${time}"}\\n' "$benchmark" "$conf" "$rate" >&3
    exit
  fi
fi
exec "$node" "$@"
`;
  writeFileSync(path, source);
  chmodSync(path, 0o755);
}

/** A rate that varies by some per mille from run to run, however many processes are between two runs. */
export function rateAround(mean: number): string {
  return `rate=$((${mean} + ($$ / 25 + $$ / 5 + $$) % 5)).$(($$ % 10))`;
}
