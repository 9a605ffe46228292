import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { asCalled, calledAs } from '../src/invocation.ts';

let suite: TemporarySuite;
const csv = '"binary","filename","configuration","rate","time"\n"old","g/a.js","n=1",1,1\n';

beforeAll(() => {
  suite = temporarySuite({
    'benchmarks/g/a.js': benchmark('{ n: [1, 2] }'),
    'compare.csv': csv,
    'scatter.csv': '"filename", "n", "rate", "time"\n"g/a.js", 1, 1, 1\n',
    'notes.txt': 'text',
  });
});

afterAll(() => suite[Symbol.dispose]());

const run = (args: readonly string[], env = {}) => benchCli(args, { cwd: suite.directory, env });

describe('the command in hints', () => {
  it.each([
    ['npm/11.1.0 node/v26.0.0', 'npx bench-cli'],
    ['pnpm/12.0.0 npm/? node/?', 'pnpm bench-cli'],
    ['yarn/4.0.0', 'yarn bench-cli'],
    ['bun/1.3.0', 'bunx bench-cli'],
  ])('under %s is %s', (npm_config_user_agent, command) => {
    expect(calledAs({ npm_config_user_agent }, '/x/bench-cli')).toBe(command);
  });

  it('is its name if that is on the PATH, else the path of its file', () => {
    const bin = suite.path('bin');
    mkdirSync(bin);
    writeFileSync(`${bin}/bench-cli`, '');
    expect(calledAs({ PATH: `/none:${bin}` }, '/x/bin/bench-cli.js')).toBe('bench-cli');
    expect(calledAs({ PATH: '/none' }, `${process.cwd()}/x/bench-cli`)).toBe('x/bench-cli');
    expect(calledAs({ PATH: '/none' }, `${process.cwd()}/x/bench-cli.js`)).toBe('node x/bench-cli.js');
  });

  it('replaces only the name before a command', () => {
    const text =
      'use bench-cli analyze, npx bench-cli run, /x/bench-cli run, bench-cli wrote, my-bench-cli run';
    expect(asCalled(text)).toBe(text.replace('use bench-cli', `use ${calledAs()}`));
  });

  it('replaces the name before every command that the help lists', async () => {
    const { stdout } = await run(['--help']);
    const [, list = ''] = stdout.split('Commands:\n');
    const commands = [...list.matchAll(/^ {2}([a-z-]+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help');
    expect(commands).toContain('history');
    const text = commands.map((name) => `use bench-cli ${name} now`).join('\n');
    expect(asCalled(text)).toBe(text.replaceAll('bench-cli', calledAs()));
  });

  it('is the same in help, errors and the hint after an interruption', async () => {
    const env = { npm_config_user_agent: 'npm/11.1.0' };
    const help = await run(['history', '--help'], env);
    expect(help.stdout).toMatch(/^Usage: npx bench-cli history /);
    expect(help.stdout).toContain('  $ npx bench-cli history ');
    const failing = await run(['analyze', '--log', 'compare.csv'], env);
    expect(failing.exitCode).toBe(2);
    await run(['analyze', 'compare.csv', '--html', 'page.html'], env);
    expect(readFileSync(suite.path('page.html'), 'utf8')).toContain('<code>npx bench-cli compare --old');
  });
});
