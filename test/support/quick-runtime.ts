import { chmodSync, writeFileSync } from 'node:fs';

/** How a quick runtime answers the run of a benchmark. */
export interface QuickRuntime {
  /**
   * Shell code that sets `key` from the environment and the run: `$benchmark` is the name of the benchmark, and each parameter is
   * a variable of its own.
   */
  readonly key: string;
  /** The names of the parameters that are numbers; all others are text. */
  readonly numbers: readonly string[];
  /** The version that it tells, in place of that of this Node.js. */
  readonly version?: string;
}

/**
 * Writes a runtime for benchmarks whose rates a test knows in advance. It is this Node.js, except that a shell carries out the runs:
 * it reports the rate at `key` in the file of the benchmark with the suffix `.rates`. So a run takes 4 ms instead of 65, and a
 * test can have hundreds. All else, such as planning and a key without a rate, is left to Node.js.
 * @param path the program
 */
export function writeQuickRuntime(
  path: string,
  { key, numbers, version = process.versions.node }: QuickRuntime,
): void {
  const { versions, arch, platform } = process;
  const runtime = { name: 'node', version, v8: versions.v8, arch, platform };
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = -e ]; then
  printf '%s\\n' '${JSON.stringify(runtime)}'
  exit
fi
if [ -n "\${NODE_RUN_BENCHMARK_FN+run}" ] && [ -f "$1.rates" ]; then
  group=\${1%/*}
  benchmark=\${group##*/}/\${1##*/}
  conf=
  file=$1
  for argument in "$@"; do
    case $argument in *=*) ;; *) continue ;; esac
    name=\${argument%%=*}
    value=\${argument#*=}
    eval "$name=\\$value"
    case " ${numbers.join(' ')} " in *" $name "*) ;; *) value="\\"$value\\"" ;; esac
    conf="$conf\${conf:+,}\\"$name\\":$value"
  done
  ${key}
  while read -r each rate; do
    [ "$each" = "$key" ] || continue
    printf '{"type":"report","name":"%s","conf":{%s},"rate":%s,"time":"0.000001000"}\\n' "$benchmark" "$conf" "$rate" >&3
    exit
  done < "$file.rates"
fi
exec '${process.execPath}' "$@"
`,
  );
  chmodSync(path, 0o755);
}

/** The file of rates that a quick runtime reads beside a benchmark. Keys have no white space. */
export function ratesText(rates: ReadonlyMap<string, number>): string {
  return Array.from(rates, ([key, rate]) => `${key} ${rate}\n`).join('');
}
