import { existsSync, globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { recordedInputs } from '../../../test/support/recorded-inputs.ts';
import { readLines, writeLines } from '../../../test/support/recording.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

/** Functions that differ in nothing else but `slow`, which does ten times as much under the subject with the variable SLOW. */
const hashing = (name: string, rounds = '1') => `export function ${name}(text) {
  let sum = ${name.length};
  for (let round = 0; round < ${rounds}; round++) for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) | 0;
  return sum;
}`;
const library = `import { setFlagsFromString } from 'node:v8';
interface Removed {
  readonly kind: Kind;
}
export enum Kind { Small, Large }
for (const compiler of ['maglev', 'turbo']) setFlagsFromString('--no-' + compiler + '-inlining');
const factor = process.env.SLOW ? 10 : 1;
${['steady', 'hash', 'digest'].map((name) => hashing(name)).join('\n')}
${hashing('slow', 'factor')}
`;

const suite = sharedSuite({
  'benchmarks/lib.ts': library,
  'benchmarks/g/a.ts': benchmark(
    '{ n: 3e4 }',
    `const text = 'x'.repeat(100);
       let all = 0;
       bench.start();
       for (let i = 0; i < conf.n; i++) { all += steady(text) + hash(text) + digest(text) + slow(text); }
       bench.end(conf.n);
       globalThis.all = all;`,
    { head: "import { digest, hash, slow, steady } from '../lib.ts';" },
  ),
});

beforeAll(async () => {
  const words = ['compare', '--old', process.execPath, '--new', `${process.execPath},env=SLOW=1`];
  const { exitCode, stderr } = await compare(...words, '--runs', '2', '--out', 'r.jsonl', 'g');
  expect(exitCode, stderr).toBe(0);
});

/** The comparisons are not measured, and the profiles are. */
const compare = (...args: string[]) => benchCli(args, { cwd: suite.directory, scripted: anyRates(true) });
const explain = (...args: string[]) => benchCli(['explain', ...args], { cwd: suite.directory });

describe('bench-cli explain', () => {
  let explained: Awaited<ReturnType<typeof explain>>;

  beforeAll(async () => {
    explained = await explain('r.jsonl', '--where', 'n=3e4', '--runs', '4');
  });

  it('names the function that became slower', () => {
    const { stdout, exitCode, stderr } = explained;
    expect(exitCode, stderr).toBe(0);
    const functions = Array.from(stdout.matchAll(/ {2}(\w+) benchmarks\/lib\.ts/g), ([, name]) => name);
    // Most functions are as fast as before, because what all have in common is the median. Noise can list other functions too, on a loaded machine even first: code that is still interpreted takes ten times as long.
    expect(functions, stdout).toContain('slow');
  });

  it('keeps the profiles, which other tools open, with the positions of the sources', () => {
    expect(globSync('*.cpuprofile', { cwd: suite.path('r.profiles') })).toHaveLength(8);
    const [first = ''] = globSync('*.cpuprofile', { cwd: suite.path('r.profiles') });
    const { nodes, samples } = JSON.parse(readFileSync(suite.path(`r.profiles/${first}`), 'utf8'));
    expect(samples).toEqual(expect.any(Array));
    // The compiler removes lines before the function, and adds some.
    const lineNumber = library.split('\n').findIndex((line) => line.includes('function slow'));
    const callFrame = expect.objectContaining({ functionName: 'slow', lineNumber });
    expect(nodes).toContainEqual(expect.objectContaining({ callFrame }));
  });

  it('is shown in the page', async () => {
    const args = ['analyze', 'r.jsonl', '--html', 'r.html'];
    expect(await benchCli(args, { cwd: suite.directory })).toMatchObject({ exitCode: 0 });
    const html = readFileSync(suite.path('r.html'), 'utf8');
    const cells = html.matchAll(/<tr role="row" class="slower"><th [^>]*>([^<]+)/g);
    const rows = Array.from(cells, ([, name]) => name);
    expect(rows).toContain('slow benchmarks/lib.ts');
    expect(rows.filter((name = '') => /(core|runner)\/(lib|src)\/|index\.js/.test(name))).toEqual([]);
  });

  it('profiles nothing if no configuration differs for certain', async () => {
    const same = ['compare', '--old', process.execPath, '--new', `${process.execPath},env=X=1`];
    const compared = [...same, '--runs', '1', '--out', 'same.jsonl', '--format', 'table', 'g'];
    expect((await compare(...compared)).exitCode).toBe(0);
    const nothing = { exitCode: 0, stdout: '', stderr: expect.stringContaining('--where') };
    expect(await explain('same.jsonl')).toMatchObject(nothing);
    expect(existsSync(suite.path('same.profiles'))).toBe(false);
  });

  it('refuses a CSV, which does not name the subjects', async () => {
    const header = '"binary","filename","configuration","rate","time"\n"old","g/a.ts","n=1",1,1\n';
    const result = await benchCli(['explain', '-'], { cwd: suite.directory, input: header });
    expect(result).toEqual(usageError('EXPLAIN', 'CSV'));
  });
});

it('names a runtime that has no profiler', async () => {
  using inputs = recordedInputs();
  const lines = readLines(inputs.path('fixed.jsonl')).map((line) => {
    if (line.type !== 'session') return line;
    const subjects = line.request.subjects.map((subject) => ({
      ...subject,
      runtime: { ...subject.runtime, name: 'bun' as const, version: '1.3.0' },
    }));
    return { ...line, request: { ...line.request, subjects } };
  });
  writeLines(inputs.path('bun.jsonl'), lines);
  const { stderr, exitCode, stdout } = await benchCli(['explain', inputs.path('bun.jsonl')]);
  expect({ stderr: stderr.split('\n').slice(-2).join('\n'), exitCode, stdout }).toEqual(
    usageError('EXPLAIN', 'bun.jsonl', 'old', 'Bun 1.3.0', 'Node.js'),
  );
});
