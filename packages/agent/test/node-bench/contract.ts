import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** Node.js 26.10, which has `node:bench` behind a flag. */
const nodeWithBench = fileURLToPath(
  new URL('../../../../node_modules/node-runtime/bin/node', import.meta.url),
);
const loader = createRequire(import.meta.url)
  .resolve('@bench-cli/agent')
  .replace(/index\.js$/, 'library/node-bench.cjs');

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** What a file declares, as both modules report it. */
export interface Declared {
  readonly namePath: readonly string[];
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly tags: readonly string[];
  readonly skip?: string | true | undefined;
}

/** What one benchmark did. */
export interface Ran {
  /** The lines that the file printed while it loaded and ran. */
  readonly calls: readonly string[];
  /** The message of the error, if it failed. */
  readonly error: string | undefined;
  /** The rate of each sample, or their mean. */
  readonly rates: readonly number[];
}

interface RealRecord {
  readonly type: string;
  readonly data: Declared & {
    readonly message: string;
    readonly stream?: string;
    readonly level?: string;
    readonly error?: { readonly name: string; readonly message: string } | string;
    readonly samples: readonly { readonly rate: number }[];
  };
}

/** Runs a file with the module of Node.js. */
async function real(file: string, args: readonly string[]): Promise<readonly RealRecord[]> {
  const { stdout } = await execa(
    nodeWithBench,
    ['--experimental-bench', '--no-warnings', '--bench', '--bench-reporter=json', ...args, file],
    { reject: false },
  );
  return stdout.split('\n').map((line) => JSON.parse(line));
}

export async function declaredInNode(file: string): Promise<readonly Declared[]> {
  const records = await real(file, ['--bench-name-pattern=(?!)']);
  return records
    .filter(({ type }) => type === 'bench:plan')
    .map(({ data }) => declaredOf({ ...data, skip: data.skip === 'name pattern' ? undefined : data.skip }));
}

/** @param name the names of the suites and the benchmark, joined by blanks, which no other benchmark has */
export async function ranInNode(file: string, name: string, samples: number): Promise<Ran> {
  const pattern = `^${name.replaceAll(/[^\w ]/g, '\\$&')}$`;
  const records = await real(file, [`--bench-name-pattern=${pattern}`, `--bench-samples=${samples}`]);
  const [complete] = records.filter(({ type, data }) => type === 'bench:complete' && !('skip' in data));
  return {
    calls: linesOf(
      records
        .filter(({ data }) => data.stream === 'stdout')
        .map(({ data }) => data.message)
        .join(''),
    ),
    error: errorText(complete?.data.error),
    rates: complete?.data.samples.map(({ rate }) => rate) ?? [],
  };
}

/** The results of all benchmarks of a file under Node.js, in order. Undefined if it cannot be loaded. */
export async function outcomesInNode(file: string): Promise<readonly Outcome[] | undefined> {
  const records = await real(file, ['--bench-samples=1']);
  const declared = new Map<string, Outcome>();
  if (records[0]?.data.level === 'error') return undefined;
  for (const { type, data } of records) {
    if (type !== 'bench:plan' && type !== 'bench:complete') continue;
    const { skip, ...each } = declaredOf(data);
    const outcome = skip !== undefined ? 'skipped' : data.samples.length > 0 ? 'measured' : 'failed';
    declared.set(JSON.stringify([each.namePath, each.params]), [outcome, ...each.namePath]);
  }
  return [...declared.values()];
}

export async function outcomesInStandIn(file: string): Promise<readonly Outcome[] | undefined> {
  const [message] = (await standIn(file, { samples: 1 })).messages;
  if (message?.type === 'error') return message.message.startsWith('declared no') ? [] : undefined;
  const outcomes: Outcome[] = [];
  for (const declared of message.declarations) {
    const { skip, namePath, error } = declared;
    const isMeasured = async () => (await ranInStandIn(file, declared, 1)).error === undefined;
    const outcome =
      skip !== undefined ? 'skipped' : error === undefined && (await isMeasured()) ? 'measured' : 'failed';
    outcomes.push([outcome, ...namePath]);
  }
  return outcomes;
}

/** `measured`, `failed` or `skipped`, and the names of the suites and the benchmark. */
type Outcome = readonly string[];

function errorText(error: RealRecord['data']['error']): string | undefined {
  if (error === undefined) return undefined;
  return typeof error === 'string' ? `threw ${error}` : `${error.name}: ${error.message}`;
}

function declaredOf({ namePath, params, tags, skip }: Declared): Declared {
  return { namePath, params, tags, ...(skip !== undefined && { skip }) };
}

/** Runs a file with the stand-in. */
async function standIn(file: string, order: object) {
  const format = /\.c[jt]s$/.test(file) ? 'commonjs' : 'module';
  const { stdout, stdio } = await execa(nodeWithBench, [loader, file], {
    env: { BENCH_CLI_ORDER: JSON.stringify({ channel: 3, declared: { format, ...order } }) },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    reject: false,
  });
  const messages = linesOf(String(stdio[3])).map((line) => JSON.parse(line));
  return { calls: linesOf(stdout), messages };
}

export async function declaredInStandIn(file: string): Promise<readonly Declared[]> {
  const { messages } = await standIn(file, { samples: 1 });
  return messages[0].declarations.map(declaredOf);
}

export async function ranInStandIn(
  file: string,
  { namePath, params }: Declared,
  samples: number,
): Promise<Ran> {
  const run = JSON.stringify([namePath, params]);
  const { calls, messages } = await standIn(file, { run, samples });
  const [{ type, rate, message }] = messages;
  return { calls, error: type === 'error' ? message : undefined, rates: type === 'error' ? [] : [rate] };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
