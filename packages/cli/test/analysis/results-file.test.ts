import { readFileSync, writeFileSync } from 'node:fs';
import { type Configuration, compareCsvLines } from '@bench-cli/results';
import type { RecordLine } from '@bench-cli/results/recording';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { endedWith, usageError } from '../../../../test/support/error-with.ts';
import { recordedInputs } from '../../../../test/support/recorded-inputs.ts';
import { readLines, writeLines } from '../../../../test/support/recording.ts';
import { pageData, pageText } from '../../../../test/support/report-page.ts';
import { untilEnd } from '../../../../test/support/until-end.ts';

const bench = (...args: string[]) => benchCli(args, { cwd: files.directory });
const withInput = (file: string, ...args: string[]) =>
  benchCli(args, { cwd: files.directory, input: readFileSync(files.path(file), 'utf8') });
const compare = (...args: string[]) => bench('analyze', ...args);

/** The comparisons of a JSON. */
const comparisonsOf = async (
  ...args: string[]
): Promise<readonly { text: string; configuration: Configuration }[]> =>
  JSON.parse((await compare('--format', 'json', ...args)).stdout).comparisons;

const linesOf = (name: string) => readLines(files.path(name));
const write = (name: string, lines: readonly RecordLine[]) => writeLines(files.path(name), lines);

const files = untilEnd(recordedInputs());

beforeAll(() => {
  const fixed = linesOf('fixed.jsonl');
  const csv = compareCsvLines(['old', 'new']);
  const rows = fixed.flatMap((line) => (line.type === 'run' && line.status === 'ok' ? csv.row(line) : []));
  writeFileSync(files.path('tool.json'), '{"numTotalTestSuites":1}');
  writeFileSync(files.path('fixed.csv'), [csv.header, ...rows, ''].join('\n'));
  const startedAt = '2026-11-22T16:16:17.906Z';
  const again = fixed.map((line) => (line.type === 'session' ? { ...line, startedAt } : line));
  write('again.jsonl', again);
  // What `run` would have recorded of one subject, without the cases that it gave up.
  const isWhole = ({ kind }: Configuration) => kind === undefined || kind === "it's";
  write(
    'run.jsonl',
    fixed.flatMap((line): RecordLine | [] => {
      switch (line.type) {
        case 'session': {
          const subjects = line.request.subjects.slice(0, 1);
          return { ...line, request: { ...line.request, command: 'run', subjects } };
        }
        case 'plan': {
          const benchmarks = line.benchmarks.map(({ name, configurations }) => ({
            name,
            configurations: configurations.filter(isWhole),
          }));
          return { ...line, benchmarks };
        }
        case 'run':
          return line.subject === 'old' && isWhole(line.configuration) ? line : [];
        default:
          return line.type === 'end' ? line : [];
      }
    }),
  );
});

describe('a CSV of the same runs', () => {
  it('has the same figures, as a file and on standard input', async () => {
    // A CSV has no failed runs.
    const succeeded = ['--where', 'benchmark=strings/parse.js'];
    expect(await comparisonsOf(...succeeded, 'fixed.csv')).toEqual(
      await comparisonsOf(...succeeded, 'fixed.jsonl'),
    );
    const bars = ['analyze', '--format', 'bars', '--where', 'encoding=ascii'];
    const barsOfInput = await withInput('fixed.csv', ...bars);
    const barsOfFile = await bench(...bars, 'fixed.jsonl');
    expect(barsOfInput.stdout).toBe(barsOfFile.stdout);
    const ofInput = await withInput('fixed.csv', 'analyze', ...succeeded, '-');
    const ofFile = await bench('analyze', ...succeeded, 'fixed.jsonl');
    expect(ofInput.stdout.split('\n\n')[0]).toBe(ofFile.stdout.split('\n\n')[0]);
  });

  it('has a page with a selection, whose rows have no commands: no user gave them', async () => {
    const options = ['--where', 'encoding=utf8', '--html', 'csv.html'];
    await withInput('fixed.csv', 'analyze', ...options);
    const html = readFileSync(files.path('csv.html'), 'utf8');
    expect(pageText(html)).not.toContain('CPU');
    const { rows } = pageData(html);
    expect(rows).toMatchObject([{ label: 'len=1024' }, { label: 'len=16' }]);
    expect(rows.filter((row: object) => 'command' in row)).toEqual([]);
  });
});

