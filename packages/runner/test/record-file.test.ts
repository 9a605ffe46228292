import { once } from 'node:events';
import fs, {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { LINE_LIMIT_BYTES, type RunRecord, readRecording } from '@bench-cli/results/recording';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { again, chainedText, empty, end, plan, run, session } from '../../../test/support/recording.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { defaultRecordPath, RecordFile } from '../src/record/record-file.ts';

let files: TemporarySuite;
let path = '';

beforeEach(() => {
  files = temporarySuite({});
  path = files.path('deep/er/results.jsonl');
});

afterEach(() => {
  files[Symbol.dispose]();
  vi.unstubAllEnvs();
});

/** What is read from a file with the lines of a session with two runs. */
const whole = (file: string) => ({
  ...{ ...empty, file, plan, runs: [run, again], ended: true },
  ...{ firstLine: expect.any(String), lines: expect.any(Object) },
});

describe('a results file', () => {
  it('contains every appended line', async () => {
    const file = await RecordFile.create(path);
    for (const line of [session, plan, run, again, end]) file.append(line);
    await file.close();
    expect(readRecording(path)).toEqual(whole(path));
  });

  it('is not overwritten', async () => {
    const other = `${path} b`;
    await (await RecordFile.create(other)).close();
    await expect(RecordFile.create(other)).rejects.toThrow(errorWith('FILE_EXISTS', `--resume '${other}'`));
  });

  it('gets no line that is too long to be read', async () => {
    const file = await RecordFile.create(path);
    file.append(session);
    const long: RunRecord = { ...run, configuration: { text: 'x'.repeat(LINE_LIMIT_BYTES) } };
    expect(() => file.append(long)).toThrow(errorWith('LINE_LENGTH', path, 'run', String(LINE_LIMIT_BYTES)));
    file.append(run);
    await file.close();
    expect(readRecording(path).runs).toEqual([run]);
  });

  it('is closed when the system has written it to the disk, which keeps the lock until then', async () => {
    const file = await RecordFile.create(path);
    const sync = Promise.withResolvers<void>();
    vi.spyOn(performance, 'now').mockReturnValue(1e6);
    vi.spyOn(fs, 'fdatasync').mockImplementation((_, done) => void sync.promise.then(() => done(null)));
    syncBuiltinESMExports();
    file.append(session);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    const closed = file.close();
    await expect(RecordFile.continue(path)).rejects.toThrow(errorWith('FILE_IN_USE', path));
    sync.resolve();
    await closed;
    await (await RecordFile.continue(path)).close();
  });

  it('can be continued as soon as the process that wrote it was killed', async () => {
    await (await RecordFile.create(path)).close();
    const script = fileURLToPath(new URL('../dist/record/record-file.js', import.meta.url));
    const writer = execa(process.execPath, [
      '--input-type=module',
      '-e',
      `import { RecordFile } from ${JSON.stringify(script)};
       globalThis.file = await RecordFile.continue(${JSON.stringify(path)});
       console.log('locked');
       setInterval(() => {}, 1e6);`,
    ]);
    await once(writer.stdout, 'data');
    await expect(RecordFile.continue(path)).rejects.toThrow(errorWith('FILE_IN_USE', path));
    writer.kill('SIGKILL');
    await expect(writer).rejects.toThrow('SIGKILL');
    await (await RecordFile.continue(path)).close();
  });

  it.runIf(process.platform === 'linux')('is locked for other network namespaces', async () => {
    const file = await RecordFile.create(path);
    // As another container that shares the volume does it.
    await expect(execa('flock', ['-n', path, 'true'])).rejects.toMatchObject({ exitCode: 1 });
    await file.close();
    await execa('flock', ['-n', path, 'true']);
  });

  it('loses only an incomplete last line when it is continued', async () => {
    path = files.path('torn.jsonl');
    writeFileSync(path, `${chainedText([session, run])}${JSON.stringify(run).slice(0, 50)}`);
    const file = await RecordFile.continue(path);
    file.resume(readRecording(path));
    file.append({ ...run, round: 1 });
    await file.close();
    expect(readRecording(path).runs.map(({ round }) => round)).toEqual([0, 1]);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  it.each<[string, (file: string) => void]>([
    ['removed', (file) => rmSync(file)],
    [
      'replaced',
      (file) => {
        rmSync(file);
        writeFileSync(file, 'other');
      },
    ],
    ['emptied', (file) => truncateSync(file)],
    ['changed', (file) => appendFileSync(file, 'not json')],
  ])('goes on in another file if it is %s', async (what, takeAway) => {
    const file = await RecordFile.create(path);
    for (const line of [session, plan, run]) file.append(line);
    takeAway(path);
    const warning = [again, end].map((line) => file.append(line)).find((each) => each !== undefined);
    await file.close();
    expect(warning).toContain(`${path} was ${what}`);
    expect(warning).toContain('[ERR_BENCH_FILE_CHANGED]');
    expect(warning).toContain(`--resume ${file.path}`);
    // A session that lost runs has not ended: it can be resumed.
    const kept = what === 'emptied' ? { runs: [again], ended: false } : { runs: [run, again], ended: true };
    expect(readRecording(file.path)).toMatchObject({ session, plan, ...kept });
  });

  it('keeps all runs if another program writes to it after the last one', async () => {
    const file = await RecordFile.create(path);
    for (const line of [session, plan, run, again]) file.append(line);
    appendFileSync(path, `${JSON.stringify(run)}\nnot json\n`);
    expect(file.append(end)).toContain('[ERR_BENCH_FILE_CHANGED]');
    await file.close();
    expect(readRecording(file.path)).toEqual(whole(file.path));
  });

  it('names the file and how to continue when the disk is full', async () => {
    const file = await RecordFile.continue('/dev/full');
    expect(() => file.append(run)).toThrow(errorWith('WRITE', '/dev/full', 'ENOSPC', '--resume'));
    await file.close();
  });
});

it('sessions without --out are kept while they run, however many newer ones there are', async () => {
  vi.stubEnv('BENCH_CLI_CACHE', files.path('cache'));
  const kept = () => readdirSync(files.path('cache/sessions')).length;
  const next = (second: number) => defaultRecordPath('run', new Date(second * 1000));
  const running = await RecordFile.create(await next(0));
  expect(statSync(files.path('cache/sessions')).mode & 0o777).toBe(0o700);
  for (let second = 1; second <= 30; second++) writeFileSync(await next(second), '');
  expect(existsSync(running.path)).toBe(true);
  expect(kept()).toBe(21);
  await running.close();
  writeFileSync(await next(31), '');
  expect(existsSync(running.path)).toBe(false);
});
