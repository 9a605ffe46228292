import { allSettings, optionOf, settingCommands, settingsOf } from '@bench-cli/results/settings';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { benchCli, bin, examplesIn } from '../../../test/support/command.ts';

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

const commandNames = [...new Set(Object.values(allSettings).flatMap(settingCommands))];

const helps = await helpsOf([]);
it('has examples for every command', () => {
  const lacking = helps.filter(([, help]) => examplesIn(help).length === 0).map(([command]) => command);
  expect(lacking, 'add examples in packages/cli/src/commands').toEqual(['http']);
});

describe('the help', () => {
  it.each(helps)('of bench-cli %s fits 50 lines; the whole one has all options', async (command, help) => {
    const shorten =
      'show a rare option only in --help all: put its command in parentheses in settings.ts; or shorten its help';
    expect(help.trimEnd().split('\n').length, shorten).toBeLessThanOrEqual(50);
    const { stdout: whole } = await benchCli([...command.split(' ').filter(Boolean), '--help', 'all']);
    const name = commandNames.find((each) => each === command);
    const flags = name === undefined ? [] : settingsOf(name).map(([, setting]) => optionOf(setting));
    expect(flags.filter((flag) => !new RegExp(`^ {2}${flag}( |$)`, 'm').test(whole))).toEqual([]);
    const long = whole.split('\n').filter((line) => line.length > 80);
    expect(long, 'these lines have more than 80 columns').toEqual([]);
    const own = examplesIn(help).filter((example) => example.startsWith(`bench-cli ${command} `));
    const named = own.flatMap((example) => example.replaceAll(/'.*?'/g, '').match(/(?<= )--[\w-]+/g) ?? []);
    expect(
      named.filter((option) => !whole.includes(`  ${option}`)),
      'an example has these options, and the command does not',
    ).toEqual([]);
  });

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

it('loads no module for processes, terminals or encryption, which take milliseconds each', async () => {
  const atExit = `process.on('exit', () => {
    const loaded = process.moduleLoadList.filter((name) => /NativeModule (child_process|tty|crypto|internal\\/crypto\\/.*)$/.test(name));
    const text = JSON.stringify(loaded);
    process.stderr.write(text);
  });`;
  const hook = `data:text/javascript,${encodeURIComponent(atExit)}`;
  const options = { stdin: 'ignore', stdout: 'ignore' } as const;
  const { stderr } = await execa(process.execPath, ['--import', hook, bin, '--help'], options);
  expect(stderr, 'import these modules where they are used: await import()').toBe('[]');
});
