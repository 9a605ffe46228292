import { chmodSync, writeFileSync } from 'node:fs';
import { allSettings, optionOf, settingCommands, settingsOf } from '@bench-cli/results/settings';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli, bin, examplesIn } from '../../../test/support/command.ts';
import { anyRate, writeQuickRuntime } from '../../../test/support/quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { typeCommand } from '../../../test/support/typed-command.ts';

/** The help of a command, and those of all commands below it. */
async function helpsOf(command: readonly string[]): Promise<[command: string, help: string][]> {
  const { stdout, exitCode } = await benchCli([...command, '--help']);
  expect({ command, exitCode }).toEqual({ command, exitCode: 0 });
  const [, list = ''] = stdout.split('\nCommands:\n');
  const names = [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  const nested = await Promise.all(names.map((name) => helpsOf([...command, name])));
  return [[command.join(' '), stdout], ...nested.flat()];
}

const suiteOf = (parameters: string) => {
  // Its clock moves by a second, and up to 0.4 % more. Real rates can cross the gates and margins of the examples by chance.
  const source = benchmark(
    parameters,
    `let now = 0n;
    process.hrtime.bigint = () => ++now;
    bench.start();
    now += 1_000_000_000n + BigInt(process.pid % 5) * 1_000_000n;
    bench.end(conf.n);`,
  );
  const files = [
    'assert/deepequal-buffer.js',
    'buffers/buffer-tostring.js',
    'process/bench-env.js',
    'string_decoder/string-decoder.ts',
    'url/parse.ts',
  ];
  return Object.fromEntries(files.map((file) => [`here/benchmarks/${file}`, source]));
};

/** The CSV files that the examples of `analyze` read have several configurations. */
const several = suiteOf('{ encoding: ["ascii", "utf8"], inLen: [32], chunkLen: [16, 64], n: [1e6] }');
/** One configuration, because many examples run each 30 times. */
const single = suiteOf('{ encoding: ["ascii"], inLen: [32], chunkLen: [64], n: [1e6] }');

const commandNames = [...new Set(Object.values(allSettings).flatMap(settingCommands))];

let project: TemporarySuite;

beforeAll(async () => {
  project = temporarySuite({
    ...several,
    'here/bench-cli.config.js': "export default { defaults: { subjects: './node-main' } };",
    'main/benchmarks/url/parse.ts': single['here/benchmarks/url/parse.ts'] ?? '',
    'bin/bench-cli': `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
  });
  chmodSync(project.path('bin/bench-cli'), 0o755);
  writeQuickRuntime(project.path('bin/node'), { rate: anyRate });
  writeQuickRuntime(project.path('here/node-main'), { rate: anyRate });
  writeQuickRuntime(project.path('here/node-pr'), { rate: `# another build\n${anyRate}` });
  const cwd = project.path('here');
  const file = 'string_decoder/string-decoder.ts';
  const done = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await benchCli(args, { cwd });
    expect({ args, stderr, exitCode }).toMatchObject({ exitCode: 0 });
    return stdout;
  };
  const node = project.path('bin/node');
  const compare = ['compare', '--old', node, '--new', node, '--allow-same', '--runs', '2', file];
  writeFileSync(project.path('here/compare-pr.csv'), await done(...compare));
  writeFileSync(project.path('here/scatter.csv'), await done('scatter', '--runs', '2', file));
  for (const [path, source] of Object.entries(single)) writeFileSync(project.path(path), source);
  await done(...compare, '--out', 'results.jsonl');
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  await execa('git', ['init', '--quiet', '--initial-branch=main'], { cwd });
  await execa('git', [...identity, 'commit', '--quiet', '--allow-empty', '--message', 'main'], { cwd });
  for (const index of [1, 2])
    await done(...compare, '--shard', `${index}/2`, '--out', `shard-${index}.jsonl`);
});

afterAll(() => project[Symbol.dispose]());

const helps = await helpsOf([]);
const examples = helps.flatMap(([command, help]) =>
  examplesIn(help).map((example): [string, string] => [command, example]),
);

/** The example with few runs, and only the files of a comparison whose results no example reads. */
const brief = (example: string) =>
  /--resume|--out|>/.test(example)
    ? example.replace(/^bench-cli (compare|scatter) (?!.*--(runs|resume))/, '$&--runs 2 ')
    : example
        .replace(/^bench-cli compare\b/, '$& --dry-run')
        .replace(/^bench-cli scatter (?!.*--runs)/, '$&--runs 2 ');

/** Commands whose examples do not end, take long, or have special requirements. Other tests run them. */
const elsewhere = new Set([
  'bisect',
  'check',
  'explain',
  'history',
  'machine',
  'http load',
  'http clients',
  'http server',
]);

describe('the examples of the help', () => {
  it('exist for every command', () => {
    const commands = new Set(examples.map(([command]) => command));
    expect(commands).toEqual(
      new Set(helps.map(([command]) => command).filter((name) => !['', 'http'].includes(name))),
    );
  });

  it.each(examples.filter(([command]) => !elsewhere.has(command)))(
    '%s: %s',
    { timeout: 300_000 },
    async (_, example) => {
      const { exitCode, stderr } = await typeCommand(brief(example), {
        cwd: project.path('here'),
        programs: project.path('bin'),
      });
      expect({
        exitCode,
        // On a loaded machine a command can take so long that it shows its progress.
        stderr: stderr.replace(
          /^((warning|finished|\S+\.html|\S+\.jsonl|±):|\[.*\]|shard|measured|no configuration) .*\n?/gm,
          '',
        ),
      }).toEqual({
        exitCode: 0,
        stderr: '',
      });
    },
  );
});

describe('the help', () => {
  it.each(helps)(
    'of bench-cli %s fits 50 lines, and its whole help names every option',
    async (command, help) => {
      expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(50);
      const { stdout: whole } = await benchCli([...command.split(' ').filter(Boolean), '--help', 'all']);
      const name = commandNames.find((each) => each === command);
      const flags = name === undefined ? [] : settingsOf(name).map(([, setting]) => optionOf(setting));
      expect(flags.filter((flag) => !new RegExp(`^ {2}${flag}( |$)`, 'm').test(whole))).toEqual([]);
      const long = whole.split('\n').filter((line) => line.length > 80);
      expect(long).toEqual([]);
    },
  );

  it('of the program names every command, and the version is that of the package', async () => {
    const { stdout } = await benchCli(['--help']);
    for (const name of ['run', 'compare', 'bisect', 'scatter', 'analyze', 'machine', 'http'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect((await benchCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('is shown if there is no command', async () => {
    const { stderr, exitCode } = await benchCli([]);
    expect(stderr).toContain('Usage: bench-cli');
    expect(exitCode).toBe(2);
  });
});