it('the bars of a terminal have no interval of adaptive runs, and say which subject has no run', async () => {
  const { stdout } = await bench('analyze', '--format', 'bars', '--where', 'n=1', 'sequential.jsonl');
  expect(stdout).toMatch(
    /^g\/auto\.js n=1 kind='slower'\n {2}old █{40} 987 k ops\/s \(n=11\)\n {2}new █{38}·· 927 k/m,
  );
  expect(stdout).toMatch(/kind='broken'\n {2}old █{40} 997 k ops\/s \(n=1\)\n {2}new .*\n/);
  expect(stdout).toMatch(/kind='zero'\n {2}old ·{40} 0 ops\/s \(n=8\)/);
});

describe('analyze', () => {
  const axes = ['--xaxis', 'len', '--group-by', 'encoding'];
  const scatter = (...args: string[]) => bench('analyze', ...args);

  it('reads a CSV as it reads a session, and averages only what --where keeps', async () => {
    const rows = linesOf('scatter.jsonl').flatMap((line) =>
      line.type === 'run' && line.status === 'ok'
        ? `"a.js", ${line.configuration['n']}, "${line.configuration['encoding']}", ${line.configuration['len']}, ${line.values.rate}, 0.1`
        : [],
    );
    const input = ['"filename", "n", "encoding", "len", "rate", "time"', ...rows, ''].join('\n');
    for (const options of [[], ['--where', 'n=1000']]) {
      const ofInput = await benchCli(['analyze', ...axes, ...options], { input });
      expect(ofInput).toEqual(await scatter(...axes, ...options, 'scatter.jsonl'));
    }
    expect((await scatter(...axes, '--where', 'n=1000', 'scatter.jsonl')).stdout).not.toContain('n 85 %');
  });

  it('shows one benchmark of a session of run', async () => {
    const one = await scatter(...axes, '--where', 'benchmark=strings/parse.js', 'run.jsonl');
    expect(one.stdout).toMatch(/\n {3}16 {4}ascii 4210860.53 +35609.726\n/);
    const names = ['strings/parse.js', 'url/resolve.js'];
    expect(await scatter(...axes, 'run.jsonl')).toEqual(usageError('SCATTER', ...names));
    expect(await scatter(...axes, 'fixed.csv')).toEqual(usageError('SCATTER', ...names));
  });
});

