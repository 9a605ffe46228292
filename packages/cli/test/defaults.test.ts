import { describe, expect, it } from 'vitest';
import { benchCli, startBenchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

/** The session of a run whose suite has a config file, and whose arguments are these. */
async function sessionWith(config: Readonly<Record<string, string>>, ...args: readonly string[]) {
  using suite = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: [1, 2], kind: ["a"] }'), ...config });
  const options = { cwd: suite.directory, scripted: anyRates() };
  const { stdout, ...result } = await benchCli(['run', '--format', 'json', ...args, 'g'], options);
  const request = result.exitCode === 0 ? JSON.parse(stdout).session.request : undefined;
  return { ...result, stdout, request };
}

describe('defaults of a config file', () => {
  const file = 'bench-cli.config.mjs';

  it('are as in the programmatic API, or as on the command line, which goes before them', async () => {
    const config = {
      [file]: 'export default { defaults: { runs: 2, timeoutMs: "90s", set: ["n=1"], old: "x" } };',
    };
    const { request } = await sessionWith(config);
    expect(request).toMatchObject({ runs: 2, settings: { timeoutMs: 90_000, set: ['n=1'] } });
    const given = await sessionWith(config, '--runs', '1', '--set', 'n=2');
    expect(given.request).toMatchObject({ runs: 1, settings: { timeoutMs: 90_000, set: ['n=2'] } });
  });

  it('name the subjects in the recorded command, which measures them again after a change of the file', async () => {
    const config = { [file]: 'export default { defaults: { subjects: ["node,env=A=1"], old: "x" } };' };
    const { request } = await sessionWith(config, '--runs', '1');
    const measured = ['run', '--subject', 'node,env=A', '--format', 'json', '--runs', '1', 'g'];
    expect(request.commandLine).toEqual(measured);
    const given = await sessionWith(config, '--runs', '1', '--subject', 'node');
    expect(given.request.commandLine).toEqual(['run', ...measured.slice(3, -1), '--subject', 'node', 'g']);
  });

  it('are left out by a command that has no such value, if another one has it', async () => {
    const config = { [file]: 'export default { defaults: { format: "markdown", runs: "auto" } };' };
    using suite = temporarySuite({ 'benchmarks/g/a.js': benchmark('{ n: 1 }'), ...config });
    const { exitCode, stdout } = await benchCli(['run', '--runs', '1', 'g'], { cwd: suite.directory });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('|');
  });

  it.each([
    ['{ time: 1 }', '"time"'],
    ['{ runs: "often" }', 'defaults.runs'],
    ['1', 'defaults'],
  ])('%s are refused', async (defaults, value) => {
    const config = { [file]: `export default { defaults: ${defaults} };` };
    expect(await sessionWith(config)).toEqual(usageError('CONFIG_FILE', file, value));
  });

  it.each([
    ['maxRuns: 3', 'OPTION', '--max-runs'],
    ['metrics: ["none"]', 'METRIC', '"none"'],
  ])('are named with their file by the errors of a session: %s', async (defaults, code, value) => {
    const config = { [file]: `export default { defaults: { runs: "auto", ${defaults} } };` };
    expect(await sessionWith(config)).toEqual(usageError(code, value, file));
  });

  it('are not named by errors about other things, even if a number is the same', async () => {
    const config = { [file]: 'export default { defaults: { runs: 2 } };' };
    const { stderr } = await sessionWith(config, '--set', 'n=2', '--set', '2=2');
    expect(stderr).toMatch(/^error: .*"2"/);
    expect(stderr).not.toContain(file);
  });

  it('are not awaited for ever', async () => {
    using suite = temporarySuite({ 'g/a.js': '', [file]: 'await new Promise(() => {});' });
    // The process that tests share has other work to wait for.
    const { exitCode, stdout, stderr } = await startBenchCli(['run', 'g'], { cwd: suite.directory });
    expect({ exitCode, stdout, stderr }).toEqual(usageError('CONFIG_FILE', file));
  });

  it('name the extension of an ES module if the package is CommonJS', async () => {
    const files = { 'bench-cli.config.ts': 'export default {};', 'package.json': '{"type":"commonjs"}' };
    expect(await sessionWith(files)).toEqual(usageError('CONFIG_FILE', 'bench-cli.config.ts', '.mts'));
  });
});