describe('a results file', () => {
  it('that is not finished is shown with the command that continues it', async () => {
    const lines = linesOf('fixed.jsonl');
    const [session] = lines;
    if (session?.type !== 'session') throw new Error('no session');
    const startedAt = '2026-11-21T18:00:00.000Z';
    const resumed = { type: 'resumed', startedAt, environment: session.environment } as const;
    write("it's.jsonl", [...lines.slice(0, -3), resumed]);
    const command = `bench-cli compare --resume 'it'"'"'s.jsonl'`;
    expect(await compare("it's.jsonl")).toEqual(endedWith(0, command));
    await bench('analyze', "it's.jsonl", '--html', 'cut.html');
    const page = pageText(readFileSync(files.path('cut.html'), 'utf8'));
    expect(page).toContain(`bench-cli compare --resume '${files.path('it')}'"'"'s.jsonl'`);
    expect(page).toContain(`\nResumed\n${startedAt}\n`);
    const written = await bench('analyze', "it's.jsonl", '--out', 'none.jsonl');
    expect(written).toEqual(usageError('JOIN_INCOMPLETE', "it's.jsonl"));
    expect(await bench('run', '--resume', "it's.jsonl")).toEqual(usageError('COMMAND', "it's.jsonl"));
  });

  it.each([
    ['a cut line', '{"type":"session","for', 'RECORD', 'incomplete'],
    ['another JSON', '{"a":1}', 'RECORD', ':1'],
    ['lines of another JSON', '{"type":"test"}\n{"type":"test"}\n', 'RECORD', ':1'],
    ['a line of a session', '{"type":"end"}\n', 'RECORD', ':1'],
    ['indented JSON', '{\n  "a": 1\n}\n', 'RECORD', 'not a results file'],
    ['a list', '[{"name":"a"}]', 'CSV_SYNTAX', ''],
    ['words', 'hello', 'CSV_HEADER', ''],
    ['bytes', Buffer.from([0, 1, 2, 255]), 'CSV_SYNTAX', ''],
    ['nothing', '', 'CSV_EMPTY', ''],
  ])('is no file with %s, which is named', async (_, content, code, problem) => {
    writeFileSync(files.path('other'), content);
    expect(await bench('analyze', 'other')).toEqual(usageError(code, 'other', problem));
    if (code !== 'RECORD') return;
    expect(await bench('analyze', 'fixed.jsonl', 'other')).toEqual(usageError(code, 'other', problem));
  });

  it('of joined shards has all their lines, and the facts of all machines', async () => {
    const shards = ['shard-1.jsonl', 'shard-2.jsonl'];
    expect((await bench('analyze', ...shards, '--out', 'shards.jsonl')).exitCode).toBe(0);
    expect(linesOf('shards.jsonl')).toEqual(shards.flatMap(linesOf));
    await bench('analyze', 'shards.jsonl', '--html', 'shards.html');
    const page = pageText(readFileSync(files.path('shards.html'), 'utf8'));
    for (const fact of ['2 shards', 'CPU, 2 to use (1 of 2); Other CPU, 8 to use (1 of 2)', '38, 8 planned'])
      expect(page).toContain(`\n${fact}`);
    expect(await bench('compare', '--resume', 'shards.jsonl')).toEqual(
      usageError('RECORD_JOINED', 'shards.jsonl'),
    );
  });

  it('of which only some rounds were measured in turns has a warning', async () => {
    const turned = (isTurned: (round: number) => boolean) =>
      linesOf('fixed.jsonl').map((line) =>
        line.type === 'run' && isTurned(line.round) ? { ...line, inTurns: true as const } : line,
      );
    const warningsOf = async (lines: readonly RecordLine[]): Promise<readonly object[]> => {
      write('turned.jsonl', lines);
      return JSON.parse((await compare('--format', 'json', 'turned.jsonl')).stdout).warnings;
    };
    const mixed = expect.objectContaining({ kind: 'mixed-turns' });
    expect(await warningsOf(turned(() => true))).not.toContainEqual(mixed);
    // As a session that was continued where processes cannot take turns.
    expect(await warningsOf(turned((round) => round < 2))).toContainEqual(mixed);
  });

  it.each([
    ['planned', { old: 1, new: 1 }, ', each process from 100 to 250 ms; declared 250 to 1250 ms'],
    [
      'declared, after a plan was given up,',
      { old: 2, new: 2 },
      ', each process from 250 to 1250 ms as declared, because the ratio changes while a process runs',
    ],
    ['declared, as a side had no pilot,', { old: 2, new: 0 }, ', each process from 250 to 1250 ms'],
  ])('of runs that sampled for %s times says so in every form', async (_which, pilots, part) => {
    const pilot = { warmUpMs: 250, measuredMs: 1000, pilot: { longestMs: 1000, windows: [] } };
    const later = pilots.old === 1 ? { sampling: { warmUpMs: 100, measuredMs: 150 } } : {};
    write(
      'sampled.jsonl',
      linesOf('fixed.jsonl').map((line) =>
        line.type === 'run' && line.status === 'ok'
          ? {
              ...line,
              ...(line.round < pilots[line.subject === 'old' ? 'old' : 'new'] ? { sampling: pilot } : later),
            }
          : line,
      ),
    );
    for (const format of ['table', 'markdown']) {
      const { stdout } = await compare('--format', format, 'sampled.jsonl');
      expect(stdout).toContain(part);
    }
    await bench('analyze', 'sampled.jsonl', '--html', 'sampled.html');
    expect(pageText(readFileSync(files.path('sampled.html'), 'utf8'))).toContain(part);
    const [first] = JSON.parse((await compare('--format', 'json', 'sampled.jsonl')).stdout).comparisons;
    expect(first.sampling).toEqual({
      declared: { warmUpMs: 250, measuredMs: 1000 },
      pilot: { warmUpMs: 250, measuredMs: 1000 },
      plans: pilots.old === 1 ? [later.sampling] : [],
      ...(pilots.new > 1 && { isGivenUp: true }),
    });
  });

  it.each([
    ['analyze --fail-on slower run.jsonl', 'USAGE', ['--fail-on']],
    ['analyze --where len>5000 fixed.jsonl', 'NO_MATCH', ['len>5000']],
    [
      'analyze --xaxis size --group-by kind scatter.jsonl',
      'UNKNOWN_PARAMETER',
      ['"size"', 'n, encoding, len'],
    ],
    ['analyze --xaxis encoding --group-by n fixed.jsonl', 'COMMAND', ['fixed.jsonl']],
    [
      'analyze --xaxis len --group-by encoding,n scatter.jsonl',
      'OPTION_CONFLICT',
      ['--xaxis', '--group-by', ': leave out n'],
    ],
    ['analyze shard-1.jsonl --out shard-2.jsonl', 'FILE_EXISTS', ['shard-2.jsonl', '--out']],
    ['analyze fixed.csv shard-1.jsonl', 'JOIN_UNSUPPORTED', ['fixed.csv']],
    ['analyze fixed.csv edges.csv', 'JOIN_UNSUPPORTED', ['fixed.csv', 'bench-cli analyze FILE']],
    ['analyze fixed.csv --out all.jsonl', 'JOIN_UNSUPPORTED', ['fixed.csv', '--out']],
    ['analyze --out all.jsonl', 'JOIN_UNSUPPORTED', ['standard input', '--out']],
    ['history --file h.jsonl --commit c fixed.csv', 'RECORD', ['fixed.csv']],
    ['analyze tool.json', 'TOOL_REPORT', ['tool.json', 'bench-cli run']],
  ])('is refused: %s', async (words, code, values) => {
    expect(await bench(...words.split(' '))).toEqual(usageError(code, ...values));
  });

  it('has the configurations that benchmarks reported, whatever was scheduled', async () => {
    for (const file of ['fixed.jsonl', 'sequential.jsonl']) {
      const lines = linesOf(file).map((line) =>
        line.type === 'run' && line.status === 'ok'
          ? {
              ...line,
              scheduled: line.configuration,
              configuration: { ...line.configuration, benchmarker: 'wrk' },
            }
          : line,
      );
      write(`reported-${file}`, lines);
      const expected = (await comparisonsOf(file)).map(({ text, configuration, ...figures }) => ({
        ...figures,
        text: `${text} benchmarker='wrk'`,
        configuration: { ...configuration, benchmarker: 'wrk' },
      }));
      expect(await comparisonsOf('--where', 'benchmarker=wrk', `reported-${file}`)).toEqual(expected);
    }
  });

  it('has all configurations that one run reported', async () => {
    const results = new Map<string, number>();
    const lines = linesOf('sequential.jsonl').flatMap((line): RecordLine | [] => {
      if (line.type === 'plan') return { ...line, benchmarks: [{ name: 'g/auto.js', configurations: [{}] }] };
      if (line.type !== 'run') return line;
      const isShort = ['faster', 'slower'].includes(String(line.configuration['kind'])) && line.round < 3;
      if (!isShort) return [];
      const result = results.get(`${line.subject} ${line.round}`) ?? 0;
      results.set(`${line.subject} ${line.round}`, result + 1);
      return { ...line, scheduled: {}, result, startedAt: `2026-01-01T00:00:0${line.round}.000Z` };
    });
    write('together.jsonl', lines);
    const kinds = (await comparisonsOf('together.jsonl')).map(({ configuration }) => configuration['kind']);
    expect(kinds).toEqual(['faster', 'slower']);
  });
});
